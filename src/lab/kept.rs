//! The findings of an experiment, unit by unit, in a record that an interrupted run continues and in which parts of the work,
//! done anywhere, come together again.
//!
//! Every experiment works through numbered units (positions, trees, games) that do not depend on each other, and its figures
//! follow from all findings. So a record of the findings is all that has to be kept, and it does not matter who found them.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use game::load::LoadError;
use session::NoThread;
use session::jobs::{BackgroundJob, Numbers, Pool, Shared, Worker};
use session::record::{Record, Recorded, RunHeader};

/// Identifies a run: one with a different header cannot continue with these findings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The version of the record's format.
    pub plyscope_lab: u32,
    /// The version of plyscope.
    pub version: String,
    /// The experiment.
    pub experiment: String,
    /// What was asked, each as a message shows it: `seed 1`.
    pub asked: Vec<String>,
    /// The number of units.
    pub units: usize,
}

impl Header {
    /// The version of the record's format.
    const FORMAT: u32 = 1;

    pub fn new(experiment: &str, asked: Vec<String>, units: usize) -> Header {
        Header {
            plyscope_lab: Header::FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            experiment: experiment.to_owned(),
            asked,
            units,
        }
    }
}

impl RunHeader for Header {
    const RECORD: &str = "a record of plyscope lab";

    fn fields(&self) -> Vec<String> {
        let own = [
            format!("format {}", self.plyscope_lab),
            format!("version {}", self.version),
            format!("experiment {}", self.experiment),
            format!("{} units", self.units),
        ];
        own.into_iter().chain(self.asked.iter().cloned()).collect()
    }
}

/// What was found for one unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unit<U> {
    /// Its number, from 0.
    pub number: usize,
    pub found: U,
}

impl<U: Serialize + DeserializeOwned> Recorded for Unit<U> {
    type Header = Header;
    type Key = usize;

    fn key(&self) -> usize {
        self.number
    }

    fn belongs_to(&self, header: &Header) -> bool {
        self.number < header.units
    }

    fn expected(header: &Header) -> String {
        format!(
            "the findings of one of {} units of lab {}",
            header.units, header.experiment
        )
    }
}

/// Whether a group of units, by its number from 0, belongs to this part of the work.
pub type Own = Box<dyn Fn(usize) -> bool + Send + Sync>;

/// What is known of an experiment's units, and which of the others are to be looked at.
pub struct Kept<U> {
    known: Vec<Unit<U>>,
    own: Own,
    /// Whether a finding is worth keeping; a failure of an engine is not.
    is_kept: fn(&U) -> bool,
    record: Mutex<Option<Record<Unit<U>>>>,
    saved: Saved,
}

impl<U> std::fmt::Debug for Kept<U> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} known", self.known.len())
    }
}

impl<U> Default for Kept<U> {
    /// Nothing is known, and everything is looked at and not kept.
    fn default() -> Self {
        Kept {
            known: Vec::new(),
            own: Box::new(|_| true),
            is_kept: |_| true,
            record: Mutex::new(None),
            saved: Saved::default(),
        }
    }
}

/// What became of the findings, for whoever started the run.
#[derive(Clone, Debug, Default)]
pub struct Saved {
    done: Arc<AtomicUsize>,
    fault: Arc<OnceLock<String>>,
}

impl Saved {
    /// Returns the number of units whose findings are known.
    pub fn done(&self) -> usize {
        self.done.load(Relaxed)
    }

    /// Returns why the findings could not be saved, which ended the run.
    pub fn fault(&self) -> Option<&str> {
        self.fault.get().map(String::as_str)
    }
}

impl<U: Serialize + DeserializeOwned + Send + Sync> Kept<U> {
    /// Opens the record of this run, or creates it.
    ///
    /// # Errors
    /// If the file cannot be read or written, belongs to another run, or is damaged.
    pub fn open(path: &Path, header: &Header) -> Result<Kept<U>, LoadError> {
        let (record, known) = Record::open(path, header)?;
        Ok(Kept {
            known,
            record: Mutex::new(Some(record)),
            ..Kept::default()
        })
    }

    /// Looks only at what belongs to a part of the work.
    #[must_use]
    pub fn part(self, own: Own) -> Kept<U> {
        Kept { own, ..self }
    }

    /// Keeps only such findings.
    #[must_use]
    pub(crate) fn only(self, is_kept: fn(&U) -> bool) -> Kept<U> {
        Kept { is_kept, ..self }
    }

    pub fn saved(&self) -> Saved {
        self.saved.clone()
    }

