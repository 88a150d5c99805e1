//! Correction history: by how much the static value is off in positions with the same pawns, as the searches below such
//! positions found.

use std::sync::Arc;
use std::sync::atomic::{AtomicI16, Ordering::Relaxed};

use bytemuck::allocation::zeroed_arc_slice;

use game::{Game, Score};

const ENTRIES: usize = 1 << 14;
/// Corrections are stored in this fraction of a centipawn.
const GRAIN: i32 = 64;
/// A correction stays within ± this many centipawns.
const LIMIT: i32 = 64;

/// A running mean of (searched value − static value), by side to move and pawns. Clones are views of the same means.
#[derive(Clone, Debug)]
pub struct Corrections {
    /// White's entries, then Black's; empty if corrections are off.
    means: Arc<[AtomicI16]>,
}

impl Corrections {
    pub fn new(enabled: bool) -> Self {
        let entries = if enabled { 2 * ENTRIES } else { 0 };
        Corrections {
            means: zeroed_arc_slice(entries),
        }
    }

    /// The corrections of others, to learn together with them; nothing if corrections are off.
    #[must_use]
    pub fn sharing(self, others: &Corrections) -> Self {
        if self.means.is_empty() {
            self
        } else {
            others.clone()
        }
    }

    /// Forgets all corrections; those that others see as well are replaced by new ones.
    pub fn forget(&mut self) {
        match Arc::get_mut(&mut self.means) {
            Some(means) => means.iter_mut().for_each(|mean| *mean.get_mut() = 0),
            None => *self = Corrections::new(!self.means.is_empty()),
        }
    }

    /// The entry of a position; `None` if corrections are off.
    #[inline]
    fn entry<G: Game>(&self, position: &G) -> Option<&AtomicI16> {
        // The key is a product, so its upper bits are the well-mixed ones.
        let pawns = (position.pawn_key() >> 50) as usize % ENTRIES;
        self.means.get(position.turn() as usize * ENTRIES + pawns)
    }

    /// The corrected static value.
    #[inline]
    pub fn apply<G: Game>(&self, position: &G, value: Score) -> Score {
        match self.entry(position) {
            Some(mean) => {
                let mean = i32::from(mean.load(Relaxed));
                Score::new(i32::from(value.raw()) + mean / GRAIN)
            }
            None => value,
        }
    }

    /// Learns that a search of `depth` plies found `value` where the static value was `before`.
    #[inline]
    pub fn learn<G: Game>(&self, position: &G, before: Score, value: Score, depth: i32) {
        let Some(mean) = self.entry(position) else {
            return;
        };
        let limit = LIMIT * GRAIN;
        let off = (i32::from(value.raw()) - i32::from(before.raw())) * GRAIN;
        let weight = (depth + 1).min(16);
        let old = i32::from(mean.load(Relaxed));
        let next = (old * (256 - weight) + off.clamp(-4 * limit, 4 * limit) * weight) / 256;
        mean.store(next.clamp(-limit, limit) as i16, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{ChessKnowledge as _, ChessPosition};

    #[test]
    fn what_is_found_again_and_again_is_learnt_within_the_limit() {
        let start = ChessPosition::default();
        let corrections = Corrections::new(true);
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
        let corrections = Corrections::new(false);
        corrections.learn(&start, Score::new(0), Score::new(300), 8);
        assert_eq!(corrections.apply(&start, Score::new(7)), Score::new(7));
    }
}
