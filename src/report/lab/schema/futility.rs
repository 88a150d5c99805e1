//! The JSON of the experiment on changes of score and margins.

use schemars::JsonSchema;

use crate::json::Version;
use crate::rules::AuditJson;
use lab::QUANTILES;
use studies::suite::statistics::Interval;

/// Changes of score with depth, and margins fitted to them, in centipawns.
#[derive(JsonSchema)]
pub struct Futility {
    version: Version,
    /// What the experiment asks.
    question: String,
    /// What its figures answer: one sentence with the numbers that decide it and the control, or what is missing for a verdict.
    verdict: String,
    /// Whether the figures decide the question.
    decided: bool,
    /// The name of the experiment.
    #[schemars(extend("const" = "futility"))]
    experiment: String,
    /// Where the positions come from.
    source: String,
    /// The tested rule.
    rule: String,
    /// Positions used.
    positions: usize,
    /// Positions measured so far.
    measured: usize,
    /// Positions in check, which have no static value.
    in_check: usize,
    /// The deepest iteration.
    depth: u16,
    /// Whether nothing is missing: false after Ctrl-C.
    complete: bool,
    /// From the static value, and from quiescence.
    changes: Vec<Changes>,
    /// The fitted margins.
    fits: Margins,
    /// One prune in this many was searched anyway; 0 without trials.
    audit: u32,
    /// The nodes of all searches without the rule; null without trials.
    nodes_without: Option<u64>,
    /// With --audit: the families compared at equal savings.
    trials: Vec<Trial>,
}

/// The changes of score from one origin.
#[derive(JsonSchema)]
struct Changes {
    /// What the changes are measured from.
    #[schemars(extend("enum" = ["static", "quiescence"]))]
    from: String,
    /// The shares for which `quantiles` are given.
    shares: [f64; QUANTILES.len()],
    /// By depth, from 1 on.
    depths: Vec<DepthChange>,
    /// The measures of spread.
    spreads: Vec<Spread>,
    /// Σr² / Σd: the variance of one ply's step if this were a random walk; null without changes.
    variance: Option<f64>,
}

/// The changes at one depth.
#[derive(JsonSchema)]
struct DepthChange {
    /// The depth in plies.
    depth: u16,
    /// Positions with a score at both ends that is not a mate.
    n: usize,
    /// Positions with a mate instead.
    mates: usize,
    /// The mean change.
    mean: f64,
    /// The standard deviation; null for a single position.
    sd: Option<f64>,
    /// The spread by quantiles, which the few largest changes do not affect.
    robust_sd: f64,
    /// The quantiles, with sign.
    quantiles: [f64; QUANTILES.len()],
    /// 95 % of the changes are at most this large.
    distance_95: f64,
    /// 99 % of the changes are at most this large.
    distance_99: f64,
}

/// How one measure of spread depends on depth.
#[derive(JsonSchema)]
struct Spread {
    /// The measure.
    of: String,
    /// a in a √d; null if there are too few depths.
    root: Option<Line>,
    /// a in a d; null if there are too few depths.
    linear: Option<Line>,
    /// b in a d^b: one half for a random walk; null if there are too few depths.
    exponent: Option<Estimated>,
}

/// A fitted curve.
#[derive(JsonSchema)]
struct Line {
    /// The factor.
    a: f64,
    /// Its standard error; null if there are too few positions.
    error: Option<f64>,
    /// The root mean square distance from it.
    rms: f64,
}

/// A fitted number.
#[derive(JsonSchema)]
struct Estimated {
    /// The estimate.
    value: f64,
    /// Its standard error; null if there are too few positions.
    error: Option<f64>,
}

/// The fitted margins.
#[derive(JsonSchema)]
struct Margins {
    /// The share of the changes that may exceed a margin.
    #[schemars(range(min = 0, max = 1))]
    level: f64,
    /// The factor by which an iteration takes more nodes than the one before; null if unknown.
    branching: Option<f64>,
    /// The families of margins, in the order of the command line.
    families: Vec<Margin>,
    /// The probability family with the variance of a random walk instead of a fitted scale; null if unknown.
    law: Option<Margin>,
}

/// One family of margins.
#[derive(JsonSchema)]
struct Margin {
    /// Its name.
    family: String,
    /// The fitted margin, as written after --set futility-margin=.
    margin: String,
    /// The margin by depth, from 1 on.
    centipawns: Vec<i32>,
    /// The share of changes beyond it by depth, from 1 on.
    beyond: Vec<f64>,
    /// The root mean square distance from the measured quantiles, in centipawns.
    rms: f64,
}

/// One family, tried.
#[derive(JsonSchema)]
struct Trial {
    /// Its name.
    family: String,
    /// Its margin.
    margin: String,
    /// The nodes of all searches, without audits.
    nodes: u64,
    /// Positions searched to their full depth.
    finished: usize,
    /// The share of the nodes that the rule saved; null if unknown.
    saved: Option<f64>,
    /// The nodes saved, relative to those saved by the first family; null if unknown.
    saving: Option<f64>,
    /// How evenly the rule fails over the depths.
    evenness: Evenness,
    /// The audits by rule and depth, of all rules.
    rules: Vec<AuditJson>,
}

/// How evenly a rule fails over the depths.
#[derive(JsonSchema)]
struct Evenness {
    /// Prunes that were searched anyway.
    tried: u64,
    /// Those that were wrong.
    failed: u64,
    /// The 95 % interval of their share; null if nothing was tried.
    interval: Option<Interval>,
    /// The factor by which the odds of failure change from ply to ply; null if unknown.
    odds_a_ply: Option<f64>,
    /// Its 95 % interval; null if unknown.
    odds_interval: Option<Interval>,
    /// The probability of shares this uneven if the true ones are equal; null if unknown.
    #[schemars(range(min = 0, max = 1))]
    p: Option<f64>,
}
