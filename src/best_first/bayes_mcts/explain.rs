//! What Bayesian MCTS says about its nodes.

use super::{Formula, chance_best, counts, is_safe, of_mover, settled};
use game::Scale;
use search::explanation::{
    Block, Column, Explanation, Fact, NamedNumbers, Reading, Row, Tone, Unit, Viewpoint, phrase,
};
use tree::{NodeId, Tree};

/// Mean and standard deviation of a node's expected score, from the view of its side to move; of a move of the root its
/// chance to be the best.
pub(super) fn figure(reading: &Reading, id: NodeId, name: &str) -> Option<f64> {
    let tree = reading.tree;
    let node = tree.node(id);
    if !counts(node) {
        return None;
    }
    let (mean, variance) = node.pair();
    match name {
        "mu" => Some(mean.into()),
        "sigma" => Some(f64::from(variance).sqrt()),
        "chance_best" if node.parent() == Tree::ROOT => Some(chance_best(tree, id)),
        _ => None,
    }
}

pub(super) fn kept(reading: &Reading, id: NodeId) -> Option<NamedNumbers> {
    let mean = figure(reading, id, "mu")?;
    let sd = figure(reading, id, "sigma")?;
    let seen = match reading.viewpoint {
        Viewpoint::Own => mean,
        Viewpoint::Mover => -mean,
    };
    let mut found = vec![("mu", seen), ("sigma", sd)];
    if let Some(chance) = figure(reading, id, "chance_best") {
        found.push(("chance_best", chance));
    }
    Some(found)
}

pub(super) fn explain(reading: &Reading, id: NodeId) -> Explanation {
    let mut found = Explanation::default();
    let tree = reading.tree;
    let node = tree.node(id);
    if !counts(node) {
        return found;
    }
    let (mean, variance) = node.pair();
    found.facts.push(Fact {
        name: "posterior",
        value: phrase![
            reading.expected(mean),
            " ± ",
            (variance.sqrt(), Unit::Spread)
        ],
    });
    if node.first_child().is_none() {
        return found;
    }
    if id == Tree::ROOT
        && let Some(best) = settled(tree, is_safe(reading.options))
    {
        found.facts.push(Fact {
            name: "P(best)",
            value: phrase![best.child, " ", (best.chance, Unit::Probability)],
        });
        found.sentences.push(phrase![
            best.child,
            " is the best move with a probability of ",
            (best.chance, Unit::Probability),
            ", if the moves' values are independent."
        ]);
    }
    found.blocks.push(moves(reading, id));
    found
}

/// The children with both terms of their scores, the next one to be visited first.
fn moves(reading: &Reading, id: NodeId) -> Block {
    let tree = reading.tree;
    let formula = Formula::of(reading.options);
    let all = tree.node(id).visits();
    let column = |name, width, dispensable| Column {
        name,
        width,
        dispensable,
    };
    let known = tree.children(id).filter(|&c| counts(tree.node(c)));
    let mut scored: Vec<_> = known
        .map(|c| (c, formula.score(all, tree.node(c))))
        .collect();
    scored.sort_by(|a, b| b.1.sum().total_cmp(&a.1.sum()));
    let row = |(place, &(child, score)): (usize, &(NodeId, super::Score))| {
        let node = tree.node(child);
        let tone = match place {
            0 => Tone::Chosen,
            _ => Tone::Plain,
        };
        let mut cells = vec![
            (tone, phrase![reading.expected(-node.expected())]),
            (Tone::Belief, phrase![(of_mover(node).sd(), Unit::Spread)]),
            (Tone::Plain, phrase![(score.doubt, Unit::Gain)]),
            (tone, phrase![(score.sum(), Unit::Fixed(2))]),
        ];
        if id == Tree::ROOT {
            let chance = chance_best(tree, child);
            cells.push((Tone::Quiet, phrase![(chance, Unit::Probability)]));
        }
        Row { child, cells }
    };
    let mut columns = vec![
        column("mean", 7, 0),
        column("σ", 6, 1),
        column("doubt", 7, 0),
        column("score", 6, 0),
    ];
    if id == Tree::ROOT {
        columns.push(column("best", 7, 2));
    }
    Block {
        title: "scores of the moves",
        formula: Some(match formula.by_visits {
            true => phrase![
                "μ + ",
                (formula.exploration, Unit::Rounded(2)),
                " √(2 ln N / n)"
            ],
            false => phrase![
                "μ + ",
                (formula.exploration, Unit::Rounded(2)),
                " √(2 ln N) σ"
            ],
        }),
        columns,
        rows: scored.iter().enumerate().map(row).collect(),
        notes: match tree.scale() {
            Scale::Logistic => vec![(
                Tone::Quiet,
                phrase!["doubt and score: expected scores of the side that chooses"],
            )],
            Scale::Linear(_) => Vec::new(),
        },
        ..Block::default()
    }
}
