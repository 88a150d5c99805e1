//! The switchboard between a search's threads and those who watch and steer it: limits, stop, pause, counters.

mod cores;
mod counters;
mod early;
mod pace;
mod worker;

pub use cores::Cores;
pub use counters::Totals;
pub use early::{Decision, EndEarly};
pub use worker::{Aside, Worker};

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16, AtomicU32, AtomicU64, AtomicUsize};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::common::team::Team;
use super::{AuditTable, Recorded};
use counters::Counters;
use game::{MoveCode, Score};
use pace::Pace;

/// When a search stops by itself. If no field is set, it runs until it is solved or stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Nodes, that is, moves made on a board whose resulting position was visited, quiescence included, by all threads
    /// together; `--nodes` counts in the same way. A best-first search also ends after sixteen descents for each of them.
    pub nodes: Option<u64>,
    /// Running time without pauses.
    pub time: Option<Duration>,
    /// CPU time of all threads together, by the threads' own clocks.
    pub cpu: Option<Duration>,
    /// A depth-first search finishes this iteration. A best-first one expands nothing below this ply. It ends when
    /// nothing is left above this ply, or when its principal variation has this length (counting the plies by which its
    /// last node was searched ahead as a leaf) and none of its moves was replaced by another while the nodes doubled.
    pub depth: Option<u16>,
    /// Roughly the running time after which a depth-first search starts no further iteration: longer while its best
    /// move changes or its score falls, shorter while both are steady. It is meant for playing by a clock, with `time`
    /// as the hard limit.
    pub soft: Option<Duration>,
    /// Descents of a best-first search, by all threads together.
    pub playouts: Option<u64>,
    /// Whether the search may end before its limits.
    pub early: EndEarly,
}

/// An iteration that a depth-first search has finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Iteration {
    pub depth: u16,
    /// The deepest ply reached so far.
    pub selective_depth: u16,
    /// `NONE` where the game is over.
    pub best: MoveCode,
    /// From the view of the root's side to move.
    pub score: Score,
    /// The moves with exact values, `best` first: one, or as many as were wanted (option `lines`). Empty where the game is
    /// over.
    pub lines: Vec<RootLine>,
    /// Nodes so far, of all threads together.
    pub nodes: u64,
    /// Running time so far.
    pub elapsed: Duration,
}

/// A move of the root as an iteration left it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootLine {
    /// What was expected, as far as it was recorded. The move comes first.
    pub moves: Vec<MoveCode>,
    /// From the view of the root's side to move.
    pub score: Score,
}

/// The finished iterations, and what follows from them for the time to spend.
#[derive(Debug, Default)]
struct Course {
    finished: Vec<Iteration>,
    pace: Pace,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum StopReason {
    Nodes = 1,
    Time,
    Depth,
    Memory,
    Solved,
    User,
    Playouts,
    /// The move to play is certain; [`Control::decision`] says why.
    Decided,
    /// One of the search's threads ended because of a bug in the program, or could not start.
    Fault,
    /// Nothing is left that the search would look at.
    Exhausted,
    /// The search has found what it looks for: one move is proven best, or the value is safe enough.
    Settled,
    /// Another program's search, as far as that has told it, is over.
    Told,
}

impl StopReason {
    fn from_bits(bits: u8) -> Option<StopReason> {
        use StopReason::{
            Decided, Depth, Exhausted, Fault, Memory, Nodes, Playouts, Settled, Solved, Time, Told,
            User,
        };
        let all = [
            Nodes, Time, Depth, Memory, Solved, User, Playouts, Decided, Fault, Exhausted, Settled,
            Told,
        ];
        all.into_iter().find(|r| *r as u8 == bits)
    }
}

/// A clock of the running time without pauses. It does not run at first.
#[derive(Debug, Default)]
pub struct Clock {
    /// Running time before `since`.
    run: Duration,
    /// `None` while paused.
    since: Option<Instant>,
}

impl Clock {
    pub fn halt(&mut self) {
        if let Some(since) = self.since.take() {
            self.run += since.elapsed();
        }
    }

    pub fn go(&mut self) {
        if self.since.is_none() {
            self.since = Some(Instant::now());
        }
    }

