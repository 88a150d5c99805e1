//! The workers of a job, and the switches that pause and stop them.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::items::{Items, Next};
use crate::threads::STACK;
use search::{Control, Limits, StopReason};

/// The number of workers, their progress, and whether they are to pause or stop.
#[derive(Debug)]
pub struct Pool {
    name: &'static str,
    done: AtomicUsize,
    all: AtomicUsize,
    /// Set while the switches are locked; read without the lock where reads are frequent.
    stopped: AtomicBool,
    switches: Mutex<Switches>,
    /// Signalled when an item has finished or a switch has changed.
    changed: Condvar,
}

#[derive(Debug)]
struct Switches {
    paused: bool,
    /// The search that each worker is running, which pauses and stops with the job.
    searches: Box<[Option<Arc<Control>>]>,
}

/// One of the threads that work through the items.
#[derive(Debug)]
pub struct Worker<'a> {
    pub pool: &'a Pool,
    index: usize,
}

impl Pool {
    /// Creates a pool with at least one worker. `steps` are the steps done and their total. The threads are named after
    /// `name`.
    pub fn new(name: &'static str, workers: usize, steps: (usize, usize)) -> Self {
        Pool {
            name,
            done: AtomicUsize::new(steps.0),
            all: AtomicUsize::new(steps.1),
            stopped: AtomicBool::new(false),
            switches: Mutex::new(Switches {
                paused: false,
                searches: vec![None; workers.max(1)].into(),
            }),
            changed: Condvar::new(),
        }
    }

