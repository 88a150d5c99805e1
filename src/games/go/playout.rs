//! Light playouts: stones that are in reach are taken first, everything else is chance, and nobody fills an eye of one's own.

use super::stones::{At, Colour, Point, Stones, beside};

/// A game that is played out.
#[derive(Clone, Debug)]
pub struct Light {
    pub stones: Stones,
    turn: Colour,
    /// The last stone.
    last: Option<Point>,
    passes: u8,
    plies: u16,
}

impl Light {
    /// Continues from these stones, after so many passes. What is played then depends on them and on chance, not on how they
    /// came there.
    pub fn new(mut stones: Stones, turn: Colour, passes: u8) -> Light {
        stones.sort();
        Light {
            stones,
            turn,
            last: None,
            passes,
            plies: 0,
        }
    }

    /// Returns the number of moves so far, passes included.
    pub fn plies(&self) -> u16 {
        self.plies
    }

    /// Whether two passes have ended it, or so many moves were made that a ko must go on for ever.
    pub fn is_over(&self) -> bool {
        self.passes >= 2 || u32::from(self.plies) >= 3 * self.stones.points()
    }

    /// Makes a move.
    pub fn step(&mut self, random: &mut fastrand::Rng) {
        self.plies += 1;
        self.last = self.capture(random).or_else(|| self.any(random));
        match self.last {
            Some(point) => {
                self.stones.play(point, self.turn);
                self.passes = 0;
            }
            None => {
                self.stones.pass();
                self.passes += 1;
            }
        }
        self.turn = self.turn.other();
    }

    /// The move that takes a chain with a single liberty, if the last stone belongs to it or is next to it.
    fn capture(&self, random: &mut fastrand::Rng) -> Option<Point> {
        let last = self.last?;
        let others = At::Stone(self.turn.other());
        let takes = |stone: Point| {
            let is_theirs = self.stones.at(stone) == others;
            let liberty = is_theirs.then(|| self.stones.last_liberty(stone)).flatten();
            liberty.filter(|point| !self.stones.is_ko(*point))
        };
        let [a, b, c, d] = beside(last);
        let around = [last, a, b, c, d];
        let from = random.usize(..around.len());
        (0..around.len()).find_map(|i| takes(around[(from + i) % around.len()]))
    }

    /// Whether a stone on an empty point is legal, as far as that can be told without the earlier positions, and fills no eye.
    #[inline]
    fn is_sensible(&self, point: Point) -> bool {
        let is_filling = || self.stones.is_eye(point, self.turn);
        let is_fine = || !is_filling() && self.stones.lives(point, self.turn);
        !self.stones.is_ko(point) && (self.stones.is_open(point) || is_fine())
    }

    /// A random move among those that are sensible.
    fn any(&mut self, random: &mut fastrand::Rng) -> Option<Point> {
        for left in (1..=self.stones.empty().len()).rev() {
            let drawn = random.usize(..left);
            let point = self.stones.empty()[drawn];
            if self.is_sensible(point) {
                return Some(point);
            }
            self.stones.swap(drawn, left - 1);
        }
        None
    }
}
