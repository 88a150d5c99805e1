//! The JSON of the experiment on hidden refutations.

use schemars::JsonSchema;

use super::OpenInterval;
use crate::json::Version;

/// Searches of random trees with a hidden refutation.
#[derive(JsonSchema)]
pub struct Refutation {
    version: Version,
    /// What the experiment asks.
    question: String,
    /// What its figures answer: one sentence with the numbers that decide it and the control, or what is missing for a verdict.
    verdict: String,
    /// Whether the figures decide the question.
    decided: bool,
    /// The name of the experiment.
    #[schemars(extend("const" = "refutation"))]
    experiment: String,
    /// Whether nothing is missing: false after Ctrl-C.
    complete: bool,
    /// Trees asked for.
    trees: usize,
    /// Trees that all columns searched.
    searched: usize,
    /// Nodes per search.
    nodes: u64,
    /// Moves per node.
    branching: usize,
    /// The plies after the refuting reply for which the static value does not know of it.
    hidden: usize,
    /// The seed of the trees.
    seed: u64,
    /// What the refutation costs, in centipawns.
    loss: f64,
    /// By how much the refuted move looks better than the next, in centipawns.
    margin: f64,
    /// The searches, in the order of the command line.
    columns: Vec<RefutationColumn>,
}

/// One column in trees with a refutation.
#[derive(JsonSchema)]
struct RefutationColumn {
    /// The name of the column.
    name: String,
    /// What it did; null if nothing was searched.
    figures: Option<RefutationFigures>,
}

/// What one column did.
#[derive(JsonSchema)]
struct RefutationFigures {
    /// The share of searches that saw the refutation.
    sighted: OpenFigure,
    /// The median number of nodes at the first sight.
    sighted_at: OpenFigure,
    /// The mean number of changes of the choice before that.
    changes: OpenFigure,
    /// The mean share of the moments before that with the best-looking move; null if unknown.
    held: Option<OpenFigure>,
    /// The share that ended with another move.
    recovered: OpenFigure,
    /// The median number of nodes from the first sight to the last moment with the refuted move.
    recovery: OpenFigure,
    /// The share of the control's searches that ended with another move although there is no refutation.
    strayed: OpenFigure,
    /// The mean standard deviation of the root's belief, in expected score: just before the first sight, at its widest after
    /// that, at the end, and at the end of the control's searches; null without beliefs.
    spread: [Option<OpenFigure>; 4],
    /// How much more often than the first column it gave the move up; null if unknown.
    recovered_above_first: Option<OpenFigure>,
}

/// A figure with its 95 % interval by the bootstrap over the trees.
#[derive(JsonSchema)]
struct OpenFigure {
    /// The figure; null if infinite.
    value: Option<f64>,
    /// Its 95 % interval, an infinite end is null; null for too few trees.
    interval: OpenInterval,
}
