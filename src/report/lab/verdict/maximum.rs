//! The verdict of the experiment on the largest of several values.

use super::Verdict;
use lab::maximum::{Maximum, Plan, Row, Way};

/// What it asks.
pub const QUESTION: &str = "Can three numbers of each move tell those of the best?";

/// Fewer draws than this decide nothing.
const LEAST: usize = 30;

/// An error that a search would not notice, by the exact width.
const ACCEPTABLE: f64 = 0.05;

/// The worst case of each formula, after one maximum and after several; the control takes the points of the best alone.
pub fn verdict(plan: &Plan, found: &Maximum) -> Verdict {
    if plan.draws < LEAST {
        return Verdict::open(format!("{} draws, at least {LEAST} are needed", plan.draws));
    }
    let worst = |rows: &[Row], way: Way| {
        let errors = rows.iter().filter_map(|row| Some(row.of(way)?.error.value));
        errors.reduce(f64::max)
    };
    let best = |rows: &[Row]| {
        let known = Way::CLOSED
            .into_iter()
            .filter_map(|way| Some((way, worst(rows, way)?)));
        known.min_by(|a, b| a.1.total_cmp(&b.1))
    };
    let (Some((once, error)), Some((deep, after))) = (best(&found.once), best(&found.trees)) else {
        return Verdict::open("nothing was drawn");
    };
    let of = |rows: &[Row], way: Way| 100.0 * worst(rows, way).unwrap_or(f64::NAN);
    let told = match error.max(after) <= ACCEPTABLE {
        true => "Yes",
        false => "Not well",
    };
    Verdict::Known(format!(
        "{told}: the best formula ({}) is off by up to {:.0} % of the spread for one maximum, and after several plies ({}) by up to \
         {:.0} %; control, the best move's alone: {:.0} and {:.0} %; the product itself read at three points: {:.0} % after several.",
        once.name(),
        100.0 * error,
        deep.name(),
        100.0 * after,
        of(&found.once, Way::Best),
        of(&found.trees, Way::Best),
        of(&found.trees, Way::Product),
    ))
}
