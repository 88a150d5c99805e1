//! What a search by formulas says about its nodes: the formulas with their numbers, and each move's score.

use super::back_up::{self, BackUp};
use super::select::{self, Select};
use super::{is_asked_by, looks_at_all, prior_of};
use search::explanation::{
    Block, Column, Explanation, Fact, Phrase, Reading, Row, Tone, Unit, phrase,
};
use tree::{Node, NodeId};

pub fn explain(reading: &Reading, id: NodeId) -> Explanation {
    let node = reading.tree.node(id);
    if !node.is_expanded() || node.visits() == 0 {
        return Explanation::default();
    }
    Explanation {
        facts: worth(reading, node).into_iter().collect(),
        blocks: scores(reading, node).into_iter().collect(),
        ..Explanation::default()
    }
}

/// The node's value as the formula gives it, before what is proven bounds it.
fn worth(reading: &Reading, node: &Node) -> Option<Fact> {
    let options = reading.options;
    let by_default = options.is(back_up::KEY, back_up::MEAN);
    if by_default && !is_asked_by(options) {
        return None;
    }
    let back_up = BackUp::new(options);
    let children = reading.tree.children_block(node);
    let mean = match is_asked_by(options) && looks_at_all(options) {
        true => None,
        false => Some(node.total() / f64::from(node.visits().max(1))),
    };
    let value = back_up.value((children, prior_of(options)), node, mean)?;
    let formula = back_up.formula().to_string();
    let mut text = phrase![formula, " = ", reading.expected(value)];
    if back_up.take_undefined() > 0 {
        text = phrase![
            back_up.formula().to_string(),
            " has no finite value: mean ",
            reading.expected(value)
        ];
    }
    Some(Fact {
        name: "back-up",
        value: text,
    })
}

/// Each move's numbers and score, the highest first.
fn scores(reading: &Reading, node: &Node) -> Option<Block> {
    let options = reading.options;
    if options.is(select::KEY, "puct") && !is_asked_by(options) {
        return None;
    }
    let select = Select::new(options);
    let needs = select.needs();
    let prior = prior_of(options);
    let children = reading.tree.children_block(node);
    let fpu = options.number("fpu") as f32;
    let mut rows: Vec<(f32, Row)> = Vec::new();
    let mut missing = 0;
    let counts = |c: &Node| !c.is_excluded();
    select.each((children, prior), node, fpu, counts, |move_| {
        let child = &children[move_.place];
        let number = |value: f32, unit| (Tone::Plain, phrase![(value, unit)]);
        let score: Phrase = match move_.is_defined {
            true => signed(move_.score),
            false => phrase!["puct ", (move_.score, Unit::Fixed(3))],
        };
        missing += usize::from(!move_.is_defined);
        let mut cells = vec![(Tone::Chosen, score), (Tone::Plain, signed(move_.q))];
        cells.push((Tone::Plain, phrase![(child.visits(), Unit::Count)]));
        if needs.priors {
            cells.push((Tone::Policy, phrase![(prior(child), Unit::Share)]));
        }
        if needs.spreads {
            cells.push(number(child.second(), Unit::Spread));
        }
        if needs.ranks {
            cells.push(number((move_.place + 1) as f32, Unit::Count));
        }
        let child = NodeId(node.first_child().0 + move_.place as u32);
        rows.push((move_.score, Row { child, cells }));
    });
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    let column = |name, dispensable| Column {
        name,
        width: 6,
        dispensable,
    };
    let mut columns = vec![column("score", 0), column("Q", 1), column("n", 2)];
    columns.extend(needs.priors.then(|| column("P", 3)));
    columns.extend(needs.spreads.then(|| column("sd", 4)));
    columns.extend(needs.ranks.then(|| column("rank", 5)));
    let all = [
        format!("score = {}, N = ", select.formula()).into(),
        (node.visits(), Unit::Count).into(),
        ", V = ".into(),
        (node.expected(), Unit::Fixed(3)).into(),
    ];
    let notes = (missing > 0).then(|| {
        let said = "The formula has no finite value for some moves: they have that of PUCT.";
        (Tone::Quiet, phrase![said])
    });
    Some(Block {
        title: "the next visit goes to the highest score",
        formula: Some(all.into()),
        columns,
        rows: rows.into_iter().map(|(_, row)| row).collect(),
        notes: notes.into_iter().collect(),
        ..Block::default()
    })
}

fn signed(value: f32) -> Phrase {
    phrase![(value, Unit::Fixed(3))]
}
