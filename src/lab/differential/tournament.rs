//! Plays the matches of all cells in the background.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use super::duel::Duel;
use super::results::Results;
use super::{GridCell, cells};
use crate::PlanError;
use session::jobs::{BackgroundJob, Numbers, Pool, Shared};

/// What to play.
#[derive(Clone, Debug)]
pub struct Plan {
    pub cells: Vec<GridCell>,
    /// Games per cell, including those of earlier runs; an odd number is rounded up.
    pub games: usize,
    /// The number of games at a time, each on one thread.
    pub at_a_time: usize,
    /// The existing results, and how games are played.
    pub results: Results,
    /// The file in which results are saved.
    pub file: Option<PathBuf>,
    /// Of every so many pairs of games, the one with this number from 0 is played: a part of the work.
    pub part: (usize, usize),
}

impl Plan {
    /// Returns a plan for the whole grid, with 20 games per cell, one at a time, and no file.
    pub fn new(results: Results) -> Plan {
        Plan {
            cells: cells(),
            games: 20,
            at_a_time: 1,
            results,
            file: None,
            part: (0, 1),
        }
    }
}

/// What is known so far.
#[derive(Clone, Debug)]
pub struct Matches {
    pub results: Results,
    /// Why the results could not be saved the last time.
    pub fault: Option<String>,
}

/// Starts the matches; one step is one game. When they end or are stopped, everything played is in the file.
///
/// # Errors
/// If the plan cannot be carried out.
pub fn start(plan: Plan) -> Result<BackgroundJob<Matches>, PlanError> {
    if plan.cells.is_empty() {
        return Err(PlanError::NoCell);
    }
    let settings = plan.results.settings.clone();
    if settings.playouts == 0 {
        return Err(PlanError::NoPlayout);
    }
    settings.side(None)?;
    // Plays round by round, so that all cells progress alike.
    let rounds = (0..plan.games.div_ceil(2)).flat_map(|n| plan.cells.iter().map(move |&c| (c, n)));
    let (part, parts) = plan.part;
    let own = rounds.skip(part).step_by(parts.max(1));
    let pairs: Vec<_> = own.filter(|&(c, n)| !plan.results.has(c, n)).collect();
    let pool = Pool::new("lab", plan.at_a_time.min(pairs.len()), (0, 2 * pairs.len()));
    let file = plan.file.map(ResultsFile::new);
    let matches = Matches {
        results: plan.results,
        fault: None,
    };
    let started = BackgroundJob::drive(pool, matches, move |shared| {
        let write = || file.iter().for_each(|file| file.write(shared));
        let ended = shared.pool.work(
            &Numbers::below(pairs.len()),
            || (),
            |(), i, worker| {
                let (cell, number) = pairs[i];
                // The options were checked before the start.
                let Ok(duel) = Duel::new(&settings, cell) else {
                    return;
                };
                if let Some(pair) = duel.pair(number, worker) {
                    shared.update(|known| known.results.add(cell, number, pair));
                    shared.pool.advance(pair.len());
                    write();
                }
            },
        );
        write();
        ended
    })?;
    Ok(started)
}

/// The file in which results are saved.
struct ResultsFile {
    path: PathBuf,
    /// One thread writes at a time; readers of the results do not wait for it.
    writing: Mutex<()>,
}

impl ResultsFile {
    fn new(path: PathBuf) -> Self {
        ResultsFile {
            path,
            writing: Mutex::default(),
        }
    }

    fn write(&self, shared: &Shared<Matches>) {
        let _alone = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut results = shared.read(|known| known.results.clone());
        let saved = results.save(&self.path);
        shared.update(|known| {
            // Pairs that another process has played count too.
            known.results.merge(results);
            known.fault = saved
                .err()
                .map(|e| format!("{}: can't be written: {e}", self.path.display()));
        });
    }
}
