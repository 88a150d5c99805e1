//! Stepping: how a session goes on event by event, and how one run takes the place of another.

use std::sync::Arc;

use super::Session;
use super::run::{KeptStart, Launch, Run, StartTree};
use crate::engine::breakpoint::{Breakpoint, Matcher};
use crate::engine::debug::checkpoint::lock;
use crate::engine::debug::{CantExclude, EventPosition, Log, News, Order, Standing, Step, Why};
use crate::engine::segment::Segment;
use crate::engine::threads::drop_aside;
use crate::game::MoveCode;
use crate::search::{Choices, Focus, Start, StopReason};
use crate::tree::NodeId;

/// Where stepping back ends: the beginning of a segment, and what it began on.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    pub segment: Segment,
    pub copy: StartCopy,
}

/// What a segment began on.
#[derive(Clone, Debug)]
pub(super) enum StartCopy {
    /// An empty tree.
    Empty,
    Kept(KeptStart),
    /// There was no room for a copy, or no time.
    Lost,
}

impl StartCopy {
    /// Where it is kept.
    pub fn kept(&self) -> Option<KeptStart> {
        match self {
            StartCopy::Kept(kept) => Some(KeptStart::clone(kept)),
            StartCopy::Empty | StartCopy::Lost => None,
        }
    }
}

/// Another run takes the place of the one at hand.
#[derive(Debug)]
pub(super) enum Change {
    /// As soon as it has arrived, or, where there is no room for both, when the session is tended next: the person sees it
    /// grow. Never before, for whoever looks at a tree is told of another one there alone.
    Rewind {
        run: Box<Run>,
        from: u64,
        to: u64,
        at_once: bool,
    },
    /// As soon as the one at hand has ended.
    Segment(NextSegment),
}

/// The next segment.
#[derive(Debug)]
pub(super) struct NextSegment {
    threads: usize,
    choices: Arc<Choices>,
    focus: Option<Focus>,
    order: Order,
    paused: bool,
    /// It pauses after so many nodes.
    pause_at: Option<u64>,
}

impl Run {
    /// Runs freely, whatever it was at.
    pub(super) fn free(&self) {
        self.gate.order(Order::Free);
        self.control.resume();
    }

    /// Gives an order to a run that stands or is paused, or breaks into one that runs.
    pub(super) fn order(&self, order: Order) {
        self.gate.order(order);
        self.control.resume();
    }

    pub(super) fn stands(&self) -> bool {
        self.gate.state().standing.is_some()
    }

    /// It is carrying out an order.
    fn is_stepping(&self) -> bool {
        self.gate.state().is_under_way()
    }
}

impl Session {
    /// Goes on by a step, `times` times. A running search stands at its next event first; several threads become one.
    pub fn step(&mut self, step: Step, times: u32) {
        let order = Order::Step {
            step,
            times: times.max(1),
        };
        if let Some(Change::Rewind { run, .. }) = &self.change {
            // Where it has arrived already, it goes on from there.
            if !run.gate.queue(order) {
                run.order(order);
            }
            return;
        }
        if self.change.is_some() || self.run.gate.queue(order) {
            return;
        }
        if self.run.gate.state().ended {
            self.news.push(News::HasEnded);
            return;
        }
        self.finish_again();
        if self.run.segment.threads > 1 {
            let to_break = step == Step::ToBreak;
            self.narrow(if to_break { order } else { Order::BreakIn });
        } else if self.run.stands() || self.is_at_start() || step == Step::ToBreak {
            self.run.order(order);
        } else {
            self.run.order(Order::BreakIn);
        }
    }

    /// Nothing has happened yet.
    pub(super) fn is_at_start(&self) -> bool {
        !self.run.gate.state().begun
    }

    /// From now on one thread: the others end at a clean point, and the main thread begins there anew.
    pub(super) fn narrow(&mut self, order: Order) {
        self.next_segment(NextSegment {
            threads: 1,
            order,
            ..self.as_before()
        });
        self.news.push(News::OneThread);
    }

