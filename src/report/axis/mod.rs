//! Nodes on the value axis: which mark a move has, and which part of the axis is worth showing.

mod line;
mod scale;
#[cfg(test)]
mod tests;

pub use line::{head, line};
pub use scale::{LEADS, Reach, Rules, is_ordinary, rules, span};

use crate::lens::Scores;
use chart::value::{From, Mark};
use game::{Scale, Score};
use session::{NodeBelief, Reader, Source};
use tree::{Bound, Fate, NodeView};

/// A move's mark as the lens shows it, and the end from which its bar grows.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Plotted {
    pub mark: Mark,
    pub from: From,
}

/// Returns the mark of a move. `view` and `belief` are from the view of the side that plays it, as are the numbers that
/// `scores` writes.
pub fn plotted(
    reader: &Reader,
    view: &NodeView,
    belief: Option<&NodeBelief>,
    scores: &Scores,
) -> Plotted {
    let mark = mark(reader, view, belief);
    match scores.is_turned() {
        false => Plotted {
            mark,
            from: From::Low,
        },
        true => Plotted {
            mark: mark.mirrored(),
            from: From::High,
        },
    }
}

/// Returns the mark from the view of the side that plays the move.
fn mark(reader: &Reader, view: &NodeView, belief: Option<&NodeBelief>) -> Mark {
    let scale = reader.scale();
    let at = |score: Score| scale.expected(score);
    // The numbers of a skipped move's fate are from its parent's view, those of others from the node's own.
    let own = |score: Score| at(score.one_ply_up());
    let moved = |score: Score, margin: i16| Score::new(i32::from(score.raw()) + i32::from(margin));
    match view.fate {
        Fate::Futility {
            static_value,
            margin,
            alpha,
            ..
        }
        | Fate::DeltaPruning {
            static_value,
            margin,
            alpha,
        } => {
            return Mark::Margin {
                from: at(static_value),
                to: at(moved(static_value, margin)),
                bound: at(alpha),
            };
        }
        Fate::ReverseFutility {
            static_value,
            margin,
            beta,
            ..
        } => {
            return Mark::Margin {
                from: own(static_value),
                to: own(moved(static_value, -margin)),
                bound: own(beta),
            };
        }
        Fate::Razoring {
            static_value,
            margin,
            value,
            ..
        } => {
            // The alpha of that visit is not kept with the fate; the window has the last one, which is given turned.
            let alpha = view.window.map(|w| at(w.beta));
            return Mark::Margin {
                from: own(static_value),
                to: own(moved(static_value, margin)),
                bound: alpha.unwrap_or(own(value)),
            };
        }
        Fate::NullMove { value, .. }
        | Fate::ProbCut { value, .. }
        | Fate::MultiCut { value, .. } => return Mark::Faint(own(value)),
        fate if fate.is_skip() => return Mark::Nothing,
        _ => {}
    }
    known(reader, view, belief)
}

/// Returns the mark of a move that was looked at.
fn known(reader: &Reader, view: &NodeView, belief: Option<&NodeBelief>) -> Mark {
    let scale = reader.scale();
    let at = |score: Score| scale.expected(score);
    let proof = view.proof;
    if proof.is_exact() {
        return match (scale, proof.lower.is_decided()) {
            // A toy tree's leaf: a value like any other, which is exact.
            (Scale::Linear(_), false) => Mark::Exact(at(proof.lower)),
            _ => Mark::Proof {
                low: at(proof.lower),
                high: at(proof.upper),
            },
        };
    }
    if proof.is_certain() {
        let end = if proof.is_win() { 1.0 } else { -1.0 };
        return Mark::Proof {
            low: end,
            high: end,
        };
    }
    let Some(belief) = belief else {
        // Nothing but what is proven, if anything is.
        let (low, high) = (at(proof.lower), at(proof.upper));
        return match low > -1.0 || high < 1.0 {
            true => Mark::Proof { low, high },
            false => Mark::Nothing,
        };
    };
    match (belief.source, belief.bound) {
        (_, Bound::Lower) => Mark::AtLeast(belief.mean),
        (_, Bound::Upper) => Mark::AtMost(belief.mean),
        (Source::Stored | Source::Calibrated | Source::Outcomes, _) => Mark::Belief {
            density: belief.density,
            mean: belief.mean,
        },
        (Source::Visits, _) => Mark::Mean {
            mean: belief.mean,
            error: belief.sd / (view.visits.max(1) as f32).sqrt(),
        },
        (Source::Interval, _) => match reader.interval(view.id) {
            Some((low, high)) => Mark::Between {
                low: -high,
                high: -low,
            },
            None => Mark::Exact(belief.mean),
        },
        (Source::Point, _) => Mark::Exact(belief.mean),
    }
}