    /// Starts a job that looks at `units`, of which `group` in a row belong together.
    ///
    /// # Errors
    /// If the system starts no thread.
    pub(crate) fn start<S, R: Send + 'static>(
        mut self,
        at_a_time: usize,
        (units, group): (usize, usize),
        record: R,
        begin: impl Fn() -> S + Sync + Send + 'static,
        find: impl Fn(&mut S, usize, &Worker) -> Option<U> + Sync + Send + 'static,
        enter: impl Fn(&mut R, usize, U) + Sync + Send + 'static,
    ) -> Result<BackgroundJob<R>, NoThread>
    where
        U: 'static,
    {
        let pool = Pool::new("lab", at_a_time, (0, units));
        BackgroundJob::drive(pool, record, move |shared| {
            let open = self.enter_known(shared, (units, group), &enter);
            self.pass(shared, &open, &begin, &find, &enter)
        })
    }

    /// Enters what is known, and returns the units that are to be looked at.
    pub(crate) fn enter_known<R>(
        &mut self,
        shared: &Shared<R>,
        (units, group): (usize, usize),
        enter: impl Fn(&mut R, usize, U),
    ) -> Vec<usize> {
        let known = std::mem::take(&mut self.known);
        let mut is_open = vec![true; units];
        for unit in &known {
            is_open[unit.number] = false;
        }
        let (own, others): (Vec<usize>, Vec<usize>) =
            (0..units).partition(|unit| (self.own)(unit / group.max(1)));
        let others = others.into_iter().filter(|unit| is_open[*unit]).count();
        shared.pool.leave_out(others);
        shared.pool.advance(known.len());
        self.saved.done.fetch_add(known.len(), Relaxed);
        shared.update(|record| {
            for unit in known {
                enter(record, unit.number, unit.found);
            }
        });
        own.into_iter().filter(|unit| is_open[*unit]).collect()
    }

    /// For findings that are recorded in part and made whole again: returns what is recorded of each unit, and the units that
    /// are recorded or belong to this part of the work.
    pub(crate) fn take_recorded<R>(
        &mut self,
        shared: &Shared<R>,
        units: usize,
    ) -> (BTreeMap<usize, U>, Vec<usize>) {
        let known = std::mem::take(&mut self.known).into_iter();
        let known: BTreeMap<usize, U> = known.map(|unit| (unit.number, unit.found)).collect();
        let open = (0..units).filter(|unit| known.contains_key(unit) || (self.own)(*unit));
        let open: Vec<usize> = open.collect();
        shared.pool.leave_out(units - open.len());
        (known, open)
    }

    /// Looks at units and keeps what is found; `None` if it was stopped.
    pub(crate) fn pass<S, R>(
        &self,
        shared: &Shared<R>,
        open: &[usize],
        begin: impl Fn() -> S + Sync,
        find: impl Fn(&mut S, usize, &Worker) -> Option<U> + Sync,
        enter: impl Fn(&mut R, usize, U) + Sync,
    ) -> Option<()>
    where
        R: Send,
    {
        let each = |state: &mut S, item: usize, worker: &Worker| {
            let number = open[item];
            let Some(found) = find(state, number, worker) else {
                return;
            };
            let unit = Unit { number, found };
            if let Err(e) = self.keep(&unit) {
                let _ = self
                    .saved
                    .fault
                    .set(format!("the findings cannot be saved: {e}"));
                worker.pool.stop();
            }
            shared.update(|record| enter(record, number, unit.found));
            self.saved.done.fetch_add(1, Relaxed);
            worker.pool.advance(1);
        };
        shared.pool.work(&Numbers::below(open.len()), begin, each)
    }

    fn keep(&self, unit: &Unit<U>) -> std::io::Result<()> {
        if !(self.is_kept)(&unit.found) {
            return Ok(());
        }
        let mut record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        record.as_mut().map_or(Ok(()), |record| record.append(unit))
    }
}

/// Returns those of the units that lie in a range.
pub(crate) fn within(open: &[usize], range: &Range<usize>) -> Vec<usize> {
    open.iter()
        .copied()
        .filter(|unit| range.contains(unit))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Squares of the numbers below ten, of which two in a row belong together.
    fn squares(kept: Kept<usize>) -> (Vec<Option<usize>>, (usize, usize), Saved) {
        let saved = kept.saved();
        let find = |(): &mut (), n: usize, _: &Worker| Some(n * n);
        let enter = |all: &mut Vec<Option<usize>>, n: usize, found| all[n] = Some(found);
        let job = kept.start(2, (10, 2), vec![None; 10], || (), find, enter);
        let mut job = job.expect("a thread");
        job.join();
        let (_, done, all) = job.progress();
        (job.findings(), (done, all), saved)
    }

    #[test]
    fn parts_come_together_again() {
        let folder = std::env::temp_dir().join(format!("plyscope-kept-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let header = Header::new("squares", vec!["seed 1".to_owned()], 10);
        let mut whole = Vec::new();
        for part in 0..2 {
            let path = folder.join(format!("{part}.part"));
            let kept = Kept::open(&path, &header).expect("a record");
            let own = move |group: usize| group % 2 == part;
            let (found, steps, saved) = squares(kept.part(Box::new(own)));
            let expected = |n: usize| (n / 2 % 2 == part).then_some(n * n);
            assert_eq!(found, (0..10).map(expected).collect::<Vec<_>>());
            let count = found.iter().flatten().count();
            assert_eq!((steps, saved.done()), ((count, count), count));
            whole.extend(std::fs::read(&path).expect("a record"));
        }
        let path = folder.join("all");
        std::fs::write(&path, whole).expect("written");
        let kept = Kept::open(&path, &header).expect("a record");
        let (found, steps, saved) = squares(kept);
        assert_eq!(found, (0..10).map(|n| Some(n * n)).collect::<Vec<_>>());
        assert_eq!((steps, saved.done(), saved.fault()), ((10, 10), 10, None));
        for other in [
            Header::new("cubes", vec!["seed 1".to_owned()], 10),
            Header::new("squares", vec!["seed 2".to_owned()], 10),
            Header::new("squares", vec!["seed 1".to_owned()], 11),
        ] {
            Kept::<usize>::open(&path, &other).expect_err("another run");
        }
        std::fs::remove_dir_all(folder).expect("removed");
    }

    #[test]
    fn what_is_not_worth_keeping_is_looked_at_again() {
        let folder = std::env::temp_dir().join(format!("plyscope-only-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let (path, header) = (
            folder.join("record"),
            Header::new("squares", Vec::new(), 10),
        );
        let open = || Kept::<usize>::open(&path, &header).expect("a record");
        squares(open().only(|found| found % 2 == 0));
        assert_eq!(open().known.len(), 5);
        std::fs::remove_dir_all(folder).expect("removed");
    }
}
