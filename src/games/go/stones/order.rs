//! The order in which empty points and the stones of chains are listed.

use super::{At, POINTS, Point, Stones};

impl Stones {
    /// Lists the empty points, and the stones of each chain, in the order of the board. Stones that were played in another order,
    /// or taken and played again, are then no different, and random moves from here depend on the position alone.
    pub(in super::super) fn sort(&mut self) {
        // Where the ring of a chain has come to, in the place of the stone that was its first. No stone is at 0.
        let mut last: [Point; POINTS] = [0; POINTS];
        self.empties = 0;
        for point in self.all() {
            let p = usize::from(point);
            match self.at(point) {
                At::Empty => self.list(point),
                At::Stone(_) => {
                    let was = usize::from(self.first[p]);
                    let first = match usize::from(last[was]) {
                        0 => {
                            self.chains[p] = self.chains[was];
                            point
                        }
                        before => {
                            self.next[before] = point;
                            self.first[before]
                        }
                    };
                    (self.first[p], self.next[p], last[was]) = (first, first, point);
                }
                At::Border => {}
            }
        }
    }
}
