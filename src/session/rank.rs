//! The order of preference of a node's moves: one for everything that lists them.

use game::MoveCode;
use search::Ranking;
use tree::{Bound, NodeView};

/// A sort key of a move; greater is better. Proven wins come first (shorter first) and proven losses last (longer first).
/// Of the other moves those with a value of their own come first, by that value, then those of which only a bound is
/// known, by what it leaves open: a move that is worth at least something may be worth anything more, and one that is worth
/// at most something no more than that. A search that plays by visits (MCTS) orders by them.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(super) struct Rank {
    is_best: bool,
    /// Passing is not a move, so it comes after all moves that can be played.
    is_move: bool,
    proven: i16,
    known: Known,
    first: f32,
    second: f32,
    recorded: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
enum Known {
    Nothing,
    AtMost,
    AtLeast,
    Value,
}

impl Rank {
    /// Returns the key of a move with these figures, from the view of the side that plays it; `best` is the one that would
    /// be played, if that comes first whatever it is worth.
    pub fn of(view: &NodeView, best: Option<MoveCode>, ranking: Ranking) -> Rank {
        let proven = if view.proof.is_win() {
            view.proof.lower.raw()
        } else if view.proof.is_loss() {
            view.proof.upper.raw()
        } else {
            0
        };
        let known = match (view.expected, view.window.map(|w| w.bound)) {
            (None, _) => Known::Nothing,
            (Some(_), _) if view.proof.is_exact() => Known::Value,
            (Some(_), Some(Bound::Upper)) => Known::AtMost,
            (Some(_), Some(Bound::Lower)) => Known::AtLeast,
            (Some(_), _) => Known::Value,
        };
        let expected = view.expected.unwrap_or(-1.0);
        let (first, second) = match ranking {
            Ranking::Visits => (view.visits as f32, expected),
            Ranking::Value => (expected, view.policy.unwrap_or(0.0)),
        };
        Rank {
            is_best: best == Some(view.move_code),
            is_move: view.move_code.is_move(),
            proven,
            known,
            first,
            second,
            recorded: !view.id.is_none(),
        }
    }
}
