//! The JSON of the experiment on beliefs by depth.

use schemars::JsonSchema;

use super::OfLevels;
use crate::json::Version;

/// How sure the value of an alpha-beta is by its depth.
#[derive(JsonSchema)]
pub struct Depths {
    version: Version,
    /// What the experiment asks.
    question: String,
    /// What its figures answer: one sentence with the numbers that decide it and the control, or what is missing for a verdict.
    verdict: String,
    /// Whether the figures decide the question.
    decided: bool,
    /// The name of the experiment.
    #[schemars(extend("const" = "depths"))]
    experiment: String,
    /// The file of labelled positions.
    source: String,
    /// Positions used.
    positions: usize,
    /// Whether nothing is missing: false after Ctrl-C.
    complete: bool,
    /// The central intervals whose coverage is given, as shares.
    levels: OfLevels<f64>,
    /// Positions that the belief was fitted to.
    trained: usize,
    /// Positions that it was judged on.
    held_out: usize,
    /// The fitted weights of the location, in the logit.
    location: Vec<f64>,
    /// The fitted weights of the logarithm of the width.
    width: Vec<f64>,
    /// By depth, from 0 on.
    depths: Vec<JudgedDepth>,
}

/// One depth of an alpha-beta.
#[derive(JsonSchema)]
struct JudgedDepth {
    /// The plies before quiescence.
    depth: usize,
    /// The belief as fitted here.
    fitted: Judged,
    /// The belief in use.
    in_use: Judged,
    /// The control: one width for this depth.
    constant: Judged,
    /// The control's width in the logit.
    constant_width: f64,
    /// The mean difference of the score, fitted less control.
    gain: Option<f64>,
    /// Its standard error.
    gain_error: Option<f64>,
}

/// How well one kind of belief does at one depth.
#[derive(JsonSchema)]
struct Judged {
    /// Positions.
    n: usize,
    /// The mean continuous ranked probability score.
    crps: Option<f64>,
    /// The share of truths within the central interval of each of the levels.
    coverage: OfLevels<Option<f64>>,
}
