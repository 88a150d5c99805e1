//! The verdict of the experiment on the differences at both ends of playouts.

use super::{POSITIONS, Verdict};
use lab::playouts::{OfEnd, OfLength};

/// What it asks.
pub const QUESTION: &str = "Does the end of a playout tell how its leaf stood?";

/// Whether the difference at the end grows with that at the leaf, and the leaf's with that at the end.
pub fn verdict(played: usize, by_length: &[OfLength], by_end: &[OfEnd]) -> Verdict {
    if played < POSITIONS {
        return Verdict::open(format!(
            "{played} positions played out, at least {POSITIONS} are needed"
        ));
    }
    let (Some(short), Some(long)) = (by_length.first(), by_length.last()) else {
        return Verdict::open("nothing was played");
    };
    let is_told = |of: &OfLength| of.correlation.interval.is_some_and(|(from, _)| from > 0.0);
    let told = match (is_told(short), is_told(long)) {
        (true, true) => "Yes",
        (true, false) => "Only of short playouts",
        _ => "That is not shown",
    };
    let of = |row: &OfLength| {
        let interval = row
            .correlation
            .interval
            .map_or_else(String::new, |(from, to)| format!(" [{from:.2}, {to:.2}]"));
        format!(
            "{:.2}{interval} after {} plies",
            row.correlation.value, row.length
        )
    };
    let ends = by_end.first().zip(by_end.last()).map_or_else(String::new, |(low, high)| {
        format!(
            "; leaves of the lowest ends have {:+.0} centipawns on average, those of the highest {:+.0}",
            low.leaf.value, high.leaf.value
        )
    });
    Verdict::Known(crate::number::minus(&format!(
        "{told}: the correlation of both is {} and {} (control, no relation: 0){ends} ({played} positions).",
        of(short),
        of(long),
    )))
}
