//! Counting: stones, and empty regions.

use super::stones::{At, Colour, POINTS, Stones, beside};

impl Stones {
    /// Returns Black's area less White's, in points: stones, and empty regions that only one side's stones touch.
    pub fn area(&self) -> i32 {
        let mut area = self.count_of(Colour::Black) - self.count_of(Colour::White);
        let mut seen = [false; POINTS];
        let mut region = Vec::new();
        for &start in self.empty() {
            if std::mem::replace(&mut seen[usize::from(start)], true) {
                continue;
            }
            region.clear();
            region.push(start);
            let (mut size, mut touched) = (0, [false; 2]);
            while let Some(point) = region.pop() {
                size += 1;
                for next in beside(point) {
                    match self.at(next) {
                        At::Stone(colour) => touched[colour as usize] = true,
                        At::Empty if !std::mem::replace(&mut seen[usize::from(next)], true) => {
                            region.push(next);
                        }
                        _ => {}
                    }
                }
            }
            area += match touched {
                [true, false] => size,
                [false, true] => -size,
                _ => 0,
            };
        }
        area
    }
}
