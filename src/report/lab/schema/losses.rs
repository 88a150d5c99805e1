//! The JSON of the experiment on losses.

use schemars::JsonSchema;

use super::{OfLevels, OpenInterval};
use crate::json::Version;

/// Games between two algorithms, every move of which was judged. Points are those of the game: won 1, drawn 0.5, lost 0; a
/// score is (1 + tanh(cp / 360)) / 2.
#[derive(JsonSchema)]
pub struct Losses {
    version: Version,
    /// What the experiment asks.
    question: String,
    /// What its figures answer: one sentence with the numbers that decide it and the control, or what is missing for a verdict.
    verdict: String,
    /// Whether the figures decide the question.
    decided: bool,
    /// The name of the experiment.
    #[schemars(extend("const" = "losses"))]
    experiment: String,
    /// Whether nothing is missing: false after Ctrl-C.
    complete: bool,
    /// Games asked for, over all budgets.
    games: usize,
    /// Games played and judged.
    played: usize,
    /// The search that judged the moves.
    judge: String,
    /// Nodes per search of the judge.
    judge_nodes: u64,
    /// The least fall that has a kind, in points.
    fall: f64,
    /// The points from which a position counts as won.
    won: f64,
    /// The moves of each side after which a game is drawn.
    longest: usize,
    /// The seed of the openings, the searches and the bootstrap.
    seed: u64,
    /// The budgets, in the order of the command line.
    budgets: Vec<LossesBudget>,
}

/// The games of one budget.
#[derive(JsonSchema)]
struct LossesBudget {
    /// Nodes per move.
    nodes: u64,
    /// Games played and judged.
    played: usize,
    /// How the games ended.
    ends: Vec<LossesEnd>,
    /// The two sides, in the order of the command line.
    columns: [LossesColumn; 2],
}

/// One way in which games end.
#[derive(JsonSchema)]
struct LossesEnd {
    /// Its name; `length` is a draw after the longest game.
    end: String,
    /// How many games ended so.
    games: usize,
}

/// One side.
#[derive(JsonSchema)]
struct LossesColumn {
    /// The name of the column.
    name: String,
    /// Games it won.
    won: usize,
    /// Games it drew.
    drawn: usize,
    /// Games it lost.
    lost: usize,
    /// Pairs of games (colours swapped) by its points: 0, 1/2, 1, 3/2, 2.
    pairs: [usize; 5],
    /// Its points over the games; null without any.
    score: Option<f64>,
    /// The 95 % interval of that (Wilson); null without games.
    interval: Option<[f64; 2]>,
    /// The difference in Elo; null if infinite or without games.
    elo: Option<f64>,
    /// Its 95 % interval, an infinite end is null; null without games.
    elo_interval: OpenInterval,
    /// Its moves for which the judge had too few nodes.
    unjudged: usize,
    /// The mean fall of its moves, in points.
    mean_fall: MeanFall,
    /// The falls in the games that it lost.
    lost_games: Accounts,
    /// The falls in all games.
    all_games: Accounts,
    /// What it believed of the moves that it played; null if its algorithm has no beliefs.
    beliefs: Option<LossesBeliefs>,
}

/// The mean fall of a move in several sets of games; null where there are none.
#[derive(JsonSchema)]
struct MeanFall {
    /// In all games.
    all: Option<GamesFigure>,
    /// In the games that the column lost.
    lost: Option<GamesFigure>,
    /// In its other games.
    other: Option<GamesFigure>,
}

/// The falls of both sides in the same games.
#[derive(JsonSchema)]
struct Accounts {
    /// Those of the column's moves.
    own: Account,
    /// Those of the other side's.
    control: Account,
}

/// The falls of one side.
#[derive(JsonSchema)]
struct Account {
    /// The number of games.
    games: usize,
    /// The number of moves that were judged.
    moves: usize,
    /// By kind; at the end `drift`, the falls too small for a kind, and `all`.
    kinds: Vec<KindFalls>,
}

/// The falls of one kind.
#[derive(JsonSchema)]
struct KindFalls {
    /// The kind.
    kind: String,
    /// How many there are.
    falls: usize,
    /// Their sum, in points.
    sum: f64,
    /// Their sum by game, in points.
    a_game: f64,
    /// By phase.
    phases: [PhaseFalls; 3],
}

/// The falls of one kind in one phase.
#[derive(JsonSchema)]
struct PhaseFalls {
    /// The phase: `opening`, `middlegame` or `endgame`.
    phase: String,
    /// How many there are.
    falls: usize,
    /// Their sum, in points.
    sum: f64,
}

/// What a column believed at falls, and at its other moves as the control.
#[derive(JsonSchema)]
struct LossesBeliefs {
    /// At falls; null if there are none.
    at_falls: Option<LossesBelief>,
    /// At the other moves; null if there are none.
    elsewhere: Option<LossesBelief>,
    /// The mean standard deviation at falls over that elsewhere; null if one is missing.
    sd_ratio: Option<GamesFigure>,
}

/// What a column believed at some moves.
#[derive(JsonSchema)]
struct LossesBelief {
    /// The number of moves with a belief.
    moves: usize,
    /// The median share of the policy of the judge's move: its chance to be the best in `distress`, else its part of the visits;
    /// null if unknown.
    share: Option<GamesFigure>,
    /// The mean probability of a value as low as the judge's.
    as_low: GamesFigure,
    /// The mean standard deviation, in points.
    sd: GamesFigure,
    /// The shares of the judge's values within the central 50, 80 and 90 %.
    coverage: OfLevels<GamesFigure>,
}

/// A figure with its 95 % interval by the bootstrap over the games.
#[derive(JsonSchema)]
struct GamesFigure {
    /// The figure.
    value: f64,
    /// Its 95 % interval; null for too few games.
    interval: Option<[f64; 2]>,
}
