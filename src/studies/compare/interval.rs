//! What a column knows about a value: an interval, since a bound is not a value.

use super::merge::MergedCell;
use session::NodeValue;
use tree::{Bound, NodeView};

/// The expected scores that a column considers possible: a single one if it has a value or a proof, otherwise all
/// scores on one side of its bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Interval {
    pub low: f32,
    pub high: f32,
}

impl Interval {
    /// Returns the interval, or `None` if nothing is known about the move.
    pub fn of(cell: &MergedCell) -> Option<Interval> {
        Interval::of_value(&cell.view, &cell.verdict)
    }

    /// Returns the interval of a node's value, from the view of its figures.
    pub fn of_value(view: &NodeView, verdict: &NodeValue) -> Option<Interval> {
        let proof = view.proof;
        if proof.is_win() || proof.is_loss() {
            let e = if proof.is_win() { 1.0 } else { -1.0 };
            return Some(Interval { low: e, high: e });
        }
        let e = verdict.expected?;
        Some(match verdict.bound {
            Some(Bound::Upper) => Interval { low: -1.0, high: e },
            Some(Bound::Lower) => Interval { low: e, high: 1.0 },
            _ => Interval { low: e, high: e },
        })
    }
}
