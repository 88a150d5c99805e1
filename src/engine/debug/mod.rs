//! Stepping through a real search, stopping it where it does something, and going back.
//!
//! A session's main thread counts its events at no cost that could be measured. An order makes it stand at an event; to
//! go back, the search is run again on a tree of its own, from its beginning or from a checkpoint, up to the event
//! before, and then takes the place of the one that went further: single-threaded it does the same things in the same
//! order. Whatever changes what a search does (fewer threads, a move taken out) ends the run and begins another one on
//! the same tree, a *leg*; stepping back ends at the beginning of the leg.

pub(super) mod gate;
pub(super) mod keeper;
mod log;
mod rewind;
pub(super) mod stepper;
mod visit;

use std::fmt;
use std::sync::Arc;

pub use log::Log;
pub use visit::{Entered, Visit};

use super::Session;
use super::breakpoint::{Breakpoint, Matcher};
use super::run::{Begin, Bench, Ground, Kept, Leg, Run, Task, drop_aside, lock};
use crate::eval::Evaluator;
use crate::game::{Game, MoveCode};
use crate::search::{Choices, Event, Focus, Job, Start, StopReason, choices};
use crate::tree::NodeId;
pub(super) use gate::Order;

/// How far a standing search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// To the next event.
    Into,
    /// Past what was just entered, else to the next event that is not below a child: one child as a whole.
    Over,
    /// Until the node it is in is left.
    Out,
    /// To the next breakpoint. The other steps stop at breakpoints too.
    ToBreak,
}

/// Why a search stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The step is done.
    Step,
    /// At a breakpoint, by the number it was given.
    Breakpoint(usize),
    /// It was running, and somebody wants to step.
    Asked,
    /// At the event it was sent to.
    Arrived,
    /// It is over: this was its last event.
    Ended,
}

/// A search that stands at an event: the event has happened, the next has not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// The first event has the number 1.
    pub number: u64,
    pub event: Event,
    pub why: Why,
}

/// Where in its events a search is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Place {
    /// The earliest place one can go back to; 0 is before the first event.
    pub first: u64,
    /// The last event known of; exact while the search stands.
    pub now: u64,
    /// The last event anybody has seen.
    pub last: u64,
    /// How much of a way back or forth is done, 0 to 1.
    pub under_way: Option<f32>,
}

/// What a person should be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// The session's tree is another one: the search was rewound.
    TreeReplaced,
    /// Several threads searched; from here on it is one.
    OneThread,
    /// Stepping back ends here from now on.
    NewBeginning,
    /// A copy of the tree, which stepping back needs, does not fit into the memory given, or would hold a search up.
    NoRoomForCopy,
    /// A search can't be gone back in, for the tree at hand leaves no room for the one that it was.
    NoRoomForAnother,
    /// There is nothing before.
    AtTheBeginning,
    /// Several threads searched to the end: that can't be run again.
    NotRepeatable,
    /// Several threads searched to the end: one goes through the search from its beginning.
    AgainByOne,
    /// There is nothing left to step through.
    HasEnded,
}

impl fmt::Display for News {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            News::TreeReplaced => "rewound",
            News::OneThread => {
                "stopped at a clean point: from here on one thread searches, and one can step back to here"
            }
            News::NewBeginning => "from here on the search goes another way: one can step back to here",
            News::NoRoomForAnother => "there is no room to grow an earlier tree beside this one: more memory (--memory), or a smaller tree",
            News::NoRoomForCopy => "stepping back is not possible: a copy of the tree would take too much memory (--memory) or time",
            News::AtTheBeginning => "there is nothing before",
            News::NotRepeatable => {
                "what several threads did can't be run again: restart with one thread ([) to step back"
            }
            News::AgainByOne => {
                "what several threads did can't be run again: one thread searches from the beginning"
            }
            News::HasEnded => "the search has ended: b steps back, + searches the selected node more",
        })
    }
}

/// A move can't be taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CantExclude {
    #[error("the last move that is left can't be taken out")]
    LastMove,
    #[error("another change is under way")]
    Busy,
}

