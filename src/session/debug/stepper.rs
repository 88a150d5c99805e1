//! Watches a session's main thread and stops it where it was told to.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use super::checkpoint_recorder::CheckpointRecorder;
use super::gate::{Gate, Order, watch_before};
use super::{Standing, Step, Why};
use crate::breakpoint::Matcher;
use crate::progress::{PointRecorder, next_point};
use search::{AfterEvent, Event, Start, Watcher};
use tree::Tree;

/// The number of events handed over to the log together.
const BATCH: usize = 1024;
/// When a running best-first search is stopped, it continues for this many events after it was copied, so that going
/// back by a few of them is quick.
const ROOM_TO_GO_BACK: u64 = 300;
/// The number of events between two progress reports of a run to a distant event.
const MILESTONE: u64 = 1 << 18;

/// From a given event on it logs events, compares them with the breakpoints and stops the search when its order is
/// fulfilled.
#[derive(Debug)]
pub struct Stepper {
    gate: Arc<Gate>,
    tree: Arc<Tree>,
    /// Takes checkpoints at clean points; the helpers of a multithreaded search have none.
    checkpoints: Option<CheckpointRecorder>,
    /// The latest event that it knows of.
    count: u64,
    /// Events before this one are only counted ([`Gate::threshold`]).
    threshold: Arc<AtomicU64>,
    /// Records points of the root's value for the progress graph; only the main thread has it.
    points: Option<PointRecorder>,
    /// The event at which the next point is taken.
    point_at: u64,
    /// The last event processed; there is a gap if it is not the one before the present one.
    seen: u64,
    version: u32,
    order: Order,
    /// How many times the step is still to be done.
    left: u32,
    /// The number of nodes entered and not left since watching began; negative if it began deep in the tree.
    level: i64,
    /// The level at which stepping over or out ends.
    target: i64,
    entered: bool,
    batch: Vec<Event>,
    matchers: Vec<(usize, Matcher)>,
}

impl Stepper {
    /// Creates a stepper; `count` events came before.
    pub fn new(
        gate: Arc<Gate>,
        tree: Arc<Tree>,
        checkpoints: Option<CheckpointRecorder>,
        points: Option<PointRecorder>,
        count: u64,
    ) -> Self {
        let mut point_at = u64::MAX;
        if points.is_some() {
            point_at = next_point(count);
            gate.set_point_at(point_at);
        }
        let threshold = gate.threshold(points.is_some());
        Stepper {
            gate,
            tree,
            checkpoints,
            count,
            threshold,
            points,
            point_at,
            seen: count,
            version: 0,
            order: Order::Free,
            left: 0,
            level: 0,
            target: 0,
            entered: false,
            batch: Vec::new(),
            matchers: Vec::new(),
        }
    }

