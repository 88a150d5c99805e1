//! The matches of all cells in the background.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use super::duel::Duel;
use super::results::Results;
use super::{GridCell, cells};
use crate::engine::jobs::{BackgroundJob, Numbers, Pool, Shared};
use crate::engine::threads::NoThread;
use crate::search::OptionError;

/// What to play.
#[derive(Clone, Debug)]
pub struct Plan {
    pub cells: Vec<GridCell>,
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

/// What is known so far.
#[derive(Clone, Debug)]
pub struct Matches {
    pub results: Results,
    /// Why the results could not be written the last time.
    pub fault: Option<String>,
}

/// Begins; a step is a game. At the end, and when it is stopped, everything played is in the file.
///
/// # Errors
/// The plan can't be carried out.
pub fn start(plan: Plan) -> Result<BackgroundJob<Matches>, PlanError> {
    if plan.cells.is_empty() {
        return Err(PlanError::NoCell);
    }
    let settings = plan.results.settings.clone();
    if settings.playouts == 0 {
        return Err(PlanError::NoPlayout);
    }
    settings.side(None)?;
    // Round by round, so that all cells grow alike.
    let rounds = (0..plan.games.div_ceil(2)).flat_map(|n| plan.cells.iter().map(move |&c| (c, n)));
    let pairs: Vec<_> = rounds.filter(|&(c, n)| !plan.results.has(c, n)).collect();
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
                // The options were tried out before the start.
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

/// Where results are kept.
struct ResultsFile {
    path: PathBuf,
    /// One thread writes at a time; those who read the results don't wait for it.
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
            // What another program has played counts too.
            known.results.merge(results);
            known.fault = saved
                .err()
                .map(|e| format!("{}: can't be written: {e}", self.path.display()));
        });
    }
}
