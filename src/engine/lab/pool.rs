//! Several searches at a time, which can all be stopped.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use crate::engine::run::STACK;
use crate::search::{Control, Limits, StopReason};

/// Where one worker's search stands that is under way.
#[derive(Debug)]
pub(super) struct Desk<'a> {
    pool: &'a Pool,
    index: usize,
}

/// The workers, and whether they shall stop.
#[derive(Debug)]
pub(super) struct Pool {
    halted: AtomicBool,
    running: Box<[Mutex<Option<Arc<Control>>>]>,
}

impl Pool {
    pub fn new(workers: usize) -> Self {
        Pool {
            halted: AtomicBool::new(false),
            running: (0..workers.max(1)).map(|_| Mutex::default()).collect(),
        }
    }

    pub fn is_halted(&self) -> bool {
        self.halted.load(Relaxed)
    }

    /// Stops what is under way; nothing begins any more.
    pub fn halt(&self) {
        self.halted.store(true, Relaxed);
        for slot in &self.running {
            let slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(control) = slot.as_ref() {
                control.stop(StopReason::User);
            }
        }
    }

    /// Does all jobs of 0..`jobs`, several at a time, begun in their order; returns when they are done or halted. Where no
    /// thread can be started, it does them itself: it wants a search's stack.
    pub fn work(&self, jobs: usize, job: impl Fn(usize, &Desk) + Sync) {
        let next = AtomicUsize::new(0);
        let worker = |index: usize| {
            let desk = Desk { pool: self, index };
            loop {
                let number = next.fetch_add(1, Relaxed);
                if number >= jobs || self.is_halted() {
                    break;
                }
                // A mistake of the program was told by the panic hook; it ends all of them, and what was found stands.
                if catch_unwind(AssertUnwindSafe(|| job(number, &desk))).is_err() {
                    self.halt();
                }
            }
            desk.slot(None);
        };
        std::thread::scope(|scope| {
            let mut any = false;
            for index in 0..self.running.len() {
                let worker = &worker;
                any |= std::thread::Builder::new()
                    .name(format!("lab-{index}"))
                    .stack_size(STACK)
                    .spawn_scoped(scope, move || worker(index))
                    .is_ok();
            }
            if !any {
                worker(0);
            }
        });
    }
}

impl Desk<'_> {
    /// Which of the workers it is, from 0.
    pub fn index(&self) -> usize {
        self.index
    }

    /// The switchboard of this worker's next search; `None` where all shall stop.
    pub fn begin(&self, limits: Limits) -> Option<Arc<Control>> {
        let control = Arc::new(Control::new(limits, 1));
        // First the slot, then the question: a halt in between finds the one or the other.
        self.slot(Some(Arc::clone(&control)));
        (!self.pool.is_halted()).then_some(control)
    }

    fn slot(&self, control: Option<Arc<Control>>) {
        let slot = &self.pool.running[self.index];
        *slot.lock().unwrap_or_else(PoisonError::into_inner) = control;
    }
}
