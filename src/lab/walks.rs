//! How static values change along walks, and how many independent bets a skipped subtree is: what the argument for futility
//! margins rests on.
//!
//! Source: Qhapaq, *Futility marginがdepthの線形でいい理由*. After d plies a value is off by some √d, because each ply adds a
//! change of its own; and to skip a move at depth d is to bet on the A^d positions below it, each of which may exceed the margin.

use super::Position;
use super::kept::Kept;
use super::statistics::{Estimated, Resamples, exponent, moments};
use eval::{ChessEvaluator, Evaluation, Evaluator};
use fastrand::Rng;
use game::{ChessKnowledge as _, ChessPosition, Game};
use search::{Choices, Limits, Start};
use session::job_inputs::{JobInputs, new_tree};
use session::jobs::{BackgroundJob, Worker};
use session::{Config, NoThread, Subject};

/// What to measure.
#[derive(Clone, Debug)]
pub struct Plan {
    pub positions: Vec<Position>,
    /// The length of the walks in plies.
    pub plies: u16,
    /// Random walks from each position.
    pub walks: u16,
    /// Nodes for each move of the walk that goes by a search's moves; 0: there is none.
    pub nodes: u64,
    /// All positions up to so many plies from each position are looked at; 0: none.
    pub tree: u16,
    pub seed: u64,
    /// Positions worked on at a time, each on one thread.
    pub at_a_time: usize,
}

/// Centipawns above the value at the beginning.
pub const MARGINS: [i32; 5] = [50, 100, 200, 300, 500];

/// How moves of a walk are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Every legal move alike.
    Random,
    /// Alpha-beta's.
    Search,
}

impl Kind {
    pub const ALL: [Kind; 2] = [Kind::Random, Kind::Search];

    pub fn name(self) -> &'static str {
        match self {
            Kind::Random => "random moves",
            Kind::Search => "a search's moves",
        }
    }
}

/// Of all positions some plies away from one: their number, how many are above it by more than each of [`MARGINS`], from
/// the view of the side to move at the beginning.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Level {
    pub positions: u64,
    pub above: [u64; MARGINS.len()],
}

/// What was measured from one position.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Measured {
    /// Its place among the positions of the plan.
    pub place: usize,
    /// By kind of walk and ply from 1 on, the changes of the static value in centipawns, from the view of the side to move
    /// at the beginning. A position in check has no static value, and a game that is over no more changes.
    pub changes: [Vec<Vec<f64>>; 2],
    /// The levels from 1 ply on.
    pub levels: Vec<Level>,
    /// The legal moves.
    pub moves: usize,
}

/// What is known of the changes after some plies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AtPly {
    pub ply: usize,
    pub n: usize,
    /// In centipawns.
    pub mean: f64,
    pub sd: f64,
    /// Excess kurtosis: 0 of a normal distribution.
    pub kurtosis: f64,
    /// The share further than two standard deviations from the mean: .0455 of a normal distribution.
    pub beyond: f64,
}

/// Bets on one margin at one ply.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bets {
    pub ply: usize,
    /// In centipawns.
    pub margin: i32,
    /// The mean number of positions below one.
    pub positions: f64,
    /// The mean share of them that is above the margin.
    pub share: f64,
    /// The share of positions below which at least one is above it.
    pub lost: f64,
    /// n with 1 − (1 − share)^n = lost: as many independent bets would be lost as often; `None` where nothing determines it.
    pub effective: Option<f64>,
    pub interval: Option<(f64, f64)>,
}

/// All that was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Walks {
    pub measured: Vec<Measured>,
}

impl Walks {
    /// Returns what is known of the changes, by ply.
    pub fn by_ply(&self, kind: Kind) -> Vec<AtPly> {
        let plies = self
            .measured
            .iter()
            .map(|m| m.changes[kind as usize].len())
            .max();
        (0..plies.unwrap_or(0))
            .filter_map(|at| self.at_ply(kind, at))
            .collect()
    }

    fn at_ply(&self, kind: Kind, at: usize) -> Option<AtPly> {
        let all = self
            .measured
            .iter()
            .filter_map(|m| m.changes[kind as usize].get(at));
        let changes: Vec<f64> = all.flatten().copied().collect();
        let (mean, sd) = moments(&changes)?;
        let sd = sd.filter(|sd| *sd > 0.0)?;
        let share = |f: &dyn Fn(f64) -> f64| {
            changes.iter().map(|c| f((c - mean) / sd)).sum::<f64>() / changes.len() as f64
        };
        Some(AtPly {
            ply: at + 1,
            n: changes.len(),
            mean,
            sd,
            kurtosis: share(&|z| z.powi(4)) - 3.0,
            beyond: share(&|z| f64::from(u8::from(z.abs() > 2.0))),
        })
    }

