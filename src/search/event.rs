//! What a search does, step by step: the one vocabulary that the debugger, the trace and the tests read.

use super::{Rule, Start};
use crate::game::{MoveCode, Score};
use crate::tree::{Bound, DepthChange, Fate, NodeId, Proof, Tree};

/// What was expected of a node at one moment: the mean of its expected score, and the spread of its belief where the
/// algorithm keeps one. Side to move at the node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    pub mean: f32,
    pub sd: Option<f32>,
}

impl Estimate {
    #[must_use]
    pub fn point(mean: f32) -> Self {
        Estimate { mean, sd: None }
    }
}

/// One thing a search did. Scores are from the side to move's view at the node named.
///
/// `Enter` and `Leave` pair up, nested as the search nests: in a depth-first search around a node's subtree, in a
/// best-first search around every level of one descent. Every fate a node gets is explained by an event that names it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// A depth-first iteration, or a best-first search, begins.
    Iteration { depth: u16 },
    /// The iteration is finished.
    IterationDone {
        depth: u16,
        best: MoveCode,
        score: Score,
    },
    /// The search goes to a node. Depth-first: with its window; best-first: with the window in which a proof matters.
    Enter {
        node: NodeId,
        alpha: Score,
        beta: Score,
        depth: i8,
    },
    /// A static value was taken (for a best-first leaf: its evaluation), with the spread of the leaf's belief.
    Evaluate {
        node: NodeId,
        value: Score,
        sd: Option<f32>,
    },
    /// The node's moves are known and its children stand in the tree (best-first), or are about to be searched.
    Expand { node: NodeId, moves: u16 },
    /// The move `m` of `parent` was not searched; the fate says why.
    Prune {
        parent: NodeId,
        m: MoveCode,
        fate: Fate,
    },
    /// A rule asks a question of the node: a search of its own begins, against `bound`, to `depth` plies. What it finds
    /// comes with `Tried`; the two nest as `Enter` and `Leave` do.
    Try {
        node: NodeId,
        rule: Rule,
        bound: Score,
        depth: i8,
    },
    /// The rule's search has brought this value.
    Tried {
        node: NodeId,
        rule: Rule,
        bound: Score,
        value: Score,
    },
    /// A move is searched less or more deeply than a ply below its parent.
    Depth { node: NodeId, change: DepthChange },
    /// What was pruned was searched all the same, outside the score: the move `m` of `node` (its value from the node's
    /// view), or the node itself (`NONE`). `failed`: the rule was wrong.
    Audit {
        node: NodeId,
        m: MoveCode,
        fate: Fate,
        value: Score,
        failed: bool,
    },
    /// The table knew enough.
    TableHit { node: NodeId, fate: Fate },
    /// The game ends here, or a repetition makes it a draw.
    End {
        node: NodeId,
        fate: Fate,
        score: Score,
    },
    /// The remaining moves were cut off; the fate says why.
    Cut { node: NodeId, fate: Fate },
    /// The node's value was worked out anew from its children. `child` is the one that was just searched (`NONE` at a
    /// leaf) and `worth` what it is expected to bring, from this node's view; `before` is `None` when nothing was known.
    /// Alpha-beta reports it when a child is the best so far.
    BackUp {
        node: NodeId,
        child: NodeId,
        worth: Option<f32>,
        before: Option<Estimate>,
        after: Estimate,
    },
    /// The proven bounds became tighter.
    Prove { node: NodeId, proof: Proof },
    /// The search changed its mind about the best move at the root.
    Best { from: MoveCode, to: MoveCode },
    /// The search leaves a node with this value; depth-first: what the value is to its window.
    Leave {
        node: NodeId,
        score: Score,
        bound: Bound,
    },
}

/// The kinds of events, by the names they have in breakpoints, filters and traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventKind {
    Iteration,
    IterationDone,
    Enter,
    Evaluate,
    Expand,
    Prune,
    Try,
    Tried,
    Depth,
    Audit,
    TableHit,
    End,
    Cut,
    BackUp,
    Prove,
    Best,
    Leave,
}

