//! Stepping: how a session continues event by event, and how one run replaces another.

use std::sync::Arc;

use super::Session;
use super::run::{KeptStart, Launch, Run, StartTree};
use crate::breakpoint::{Breakpoint, Matcher};
use crate::debug::checkpoint::lock;
use crate::debug::{CantExclude, EventPosition, Log, News, OnlyShown, Order, Standing, Step, Why};
use crate::saved::Place;
use crate::segment::Segment;
use crate::threads::drop_aside;
use game::MoveCode;
use search::{Choices, Focus, Start};
use tree::NodeId;

/// The point at which stepping back ends: the beginning of a segment, and its initial state.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    pub segment: Segment,
    pub copy: StartCopy,
}

/// The initial state of a segment.
#[derive(Clone, Debug)]
pub(super) enum StartCopy {
    /// An empty tree.
    Empty,
    Kept(KeptStart),
    /// There was no room or no time for a copy.
    Lost,
}

impl StartCopy {
    /// Returns where the copy is kept.
    pub fn kept(&self) -> Option<KeptStart> {
        match self {
            StartCopy::Kept(kept) => Some(KeptStart::clone(kept)),
            StartCopy::Empty | StartCopy::Lost => None,
        }
    }
}

/// A change by which another run replaces the present one.
#[derive(Debug)]
pub(super) enum Change {
    /// The new run replaces the old one as soon as it has arrived or, if there is no room for both, when the session is
    /// tended next, so that the user sees it grow. It never happens earlier, because only then are readers of the tree
    /// told that it has been replaced.
    Rewind {
        run: Box<Run>,
        from: u64,
        to: Place,
        at_once: bool,
    },
    /// The new segment begins as soon as the present one has ended.
    Segment(NextSegment),
}

/// The parameters of the next segment.
#[derive(Debug)]
pub(super) struct NextSegment {
    threads: usize,
    choices: Arc<Choices>,
    focus: Option<Focus>,
    order: Order,
    paused: bool,
    /// It pauses after this many nodes.
    pause_at: Option<u64>,
}

impl Run {
    pub(super) fn stands(&self) -> bool {
        self.gate.state().standing.is_some()
    }

    /// Whether it is carrying out an order.
    fn is_stepping(&self) -> bool {
        self.gate.state().is_under_way()
    }
}

