//! The JSON of the experiment on beliefs ply by ply.

use schemars::JsonSchema;

use super::OfLevels;
use super::Options;
use crate::json::Version;
use belief::score::CELLS;
use studies::suite::statistics::Interval;

/// The beliefs inside the trees of distress, ply by ply.
#[derive(JsonSchema)]
pub struct Plies {
    version: Version,
    /// What the experiment asks.
    question: String,
    /// What its figures answer: one sentence with the numbers that decide it and the control, or what is missing for a verdict.
    verdict: String,
    /// Whether the figures decide the question.
    decided: bool,
    /// The name of the experiment.
    #[schemars(extend("const" = "plies"))]
    experiment: String,
    /// Where the positions come from.
    source: String,
    /// Whether nothing is missing: false after Ctrl-C.
    complete: bool,
    /// Positions asked for.
    positions: usize,
    /// Trees grown and labelled.
    trees: usize,
    /// Nodes per tree.
    nodes: u64,
    /// The options of distress.
    options: Options,
    /// Where the labels come from, in words.
    truth: String,
    /// Draws without a label: only their spread counts.
    unlabelled: usize,
    /// The central intervals whose coverage is given, as shares.
    levels: OfLevels<f64>,
    correlation: Correlation,
    /// The back-ups, the search's own first.
    back_ups: Vec<BackUp>,
    /// Leaves by ply.
    leaves: Vec<Ply>,
    /// With --fit: the families of back-ups, fitted and judged; null without.
    fits: Option<Fits>,
}

/// The correlation of siblings' errors by the distance of their means in units of their spread.
#[derive(JsonSchema)]
struct Correlation {
    /// The upper ends of the classes; the last class has none.
    up_to: Vec<f64>,
    /// The correlation by class.
    by_gap: Vec<f64>,
    /// Pairs of siblings by class.
    pairs: Vec<usize>,
}

/// One back-up.
#[derive(JsonSchema)]
struct BackUp {
    /// The back-up, as written after --backup.
    backup: String,
    /// Inner nodes by ply.
    by_ply: Vec<Ply>,
    /// Inner nodes by the number of back-ups below them.
    by_height: Vec<Ply>,
    /// By ply: its score minus that of the first back-up; null without labels.
    crps_above_first: Vec<Option<Figure>>,
    /// Over all plies; null if there are too few draws.
    whole: Option<Whole>,
}

/// A figure with its 95 % interval by the bootstrap over positions.
#[derive(JsonSchema)]
struct Figure {
    /// The figure.
    value: Option<f64>,
    /// Its 95 % interval; null if there is none.
    interval: Option<Interval>,
}

/// One ply, or one number of back-ups.
#[derive(JsonSchema)]
struct Ply {
    /// The ply, or the number of back-ups.
    at: usize,
    /// Draws with a label.
    n: usize,
    /// Trees that they come from.
    trees: usize,
    /// The mean standard deviation.
    sd: Figure,
    /// The root mean square of mean minus truth.
    rmse: Option<f64>,
    /// The mean of mean minus truth.
    bias: Option<f64>,
    /// The share of truths within the central interval of each of the levels; null without labels.
    coverage: Option<OfLevels<Figure>>,
    /// The continuous ranked probability score; null without labels.
    crps: Option<Figure>,
    /// The probability integral transforms in ten cells, as shares: even if the beliefs are calibrated.
    pit: [f64; CELLS],
    /// The largest distance of the transforms' distribution from the flat one.
    distance: Option<f64>,
}

/// A back-up over all plies from 1 on.
#[derive(JsonSchema)]
struct Whole {
    /// The factor by which the mean standard deviation changes from ply to ply.
    growth: Figure,
    /// The largest of the plies' mean standard deviations over the smallest.
    range: Figure,
    /// The mean distance of the coverage from what it should be.
    miss: Figure,
    /// The mean score, each ply with the same weight.
    crps: Figure,
    /// The probability integral transforms in ten cells, as shares: even if the beliefs are calibrated.
    pit: [f64; CELLS],
    /// The largest distance of the transforms' distribution from the flat one.
    distance: Option<f64>,
    /// Whether the spread is the same at every ply up to a factor of 1.25.
    stable: bool,
    /// Whether the coverage is off by at most 0.05 on average.
    held: bool,
}

/// The fits, judged on the positions that they were not fitted to.
#[derive(JsonSchema)]
struct Fits {
    /// Trees that they were fitted to.
    fitted_on: usize,
    /// Trees that they were judged on.
    judged_on: usize,
    correlation: Correlation,
    /// The search's own back-up, those without parameters, then the fits.
    back_ups: Vec<FittedBackUp>,
}

/// One back-up among the fits.
#[derive(JsonSchema)]
struct FittedBackUp {
    /// The back-up, as written after --backup.
    backup: String,
    /// Its family; null if nothing was fitted.
    family: Option<String>,
    /// What it was fitted for; null if nothing was fitted.
    #[schemars(extend("enum" = ["spread", "score", null]))]
    aim: Option<String>,
    /// What was minimised, on the trees of the fit; null if nothing was fitted.
    loss: Option<f64>,
    /// Over all plies; null if there are too few draws.
    whole: Option<Whole>,
}
