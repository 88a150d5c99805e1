//! The JSON of the experiment on the largest of several values.

use schemars::JsonSchema;

use super::OpenInterval;
use crate::json::Version;

/// How well the largest of several values can be told from three numbers of each.
#[derive(JsonSchema)]
pub struct Maximum {
    version: Version,
    /// What the experiment asks.
    question: String,
    /// What its figures answer: one sentence with the numbers that decide it and the control, or what is missing for a verdict.
    verdict: String,
    /// Whether the figures decide the question.
    decided: bool,
    /// The name of the experiment.
    #[schemars(extend("const" = "maximum"))]
    experiment: String,
    /// Whether nothing is missing: false after Ctrl-C.
    complete: bool,
    /// Draws of each kind.
    draws: usize,
    /// The seed of the draws.
    seed: u64,
    /// One maximum.
    once: Vec<Row>,
    /// Trees: maxima of one side's and the other's in turn.
    trees: Vec<Row>,
}

/// Values or leaves of one kind.
#[derive(JsonSchema)]
struct Row {
    /// The number of values, or of moves at each node.
    number: usize,
    /// By how much the widest may be wider than the narrowest.
    ratio: f64,
    /// The plies of the tree.
    plies: u32,
    /// How far off each way is.
    off: Vec<Off>,
}

/// How far off one way is.
#[derive(JsonSchema)]
struct Off {
    /// The way.
    #[schemars(extend("enum" = ["best", "clark", "moments", "fitted", "product"]))]
    way: String,
    /// The root mean square error of the three points, by the exact distance from the 5 % to the 95 % point.
    error: Figure,
    /// By how much the median is too high on average, by the same distance.
    shift: Figure,
    /// The distance from the 5 % to the 95 % point, by the exact one (geometric mean).
    width: Figure,
}

/// A figure with its 95 % interval by the bootstrap over the draws.
#[derive(JsonSchema)]
struct Figure {
    /// The figure.
    value: f64,
    /// Its interval; null for too few draws.
    interval: OpenInterval,
}