    /// Returns the exponent b of σ = a d^b over the plies, with its 95 % interval over resampled positions.
    pub fn exponent(&self, kind: Kind, resamples: &Resamples) -> Option<(f64, Option<(f64, f64)>)> {
        let sums: Vec<Vec<[f64; 3]>> = self.measured.iter().map(|m| sums(m, kind)).collect();
        let fitted = |weights: &[f64]| -> Option<f64> {
            let plies = sums.iter().map(Vec::len).max()?;
            let spread = |at: usize| {
                let pairs = sums.iter().zip(weights);
                let [n, sum, squares] = pairs.fold([0.0; 3], |all, (of, weight)| {
                    let one = of.get(at).copied().unwrap_or_default();
                    [0, 1, 2].map(|i| all[i] + weight * one[i])
                });
                let mean = sum / n;
                let variance = squares / n - mean * mean;
                (n > 1.0 && variance > 0.0).then(|| ((at + 1) as f64, variance.sqrt()))
            };
            let points: Vec<(f64, f64)> = (0..plies).filter_map(spread).collect();
            exponent(&points).map(|Estimated { value, .. }| value)
        };
        let whole = fitted(&vec![1.0; sums.len()])?;
        Some((whole, resamples.interval(fitted)))
    }

    /// Returns the mean number of legal moves.
    pub fn branching(&self) -> Option<f64> {
        let moves: Vec<f64> = self.measured.iter().map(|m| m.moves as f64).collect();
        moments(&moves).map(|(mean, _)| mean)
    }

    /// Returns the bets on every margin at every ply.
    pub fn bets(&self, resamples: &Resamples) -> Vec<Bets> {
        let plies = self
            .measured
            .iter()
            .map(|m| m.levels.len())
            .max()
            .unwrap_or(0);
        let each = (0..plies).flat_map(|at| (0..MARGINS.len()).map(move |i| (at, i)));
        each.filter_map(|(at, i)| self.bets_on(at, i, resamples))
            .collect()
    }

    fn bets_on(&self, at: usize, i: usize, resamples: &Resamples) -> Option<Bets> {
        let levels = self.measured.iter().map(|m| m.levels.get(at));
        let levels: Vec<Option<&Level>> = levels.map(|l| l.filter(|l| l.positions > 0)).collect();
        // The number of clusters with a level, their positions, shares, and lost bets.
        let sums = |weights: &[f64]| {
            let mut sums = [0.0; 4];
            for (level, weight) in levels.iter().zip(weights) {
                let Some(level) = level else { continue };
                let (all, above) = (level.positions as f64, level.above[i] as f64);
                let numbers = [1.0, all, above / all, f64::from(u8::from(above > 0.0))];
                for (sum, number) in sums.iter_mut().zip(numbers) {
                    *sum += weight * number;
                }
            }
            sums
        };
        let effective = |weights: &[f64]| {
            let [n, _, share, lost] = sums(weights);
            effective(share / n, lost / n)
        };
        let ones = vec![1.0; levels.len()];
        let [n, positions, share, lost] = sums(&ones);
        (n > 0.0).then(|| Bets {
            ply: at + 1,
            margin: MARGINS[i],
            positions: positions / n,
            share: share / n,
            lost: lost / n,
            effective: effective(&ones),
            interval: resamples.interval(effective),
        })
    }
}

/// The number n of independent bets, each lost with probability `share`, of which at least one is lost with probability
/// `lost`: ln(1 − lost) / ln(1 − share).
pub fn effective(share: f64, lost: f64) -> Option<f64> {
    let known = 0.0 < share && share < 1.0 && 0.0 < lost && lost < 1.0;
    known.then(|| (-lost).ln_1p() / (-share).ln_1p())
}

/// With which probability none of A^d independent positions changes by more than α d, where a change after d plies has the
/// density e^(−x²/d) of the post, so that its variance is d/2: (1 − p)^(A^d), p = Φ̄(α √(2d)).
///
/// By the post's first terms that is 1 − Z A^d e^(−α² d), which stays the same from ply to ply for α² = ln A.
pub fn safe(alpha: f64, branching: f64, plies: i32) -> f64 {
    let p = 0.5 * statrs::function::erf::erfc(alpha * f64::from(plies).sqrt());
    (branching.powi(plies) * (-p).ln_1p()).exp()
}

/// The number of a position's changes at each ply, their sum, and that of their squares.
fn sums(measured: &Measured, kind: Kind) -> Vec<[f64; 3]> {
    let of = |changes: &Vec<f64>| {
        changes.iter().fold([0.0; 3], |[n, sum, squares], c| {
            [n + 1.0, sum + c, squares + c * c]
        })
    };
    measured.changes[kind as usize].iter().map(of).collect()
}

