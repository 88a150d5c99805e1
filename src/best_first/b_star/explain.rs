//! What B* says about its nodes.

use super::strategy::{Rule, Standing, expansions, hope};
use super::{Interval, counts};
use search::explanation::{
    Block, Column, Explanation, Fact, NamedNumbers, Reading, Row, Tone, Unit, Viewpoint, phrase,
};
use tree::{NodeId, Tree};

/// The node's interval from the reading's viewpoint; `None` before the node was evaluated.
fn interval(reading: &Reading, id: NodeId) -> Option<Interval> {
    let node = reading.tree.node(id);
    counts(node).then(|| match reading.viewpoint {
        Viewpoint::Own => Interval::of(node),
        Viewpoint::Mover => Interval::of_mover(node),
    })
}

pub(super) fn kept(reading: &Reading, id: NodeId) -> Option<NamedNumbers> {
    let seen = interval(reading, id)?;
    Some(vec![
        ("pessimistic", seen.lower.into()),
        ("optimistic", seen.upper.into()),
    ])
}

/// The ends of the node's interval, from the view of its side to move.
pub(super) fn figure(reading: &Reading, id: NodeId, name: &str) -> Option<f64> {
    let node = reading.tree.node(id);
    let own = counts(node).then(|| Interval::of(node))?;
    match name {
        "pessimistic" => Some(own.lower.into()),
        "optimistic" => Some(own.upper.into()),
        _ => None,
    }
}

pub(super) fn explain(reading: &Reading, id: NodeId) -> Explanation {
    let mut found = Explanation::default();
    let tree = reading.tree;
    let node = tree.node(id);
    if !counts(node) {
        return found;
    }
    let own = Interval::of(node);
    let (low, high) = match reading.viewpoint {
        Viewpoint::Own => (own.lower, own.upper),
        Viewpoint::Mover => (own.upper, own.lower),
    };
    found.facts.push(Fact {
        name: "interval",
        value: phrase![reading.expected(low), " to ", reading.expected(high)],
    });
    if node.first_child().is_none() {
        return found;
    }
    let Some(standing) = Standing::of(tree, node) else {
        return found;
    };
    if id == Tree::ROOT {
        at_root(reading, &standing, &mut found);
    }
    found.blocks.push(moves(reading, id, &standing));
    found
}

/// The separation, and what the next descent is for.
fn at_root(reading: &Reading, standing: &Standing, found: &mut Explanation) {
    let tree = reading.tree;
    let Some((gap, &second)) = standing.gap().zip(standing.others.first()) else {
        found.sentences.push(phrase!["There is no other move."]);
        return;
    };
    let (sure, hope) = (standing.sure, hope(tree, second).0);
    found.facts.push(Fact {
        name: "gap",
        value: match gap >= 0.0 {
            true => phrase!["separated by ", (gap, Unit::Fraction)],
            false => phrase![(-gap, Unit::Fraction), " short of a separation"],
        },
    });
    found.sentences.push(phrase![
        standing.best,
        reading.sided(" is worth {at least|at most} "),
        reading.expected(sure),
        ", ",
        second,
        reading.sided(" {at most|at least} "),
        reading.expected(hope),
        match gap >= 0.0 {
            true => ": no other move can be better, as far as the intervals are true.",
            false => ": it is not proven best yet.",
        },
    ]);
    if let Some(aim) = standing.aim(tree, Rule::of(reading.options)) {
        let mut next = phrase!["Next: ", aim.node, ", "];
        for part in aim.phrase(reading.viewpoint) {
            next.push(match part {
                search::explanation::Part::Number(e, Unit::Expected) => reading.expected(e as f32),
                other => other,
            });
        }
        found.sentences.push(next);
    }
}

/// The children with their intervals, as the side that chooses among them sees them.
fn moves(reading: &Reading, id: NodeId, standing: &Standing) -> Block {
    let tree = reading.tree;
    let column = |name, width, dispensable| Column {
        name,
        width,
        dispensable,
    };
    let row = |&child: &NodeId| {
        let (optimistic, pessimistic) = hope(tree, child);
        let tone = if child == standing.best {
            Tone::Chosen
        } else {
            Tone::Plain
        };
        Row {
            child,
            cells: vec![
                (tone, phrase![reading.expected(pessimistic)]),
                (tone, phrase![reading.expected(optimistic)]),
                (Tone::Quiet, phrase![(expansions(tree, child), Unit::Count)]),
            ],
        }
    };
    Block {
        title: if id == Tree::ROOT {
            "intervals of the moves"
        } else {
            "intervals of the replies"
        },
        columns: vec![
            column("at worst", 9, 0),
            column("at best", 9, 0),
            column("expansions", 11, 1),
        ],
        rows: std::iter::once(&standing.best)
            .chain(&standing.others)
            .map(row)
            .collect(),
        ..Block::default()
    }
}
