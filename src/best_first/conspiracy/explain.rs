//! What conspiracy-number search says about its nodes.

use super::numbers::{Levels, MOST, Numbers};
use super::{LEAVES, Likely, Target, first_threshold};
use game::Game;
use search::explanation::{
    Explanation, Fact, NamedNumbers, Part, Phrase, Reading, Staircase, Step, Steps, Unit,
    Viewpoint, phrase,
};
use tree::{Node, NodeId, Tree};

/// The root's levels, its likely range, and what the next descent is after.
struct Situation {
    levels: Levels,
    likely: Likely,
    threshold: u32,
}

impl Situation {
    /// `None` before the root was expanded.
    fn of(reading: &Reading) -> Option<Situation> {
        let root = reading.tree.node(Tree::ROOT);
        let levels = Levels::of(reading.subject.position.static_values());
        let is_toy = reading.subject.position.height().is_some();
        let first = first_threshold(reading.options, is_toy);
        let mut found = (first..=MOST).map(|threshold| Situation {
            likely: Likely::of(&levels, root, threshold),
            levels: levels.clone(),
            threshold,
        });
        let settled = found.next()?;
        if root.first_child().is_none() {
            return None;
        }
        // A search that goes on does so with the smallest conspiracies that are left.
        if settled.likely.target.is_some() {
            return Some(settled);
        }
        found.find(|s| s.likely.target.is_some()).or(Some(settled))
    }
}

fn is_known(node: &Node) -> bool {
    node.visits() > 0 && !node.is_excluded()
}

/// The leaves below the node that belong to the conspiracy looked into.
pub(super) fn figure(reading: &Reading, id: NodeId, name: &str) -> Option<f64> {
    let node = reading.tree.node(id);
    if name != "conspirators" || !is_known(node) {
        return None;
    }
    let situation = Situation::of(reading)?;
    let target = situation.likely.target?;
    let needed = Numbers::to_reach(&situation.levels, node, target);
    (needed <= MOST).then(|| needed.into())
}

pub(super) fn kept(reading: &Reading, id: NodeId) -> Option<NamedNumbers> {
    let needed = figure(reading, id, "conspirators")?;
    Some(vec![("conspirators", needed)])
}

/// A value that the side to move at the root sees so, from the view of the side to move at the node; `None` for any value.
fn own_level(node: &Node, level: f32) -> Option<f32> {
    let own = match Numbers::of(node).is_roots_side() {
        true => level,
        false => -level,
    };
    level.is_finite().then_some(own)
}

/// The same as a part of a phrase, from the reading's viewpoint.
fn level(reading: &Reading, node: &Node, level: f32) -> Part {
    match own_level(node, level) {
        Some(own) => reading.expected(own),
        None => "any value".into(),
    }
}

fn leaves(number: u32) -> Part {
    Part::Number(number.into(), LEAVES)
}

pub(super) fn explain(reading: &Reading, id: NodeId) -> Explanation {
    let mut found = Explanation::default();
    let node = reading.tree.node(id);
    let Some(situation) = Situation::of(reading).filter(|_| is_known(node)) else {
        return found;
    };
    let levels = &situation.levels;
    let roots_side = Numbers::of(node).is_roots_side();
    // Up and down as the reader sees them.
    let upwards = roots_side == (reading.viewpoint == Viewpoint::Own);
    let staircase = Staircase {
        raise: steps(reading, node, levels, upwards),
        lower: steps(reading, node, levels, !upwards),
    };
    for (name, steps) in [
        ("to raise it", &staircase.raise),
        ("to lower it", &staircase.lower),
    ] {
        let value = told(steps);
        found.facts.push(Fact { name, value });
    }
    found.staircase = Some(staircase);
    if id == Tree::ROOT {
        at_root(reading, &situation, &mut found);
    } else if let Some(target) = situation.likely.target {
        let needed = Numbers::to_reach(levels, node, target);
        let there = level(reading, node, levels.at(target.level));
        found.sentences.push(match needed {
            0 => phrase!["It need not change for the conspiracy that is looked into."],
            1..=MOST => phrase![
                leaves(needed),
                " below it would have to conspire for it to get to ",
                there,
                ", which the root is to be moved to."
            ],
            _ => phrase![
                "More than ",
                leaves(MOST),
                " below it would have to conspire: it takes no part."
            ],
        });
    }
    found
}

/// The likely range and what is looked into.
fn at_root(reading: &Reading, situation: &Situation, found: &mut Explanation) {
    let Situation {
        levels,
        likely,
        threshold,
    } = situation;
    let root = reading.tree.node(Tree::ROOT);
    let (low, high) = likely.range(levels, root.expected());
    let (low, high) = match reading.viewpoint {
        Viewpoint::Own => (low, high),
        Viewpoint::Mover => (-high, -low),
    };
    let seen = |level: f32, endless: &'static str| match level.is_finite() {
        true => Part::Number(level.into(), Unit::Expected),
        false => endless.into(),
    };
    found.facts.push(Fact {
        name: "likely range",
        value: phrase![
            seen(low, "lost"),
            " to ",
            seen(high, "won"),
            ", by at most ",
            leaves(*threshold),
        ],
    });
    found.sentences.push(match likely.target {
        None => phrase!["Settled: no ", leaves(*threshold), " could move the value."],
        Some(Target { raise, level: to }) => phrase![
            leaves(Numbers::of(root).get(to)),
            reading.sided(match raise {
                true => " could {raise|lower} it to ",
                false => " could {lower|raise} it to ",
            }),
            level(reading, root, levels.at(to)),
            match Numbers::of(root).get(to) {
                1 => ": the next descent looks into it.",
                _ => ": the next descent looks into them.",
            }
        ],
    });
}

/// The numbers step by step away from the node's value, from the reading's viewpoint.
fn steps(reading: &Reading, node: &Node, levels: &Levels, up: bool) -> Steps {
    let roots_side = Numbers::of(node).is_roots_side();
    let value = if roots_side {
        node.expected()
    } else {
        -node.expected()
    };
    let above = levels.above(value);
    let is_there = |&j: &usize| Numbers::of(node).is_reached(levels, value, j);
    let outwards: Vec<usize> = match up {
        true => (above..levels.len()).collect(),
        false => (0..above).rev().filter(|j| !is_there(j)).collect(),
    };
    let number = |j: usize| Numbers::of(node).get(j);
    let mut found = Steps::default();
    let mut places = outwards.iter().peekable();
    while let Some(&j) = places.next() {
        // Only the last level that the same number reaches.
        let next = places.peek().map(|&&next| number(next));
        if next == Some(number(j)) {
            continue;
        }
        if number(j) > MOST {
            found.beyond = true;
            break;
        }
        let own = own_level(node, levels.at(j));
        found.steps.push(Step {
            leaves: number(j),
            to: own.map(|own| reading.seen(own)),
        });
    }
    found
}

/// The steps in words: `2 leaves to +1.0, 3 to +2.5, more beyond`.
fn told(steps: &Steps) -> Phrase {
    let mut text = Phrase::new();
    for step in &steps.steps {
        if !text.is_empty() {
            text.push(", ".into());
        }
        text.push(leaves(step.leaves));
        text.push(" to ".into());
        text.push(match step.to {
            Some(to) => Part::Number(to.into(), Unit::Expected),
            None => "any value".into(),
        });
    }
    if text.is_empty() {
        text.push("no such conspiracy".into());
    } else if steps.beyond {
        text.push(", more beyond".into());
    }
    text
}
