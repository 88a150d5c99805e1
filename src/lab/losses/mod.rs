//! The Lab's experiment on losses: where a search loses its games, and whether it knows its doubt there.
//!
//! Two columns play games against each other ([`player`]), from balanced openings and with both colours. Another search
//! judges every move ([`judge`]): what it expects after its own move against what it expects after the move played. A fall of
//! at least a threshold has a kind ([`Kind`]). All values are in points of the game: a win is 1, a draw 1/2, a loss 0, and
//! a score in between has its expected score, (1 + tanh(cp / 360)) / 2.
//!
//! A game depends on nothing but the plan and its number, so the results do not depend on the number of threads.

mod doubt;
mod figures;
mod game;
mod judge;
mod kind;
mod opening;
mod player;

use std::sync::Arc;

use crate::PlanError;
use crate::differential::Outcome;
use crate::kept::Kept;
use ::game::MoveCode;
use session::jobs::{BackgroundJob, Worker};
use session::{Config, Session, State};
use studies::compare::ColumnSpec;
use studies::review::Phase;
use tree::Family;

pub use doubt::{BeliefFigures, Beliefs, Doubt};
pub use figures::{Account, Sum, Which};
pub use game::{End, LONGEST};
pub use kind::{Kind, WON};
pub use opening::{BALANCED, PLIES};

pub(crate) use game::play;
pub(crate) use judge::Judge as Referee;
pub(crate) use opening::{mixed, opening};
pub(crate) use player::Player;

use judge::Judge;

/// What to play, and who judges it.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The two sides.
    pub columns: Vec<ColumnSpec>,
    /// The number of games for each budget; an odd number is rounded up.
    pub games: usize,
    /// The nodes of a move. Each budget has games of its own, from the same openings.
    pub nodes: Vec<u64>,
    pub judge: ColumnSpec,
    /// The nodes of each search of the judge.
    pub judge_nodes: u64,
    /// The least fall that has a kind, in points.
    pub fall: f64,
    pub seed: u64,
    /// The number of games at a time, each on one thread.
    pub at_a_time: usize,
}

/// A game with what the judge says of its moves.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct JudgedGame {
    /// The column that had White.
    pub white: usize,
    /// The moves of the opening, which nobody chose, from the usual start.
    pub opening: Vec<MoveCode>,
    pub moves: Vec<JudgedMove>,
    pub end: End,
    /// The result for the first column.
    pub outcome: Outcome,
}

/// A move of a game.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct JudgedMove {
    pub played: MoveCode,
    /// The column that played it.
    pub column: usize,
    pub phase: Phase,
    /// `None` if the judge had too few nodes for a value.
    pub judged: Option<Judged>,
    /// What the column itself believed; `None` if it has no belief about this move.
    pub doubt: Option<Doubt>,
}

/// What the judge says of a move, in points for the side that played it.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Judged {
    /// The value after the judge's own move.
    pub before: f64,
    /// The value after the move played.
    pub after: f64,
    /// `None` if it fell by less than the threshold.
    pub kind: Option<Kind>,
}

impl Judged {
    /// Whether the position was neither won nor lost before the move.
    pub fn was_open(&self) -> bool {
        (1.0 - WON..=WON).contains(&self.before)
    }

    /// Returns how far the value fell; 0 if it did not.
    pub fn fall(&self) -> f64 {
        (self.before - self.after).max(0.0)
    }
}

/// What is known so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Losses {
    pub columns: [String; 2],
    /// Whether the algorithm of each has beliefs.
    pub has_beliefs: [bool; 2],
    pub judge: String,
    pub nodes: Vec<u64>,
    /// By budget, then by number. Two in a row have the same opening and the colours swapped.
    pub games: Vec<Vec<Option<JudgedGame>>>,
}

/// Why a game has no result: it was stopped, or a search broke off.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopped;

/// Starts the experiment: game after game, each played and then judged.
///
/// # Errors
/// See [`PlanError`].
pub fn start(plan: Plan, kept: Kept<JudgedGame>) -> Result<BackgroundJob<Losses>, PlanError> {
    let [first, second] = plan.columns.as_slice() else {
        return Err(PlanError::NotTwo(plan.columns.len()));
    };
    let players = [own(first)?, own(second)?];
    let judge = own(&plan.judge)?;
    if judge.algorithm.info().family != Family::DepthFirst {
        return Err(PlanError::NoIterations(judge.algorithm));
    }
    if plan.nodes.is_empty() {
        return Err(PlanError::NoBudget);
    }
    let (games, budgets) = (2 * plan.games.div_ceil(2), plan.nodes.len());
    let empty = Losses {
        columns: [first.to_string(), second.to_string()],
        has_beliefs: [&players[0], &players[1]].map(|c| c.algorithm.info().beliefs),
        judge: plan.judge.to_string(),
        nodes: plan.nodes.clone(),
        games: vec![vec![None; games]; budgets],
    };
    let table = Table {
        players,
        judge: Judge::new(&judge, plan.judge_nodes),
        plan,
    };
    // All budgets progress alike; the two games of an opening belong together.
    let job = kept.start(
        table.plan.at_a_time,
        (games * budgets, 2 * budgets),
        empty,
        || (),
        move |(), item, worker| {
            let nodes = table.plan.nodes[item % budgets];
            table.game(item / budgets, nodes, worker).ok()
        },
        move |known, item, game| known.games[item % budgets][item / budgets] = Some(game),
    )?;
    Ok(job)
}

/// Returns the configuration of one of plyscope's own searches.
fn own(column: &ColumnSpec) -> Result<Config, PlanError> {
    match column {
        ColumnSpec::Own(config) if config.recorded.is_none() => Ok(config.clone()),
        _ => Err(PlanError::ExternalPlayer(column.to_string())),
    }
}

/// All that a game needs.
#[derive(Debug)]
struct Table {
    plan: Plan,
    players: [Config; 2],
    judge: Judge,
}

impl Table {
    /// Plays and judges one game.
    fn game(&self, number: usize, nodes: u64, worker: &Worker) -> Result<JudgedGame, Stopped> {
        let start = opening(number / 2, self.plan.seed, worker)?;
        let player = |column: usize| {
            let config = &self.players[column];
            let side = 2 * number + column;
            Player::new(config, nodes, mixed(self.plan.seed, side, 0))
        };
        let white = number % 2;
        let played = play(start, white, [player(0), player(1)], worker)?;
        self.judge.game(played, self.plan.fall, worker)
    }
}

/// Waits until a search has ended, which pauses and stops with the job.
fn finish(session: &mut Session, worker: &Worker) -> Result<(), Stopped> {
    use search::StopReason::{Fault, User};
    worker.watch(Some(Arc::clone(session.control())));
    session.join();
    worker.watch(None);
    let is_whole = session.fault().is_none()
        && matches!(session.status().state, State::Finished(why) if ![User, Fault].contains(&why));
    is_whole.then_some(()).ok_or(Stopped)
}

/// Returns an expected score as points of the game.
fn points(expected: f32) -> f64 {
    (1.0 + f64::from(expected)) / 2.0
}

#[cfg(test)]
mod tests;