    /// Returns the first event that it wants; the value is kept up to date.
    pub fn threshold(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.threshold)
    }

    /// Takes a new order from the gate.
    fn sync(&mut self) {
        let version = self.gate.version();
        if version == self.version {
            return;
        }
        self.version = version;
        let gate = Arc::clone(&self.gate);
        let mut state = gate.state();
        if state.matchers_changed || !state.matchers.is_empty() {
            state.matchers_changed = false;
            self.matchers = std::mem::take(&mut state.matchers);
            for (_, matcher) in &mut self.matchers {
                matcher.begin(&self.tree);
            }
        }
        self.begin(state.order);
    }

    fn begin(&mut self, order: Order) {
        self.order = order;
        if let (Order::BreakIn, Some(checkpoints)) = (order, &mut self.checkpoints) {
            checkpoints.wait_for_clean_point();
        }
        if let Order::Step { times, .. } = order {
            self.left = times;
            self.aim();
        }
    }

    /// Sets the level at which stepping over or out from here is complete: over an event that enters a node means past
    /// its subtree, and over any other event past the next child's subtree.
    fn aim(&mut self) {
        self.target = match self.order {
            Order::Step {
                step: Step::Over, ..
            } if !self.entered => self.level,
            _ => self.level - 1,
        };
    }

    /// Returns why the search has to stop at this event, if it has to.
    fn reached(&mut self, event: &Event) -> Option<Why> {
        let done = match self.order {
            Order::Free => return None,
            Order::Watch => false,
            Order::To(number) => return (self.count >= number).then_some(Why::Arrived),
            Order::BreakIn => {
                let clean = self
                    .checkpoints
                    .as_ref()
                    .map_or(Some(0), CheckpointRecorder::clean_since);
                let far_enough = |clean| clean == 0 || self.count >= clean + ROOM_TO_GO_BACK;
                return clean.is_some_and(far_enough).then_some(Why::Asked);
            }
            Order::Step { step, .. } => match step {
                Step::Into => true,
                Step::Over | Step::Out => self.level <= self.target,
                Step::ToBreak => false,
            },
        };
        if done {
            self.left = self.left.saturating_sub(1);
            if self.left == 0 {
                return Some(Why::Step);
            }
            self.aim();
        }
        let (number, tree) = (self.count, &self.tree);
        // Every breakpoint sees every event, so that each knows what held before.
        let mut hit = None;
        for (index, matcher) in &mut self.matchers {
            if matcher.matches(number, event, tree) {
                hit = hit.or(Some(*index));
            }
        }
        let index = hit?;
        if let Order::Step {
            step: Step::ToBreak,
            ..
        } = self.order
        {
            self.left = self.left.saturating_sub(1);
            if self.left > 0 {
                return None;
            }
        }
        Some(Why::Breakpoint(index))
    }

    fn stand(&mut self, event: Event, why: Why) -> AfterEvent {
        self.flush();
        let gate = Arc::clone(&self.gate);
        let mut state = gate.state();
        if state.order != self.order || gate.version() != self.version {
            // Other orders have arrived in the meantime.
            return AfterEvent::GoOn;
        }
        if matches!(why, Why::Breakpoint(_)) {
            state.queue.clear();
        }
        if let Some(order) = gate.next_in_queue(&mut state) {
            drop(state);
            self.begin(order);
            return AfterEvent::GoOn;
        }
        state.matchers = std::mem::take(&mut self.matchers);
        state.standing = Some(Standing {
            number: self.count,
            event,
            why,
        });
        AfterEvent::Hold
    }

    /// Hands the collected events over to the log.
    fn flush(&mut self) {
        let mut state = self.gate.state();
        state.now = self.seen;
        if !self.batch.is_empty() {
            let first = self.seen + 1 - self.batch.len() as u64;
            state.log.append(first, &self.batch);
            self.batch.clear();
        }
    }

    fn take_point(&mut self) {
        if let Some(points) = &self.points {
            points.take(self.count, &self.tree);
            self.point_at = next_point(self.count);
            self.gate.set_point_at(self.point_at);
        }
    }

    /// On the way to a distant event, reports nothing but the progress; returns whether the event is still before the
    /// part to be logged.
    fn passes_milestone(&mut self) -> bool {
        let Order::To(number) = self.order else {
            return false;
        };
        let kept = watch_before(number);
        if self.count >= kept {
            return false;
        }
        let mut state = self.gate.state();
        state.now = self.count;
        // Not if another order has just arrived.
        if state.order == self.order {
            self.gate.set_watch_from(kept.min(self.count + MILESTONE));
        }
        true
    }
}

impl Watcher for Stepper {
    fn event(&mut self, number: u64, event: Event) -> AfterEvent {
        self.count = number;
        if self.count >= self.point_at {
            self.take_point();
        }
        if self.count < self.gate.watch_from() {
            return AfterEvent::GoOn;
        }
        self.sync();
        if self.passes_milestone() {
            return AfterEvent::GoOn;
        }
        if self.seen + 1 != self.count {
            self.flush();
            self.level = 0;
        }
        self.seen = self.count;
        self.entered = false;
        match event {
            Event::Enter { .. } => {
                self.level += 1;
                self.entered = true;
            }
            Event::Leave { .. } => self.level -= 1,
            _ => {}
        }
        self.batch.push(event.clone());
        match self.reached(&event) {
            Some(why) => self.stand(event, why),
            None => {
                if self.batch.len() >= BATCH {
                    self.flush();
                }
                AfterEvent::GoOn
            }
        }
    }

    fn holds(&self) -> bool {
        self.gate.state().standing.is_some()
    }

    fn wants_clean_point(&self) -> bool {
        self.gate.watch_from() < u64::MAX
    }

    fn clean_point(&mut self, number: u64, start: Start) {
        self.count = number;
        if let Some(checkpoints) = &mut self.checkpoints {
            checkpoints.clean_point(self.count, start);
        }
    }

    fn ended(&mut self, number: u64) {
        self.count = number;
    }
}

impl Drop for Stepper {
    fn drop(&mut self) {
        if self.checkpoints.is_none() {
            return;
        }
        self.take_point();
        self.flush();
        let mut state = self.gate.state();
        state.now = self.count;
        state.ended = true;
        state.matchers.append(&mut self.matchers);
    }
}