/// One row of the table of events.
#[derive(Debug)]
pub struct EventKindInfo {
    pub kind: EventKind,
    /// As in breakpoints and traces.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
}

/// The table of events, in the order of [`EventKind`].
pub static EVENTS: [EventKindInfo; 17] = {
    const fn row(kind: EventKind, name: &'static str, summary: &'static str) -> EventKindInfo {
        EventKindInfo {
            kind,
            name,
            summary,
        }
    }
    [
        row(
            EventKind::Iteration,
            "iteration",
            "an iteration (depth-first) or the search (best-first) begins",
        ),
        row(
            EventKind::IterationDone,
            "iteration-done",
            "it is finished: best move and value",
        ),
        row(
            EventKind::Enter,
            "enter",
            "the search goes to a node, with its window",
        ),
        row(
            EventKind::Evaluate,
            "evaluate",
            "a node's static value was taken",
        ),
        row(EventKind::Expand, "expand", "a node's moves are known"),
        row(EventKind::Prune, "prune", "a move is not searched, and why"),
        row(
            EventKind::Try,
            "try",
            "a rule begins a search of its own: null move, ProbCut, razoring, singular test",
        ),
        row(EventKind::Tried, "tried", "what the rule's search brought"),
        row(
            EventKind::Depth,
            "depth-change",
            "a move is searched less or more deeply than usual",
        ),
        row(
            EventKind::Audit,
            "audit",
            "what was pruned is searched all the same, outside the score",
        ),
        row(
            EventKind::TableHit,
            "table-hit",
            "the transposition table knew enough",
        ),
        row(
            EventKind::End,
            "end",
            "the game is over, or a repetition makes a draw",
        ),
        row(
            EventKind::Cut,
            "cutoff",
            "the remaining moves are cut off, and why",
        ),
        row(
            EventKind::BackUp,
            "back-up",
            "a node's value changes through a child",
        ),
        row(EventKind::Prove, "prove", "proven bounds became tighter"),
        row(
            EventKind::Best,
            "best-change",
            "the best move at the root changes",
        ),
        row(
            EventKind::Leave,
            "leave",
            "the search leaves a node with a value",
        ),
    ]
};

impl EventKind {
    /// The kind's row in [`EVENTS`].
    #[must_use]
    pub fn info(self) -> &'static EventKindInfo {
        &EVENTS[self as usize]
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        self.info().name
    }
}

impl Event {
    #[must_use]
    pub fn kind(&self) -> EventKind {
        match self {
            Event::Iteration { .. } => EventKind::Iteration,
            Event::IterationDone { .. } => EventKind::IterationDone,
            Event::Enter { .. } => EventKind::Enter,
            Event::Evaluate { .. } => EventKind::Evaluate,
            Event::Expand { .. } => EventKind::Expand,
            Event::Prune { .. } => EventKind::Prune,
            Event::Try { .. } => EventKind::Try,
            Event::Tried { .. } => EventKind::Tried,
            Event::Depth { .. } => EventKind::Depth,
            Event::Audit { .. } => EventKind::Audit,
            Event::TableHit { .. } => EventKind::TableHit,
            Event::End { .. } => EventKind::End,
            Event::Cut { .. } => EventKind::Cut,
            Event::BackUp { .. } => EventKind::BackUp,
            Event::Prove { .. } => EventKind::Prove,
            Event::Best { .. } => EventKind::Best,
            Event::Leave { .. } => EventKind::Leave,
        }
    }

