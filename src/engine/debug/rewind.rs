//! Going back: the search is run again up to an earlier event, and takes the place of the one that went further.

use std::sync::Arc;

use super::gate::Order;
use super::{Change, Copy, News, Origin};
use crate::engine::Session;
use crate::engine::run::{Base, Begin, Ground, Kept, Leg, Run, drop_aside, lock, new_tree};
use crate::search::common::table::Tables;
use crate::search::{EndEarly, Limits, StopReason};
use crate::tree::Tree;

impl Run {
    /// Stands where it was sent, or has ended before.
    pub(super) fn has_arrived(&self) -> bool {
        let desk = self.gate.desk();
        let there = desk.standing.is_some() || desk.ended || desk.order == Order::Free;
        there && self.has_tree()
    }
}

impl Session {
    /// Goes back by so many events; from a running search, as soon as it stands.
    pub fn step_back(&mut self, count: u64) {
        if let Some(Change::Rewind { to, .. }) = self.change {
            // Further back than where it is just going.
            self.cancel();
            self.rewind(to.saturating_sub(count));
            return;
        }
        if self.change.is_some() {
            return;
        }
        let ended = self.run.gate.desk().ended;
        if self.run.stands() || ended || self.is_at_start() {
            let now = self.run.gate.desk().now;
            self.rewind(now.saturating_sub(count));
        } else if self.run.leg.threads > 1 {
            self.narrow(Order::BreakIn);
        } else {
            self.run.order(Order::BreakIn);
            self.back = Some(count);
        }
    }

    /// Goes to the state after an event, back or forth.
    pub fn go_to(&mut self, event: u64) {
        if let Some(Change::Rewind { .. }) = self.change {
            self.cancel();
        }
        if self.change.is_some() {
            return;
        }
        let (now, ended) = {
            let desk = self.run.gate.desk();
            (desk.now, desk.ended)
        };
        let stands = self.run.stands() || ended || self.is_at_start();
        if stands && event > now {
            if ended {
                self.news.push(News::HasEnded);
                return;
            }
            self.finish_again();
            self.run.order(Order::To(event));
        } else if stands && event < now || !stands && self.run.leg.threads == 1 {
            self.rewind(event);
        }
    }

