//! What is lost by focusing on moves that have some policy: how much of it is ignored, and how much the best of the other moves
//! would have been better.
//!
//! Source: the DISTRESS essay: low dispersion of the policy "is also justification to begin focusing on a subset of successors, as
//! it is relatively safe to do so".

use fastrand::Rng;
use serde::{Deserialize, Serialize};

use super::Position;
use super::kept::Kept;
use super::losses::{Referee, Stopped};
use super::plan::PlanError;
use super::statistics::{Figure, Resamples};
use algorithms::Algorithm;
use eval::{ChessEvaluator, Evaluation, Evaluator as _};
use game::{Game as _, MoveCode};
use session::jobs::{BackgroundJob, Worker};
use session::{Budget, Config, Session};
use studies::compare::{ColumnSpec, Face};
use studies::suite::ColumnRunner;
use tree::Tree;

/// The algorithm whose policy is asked.
pub const ALGORITHM: Algorithm = Algorithm::Distress;

/// Moves with less of the policy are left out.
pub const THRESHOLDS: [f32; 6] = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3];

/// The referee searches the moves that decide so many times longer than the others.
const LONGER: u64 = 10;

/// What to search.
#[derive(Clone, Debug)]
pub struct Plan {
    pub positions: Vec<Position>,
    pub config: Config,
    /// Nodes before the policy is read.
    pub nodes: u64,
    /// Nodes of alpha-beta after each move.
    pub judge_nodes: u64,
    pub seed: u64,
    pub at_a_time: usize,
}

/// By what the moves are ordered of which the first are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// The policy after the search.
    Policy,
    /// The network's, before any search: the control.
    Network,
    /// None: the dullest control.
    Chance,
}

impl Order {
    pub const ALL: [Order; 3] = [Order::Policy, Order::Network, Order::Chance];
}

/// What leaving moves out cost in one position.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Moves kept.
    pub kept: u16,
    /// The share of the policy that the others have.
    pub ignored: f32,
    /// By order: whether the referee's best move is left out, and by how much it is better than the best that is kept, in points
    /// of the game.
    pub lost: [(bool, f64); Order::ALL.len()],
}

/// What was measured in one position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    pub moves: u16,
    /// By threshold.
    pub costs: [Cost; THRESHOLDS.len()],
}

/// What is known so far: by position, `None` where nothing is, or where there is no choice.
#[derive(Clone, Debug, PartialEq)]
pub struct Focus {
    pub measured: Vec<Option<Measured>>,
}

/// What one threshold costs on average.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Row {
    pub threshold: f32,
    /// Moves kept.
    pub kept: Figure,
    /// The share of the policy that is ignored.
    pub ignored: Figure,
    /// By order: how often the best move is left out, and the mean loss in points.
    pub left_out: [Figure; Order::ALL.len()],
    pub loss: [Figure; Order::ALL.len()],
    /// How much less is lost by the policy than by the network's.
    pub gain: Figure,
}

impl Focus {
    /// Returns the positions that were measured.
    pub fn measured(&self) -> Vec<&Measured> {
        self.measured.iter().flatten().collect()
    }

    /// Returns what each threshold costs; resamples are of the measured positions.
    pub fn rows(&self, resamples: &Resamples) -> Vec<Row> {
        let measured = self.measured();
        let row = |(at, threshold): (usize, f32)| {
            let mean = |read: &dyn Fn(&Cost) -> f64| {
                let parts: Vec<(f64, f64)> =
                    measured.iter().map(|m| (read(&m.costs[at]), 1.0)).collect();
                resamples.ratio(&parts)
            };
            let is_out = |order: usize| mean(&move |c| f64::from(u8::from(c.lost[order].0)));
            let loss = |order: usize| mean(&move |c| c.lost[order].1);
            Some(Row {
                threshold,
                kept: mean(&|c| f64::from(c.kept))?,
                ignored: mean(&|c| f64::from(c.ignored))?,
                left_out: [is_out(0)?, is_out(1)?, is_out(2)?],
                loss: [loss(0)?, loss(1)?, loss(2)?],
                gain: mean(&|c| c.lost[1].1 - c.lost[0].1)?,
            })
        };
        THRESHOLDS.into_iter().enumerate().filter_map(row).collect()
    }
}

/// Starts the experiment.
///
/// # Errors
/// See [`PlanError`].
pub fn start(plan: Plan, kept: Kept<Option<Measured>>) -> Result<BackgroundJob<Focus>, PlanError> {
    if plan.config.algorithm != ALGORITHM {
        return Err(PlanError::Algorithm(plan.config.algorithm, ALGORITHM));
    }
    if plan.positions.is_empty() {
        return Err(PlanError::NoPosition);
    }
    let units = plan.positions.len();
    let empty = Focus {
        measured: vec![None; units],
    };
    let column = ColumnSpec::Own(plan.config.clone());
    let budget = Budget::Nodes(plan.nodes);
    let job = kept.start(
        plan.at_a_time,
        (units, 1),
        empty,
        move || {
            let runner = ColumnRunner::new(std::slice::from_ref(&column), budget);
            (runner, ChessEvaluator::new(Evaluation::Both))
        },
        move |(runner, evaluator), number, worker| {
            measure(&plan, number, (runner, evaluator), worker).ok()
        },
        |known, number, measured| known.measured[number] = measured,
    )?;
    Ok(job)
}