/// Starts the walks, with the default evaluation.
///
/// # Errors
/// If the system starts no thread.
pub fn start(plan: Plan, kept: Kept<Option<Measured>>) -> Result<BackgroundJob<Walks>, NoThread> {
    let (at_a_time, units) = (plan.at_a_time, plan.positions.len());
    let find = move |walker: &mut Walker, place: usize, worker: &Worker| {
        let found = walker.measure(&plan, place, worker);
        (!worker.pool.is_stopped()).then_some(found)
    };
    let enter = |walks: &mut Walks, place: usize, found: Option<Measured>| {
        if let Some(found) = found {
            let at = walks.measured.partition_point(|m| m.place < place);
            walks.measured.insert(at, found);
        }
    };
    kept.start(
        at_a_time,
        (units, 1),
        Walks::default(),
        Walker::new,
        find,
        enter,
    )
}

struct Walker {
    evaluator: ChessEvaluator,
    config: Config,
}

impl Walker {
    fn new() -> Walker {
        let config = Config {
            record_plies: 0,
            memory: 1 << 20,
            table: 1 << 20,
            ..Config::new(super::ALGORITHM)
        };
        Walker {
            evaluator: ChessEvaluator::new(Evaluation::Both),
            config,
        }
    }

    /// Returns what is measured from a position; `None` for one that has no static value.
    fn measure(&self, plan: &Plan, place: usize, worker: &Worker) -> Option<Measured> {
        let subject = &plan.positions[place].subject;
        let position = subject.position.as_chess()?;
        let from = self.value(position)?;
        let mut found = Measured {
            place,
            moves: position.legal_moves().len(),
            ..Measured::default()
        };
        let mut random = Rng::with_seed(plan.seed ^ (place as u64) << 20);
        let plies = usize::from(plan.plies);
        let [by_chance, by_search] = &mut found.changes;
        *by_chance = vec![Vec::new(); plies];
        for _ in 0..plan.walks {
            self.walk(position, from, by_chance, |position| {
                let moves = position.legal_moves();
                random.choice(&moves).copied()
            });
        }
        if plan.nodes > 0 {
            *by_search = vec![Vec::new(); plies];
            let mut game = subject.clone();
            self.walk(position, from, by_search, |_| {
                let best = self.search(&game, plan.nodes, worker)?;
                let before = game.position.as_chess()?.clone();
                let m = before.decode(best)?;
                game.follow_known(best).then_some(m)
            });
        }
        found.levels = vec![Level::default(); usize::from(plan.tree)];
        let state = self.evaluator.start(position);
        self.look(position, &state, (from, 1.0), &mut found.levels);
        Some(found)
    }

    /// The static value in centipawns for the side to move; `None` in check.
    fn value(&self, position: &ChessPosition) -> Option<f64> {
        let state = self.evaluator.start(position);
        (!position.is_check()).then(|| self.evaluator.value(&state, position).raw().into())
    }

    fn walk(
        &self,
        from: &ChessPosition,
        value: f64,
        changes: &mut [Vec<f64>],
        mut next: impl FnMut(&ChessPosition) -> Option<<ChessPosition as Game>::Move>,
    ) {
        let mut position = from.clone();
        let mut sign = 1.0;
        for changes in changes {
            let Some(m) = next(&position) else { return };
            position.play(m);
            sign = -sign;
            if position.ending(position.has_moves()).is_some() {
                return;
            }
            changes.extend(self.value(&position).map(|v| sign * v - value));
        }
    }

    /// The move of a fresh search.
    fn search(&self, game: &Subject, nodes: u64, worker: &Worker) -> Option<game::MoveCode> {
        let config = &self.config;
        let tree = new_tree(game, config);
        let tables = search::common::table::Tables::new(config.table);
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let control = worker.control(limits)?;
        let inputs = JobInputs {
            subject: game,
            config,
            tree: &tree,
            tables: &tables,
            control: &control,
        };
        let choices = Choices::default();
        let found = inputs.with_job(Start::default(), &choices, |job| job.run_unwatched());
        let is_known = !game.position.legal_moves().is_empty();
        is_known.then_some(found.best)
    }

    /// Looks at all positions below one, level by level. `from`: the value at the beginning, and 1 or −1 where the side to move
    /// there moves here.
    fn look(
        &self,
        position: &ChessPosition,
        state: &<ChessEvaluator as Evaluator<ChessPosition>>::State,
        (from, sign): (f64, f64),
        levels: &mut [Level],
    ) {
        let Some((level, deeper)) = levels.split_first_mut() else {
            return;
        };
        for m in position.legal_moves() {
            let after = self.evaluator.after(state, position, m);
            let mut child = position.clone();
            child.play(m);
            if !child.is_check() {
                let value: f64 = self.evaluator.value(&after, &child).raw().into();
                let change = -sign * value - from;
                level.positions += 1;
                for (above, margin) in level.above.iter_mut().zip(MARGINS) {
                    *above += u64::from(change > f64::from(margin));
                }
            }
            if !deeper.is_empty() {
                self.look(&child, &after, (from, -sign), deeper);
            }
        }
    }
}

#[cfg(test)]
mod tests;
