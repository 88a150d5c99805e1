//! What probability-based B* says about its nodes.

use super::phase::{Move, Phase};
use super::{Settings, counts};
use search::explanation::{
    Block, Column, Explanation, Fact, NamedNumbers, Reading, Row, Tone, Unit, Viewpoint, phrase,
};
use tree::{NodeId, Tree};

/// The standing, with a root's move in it.
fn of_move(reading: &Reading, id: NodeId) -> Option<(Phase, Move)> {
    let tree = reading.tree;
    if tree.node(id).parent() != Tree::ROOT || !counts(tree.node(id)) {
        return None;
    }
    let phase = Phase::of(tree, Settings::of(reading.options))?;
    let mut all = std::iter::once(&phase.best).chain(&phase.others);
    let found = *all.find(|m| m.child == id)?;
    Some((phase, found))
}

/// Of a move of the root: what it is worth at best (from the view of the side to move after it), and its chance to reach
/// the target.
pub(super) fn figure(reading: &Reading, id: NodeId, name: &str) -> Option<f64> {
    let (phase, found) = of_move(reading, id)?;
    match name {
        "optimistic" => Some(f64::from(-found.optimistic)),
        "chance-to-reach" => Some(phase.chance(reading.tree, &found).into()),
        _ => None,
    }
}

pub(super) fn kept(reading: &Reading, id: NodeId) -> Option<NamedNumbers> {
    let (phase, found) = of_move(reading, id)?;
    let optimistic = match reading.viewpoint {
        Viewpoint::Own => -found.optimistic,
        Viewpoint::Mover => found.optimistic,
    };
    let chance = phase.chance(reading.tree, &found);
    Some(vec![
        ("optimistic", optimistic.into()),
        ("chance_to_reach", chance.into()),
    ])
}

pub(super) fn explain(reading: &Reading, id: NodeId) -> Explanation {
    let mut found = Explanation::default();
    let tree = reading.tree;
    if id != Tree::ROOT {
        return found;
    }
    let Some(phase) = Phase::of(tree, Settings::of(reading.options)) else {
        return found;
    };
    found.facts.push(Fact {
        name: "target",
        value: phrase![reading.expected(phase.target)],
    });
    let risk = phase.risk(tree);
    found.facts.push(Fact {
        name: "risk",
        value: phrase![(risk, Unit::Probability)],
    });
    found.sentences.push(match phase.selects(tree) {
        true => phrase![
            "SELECT: another move may be better than ",
            phase.best.child,
            ". The target lies half-way between its value and the best of the others at best."
        ],
        false => phrase![
            "VERIFY: no other move is suspected any more. ",
            phase.best.child,
            reading.sided(" may {fall|rise} to the second best, "),
            reading.expected(phase.fallback()),
            ", with a chance of ",
            (risk, Unit::Probability),
            "."
        ],
    });
    found.blocks.push(moves(reading, &phase));
    found
}

/// The root's moves with their values and chances.
fn moves(reading: &Reading, phase: &Phase) -> Block {
    let tree = reading.tree;
    let column = |name, width, dispensable| Column {
        name,
        width,
        dispensable,
    };
    let mut all: Vec<&Move> = std::iter::once(&phase.best).chain(&phase.others).collect();
    all[1..].sort_by(|a, b| b.real.total_cmp(&a.real));
    let row = |m: &&Move| {
        let tone = match m.child == phase.best.child {
            true => Tone::Chosen,
            false => Tone::Plain,
        };
        Row {
            child: m.child,
            cells: vec![
                (tone, phrase![reading.expected(m.real)]),
                (Tone::Belief, phrase![reading.expected(m.optimistic)]),
                (tone, phrase![(phase.chance(tree, m), Unit::Probability)]),
            ],
        }
    };
    Block {
        title: "the chances of the moves",
        columns: vec![
            column("value", 9, 0),
            column("at best", 9, 1),
            column("reaches it", 11, 0),
        ],
        rows: all.iter().map(row).collect(),
        ..Block::default()
    }
}
