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
    let (Some(short), Some(long)) = (told(short), told(long)) else {
        return Verdict::open("all positions or all ends have the same material");
    };
    let answer = match (short.is_there, long.is_there) {
        (true, true) => "Yes",
        (true, false) => "Only of short playouts",
        _ => "That is not shown",
    };
    let ends = by_end.first().zip(by_end.last()).map_or_else(String::new, |(low, high)| {
        format!(
            "; leaves of the lowest ends have {:+.0} centipawns on average, those of the highest {:+.0}",
            low.leaf.value, high.leaf.value
        )
    });
    Verdict::Known(crate::number::minus(&format!(
        "{answer}: the correlation of both is {} and {} (control, no relation: 0){ends} ({played} positions).",
        short.sentence, long.sentence,
    )))
}

/// What is said of one length.
struct Told {
    /// Whether both ends correlate.
    is_there: bool,
    sentence: String,
}

fn told(of: &OfLength) -> Option<Told> {
    let correlation = of.correlation?;
    let interval = correlation
        .interval
        .map_or_else(String::new, |(from, to)| format!(" [{from:.2}, {to:.2}]"));
    Some(Told {
        is_there: correlation.interval.is_some_and(|(from, _)| from > 0.0),
        sentence: format!(
            "{:.2}{interval} after {} plies",
            correlation.value, of.length
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::statistics::Figure;

    fn of(length: u16, correlation: f64) -> OfLength {
        let figure = |value: f64| Figure {
            value,
            interval: Some((value - 0.1, value + 0.1)),
        };
        OfLength {
            length,
            playouts: 100,
            slope: Some(figure(0.5)),
            correlation: Some(figure(correlation)),
            change: figure(300.0),
            kept: None,
        }
    }

    #[test]
    fn the_end_tells_the_leaf_where_both_correlate() {
        let told = |short: f64, long: f64| verdict(100, &[of(4, short), of(64, long)], &[]);
        for (short, long, begins) in [
            (0.5, 0.2, "Yes:"),
            (0.5, 0.05, "Only of short playouts:"),
            (0.05, 0.0, "That is not shown:"),
        ] {
            let found = told(short, long);
            assert!(found.sentence().starts_with(begins), "{found:?}");
        }
        assert!(!verdict(3, &[of(4, 0.5)], &[]).is_known());
        let same = OfLength {
            correlation: None,
            ..of(4, 0.5)
        };
        assert!(!verdict(100, &[same], &[]).is_known());
    }
}
