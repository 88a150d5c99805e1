//! B* with probabilities: each move has a real value and a distribution, and the search asks how likely another move is to
//! turn out better.
//!
//! Source: Andrew J. Palay, *Searching with Probabilities* (PhD thesis, Carnegie Mellon University, 1983), and Hans J.
//! Berliner and Chris McConnell, *B\* probability based search*, Artificial Intelligence 86 (1996). Distributions are backed
//! up by the product rule (Palay), real values by minimax. The targets of the two phases are those of Berliner and
//! McConnell as far as they are described; the alternation of verifying and selecting is ours.

mod explain;
mod phase;

use super::driver::{self, Row, Strategy};
use super::leaf_belief::LeafBelief;
use crate::leaf_value::{LEAF, LEAF_DEPTH};
use crate::reuse::TREE_REUSE;
use belief::Cdf;
use eval::Evaluator;
use game::Game;
use phase::{Phase, Question};
use search::algorithm::{AlgorithmInfo, Goals, Ranking};
use search::endgame::{KNOWN_DRAWS, TABLE_MEN};
use search::explanation::{Explanation, NamedNumbers, Reading};
use search::options::EVAL;
use search::{Aim, Job, OptionSpec, Options, Range, StopReason};
use tree::{Family, Node, NodeId, Tree};

/// Where a move's optimistic value lies in its distribution.
const QUANTILE: OptionSpec = OptionSpec {
    key: "quantile",
    default: "0.1",
    range: Range::Number {
        min: 0.001,
        max: 0.499,
    },
    summary: "a move's optimistic value is exceeded with this probability",
};

/// The chance below which something is no longer looked into.
const LEAST: OptionSpec = OptionSpec {
    key: "least-chance",
    default: "0.15",
    range: Range::Number {
        min: 0.001,
        max: 0.5,
    },
    summary: "the chance below which another move is no longer suspected to be better, and the best move no longer to be refuted",
};

/// What happens once the best move is verified.
const END: OptionSpec = driver::end(
    "when the best move is verified: stop, or go on with smaller chances (next); auto: stop in a toy tree",
);

const OPTIONS: &[OptionSpec] = &[
    QUANTILE,
    LEAST,
    END,
    LEAF,
    LEAF_DEPTH,
    TREE_REUSE,
    TABLE_MEN,
    KNOWN_DRAWS,
    EVAL,
];

/// The row of probability-based B* in the table of algorithms.
pub type Entry = Row<ProbBStar>;

/// Whether a child takes part: it was not taken out, and there is a belief about it.
fn counts(child: &Node) -> bool {
    !child.is_excluded() && child.visits() > 0 && child.belief() != 0
}

/// What is believed about a node, from the view of the side that moved to it.
fn of_mover(tree: &Tree, node: &Node) -> Cdf {
    tree.belief_slot(node.belief()).read()
}

/// The numbers by which the phases are told apart.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Settings {
    quantile: f32,
    least: f32,
}

impl Settings {
    fn of(options: &Options) -> Settings {
        Settings {
            quantile: options.number("quantile") as f32,
            least: options.number("least-chance") as f32,
        }
    }
}

pub struct ProbBStar {
    settings: Settings,
    stops: bool,
    question: Option<Question>,
}

impl Strategy for ProbBStar {
    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "prob-b-star",
        summary: "B* with distributions: selects by the chance that another move is better, then verifies the best move",
        source: "Palay, Searching with Probabilities (1983); Berliner & McConnell, B* probability based search (1996)",
        family: Family::BestFirst,
        beliefs: true,
        ranking: Ranking::Value,
        options: OPTIONS,
        figures: &["optimistic", "chance-to-reach"],
        goals: Goals {
            two_threads: 1.0,
            ..Goals::NONE
        },
    };

    fn new<G: Game, E: Evaluator<G>>(job: &Job<G, E>) -> Self {
        ProbBStar {
            settings: Settings::of(job.options),
            stops: driver::stops(job, "end"),
            question: None,
        }
    }

    const BELIEFS: bool = true;

    fn plan(&mut self, tree: &Tree) -> Result<Option<Aim>, StopReason> {
        self.question = None;
        if driver::is_new(tree, tree.node(Tree::ROOT)).is_some() {
            return Ok(None);
        }
        let Some(phase) = Phase::of(tree, self.settings) else {
            return Err(StopReason::Exhausted);
        };
        match phase.next(tree, self.stops) {
            Ok((question, aim)) => {
                self.question = Some(question);
                Ok(Some(aim))
            }
            Err(reason) => Err(reason),
        }
    }

    fn choose(&self, tree: &Tree, id: NodeId) -> Option<NodeId> {
        let node = tree.node(id);
        if let Some(new) = driver::is_new(tree, node) {
            return Some(new);
        }
        let open = || driver::open_children(tree, id);
        match &self.question {
            Some(question) => question.choose(tree, id, open()),
            // The way to this node was forced.
            None => phase::first_best(open(), |c| -tree.node(c).expected()),
        }
    }

    fn settle(&self, tree: &Tree, id: NodeId, belief: &LeafBelief) {
        store(tree, id, &belief.cdf(tree.grid()));
    }

    fn back_up(&self, tree: &Tree, id: NodeId) -> f32 {
        let node = tree.node(id);
        let children = || tree.children_block(node).iter().filter(|c| counts(c));
        let beliefs = children().map(|c| of_mover(tree, c));
        if let Some(best) = beliefs.reduce(|a, b| a.max(&b)) {
            store(tree, id, &best);
        }
        let values = children().map(|c| -c.expected());
        values.reduce(f32::max).unwrap_or(node.expected())
    }

    fn explain(reading: &Reading, node: NodeId) -> Explanation {
        explain::explain(reading, node)
    }

    fn figure(reading: &Reading, node: NodeId, name: &str) -> Option<f64> {
        explain::figure(reading, node, name)
    }

    fn kept(reading: &Reading, node: NodeId) -> Option<NamedNumbers> {
        explain::kept(reading, node)
    }
}

/// Keeps a belief at a node, given from its own view. Without room for it the node is left out.
fn store(tree: &Tree, id: NodeId, own: &Cdf) {
    let node = tree.node(id);
    if node.belief() == 0 {
        let Some(place) = tree.allocate_beliefs(1) else {
            return;
        };
        tree.belief_slot(place).initialise(&own.negated());
        node.set_belief(place);
    } else {
        tree.belief_slot(node.belief()).write(&own.negated());
    }
}
