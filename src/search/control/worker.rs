//! A search thread's side of the switchboard.

use std::sync::atomic::Ordering::{Relaxed, Release};
use std::time::Duration;

use cpu_time::ThreadTime;

use super::{Control, Cores, Interrupt, StopReason};
use crate::Rule;
use tree::{FATES, Fate};

/// The CPU time of the thread on which it was created. Reading it costs some 0.2 µs, too much for every poll.
#[derive(Debug)]
struct CpuClock {
    began: ThreadTime,
    used: Duration,
    /// [`CpuClock::used`] when the current turn began.
    turn: Duration,
    /// The nodes counted at the last reading, and the polls made since.
    nodes: u64,
    polls: u32,
}

impl CpuClock {
    fn new() -> Self {
        CpuClock {
            began: ThreadTime::now(),
            used: Duration::ZERO,
            turn: Duration::ZERO,
            nodes: 0,
            polls: 0,
        }
    }

    fn look(&mut self) {
        self.used = self.began.elapsed();
    }

    /// Reads the clock if some 0.1 ms may have passed since the last time.
    fn look_sometimes(&mut self, nodes: u64) {
        self.polls += 1;
        if nodes >= self.nodes + Worker::POLL || self.polls >= 64 {
            self.nodes = nodes;
            self.polls = 0;
            self.look();
        }
    }

    fn has_used_its_slice(&self) -> bool {
        self.used >= self.turn + Cores::SLICE
    }
}

/// One thread's side of the switchboard: it counts without touching what other threads touch, and checks the control
/// from time to time.
#[derive(Debug)]
pub struct Worker<'a> {
    control: &'a Control,
    index: usize,
    nodes: u64,
    next_poll: u64,
    /// The node count at which counting a node interrupts this thread, whatever the others do.
    quota: u64,
    clock: CpuClock,
    /// Whether this thread has its turn on the cores that the search shares with others.
    has_turn: bool,
    pub steps: u64,
    pub back_ups: u64,
    pub undefined: u64,
    pub playouts: u64,
    pub unrecorded: u64,
    pub selective_depth: u16,
    fates: [u64; FATES.len()],
    rules: [u64; Rule::ALL.len()],
    /// The node count to publish while nodes are counted aside.
    told: Option<u64>,
    /// The worker takes the place of a thread's worker while that is in use elsewhere, and represents no thread itself.
    stands_in: bool,
}

/// A worker's counters before an audit; see [`Worker::step_aside`].
#[derive(Debug)]
pub struct Aside {
    nodes: u64,
    unrecorded: u64,
    selective_depth: u16,
    fates: [u64; FATES.len()],
    rules: [u64; Rule::ALL.len()],
}

impl<'a> Worker<'a> {
    /// Nodes between two checks of the control: some 0.1 ms.
    const POLL: u64 = 256;

    pub fn new(control: &'a Control, index: usize) -> Self {
        let mut worker = Worker::idle(control, index);
        worker.plan_poll(0);
        worker.take_turn();
        worker
    }

    fn idle(control: &'a Control, index: usize) -> Self {
        Worker {
            control,
            index,
            nodes: 0,
            next_poll: 0,
            quota: u64::MAX,
            clock: CpuClock::new(),
            has_turn: false,
            steps: 0,
            back_ups: 0,
            undefined: 0,
            playouts: 0,
            unrecorded: 0,
            selective_depth: 0,
            fates: [0; FATES.len()],
            rules: [0; Rule::ALL.len()],
            told: None,
            stands_in: false,
        }
    }

    /// Creates a placeholder for a thread's worker while that is in use elsewhere. It must not count.
    pub fn stand_in(control: &'a Control, index: usize) -> Self {
        let mut worker = Worker::idle(control, index);
        worker.stands_in = true;
        worker
    }

