//! Between a search's threads and those who watch and steer it: limits, stop, pause, counters.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16, AtomicU64, AtomicUsize};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::tree::{FATES, Fate};

/// When a search shall stop by itself. No field set: it goes on until it is solved or stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Nodes by the contract's rule, all threads together.
    pub nodes: Option<u64>,
    /// Running time, pauses not counted.
    pub time: Option<Duration>,
    /// Iterations of a depth-first search; deepest ply of a best-first one.
    pub depth: Option<u16>,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum StopReason {
    Nodes = 1,
    Time,
    Depth,
    Memory,
    Solved,
    User,
}

impl StopReason {
    fn from_bits(bits: u8) -> Option<StopReason> {
        use StopReason::{Depth, Memory, Nodes, Solved, Time, User};
        [Nodes, Time, Depth, Memory, Solved, User]
            .into_iter()
            .find(|r| *r as u8 == bits)
    }
}

/// One thread's counters, on cache lines of their own.
#[repr(align(128))]
#[derive(Debug, Default)]
struct Counters {
    nodes: AtomicU64,
    steps: AtomicU64,
    back_ups: AtomicU64,
    playouts: AtomicU64,
    unrecorded: AtomicU64,
    selective_depth: AtomicU16,
    fates: [AtomicU64; FATES.len()],
}

/// Figures of a search at one moment, all threads together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Nodes by the contract's rule.
    pub nodes: u64,
    /// Best-first: levels of descent.
    pub steps: u64,
    /// Best-first: back-ups of one node.
    pub back_ups: u64,
    /// Best-first: descents finished.
    pub playouts: u64,
    /// Depth-first: visited, but not recorded in the tree.
    pub unrecorded: u64,
    /// The iteration finished last (depth-first).
    pub depth: u16,
    /// The deepest ply reached.
    pub selective_depth: u16,
    /// How often each fate was given, by [`Fate::kind`].
    pub fates: [u64; FATES.len()],
}

impl Totals {
    /// Figures of two stretches of one search together; the depth is the later one's, if it finished any iteration.
    #[must_use]
    pub fn plus(&self, later: &Totals) -> Totals {
        let mut sum = Totals {
            nodes: self.nodes + later.nodes,
            steps: self.steps + later.steps,
            back_ups: self.back_ups + later.back_ups,
            playouts: self.playouts + later.playouts,
            unrecorded: self.unrecorded + later.unrecorded,
            depth: self.depth.max(later.depth),
            selective_depth: self.selective_depth.max(later.selective_depth),
            fates: self.fates,
        };
        for (sum, fate) in sum.fates.iter_mut().zip(&later.fates) {
            *sum += fate;
        }
        sum
    }
}

#[derive(Debug)]
struct Clock {
    /// Running time before `since`.
    run: Duration,
    /// `None` while paused.
    since: Option<Instant>,
}

impl Clock {
    fn halt(&mut self) {
        if let Some(since) = self.since.take() {
            self.run += since.elapsed();
        }
    }

    fn go(&mut self) {
        if self.since.is_none() {
            self.since = Some(Instant::now());
        }
    }
}

/// The switchboard of one search.
#[derive(Debug)]
pub struct Control {
    limits: Limits,
    stop: AtomicU8,
    /// A person, or the session's end, wants it to end: it stands nowhere any more.
    quit: AtomicBool,
    paused: AtomicBool,
    /// Threads that wait because of the pause, or have ended.
    waiting: AtomicUsize,
    clock: Mutex<Clock>,
    resumed: Condvar,
    /// It pauses by itself at so many nodes (`u64::MAX`: never).
    pause_at: AtomicU64,
    depth: AtomicU16,
    threads: Box<[Counters]>,
}

/// The search must unwind now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupt;

