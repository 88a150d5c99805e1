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

#[cfg(test)]
mod tests {
    use super::*;
    use lab::statistics::Figure;

    fn row(threshold: f32, loss: f64) -> Row {
        let figure = |value: f64| Figure {
            value,
            interval: Some((value - 0.001, value + 0.001)),
        };
        Row {
            threshold,
            kept: figure(5.0),
            ignored: figure(0.1),
            left_out: [figure(0.1); 3],
            loss: [figure(loss), figure(0.02), figure(0.1)],
            gain: figure(0.02 - loss),
        }
    }

    #[test]
    fn the_highest_harmless_threshold_is_named() {
        let rows = [row(0.001, 0.0), row(0.01, 0.002), row(0.1, 0.03)];
        let found = verdict(100, &rows);
        assert!(
            found.sentence().starts_with("Next to nothing, up to 1.0 %"),
            "{found:?}"
        );
        assert!(
            found.sentence().contains("0.20 [0.10, 0.30] hundredths"),
            "{found:?}"
        );
        let found = verdict(100, &rows[2..]);
        assert!(found.sentence().starts_with("More than"), "{found:?}");
        assert!(!verdict(3, &rows).is_known());
    }
}
