//! A constant of PUCT that follows the spread of the values at the node: where they agree, less is explored.
//!
//! Source: Wu, *Other Methods Implemented in KataGo* (project documentation, method of 2021).

use search::explanation::{Fact, Reading, Unit, phrase};
use search::{OptionSpec, Range};
use tree::{Node, NodeId};

pub(super) const OPTION: OptionSpec = OptionSpec {
    key: "variance-scaled-c",
    default: "0",
    range: Range::Number { min: 0.0, max: 1.0 },
    summary: "how far c of PUCT follows the spread of the values at the node, growing slowly with the visits (0: off; KataGo takes 0.85 with exploration=1; not together with implicit-minimax)",
};

/// The spread that is expected of values in [-1, 1] before any was seen.
const USUAL: f64 = 0.4;
/// How many visits that expectation weighs.
const WEIGHT: f64 = 2.0;
/// How c grows: this times the logarithm of the visits in units of [`GROWS_FROM`].
const GROWTH: f64 = 0.45;
const GROWS_FROM: f64 = 500.0;

/// c and what it is made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    /// The spread of the values, with the expectation mixed in.
    pub spread: f64,
    /// What c is multiplied by.
    pub factor: f64,
    pub c: f32,
}

/// The constant of a node. The spread is that of the values that came through it, in the unit of the expected score.
pub(super) fn terms(exploration: f32, share: f32, node: &Node) -> Terms {
    let (visits, mean) = (f64::from(node.visits()), f64::from(node.expected()));
    of(
        exploration.into(),
        share.into(),
        visits,
        mean,
        node.second().into(),
    )
}

fn of(exploration: f64, share: f64, visits: f64, mean: f64, mean_square: f64) -> Terms {
    let spread = spread(visits, mean, mean_square);
    let factor = 1.0 + share * (spread / USUAL - 1.0);
    let grown = exploration + GROWTH * ((visits + GROWS_FROM) / GROWS_FROM).ln();
    Terms {
        spread,
        factor,
        c: (grown * (visits + 0.01).sqrt() * factor) as f32,
    }
}

fn spread(visits: f64, mean: f64, mean_square: f64) -> f64 {
    if visits <= 1.0 {
        return USUAL;
    }
    let square = mean * mean;
    let expected = (square + USUAL * USUAL) * WEIGHT;
    let seen = mean_square.max(square) * visits;
    let variance = (expected + seen) / (WEIGHT + visits - 1.0) - square;
    variance.max(0.0).sqrt()
}

/// Adds the values of visits to the mean of squares that a node keeps. `visits`: with the new ones; `mean`: of the new
/// ones.
pub(super) fn back_up(node: &Node, visits: u32, new: u32, mean: f64) {
    let before = f64::from(node.second());
    let share = f64::from(new) / f64::from(visits.max(1));
    node.set_second((before + (mean * mean - before) * share) as f32);
}

/// What the constant at a node is made of.
pub(super) fn explain(reading: &Reading, id: NodeId) -> Option<Fact> {
    let share = reading.options.number(OPTION.key) as f32;
    let node = reading.tree.node(id);
    if share <= 0.0 || !node.is_expanded() || is_off(reading) {
        return None;
    }
    let exploration = reading.options.number("exploration") as f32;
    let Terms { spread, factor, c } = terms(exploration, share, node);
    Some(Fact {
        name: "exploration",
        value: phrase![
            "values spread by ",
            (spread, Unit::Fraction),
            ": c times ",
            (factor, Unit::Fraction),
            ", so c = ",
            (c, Unit::Fraction),
        ],
    })
}

/// The word of a node has room for one of the two.
fn is_off(reading: &Reading) -> bool {
    reading.options.number(super::implicit_minimax::OPTION.key) > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_constant_is_katagos() {
        for (visits, mean, square, spread, factor, c) in [
            (10.0, 0.1, 0.05, 0.257611, 0.697424, 2.226215),
            (100.0, 0.1, 0.02, 0.114753, 0.393851, 4.261854),
            (100.0, 0.0, 0.49, 0.698797, 1.634943, 17.691699),
            (1.0, 0.3, 0.09, 0.4, 1.0, 1.005891),
        ] {
            let found = of(1.0, 0.85, visits, mean, square);
            assert!((found.spread - spread).abs() < 1e-6, "{visits}: {found:?}");
            assert!((found.factor - factor).abs() < 1e-6, "{visits}: {found:?}");
            assert!((f64::from(found.c) - c).abs() < 1e-5, "{visits}: {found:?}");
        }
    }

    #[test]
    fn the_mean_of_squares_is_kept_visit_by_visit() {
        let node = Node::default();
        let values = [0.5, -0.25, 0.75, 0.0];
        for (i, value) in values.iter().enumerate() {
            back_up(&node, i as u32 + 1, 1, *value);
        }
        let mean = values.iter().map(|v| v * v).sum::<f64>() / 4.0;
        assert!((f64::from(node.second()) - mean).abs() < 1e-6);
    }
}