    /// The node it happened at; for a pruned move the parent, for what concerns the whole search the root.
    #[must_use]
    pub fn node(&self) -> NodeId {
        match *self {
            Event::Iteration { .. } | Event::IterationDone { .. } | Event::Best { .. } => {
                Tree::ROOT
            }
            Event::Prune { parent, .. } => parent,
            Event::Enter { node, .. }
            | Event::Evaluate { node, .. }
            | Event::Expand { node, .. }
            | Event::Try { node, .. }
            | Event::Tried { node, .. }
            | Event::Depth { node, .. }
            | Event::Audit { node, .. }
            | Event::TableHit { node, .. }
            | Event::End { node, .. }
            | Event::Cut { node, .. }
            | Event::BackUp { node, .. }
            | Event::Prove { node, .. }
            | Event::Leave { node, .. } => node,
        }
    }

    /// The fate it explains.
    #[must_use]
    pub fn fate(&self) -> Option<Fate> {
        match *self {
            Event::Prune { fate, .. }
            | Event::TableHit { fate, .. }
            | Event::End { fate, .. }
            | Event::Audit { fate, .. }
            | Event::Cut { fate, .. } => Some(fate),
            _ => None,
        }
    }
}

/// What a search does after it reported an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterEvent {
    GoOn,
    /// It stands still until the probe lets it go ([`Probe::holds`]), or the search is stopped.
    Hold,
}

/// Where a search reports. The free-running probe compiles to nothing; others count, record, or stop and wait.
pub trait Probe: Send {
    /// False lets the compiler drop the counting and making of events as well.
    const ACTIVE: bool;

    /// Counts an event; whether somebody wants to see it. Only then it is made and handed to [`Probe::event`].
    fn wants(&mut self) -> bool {
        true
    }

    /// Counts so many events at once if nobody wants to see any of them; otherwise counts none and says no.
    fn passes_over(&mut self, _events: u64) -> bool {
        false
    }

    /// Whether the next event will be wanted: for figures that must be taken before what the event tells happens.
    fn will_want(&self) -> bool {
        true
    }

    fn event(&mut self, event: Event) -> AfterEvent;

    /// After [`AfterEvent::Hold`]: whether the search still has to stand.
    fn holds(&self) -> bool {
        false
    }

    /// Whether the next clean point is of any use: asked at every descent, so it should cost next to nothing.
    fn wants_clean_point(&self) -> bool {
        true
    }

    /// The main thread of a best-first search stands between two descents, with no other state than the tree: a run
    /// that begins on this tree (or a copy) at `start` reports the events this one is going to report (single-threaded). A stop asked for in here ends the run right here.
    ///
    /// Depth-first searches have no such point: their killers and history are not part of a [`Start`].
    fn clean_point(&mut self, _start: Start) {}
}

/// Nobody watches.
#[derive(Debug, Default, Clone, Copy)]
pub struct Free;

impl Probe for Free {
    const ACTIVE: bool = false;

    #[inline(always)]
    fn wants(&mut self) -> bool {
        false
    }

    #[inline(always)]
    fn will_want(&self) -> bool {
        false
    }

    fn event(&mut self, _: Event) -> AfterEvent {
        AfterEvent::GoOn
    }
}

/// Keeps every event: for tests.
#[derive(Debug, Default, Clone)]
pub struct Record(pub Vec<Event>);

impl Probe for Record {
    const ACTIVE: bool = true;

    fn event(&mut self, event: Event) -> AfterEvent {
        self.0.push(event);
        AfterEvent::GoOn
    }
}

impl<P: Probe> Probe for &mut P {
    const ACTIVE: bool = P::ACTIVE;

    #[inline(always)]
    fn wants(&mut self) -> bool {
        (**self).wants()
    }

    #[inline(always)]
    fn will_want(&self) -> bool {
        (**self).will_want()
    }

    fn event(&mut self, event: Event) -> AfterEvent {
        (**self).event(event)
    }

    fn holds(&self) -> bool {
        (**self).holds()
    }

    #[inline(always)]
    fn wants_clean_point(&self) -> bool {
        (**self).wants_clean_point()
    }

    fn clean_point(&mut self, start: Start) {
        (**self).clean_point(start);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_stands_in_the_enums_order() {
        for (i, row) in EVENTS.iter().enumerate() {
            assert_eq!(row.kind as usize, i);
        }
    }
}