    pub fn elapsed(&self) -> Duration {
        self.run + self.since.map_or(Duration::ZERO, |since| since.elapsed())
    }
}

/// The switchboard of one search.
#[derive(Debug)]
pub struct Control {
    limits: Limits,
    stop: AtomicU8,
    /// The user, or the end of the session, ended the search: it no longer waits anywhere.
    quit: AtomicBool,
    paused: AtomicBool,
    /// The number of threads that wait because of the pause, or have ended.
    waiting: AtomicUsize,
    ended: AtomicBool,
    broken: AtomicBool,
    clock: Mutex<Clock>,
    resumed: Condvar,
    /// The search pauses by itself at this many nodes (`u64::MAX`: never).
    pause_at: AtomicU64,
    depth: AtomicU16,
    /// Depth-first: the move of the root that the main thread searches, and its number.
    root_move: AtomicU32,
    course: Mutex<Course>,
    threads: Box<[Counters]>,
    /// The cores, if they are shared with other searches: the threads take turns.
    cores: Option<Arc<Cores>>,
    audits: OnceLock<AuditTable>,
    team: OnceLock<Team>,
    decision: OnceLock<Decision>,
    /// Receives a message when an iteration is finished and when the search has ended.
    bell: Option<Sender<()>>,
    /// The search of another program that is read.
    recorded: Option<Arc<dyn Recorded>>,
}

/// The error that unwinds a search that has to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupt;

impl Control {
    pub fn new(limits: Limits, threads: usize) -> Self {
        Control {
            limits,
            stop: AtomicU8::new(0),
            quit: AtomicBool::new(false),
            paused: AtomicBool::new(false),
            waiting: AtomicUsize::new(0),
            ended: AtomicBool::new(false),
            broken: AtomicBool::new(false),
            clock: Mutex::new(Clock {
                run: Duration::ZERO,
                since: Some(Instant::now()),
            }),
            resumed: Condvar::new(),
            pause_at: AtomicU64::new(u64::MAX),
            depth: AtomicU16::new(0),
            root_move: AtomicU32::new(0),
            course: Mutex::default(),
            threads: (0..threads.max(1)).map(|_| Counters::default()).collect(),
            cores: None,
            audits: OnceLock::new(),
            team: OnceLock::new(),
            decision: OnceLock::new(),
            bell: None,
            recorded: None,
        }
    }

    /// The table in which the search's audits are counted.
    pub fn audit_table(&self) -> &AuditTable {
        self.audits.get_or_init(AuditTable::default)
    }

    /// What the threads share; `None` if there is only one, which learns for itself.
    pub fn team(&self) -> Option<&Team> {
        (self.threads() > 1).then(|| self.team.get_or_init(Team::default))
    }

    /// What the audits found so far; `None` if there are none.
    pub fn audits(&self) -> Option<&AuditTable> {
        self.audits.get()
    }

    /// Returns the control of a search that shares its cores with others.
    #[must_use]
    pub fn sharing(mut self, cores: Option<Arc<Cores>>) -> Self {
        self.cores = cores;
        self
    }

    /// Returns the control of a search that notifies a waiting thread through the channel, if the channel has room.
    #[must_use]
    pub fn ringing(mut self, bell: Option<Sender<()>>) -> Self {
        self.bell = bell;
        self
    }

    /// Returns the control of a search that another program is telling: it stands still while the search is paused.
    #[must_use]
    pub fn pausing(mut self, recorded: Option<Arc<dyn Recorded>>) -> Self {
        self.recorded = recorded;
        self.tell_pause(self.is_paused());
        self
    }

    fn tell_pause(&self, paused: bool) {
        if let Some(recorded) = &self.recorded {
            recorded.pause(paused);
        }
    }

    /// Notifies the waiting thread that there is something new.
    pub fn ring(&self) {
        if let Some(bell) = &self.bell {
            // If the channel is full, the receiver has not read the last message yet; if it is disconnected, the
            // receiver is gone.
            let _ = bell.try_send(());
        }
    }

    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// Ends the search; the first reason given is kept.
    pub fn stop(&self, reason: StopReason) {
        if reason == StopReason::User {
            self.quit.store(true, Relaxed);
        }
        let _ = self
            .stop
            .compare_exchange(0, reason as u8, Relaxed, Relaxed);
        let clock = self.lock();
        self.resumed.notify_all();
        drop(clock);
        self.wake_queue();
    }

    /// Makes threads that wait for a turn check the control again.
    fn wake_queue(&self) {
        if let Some(cores) = &self.cores {
            cores.wake();
        }
    }

    pub fn stopped(&self) -> Option<StopReason> {
        StopReason::from_bits(self.stop.load(Relaxed))
    }

    pub fn pause(&self) {
        let mut clock = self.lock();
        clock.halt();
        self.paused.store(true, Relaxed);
        drop(clock);
        self.tell_pause(true);
        self.wake_queue();
    }

    /// Makes the search pause by itself once this many nodes have been counted.
    pub fn pause_at(&self, nodes: Option<u64>) {
        self.pause_at.store(nodes.unwrap_or(u64::MAX), Relaxed);
    }

    pub fn resume(&self) {
        let mut clock = self.lock();
        clock.go();
        self.paused.store(false, Relaxed);
        self.resumed.notify_all();
        drop(clock);
        self.tell_pause(false);
    }

    pub fn is_paused(&self) -> bool {
        self.paused.load(Relaxed)
    }

    /// Whether the search does nothing: it is paused and every thread waits, or it has ended. A thread checks at least
    /// every 256 nodes.
    pub fn is_still(&self) -> bool {
        self.waiting.load(Acquire) == self.threads.len()
    }

