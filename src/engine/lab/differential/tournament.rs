//! The matches of all cells in the background.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use super::duel::Duel;
use super::results::{Pair, Results};
use super::{Cell, cells};
use crate::engine::lab::pool::Pool;
use crate::engine::run::{NoThread, spawn};
use crate::search::OptionError;

/// What to play.
#[derive(Clone, Debug)]
pub struct Plan {
    pub cells: Vec<Cell>,
    /// Games a cell, those of earlier runs included; an odd number is rounded up.
    pub games: usize,
    /// Games at a time, each on one thread.
    pub at_a_time: usize,
    /// What there is already, and how games are played.
    pub results: Results,
    /// Where results are kept.
    pub file: Option<PathBuf>,
}

impl Plan {
    /// The whole grid, 20 games a cell, one at a time, kept nowhere.
    #[must_use]
    pub fn new(results: Results) -> Plan {
        Plan {
            cells: cells(),
            games: 20,
            at_a_time: 1,
            results,
            file: None,
        }
    }
}

/// A plan that can't be carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    #[error("found no cell, expected at least one")]
    NoCell,
    #[error("found 0 playouts, expected at least one")]
    NoPlayout,
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error(transparent)]
    Thread(#[from] NoThread),
}

/// What a tournament is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    Playing,
    Done,
    /// By a person, before the end.
    Stopped,
}

/// What the thread and its readers share.
#[derive(Debug)]
struct Shared {
    cells: Vec<Cell>,
    /// Cell and number of each pair that is to be played, in the order in which they are begun.
    jobs: Vec<(Cell, usize)>,
    pool: Pool,
    file: Option<PathBuf>,
    /// One thread writes at a time; those who read don't wait for it.
    writing: Mutex<()>,
    /// Rises with every change.
    generation: AtomicU64,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    stage: Stage,
    results: Results,
    /// Pairs of this run that are done.
    done: usize,
    /// Why the results could not be written the last time.
    fault: Option<String>,
}

/// A running tournament. Reading it never waits for a game; dropping it stops it, and what was played is written.
#[derive(Debug)]
pub struct Tournament {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Tournament {
    /// Begins.
    ///
    /// # Errors
    /// The plan can't be carried out.
    pub fn start(plan: Plan) -> Result<Tournament, PlanError> {
        if plan.cells.is_empty() {
            return Err(PlanError::NoCell);
        }
        if plan.results.settings.playouts == 0 {
            return Err(PlanError::NoPlayout);
        }
        plan.results.settings.side(None)?;
        // Round by round, so that all cells grow alike.
        let rounds =
            (0..plan.games.div_ceil(2)).flat_map(|n| plan.cells.iter().map(move |&c| (c, n)));
        let jobs: Vec<_> = rounds.filter(|&(c, n)| !plan.results.has(c, n)).collect();
        let shared = Arc::new(Shared {
            pool: Pool::new(plan.at_a_time.min(jobs.len())),
            cells: plan.cells,
            jobs,
            file: plan.file,
            writing: Mutex::default(),
            generation: AtomicU64::new(0),
            state: Mutex::new(State {
                stage: Stage::Playing,
                results: plan.results,
                done: 0,
                fault: None,
            }),
        });
        let worker = Arc::clone(&shared);
        let thread = spawn(String::from("lab"), move || worker.run())?;
        Ok(Tournament {
            shared,
            thread: Some(thread),
        })
    }

    /// Rises whenever there is something new.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.shared.generation.load(Relaxed)
    }

    /// Games of this run that are done, and how many there are.
    #[must_use]
    pub fn progress(&self) -> (Stage, usize, usize) {
        let state = self.shared.lock();
        (state.stage, 2 * state.done, 2 * self.shared.jobs.len())
    }

    /// The cells it plays.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.shared.cells
    }

    /// A copy of what is known by now.
    #[must_use]
    pub fn results(&self) -> Results {
        self.shared.lock().results.clone()
    }

    /// Why results could not be written, if they could not.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        self.shared.lock().fault.clone()
    }

    /// Asks it to stop, which it does within milliseconds; games under way are lost.
    pub fn stop(&self) {
        self.shared.pool.halt();
    }

    /// Whether its threads have ended.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Waits for the end.
    pub fn join(&mut self) {
        if let Some(thread) = self.thread.take() {
            // A panic was reported by the panic hook; what was played stands.
            let _ = thread.join();
        }
    }
}

impl Drop for Tournament {
    fn drop(&mut self) {
        self.stop();
        self.join();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) {
        let settings = self.lock().results.settings.clone();
        self.pool.work(self.jobs.len(), |i, desk| {
            let (cell, number) = self.jobs[i];
            // The options were tried out before the start.
            let Ok(duel) = Duel::new(&settings, cell) else {
                return;
            };
            if let Some(pair) = duel.pair(number, desk) {
                self.add(cell, number, pair);
            }
        });
        let mut state = self.lock();
        state.stage = if self.pool.is_halted() {
            Stage::Stopped
        } else {
            Stage::Done
        };
        drop(state);
        self.write();
        self.generation.fetch_add(1, Relaxed);
    }

    fn add(&self, cell: Cell, number: usize, pair: Pair) {
        let mut state = self.lock();
        state.results.add(cell, number, pair);
        state.done += 1;
        drop(state);
        self.write();
        self.generation.fetch_add(1, Relaxed);
    }

    fn write(&self) {
        let Some(file) = &self.file else { return };
        let _alone = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut results = self.lock().results.clone();
        let saved = results.save(file);
        let mut state = self.lock();
        // What another program has played counts too.
        state.results.merge(results);
        state.fault = saved
            .err()
            .map(|e| format!("{}: can't be written: {e}", file.display()));
    }
}
