//! The JSON of the experiment on moves that have little policy.

use schemars::JsonSchema;

use super::OpenInterval;
use crate::json::Version;

/// What is lost by leaving out moves of little policy.
#[derive(JsonSchema)]
pub struct Focus {
    version: Version,
    /// What the experiment asks.
    question: String,
    /// What its figures answer: one sentence with the numbers that decide it and the control, or what is missing for a verdict.
    verdict: String,
    /// Whether the figures decide the question.
    decided: bool,
    /// The name of the experiment.
    #[schemars(extend("const" = "focus"))]
    experiment: String,
    /// Where the positions come from.
    source: String,
    /// Positions used.
    positions: usize,
    /// Positions measured so far; where there is one move only, there is nothing to measure.
    measured: usize,
    /// Whether nothing is missing: false after Ctrl-C.
    complete: bool,
    /// The search whose policy is asked.
    column: String,
    /// Its nodes.
    nodes: u64,
    /// Nodes of alpha-beta after each move; ten times as many after the moves that decide.
    judge_nodes: u64,
    /// By threshold, ascending.
    thresholds: Vec<Threshold>,
}

/// What it costs to leave out moves with less of the policy.
#[derive(JsonSchema)]
struct Threshold {
    /// The share of the policy.
    #[schemars(range(min = 0, max = 1))]
    threshold: f64,
    /// The mean number of moves kept.
    kept: Figure,
    /// The mean share of the policy that is ignored.
    ignored: Figure,
    /// How often the best move is left out.
    left_out: ByOrder,
    /// How much better it is than the best that is kept, on average over all positions, in points of the game.
    loss: ByOrder,
    /// How much more is lost by the network's policy.
    gain: Figure,
}

/// By what the moves were ordered of which as many were kept.
#[derive(JsonSchema)]
struct ByOrder {
    /// The policy after the search.
    policy: Figure,
    /// The network's policy, before any search.
    network: Figure,
    /// Chance.
    chance: Figure,
}

/// A figure with its 95 % interval by the bootstrap over the positions.
#[derive(JsonSchema)]
struct Figure {
    /// The figure.
    value: f64,
    /// Its interval; null for too few positions.
    interval: OpenInterval,
}
