//! Correction history: by how much the static value is off in positions with the same pawns, as the searches below such
//! positions found.

use crate::game::{Game, Score, Side};

const ENTRIES: usize = 1 << 14;
/// Corrections are stored in this fraction of a centipawn.
const GRAIN: i32 = 64;
/// A correction stays within ± this many centipawns.
const LIMIT: i32 = 64;

/// A running mean of (searched value − static value), by side to move and pawns.
#[derive(Debug)]
pub struct Corrections {
    /// Empty if corrections are off.
    means: Box<[[i16; ENTRIES]]>,
}

impl Corrections {
    pub fn new(enabled: bool) -> Self {
        let sides = if enabled { 2 } else { 0 };
        Corrections {
            means: vec![[0; ENTRIES]; sides].into(),
        }
    }

    /// Forgets all corrections.
    pub fn forget(&mut self) {
        self.means.iter_mut().for_each(|means| means.fill(0));
    }

    fn place(key: u64) -> usize {
        // The key is a product, so its upper bits are the well-mixed ones.
        (key >> 50) as usize % ENTRIES
    }

    /// The corrected static value.
    #[inline]
    pub fn apply<G: Game>(&self, position: &G, value: Score) -> Score {
        match self.means.get(position.turn() as usize) {
            Some(means) => {
                let mean = i32::from(means[Self::place(position.pawn_key())]);
                Score::new(i32::from(value.raw()) + mean / GRAIN)
            }
            None => value,
        }
    }

    /// Learns that a search of `depth` plies found `value` where the static value was `before`.
    #[inline]
    pub fn learn<G: Game>(&mut self, position: &G, before: Score, value: Score, depth: i32) {
        let side: Side = position.turn();
        let Some(means) = self.means.get_mut(side as usize) else {
            return;
        };
        let mean = &mut means[Self::place(position.pawn_key())];
        let limit = LIMIT * GRAIN;
        let off = (i32::from(value.raw()) - i32::from(before.raw())) * GRAIN;
        let weight = (depth + 1).min(16);
        let next =
            (i32::from(*mean) * (256 - weight) + off.clamp(-4 * limit, 4 * limit) * weight) / 256;
        *mean = next.clamp(-limit, limit) as i16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{ChessKnowledge as _, ChessPosition};

    #[test]
    fn what_is_found_again_and_again_is_learnt_within_the_limit() {
        let start = ChessPosition::default();
        let mut corrections = Corrections::new(true);
        let zero = Score::new(0);
        assert_eq!(corrections.apply(&start, zero), zero);
        for _ in 0..2_000 {
            corrections.learn(&start, zero, Score::new(30), 8);
        }
        let learnt = corrections.apply(&start, zero).raw();
        assert!((25..=30).contains(&learnt), "{learnt}");
        for _ in 0..2_000 {
            corrections.learn(&start, zero, Score::new(900), 8);
        }
        assert_eq!(corrections.apply(&start, zero).raw(), LIMIT as i16);
        let black = start.pass().expect("nobody is in check");
        assert_eq!(corrections.apply(&black, zero), zero);
    }

    #[test]
    fn switched_off_it_changes_nothing() {
        let start = ChessPosition::default();
        let mut corrections = Corrections::new(false);
        corrections.learn(&start, Score::new(0), Score::new(300), 8);
        assert_eq!(corrections.apply(&start, Score::new(7)), Score::new(7));
    }
}
