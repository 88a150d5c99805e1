//! The JSON of the experiment on walks.

use schemars::JsonSchema;

use crate::json::Version;

/// How static values change along walks, and how many independent bets a skipped subtree is.
#[derive(JsonSchema)]
pub struct Walks {
    version: Version,
    /// What the experiment asks.
    question: String,
    /// What its figures answer: one sentence with the numbers that decide it and the control, or what is missing for a verdict.
    verdict: String,
    /// Whether the figures decide the question.
    decided: bool,
    /// The name of the experiment.
    #[schemars(extend("const" = "walks"))]
    experiment: String,
    /// Where the positions come from.
    source: String,
    /// Positions used.
    positions: usize,
    /// Positions measured so far; one in check has no static value and is left out.
    measured: usize,
    /// Whether nothing is missing: false after Ctrl-C.
    complete: bool,
    /// The mean number of legal moves; null if nothing was measured.
    branching: Option<f64>,
    /// Along random legal moves.
    random: Changes,
    /// Along the moves of a search.
    search: Changes,
    /// By plies and margins.
    bets: Vec<Bets>,
}

/// The changes of the static value along walks of one kind.
#[derive(JsonSchema)]
struct Changes {
    /// The b of sd = a d^b over the plies d: one half for a random walk; null if there are too few plies.
    exponent: Option<f64>,
    /// Its 95 % interval over resampled positions; null if there are too few.
    exponent_interval: Option<[f64; 2]>,
    /// By plies, from 1 on.
    plies: Vec<AtPly>,
}

/// The changes after so many plies, in centipawns, from the view of the side to move first.
#[derive(JsonSchema)]
struct AtPly {
    /// Plies from the position.
    ply: usize,
    /// Changes; where the walk ends in check there is none.
    n: usize,
    /// Their mean.
    mean: f64,
    /// Their standard deviation.
    sd: f64,
    /// Their excess kurtosis: 0 of a normal distribution.
    kurtosis: f64,
    /// The share further than two standard deviations from the mean.
    #[schemars(range(min = 0, max = 1))]
    beyond_two_sd: f64,
}

/// How often at least one of the positions below one is above it by more than a margin.
#[derive(JsonSchema)]
struct Bets {
    /// Plies from the position.
    ply: usize,
    /// In centipawns.
    margin: i32,
    /// The mean number of positions so many plies away that are not in check.
    positions: f64,
    /// The mean share of them that is above by more than the margin.
    #[schemars(range(min = 0, max = 1))]
    above: f64,
    /// The share of positions with at least one such position.
    #[schemars(range(min = 0, max = 1))]
    lost: f64,
    /// The number of independent bets of that chance that would be lost as often; null where nothing determines it.
    independent: Option<f64>,
    /// Its 95 % interval over resampled positions.
    interval: Option<[f64; 2]>,
}