    /// Marks the search as broken, because one of its threads ended through a bug in the program; the other threads end
    /// too.
    pub fn break_off(&self) {
        self.broken.store(true, Release);
        self.stop(StopReason::Fault);
        self.ring();
    }

    /// Whether one of the search's threads broke off.
    pub fn is_broken(&self) -> bool {
        self.broken.load(Acquire)
    }

    /// Counts as waiting the threads that will never start.
    pub fn leave_out(&self, threads: usize) {
        self.waiting.fetch_add(threads, Release);
    }

    /// Ends the search after the main thread's last action: the clock stops for good, and the waiting thread is
    /// notified.
    pub fn end(&self) {
        self.lock().halt();
        self.ended.store(true, Release);
        self.ring();
    }

    /// Why the search has ended, once it has. A search that was [stopped](Control::stopped) finishes its current work
    /// before it ends.
    pub fn ended(&self) -> Option<StopReason> {
        let has_ended = self.ended.load(Acquire);
        self.stopped().filter(|_| has_ended)
    }

    /// Running time so far, without pauses.
    pub fn elapsed(&self) -> Duration {
        self.lock().elapsed()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Clock> {
        self.clock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the depth of the last finished iteration (depth-first).
    pub fn set_depth(&self, depth: u16) {
        self.depth.fetch_max(depth, Relaxed);
    }

    /// Records an iteration that the main thread finished after publishing its counters. Returns whether
    /// [`Limits::soft`] forbids another one.
    pub fn finish_iteration(
        &self,
        depth: u16,
        best: MoveCode,
        score: Score,
        lines: Vec<RootLine>,
    ) -> bool {
        self.set_depth(depth);
        let totals = self.totals();
        let iteration = Iteration {
            depth,
            selective_depth: totals.selective_depth,
            best,
            score,
            lines,
            nodes: totals.nodes,
            elapsed: self.elapsed(),
        };
        let elapsed = iteration.elapsed;
        let mut course = self.course();
        course.finished.push(iteration);
        let factor = course.pace.factor(best, score);
        drop(course);
        self.ring();
        let soft = self.limits.soft;
        soft.is_some_and(|soft| elapsed >= soft.mul_f64(factor))
    }

    /// Depth-first, main thread: notes the move of the root that is searched next, and its number from 1 on.
    pub fn note_root_move(&self, code: MoveCode, number: u8) {
        let packed = u32::from(code.0) | u32::from(number) << 16;
        self.root_move.store(packed, Relaxed);
    }

    /// The move of the root that a depth-first search is at, and its number from 1 on; `None` before the first.
    pub fn root_move(&self) -> Option<(MoveCode, u16)> {
        let packed = self.root_move.load(Relaxed);
        let (code, number) = (packed as u16, (packed >> 16) as u16);
        (number > 0).then_some((MoveCode(code), number))
    }

    /// The iterations finished in this run, without the first `known`.
    pub fn iterations_after(&self, known: usize) -> Vec<Iteration> {
        let course = self.course();
        course.finished.get(known..).unwrap_or(&[]).to_vec()
    }

    fn course(&self) -> std::sync::MutexGuard<'_, Course> {
        self.course.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn totals(&self) -> Totals {
        let mut totals = Totals {
            depth: self.depth.load(Relaxed),
            ..Totals::default()
        };
        for t in &self.threads {
            totals.nodes += t.nodes.load(Relaxed);
            totals.steps += t.steps.load(Relaxed);
            totals.back_ups += t.back_ups.load(Relaxed);
            totals.undefined += t.undefined.load(Relaxed);
            totals.playouts += t.playouts.load(Relaxed);
            totals.unrecorded += t.unrecorded.load(Relaxed);
            totals.selective_depth = totals.selective_depth.max(t.selective_depth.load(Relaxed));
            for (sum, fate) in totals.fates.iter_mut().zip(&t.fates) {
                *sum += fate.load(Relaxed);
            }
            for (sum, rule) in totals.rules.iter_mut().zip(&t.rules) {
                *sum += rule.load(Relaxed);
            }
        }
        totals
    }

    fn nodes(&self) -> u64 {
        self.threads.iter().map(|t| t.nodes.load(Relaxed)).sum()
    }

    /// CPU time of all threads together, by their own clocks.
    pub fn cpu(&self) -> Duration {
        let all = self.threads.iter().map(|t| t.cpu.load(Relaxed)).sum();
        Duration::from_nanos(all)
    }

    /// Waits, as if paused, while `holds` says so; [`Control::resume`] makes it ask again. It also waits where a limit
    /// has already stopped the search, because the last events are still to be seen.
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

    /// Waits while the search is paused.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_reason_stays() {
        let control = Control::new(Limits::default(), 1);
        control.stop(StopReason::Solved);
        control.stop(StopReason::User);
        assert_eq!(control.stopped(), Some(StopReason::Solved));
    }
}
