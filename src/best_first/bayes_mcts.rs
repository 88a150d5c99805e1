//! Bayesian MCTS: a normal distribution at every node, and a descent that goes where mean and doubt together are largest.
//!
//! Source: Gerald Tesauro, V. T. Rajan and Richard Segal, *Bayesian inference in Monte-Carlo tree search* (UAI 2010), with the
//! moments of the larger of two normal numbers by Charles E. Clark, *The greatest of a finite set of random variables*,
//! Operations Research 9 (1961). The paper's leaves are valued by playouts. Here a leaf's distribution is what the evaluation
//! believes, and a visit expands a leaf and evaluates all its children.

mod explain;

use super::driver::{self, Row, Strategy};
use super::leaf_belief::LeafBelief;
use crate::leaf_value::{LEAF, LEAF_DEPTH};
use crate::reuse::TREE_REUSE;
use belief::gaussian::{self, Gaussian};
use eval::Evaluator;
use game::Game;
use search::algorithm::{AlgorithmInfo, Goals, Ranking};
use search::endgame::{KNOWN_DRAWS, TABLE_MEN};
use search::explanation::{Explanation, NamedNumbers, Reading, Unit};
use search::options::EVAL;
use search::{Aim, AimInfo, Job, OptionSpec, Options, Range, StopReason};
use tree::{Family, Node, NodeId, Tree};

/// How a descent chooses.
const FORMULA: OptionSpec = OptionSpec {
    key: "formula",
    default: "uct2",
    range: Range::Choice(&["uct1", "uct2"]),
    summary: "what is added to a move's mean: c √(2 ln N / n), by visits (uct1), or c √(2 ln N) σ, by its own spread (uct2)",
};

/// The factor of what is added.
const EXPLORATION: OptionSpec = OptionSpec {
    key: "exploration",
    default: "1",
    range: Range::Number {
        min: 0.0,
        max: 100.0,
    },
    summary: "the factor c of the selection formula",
};

/// How much siblings have in common.
const CORRELATION: OptionSpec = OptionSpec {
    key: "correlation",
    default: "0",
    range: Range::Number {
        min: -0.99,
        max: 0.99,
    },
    summary: "the correlation ρ of siblings when the larger of two is backed up: with 0 a node with many moves is overestimated",
};

/// How the largest of several is computed.
const EXTREMUM: OptionSpec = OptionSpec {
    key: "extremum",
    default: "clark",
    range: Range::Choice(&["clark", "numeric"]),
    summary: "the largest of several normal numbers: two at a time by Clark's moments, or by integrating the product of their distribution functions (slow; ignores correlation)",
};

/// What a leaf's distribution is made from.
const POSTERIOR: OptionSpec = OptionSpec {
    key: "posterior",
    default: "belief",
    range: Range::Choice(&["belief", "beta"]),
    summary: "a leaf's distribution: the evaluation's own belief, or Beta(prior + won, prior + lost) as if the evaluation had been `results` games",
};

/// The parameters of the Beta distribution before anything is known.
const PRIOR: OptionSpec = OptionSpec {
    key: "prior",
    default: "1",
    range: Range::Number {
        min: 0.01,
        max: 100.0,
    },
    summary: "with posterior=beta: both parameters of the Beta distribution before anything is known",
};

/// How many games an evaluation counts as.
const RESULTS: OptionSpec = OptionSpec {
    key: "results",
    default: "16",
    range: Range::Integer {
        min: 1,
        max: 10_000,
    },
    summary: "with posterior=beta: the number of games as which an evaluation counts",
};

/// Which move is played.
const CHOICE: OptionSpec = OptionSpec {
    key: "choice",
    default: "mean",
    range: Range::Choice(&["mean", "safe"]),
    summary: "the move that is played: the largest mean, or the largest mean less its standard deviation (safe)",
};

/// How sure the search has to be.
const DELTA: OptionSpec = OptionSpec {
    key: "delta",
    default: "0.05",
    range: Range::Number {
        min: 1e-6,
        max: 0.5,
    },
    summary: "the move is settled when it is the best with probability 1 − delta",
};

/// What happens once the move is settled.
const END: OptionSpec =
    driver::end("when the best move is settled: stop, or go on (next); auto: stop in a toy tree");

