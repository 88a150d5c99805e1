//! The verdict on a sweep.

use super::{POSITIONS, Verdict};
use crate::number;
use lab::sweep::{Judge, Sweep};

/// Says by what a variant's fewer wrong prunes may have been bought; `None` by other judges, or if it searched as deep with as few
/// nodes: who prunes nothing is never wrong.
fn price(found: &Sweep, variant: usize) -> Option<String> {
    let rows = found.rows();
    let (own, control) = match found.judge {
        Judge::Audit => (rows.get(variant)?, rows.first()?),
        _ => return None,
    };
    // Of so much a difference can be chance.
    let (nodes, depth) = (1.02, 0.05);
    if let (Some(own), Some(control)) = (own.depth, control.depth)
        && own < control - depth
    {
        return Some(format!(
            "but it searches {own:.1} plies deep where what is built in searches {control:.1}, so that it prunes less"
        ));
    }
    let (own, control) = (own.nodes?, control.nodes?);
    (own > nodes * control).then(|| {
        format!(
            "but it takes {:.2} times the nodes of what is built in, so that it prunes less",
            own / control
        )
    })
}

/// What it asks.
pub const QUESTION: &str = "Does any value beat what is built in?";

/// Whether the variant that was chosen on one half of the positions does better on the other than what is built in.
pub fn verdict(found: &Sweep) -> Verdict {
    let units = found.judge.units();
    let Some(chosen) = found.chosen() else {
        return Verdict::open(format!(
            "fewer than two {units} have figures for every variant"
        ));
    };
    let (first, n) = chosen.positions;
    if n < POSITIONS {
        return Verdict::open(format!(
            "{n} {units} are kept back for judging, of at least {POSITIONS}"
        ));
    }
    let told = |x: f64| match found.judge {
        Judge::Solved => format!("solves {:.1} %", 100.0 * x),
        Judge::Points => format!("gains {:.1} % of the points", 100.0 * x),
        Judge::Belief => format!("has a CRPS of {x:.4}"),
        Judge::Loss => format!("loses {x:.4} points a move"),
        Judge::Audit => format!("is wrong in {:.2} % of its audited prunes", 100.0 * x),
        Judge::Match => format!("scores {:.1} %", 100.0 * x),
    };
    let Some(variant) = chosen.variant else {
        return Verdict::Known(format!(
            "No: on {first} {units} nothing beats what is built in, which {} on {n} others.",
            told(chosen.means.1)
        ));
    };
    let write = |x: f64| {
        number::minus(&match found.judge.is_share() {
            true if found.judge == Judge::Audit => format!("{:+.2}", 100.0 * x),
            true => format!("{:+.1}", 100.0 * x),
            false => format!("{x:+.4}"),
        })
    };
    let (low, high) = chosen
        .gain
        .interval
        .unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
    let figures = format!(
        "{}, chosen on {first} {units}, {} on {n} others, what is built in (control) {}: {} [{}, {}]",
        found.names[variant],
        told(chosen.means.0),
        told(chosen.means.1),
        write(chosen.gain.value),
        write(low),
        write(high),
    );
    let sign = found.judge.sign();
    let (worst, best) = if sign > 0.0 {
        (low, high)
    } else {
        (-high, -low)
    };
    if let Some(price) = price(found, variant).filter(|_| worst > 0.0) {
        return Verdict::open(format!("{figures}, {price}"));
    }
    match (worst > 0.0, best < 0.0) {
        (true, _) => Verdict::Known(format!("Yes: {figures}.")),
        (_, true) => Verdict::Known(format!("No: {figures}.")),
        _ => Verdict::open(format!("{figures}; that may be chance")),
    }
}