    /// Runs the search again up to an event that it has passed, beside the one at hand.
    fn rewind(&mut self, event: u64) {
        let begin = self.origin.leg.base.events;
        let now = self.run.gate.desk().now;
        if matches!(self.origin.copy, Copy::Lost) {
            self.news.push(News::NoRoomForCopy);
            return;
        }
        if self.origin.leg.threads > 1 {
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
        self.finish_again();
        if self.run.control.stopped().is_none() && !self.run.stands() {
            self.run.control.pause();
        }
        let to = event.max(begin);
        let beside = self.has_room_for_another(to, now);
        let Some((mut leg, mut ground, tables)) = self.nearest(to) else {
            return;
        };
        if !beside && let Ground::CopyOf(_) = ground {
            // The checkpoint itself goes on: there is no room for a copy.
            let taken = lock(&self.checkpoints).take_at(leg.base.events);
            let Some(checkpoint) = taken else {
                self.news.push(News::NoRoomForAnother);
                return;
            };
            ground = Ground::Here(checkpoint.tree);
        }
        leg.limits = self.limits_again(&leg);
        leg.threads = 1;
        let at_begin = to == leg.base.events;
        let begin = Begin {
            ground,
            tables,
            order: if at_begin { Order::Free } else { Order::To(to) },
            paused: at_begin,
            pause_at: None,
            keep: None,
        };
        let aside = if beside { self.run.tree().bytes() } else { 0 };
        lock(&self.checkpoints).set_aside(aside);
        let run = Run::launch(&self.subject, &self.config, leg, begin, &self.checkpoints);
        // For steps that are asked for on the way.
        run.gate.set_matchers(self.fresh_matchers());
        self.change = Some(Change::Rewind {
            run: Box::new(run),
            from: now,
            to,
            at_once: !beside,
        });
    }

    /// Whether the tree as it was after event `to` fits into memory beside the one at hand, which can stay then until the
    /// other has grown. Gives up checkpoints that would not.
    fn has_room_for_another(&self, to: u64, now: u64) -> bool {
        /// A leg's tree as it begins, and what a chunk of memory is larger than what was asked for.
        const LEAST: u64 = 2 << 20;
        let begin = self.origin.leg.base.events;
        let (passed, all) = (to.saturating_sub(begin), now.saturating_sub(begin).max(1));
        let here = self.run.tree().bytes();
        let there = (here as f64 * (passed as f64 / all as f64).min(1.0)) as u64 + LEAST;
        let kept = match &self.origin.copy {
            Copy::Kept(kept) => kept.get().map_or(0, |(tree, _)| tree.bytes()),
            _ => 0,
        };
        let needed = here + there.min(here + LEAST) + kept;
        // The table has room of its own; another one has not.
        let needed = needed + self.run.tables.size();
        lock(&self.checkpoints).reserve(to, needed);
        needed <= self.config.memory
    }

    /// The latest place before an event from which the search can be run again. `None` while the leg's beginning is
    /// still being copied.
    fn nearest(&self, event: u64) -> Option<(Leg, Ground, Arc<Tables>)> {
        let Origin { leg, copy } = &self.origin;
        let checkpoints = lock(&self.checkpoints);
        // Strictly before it, so that the event itself happens again.
        let checkpoint = event
            .checked_sub(1)
            .and_then(|before| checkpoints.latest_at_or_before(before));
        if let Some(checkpoint) = checkpoint {
            let leg = Leg {
                start: checkpoint.start,
                base: Base {
                    events: checkpoint.at,
                    totals: checkpoint.totals.clone(),
                    elapsed: checkpoint.elapsed,
                    cpu: checkpoint.cpu,
                },
                ..leg.clone()
            };
            let ground = Ground::CopyOf(Arc::clone(&checkpoint.tree));
            let tables = checkpoint.tables.as_ref();
            let tables = tables.map_or_else(|| Tables::new(0), |tables| tables.copy());
            return Some((leg, ground, Arc::new(tables)));
        }
        let (ground, tables) = match copy {
            Copy::Kept(kept) => {
                let (tree, tables) = kept.get()?;
                (Ground::CopyOf(Arc::clone(tree)), tables.copy())
            }
            _ => (
                Ground::Here(Arc::new(new_tree(&self.subject, &self.config))),
                Tables::new(self.config.table_bytes()),
            ),
        };
        Some((leg.clone(), ground, Arc::new(tables)))
    }

    /// The limits under which a run that begins with `leg` does what the run at hand did: time is no limit that could be
    /// repeated, but where it or a person ended the search is known in nodes.
    fn limits_again(&self, leg: &Leg) -> Limits {
        let ended_by_hand = matches!(
            self.run.control.stopped(),
            Some(StopReason::User | StopReason::Time | StopReason::Decided)
        );
        let end = if ended_by_hand {
            Some(self.run.so_far().totals.nodes)
        } else {
            let limits = &self.origin.leg.limits;
            limits.nodes.map(|n| n + self.origin.leg.base.totals.nodes)
        };
        Limits {
            nodes: end.map(|n| n.saturating_sub(leg.base.totals.nodes)),
            time: None,
            cpu: None,
            depth: self.config.limits.depth,
            soft: None,
            playouts: self
                .config
                .limits
                .playouts
                .map(|n| n.saturating_sub(leg.base.totals.playouts)),
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

    /// An earlier state, or a run on its way there, takes the place of the run at hand.
    fn take_up(&mut self, run: Run, from: u64, to: u64) {
        self.furthest = self.furthest.max(from);
        if self.origin.leg.threads > 1 {
            // Another search, by one thread.
            self.origin.leg.threads = 1;
            self.furthest = to;
        }
        let old = self.replace_run(run);
        let log = std::mem::take(&mut old.gate.desk().log);
        let mut matchers = self.matchers_of(&old);
        for (_, matcher) in &mut matchers {
            matcher.forget_after(to);
        }
        self.run.gate.take_over(&log, matchers);
        drop_aside(old);
        self.news.push(News::TreeReplaced);
    }

    /// A tree that has grown may leave no room for the copy of what its leg began on: the copy goes.
    pub(super) fn keep_within_memory(&mut self) {
        if let Copy::Kept(kept) = &self.origin.copy
            && let Some((copy, _)) = kept.get()
            && copy.bytes() + self.run.tree().bytes() > self.config.memory
        {
            self.origin.copy = Copy::Lost;
        }
    }

    /// A new leg begins on this tree: older checkpoints are of no use any more. Answers where a copy of what it begins
    /// on is to be kept, if there is room for one.
    pub(super) fn keep_origin(&mut self, leg: &Leg, tree: &Tree) -> Option<Kept> {
        let fits = {
            let mut checkpoints = lock(&self.checkpoints);
            checkpoints.clear();
            checkpoints.reserve(leg.base.events, tree.bytes());
            checkpoints.make_room(leg.base.events, tree.bytes())
        };
        let kept = fits.then(Kept::default);
        if !fits {
            self.news.push(News::NoRoomForCopy);
        }
        self.origin = Origin {
            leg: leg.clone(),
            copy: kept.clone().map_or(Copy::Lost, Copy::Kept),
        };
        kept
    }
}
