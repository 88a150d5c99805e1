//! What MCTS explains about a node: the terms of the options in use, how near it is to a proof, and how a playout from
//! it went.

use super::{gumbel, implicit_minimax, playout_rules, softmax, uncertainty, variance_scaled};
use crate::by_formula;
use eval::playout::{Playout, playout_seed};
use search::explanation::{Explanation, Fact, Phrase, Reading, Unit, phrase};
use tree::{Fate, NodeId};

pub(super) fn explain(reading: &Reading, node: NodeId) -> Explanation {
    let view = reading.tree.view(node);
    let open = view.proof_numbers.filter(|(_, n)| n.is_open());
    let to_show = open.map(|(plies, n)| Fact {
        name: "to show",
        value: phrase![format!(
            "{} for, {} against a win within {plies} plies",
            n.proof, n.disproof
        )],
    });
    if by_formula::is_asked_by(reading.options) {
        return by_formula::explain(reading, node);
    }
    let formulas = by_formula::explain(reading, node);
    let played = playout(reading, node).map(|played| sentence(reading, &played, view.visits));
    Explanation {
        facts: [
            implicit_minimax::explain(reading, node),
            variance_scaled::explain(reading, node),
            uncertainty::explain(reading, node),
            to_show,
        ]
        .into_iter()
        .flatten()
        .chain(formulas.facts)
        .collect(),
        blocks: [
            gumbel::explain(reading, node),
            softmax::explain(reading, node),
        ]
        .into_iter()
        .flatten()
        .chain(formulas.blocks)
        .collect(),
        sentences: played.into_iter().collect(),
        ..Explanation::default()
    }
}

/// Plays the first playout from a leaf again, from the search's seed. A node that was expanded for its proof numbers
/// but not visited since is a leaf too. `None` for nodes that were not evaluated by a playout.
fn playout(reading: &Reading, id: NodeId) -> Option<Playout> {
    let rules = playout_rules(reading.options)?;
    let node = reading.tree.node(id);
    let is_leaf = match node.fate() {
        Fate::Frontier => node.visits() > 0,
        Fate::Expanded { searched: 0, .. } => node.visits() == 1,
        _ => false,
    };
    if !is_leaf {
        return None;
    }
    let seed = playout_seed(reading.seed?, id.0, 0);
    reading.situation(id)?.position.playout(rules, seed)
}

/// Says how the playout ended, and how its value came about.
fn sentence(reading: &Reading, played: &Playout, visits: u32) -> Phrase {
    let which = match visits {
        1 => String::from("The playout from here"),
        n => format!("The first of {n} playouts from here"),
    };
    let plies = match played.plies {
        1 => String::from("1 ply"),
        n => format!("{n} plies"),
    };
    let four = Unit::Rounded(4);
    phrase![
        format!("{which} ended after {plies} by {}: outcome ", played.finish),
        (played.outcome, four),
        ", d ",
        (played.difference, Unit::Difference),
        ", P(win | d) ",
        (played.chance, four),
        ", w ",
        (played.weight, four),
        ", so r = ",
        (played.result(), four),
        " and the value ",
        reading.expected(played.expected() as f32),
        ".",
    ]
}
