//! A search's thread at the switchboard.

use std::sync::atomic::Ordering::{Relaxed, Release};

use super::{Control, Interrupt, StopReason};
use crate::tree::{FATES, Fate};

/// One thread's side of the switchboard: counts without touching what other threads touch, and looks up from
/// time to time.
#[derive(Debug)]
pub struct Worker<'a> {
    control: &'a Control,
    index: usize,
    nodes: u64,
    next_poll: u64,
    /// Where counting a node interrupts this thread whatever the others do.
    quota: u64,
    pub steps: u64,
    pub back_ups: u64,
    pub playouts: u64,
    pub unrecorded: u64,
    pub selective_depth: u16,
    fates: [u64; FATES.len()],
}

impl<'a> Worker<'a> {
    /// Nodes between two looks at the switchboard: some 0.1 ms.
    const POLL: u64 = 256;

    #[must_use]
    pub fn new(control: &'a Control, index: usize) -> Self {
        let mut worker = Worker {
            control,
            index,
            nodes: 0,
            next_poll: 0,
            quota: u64::MAX,
            steps: 0,
            back_ups: 0,
            playouts: 0,
            unrecorded: 0,
            selective_depth: 0,
            fates: [0; FATES.len()],
        };
        worker.plan_poll(0);
        worker
    }

    #[must_use]
    pub fn control(&self) -> &'a Control {
        self.control
    }

    /// 0 is the main thread.
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    /// Nodes this thread counted.
    #[inline]
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// A move was made and the position that arose looked at: one node of the contract's count.
    #[inline]
    pub fn count_node(&mut self) -> Result<(), Interrupt> {
        self.nodes += 1;
        if self.nodes >= self.next_poll {
            self.poll()
        } else {
            Ok(())
        }
    }

    #[inline]
    pub fn count_fate(&mut self, fate: Fate) {
        self.fates[fate.kind()] += 1;
    }

    /// Publishes the counters, waits while paused, and says whether to go on. Best-first searches call it once a
    /// playout when a playout may count no node.
    #[cold]
    pub fn poll(&mut self) -> Result<(), Interrupt> {
        self.publish();
        let total = self.control.nodes();
        if self
            .control
            .limits
            .nodes
            .is_some_and(|limit| total >= limit)
        {
            self.control.stop(StopReason::Nodes);
        }
        if total >= self.control.pause_at.load(Relaxed) {
            self.control.pause_at(None);
            self.control.pause();
        }
        if self.control.is_paused() {
            self.control.wait_while_paused();
        }
        if self
            .control
            .limits
            .time
            .is_some_and(|limit| self.control.elapsed() >= limit)
        {
            self.control.stop(StopReason::Time);
        }
        self.plan_poll(total);
        if self.control.stopped().is_some() || self.nodes >= self.quota {
            Err(Interrupt)
        } else {
            Ok(())
        }
    }

    /// From this thread's `quota`-th node on counting one is an [`Interrupt`], as at a stop. `u64::MAX` lifts it.
    pub fn set_quota(&mut self, quota: u64) {
        self.quota = quota;
        self.plan_poll(self.control.nodes());
    }

    /// Stands still at an event while `holds`; a stop that came meanwhile is seen at the next node.
    #[cold]
    pub fn hold(&mut self, holds: impl Fn() -> bool) {
        self.publish();
        self.control.hold(holds);
        if self.control.stopped().is_some() {
            self.next_poll = 0;
        }
    }

    /// The next look comes when this thread's share of what the limit leaves is used up, at the latest.
    fn plan_poll(&mut self, total: u64) {
        let threads = self.control.threads.len() as u64;
        let limit = self.control.limits.nodes.unwrap_or(u64::MAX);
        let left = limit
            .min(self.control.pause_at.load(Relaxed))
            .saturating_sub(total);
        let next = self.nodes + Self::POLL.min((left / threads).max(1));
        self.next_poll = next.min(self.quota);
    }

    /// Makes this thread's counters visible.
    pub fn publish(&self) {
        let mine = &self.control.threads[self.index];
        mine.nodes.store(self.nodes, Relaxed);
        mine.steps.store(self.steps, Relaxed);
        mine.back_ups.store(self.back_ups, Relaxed);
        mine.playouts.store(self.playouts, Relaxed);
        mine.unrecorded.store(self.unrecorded, Relaxed);
        mine.selective_depth.store(self.selective_depth, Relaxed);
        for (there, here) in mine.fates.iter().zip(&self.fates) {
            there.store(*here, Relaxed);
        }
    }
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        self.publish();
        self.control.waiting.fetch_add(1, Release);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::search::Limits;

    #[test]
    fn one_thread_stops_at_its_node_limit_exactly() {
        let control = Control::new(
            Limits {
                nodes: Some(1000),
                ..Limits::default()
            },
            1,
        );
        let mut worker = Worker::new(&control, 0);
        let mut counted = 0;
        loop {
            counted += 1;
            if worker.count_node().is_err() {
                break;
            }
        }
        assert_eq!(counted, 1000);
        assert_eq!(control.stopped(), Some(StopReason::Nodes));
        assert_eq!(control.totals().nodes, 1000);
    }

    #[test]
    fn pausing_stops_the_clock_and_the_worker() {
        let control = Control::new(Limits::default(), 1);
        control.pause();
        let at = control.elapsed();
        std::thread::scope(|scope| {
            let waiter = scope.spawn(|| Worker::new(&control, 0).poll());
            std::thread::sleep(Duration::from_millis(20));
            assert!(!waiter.is_finished());
            assert_eq!(control.elapsed(), at);
            control.resume();
            assert_eq!(waiter.join().ok(), Some(Ok(())));
        });
    }
}