/// Where stepping back ends: the beginning of a leg, and what it began on.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    pub leg: Leg,
    pub copy: Copy,
}

/// What a leg began on.
#[derive(Clone, Debug)]
pub(super) enum Copy {
    /// An empty tree.
    Empty,
    Kept(Kept),
    /// There was no room for a copy, or no time.
    Lost,
}

impl Copy {
    /// Where it is kept.
    pub fn kept(&self) -> Option<Kept> {
        match self {
            Copy::Kept(kept) => Some(Kept::clone(kept)),
            Copy::Empty | Copy::Lost => None,
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
    Leg(Next),
}

/// The next leg.
#[derive(Debug)]
pub(super) struct Next {
    threads: usize,
    choices: Arc<Choices>,
    focus: Option<Focus>,
    order: Order,
    paused: bool,
    /// It pauses after so many nodes.
    pause_at: Option<u64>,
}

/// Brings the tree in line with the next leg's choices.
struct Apply<'a> {
    before: &'a Choices,
}

impl Task for Apply<'_> {
    type Output = Start;

    fn run<G: Game, E: Evaluator<G>>(self, job: &Job<G, E>) -> Start {
        choices::apply(job, self.before)
    }
}

impl Run {
    /// Runs freely, whatever it was at.
    pub(super) fn free(&self) {
        self.gate.order(Order::Free);
        self.control.resume();
    }

    /// Gives an order to a run that stands or is paused, or breaks into one that runs.
    fn order(&self, order: Order) {
        self.gate.order(order);
        self.control.resume();
    }

    pub(super) fn stands(&self) -> bool {
        self.gate.desk().standing.is_some()
    }

    /// It is carrying out an order.
    fn is_stepping(&self) -> bool {
        self.gate.desk().is_under_way()
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
        if self.run.gate.desk().ended {
            self.news.push(News::HasEnded);
            return;
        }
        self.finish_again();
        if self.run.leg.threads > 1 {
            let to_break = step == Step::ToBreak;
            self.narrow(if to_break { order } else { Order::BreakIn });
        } else if self.run.stands() || self.is_at_start() || step == Step::ToBreak {
            self.run.order(order);
        } else {
            self.run.order(Order::BreakIn);
        }
    }

    /// Nothing has happened yet.
    fn is_at_start(&self) -> bool {
        !self.run.gate.desk().begun
    }