/// A move of the root: its share of the policy after the search and by the network, its place by chance, and what it is worth by
/// the referee, in points for the side that plays it.
struct Candidate {
    code: MoveCode,
    policy: f32,
    network: i32,
    chance: u32,
    value: f64,
}

/// Returns what leaving moves out costs; `None` where there is no choice.
fn measure(
    plan: &Plan,
    number: usize,
    (runner, evaluator): (&mut ColumnRunner, &ChessEvaluator),
    worker: &Worker,
) -> Result<Option<Measured>, Stopped> {
    let subject = &plan.positions[number].subject;
    let Some(position) = subject.position.as_chess() else {
        return Ok(None);
    };
    let moves = position.legal_moves();
    if moves.len() < 2 {
        return Ok(None);
    }
    let halted = || worker.pool.is_stopped();
    let read = |face: Face| match face {
        Face::Own(session) => policy(session),
        Face::External(_) | Face::Traced(..) => Vec::new(),
    };
    let shares = runner
        .search(subject, 0, halted, read)
        .map_err(|_| Stopped)?;
    let network = evaluator.policy(&evaluator.start(position), position, &moves);
    let mut random = Rng::with_seed(plan.seed ^ (number as u64) << 20);
    let referee = |nodes: u64| Referee::new(&Config::new(super::ALGORITHM), nodes);
    let (short, long) = (
        referee(plan.judge_nodes),
        referee(LONGER * plan.judge_nodes),
    );
    let value = |by: &Referee, code: MoveCode| -> Result<f64, Stopped> {
        let verdict = by.after(subject, code, worker)?;
        Ok(verdict.map_or(0.5, |verdict| verdict.value))
    };
    let mut candidates = Vec::with_capacity(moves.len());
    for (i, m) in moves.iter().enumerate() {
        let code = position.encode(*m);
        let share = shares.iter().find(|(of, _)| *of == code);
        candidates.push(Candidate {
            code,
            policy: share.map_or(0.0, |s| s.1),
            network: network.as_ref().map_or(0, |all| all[i]),
            chance: random.u32(..),
            value: value(&short, code)?,
        });
    }
    if halted() {
        return Err(Stopped);
    }
    // The longer search knows nothing of what was chosen by the shorter one, so that its values do not flatter the choice.
    let mut known: Vec<(MoveCode, f64)> = Vec::new();
    let mut exactly = |code: MoveCode| -> Result<f64, Stopped> {
        if let Some((_, value)) = known.iter().find(|(of, _)| *of == code) {
            return Ok(*value);
        }
        let found = value(&long, code)?;
        known.push((code, found));
        Ok(found)
    };
    let best = best_of(&candidates).map(|c| c.code);
    let mut costs = Vec::with_capacity(THRESHOLDS.len());
    for threshold in THRESHOLDS {
        let kept = candidates.iter().filter(|c| c.policy >= threshold);
        let kept = kept.count().max(1);
        let ignored: f32 = candidates
            .iter()
            .map(|c| c.policy)
            .filter(|p| *p < threshold)
            .sum();
        let mut lost = [(false, 0.0); Order::ALL.len()];
        for (order, lost) in Order::ALL.into_iter().zip(&mut lost) {
            sort(&mut candidates, order);
            let found = best_of(&candidates[..kept]).map(|c| c.code);
            if let (Some(best), Some(found)) = (best, found)
                && best != found
            {
                *lost = (true, exactly(best)? - exactly(found)?);
            }
        }
        costs.push(Cost {
            kept: kept as u16,
            ignored,
            lost,
        });
    }
    let costs = costs.try_into().map_err(|_| Stopped)?;
    Ok(Some(Measured {
        moves: moves.len() as u16,
        costs,
    }))
}

fn best_of(candidates: &[Candidate]) -> Option<&Candidate> {
    candidates
        .iter()
        .max_by(|a, b| a.value.total_cmp(&b.value).then(b.code.cmp(&a.code)))
}

/// Puts the moves that are kept first to the front.
fn sort(candidates: &mut [Candidate], order: Order) {
    match order {
        Order::Policy => candidates.sort_by(|a, b| b.policy.total_cmp(&a.policy)),
        Order::Network => candidates.sort_by_key(|c| std::cmp::Reverse(c.network)),
        Order::Chance => candidates.sort_by_key(|c| c.chance),
    }
}

/// The shares of the policy of the root's moves.
fn policy(session: &Session) -> Vec<(MoveCode, f32)> {
    let tree = session.reader().tree;
    let share = |id| {
        let node = tree.node(id);
        (node.move_code(), node.policy())
    };
    tree.children(Tree::ROOT).map(share).collect()
}
