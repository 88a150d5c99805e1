//! The JSON of the experiment on point differential.

use std::collections::BTreeMap;

use schemars::JsonSchema;

use super::OpenInterval;
use crate::json::Version;
use studies::suite::statistics::Interval;

/// Matches of mcts with point differential against mcts without.
#[derive(JsonSchema)]
pub struct Differential {
    version: Version,
    /// What the experiment asks.
    question: String,
    /// What its figures answer: one sentence with the numbers that decide it and the control, or what is missing for a verdict.
    verdict: String,
    /// Whether the figures decide the question.
    decided: bool,
    /// The name of the experiment.
    #[schemars(extend("const" = "point-differential"))]
    experiment: String,
    /// Whether nothing is missing: false after Ctrl-C.
    complete: bool,
    /// Games in all cells together.
    games: usize,
    /// The game: chess, or go with the size of its board, as in go9.
    game: String,
    /// Playouts per move.
    playouts: u32,
    /// The plies after the opening at which a game ends.
    plies: u16,
    /// The static evaluation in centipawns that wins a game if it lasts, in Go the expected score in thousandths; 0: never.
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