const OPTIONS: &[OptionSpec] = &[
    FORMULA,
    EXPLORATION,
    CORRELATION,
    EXTREMUM,
    POSTERIOR,
    PRIOR,
    RESULTS,
    CHOICE,
    DELTA,
    END,
    LEAF,
    LEAF_DEPTH,
    TREE_REUSE,
    TABLE_MEN,
    KNOWN_DRAWS,
    EVAL,
];

/// The row of Bayesian MCTS in the table of algorithms.
pub type Entry = Row<BayesMcts>;

/// The root's move with the largest score, with both terms.
static LARGEST: AimInfo = AimInfo {
    name: "largest",
    words: &[
        "its score is the largest: a mean of ",
        ", and ",
        " for what is not known about it.",
    ],
    units: &[Unit::Expected, Unit::Gain],
};

/// Whether a child takes part: it was not taken out, and something is known about it.
fn counts(child: &Node) -> bool {
    !child.is_excluded() && child.visits() > 0
}

/// What is believed about a node, as the side that moved to it sees it.
fn of_mover(node: &Node) -> Gaussian {
    let (mean, variance) = node.pair();
    Gaussian {
        mean: mean.into(),
        variance: variance.into(),
    }
    .negated()
}

/// What a descent compares.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Score {
    mean: f64,
    /// What is added to the mean.
    doubt: f64,
}

impl Score {
    fn sum(self) -> f64 {
        self.mean + self.doubt
    }
}

/// The selection formula.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Formula {
    by_visits: bool,
    exploration: f64,
}

impl Formula {
    fn of(options: &Options) -> Formula {
        Formula {
            by_visits: options.is("formula", "uct1"),
            exploration: options.number("exploration"),
        }
    }

    /// A child's score, given the visits of its parent.
    fn score(self, all: u32, child: &Node) -> Score {
        let believed = of_mover(child);
        let log = 2.0 * f64::from(all.max(1)).ln();
        let doubt = match self.by_visits {
            true => (log / f64::from(child.visits().max(1))).sqrt(),
            false => log.sqrt() * believed.sd(),
        };
        Score {
            mean: believed.mean,
            doubt: self.exploration * doubt,
        }
    }

    /// The child with the largest score among these; the first of equals.
    fn choose(
        self,
        tree: &Tree,
        id: NodeId,
        children: impl Iterator<Item = NodeId>,
    ) -> Option<(NodeId, Score)> {
        let all = tree.node(id).visits();
        let scored = children.map(|c| (c, self.score(all, tree.node(c))));
        scored.reduce(|a, b| if b.1.sum() > a.1.sum() { b } else { a })
    }
}

/// Whether the safest move is played, not the one with the largest mean.
fn is_safe(options: &Options) -> bool {
    options.is("choice", "safe")
}

/// How much a move is preferred.
fn favour(safe: bool, child: &Node) -> f32 {
    let believed = of_mover(child);
    let less = if safe { believed.sd() } else { 0.0 };
    (believed.mean - less) as f32
}

/// A move of the root with the probability that no other one is better.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Chance {
    child: NodeId,
    chance: f64,
}

/// The probability of each of the root's moves to be the best, as if they were independent.
fn chance_best(tree: &Tree, child: NodeId) -> f64 {
    let known = tree.children(Tree::ROOT).filter(|&c| counts(tree.node(c)));
    let others = known
        .filter(|&c| c != child)
        .map(|c| of_mover(tree.node(c)));
    let others: Vec<Gaussian> = others.collect();
    of_mover(tree.node(child)).chance_to_be_largest(&others)
}

/// The root's move that would be played, with its chance to be the best.
fn settled(tree: &Tree, safe: bool) -> Option<Chance> {
    let known = tree.children(Tree::ROOT).filter(|&c| counts(tree.node(c)));
    let better = |a: NodeId, b: NodeId| favour(safe, tree.node(b)) > favour(safe, tree.node(a));
    let child = known.reduce(|a, b| if better(a, b) { b } else { a })?;
    Some(Chance {
        child,
        chance: chance_best(tree, child),
    })
}

/// How a leaf's distribution is made.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Posterior {
    Belief,
    Beta { prior: f64, results: f64 },
}

impl Posterior {
    fn of(options: &Options) -> Posterior {
        match options.word("posterior") {
            "beta" => Posterior::Beta {
                prior: options.number("prior"),
                results: options.integer("results") as f64,
            },
            _ => Posterior::Belief,
        }
    }