    /// The breakpoints, each with the number by which [`Why::Breakpoint`] names it.
    pub fn set_breakpoints(&mut self, breakpoints: impl IntoIterator<Item = (usize, Breakpoint)>) {
        self.breakpoints = breakpoints.into_iter().collect();
        self.run.gate.set_matchers(self.fresh_matchers());
    }

    pub(super) fn fresh_matchers(&self) -> Vec<(usize, Matcher)> {
        let matcher = |(number, b): &(usize, Breakpoint)| (*number, b.matcher());
        self.breakpoints.iter().map(matcher).collect()
    }

    /// The matchers of a run that another one follows, with what they remember; fresh ones where it was running and has
    /// them still.
    pub(super) fn matchers_of(&self, run: &Run) -> Vec<(usize, Matcher)> {
        let matchers = std::mem::take(&mut run.gate.state().matchers);
        if matchers.len() == self.breakpoints.len() {
            matchers
        } else {
            self.fresh_matchers()
        }
    }

    /// Where the search stands at an event. `None` while it runs, and where it only waits between two nodes.
    #[must_use]
    pub fn standing(&self) -> Option<Standing> {
        if self.change.is_some() {
            return None;
        }
        let state = self.run.gate.state();
        if state.ended {
            let event = *state.log.get(state.now)?;
            let (number, why) = (state.now, Why::Ended);
            return Some(Standing { number, event, why });
        }
        state.standing
    }

    /// Whether something is under way that will make the search stand.
    #[must_use]
    pub fn is_stepping(&self) -> bool {
        self.change.is_some() || self.run.is_stepping()
    }

    /// Looks at the events that were watched.
    pub fn with_log<R>(&self, look: impl FnOnce(&Log) -> R) -> R {
        look(&self.run.gate.state().log)
    }

    #[must_use]
    pub fn event_position(&self) -> EventPosition {
        let now = self.run.gate.state().now;
        let under_way = match &self.change {
            Some(Change::Rewind { run, to, .. }) => {
                let (base, at) = (run.segment.base.events, run.gate.state().now);
                Some(at.saturating_sub(base) as f32 / to.saturating_sub(base).max(1) as f32)
            }
            Some(Change::Segment(_)) => Some(0.0),
            None => None,
        };
        EventPosition {
            first: match self.origin.copy {
                StartCopy::Lost => now,
                _ => self.origin.segment.base.events,
            },
            now,
            last: self.furthest.max(now),
            under_way,
        }
    }

    /// Bytes that copies for stepping back take.
    #[must_use]
    pub fn bytes_of_copies(&self) -> u64 {
        let origin = match &self.origin.copy {
            StartCopy::Kept(kept) => kept
                .get()
                .map_or(0, |(tree, tables)| tree.bytes() + tables.bytes()),
            _ => 0,
        };
        origin + lock(&self.checkpoints).bytes()
    }

    /// Ends what is under way: a way back is given up, a run to a breakpoint stands at its next event.
    pub fn cancel(&mut self) {
        self.back = None;
        if matches!(self.change, Some(Change::Rewind { .. })) {
            if let Some(Change::Rewind { run, .. }) = self.change.take() {
                lock(&self.checkpoints).set_aside(0);
                drop_aside(run);
            }
        } else if self.run.is_stepping() {
            self.run.gate.order(Order::Step {
                step: Step::Into,
                times: 1,
            });
        }
    }

    /// Gives the next `nodes` nodes to one node, whatever the algorithm would choose; then the search goes on as it
    /// was, or pauses if it stood.
    pub fn search_more(&mut self, node: NodeId, nodes: u64) {
        if self.change.is_some() {
            return;
        }
        // At the first node that is not this node's any more: then its figures are up to date.
        let pause_at = (!self.is_running()).then_some(nodes + 1);
        self.next_segment(NextSegment {
            focus: Some(Focus { node, nodes }),
            pause_at,
            ..self.as_before()
        });
    }