impl Session {
    /// Steps forward `times` times. A running search first stops at its next event, and several threads become one.
    pub fn step(&mut self, step: Step, times: u32) {
        let order = Order::Step {
            step,
            times: times.max(1),
        };
        if self.is_shown() {
            return self.catch_up(Some(order));
        }
        if let Some(Change::Rewind { run, to, .. }) = &self.change {
            if let Place::Nodes(_) = to {
                self.then = Some(order);
                return;
            }
            // If it has already arrived, it continues from there.
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

    /// Whether nothing has happened yet.
    pub(super) fn is_at_start(&self) -> bool {
        !self.run.gate.state().begun
    }

    /// Continues with one thread from now on: the others end at a clean point, and the main thread starts again there.
    pub(super) fn narrow(&mut self, order: Order) {
        self.next_segment(NextSegment {
            threads: 1,
            order,
            ..self.as_before()
        });
        self.news.push(News::OneThread);
    }

    /// Sets the breakpoints, each with the number by which [`Why::Breakpoint`] identifies it. They stop a search that runs
    /// on as well, which then has one thread.
    pub fn set_breakpoints(&mut self, breakpoints: impl IntoIterator<Item = (usize, Breakpoint)>) {
        self.breakpoints = breakpoints.into_iter().collect();
        self.run.gate.set_matchers(self.fresh_matchers());
        if self.is_running() && self.run.gate.state().order.is_free() && self.must_narrow() {
            self.narrow(Order::Watch);
        } else {
            self.run.gate.watch(self.free_order() == Order::Watch);
        }
    }

    pub(super) fn fresh_matchers(&self) -> Vec<(usize, Matcher)> {
        let matcher = |(number, b): &(usize, Breakpoint)| (*number, b.matcher());
        self.breakpoints.iter().map(matcher).collect()
    }

    /// Returns the matchers of a run that is being replaced, with what they remember. If the run was still using them,
    /// they are fresh ones.
    pub(super) fn matchers_of(&self, run: &Run) -> Vec<(usize, Matcher)> {
        let matchers = std::mem::take(&mut run.gate.state().matchers);
        if matchers.len() == self.breakpoints.len() {
            matchers
        } else {
            self.fresh_matchers()
        }
    }

    /// Returns the event at which the search has stopped, or `None` while it runs or merely waits between two nodes.
    pub fn standing(&self) -> Option<Standing> {
        if self.change.is_some() {
            return None;
        }
        let state = self.run.gate.state();
        if state.ended {
            let event = state.log.get(state.now)?.clone();
            let (number, why) = (state.now, Why::Ended);
            return Some(Standing { number, event, why });
        }
        state.standing.clone()
    }

    /// Whether something is under way after which the search will be stopped.
    pub fn is_stepping(&self) -> bool {
        self.change.is_some() || self.run.is_stepping()
    }

    /// Reads the log of the watched events.
    pub fn with_log<R>(&self, look: impl FnOnce(&Log) -> R) -> R {
        look(&self.run.gate.state().log)
    }

    pub fn event_position(&self) -> EventPosition {
        let now = self.run.gate.state().now;
        let under_way = match &self.change {
            Some(Change::Rewind { run, to, .. }) => Some(run.share_of_way(*to)),
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

    /// Returns the bytes used by copies for stepping back.
    pub fn bytes_of_copies(&self) -> u64 {
        let origin = match &self.origin.copy {
            StartCopy::Kept(kept) => kept
                .get()
                .map_or(0, |(tree, tables)| tree.bytes() + tables.bytes()),
            _ => 0,
        };
        origin + lock(&self.checkpoints).bytes()
    }

    /// Cancels what is under way: a rewind is abandoned, and a run to a breakpoint stops at its next event.
    pub fn cancel(&mut self) {
        self.back = None;
        self.then = None;
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

    /// Returns why the search can't be changed, if it can't.
    pub fn only_shown(&self) -> Option<OnlyShown> {
        match () {
            () if self.leaf.is_some() => Some(OnlyShown::Leaf),
            () if self.config.recorded.is_some() => Some(OnlyShown::Program),
            () => None,
        }
    }

    /// Spends the next `nodes` nodes on one node, whatever the algorithm would choose. Then the search continues as
    /// before, or pauses if it was stopped.
    pub fn search_more(&mut self, node: NodeId, nodes: u64) {
        if let Some(shown) = self.only_shown() {
            self.news.push(News::OnlyShown(shown));
            return;
        }
        if self.change.is_some() {
            return;
        }
        if self.is_shown() {
            self.news.push(News::RunsAgain);
            return self.catch_up(None);
        }
        // Pauses at the first node that no longer belongs to this node, because its figures are up to date then.
        let pause_at = (!self.is_running()).then_some(nodes + 1);
        self.next_segment(NextSegment {
            focus: Some(Focus { node, nodes }),
            pause_at,
            ..self.as_before()
        });
    }

    /// Excludes exactly these moves at a node from the search and readmits all its others. The tree is kept, and what
    /// follows is searched without the moves. Does nothing if they are already excluded.
    ///
    /// # Errors
    /// If no move would be left, another change is under way, or the search is [only shown](OnlyShown).
    pub fn set_excluded(&mut self, parent: NodeId, moves: &[MoveCode]) -> Result<(), CantExclude> {
        if let Some(shown) = self.only_shown() {
            return Err(CantExclude::OnlyShown(shown));
        }
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
        if self.is_shown() {
            self.news.push(News::RunsAgain);
            self.catch_up(None);
            return Ok(());
        }
        self.next_segment(NextSegment {
            choices: Arc::new(choices),
            paused: !self.is_running(),
            ..self.as_before()
        });
        Ok(())
    }

    /// Whether the search has neither ended nor paused, nor is about to pause at the event at which it has stopped.
    fn is_running(&self) -> bool {
        let control = &self.run.control;
        let stands = self.run.gate.state().standing.is_some();
        control.stopped().is_none() && !control.is_paused() && !stands
    }

    /// Returns the parameters of a segment that continues like the present one.
    fn as_before(&self) -> NextSegment {
        NextSegment {
            threads: self.run.segment.threads,
            choices: Arc::clone(&self.run.segment.choices),
            focus: None,
            order: self.free_order(),
            paused: false,
            pause_at: None,
        }
    }

    fn next_segment(&mut self, next: NextSegment) {
        self.finish_again();
        self.run.stop();
        self.change = Some(Change::Segment(next));
    }

    /// Ends the present segment and begins another one that does what the present one would have done.
    pub(super) fn begin_again(&mut self, paused: bool) {
        self.next_segment(NextSegment {
            paused,
            ..self.as_before()
        });
    }

    /// Completes what is going on in the background; must be called from time to time while [`Session::is_stepping`].
    /// Returns the news for the user.
    pub fn tend(&mut self) -> Vec<News> {
        self.go_on();
        std::mem::take(&mut self.news)
    }

    /// Does the same, and leaves the news to the next [`Session::tend`].
    pub fn go_on(&mut self) {
        match &self.change {
            Some(Change::Rewind { run, at_once, .. }) if *at_once || run.has_arrived() => {
                self.finish_rewind();
            }
            Some(Change::Segment(_)) if self.saving.is_none() && self.run.has_ended() => {
                self.begin_segment();
            }
            _ => {}
        }
        self.finish_saving();
        if self.change.is_none() {
            self.go_on_after_catching_up();
            self.keep_within_memory();
            let now = self.run.gate.state().now;
            self.furthest = self.furthest.max(now);
            let arrived = self.then.is_none() && !self.run.is_stepping();
            if let Some(count) = self.back.take_if(|_| arrived) {
                self.step_back(count);
            }
        }
    }

    /// Begins the next segment on the tree of the run that has ended.
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
        let goal = match next.order {
            order if order.is_free() => self.pause_of(&segment.base),
            _ => None,
        };
        let launch = Launch {
            segment,
            tree: StartTree::Here(tree),
            tables: Arc::clone(&self.run.tables),
            order: next.order,
            paused: next.paused,
            pause_at: next.pause_at.or(goal),
            keep,
            leaf: None,
        };
        let run = Run::launch(&self.subject, &self.config, &self.checkpoints, launch);
        run.gate.take_over(&log, matchers);
        self.replace_run(run);
    }
}
