//! What proof-number search says about its nodes.

use super::goal::Goal;
use super::numbers::{NEVER, Numbers};
use super::{LEAVES, counts, least};
use search::explanation::{
    Block, Column, Explanation, Fact, NamedNumbers, Part, Phrase, Reading, Row, Tone, phrase,
};
use tree::{NodeId, Tree};

/// Children that are listed, the next one of the search first.
const LISTED: usize = 8;

fn known(reading: &Reading, id: NodeId) -> Option<Numbers> {
    let node = reading.tree.node(id);
    counts(node).then(|| Numbers::of(node))
}

/// `pn` or `dn`.
pub(super) fn figure(reading: &Reading, id: NodeId, name: &str) -> Option<f64> {
    let numbers = known(reading, id)?;
    let number = match name {
        "pn" => numbers.proof,
        "dn" => numbers.disproof,
        _ => return None,
    };
    Some(if number < NEVER {
        number.into()
    } else {
        f64::INFINITY
    })
}

/// The numbers that are finite: there is no infinity in JSON.
pub(super) fn kept(reading: &Reading, id: NodeId) -> Option<NamedNumbers> {
    let numbers = ["pn", "dn"].map(|name| Some((name, figure(reading, id, name)?)));
    let finite = numbers.into_iter().flatten().filter(|(_, n)| n.is_finite());
    let finite: NamedNumbers = finite.collect();
    (!finite.is_empty()).then_some(finite)
}

fn leaves(number: u32) -> Part {
    Part::Number(number.into(), LEAVES)
}

/// A number as it is written in a table.
fn cell(number: u32) -> Phrase {
    match number {
        NEVER => phrase!["∞"],
        _ => phrase![number.to_string()],
    }
}

pub(super) fn explain(reading: &Reading, id: NodeId) -> Explanation {
    let mut found = Explanation::default();
    let Some(numbers) = known(reading, id) else {
        return found;
    };
    let goal = Goal::read(reading);
    let question = goal.question(reading.tree.node(Tree::ROOT));
    if id == Tree::ROOT {
        let mut words = phrase!["whether the side to move "];
        words.extend(question.words(reading));
        found.facts.push(Fact {
            name: "question",
            value: words,
        });
    }
    for (name, number) in [
        ("proof number", numbers.proof),
        ("disproof number", numbers.disproof),
    ] {
        found.facts.push(Fact {
            name,
            value: cell(number),
        });
    }
    if id == Tree::ROOT {
        found.facts.push(Fact {
            name: "next leaf",
            value: next_leaf(reading),
        });
    }
    let is_shortest = goal == Goal::Shortest && matches!(question, Goal::Mate(_));
    found.sentences.push(match numbers.answer() {
        Some(false) if id == Tree::ROOT && is_shortest => {
            phrase!["The answer is no: the mate that is proved is the shortest."]
        }
        _ => sentence(numbers, id == Tree::ROOT),
    });
    if let Some(block) = moves(reading, id, numbers) {
        found.blocks.push(block);
    }
    found
}

/// How far down the most-proving node is.
fn next_leaf(reading: &Reading) -> Phrase {
    let tree = reading.tree;
    let expanded = |id: NodeId| tree.node(id).is_expanded();
    let line = std::iter::successors(Some(Tree::ROOT), |&at| {
        expanded(at).then(|| least(tree, at)).flatten()
    });
    let plies = line.count() - 1;
    let unit = if plies == 1 { "ply" } else { "plies" };
    phrase![format!(
        "{plies} {unit} on, at the end of the most-proving line"
    )]
}

fn sentence(numbers: Numbers, is_root: bool) -> Phrase {
    let answer = if is_root { "The answer is " } else { "" };
    match (numbers.answer(), is_root) {
        (Some(true), true) => phrase![answer, "yes: proved."],
        (Some(false), true) => phrase![answer, "no: disproved."],
        (Some(true), false) => phrase!["Proved: from here the goal is reached."],
        (Some(false), false) => phrase!["Disproved: from here the goal is out of reach."],
        (None, _) if numbers.proof == NEVER || numbers.disproof == NEVER => {
            phrase!["Open, but some of what would settle it can't be searched."]
        }
        (None, _) => phrase![
            "For a yes at least ",
            leaves(numbers.proof),
            " below must be proved, for a no at least ",
            leaves(numbers.disproof),
            " disproved."
        ],
    }
}

/// The moves with their numbers, those that the search would take first.
fn moves(reading: &Reading, id: NodeId, numbers: Numbers) -> Option<Block> {
    let tree = reading.tree;
    let mut children: Vec<(NodeId, Numbers)> = tree
        .children(id)
        .filter(|&c| counts(tree.node(c)))
        .map(|c| (c, Numbers::of(tree.node(c))))
        .collect();
    let next = least(tree, id);
    children.sort_by_key(|&(c, n)| (Some(c) != next, n.of_mover(numbers.proves)));
    let rows: Vec<Row> = children
        .iter()
        .take(LISTED)
        .map(|&(child, n)| {
            let tone = match n.answer() {
                _ if Some(child) == next => Tone::Chosen,
                Some(_) => Tone::Quiet,
                None => Tone::Plain,
            };
            Row {
                child,
                cells: vec![(tone, cell(n.proof)), (tone, cell(n.disproof))],
            }
        })
        .collect();
    let column = |name| Column {
        name,
        width: 7,
        dispensable: 0,
    };
    (!rows.is_empty()).then(|| Block {
        title: "proof numbers",
        formula: Some(match numbers.proves {
            true => phrase!["pn = the least pn, dn = the sum of the dn"],
            false => phrase!["pn = the sum of the pn, dn = the least dn"],
        }),
        columns: vec![column("pn"), column("dn")],
        rows,
        ..Block::default()
    })
}