    /// Takes exactly these moves out of the search at a node, and lets all others of it in. The tree stays; what follows
    /// is searched without the moves. Nothing happens where they are out already.
    ///
    /// # Errors
    /// Where no move would be left, or another change is under way.
    pub fn set_excluded(&mut self, parent: NodeId, moves: &[MoveCode]) -> Result<(), CantExclude> {
        if self.change.is_some() {
            return Err(CantExclude::Busy);
        }
        let mut choices = Choices::clone(&self.run.segment.choices);
        choices.replace(parent, moves);
        if choices.excluded(parent).len() >= self.rows(parent).len() {
            return Err(CantExclude::LastMove);
        }
        if choices == *self.run.segment.choices {
            return Ok(());
        }
        self.next_segment(NextSegment {
            choices: Arc::new(choices),
            paused: !self.is_running(),
            ..self.as_before()
        });
        Ok(())
    }

    /// Neither ended nor halted, nor about to halt at the event where it stands.
    fn is_running(&self) -> bool {
        let control = &self.run.control;
        let stands = self.run.gate.state().standing.is_some();
        control.stopped().is_none() && !control.is_paused() && !stands
    }

    /// A segment that goes on as the one at hand.
    fn as_before(&self) -> NextSegment {
        NextSegment {
            threads: self.run.segment.threads,
            choices: Arc::clone(&self.run.segment.choices),
            focus: None,
            order: Order::Free,
            paused: false,
            pause_at: None,
        }
    }

    fn next_segment(&mut self, next: NextSegment) {
        self.finish_again();
        self.run.control.stop(StopReason::User);
        self.change = Some(Change::Segment(next));
    }

    /// Finishes what goes on in the background: to be called from time to time while [`Session::is_stepping`].
    /// Hands over what a person should be told.
    pub fn tend(&mut self) -> Vec<News> {
        match &self.change {
            Some(Change::Rewind { run, at_once, .. }) if *at_once || run.has_arrived() => {
                self.finish_rewind();
            }
            Some(Change::Segment(_)) if self.run.has_ended() => self.begin_segment(),
            _ => {}
        }
        if self.change.is_none() {
            self.keep_within_memory();
            let now = self.run.gate.state().now;
            self.furthest = self.furthest.max(now);
            if let Some(count) = self.back.take_if(|_| !self.run.is_stepping()) {
                self.step_back(count);
            }
        }
        std::mem::take(&mut self.news)
    }

    /// The run at hand has ended: the next one begins on its tree.
    fn begin_segment(&mut self) {
        let Some(Change::Segment(next)) = self.change.take() else {
            return;
        };
        let base = self.run.so_far();
        let tree = Arc::clone(self.run.tree());
        let mut start = Start {
            focus: next.focus,
            ..self.run.next_start()
        };
        let before = Arc::clone(&self.run.segment.choices);
        let changed = *before != *next.choices;
        if changed {
            let inputs = self.run.job_inputs();
            start = inputs.with_job(start, &next.choices, |job| job.apply_choices(&before));
        }
        let mut limits = self.limits_after(&base);
        if next.focus.is_some() {
            limits.nodes = None;
            limits.time = None;
        }
        let segment = Segment {
            start,
            base,
            limits,
            threads: next.threads,
            choices: next.choices,
        };
        let keep = (next.threads == 1)
            .then(|| self.keep_origin(&segment, &tree))
            .flatten();
        if changed || next.focus.is_some() {
            self.news.push(News::NewBeginning);
        }
        self.furthest = segment.base.events;
        let log = std::mem::take(&mut self.run.gate.state().log);
        let matchers = self.matchers_of(&self.run);
        let launch = Launch {
            segment,
            tree: StartTree::Here(tree),
            tables: Arc::clone(&self.run.tables),
            order: next.order,
            paused: next.paused,
            pause_at: next.pause_at,
            keep,
        };
        let run = Run::launch(&self.subject, &self.config, &self.checkpoints, launch);
        run.gate.take_over(&log, matchers);
        self.replace_run(run);
    }
}
