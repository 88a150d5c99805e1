//! The verdict of the experiment on hidden refutations.

use super::{FEW, Verdict, percent, within};
use lab::refutation::{ColumnFigures, Refutations};
use lab::statistics::Resamples;

/// What it asks.
pub const QUESTION: &str = "Does a search give up the best-looking move when a reply refutes it?";

/// Which columns give up a move that a hidden reply refutes.
pub fn verdict(found: &Refutations, resamples: &Resamples) -> Verdict {
    let n = found.searched();
    if n < 2 * FEW {
        return Verdict::open(format!(
            "every column has searched {n} trees, of at least {}",
            2 * FEW
        ));
    }
    let figures = (0..found.columns.len()).filter_map(|i| Some((i, found.figures(i, resamples)?)));
    let mut figures: Vec<(usize, ColumnFigures)> = figures.collect();
    figures.sort_by(|a, b| b.1.recovered.value.total_cmp(&a.1.recovered.value));
    let told = |(i, f): &(usize, ColumnFigures)| {
        let interval = f
            .recovered
            .interval
            .map_or_else(String::new, |i| format!(" {}", within(i)));
        format!(
            "{} gives it up in {}{interval} of {n} trees",
            found.columns[*i],
            percent(f.recovered.value)
        )
    };
    let control = |(_, f): &(usize, ColumnFigures)| {
        format!(
            "where nothing refutes it (control) it leaves it in {}",
            percent(f.strayed.value)
        )
    };
    match figures.as_slice() {
        [] => Verdict::open("there are no figures"),
        [only] => Verdict::Known(format!("{}; {}.", told(only), control(only))),
        [best, .., worst] => {
            let apart = found.recovered_against(best.0, worst.0, resamples);
            let certain = apart
                .and_then(|a| a.interval)
                .is_some_and(|(low, _)| low > 0.0);
            let both = format!("{}, {}", told(best), told(worst));
            match certain {
                true => Verdict::Known(format!("{both}; {}.", control(best))),
                false => Verdict::open(format!("{both}; that may be chance")),
            }
        }
    }
}
