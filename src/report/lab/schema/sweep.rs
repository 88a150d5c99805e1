//! The JSON of a sweep.

use schemars::JsonSchema;

use crate::json::Version;

/// Variants of an algorithm on the same positions.
#[derive(JsonSchema)]
pub struct Sweep {
    version: Version,
    /// What the experiment asks.
    question: String,
    /// What its figures answer: one sentence with the numbers that decide it and the control, or what is missing for a verdict.
    verdict: String,
    /// Whether the figures decide the question.
    decided: bool,
    /// The name of the experiment.
    #[schemars(extend("const" = "sweep"))]
    experiment: String,
    /// The file with the positions, or where the openings come from.
    source: String,
    /// The algorithm, with the options that are the same in all variants.
    algorithm: String,
    /// The options that name variables, as given.
    swept: Vec<String>,
    /// Each variable with its values.
    over: Vec<String>,
    /// What makes one search better than another.
    #[schemars(extend("enum" = ["solved", "points", "belief", "loss", "audit", "match"]))]
    judge: String,
    /// The rule whose prunes are audited; null for all rules, and for other judges.
    rule: Option<String>,
    /// Positions or openings that are to be answered.
    wanted: usize,
    /// Positions or openings for which every variant has a figure.
    positions: usize,
    /// Positions where some variant pruned nothing that was audited.
    left_out: usize,
    /// Whether nothing is missing: false after Ctrl-C.
    complete: bool,
    /// What each search may spend.
    budget: String,
    /// Threads per search.
    threads: usize,
    /// The seed.
    seed: u64,
    /// The variants, what is built in first; empty without positions.
    variants: Vec<SweptVariant>,
    /// The variant that is best on the positions with odd numbers, judged on the others; null if either half is empty.
    chosen: Option<ChosenVariant>,
}

/// One variant over all positions.
#[derive(JsonSchema)]
struct SweptVariant {
    /// The values of its variables, or built-in.
    name: String,
    /// The mean figure: the share solved, the share of points, the CRPS, the points of the game lost a move, the share of audited
    /// prunes that were wrong, or the score of games.
    mean: f64,
    /// How much more that is than of what is built in, widened for the number of variants; null for what is built in.
    gain: Option<GainJson>,
    /// The mean number of nodes of a search; null for games.
    nodes: Option<f64>,
    /// The mean of the last finished iterations; null for best-first searches and games.
    depth: Option<f64>,
}

/// The variant that was chosen.
#[derive(JsonSchema)]
struct ChosenVariant {
    /// Its name; built-in if nothing was better on the first half.
    name: String,
    /// Positions used for choosing.
    chosen_on: usize,
    /// Positions kept back.
    judged_on: usize,
    /// Its mean figure on those kept back.
    mean: f64,
    /// The mean figure of what is built in, on the same positions.
    built_in: f64,
    /// Between the two, at 95 %.
    gain: GainJson,
}

/// A difference of means over the same positions.
#[derive(JsonSchema)]
struct GainJson {
    /// The figure less that of what is built in.
    value: f64,
    /// From, to; null if there are too few positions.
    interval: Option<[f64; 2]>,
}
