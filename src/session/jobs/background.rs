//! Jobs in the background, whose record can be read at any time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use super::items::Items;
use super::pool::{Pool, Worker};
use crate::threads::{NoThread, spawn};

/// The state of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobState {
    Running,
    Done,
    /// Ended early, by the user or by a panic.
    Stopped,
}

/// The items to work through, and what is known before any of them is done.
#[derive(Debug)]
pub struct Job<I, R> {
    /// The name of its threads.
    pub name: &'static str,
    /// The number of items processed at a time, each on one thread.
    pub workers: usize,
    pub items: I,
    /// The number of steps already done and the total: one step per item, unless an item takes several.
    pub steps: (usize, usize),
    pub record: R,
}

/// The data that the threads of a job share with its readers.
#[derive(Debug)]
pub struct Shared<R> {
    pub pool: Pool,
    generation: AtomicU64,
    state: Mutex<(JobState, R)>,
}

impl<R> Shared<R> {
    fn lock(&self) -> MutexGuard<'_, (JobState, R)> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn changed(&self) {
        self.generation.fetch_add(1, Relaxed);
    }

    /// Reads the record. `look` must be quick, because everything else that needs the record waits.
    pub fn read<T>(&self, look: impl FnOnce(&R) -> T) -> T {
        look(&self.lock().1)
    }

    /// Changes the record.
    pub fn update<T>(&self, change: impl FnOnce(&mut R) -> T) -> T {
        let changed = change(&mut self.lock().1);
        self.changed();
        changed
    }
}

impl<I: Items + Send + 'static, R: Send + 'static> Job<I, R> {
    /// Works through the items in the background. Every worker creates a state with `begin` and keeps it from item to
    /// item. `each` counts the steps it has done ([`Pool::advance`]).
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn start<S>(
        self,
        begin: impl Fn() -> S + Sync + Send + 'static,
        each: impl Fn(&mut S, I::Item, &Worker, &Shared<R>) + Sync + Send + 'static,
    ) -> Result<BackgroundJob<R>, NoThread> {
        let items = self.items;
        let pool = Pool::new(self.name, self.workers, self.steps);
        BackgroundJob::drive(pool, self.record, move |shared| {
            let each = |state: &mut S, item, worker: &Worker| each(state, item, worker, shared);
            shared.pool.work(&items, &begin, each)
        })
    }
}

/// A running job that stores its findings in an `R`. Reading it never waits for an item; dropping it stops the job.
#[derive(Debug)]
pub struct BackgroundJob<R> {
    shared: Arc<Shared<R>>,
    thread: Option<JoinHandle<()>>,
}

impl<R: Send + 'static> BackgroundJob<R> {
    /// Runs jobs that need more than one pass over one list of items: `driver` makes the passes one after another and
    /// returns `None` if it was stopped before its end.
    pub fn drive(
        pool: Pool,
        record: R,
        driver: impl FnOnce(&Shared<R>) -> Option<()> + Send + 'static,
    ) -> Result<Self, NoThread> {
        let name = pool.name().to_owned();
        let mut job = BackgroundJob::ended(pool, record);
        job.shared.lock().0 = JobState::Running;
        let shared = Arc::clone(&job.shared);
        job.thread = Some(spawn(name, move || {
            // The panic hook has reported what went wrong; what was found before is kept.
            let ended = catch_unwind(AssertUnwindSafe(|| driver(&shared)));
            let whole = ended.is_ok_and(|ended| ended.is_some());
            shared.lock().0 = if whole {
                JobState::Done
            } else {
                JobState::Stopped
            };
            shared.changed();
        })?);
        Ok(job)
    }

    /// Creates a job that never began; its record says why.
    pub fn ended(pool: Pool, record: R) -> Self {
        BackgroundJob {
            shared: Arc::new(Shared {
                pool,
                generation: AtomicU64::new(0),
                state: Mutex::new((JobState::Stopped, record)),
            }),
            thread: None,
        }
    }

    /// Returns a number that increases whenever the record or the job's state changes.
    pub fn generation(&self) -> u64 {
        self.shared.generation.load(Relaxed)
    }

    /// Returns the state, the number of steps done, and the total.
    pub fn progress(&self) -> (JobState, usize, usize) {
        let state = self.shared.lock().0;
        let (done, all) = self.shared.pool.progress();
        (state, done, all)
    }

    /// Reads the record. `look` must be quick, because the job waits.
    pub fn read<T>(&self, look: impl FnOnce(&R) -> T) -> T {
        self.shared.read(look)
    }

    /// Returns a copy of what is known so far.
    pub fn findings(&self) -> R
    where
        R: Clone,
    {
        self.read(R::clone)
    }

    pub fn is_paused(&self) -> bool {
        self.shared.pool.is_paused()
    }

    /// Whether the job was paused or stopped.
    pub fn is_halted(&self) -> bool {
        self.shared.pool.is_halted()
    }

    /// Pauses the job or lets it continue.
    pub fn set_paused(&self, paused: bool) {
        if self.shared.pool.set_paused(paused) {
            self.shared.changed();
        }
    }

    /// Asks the job to stop, which it does within milliseconds; what was found is kept.
    pub fn stop(&self) {
        self.shared.pool.stop();
        self.shared.changed();
    }

    /// Stops the job. Dropping it afterwards does not wait for the end.
    pub fn abandon(&mut self) {
        self.stop();
        self.thread = None;
    }

    /// Whether its threads have ended.
    pub fn has_ended(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Waits for the end.
    pub fn join(&mut self) {
        if let Some(thread) = self.thread.take() {
            // The driver catches all panics.
            let _ = thread.join();
        }
    }
}

impl<R> Drop for BackgroundJob<R> {
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            self.shared.pool.stop();
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Numbers;
    use super::*;

    fn job(items: usize) -> Job<Numbers, Vec<usize>> {
        Job {
            name: "test",
            workers: 2,
            items: Numbers::below(items),
            steps: (0, items),
            record: Vec::new(),
        }
    }

    /// Records every item, and panics at one of them.
    fn run(items: usize, panics_at: usize) -> BackgroundJob<Vec<usize>> {
        let each = move |(): &mut (), item, worker: &Worker, shared: &Shared<Vec<usize>>| {
            assert_ne!(item, panics_at, "as a test asked");
            shared.update(|known| known.push(item));
            worker.pool.advance(1);
        };
        let mut job = job(items).start(|| (), each).expect("a thread");
        job.join();
        job
    }

    #[test]
    fn every_item_is_entered_once() {
        let job = run(40, usize::MAX);
        let mut known = job.findings();
        known.sort_unstable();
        assert!(known.into_iter().eq(0..40));
        assert_eq!(job.progress(), (JobState::Done, 40, 40));
        assert!(job.generation() >= 40 && job.has_ended());
    }

    #[test]
    fn what_was_found_before_a_panic_stands() {
        let job = run(1_000_000, 3);
        let (state, done, _) = job.progress();
        assert_eq!((state, done), (JobState::Stopped, job.findings().len()));
        assert!(job.has_ended());
    }

    #[test]
    fn nothing_to_do_is_done() {
        assert_eq!(run(0, 0).progress(), (JobState::Done, 0, 0));
    }
}
