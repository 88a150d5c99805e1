//! The verdict of the experiment on moves that have little policy.

use super::{POSITIONS, Verdict};
use crate::number;
use lab::focus::Row;

/// What it asks.
pub const QUESTION: &str = "What is lost by leaving out moves of little policy?";

/// A loss that no game would show, in points of the game.
const SMALL: f64 = 0.005;

/// The highest threshold whose loss is certainly small, with the controls at as many moves.
pub fn verdict(measured: usize, rows: &[Row]) -> Verdict {
    if measured < POSITIONS {
        return Verdict::open(format!(
            "{measured} positions measured, at least {POSITIONS} are needed"
        ));
    }
    let is_small = |row: &&Row| row.loss[0].interval.is_some_and(|(_, to)| to < SMALL);
    let safe = rows.iter().take_while(|row| is_small(row)).last();
    let Some(row) = safe.or(rows.first()) else {
        return Verdict::open("nothing was measured");
    };
    let told = match safe {
        Some(_) => "Next to nothing",
        None => "More than a search can spare",
    };
    let hundredths = |x: f64| number::rounded(100.0 * x, 2);
    let interval = row.loss[0].interval.map_or_else(String::new, |(from, to)| {
        format!(" [{}, {}]", hundredths(from), hundredths(to))
    });
    Verdict::Known(format!(
        "{told}, up to {:.1} % of the policy: {:.1} moves are kept, {:.1} % of the policy is ignored, and {}{interval} hundredths \
         of a point are lost; controls with as many moves: {} by the network's policy, {} by chance ({measured} positions).",
        100.0 * row.threshold,
        row.kept.value,
        100.0 * row.ignored.value,
        hundredths(row.loss[0].value),
        hundredths(row.loss[1].value),
        hundredths(row.loss[2].value),
    ))
}
