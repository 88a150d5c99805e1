//! Watching a search through a pointer, at the cost of a counter.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::{AfterEvent, Event, LeafVisit, Probe, Start};

/// Watches a search from some event on: like [`Probe`], with the number of the latest event.
pub trait Watcher: Send {
    fn event(&mut self, number: u64, event: Event) -> AfterEvent;

    /// After [`AfterEvent::Hold`]: whether the search still has to wait.
    fn holds(&self) -> bool {
        false
    }

    /// See [`Probe::leaf_visit`].
    fn leaf_visit(&mut self, _visit: &LeafVisit) -> AfterEvent {
        AfterEvent::GoOn
    }

    /// See [`Probe::wants_clean_point`].
    fn wants_clean_point(&self) -> bool {
        false
    }

    /// See [`Probe::clean_point`].
    fn clean_point(&mut self, _number: u64, _start: Start) {}

    /// Called when the search has ended, after this many events.
    fn ended(&mut self, _number: u64) {}
}

/// The probe of a [`Watcher`]. It counts events itself and calls the watcher only for those that are wanted, so that
/// one compiled search serves every watcher at full speed.
pub struct Watched<'a> {
    /// Events so far.
    count: u64,
    /// The number of the first event that is wanted; the watcher may change it at any time.
    threshold: Arc<AtomicU64>,
    watcher: &'a mut dyn Watcher,
}

impl<'a> Watched<'a> {
    /// `count` events have already happened.
    pub fn new(count: u64, threshold: Arc<AtomicU64>, watcher: &'a mut dyn Watcher) -> Self {
        Watched {
            count,
            threshold,
            watcher,
        }
    }
}

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        self.watcher.ended(self.count);
    }
}

impl Probe for Watched<'_> {
    const ACTIVE: bool = true;

    #[inline(always)]
    fn wants(&mut self) -> bool {
        self.count += 1;
        self.count >= self.threshold.load(Relaxed)
    }

    #[inline(always)]
    fn passes_over(&mut self, events: u64) -> bool {
        let unseen = self.count + events < self.threshold.load(Relaxed);
        if unseen {
            self.count += events;
        }
        unseen
    }

    #[inline(always)]
    fn will_want(&self) -> bool {
        self.count + 1 >= self.threshold.load(Relaxed)
    }

    #[inline(always)]
    fn wants_any_of(&self, events: u64) -> bool {
        self.count + events >= self.threshold.load(Relaxed)
    }

    #[inline(always)]
    fn count_unseen(&mut self, events: u64) {
        self.count += events;
    }

    fn event(&mut self, event: Event) -> AfterEvent {
        self.watcher.event(self.count, event)
    }

    fn holds(&self) -> bool {
        self.watcher.holds()
    }

    fn leaf_visit(&mut self, visit: &LeafVisit) -> AfterEvent {
        self.watcher.leaf_visit(visit)
    }

    #[inline]
    fn wants_clean_point(&self) -> bool {
        self.watcher.wants_clean_point()
    }

    fn clean_point(&mut self, start: Start) {
        self.watcher.clean_point(self.count, start);
    }
}
