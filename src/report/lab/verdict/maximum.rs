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

#[cfg(test)]
mod tests {
    use super::*;
    use lab::maximum::Off;
    use lab::statistics::Figure;

    fn row(plies: u32, errors: [f64; Way::ALL.len()]) -> Row {
        let figure = |value: f64| Figure {
            value,
            interval: None,
        };
        let off = |(way, error)| Off {
            way,
            error: figure(error),
            shift: figure(0.0),
            width: figure(1.0),
        };
        Row {
            number: 2,
            ratio: 1.0,
            plies,
            off: Way::ALL.into_iter().zip(errors).map(off).collect(),
        }
    }

    #[test]
    fn the_best_formula_is_judged_by_its_worst_case() {
        let told = |draws: usize, fitted: f64| {
            let plan = Plan {
                draws,
                ratio: 1.0,
                seed: 1,
                at_a_time: 1,
            };
            let found = Maximum {
                once: vec![
                    row(1, [0.5, 0.2, 0.2, 0.01, 0.0]),
                    row(1, [0.6, 0.1, 0.2, fitted, 0.0]),
                ],
                trees: vec![row(2, [0.9, 0.2, 0.2, 0.02, 0.1])],
            };
            verdict(&plan, &found)
        };
        let well = told(100, 0.03);
        assert!(
            well.sentence()
                .starts_with("Yes: the best formula (fitted) is off by up to 3 %"),
            "{well:?}"
        );
        let badly = told(100, 0.3);
        assert!(
            badly
                .sentence()
                .starts_with("Not well: the best formula (Clark) is off by up to 20 %"),
            "{badly:?}"
        );
        assert!(!told(5, 0.03).is_known());
    }
}
