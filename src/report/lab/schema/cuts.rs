//! The JSON of the experiment on probabilistic cuts.

use schemars::JsonSchema;

use crate::json::Version;

/// Whether probabilistic cuts hold as often as they claim.
#[derive(JsonSchema)]
pub struct Cuts {
    version: Version,
    /// What the experiment asks.
    question: String,
    /// What its figures answer: one sentence with the numbers that decide it and the control, or what is missing for a verdict.
    verdict: String,
    /// Whether the figures decide the question.
    decided: bool,
    /// The name of the experiment.
    #[schemars(extend("const" = "cuts"))]
    experiment: String,
    /// Where the positions come from.
    source: String,
    /// Positions used.
    positions: usize,
    /// Positions that all columns have searched.
    searched: usize,
    /// Whether nothing is missing: false after Ctrl-C.
    complete: bool,
    /// What each search may spend.
    budget: String,
    /// One cut in so many was audited.
    audit: u64,
    /// How many plies deeper than the node that was cut off audits searched.
    plies: u64,
    /// The searches, in the order of the command line.
    columns: Vec<CutsColumn>,
}

/// The audited cuts of one column.
#[derive(JsonSchema)]
struct CutsColumn {
    /// The name of the column.
    name: String,
    /// All of them; null if there are none.
    all: Option<Claims>,
    /// In at most ten groups of about equal size, the lowest claims first.
    by_claim: Vec<Claims>,
    /// By the plies left at the node that was cut off.
    by_depth: Vec<ClaimsOfDepth>,
}

/// Some cuts: what they claim, and what holds.
#[derive(JsonSchema)]
struct Claims {
    /// Their number.
    cuts: usize,
    /// The lowest claim: the probability that the node is worth at least beta.
    #[schemars(range(min = 0, max = 1))]
    from: f64,
    /// The highest claim.
    #[schemars(range(min = 0, max = 1))]
    to: f64,
    /// The mean claim.
    #[schemars(range(min = 0, max = 1))]
    claimed: f64,
    /// The share of the nodes that are worth at least beta by the audit.
    #[schemars(range(min = 0, max = 1))]
    held: f64,
    /// Its 95 % interval over resampled positions; null if there are too few.
    interval: Option<[f64; 2]>,
}

/// The cuts at nodes with so many plies left.
#[derive(JsonSchema)]
struct ClaimsOfDepth {
    /// Plies left.
    depth: u16,
    #[serde(flatten)]
    claims: Claims,
}
