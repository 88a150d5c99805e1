//! Going back: the search is run again up to an earlier event, and that run replaces the one that went further.

use std::sync::Arc;

use super::Session;
use super::run::{KeptStart, Launch, Run, RunState, StartTree};
use super::stepping::{Change, Origin, StartCopy};
use crate::debug::checkpoint::lock;
use crate::debug::{News, Order};
use crate::job_inputs::new_tree;
use crate::saved::Place;
use crate::segment::{Baseline, Segment};
use crate::threads::drop_aside;
use search::common::table::Tables;
use search::{EndEarly, Limits, StopReason};
use tree::Tree;

impl RunState {
    /// Whether it has stopped where it was sent, or has ended before.
    pub(super) fn has_arrived(&self) -> bool {
        let state = self.gate.state();
        let there = match state.order {
            // It has gone to its place without an order: to the beginning, or to a number of nodes.
            Order::Free | Order::Watch => {
                state.ended || self.control.is_paused() && self.control.is_still()
            }
            _ => state.standing.is_some() || state.ended,
        };
        there && self.has_tree()
    }

    /// Returns how much of the way to a place it has made, from 0 to 1.
    pub(super) fn share_of_way(&self, to: Place) -> f32 {
        let base = &self.segment.base;
        let (made, all) = match to {
            Place::Event(event) => {
                let now = self.gate.state().now;
                (
                    now.saturating_sub(base.events),
                    event.saturating_sub(base.events),
                )
            }
            Place::Nodes(nodes) => {
                let all = nodes.saturating_sub(base.totals.nodes);
                (self.control.totals().nodes, all)
            }
        };
        (made as f32 / all.max(1) as f32).min(1.0)
    }
}

impl Place {
    /// Returns what takes a run from where it begins to this place: its order, whether it waits at once, and the nodes after which
    /// it pauses.
    pub(super) fn orders(self, base: &Baseline) -> (Order, bool, Option<u64>) {
        match self {
            Place::Event(event) if event == base.events => (Order::Free, true, None),
            Place::Event(event) => (Order::To(event), false, None),
            Place::Nodes(nodes) => {
                let left = nodes.saturating_sub(base.totals.nodes);
                (Order::Free, left == 0, Some(left))
            }
        }
    }
}

impl Session {
    /// Goes back by this many events; a running search goes back as soon as it has stopped.
    pub fn step_back(&mut self, count: u64) {
        if let Some(Change::Rewind {
            to: Place::Event(to),
            ..
        }) = self.change
        {
            // Goes further back than the event to which it is already going.
            self.cancel();
            self.rewind(to.saturating_sub(count));
            return;
        }
        if self.change.is_some() {
            return;
        }
        let ended = self.run.gate.state().ended;
        if let Some(place) = self.run.shown() {
            let Place::Event(now) = place else {
                self.catch_up(Some(Order::BreakIn));
                self.back = Some(count);
                return;
            };
            self.rewind(now.saturating_sub(count));
        } else if self.run.stands() || ended || self.is_at_start() {
            let now = self.run.gate.state().now;
            self.rewind(now.saturating_sub(count));
        } else if self.run.segment.threads > 1 {
            self.narrow(Order::BreakIn);
        } else {
            self.run.order(Order::BreakIn);
            self.back = Some(count);
        }
    }

    /// Goes to the state after an event, backwards or forwards.
    pub fn go_to(&mut self, event: u64) {
        if let Some(Change::Rewind { .. }) = self.change {
            self.cancel();
        }
        if self.change.is_some() {
            return;
        }
        let (now, ended) = {
            let state = self.run.gate.state();
            (state.now, state.ended)
        };
        if self.is_shown() && event > now {
            return self.catch_up(Some(Order::To(event)));
        }
        let stands = self.run.stands() || ended || self.is_at_start();
        if stands && event > now {
            if ended {
                self.news.push(News::HasEnded);
                return;
            }
            self.finish_again();
            self.run.order(Order::To(event));
        } else if stands && event < now || !stands && self.run.segment.threads == 1 {
            self.rewind(event);
        }
    }

    /// Runs the search again, beside the present run, up to an event that it has passed.
    fn rewind(&mut self, event: u64) {
        let begin = self.origin.segment.base.events;
        let now = self.run.gate.state().now;
        if matches!(self.origin.copy, StartCopy::Lost) {
            self.news.push(News::NoRoomForCopy);
            return;
        }
        if self.origin.segment.threads > 1 {
            if event > begin {
                self.news.push(News::NotRepeatable);
                return;
            }
            self.news.push(News::AgainByOne);
        }
        if event < begin || event == now {
            self.news.push(News::AtTheBeginning);
            if now <= begin {
                return;
            }
        }
        self.run_again(Place::Event(event.max(begin)));
    }

