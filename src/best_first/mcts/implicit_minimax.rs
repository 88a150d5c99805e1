//! Implicit minimax back-ups: beside its mean each node keeps a minimax value of the leaves' evaluations, and the
//! choice of a child goes by a mixture of both.
//!
//! Source: Lanctot, Winands, Pepels and Sturtevant, *Monte Carlo Tree Search with Heuristic Evaluations using Implicit
//! Minimax Backups*, CIG 2014.

use search::explanation::{Fact, Reading, Unit, phrase};
use search::{OptionSpec, Range};
use tree::{Node, NodeId, Tree};

pub(super) const OPTION: OptionSpec = OptionSpec {
    key: "implicit-minimax",
    default: "0",
    range: Range::Number { min: 0.0, max: 1.0 },
    summary: "share of a minimax value of the leaves' evaluations, beside the mean, when a move is chosen (0: off; Lanctot and others 2014, who take 0.4)",
};

/// The mixture by which a child is chosen; both values from the chooser's view.
pub(super) fn mixed(share: f32, mean: f32, minimax: f32) -> f32 {
    (1.0 - share) * mean + share * minimax
}

/// Sets a node's minimax value: of its visited children the best, or before any was visited its own evaluation. What is
/// proven holds for this value as well.
pub(super) fn back_up(tree: &Tree, node: &Node, clamp: impl Fn(f32) -> f32) {
    let children = tree.children_block(node).iter();
    let visited = children.filter(|c| c.visits() > 0 && !c.is_excluded());
    let best = visited.map(|c| -c.second()).reduce(f32::max);
    // A node without visited children has got its own mean from nothing but its evaluation.
    let value = best.unwrap_or(node.expected());
    node.set_second(clamp(value));
}

/// What the mixture at a node is made of, from the view of the side that moved there: that is who chooses by it.
pub(super) fn explain(reading: &Reading, id: NodeId) -> Option<Fact> {
    let share = reading.options.number(OPTION.key) as f32;
    let node = reading.tree.node(id);
    if share <= 0.0 || node.visits() == 0 {
        return None;
    }
    let (mean, minimax) = (node.expected(), node.second());
    Some(Fact {
        name: "choice",
        value: phrase![
            (1.0 - share, Unit::Fraction),
            " · mean ",
            reading.expected(mean),
            " + ",
            (share, Unit::Fraction),
            " · minimax ",
            reading.expected(minimax),
            " = ",
            reading.expected(mixed(share, mean, minimax)),
        ],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mixture_is_the_published_one() {
        assert!((mixed(0.4, 0.55, 0.2) - 0.41).abs() < 1e-6);
        assert_eq!(mixed(0.0, 0.55, 0.2), 0.55);
    }
}
