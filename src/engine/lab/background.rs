//! An experiment in the background: jobs done several at a time, and what they found so far.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use super::pool::{Desk, Pool};
use crate::engine::run::{NoThread, spawn};

/// How an experiment goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    Running,
    Done,
    /// By a person, before the end.
    Stopped,
}

/// What the threads of an experiment share with its readers.
#[derive(Debug)]
pub(super) struct Ground<F> {
    pub pool: Pool,
    done: AtomicUsize,
    all: usize,
    generation: AtomicU64,
    state: Mutex<(Course, F)>,
}

impl<F> Ground<F> {
    fn lock(&self) -> MutexGuard<'_, (Course, F)> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the findings.
    pub fn tell(&self, change: impl FnOnce(&mut F)) {
        change(&mut self.lock().1);
        self.generation.fetch_add(1, Relaxed);
    }

    /// One more step is done of those announced.
    pub fn step(&self) {
        self.done.fetch_add(1, Relaxed);
    }
}

/// A running experiment that finds an `F`. Reading it never waits for a search; dropping it stops it.
#[derive(Debug)]
pub struct Background<F> {
    ground: Arc<Ground<F>>,
    thread: Option<JoinHandle<()>>,
}

impl<F: Clone + Send + 'static> Background<F> {
    /// Does `jobs` jobs, `at_a_time` at once, each of `steps` steps, on findings that are empty at first.
    pub(super) fn start(
        at_a_time: usize,
        (jobs, steps): (usize, usize),
        empty: F,
        job: impl Fn(usize, &Desk, &Ground<F>) + Send + Sync + 'static,
    ) -> Result<Background<F>, NoThread> {
        let ground = Arc::new(Ground {
            pool: Pool::new(at_a_time.min(jobs)),
            done: AtomicUsize::new(0),
            all: jobs * steps,
            generation: AtomicU64::new(0),
            state: Mutex::new((Course::Running, empty)),
        });
        let worker = Arc::clone(&ground);
        let thread = spawn(String::from("lab"), move || {
            worker
                .pool
                .work(jobs, |number, desk| job(number, desk, &worker));
            let stopped = worker.pool.is_halted() && worker.done.load(Relaxed) < worker.all;
            worker.lock().0 = if stopped {
                Course::Stopped
            } else {
                Course::Done
            };
            worker.generation.fetch_add(1, Relaxed);
        })?;
        Ok(Background {
            ground,
            thread: Some(thread),
        })
    }

    /// Rises whenever there is something new in [`Background::findings`].
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.ground.generation.load(Relaxed)
    }

    /// How it goes; steps done, and how many there are.
    #[must_use]
    pub fn progress(&self) -> (Course, usize, usize) {
        let course = self.ground.lock().0;
        (course, self.ground.done.load(Relaxed), self.ground.all)
    }

    /// A copy of what is known by now.
    #[must_use]
    pub fn findings(&self) -> F {
        self.ground.lock().1.clone()
    }

    /// Asks it to stop, which it does within milliseconds; what was found stays.
    pub fn stop(&self) {
        self.ground.pool.halt();
    }

    /// Whether its threads have ended.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Waits for the end.
    pub fn join(&mut self) {
        if let Some(thread) = self.thread.take() {
            // A panic was reported by the panic hook; what was found stands.
            let _ = thread.join();
        }
    }
}

impl<F> Drop for Background<F> {
    fn drop(&mut self) {
        self.ground.pool.halt();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