    /// Runs a saved search again, in the background, to the place where it was saved, and does `then` from there.
    pub(super) fn catch_up(&mut self, then: Option<Order>) {
        if self.change.is_none()
            && let Some(place) = self.run.shown()
        {
            self.run_again(place);
        }
        self.then = then.filter(|_| self.change.is_some());
    }

    /// Does what was asked for after a saved search had been run again, once it has been.
    pub(super) fn go_on_after_catching_up(&mut self) {
        let control = &self.run.control;
        let arrived = self.run.stands()
            || self.run.gate.state().ended
            || control.is_paused() && control.is_still();
        match self.then.take_if(|_| arrived) {
            Some(Order::Free) => self.run_on(),
            Some(order) => self.run.order(order),
            None => {}
        }
    }

    /// Runs the search again, beside the present run, up to a place that it has passed.
    fn run_again(&mut self, place: Place) {
        self.finish_again();
        if self.run.control.stopped().is_none() && !self.run.stands() {
            self.run.control.pause();
        }
        let now = self.run.gate.state().now;
        // An event at or before the place.
        let to = match place {
            Place::Event(event) => event,
            Place::Nodes(_) => self.origin.segment.base.events,
        };
        let beside = self.has_room_for_another(to, now);
        let Some((mut segment, mut tree, tables)) = self.nearest(to) else {
            return;
        };
        if !beside && let StartTree::CopyOf(_) = tree {
            // The checkpoint itself is used and continues, because there is no room for a copy.
            let taken = lock(&self.checkpoints).take_at(segment.base.events);
            let Some(checkpoint) = taken else {
                self.news.push(News::NoRoomForAnother);
                return;
            };
            tree = StartTree::Here(checkpoint.tree);
        }
        segment.limits = self.limits_again(&segment);
        segment.threads = 1;
        let (order, paused, pause_at) = place.orders(&segment.base);
        let launch = Launch {
            segment,
            tree,
            tables,
            order,
            paused,
            pause_at,
            keep: None,
            leaf: self.leaf.clone(),
        };
        let aside = if beside { self.run.tree().bytes() } else { 0 };
        lock(&self.checkpoints).set_aside(aside);
        let run = Run::launch(&self.subject, &self.config, &self.checkpoints, launch);
        // The run may receive orders for steps before it has arrived.
        run.gate.set_matchers(self.fresh_matchers());
        self.change = Some(Change::Rewind {
            run: Box::new(run),
            from: now,
            to: place,
            at_once: !beside,
        });
    }

    /// Whether the tree as it was after event `to` fits into memory beside the present one, which can then be kept
    /// until the other has grown. Discards checkpoints that would not fit.
    fn has_room_for_another(&self, to: u64, now: u64) -> bool {
        /// Allows for the initial tree of a segment, and for chunks of memory being larger than what was requested.
        const LEAST: u64 = 2 << 20;
        let begin = self.origin.segment.base.events;
        let (passed, all) = (to.saturating_sub(begin), now.saturating_sub(begin).max(1));
        let here = self.run.tree().bytes();
        let there = (here as f64 * (passed as f64 / all as f64).min(1.0)) as u64 + LEAST;
        let kept = match &self.origin.copy {
            StartCopy::Kept(kept) => kept.get().map_or(0, |(tree, _)| tree.bytes()),
            _ => 0,
        };
        let needed = here + there.min(here + LEAST) + kept;
        // The run's table has memory of its own, but a second table does not.
        let needed = needed + self.run.tables.size();
        lock(&self.checkpoints).reserve(to, needed);
        needed <= self.config.memory
    }

