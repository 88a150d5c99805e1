//! The JSON of the experiment on spread.

use schemars::JsonSchema;

use super::OfLevels;
use super::Options;
use crate::json::Version;

/// Without --toy: searches of positions.
#[derive(JsonSchema)]
pub struct Searches {
    version: Version,
    /// What the experiment asks.
    question: String,
    /// What its figures answer: one sentence with the numbers that decide it and the control, or what is missing for a verdict.
    verdict: String,
    /// Whether the figures decide the question.
    decided: bool,
    /// The name of the experiment.
    #[schemars(extend("const" = "spread"))]
    experiment: String,
    /// What was searched.
    #[schemars(extend("const" = "chess"))]
    trees: String,
    /// Where the positions come from.
    source: String,
    /// Whether nothing is missing: false after Ctrl-C.
    complete: bool,
    /// Positions used.
    positions: usize,
    /// Positions that all rules searched.
    searched: usize,
    /// Positions among them that some rule solved, which are left out of all means.
    solved: usize,
    /// The node counts at which the root's belief was looked at.
    nodes: Vec<u64>,
    /// The options of distress; each rule has its own back-up.
    options: Options,
    /// The rules tested.
    rules: Vec<SearchedRule>,
}

/// One back-up rule in searches.
#[derive(JsonSchema)]
struct SearchedRule {
    /// The rule, as written after --set backup=.
    backup: String,
    /// The share of the nodes below the root's moves.
    #[schemars(range(min = 0, max = 1))]
    below_moves: f64,
    /// The root's standard deviation by node count; null if no search got that far.
    by_nodes: Vec<Option<Mean>>,
    /// How far the root's mean moved from one node count to the next.
    moved: Vec<Option<Mean>>,
    /// By ply, from the root on.
    by_ply: Vec<SearchedPly>,
}

/// One ply of the last trees.
#[derive(JsonSchema)]
struct SearchedPly {
    /// The ply.
    ply: usize,
    /// Expanded nodes, weighed by visits; null without any.
    expanded: Option<Mean>,
    /// Leaves; null without any.
    leaves: Option<Mean>,
}

/// A mean of standard deviations.
#[derive(JsonSchema)]
struct Mean {
    /// The mean, in expected score.
    #[schemars(range(min = 0))]
    sd: f64,
    /// Its standard error; null for a single position.
    error: Option<f64>,
    /// The number of positions.
    n: usize,
}

/// With --toy: a population of random trees.
#[derive(JsonSchema)]
pub struct Population {
    version: Version,
    /// What the experiment asks.
    question: String,
    /// What its figures answer: one sentence with the numbers that decide it and the control, or what is missing for a verdict.
    verdict: String,
    /// Whether the figures decide the question.
    decided: bool,
    /// The name of the experiment.
    #[schemars(extend("const" = "spread"))]
    experiment: String,
    /// What was grown.
    #[schemars(extend("const" = "toy"))]
    trees: String,
    /// Whether nothing is missing: false after Ctrl-C.
    complete: bool,
    /// Moves per node.
    branching: usize,
    /// The depth of the deepest trees in plies.
    depth: usize,
    /// Trees of each depth.
    population: usize,
    /// The standard deviation of a move's known worth.
    shift: f64,
    /// The standard deviation of a leaf's error.
    error: f64,
    /// The correlation of siblings' errors.
    correlation: f64,
    /// The seed of the trees.
    seed: u64,
    /// The central intervals whose coverage is given, as shares.
    levels: OfLevels<f64>,
    /// By depth from 1 on: the score of the best of these means, rightly placed and wide.
    oracle: Vec<Option<f64>>,
    /// The rules tested.
    rules: Vec<GrownRule>,
}

/// One back-up rule in random trees.
#[derive(JsonSchema)]
struct GrownRule {
    /// The rule, as written after --set backup=.
    backup: String,
    /// By depth, as far as it got.
    by_depth: Vec<GrownDepth>,
}

/// Random trees of one depth.
#[derive(JsonSchema)]
struct GrownDepth {
    /// Plies below the root.
    depth: usize,
    /// The mean standard deviation of the belief.
    #[schemars(range(min = 0))]
    sd: f64,
    /// The share of truths within the central interval of each of the levels.
    #[schemars(inner(range(min = 0, max = 1)))]
    coverage: OfLevels<f64>,
    /// The mean continuous ranked probability score.
    #[schemars(range(min = 0))]
    crps: f64,
    /// That score divided by the oracle's; null if unknown.
    relative: Option<f64>,
    /// The mean of mean minus truth.
    bias: f64,
}
