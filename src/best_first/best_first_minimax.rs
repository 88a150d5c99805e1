//! Best-first minimax: always expand the leaf at the end of the principal variation, and back up minimax values.
//!
//! Source: Richard E. Korf and David Maxwell Chickering, *Best-first minimax search*, Artificial Intelligence 84 (1996). A
//! line is searched deeper only as long as it is the best one, so a wrong value that flatters a move is looked into, and a
//! wrong value that belittles one never is.

use super::driver::{self, Row, Strategy};
use super::proofs;
use crate::leaf_value::{LEAF, LEAF_DEPTH};
use crate::reuse::TREE_REUSE;
use eval::Evaluator;
use game::Game;
use search::algorithm::{AlgorithmInfo, Goals, Ranking};
use search::endgame::{KNOWN_DRAWS, TABLE_MEN};
use search::explanation::{Explanation, Fact, Reading, phrase};
use search::options::EVAL;
use search::{Job, OptionSpec};
use tree::{Family, Node, NodeId, Tree};

/// What happens when the principal variation can't grow.
const END: OptionSpec = driver::end(
    "when the principal variation ends where the game does: stop, or expand the best line that can grow (next); auto: stop in a toy tree",
);

const OPTIONS: &[OptionSpec] = &[
    LEAF,
    LEAF_DEPTH,
    END,
    TREE_REUSE,
    TABLE_MEN,
    KNOWN_DRAWS,
    EVAL,
];

/// The row of best-first minimax in the table of algorithms.
pub type Entry = Row<BestFirstMinimax>;

pub struct BestFirstMinimax {
    /// Whether the search ends with the first principal variation that can't grow.
    stops: bool,
}

impl Strategy for BestFirstMinimax {
    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "best-first-minimax",
        summary: "expands the leaf at the end of the principal variation, backs up minimax (a control for best-first searches)",
        source: "Korf & Chickering, Best-first minimax search (1996)",
        family: Family::BestFirst,
        beliefs: false,
        ranking: Ranking::Value,
        options: OPTIONS,
        figures: &[],
        goals: Goals {
            two_threads: 1.0,
            ..Goals::NONE
        },
    };

    fn new<G: Game, E: Evaluator<G>>(job: &Job<G, E>) -> Self {
        BestFirstMinimax {
            stops: driver::stops(job, "end"),
        }
    }

    fn choose(&self, tree: &Tree, id: NodeId) -> Option<NodeId> {
        let node = tree.node(id);
        if let Some(new) = driver::is_new(tree, node) {
            return Some(new);
        }
        let children = tree.children_block(node);
        let best = proofs::choose(children, node.is_narrowed(), worth, worth);
        let place = match best {
            Some((i, child)) if driver::is_open(child) => Some(i),
            _ if self.stops => None,
            _ => best_open(children),
        };
        place.map(|i| NodeId(node.first_child().0 + i as u32))
    }

    fn back_up(&self, tree: &Tree, id: NodeId) -> f32 {
        let node = tree.node(id);
        let children = tree.children_block(node).iter();
        let known = children.filter(|c| !c.is_excluded() && c.visits() > 0);
        known.map(worth).reduce(f32::max).unwrap_or(node.expected())
    }

    fn explain(reading: &Reading, node: NodeId) -> Explanation {
        explain(reading, node)
    }
}

/// The first of the best children that can grow.
fn best_open(children: &[Node]) -> Option<usize> {
    let mut best: Option<usize> = None;
    for (i, child) in children.iter().enumerate() {
        if !driver::is_open(child) {
            continue;
        }
        if best.is_none_or(|b| worth(child) > worth(&children[b])) {
            best = Some(i);
        }
    }
    best
}

/// A child's value from its parent's view.
fn worth(child: &Node) -> f32 {
    -child.expected()
}

/// Which leaf is next, and how much the best move is ahead of the next one.
fn explain(reading: &Reading, node: NodeId) -> Explanation {
    let tree = reading.tree;
    let mut found = Explanation::default();
    let Some(best) = proofs::best_child(tree, node) else {
        return found;
    };
    let others = tree.children(node).filter(|&c| {
        let child = tree.node(c);
        c != best && !child.is_excluded() && child.visits() > 0
    });
    let second = others.reduce(|a, b| match worth(tree.node(b)) > worth(tree.node(a)) {
        true => b,
        false => a,
    });
    let line = std::iter::successors(Some(best), |&at| proofs::best_child(tree, at));
    let plies = line.count();
    found.facts.push(Fact {
        name: "next leaf",
        value: phrase![format!(
            "{plies} {} on, at the end of the principal variation",
            if plies == 1 { "ply" } else { "plies" }
        )],
    });
    if let Some(second) = second {
        found.sentences.push(phrase![
            best,
            reading.sided(" is followed as long as it is worth {more|less} than "),
            second,
            " (",
            reading.expected(-tree.node(second).expected()),
            ").",
        ]);
    }
    found
}