    /// Returns the latest state before an event from which the search can be run again, or `None` while the copy of the
    /// segment's beginning is still being made.
    fn nearest(&self, event: u64) -> Option<(Segment, StartTree, Arc<Tables>)> {
        let Origin { segment, copy } = &self.origin;
        let checkpoints = lock(&self.checkpoints);
        // It must be strictly before the event, so that the event itself happens again.
        let checkpoint = event
            .checked_sub(1)
            .and_then(|before| checkpoints.latest_at_or_before(before));
        if let Some(checkpoint) = checkpoint {
            let segment = Segment {
                start: checkpoint.start,
                base: Baseline {
                    events: checkpoint.at,
                    totals: checkpoint.totals.clone(),
                    elapsed: checkpoint.elapsed,
                    cpu: checkpoint.cpu,
                },
                ..segment.clone()
            };
            let tree = StartTree::CopyOf(Arc::clone(&checkpoint.tree));
            let tables = checkpoint.tables.as_ref();
            let tables = tables.map_or_else(|| Tables::new(0), |tables| tables.copy());
            return Some((segment, tree, Arc::new(tables)));
        }
        let (tree, tables) = match copy {
            StartCopy::Kept(kept) => {
                let (tree, tables) = kept.get()?;
                (StartTree::CopyOf(Arc::clone(tree)), tables.copy())
            }
            _ => (
                StartTree::Here(Arc::new(new_tree(&self.subject, &self.config))),
                Tables::new(self.config.table_bytes()),
            ),
        };
        Some((segment.clone(), tree, Arc::new(tables)))
    }

    /// Returns limits under which a run that begins with `segment` does what the present run did. A time limit is not
    /// reproducible, but if time or the user ended the search, the number of nodes at that point is known.
    pub(super) fn limits_again(&self, segment: &Segment) -> Limits {
        let ended_by_hand = matches!(
            self.run.control.stopped(),
            Some(StopReason::User | StopReason::Time | StopReason::Decided)
        );
        let end = if ended_by_hand {
            Some(self.run.so_far().totals.nodes)
        } else {
            let limits = &self.origin.segment.limits;
            limits
                .nodes
                .map(|n| n + self.origin.segment.base.totals.nodes)
        };
        Limits {
            nodes: end.map(|n| n.saturating_sub(segment.base.totals.nodes)),
            time: None,
            cpu: None,
            depth: self.config.limits.depth,
            soft: None,
            playouts: self
                .config
                .limits
                .playouts
                .map(|n| n.saturating_sub(segment.base.totals.playouts)),
            early: EndEarly::Never,
        }
    }

    pub(super) fn finish_rewind(&mut self) {
        let Some(Change::Rewind { run, from, to, .. }) = self.change.take() else {
            return;
        };
        lock(&self.checkpoints).set_aside(0);
        self.take_up(*run, from, to);
    }

    /// Replaces the present run by an earlier state, or by a run on its way there.
    fn take_up(&mut self, run: Run, from: u64, to: Place) {
        let to = match to {
            Place::Event(event) => event,
            Place::Nodes(_) => from,
        };
        self.furthest = self.furthest.max(from);
        if self.origin.segment.threads > 1 {
            // It is now another search, by one thread.
            self.origin.segment.threads = 1;
            self.furthest = to;
        }
        let old = self.replace_run(run);
        let log = std::mem::take(&mut old.gate.state().log);
        let mut matchers = self.matchers_of(&old);
        for (_, matcher) in &mut matchers {
            matcher.forget_after(to);
        }
        self.run.gate.take_over(&log, matchers);
        drop_aside(old);
        self.news.push(News::TreeReplaced);
    }

    /// Drops copies for which the growing tree leaves no room, in the end that of the segment's initial state too.
    pub(super) fn keep_within_memory(&mut self) {
        let mut used = self.run.tree().bytes();
        if let StartCopy::Kept(kept) = &self.origin.copy
            && let Some((copy, _)) = kept.get()
        {
            used += copy.bytes();
            if used > self.config.memory {
                self.origin.copy = StartCopy::Lost;
            }
        }
        // The search itself sees to that only at its clean points.
        let now = self.run.gate.state().now;
        lock(&self.checkpoints).reserve(now, used);
    }

    /// Begins a new segment on this tree, so that older checkpoints are of no use any more. Returns the place for a
    /// copy of its initial state, if there is room for one.
    pub(super) fn keep_origin(&mut self, segment: &Segment, tree: &Tree) -> Option<KeptStart> {
        let fits = {
            let mut checkpoints = lock(&self.checkpoints);
            checkpoints.clear();
            checkpoints.reserve(segment.base.events, tree.bytes());
            checkpoints.make_room(segment.base.events, tree.bytes())
        };
        let kept = fits.then(KeptStart::default);
        if !fits {
            self.news.push(News::NoRoomForCopy);
        }
        self.origin = Origin {
            segment: segment.clone(),
            copy: kept.clone().map_or(StartCopy::Lost, StartCopy::Kept),
        };
        kept
    }
}
