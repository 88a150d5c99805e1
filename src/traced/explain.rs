//! What a best-first search of another program says about a node's moves: by which figures its descent chose, beside the visits
//! that they got.

use search::explanation::{
    Block, Column, Explanation, Fact, Phrase, Reading, Row, Tone, Unit, phrase,
};
use tree::{NodeId, Tree};

pub(super) fn explain(reading: &Reading, id: NodeId) -> Explanation {
    let tree = reading.tree;
    Explanation {
        facts: facts(reading, id),
        blocks: (tree.node(id).child_count() > 0)
            .then(|| moves(reading, id))
            .flatten()
            .into_iter()
            .collect(),
        ..Explanation::default()
    }
}

/// What the program told of the node itself.
fn facts(reading: &Reading, id: NodeId) -> Vec<Fact> {
    let (tree, node) = (reading.tree, reading.tree.node(id));
    let mut facts = Vec::new();
    if node.urgency() != 0.0 {
        facts.push(Fact {
            name: "urgency",
            value: phrase![
                (node.urgency(), Unit::Fixed(3)),
                ", as the program tells it"
            ],
        });
    }
    if node.second() > 0.0 {
        facts.push(Fact {
            name: "told sd",
            value: phrase![(node.second(), Unit::Spread)],
        });
    }
    if let Some(counted) = tree.counted(id) {
        let (visits, mean) = (counted.visits, reading.expected(counted.mean));
        facts.push(Fact {
            name: "counted",
            value: phrase![
                (visits as f64, Unit::Of("visit", "visits")),
                " with a mean of ",
                mean,
                " when it was told last",
            ],
        });
    }
    facts
}

/// A move as the descent sees it.
struct Seen {
    child: NodeId,
    visits: u32,
    /// Of the visits of all moves.
    share: f32,
    prior: f32,
}

/// The columns: name, width, and which go first where there is no room.
const COLUMNS: [(&str, usize, u8); 8] = [
    ("visits", 8, 0),
    ("share", 6, 1),
    ("prior", 6, 1),
    ("mean", 9, 0),
    ("urgency", 9, 2),
    ("sd", 7, 3),
    ("counted", 9, 4),
    ("its mean", 9, 4),
];

fn moves(reading: &Reading, id: NodeId) -> Option<Block> {
    let tree = reading.tree;
    let all: u64 = tree
        .children(id)
        .map(|c| u64::from(tree.node(c).visits()))
        .sum();
    let mut moves: Vec<Seen> = tree
        .children(id)
        .filter(|&child| !tree.node(child).fate().is_skip())
        .map(|child| {
            let node = tree.node(child);
            Seen {
                child,
                visits: node.visits(),
                share: (f64::from(node.visits()) / all.max(1) as f64) as f32,
                prior: node.policy(),
            }
        })
        .collect();
    if all == 0 || moves.is_empty() {
        return None;
    }
    moves.sort_by(|a, b| b.visits.cmp(&a.visits).then(b.prior.total_cmp(&a.prior)));
    let any = |told: fn(&Tree, NodeId) -> bool| moves.iter().any(|seen| told(tree, seen.child));
    let priors = any(|tree, child| tree.node(child).policy() > 0.0);
    let counted = any(|tree, child| tree.counted(child).is_some());
    let has = [
        true,
        true,
        priors,
        true,
        any(|tree, child| tree.node(child).urgency() != 0.0),
        any(|tree, child| tree.node(child).second() > 0.0),
        counted,
        counted,
    ];
    let shown: Vec<usize> = (0..COLUMNS.len()).filter(|&i| has[i]).collect();
    let row = |seen: &Seen| {
        let cells = cells(reading, seen);
        Row {
            child: seen.child,
            cells: shown.iter().map(|&i| cells[i].clone()).collect(),
        }
    };
    let column = |&i: &usize| {
        let (name, width, dispensable) = COLUMNS[i];
        Column {
            name,
            width,
            dispensable,
        }
    };
    Some(Block {
        title: "what the descent chose by",
        columns: shown.iter().map(column).collect(),
        rows: moves.iter().map(row).collect(),
        notes: priors
            .then(|| against_prior(&moves))
            .flatten()
            .into_iter()
            .collect(),
        ..Block::default()
    })
}

fn cells(reading: &Reading, seen: &Seen) -> [(Tone, Phrase); 8] {
    let tree = reading.tree;
    let node = tree.node(seen.child);
    let is_known = node.visits() > 0;
    // As the side has it that chooses.
    let above = |own: f32| match tree.is_same_side(seen.child) {
        true => own,
        false => -own,
    };
    let some = |is_there: bool, phrase: Phrase| if is_there { phrase } else { phrase!["–"] };
    let counted = tree.counted(seen.child);
    [
        (Tone::Plain, phrase![(seen.visits, Unit::Count)]),
        (Tone::Policy, phrase![(seen.share, Unit::Share)]),
        (Tone::Policy, phrase![(seen.prior, Unit::Share)]),
        (
            Tone::Belief,
            some(is_known, phrase![reading.expected(above(node.expected()))]),
        ),
        (
            Tone::Plain,
            some(
                node.urgency() != 0.0,
                phrase![(node.urgency(), Unit::Fixed(3))],
            ),
        ),
        (
            Tone::Belief,
            some(node.second() > 0.0, phrase![(node.second(), Unit::Spread)]),
        ),
        (
            Tone::Quiet,
            match counted {
                Some(counted) => phrase![(counted.visits as f64, Unit::Count)],
                None => phrase!["–"],
            },
        ),
        (
            Tone::Quiet,
            match counted {
                Some(counted) => phrase![reading.expected(above(counted.mean))],
                None => phrase!["–"],
            },
        ),
    ]
}

/// Names the move whose visits differ most from its prior.
fn against_prior(moves: &[Seen]) -> Option<(Tone, Phrase)> {
    let off = |seen: &&Seen| (seen.share - seen.prior).abs();
    let most = moves.iter().max_by(|a, b| off(a).total_cmp(&off(b)))?;
    (off(&most) >= 0.05).then(|| {
        let words = match most.share > most.prior {
            true => " of the visits, more than its prior of ",
            false => " of the visits, less than its prior of ",
        };
        let phrase = phrase![
            most.child,
            " got ",
            (most.share, Unit::Share),
            words,
            (most.prior, Unit::Share),
            ".",
        ];
        (Tone::Quiet, phrase)
    })
}