    pub fn control(&self) -> &'a Control {
        self.control
    }

    /// The thread's index; 0 is the main thread.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Nodes that this thread counted.
    #[inline]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts one node: a move was made and the new position visited.
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
        self.count_fates(fate, 1);
    }

    /// Counts this many moves or nodes of the same fate.
    #[inline]
    pub fn count_fates(&mut self, fate: Fate, count: usize) {
        self.fates[fate.kind()] += count as u64;
    }

    #[inline]
    pub fn count_rule(&mut self, rule: Rule) {
        self.rules[rule as usize] += 1;
    }

    /// From now on nothing that is counted counts, until [`Worker::step_back`].
    pub fn step_aside(&mut self) -> Aside {
        self.told = Some(self.nodes);
        Aside {
            nodes: self.nodes,
            unrecorded: self.unrecorded,
            selective_depth: self.selective_depth,
            fates: self.fates,
            rules: self.rules,
        }
    }

    /// Resumes counting where it was, and returns the nodes counted aside.
    pub fn step_back(&mut self, before: Aside) -> u64 {
        let aside = self.nodes - before.nodes;
        self.told = None;
        self.nodes = before.nodes;
        self.unrecorded = before.unrecorded;
        self.selective_depth = before.selective_depth;
        self.fates = before.fates;
        self.rules = before.rules;
        // The plan needs up-to-date counters: an audit does not move the limit.
        self.publish();
        self.plan_poll(self.control.nodes());
        aside
    }

    /// Publishes the counters, waits while paused, and says whether to continue. Best-first searches call it once per
    /// playout where a playout may count no node.
    #[cold]
    pub fn poll(&mut self) -> Result<(), Interrupt> {
        self.clock.look_sometimes(self.nodes);
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
        self.wait();
        let limits = self.control.limits();
        let late = limits.time.is_some_and(|t| self.control.elapsed() >= t);
        if late || limits.cpu.is_some_and(|t| self.control.cpu() >= t) {
            self.control.stop(StopReason::Time);
        }
        self.plan_poll(total);
        if self.control.stopped().is_some() || self.told_nodes() >= self.quota {
            Err(Interrupt)
        } else {
            Ok(())
        }
    }

    /// Waits while the search is paused, and for a turn where cores are shared.
    fn wait(&mut self) {
        if self.control.is_paused() {
            self.give_turn();
            self.control.wait_while_paused();
        } else if let Some(cores) = &self.control.cores
            && self.has_turn
            && self.clock.has_used_its_slice()
        {
            self.clock.turn = self.clock.used;
            if cores.has_queue() {
                self.give_turn();
            }
        }
        if !self.has_turn {
            self.take_turn();
        }
    }

    fn take_turn(&mut self) {
        let Some(cores) = &self.control.cores else {
            return;
        };
        let control = self.control;
        while !self.has_turn && control.stopped().is_none() {
            self.has_turn =
                cores.take_while(|| control.stopped().is_none() && !control.is_paused());
            if control.is_paused() {
                self.give_turn();
                control.wait_while_paused();
            }
        }
        self.clock.look();
        self.clock.turn = self.clock.used;
    }

    fn give_turn(&mut self) {
        if let Some(cores) = &self.control.cores
            && std::mem::take(&mut self.has_turn)
        {
            cores.give();
        }
    }

    /// Makes counting this thread's `quota`-th node, and any later one, an [`Interrupt`], as at a stop. `u64::MAX`
    /// removes the quota.
    pub fn set_quota(&mut self, quota: u64) {
        self.quota = quota;
        self.plan_poll(self.control.nodes());
    }

    /// Waits at an event while `holds` says so; a stop that came meanwhile takes effect at the next node.
    #[cold]
    pub fn hold(&mut self, holds: impl Fn() -> bool) {
        self.publish();
        self.give_turn();
        self.control.hold(holds);
        self.take_turn();
        if self.control.stopped().is_some() {
            self.next_poll = 0;
        }
    }

    /// Plans the next check for when this thread's share of what the limit leaves is used up, at the latest.
    fn plan_poll(&mut self, total: u64) {
        let threads = self.control.threads.len() as u64;
        let limit = self.control.limits.nodes.unwrap_or(u64::MAX);
        let left = limit
            .min(self.control.pause_at.load(Relaxed))
            .saturating_sub(total);
        let next = self.nodes + Self::POLL.min((left / threads).max(1));
        self.next_poll = next.min(self.quota);
    }

    fn told_nodes(&self) -> u64 {
        self.told.unwrap_or(self.nodes)
    }

    /// Makes this thread's counters visible.
    pub fn publish(&self) {
        let mine = &self.control.threads[self.index];
        mine.nodes.store(self.told_nodes(), Relaxed);
        mine.steps.store(self.steps, Relaxed);
        mine.back_ups.store(self.back_ups, Relaxed);
        mine.undefined.store(self.undefined, Relaxed);
        mine.playouts.store(self.playouts, Relaxed);
        mine.unrecorded.store(self.unrecorded, Relaxed);
        mine.selective_depth.store(self.selective_depth, Relaxed);
        mine.cpu.store(self.clock.used.as_nanos() as u64, Relaxed);
        for (there, here) in mine.fates.iter().zip(&self.fates) {
            there.store(*here, Relaxed);
        }
        for (there, here) in mine.rules.iter().zip(&self.rules) {
            there.store(*here, Relaxed);
        }
    }
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        if self.stands_in {
            return;
        }
        self.clock.look();
        self.publish();
        self.give_turn();
        self.control.waiting.fetch_add(1, Release);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::Limits;

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