    /// Returns a worker for the thread at hand, where there is no job for a thread of its own.
    pub fn worker(&self) -> Worker<'_> {
        Worker {
            pool: self,
            index: 0,
        }
    }

    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the number of steps done and the total.
    pub fn progress(&self) -> (usize, usize) {
        (self.done.load(Relaxed), self.all.load(Relaxed))
    }

    /// Adds to the number of steps done.
    pub fn advance(&self, steps: usize) {
        self.done.fetch_add(steps, Relaxed);
    }

    /// Begins another pass over the items, of which nothing is done yet.
    pub fn start_over(&self) {
        self.done.store(0, Relaxed);
    }

    /// Removes steps that will never be done from the total.
    pub fn leave_out(&self, steps: usize) {
        self.all.fetch_sub(steps, Relaxed);
    }

    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    pub fn is_paused(&self) -> bool {
        self.lock().paused
    }

    /// Whether searches must not continue at the moment.
    pub fn is_halted(&self) -> bool {
        self.is_stopped() || self.is_paused()
    }

    /// Stops the searches under way; no further item begins.
    pub fn stop(&self) {
        let switches = self.lock();
        self.stopped.store(true, Relaxed);
        for control in switches.searches.iter().flatten() {
            control.stop(StopReason::User);
        }
        drop(switches);
        self.changed.notify_all();
    }

    /// Pauses the searches under way or lets them continue. Returns false if nothing changes.
    pub fn set_paused(&self, paused: bool) -> bool {
        let mut switches = self.lock();
        if switches.paused == paused || self.is_stopped() {
            return false;
        }
        switches.paused = paused;
        for control in switches.searches.iter().flatten() {
            if paused {
                control.pause();
            } else {
                control.resume();
            }
        }
        drop(switches);
        self.changed.notify_all();
        true
    }

    /// Returns at the end of a pause, or at once if there is none.
    pub fn wait_while_paused(&self) {
        let mut switches = self.lock();
        while switches.paused && !self.is_stopped() {
            switches = self.wait(switches);
        }
    }

    /// Works through all items on as many threads as there are workers. The calling thread is one of them and works
    /// alone if no other can be started, so it needs a stack that is large enough for a search. Each worker creates a
    /// state with `begin` and keeps it from item to item. Returns `None` if the job was stopped before all steps were
    /// done.
    ///
    /// # Panics
    /// If an item panics; the other workers are stopped first.
    pub fn work<I: Items, S>(
        &self,
        items: &I,
        begin: impl Fn() -> S + Sync,
        each: impl Fn(&mut S, I::Item, &Worker) + Sync,
    ) -> Option<()> {
        let panic = Mutex::new(None);
        let work = |index: usize| {
            let worker = Worker { pool: self, index };
            let ended = catch_unwind(AssertUnwindSafe(|| {
                let mut state = begin();
                while let Some(item) = self.take(items) {
                    each(&mut state, item, &worker);
                    self.finish(items, item);
                }
            }));
            worker.watch(None);
            if let Err(payload) = ended {
                self.stop();
                *panic.lock().unwrap_or_else(PoisonError::into_inner) = Some(payload);
            }
        };
        let workers = self.lock().searches.len();
        std::thread::scope(|scope| {
            for index in 1..workers {
                let work = &work;
                let thread = std::thread::Builder::new()
                    .name(format!("{}-{index}", self.name))
                    .stack_size(STACK);
                // Without this worker the job only takes longer.
                let _ = thread.spawn_scoped(scope, move || work(index));
            }
            work(0);
        });
        if let Some(payload) = panic.into_inner().unwrap_or_else(PoisonError::into_inner) {
            resume_unwind(payload);
        }
        let (done, all) = self.progress();
        (done >= all || !self.is_stopped()).then_some(())
    }

    /// Returns the next item as soon as there is one, or `None` if none is left or the job is stopped.
    fn take<I: Items>(&self, items: &I) -> Option<I::Item> {
        let mut switches = self.lock();
        while !self.is_stopped() {
            if !switches.paused {
                match items.next() {
                    Next::Item(item) => return Some(item),
                    Next::Nothing => return None,
                    Next::Later => {}
                }
            }
            switches = self.wait(switches);
        }
        None
    }

    fn finish<I: Items>(&self, items: &I, item: I::Item) {
        let switches = self.lock();
        items.finish(item);
        drop(switches);
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Switches> {
        self.switches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, switches: MutexGuard<'a, Switches>) -> MutexGuard<'a, Switches> {
        self.changed
            .wait(switches)
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Worker<'_> {
    /// Returns the control of this worker's next search, which pauses and stops with the job, or `None` if the job is
    /// stopped.
    pub fn control(&self, limits: Limits) -> Option<Arc<Control>> {
        let control = Arc::new(Control::new(limits, 1));
        self.watch(Some(Arc::clone(&control)));
        (!self.pool.is_stopped()).then_some(control)
    }

    /// Makes this search pause and stop with the job from now on; `None` means that the worker runs none.
    pub fn watch(&self, control: Option<Arc<Control>>) {
        let mut switches = self.pool.lock();
        if let Some(control) = &control {
            if self.pool.is_stopped() {
                control.stop(StopReason::User);
            } else if switches.paused {
                control.pause();
            }
        }
        switches.searches[self.index] = control;
    }
}

#[cfg(test)]
mod tests {
    use super::super::Numbers;
    use super::*;

    /// Hands out even numbers first, and an odd one only while no other item is under way.
    #[derive(Debug, Default)]
    struct EvenFirst(Mutex<(Vec<usize>, usize)>);

    impl Items for EvenFirst {
        type Item = usize;

        fn next(&self) -> Next<usize> {
            let (given, busy) = &mut *self.0.lock().expect("no panic");
            let left: Vec<usize> = (0..8).filter(|n| !given.contains(n)).collect();
            let even = left.iter().find(|n| *n % 2 == 0);
            let next = match even.or(left.first()) {
                None => return Next::Nothing,
                Some(n) if n % 2 == 1 && *busy > 0 => return Next::Later,
                Some(n) => *n,
            };
            given.push(next);
            *busy += 1;
            Next::Item(next)
        }

        fn finish(&self, _: usize) {
            self.0.lock().expect("no panic").1 -= 1;
        }
    }

    #[test]
    fn items_come_in_their_order_and_wait_for_each_other() {
        for workers in [1, 3] {
            let pool = Pool::new("test", workers, (0, 8));
            let items = EvenFirst::default();
            let ended = pool.work(&items, || (), |(), _, worker| worker.pool.advance(1));
            assert_eq!((ended, pool.progress()), (Some(()), (8, 8)));
            let given = items.0.into_inner().expect("no panic").0;
            assert_eq!(given, [0, 2, 4, 6, 1, 3, 5, 7]);
        }
    }

    #[test]
    fn a_stop_ends_searches_and_begins_no_more_items() {
        let pool = Pool::new("test", 2, (0, 100));
        let ended = pool.work(
            &Numbers::below(100),
            || (),
            |(), item, worker| {
                let search = worker.control(Limits::default());
                if item == 5 {
                    worker.pool.stop();
                    assert!(search.is_some_and(|s| s.stopped() == Some(StopReason::User)));
                    assert!(worker.control(Limits::default()).is_none());
                } else if search.is_some() {
                    worker.pool.advance(1);
                }
            },
        );
        assert_eq!(ended, None);
        assert!(pool.progress().0 < 8);
    }

    #[test]
    fn a_pause_holds_searches_and_items_until_it_ends() {
        let pool = Pool::new("test", 1, (0, 2));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !pool.is_paused() {
                    std::thread::yield_now();
                }
                assert_eq!(pool.progress(), (0, 2));
                assert!(pool.set_paused(false) && !pool.set_paused(false));
            });
            pool.work(
                &Numbers::below(2),
                || (),
                |(), item, worker| {
                    if item == 0 {
                        let search = worker.control(Limits::default()).expect("not stopped");
                        assert!(pool.set_paused(true));
                        assert!(search.is_paused());
                        pool.wait_while_paused();
                        assert!(!search.is_paused());
                    }
                    worker.pool.advance(1);
                },
            );
        });
        assert_eq!(pool.progress(), (2, 2));
    }

    #[test]
    fn a_panic_ends_the_job_and_goes_on_in_the_caller() {
        let pool = Pool::new("test", 2, (0, 1_000_000));
        let ended = catch_unwind(AssertUnwindSafe(|| {
            pool.work(
                &Numbers::below(1_000_000),
                || (),
                |(), item, _| assert_ne!(item, 3, "as a test asked"),
            )
        }));
        assert!(ended.is_err() && pool.is_stopped());
    }
}
