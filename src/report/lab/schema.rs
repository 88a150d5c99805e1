//! What the experiments write as JSON, as types: their schemas are derived from these. The experiments write the objects
//! themselves, and the tests check that they keep to the schemas.
#![expect(dead_code, reason = "the types only describe")]

use std::collections::BTreeMap;

use schemars::JsonSchema;

use crate::json::Version;
use crate::rules::AuditJson;
use crate::schema::OptionValue;
use belief::score::{CELLS, LEVELS};
use lab::QUANTILES;
use session::Budget;
use studies::suite::statistics::Interval;

type Options = BTreeMap<String, OptionValue>;
type OfLevels<T> = [T; LEVELS.len()];
/// An interval of which an infinite end is null.
type OpenInterval = Option<[Option<f64>; 2]>;

/// Changes of score with depth, and margins fitted to them, in centipawns.
#[derive(JsonSchema)]
pub struct Futility {
    version: Version,
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

/// How well a shallow search foretells a deep one.
#[derive(JsonSchema)]
pub struct ProbCut {
    version: Version,
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

/// Matches of mcts with point differential against mcts without.
#[derive(JsonSchema)]
pub struct Differential {
    version: Version,
    /// The name of the experiment.
    #[schemars(extend("const" = "point-differential"))]
    experiment: String,
    /// Whether nothing is missing: false after Ctrl-C.
    complete: bool,
    /// Games in all cells together.
    games: usize,
    /// Playouts per move.
    playouts: u32,
    /// The plies after the opening at which a game ends.
    plies: u16,
    /// The static evaluation in centipawns that wins a game if it lasts; 0: never.
    margin: u32,
    /// The seed of all games.
    seed: u64,
    /// The options of mcts on both sides.
    options: BTreeMap<String, String>,
    /// How the intervals are computed.
    interval: String,
    /// The cells asked for.
    cells: Vec<Cell>,
}

/// One pair of weights: the side with point differential against the side without.
#[derive(JsonSchema)]
struct Cell {
    /// The weight with all pieces on the board.
    from: f64,
    /// The weight with only kings and pawns.
    to: f64,
    /// Games.
    games: usize,
    /// Won.
    won: usize,
    /// Drawn.
    drawn: usize,
    /// Lost.
    lost: usize,
    /// Pairs of games with colours swapped, by their points: 0, ½, 1, 1½, 2.
    pairs: [usize; 5],
    /// Points per game; null without games.
    #[schemars(range(min = 0, max = 1))]
    score: Option<f64>,
    /// The 95 % interval of the score; null without games.
    interval: Option<Interval>,
    /// The difference in Elo; null without games or if infinite.
    elo: Option<f64>,
    /// Its 95 % interval; an infinite end is null.
    elo_interval: OpenInterval,
}

/// Without --toy: searches of positions.
#[derive(JsonSchema)]
pub struct Searches {
    version: Version,
    /// The name of the experiment.
    #[schemars(extend("const" = "spread"))]
    experiment: String,
    /// What was searched.
    #[schemars(extend("const" = "chess"))]
    trees: String,
    /// Where the positions come from.
    source: String,
    /// Whether nothing is missing: false after Ctrl-C.
    complete: bool,
    /// Positions used.
    positions: usize,
    /// Positions that all rules searched.
    searched: usize,
    /// Positions among them that some rule solved, which are left out of all means.
    solved: usize,
    /// The node counts at which the root's belief was looked at.
    nodes: Vec<u64>,
    /// The options of distress; each rule has its own back-up.
    options: Options,
    /// The rules tested.
    rules: Vec<SearchedRule>,
}

/// One back-up rule in searches.
#[derive(JsonSchema)]
struct SearchedRule {
    /// The rule, as written after --set backup=.
    backup: String,
    /// The share of the nodes below the root's moves.
    #[schemars(range(min = 0, max = 1))]
    below_moves: f64,
    /// The root's standard deviation by node count; null if no search got that far.
    by_nodes: Vec<Option<Mean>>,
    /// How far the root's mean moved from one node count to the next.
    moved: Vec<Option<Mean>>,
    /// By ply, from the root on.
    by_ply: Vec<SearchedPly>,
}

/// One ply of the last trees.
#[derive(JsonSchema)]
struct SearchedPly {
    /// The ply.
    ply: usize,
    /// Expanded nodes, weighed by visits; null without any.
    expanded: Option<Mean>,
    /// Leaves; null without any.
    leaves: Option<Mean>,
}

/// A mean of standard deviations.
#[derive(JsonSchema)]
struct Mean {
    /// The mean, in expected score.
    #[schemars(range(min = 0))]
    sd: f64,
    /// Its standard error; null for a single position.
    error: Option<f64>,
    /// The number of positions.
    n: usize,
}

/// With --toy: a population of random trees.
#[derive(JsonSchema)]
pub struct Population {
    version: Version,
    /// The name of the experiment.
    #[schemars(extend("const" = "spread"))]
    experiment: String,
    /// What was grown.
    #[schemars(extend("const" = "toy"))]
    trees: String,
    /// Whether nothing is missing: false after Ctrl-C.
    complete: bool,
    /// Moves per node.
    branching: usize,
    /// The depth of the deepest trees in plies.
    depth: usize,
    /// Trees of each depth.
    population: usize,
    /// The standard deviation of a move's known worth.
    shift: f64,
    /// The standard deviation of a leaf's error.
    error: f64,
    /// The correlation of siblings' errors.
    correlation: f64,
    /// The seed of the trees.
    seed: u64,
    /// The central intervals whose coverage is given, as shares.
    levels: OfLevels<f64>,
    /// By depth from 1 on: the score of the best of these means, rightly placed and wide.
    oracle: Vec<Option<f64>>,
    /// The rules tested.
    rules: Vec<GrownRule>,
}

/// One back-up rule in random trees.
#[derive(JsonSchema)]
struct GrownRule {
    /// The rule, as written after --set backup=.
    backup: String,
    /// By depth, as far as it got.
    by_depth: Vec<GrownDepth>,
}

/// Random trees of one depth.
#[derive(JsonSchema)]
struct GrownDepth {
    /// Plies below the root.
    depth: usize,
    /// The mean standard deviation of the belief.
    #[schemars(range(min = 0))]
    sd: f64,
    /// The share of truths within the central interval of each of the levels.
    #[schemars(inner(range(min = 0, max = 1)))]
    coverage: OfLevels<f64>,
    /// The mean continuous ranked probability score.
    #[schemars(range(min = 0))]
    crps: f64,
    /// That score divided by the oracle's; null if unknown.
    relative: Option<f64>,
    /// The mean of mean minus truth.
    bias: f64,
}

/// The beliefs inside the trees of distress, ply by ply.
#[derive(JsonSchema)]
pub struct Plies {
    version: Version,
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

/// Searches of random trees with a hidden refutation.
#[derive(JsonSchema)]
pub struct Refutation {
    version: Version,
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

/// How sure the value of an alpha-beta is by its depth.
#[derive(JsonSchema)]
pub struct Depths {
    version: Version,
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

/// Beliefs against labelled positions.
#[derive(JsonSchema)]
pub struct Calibration {
    version: Version,
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
pub struct Fit {
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