    /// The mean and the variance of a leaf's expected score, from the view of its belief.
    fn moments(self, belief: &LeafBelief) -> (f32, f32) {
        let (mean, sd) = belief.moments();
        match self {
            Posterior::Beta { prior, results } if sd > 0.0 => {
                let won = 0.5 * (f64::from(mean) + 1.0).clamp(0.0, 2.0);
                let found = gaussian::beta(prior, results * won, results * (1.0 - won));
                // From a share of the points to an expected score.
                let mean = 2.0 * found.mean - 1.0;
                (mean as f32, (4.0 * found.variance) as f32)
            }
            _ => (mean, sd * sd),
        }
    }
}

pub struct BayesMcts {
    formula: Formula,
    posterior: Posterior,
    correlation: f64,
    numeric: bool,
    safe: bool,
    delta: f64,
    /// Whether the search ends when the best move is settled.
    stops: bool,
}

impl Strategy for BayesMcts {
    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "bayes-mcts",
        summary: "a normal distribution at every node, backed up as the largest of its moves'; goes where mean and doubt are largest",
        source: "Tesauro, Rajan & Segal, Bayesian inference in Monte-Carlo tree search (2010)",
        family: Family::BestFirst,
        beliefs: false,
        ranking: Ranking::Value,
        options: OPTIONS,
        figures: &["mu", "sigma", "chance_best"],
        goals: Goals {
            two_threads: 1.0,
            ..Goals::NONE
        },
    };

    fn new<G: Game, E: Evaluator<G>>(job: &Job<G, E>) -> Self {
        let options = job.options;
        BayesMcts {
            formula: Formula::of(options),
            posterior: Posterior::of(options),
            correlation: options.number("correlation"),
            numeric: options.is("extremum", "numeric"),
            safe: is_safe(options),
            delta: options.number("delta"),
            stops: driver::stops(job, "end"),
        }
    }

    const BELIEFS: bool = true;

    fn plan(&mut self, tree: &Tree) -> Result<Option<Aim>, StopReason> {
        let root = tree.node(Tree::ROOT);
        if driver::is_new(tree, root).is_some() {
            return Ok(None);
        }
        let sure = 1.0 - self.delta;
        if self.stops && settled(tree, self.safe).is_some_and(|best| best.chance >= sure) {
            return Err(StopReason::Settled);
        }
        let open = driver::open_children(tree, Tree::ROOT);
        let chosen = self.formula.choose(tree, Tree::ROOT, open);
        let (child, score) = chosen.ok_or(StopReason::Exhausted)?;
        let numbers = [score.mean as f32, score.doubt as f32];
        Ok(Some(Aim::new(child, &LARGEST, numbers)))
    }

    fn choose(&self, tree: &Tree, id: NodeId) -> Option<NodeId> {
        let node = tree.node(id);
        if let Some(new) = driver::is_new(tree, node) {
            return Some(new);
        }
        let open = driver::open_children(tree, id);
        self.formula.choose(tree, id, open).map(|(child, _)| child)
    }

    fn settle(&self, tree: &Tree, id: NodeId, belief: &LeafBelief) {
        let node = tree.node(id);
        let moments = self.posterior.moments(belief);
        node.set_pair(moments);
        if moments.1 > 0.0 {
            node.set_expected(moments.0.clamp(-1.0, 1.0));
        }
    }

    fn back_up(&self, tree: &Tree, id: NodeId) -> f32 {
        let node = tree.node(id);
        let known = tree.children_block(node).iter().filter(|c| counts(c));
        let moves: Vec<Gaussian> = known.map(of_mover).collect();
        let largest = match self.numeric {
            true => Gaussian::largest_exactly(&moves),
            false => Gaussian::largest(&moves, self.correlation),
        };
        let Some(largest) = largest else {
            return node.expected();
        };
        let proof = node.proof();
        let decided = proof.is_win() || proof.is_loss();
        let variance = if decided {
            0.0
        } else {
            largest.variance as f32
        };
        let mean = match (proof.is_win(), proof.is_loss()) {
            (true, _) => 1.0,
            (_, true) => -1.0,
            _ => largest.mean as f32,
        };
        node.set_pair((mean, variance));
        mean
    }

    fn favour(&self, child: &Node) -> f32 {
        favour(self.safe, child)
    }

    fn moments(tree: &Tree, node: NodeId) -> Option<(f32, f32)> {
        let node = tree.node(node);
        let (mean, variance) = node.pair();
        counts(node).then(|| (mean, variance.sqrt()))
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
