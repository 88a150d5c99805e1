//! A leaf of a growing tree, as it is handed to whoever values it.

use game::{Footprint, History, Score};

/// A leaf to be valued, and what its search is asked.
#[derive(Debug)]
pub struct Leaf<'p, G, S> {
    /// Open, and counted already.
    pub position: &'p G,
    /// The evaluator's state at the position.
    pub state: &'p S,
    /// The positions before it.
    pub history: &'p History,
    /// The moves that led to it, the last one first.
    pub before: [Footprint; 2],
    pub ply: usize,
    /// Plies before quiescence.
    pub depth: u8,
    /// Beyond it the value is only a bound; side to move.
    pub window: (Score, Score),
}