    /// From now on one thread: the others end at a clean point, and the main thread begins there anew.
    fn narrow(&mut self, order: Order) {
        self.next_leg(Next {
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

    fn fresh_matchers(&self) -> Vec<(usize, Matcher)> {
        let matcher = |(number, b): &(usize, Breakpoint)| (*number, b.matcher());
        self.breakpoints.iter().map(matcher).collect()
    }

    /// The matchers of a run that another one follows, with what they remember; fresh ones where it was running and has
    /// them still.
    fn matchers_of(&self, run: &Run) -> Vec<(usize, Matcher)> {
        let matchers = std::mem::take(&mut run.gate.desk().matchers);
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
        let desk = self.run.gate.desk();
        if desk.ended {
            let event = *desk.log.get(desk.now)?;
            let (number, why) = (desk.now, Why::Ended);
            return Some(Standing { number, event, why });
        }
        desk.standing
    }

    /// Whether something is under way that will make the search stand.
    #[must_use]
    pub fn is_stepping(&self) -> bool {
        self.change.is_some() || self.run.is_stepping()
    }

    /// Looks at the events that were watched.
    pub fn with_log<R>(&self, look: impl FnOnce(&Log) -> R) -> R {
        look(&self.run.gate.desk().log)
    }

    #[must_use]
    pub fn place(&self) -> Place {
        let now = self.run.gate.desk().now;
        let under_way = match &self.change {
            Some(Change::Rewind { run, to, .. }) => {
                let (base, at) = (run.leg.base.events, run.gate.desk().now);
                Some(at.saturating_sub(base) as f32 / to.saturating_sub(base).max(1) as f32)
            }
            Some(Change::Leg(_)) => Some(0.0),
            None => None,
        };
        Place {
            first: match self.origin.copy {
                Copy::Lost => now,
                _ => self.origin.leg.base.events,
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
            Copy::Kept(kept) => kept
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
        self.next_leg(Next {
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
        let mut choices = Choices::clone(&self.run.leg.choices);
        choices.replace(parent, moves);
        if choices.excluded(parent).len() >= self.rows(parent).len() {
            return Err(CantExclude::LastMove);
        }
        if choices == *self.run.leg.choices {
            return Ok(());
        }
        self.next_leg(Next {
            choices: Arc::new(choices),
            paused: !self.is_running(),
            ..self.as_before()
        });
        Ok(())
    }

    /// Neither ended nor halted, nor about to halt at the event where it stands.
    fn is_running(&self) -> bool {
        let control = &self.run.control;
        let stands = self.run.gate.desk().standing.is_some();
        control.stopped().is_none() && !control.is_paused() && !stands
    }

    /// A leg that goes on as the one at hand.
    fn as_before(&self) -> Next {
        Next {
            threads: self.run.leg.threads,
            choices: Arc::clone(&self.run.leg.choices),
            focus: None,
            order: Order::Free,
            paused: false,
            pause_at: None,
        }
    }

    fn next_leg(&mut self, next: Next) {
        self.finish_again();
        self.run.control.stop(StopReason::User);
        self.change = Some(Change::Leg(next));
    }

    /// Finishes what goes on in the background: to be called from time to time while [`Session::is_stepping`].
    /// Hands over what a person should be told.
    pub fn tend(&mut self) -> Vec<News> {
        match &self.change {
            Some(Change::Rewind { run, at_once, .. }) if *at_once || run.has_arrived() => {
                self.finish_rewind();
            }
            Some(Change::Leg(_)) if self.run.has_ended() => self.begin_leg(),
            _ => {}
        }
        if self.change.is_none() {
            self.keep_within_memory();
            let now = self.run.gate.desk().now;
            self.furthest = self.furthest.max(now);
            if let Some(count) = self.back.take_if(|_| !self.run.is_stepping()) {
                self.step_back(count);
            }
        }
        std::mem::take(&mut self.news)
    }

    /// The run at hand has ended: the next one begins on its tree.
    fn begin_leg(&mut self) {
        let Some(Change::Leg(next)) = self.change.take() else {
            return;
        };
        let base = self.run.so_far();
        let tree = Arc::clone(self.run.tree());
        let tables = Arc::clone(&self.run.tables);
        let mut start = Start {
            focus: next.focus,
            ..self.run.next_start()
        };
        let before = Arc::clone(&self.run.leg.choices);
        let changed = *before != *next.choices;
        if changed {
            let bench = Bench {
                subject: &self.subject,
                config: &self.config,
                tree: &tree,
                tables: &tables,
                control: &self.run.control,
            };
            start = bench.with_job(start, &next.choices, Apply { before: &before });
        }
        let mut limits = self.limits_after(&base);
        if next.focus.is_some() {
            limits.nodes = None;
            limits.time = None;
        }
        let leg = Leg {
            start,
            base,
            limits,
            threads: next.threads,
            choices: next.choices,
        };
        let keep = (next.threads == 1)
            .then(|| self.keep_origin(&leg, &tree))
            .flatten();
        if changed || next.focus.is_some() {
            self.news.push(News::NewBeginning);
        }
        self.furthest = leg.base.events;
        let log = std::mem::take(&mut self.run.gate.desk().log);
        let matchers = self.matchers_of(&self.run);
        let begin = Begin {
            ground: Ground::Here(tree),
            tables,
            order: next.order,
            paused: next.paused,
            pause_at: next.pause_at,
            keep,
        };
        let run = Run::launch(&self.subject, &self.config, leg, begin, &self.checkpoints);
        run.gate.take_over(&log, matchers);
        self.replace_run(run);
    }
}