impl Control {
    #[must_use]
    pub fn new(limits: Limits, threads: usize) -> Self {
        Control {
            limits,
            stop: AtomicU8::new(0),
            quit: AtomicBool::new(false),
            paused: AtomicBool::new(false),
            waiting: AtomicUsize::new(0),
            clock: Mutex::new(Clock {
                run: Duration::ZERO,
                since: Some(Instant::now()),
            }),
            resumed: Condvar::new(),
            pause_at: AtomicU64::new(u64::MAX),
            depth: AtomicU16::new(0),
            threads: (0..threads.max(1)).map(|_| Counters::default()).collect(),
        }
    }

    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// Ends the search; the first reason given stays.
    pub fn stop(&self, reason: StopReason) {
        if reason == StopReason::User {
            self.quit.store(true, Relaxed);
        }
        let _ = self
            .stop
            .compare_exchange(0, reason as u8, Relaxed, Relaxed);
        let _clock = self.lock();
        self.resumed.notify_all();
    }

    #[must_use]
    pub fn stopped(&self) -> Option<StopReason> {
        StopReason::from_bits(self.stop.load(Relaxed))
    }

    pub fn pause(&self) {
        let mut clock = self.lock();
        clock.halt();
        self.paused.store(true, Relaxed);
    }

    /// The search pauses by itself when so many nodes have been counted, once.
    pub fn pause_at(&self, nodes: Option<u64>) {
        self.pause_at.store(nodes.unwrap_or(u64::MAX), Relaxed);
    }

    pub fn resume(&self) {
        let mut clock = self.lock();
        clock.go();
        self.paused.store(false, Relaxed);
        self.resumed.notify_all();
    }

    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.paused.load(Relaxed)
    }

    /// Whether the search stands still: paused with every thread waiting, or ended. A thread looks up at least
    /// every 256 nodes.
    #[must_use]
    pub fn is_still(&self) -> bool {
        self.waiting.load(Acquire) == self.threads.len()
    }

    /// Stops the clock for good: the search has ended.
    pub fn freeze_clock(&self) {
        self.lock().halt();
    }

    /// Running time so far, pauses not counted.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        let clock = self.lock();
        clock.run + clock.since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Clock> {
        self.clock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The depth-first iteration finished last.
    pub fn set_depth(&self, depth: u16) {
        self.depth.fetch_max(depth, Relaxed);
    }

    #[must_use]
    pub fn totals(&self) -> Totals {
        let mut totals = Totals {
            depth: self.depth.load(Relaxed),
            ..Totals::default()
        };
        for t in &self.threads {
            totals.nodes += t.nodes.load(Relaxed);
            totals.steps += t.steps.load(Relaxed);
            totals.back_ups += t.back_ups.load(Relaxed);
            totals.playouts += t.playouts.load(Relaxed);
            totals.unrecorded += t.unrecorded.load(Relaxed);
            totals.selective_depth = totals.selective_depth.max(t.selective_depth.load(Relaxed));
            for (sum, fate) in totals.fates.iter_mut().zip(&t.fates) {
                *sum += fate.load(Relaxed);
            }
        }
        totals
    }

    fn nodes(&self) -> u64 {
        self.threads.iter().map(|t| t.nodes.load(Relaxed)).sum()
    }

    /// Stands still, as if paused, while `holds`, which [`Control::resume`] makes the search ask again. Also where a
    /// limit has stopped the search already: there are last events to be seen.
    fn hold(&self, holds: impl Fn() -> bool) {
        let mut clock = self.lock();
        if !holds() {
            return;
        }
        clock.halt();
        self.paused.store(true, Relaxed);
        self.waiting.fetch_add(1, Release);
        while holds() && !self.quit.load(Relaxed) {
            clock = self
                .resumed
                .wait(clock)
                .unwrap_or_else(PoisonError::into_inner);
        }
        self.waiting.fetch_sub(1, Release);
        self.paused.store(false, Relaxed);
        clock.go();
    }

    /// Waits while paused.
    pub fn wait_while_paused(&self) {
        let mut clock = self.lock();
        self.waiting.fetch_add(1, Release);
        while self.is_paused() && self.stopped().is_none() {
            clock = self
                .resumed
                .wait(clock)
                .unwrap_or_else(PoisonError::into_inner);
        }
        self.waiting.fetch_sub(1, Release);
    }
}

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
    use super::*;

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
    fn the_first_reason_stays() {
        let control = Control::new(Limits::default(), 1);
        control.stop(StopReason::Solved);
        control.stop(StopReason::User);
        assert_eq!(control.stopped(), Some(StopReason::Solved));
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
