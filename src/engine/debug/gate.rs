//! Between the search thread, which stops at events, and the session, which tells it where.

use std::collections::VecDeque;
use std::sync::atomic::{
    AtomicU32, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::log::Log;
use super::{Standing, Step};
use crate::engine::breakpoint::Matcher;

/// What the search thread does until it stands again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) enum Order {
    /// Runs and only counts.
    Free,
    Step {
        step: Step,
        times: u32,
    },
    /// A running search stands at its next event: of a best-first search after a copy was taken.
    BreakIn,
    /// Runs to an event by its number.
    To(u64),
}

impl Order {
    /// From which event on it must be watched.
    fn watched_from(self) -> u64 {
        match self {
            Order::Free => u64::MAX,
            Order::Step { .. } | Order::BreakIn => 0,
            Order::To(event) => watch_before(event),
        }
    }
}

/// The events before one the search runs to are kept for the log.
pub(super) fn watch_before(event: u64) -> u64 {
    const KEPT: u64 = 4096;
    event.saturating_sub(KEPT)
}

/// What both sides write on.
#[derive(Debug)]
pub(in crate::engine) struct GateState {
    pub order: Order,
    /// Orders that came before the last was carried out.
    pub queue: VecDeque<Order>,
    /// Where the search stands at an event.
    pub standing: Option<Standing>,
    /// The last event known of: exact where the search stands or has ended.
    pub now: u64,
    pub log: Log,
    /// Lie here while the search thread has no need of them.
    pub matchers: Vec<(usize, Matcher)>,
    /// Others were put here: the search thread takes them.
    pub matchers_changed: bool,
    /// The main thread has begun to search: before that nothing has happened.
    pub begun: bool,
    /// The main thread has ended.
    pub ended: bool,
}

impl GateState {
    /// An order is being carried out.
    pub fn is_under_way(&self) -> bool {
        self.standing.is_none() && self.order != Order::Free && !self.ended
    }
}

/// The gate of one run.
#[derive(Debug)]
pub(in crate::engine) struct Gate {
    /// Events before this one are only counted.
    watch_from: Arc<AtomicU64>,
    /// The main thread takes points of how the root's value goes, the next one at this event (`u64::MAX`: none).
    point_at: AtomicU64,
    /// The earlier of the two: all that the main thread compares its events with.
    wake_at: Arc<AtomicU64>,
    /// Counts the orders.
    version: AtomicU32,
    state: Mutex<GateState>,
}

impl Gate {
    /// For a run whose first event has the number `before + 1`.
    pub fn new(order: Order, before: u64) -> Self {
        Gate {
            watch_from: Arc::new(AtomicU64::new(order.watched_from())),
            point_at: AtomicU64::new(u64::MAX),
            wake_at: Arc::new(AtomicU64::new(order.watched_from())),
            version: AtomicU32::new(1),
            state: Mutex::new(GateState {
                order,
                queue: VecDeque::new(),
                standing: None,
                now: before,
                log: Log::default(),
                matchers: Vec::new(),
                matchers_changed: true,
                begun: false,
                ended: false,
            }),
        }
    }

    pub fn state(&self) -> MutexGuard<'_, GateState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[inline]
    pub fn watch_from(&self) -> u64 {
        self.watch_from.load(Relaxed)
    }

    /// The search thread sees this at its next event. Only under the state's lock.
    pub fn set_watch_from(&self, event: u64) {
        self.watch_from.store(event, Relaxed);
        let point_at = self.point_at.load(Relaxed);
        self.wake_at.store(event.min(point_at), Relaxed);
    }

    /// The main thread takes its next point there.
    pub fn set_point_at(&self, event: u64) {
        // Not while an order comes in.
        let _state = self.state();
        self.point_at.store(event, Relaxed);
        let watch_from = self.watch_from();
        self.wake_at.store(event.min(watch_from), Relaxed);
    }

    /// From which event on a thread has anything to do, kept up to date.
    pub fn threshold(&self, takes_points: bool) -> Arc<AtomicU64> {
        Arc::clone(if takes_points {
            &self.wake_at
        } else {
            &self.watch_from
        })
    }

    pub fn version(&self) -> u32 {
        self.version.load(Acquire)
    }

    /// What the search does from its next event on, whatever it was at. A standing search goes on when its control is
    /// told to resume.
    pub fn order(&self, order: Order) {
        let mut state = self.state();
        state.order = order;
        state.queue.clear();
        state.standing = None;
        self.set_watch_from(order.watched_from());
        self.version.fetch_add(1, Release);
    }

    /// To be done when what is under way is done; false if nothing is.
    pub fn queue(&self, order: Order) -> bool {
        let mut state = self.state();
        let under_way = state.is_under_way();
        if under_way {
            state.queue.push_back(order);
        }
        under_way
    }

    /// Takes the next order of the queue, on the search thread.
    pub fn next_in_queue(&self, state: &mut GateState) -> Option<Order> {
        let order = state.queue.pop_front()?;
        state.order = order;
        self.set_watch_from(order.watched_from());
        Some(order)
    }

    /// Other breakpoints, at once.
    pub fn set_matchers(&self, matchers: Vec<(usize, Matcher)>) {
        let mut state = self.state();
        state.matchers = matchers;
        state.matchers_changed = true;
        self.version.fetch_add(1, Release);
    }

    /// What an earlier run over the same events leaves behind: its log, as far as it reaches up to this one's, and the
    /// breakpoints with what they remember.
    pub fn take_over(&self, older: &Log, matchers: Vec<(usize, Matcher)>) {
        let mut state = self.state();
        if state.log.is_empty() {
            let first = state.now + 1;
            state.log.append(first, &[]);
        }
        state.log.continue_from(older);
        drop(state);
        self.set_matchers(matchers);
    }
}
