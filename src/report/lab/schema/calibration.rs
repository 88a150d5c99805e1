//! The JSON of the experiment on calibration.

use schemars::JsonSchema;

use super::OfLevels;
use crate::json::Version;
use belief::score::CELLS;
use session::Budget;
use studies::suite::statistics::Interval;

/// Beliefs against labelled positions.
#[derive(JsonSchema)]
pub struct Calibration {
    version: Version,
    /// What the experiment asks.
    question: String,
    /// What its figures answer: one sentence with the numbers that decide it and the control, or what is missing for a verdict.
    verdict: String,
    /// Whether the figures decide the question.
    decided: bool,
    /// The name of the experiment.
    #[schemars(extend("const" = "calibration"))]
    experiment: String,
    /// The file of labelled positions.
    source: String,
    /// The kind of labels used; null for all.
    #[schemars(extend("enum" = ["g", "x", null]))]
    kind: Option<char>,
    /// Labels in the file, of that kind.
    labels: usize,
    /// Positions used.
    positions: usize,
    /// Positions that all columns answered.
    answered: usize,
    /// Whether nothing is missing: false after Ctrl-C.
    complete: bool,
    budget: Budget,
    /// Threads for each search.
    threads: usize,
    /// The seed of the choice of positions and of the searches.
    seed: u64,
    /// The central intervals whose coverage is given, as shares.
    levels: OfLevels<f64>,
    /// The searches, in the order of the command line.
    columns: Vec<CalibrationColumn>,
    /// Why external engines failed.
    troubles: Vec<String>,
}

/// One column against labels.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum CalibrationColumn {
    Answered(Box<AnsweredColumn>),
    Unanswered(UnansweredColumn),
}

/// A column with answers.
#[derive(JsonSchema)]
struct AnsweredColumn {
    /// The name of the column.
    name: String,
    #[schemars(flatten)]
    figures: CalibrationFigures,
    /// The column's mean with a width from the errors of other positions; null for too few positions.
    control: Option<Control>,
    /// How often it plays the label's move; null if the labels have none.
    agreement: Option<Agreement>,
    /// With --fit-report: the report fitted to it.
    #[schemars(skip_serializing_if = "Option::is_none")]
    fit: Option<Fit>,
}

/// A column without answers.
#[derive(JsonSchema)]
struct UnansweredColumn {
    /// The name of the column.
    name: String,
    /// There is none.
    control: (),
    /// There is none.
    agreement: (),
}

/// How well beliefs do against the truth.
#[derive(JsonSchema)]
struct CalibrationFigures {
    /// Positions judged.
    n: usize,
    /// Positions among them for which the column had no distribution.
    points: usize,
    /// The coverage of the central intervals.
    coverage: Vec<Coverage>,
    /// The mean continuous ranked probability score.
    #[schemars(range(min = 0))]
    crps: f64,
    /// Its standard error; null for a single position.
    crps_error: Option<f64>,
    /// The mean of mean minus truth.
    bias: f64,
    /// Its standard error; null for a single position.
    bias_error: Option<f64>,
    /// The root mean square of mean minus truth.
    #[schemars(range(min = 0))]
    rmse: f64,
    /// The probability integral transforms in ten cells, as shares: even if the beliefs are calibrated.
    pit: [f64; CELLS],
}

/// One central interval.
#[derive(JsonSchema)]
struct Coverage {
    /// The share of truths that it should hold.
    #[schemars(range(min = 0, max = 1))]
    level: f64,
    /// The share that it holds.
    #[schemars(range(min = 0, max = 1))]
    share: f64,
    /// The 95 % interval of that share.
    interval: Option<Interval>,
}

/// The control of a column.
#[derive(JsonSchema)]
struct Control {
    #[schemars(flatten)]
    figures: CalibrationFigures,
    /// By column; negative if the belief is better.
    belief_less_control: Vec<BeliefLessControl>,
}

/// A column's belief against the control of one column.
#[derive(JsonSchema)]
struct BeliefLessControl {
    /// The score of this column's belief minus that control's; null if unknown.
    crps: Option<f64>,
    /// Its standard error; null if unknown.
    crps_error: Option<f64>,
}

/// How often the label's move is played.
#[derive(JsonSchema)]
struct Agreement {
    /// How often.
    hits: usize,
    /// Of how many.
    n: usize,
    /// The 95 % interval of the share.
    interval: Option<Interval>,
}

/// A fitted report: a location and a width in the logit.
#[derive(JsonSchema)]
struct Fit {
    /// The constant of the location.
    shift: f64,
    /// The factor of the value in the location.
    slope: f64,
    /// The factor of tanh(m/2) in the location.
    bend: f64,
    /// The logarithm of the width: constant, ln(1 + |m|), phase, advanced pawns.
    width: [f64; 4],
    /// The factor of ln(1 + |m|)² in the logarithm of the width.
    swell: f64,
    /// Positions that it was fitted to.
    trained: usize,
    /// Positions that it was judged on.
    held_out: usize,
    /// The report in use.
    now: Judgement,
    /// The report as fitted.
    then: Judgement,
}

/// A fitted width of the belief about a leaf.
#[derive(JsonSchema)]
pub struct LeafFit {
    /// What the experiment asks.
    question: String,
    /// What its figures answer: one sentence with the numbers that decide it and the control, or what is missing for a verdict.
    verdict: String,
    /// Whether the figures decide the question.
    decided: bool,
    #[schemars(flatten)]
    fit: Fit,
}

/// How well a report does on the positions that it was not fitted to.
#[derive(JsonSchema)]
struct Judgement {
    /// The mean negative logarithm of the likelihood.
    loss: f64,
    /// The mean continuous ranked probability score.
    #[schemars(range(min = 0))]
    crps: f64,
    /// The root mean square of mean minus truth.
    #[schemars(range(min = 0))]
    rmse: f64,
    /// The share of truths within the central interval of each of the levels.
    #[schemars(inner(range(min = 0, max = 1)))]
    coverage: OfLevels<f64>,
}
