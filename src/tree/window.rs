//! Windows of depth-first searches, with what was found in them.

use super::Bound;
use game::{Score, Sided};

/// The latest window that a depth-first search gave a node, and the result (side to move).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    pub alpha: Score,
    pub beta: Score,
    /// The plies left to search when the node was entered; 0 or less in quiescence, or [`Window::UNTOLD`].
    pub depth: i8,
    pub value: Score,
    pub bound: Bound,
}

/// Returns a depth, unless another program has told none.
pub fn told_depth(depth: i8) -> Option<i8> {
    (depth != Window::UNTOLD).then_some(depth)
}

impl Window {
    /// The depth where another program has told none.
    pub const UNTOLD: i8 = i8::MIN;

    /// The plies left to search, if they are known.
    pub fn plies_left(self) -> Option<i8> {
        told_depth(self.depth)
    }

    /// Whether the node was entered in quiescence.
    pub fn is_quiescence(self) -> bool {
        self.plies_left().is_some_and(|plies| plies <= 0)
    }
}

impl Sided for Window {
    fn turned(self) -> Window {
        Window {
            alpha: -self.beta,
            beta: -self.alpha,
            value: -self.value,
            bound: self.bound.turned(),
            depth: self.depth,
        }
    }

    /// An end of the window is a question and no mate, so it stays as far away as it was.
    fn one_ply_up(self) -> Window {
        Window {
            value: self.value.one_ply_up(),
            ..self.turned()
        }
    }
}
