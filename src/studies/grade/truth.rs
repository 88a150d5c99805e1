//! The value of a position, where the rules of the game tell it: the right answer.

use game::{Game, MoveCode, Sided};
use search::AnyPosition;

use super::judge::{Leaves, Worth, over};

/// Finds values by a search of its own, as long as it takes no more than some nodes.
pub struct Truth {
    depth: Option<u32>,
    leaves: Leaves,
    left: u64,
}

/// The most positions that are looked at.
const NODES: u64 = 3_000_000;

/// A bound beyond every worth.
const BEYOND: f64 = f64::INFINITY;

impl Truth {
    /// Of searches to this depth, to the end of the game if there is none.
    pub fn new(depth: Option<u32>, leaves: Leaves) -> Truth {
        Truth {
            depth,
            leaves,
            left: NODES,
        }
    }

    /// Returns the value of the root for its side to move; `None` if it depends on an evaluation, or takes too long.
    pub fn of(&mut self, root: &AnyPosition) -> Option<Worth> {
        self.value(root, 0, -BEYOND, BEYOND)
    }

    /// Returns the same of a move of the root, for the side that plays it.
    pub fn after(&mut self, root: &AnyPosition, code: MoveCode) -> Option<Worth> {
        let next = root.after(code)?;
        Some(self.value(&next, 1, -BEYOND, BEYOND)?.turned())
    }

    fn value(&mut self, at: &AnyPosition, ply: u32, least: f64, most: f64) -> Option<Worth> {
        self.left = self.left.checked_sub(1)?;
        if let Some(worth) = over(at) {
            return Some(worth);
        }
        if self.depth.is_some_and(|depth| ply >= depth) {
            return self.leaves.of(at);
        }
        let (mut best, mut least) = (None::<Worth>, least);
        for code in at.legal_moves() {
            let next = at.after(code)?;
            let worth = self
                .value(&next, ply + 1, most.turned(), least.turned())?
                .turned();
            if best.is_none_or(|best| worth.key() > best.key()) {
                best = Some(worth);
            }
            least = least.max(worth.key());
            if least >= most {
                break;
            }
        }
        best
    }
}
