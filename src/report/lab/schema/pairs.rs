//! The JSON of the experiment on pairs of depths.

use schemars::JsonSchema;

use crate::json::Version;

/// How well a shallow search foretells a deep one.
#[derive(JsonSchema)]
pub struct ProbCut {
    version: Version,
    /// What the experiment asks.
    question: String,
    /// What its figures answer: one sentence with the numbers that decide it and the control, or what is missing for a verdict.
    verdict: String,
    /// Whether the figures decide the question.
    decided: bool,
    /// The name of the experiment.
    #[schemars(extend("const" = "prob-cut"))]
    experiment: String,
    /// Where the positions come from.
    source: String,
    /// Positions used.
    positions: usize,
    /// Positions measured so far.
    measured: usize,
    /// Whether nothing is missing: false after Ctrl-C.
    complete: bool,
    /// Only positions whose shallow value is within this many centipawns of 0 count.
    within: u32,
    /// By pairs of depths of the same parity.
    pairs: Vec<Pair>,
}

/// The line v = a v' + b through the values at two depths.
#[derive(JsonSchema)]
struct Pair {
    /// The depth of v in plies.
    deep: u16,
    /// The depth of v' in plies.
    shallow: u16,
    /// Positions that count.
    n: usize,
    /// Positions left out: a mate at either depth, or a shallow value beyond the range.
    left_out: usize,
    /// The slope; null if there are too few positions.
    a: Option<f64>,
    /// The intercept in centipawns; null if there are too few positions.
    b: Option<f64>,
    /// The standard deviation of the error in centipawns; null if there are too few positions.
    sigma: Option<f64>,
    /// The correlation; null if there are too few positions.
    #[schemars(range(min = -1, max = 1))]
    r: Option<f64>,
    /// Whether a cut may rest on it: a is above 0 and r at least 0.8.
    usable: bool,
}
