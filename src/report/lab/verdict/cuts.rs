//! The verdict of the experiment on probabilistic cuts.

use super::Verdict;
use lab::cuts::{Claims, Cuts};
use lab::statistics::Resamples;

/// What it asks.
pub const QUESTION: &str = "Do probabilistic cuts hold as often as they claim?";

/// Fewer cuts than this decide nothing about shares near 1.
const LEAST: usize = 200;

/// Whether the first column's cuts hold as often as they claim; the last column is the control.
pub fn verdict(found: &Cuts, resamples: &Resamples) -> Verdict {
    let of = |column: usize| found.claims(column, resamples, |_| true);
    let Some(all) = of(0) else {
        return Verdict::open("no cut was audited");
    };
    let (Some((from, to)), true) = (all.held.interval, all.cuts >= LEAST) else {
        return Verdict::open(format!(
            "{} cuts audited, at least {LEAST} are needed, from several positions",
            all.cuts
        ));
    };
    let share = |x: f64| format!("{:.1}", 100.0 * x);
    let told = match &all {
        c if c.is_too_much() => "fewer than they claim",
        c if c.is_too_little() => "more than they claim",
        _ => "as many as they claim",
    };
    let groups = found.by_claim(0, resamples);
    let off = groups.iter().filter(|c| c.is_too_much()).count();
    let control = (found.columns.len() > 1).then(|| of(found.columns.len() - 1));
    let control = control.flatten().map_or_else(String::new, |c: Claims| {
        let name = found.columns.last().map_or("", String::as_str);
        let (held, claimed) = (share(c.held.value), share(c.claimed));
        format!("; control {name}: {held} % hold, {claimed} % claimed")
    });
    Verdict::Known(format!(
        "{} % [{}, {}] of the cuts hold, {told} ({} %); in {off} of {} groups they claim too much{control} ({} cuts).",
        share(all.held.value),
        share(from),
        share(to),
        share(all.claimed),
        groups.len(),
        crate::number::count(all.cuts as u64),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::cuts::Cut;

    /// Cuts that claim 0.95, of which so many of a hundred hold at each of 20 positions, and a control that claims 1.
    fn told(held: usize) -> Verdict {
        let cuts = |claim: f32, held: usize| {
            let cut = move |i| Cut {
                claim,
                depth: 1,
                held: i < held,
            };
            Some((0..100).map(cut).collect())
        };
        let found = Cuts {
            columns: vec!["A".into(), "B".into()],
            searched: vec![vec![cuts(0.95, held), cuts(1.0, 99)]; 20],
        };
        verdict(&found, &Resamples::new(20, 100, 1))
    }

    #[test]
    fn cuts_hold_more_or_less_often_than_they_claim() {
        for (held, told_as) in [(80, "fewer than"), (95, "as many as"), (100, "more than")] {
            let found = told(held);
            assert!(found.is_known());
            let sentence = found.sentence();
            assert!(sentence.contains(told_as), "{sentence}");
            assert!(
                sentence.contains("control B: 99.0 % hold, 100.0 % claimed"),
                "{sentence}"
            );
        }
        let nothing = Cuts {
            columns: vec!["A".into()],
            searched: vec![vec![Some(Vec::new())]],
        };
        assert!(!verdict(&nothing, &Resamples::new(1, 20, 1)).is_known());
    }
}
