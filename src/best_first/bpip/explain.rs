//! What BPIP says about its nodes.

use super::relevance::{Measure, Standing};
use super::{counts, known_children, measure, view};
use game::Game;
use search::explanation::{
    Block, Column, Explanation, Fact, NamedNumbers, Reading, Row, Tone, Unit, phrase,
};
use tree::{NodeId, Tree};

/// The root's moves as they are now.
fn standing(reading: &Reading) -> Option<Standing> {
    let position = &reading.subject.position;
    let view = view(
        reading.options,
        reading.tree.scale(),
        position.static_values().len(),
    );
    Standing::of(reading.tree, &view)
}

/// The relevance of a leaf, or of all leaves below a node, when a gulp was last chosen; at the root what is left to gain.
pub(super) fn figure(reading: &Reading, id: NodeId, name: &str) -> Option<f64> {
    let tree = reading.tree;
    if id != Tree::ROOT && !counts(tree.node(id)) {
        return None;
    }
    match name {
        "relevance" => Some(relevance(tree, id)),
        "to_gain" if id == Tree::ROOT => standing(reading).map(|s| s.to_gain()),
        _ => None,
    }
}

/// Below a node without relevance nothing has any.
fn relevance(tree: &Tree, id: NodeId) -> f64 {
    let mut above = std::iter::successors(Some(id), |&at| {
        (at != Tree::ROOT).then(|| tree.node(at).parent())
    });
    match above.any(|at| tree.node(at).pair().1 == 0.0) {
        true => 0.0,
        false => tree.node(id).pair().1.into(),
    }
}

pub(super) fn kept(reading: &Reading, id: NodeId) -> Option<NamedNumbers> {
    let relevance = figure(reading, id, "relevance")?;
    let mut found = vec![("relevance", relevance)];
    if let Some(to_gain) = figure(reading, id, "to_gain") {
        found.push(("to_gain", to_gain));
    }
    Some(found)
}

pub(super) fn explain(reading: &Reading, id: NodeId) -> Explanation {
    let mut found = Explanation::default();
    let tree = reading.tree;
    let node = tree.node(id);
    let Some(relevance) = figure(reading, id, "relevance") else {
        return found;
    };
    if id == Tree::ROOT {
        if let Some(standing) = standing(reading) {
            at_root(reading, &standing, &mut found);
        }
    } else {
        found.facts.push(Fact {
            name: "relevance",
            value: phrase![(relevance, Unit::Gain)],
        });
    }
    let is_leaf = node.first_child().is_none();
    if is_leaf && id != Tree::ROOT {
        found.sentences.push(match (relevance > 0.0, measure(reading.options)) {
            (true, Measure::Change) => phrase![
                "To know this leaf's value would change what is left to gain by ",
                (relevance, Unit::Gain),
                ", on average over its point masses, as of the last gulp."
            ],
            (true, Measure::Gain) => phrase![
                "To know this leaf's value, and nothing else, would gain ",
                (relevance, Unit::Gain),
                ", as of the last gulp."
            ],
            (false, _) => phrase![
                "Whatever this leaf is worth had no effect on the choice at the root, as of the last gulp."
            ],
        });
    } else if !is_leaf {
        found.blocks.push(moves(reading, id));
    }
    found
}

/// What is left to gain.
fn at_root(reading: &Reading, standing: &Standing, found: &mut Explanation) {
    let to_gain = standing.to_gain();
    found.facts.push(Fact {
        name: "to gain",
        value: phrase![(to_gain, Unit::Gain)],
    });
    let best = standing.means.iter().zip(&standing.moves);
    let best = best.reduce(|a, b| if b.0 > a.0 { b } else { a });
    let Some((_, &best)) = best else {
        return;
    };
    found.sentences.push(phrase![
        "Choosing now, ",
        best,
        " is worth ",
        reading.expected(standing.now() as f32),
        ". Choosing when everything about the leaves is known would be worth ",
        reading.expected(standing.informed as f32),
        ": ",
        (to_gain, Unit::Gain),
        " can be gained by searching."
    ]);
}

/// The children with their means, spreads and relevances.
fn moves(reading: &Reading, id: NodeId) -> Block {
    let tree = reading.tree;
    let column = |name, width, dispensable| Column {
        name,
        width,
        dispensable,
    };
    let mut all: Vec<NodeId> = known_children(tree, id).collect();
    all.sort_by(|&a, &b| tree.node(a).expected().total_cmp(&tree.node(b).expected()));
    let total: f64 = all.iter().map(|&c| relevance(tree, c)).sum();
    let row = |(place, &child): (usize, &NodeId)| {
        let node = tree.node(child);
        let tone = match place {
            0 => Tone::Chosen,
            _ => Tone::Plain,
        };
        let sd = tree.belief_slot(node.belief()).read().sd(tree.grid());
        let relevance = relevance(tree, child);
        let share = if total > 0.0 { relevance / total } else { 0.0 };
        Row {
            child,
            cells: vec![
                (tone, phrase![reading.expected(-node.expected())]),
                (Tone::Belief, phrase![(sd, Unit::Spread)]),
                (Tone::Plain, phrase![(relevance, Unit::Gain)]),
                (Tone::Quiet, phrase![(share, Unit::Share)]),
            ],
        }
    };
    Block {
        title: if id == Tree::ROOT {
            "relevance of the moves"
        } else {
            "relevance of the replies"
        },
        columns: vec![
            column("mean", 7, 0),
            column("±", 6, 2),
            column("relevance", 10, 0),
            column("share", 6, 1),
        ],
        rows: all.iter().enumerate().map(row).collect(),
        ..Block::default()
    }
}
