//! The gate between the search thread, which stops at events, and the session, which says where.

use std::collections::VecDeque;
use std::sync::atomic::{
    AtomicU32, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::log::Log;
use super::{Standing, Step};
use crate::breakpoint::Matcher;

/// What the search thread does until it stops again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Runs and only counts events.
    Free,
    /// Runs as freely, but stops at breakpoints.
    Watch,
    Step {
        step: Step,
        times: u32,
    },
    /// Stops a running search at its next event; a best-first search first takes a copy.
    BreakIn,
    /// Runs to an event by its number.
    To(u64),
}

impl Order {
    /// Returns the event from which the search must be watched.
    fn watched_from(self) -> u64 {
        match self {
            Order::Free => u64::MAX,
            Order::Watch | Order::Step { .. } | Order::BreakIn => 0,
            Order::To(event) => watch_before(event),
        }
    }

    /// Whether nothing but a breakpoint or the user ends it.
    pub fn is_free(self) -> bool {
        matches!(self, Order::Free | Order::Watch)
    }
}

/// Returns the first event to be logged when the search runs to an event; the events just before it are kept.
pub(super) fn watch_before(event: u64) -> u64 {
    const KEPT: u64 = 4096;
    event.saturating_sub(KEPT)
}

/// The state that both sides write.
#[derive(Debug)]
pub struct GateState {
    pub order: Order,
    /// Orders given before the last one was carried out.
    pub queue: VecDeque<Order>,
    /// The event at which the search has stopped, if it has.
    pub standing: Option<Standing>,
    /// The last known event; exact if the search has stopped or ended.
    pub now: u64,
    pub log: Log,
    /// Parked here while the search thread does not need them.
    pub matchers: Vec<(usize, Matcher)>,
    /// Whether the session has replaced the matchers, so that the search thread must take the new ones.
    pub matchers_changed: bool,
    /// Whether the main thread has begun to search; before that nothing has happened.
    pub begun: bool,
    /// Whether the main thread has ended.
    pub ended: bool,
}

impl GateState {
    /// Whether an order is being carried out.
    pub fn is_under_way(&self) -> bool {
        self.standing.is_none() && !self.order.is_free() && !self.ended
    }
}

/// The gate of one run.
#[derive(Debug)]
pub struct Gate {
    /// Events before this one are only counted.
    watch_from: Arc<AtomicU64>,
    /// The event at which the main thread next records the root's value for the progress graph (`u64::MAX`: never).
    point_at: AtomicU64,
    /// The earlier of the two; the main thread compares its events with this number only.
    wake_at: Arc<AtomicU64>,
    /// Counts the orders.
    version: AtomicU32,
    state: Mutex<GateState>,
}

impl Gate {
    /// Creates a gate for a run whose first event has the number `before + 1`.
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

    /// Sets the event from which the search is watched. The search thread sees it at its next event. Call only with the
    /// state locked.
    pub fn set_watch_from(&self, event: u64) {
        self.watch_from.store(event, Relaxed);
        let point_at = self.point_at.load(Relaxed);
        self.wake_at.store(event.min(point_at), Relaxed);
    }

    /// Sets the event at which the main thread records its next point.
    pub fn set_point_at(&self, event: u64) {
        // The lock keeps orders from arriving meanwhile.
        let _state = self.state();
        self.point_at.store(event, Relaxed);
        let watch_from = self.watch_from();
        self.wake_at.store(event.min(watch_from), Relaxed);
    }

    /// Returns the event from which a thread has anything to do; the value is kept up to date.
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

    /// Sets what the search does from its next event on, whatever it was doing. A search that has stopped continues
    /// when its control is told to resume.
    pub fn order(&self, order: Order) {
        let mut state = self.state();
        state.order = order;
        state.queue.clear();
        state.standing = None;
        self.set_watch_from(order.watched_from());
        self.version.fetch_add(1, Release);
    }

    /// Lets a run that goes on freely be watched from now on, or no longer.
    pub fn watch(&self, on: bool) {
        let mut state = self.state();
        if state.order.is_free() && state.standing.is_none() && !state.ended {
            state.order = if on { Order::Watch } else { Order::Free };
            self.set_watch_from(state.order.watched_from());
            self.version.fetch_add(1, Release);
        }
    }

    /// Queues an order to be carried out after the present one; returns false if none is under way.
    pub fn queue(&self, order: Order) -> bool {
        let mut state = self.state();
        let under_way = state.is_under_way();
        if under_way {
            state.queue.push_back(order);
        }
        under_way
    }

    /// Takes the next order from the queue, on the search thread.
    pub fn next_in_queue(&self, state: &mut GateState) -> Option<Order> {
        let order = state.queue.pop_front()?;
        state.order = order;
        self.set_watch_from(order.watched_from());
        Some(order)
    }

    /// Replaces the breakpoints at once.
    pub fn set_matchers(&self, matchers: Vec<(usize, Matcher)>) {
        let mut state = self.state();
        state.matchers = matchers;
        state.matchers_changed = true;
        self.version.fetch_add(1, Release);
    }

    /// Takes over what an earlier run over the same events leaves behind: its log, as far as it reaches up to this
    /// run's log, and the breakpoints with what they remember.
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
