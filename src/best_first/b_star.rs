//! B*: an interval at every node, and a search that only has to prove one move better than the others.
//!
//! Source: Hans J. Berliner, *The B\* tree search algorithm: a best-first proof procedure*, Artificial Intelligence 12
//! (1979). A node has a pessimistic and an optimistic value. The search ends when one move's pessimistic value is no worse
//! than the optimistic value of every other move; until then each descent either raises the best move's pessimistic value
//! (PROVEBEST) or lowers the others' optimistic ones (DISPROVEREST). Berliner's ends are true bounds. Here they are
//! quantiles of the leaves' beliefs, so a separation may be wrong.

mod explain;
mod strategy;

use super::driver::{self, Row, Strategy};
use super::leaf_belief::LeafBelief;
use crate::leaf_value::{LEAF, LEAF_DEPTH};
use crate::reuse::TREE_REUSE;
use eval::Evaluator;
use game::Game;
use search::algorithm::{AlgorithmInfo, Goals, Ranking};
use search::endgame::{KNOWN_DRAWS, TABLE_MEN};
use search::explanation::{Explanation, NamedNumbers, Reading};
use search::options::EVAL;
use search::{Aim, Job, OptionSpec, Range, StopReason};
use strategy::{Rule, Standing};
use tree::{Family, Node, NodeId, Tree};

/// Where the ends of a leaf's interval lie in its belief.
const QUANTILE: OptionSpec = OptionSpec {
    key: "quantile",
    default: "0.1",
    range: Range::Number {
        min: 0.001,
        max: 0.499,
    },
    summary: "the ends of a leaf's interval: the truth lies below the lower one, and above the upper one, with this probability each",
};

/// How PROVEBEST and DISPROVEREST take turns.
const STRATEGY: OptionSpec = OptionSpec {
    key: "strategy",
    default: "fewer",
    range: Range::Choice(&["fewer", "depth", "range", "prove", "disprove"]),
    summary: "prove the best move or disprove the others: what was expanded less (fewer), Berliner's criteria D (depth) and R (range), or always the same",
};

/// What happens once the best move is separated.
const END: OptionSpec = driver::end(
    "when one move is separated from the others: stop, or test it further (next); auto: stop in a toy tree",
);

const OPTIONS: &[OptionSpec] = &[
    QUANTILE,
    STRATEGY,
    END,
    LEAF,
    LEAF_DEPTH,
    TREE_REUSE,
    TABLE_MEN,
    KNOWN_DRAWS,
    EVAL,
];

/// The row of B* in the table of algorithms.
pub type Entry = Row<BStar>;

/// The interval in which a node's value lies, as expected scores of its side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Interval {
    lower: f32,
    upper: f32,
}

impl Interval {
    fn of(node: &Node) -> Interval {
        let (lower, upper) = node.pair();
        Interval { lower, upper }
    }

    /// As the side that moved to the node sees it: its pessimistic and its optimistic value.
    fn of_mover(node: &Node) -> Interval {
        let own = Interval::of(node);
        Interval {
            lower: -own.upper,
            upper: -own.lower,
        }
    }

    fn middle(self) -> f32 {
        0.5 * (self.lower + self.upper)
    }
}

/// Whether a child takes part: it was not taken out, and something is known about it.
fn counts(child: &Node) -> bool {
    !child.is_excluded() && child.visits() > 0
}

pub struct BStar {
    quantile: f64,
    rule: Rule,
    /// Whether the search ends when the best move is separated.
    stops: bool,
    /// The root's move below which the next descent goes on.
    first: Option<NodeId>,
}

impl Strategy for BStar {
    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "b-star",
        summary: "an interval at every node; proves one move better than the others, or the others worse",
        source: "Berliner, The B* tree search algorithm (1979)",
        family: Family::BestFirst,
        beliefs: false,
        ranking: Ranking::Value,
        options: OPTIONS,
        figures: &["pessimistic", "optimistic"],
        goals: Goals {
            two_threads: 1.0,
            ..Goals::NONE
        },
    };

    fn new<G: Game, E: Evaluator<G>>(job: &Job<G, E>) -> Self {
        BStar {
            quantile: job.options.number("quantile"),
            rule: Rule::of(job.options),
            stops: driver::stops(job, "end"),
            first: None,
        }
    }

    const BELIEFS: bool = true;

    fn plan(&mut self, tree: &Tree) -> Result<Option<Aim>, StopReason> {
        self.first = None;
        let root = tree.node(Tree::ROOT);
        if driver::is_new(tree, root).is_some() {
            return Ok(None);
        }
        let Some(standing) = Standing::of(tree, root) else {
            return Err(StopReason::Exhausted);
        };
        if standing.is_separated() && self.stops {
            return Err(StopReason::Settled);
        }
        let aim = standing.aim(tree, self.rule).ok_or(StopReason::Exhausted)?;
        self.first = Some(aim.node);
        Ok(Some(aim))
    }

    fn choose(&self, tree: &Tree, id: NodeId) -> Option<NodeId> {
        let node = tree.node(id);
        if let Some(new) = driver::is_new(tree, node) {
            return Some(new);
        }
        if id == Tree::ROOT && self.first.is_some() {
            return self.first;
        }
        let open = driver::open_children(tree, id);
        strategy::first_best(open, |c| strategy::hope(tree, c))
    }

    fn settle(&self, tree: &Tree, id: NodeId, belief: &LeafBelief) {
        let ends = [self.quantile, 1.0 - self.quantile].map(|p| belief.quantile(p));
        tree.node(id).set_pair(ends.into());
    }

    fn back_up(&self, tree: &Tree, id: NodeId) -> f32 {
        let node = tree.node(id);
        let children = || tree.children_block(node).iter().filter(|c| counts(c));
        let intervals = children().map(Interval::of_mover);
        // Each end from its own child.
        let ends = intervals.reduce(|a, b| Interval {
            lower: a.lower.max(b.lower),
            upper: a.upper.max(b.upper),
        });
        if let Some(ends) = ends {
            node.set_pair((ends.lower, ends.upper));
        }
        let best = children().reduce(|a, b| {
            if self.favour(b) > self.favour(a) {
                b
            } else {
                a
            }
        });
        best.map_or(node.expected(), |c| -c.expected())
    }

    fn favour(&self, child: &Node) -> f32 {
        Interval::of_mover(child).middle()
    }

    fn interval(tree: &Tree, node: NodeId) -> Option<(f32, f32)> {
        let node = tree.node(node);
        counts(node).then(|| node.pair())
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
