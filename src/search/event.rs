//! What a search does, step by step: the one vocabulary that the debugger, the trace and the tests use.

use std::sync::Arc;

use super::{Aim, Rule};
use game::{MoveCode, Score};
use tree::{Bound, DepthChange, Fate, NodeId, Proof, Tree};

/// What was expected of a node at one moment: its mean expected score, and the spread of its belief where the algorithm
/// keeps one. From the view of the side to move at the node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    pub mean: f32,
    pub sd: Option<f32>,
}

impl Estimate {
    pub fn point(mean: f32) -> Self {
        Estimate { mean, sd: None }
    }
}

/// One thing that a search did. Scores are from the view of the side to move at the node named.
///
/// `Enter` and `Leave` come in pairs, nested as the search is: around a node's subtree in a depth-first search, and
/// around every level of one descent in a best-first search. Every fate that a node gets is explained by an event that
/// names it.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A depth-first iteration, or a best-first search, begins.
    Iteration { depth: u16 },
    /// The iteration is finished.
    IterationDone {
        depth: u16,
        best: MoveCode,
        score: Score,
    },
    /// A driver of alpha-beta begins a pass over the root: a null window asks whether the root is worth at least beta.
    Pass {
        number: u16,
        alpha: Score,
        beta: Score,
    },
    /// The pass is finished: what the root is known to be worth at least and at most in this iteration.
    PassDone {
        number: u16,
        low: Score,
        high: Score,
    },
    /// A best-first search says where its next descent leads, and why.
    Aim(Aim),
    /// A best-first search divides a budget, or a part of it, among the children of a node.
    Budget { node: NodeId, budget: Budget },
    /// The search enters a node: depth-first with its window, best-first with the window in which a proof matters.
    Enter {
        node: NodeId,
        alpha: Score,
        beta: Score,
        depth: i8,
    },
    /// A static value was computed (for a best-first leaf, its evaluation), with what the node is believed to be worth by
    /// it: an expected score, and the spread of the leaf's belief. The belief's mean differs from a value that is only a
    /// bound.
    Evaluate {
        node: NodeId,
        value: Score,
        mean: f32,
        sd: Option<f32>,
    },
    /// A best-first leaf's own search begins: with this window, to `depth` plies.
    Ask {
        node: NodeId,
        alpha: Score,
        beta: Score,
        depth: i8,
    },
    /// The leaf's search returned this value, which is to its window what `bound` says; it took so many nodes.
    Answer {
        node: NodeId,
        value: Score,
        bound: Bound,
        nodes: u32,
    },
    /// The node's moves are known. Its children are in the tree (best-first), or are about to be searched.
    Expand { node: NodeId, moves: u16 },
    /// The move `m` of `parent` was not searched; the fate says why.
    Prune {
        parent: NodeId,
        m: MoveCode,
        fate: Fate,
    },
    /// A rule asks a question about the node: a search of its own starts, against `bound`, to `depth` plies. `Tried`
    /// reports what it found; the two nest like `Enter` and `Leave`.
    Try {
        node: NodeId,
        rule: Rule,
        bound: Score,
        depth: i8,
    },
    /// The rule's search returned this value.
    Tried {
        node: NodeId,
        rule: Rule,
        bound: Score,
        value: Score,
    },
    /// A move is searched less or more deeply than one ply below its parent.
    Depth { node: NodeId, change: DepthChange },
    /// Something that was pruned was searched after all, outside the score: the move `m` of `node` (with the value from
    /// the node's view), or the node itself (`NONE`). `failed`: the rule was wrong.
    Audit {
        node: NodeId,
        m: MoveCode,
        fate: Fate,
        value: Score,
        failed: bool,
    },
    /// The table's entry was good enough.
    TableHit { node: NodeId, fate: Fate },
    /// The game ends here, or a repetition makes it a draw.
    End {
        node: NodeId,
        fate: Fate,
        score: Score,
    },
    /// The remaining moves were cut off; the fate says why.
    Cut { node: NodeId, fate: Fate },
    /// The node's value was recomputed from its children. `child` is the one that was just searched (`NONE` at a leaf)
    /// and `worth` what it is expected to yield, from this node's view; `before` is `None` when nothing was known.
    /// Alpha-beta reports this when a child is the best so far.
    BackUp {
        node: NodeId,
        child: NodeId,
        worth: Option<f32>,
        before: Option<Estimate>,
        after: Estimate,
    },
    /// The proven bounds became tighter.
    Prove { node: NodeId, proof: Proof },
    /// The best move at the root changed.
    Best { from: MoveCode, to: MoveCode },
    /// The search leaves a node with this value and, if it is depth-first, with the bound that the value is to its
    /// window.
    Leave {
        node: NodeId,
        score: Score,
        bound: Bound,
    },
    /// Another program tells something of its search that plyscope's own do not do.
    Told { node: NodeId, what: Told },
}

/// What another program tells of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Told {
    /// The static value competes with the moves.
    Stand { value: Option<Score> },
    /// A reason that decides nothing by itself.
    Reason { fate: Fate },
    /// A rule begins a search of its own.
    Try { fate: Fate },
    /// What the rule's search brought.
    Tried { value: Option<Score> },
    /// A simulation ended here.
    Visit { value: Option<f32>, weight: u32 },
    /// The figures of a node, as they are now.
    Update {
        value: Option<f32>,
        visits: Option<u64>,
    },
    /// What follows is about this node.
    At,
    /// One of its moves leads to a node that is there already.
    Edge { to: NodeId },
    /// Nodes were left all at once: so many remain open.
    Unwind { open: u16 },
    /// The search is over.
    End,
    /// An event that cannot be shown, such as leaving a node that was not entered.
    Unused,
}

/// What a budget is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BudgetUnit {
    Nodes,
    Visits,
}

impl BudgetUnit {
    pub const ALL: [BudgetUnit; 2] = [BudgetUnit::Nodes, BudgetUnit::Visits];

    pub const fn name(self) -> &'static str {
        match self {
            BudgetUnit::Nodes => "nodes",
            BudgetUnit::Visits => "visits",
        }
    }

    /// The word for a single one.
    pub const fn singular(self) -> &'static str {
        match self {
            BudgetUnit::Nodes => "node",
            BudgetUnit::Visits => "visit",
        }
    }
}

/// A budget and how it is divided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    pub unit: BudgetUnit,
    /// The children that get anything with what they get, in the order of the tree.
    pub parts: Arc<[(NodeId, u32)]>,
}

impl Budget {
    /// All that is handed out.
    pub fn total(&self) -> u64 {
        self.parts.iter().map(|(_, part)| u64::from(*part)).sum()
    }
}

/// The kinds of events, by their names in breakpoints, filters and traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventKind {
    Iteration,
    IterationDone,
    Pass,
    PassDone,
    Aim,
    Budget,
    Enter,
    Evaluate,
    Ask,
    Answer,
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
    Told,
}

/// One row of the table of events.
#[derive(Debug)]
pub struct EventKindInfo {
    pub kind: EventKind,
    /// The name in breakpoints and traces.
    pub name: &'static str,
    /// A summary of one line.
    pub summary: &'static str,
}

/// The table of events, in the order of [`EventKind`].
pub static EVENTS: [EventKindInfo; 24] = {
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
            EventKind::Pass,
            "pass",
            "a pass of mtdf, sss* or dual* over the root begins, with its null window",
        ),
        row(
            EventKind::PassDone,
            "pass-done",
            "it is finished: the root's bounds",
        ),
        row(
            EventKind::Aim,
            "aim",
            "what the next descent is for, and the numbers compared",
        ),
        row(
            EventKind::Budget,
            "budget",
            "a budget is divided among the moves of a node",
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
        row(
            EventKind::Ask,
            "ask",
            "a leaf's own search begins, with its window and depth",
        ),
        row(
            EventKind::Answer,
            "answer",
            "what the leaf's search brought: its value, or a bound",
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
        row(
            EventKind::Told,
            "told",
            "another program tells something that plyscope's own searches do not do",
        ),
    ]
};

impl EventKind {
    /// The kind's row in [`EVENTS`].
    pub fn info(self) -> &'static EventKindInfo {
        &EVENTS[self as usize]
    }

    pub fn name(self) -> &'static str {
        self.info().name
    }
}

impl Event {
    pub fn kind(&self) -> EventKind {
        match self {
            Event::Iteration { .. } => EventKind::Iteration,
            Event::IterationDone { .. } => EventKind::IterationDone,
            Event::Pass { .. } => EventKind::Pass,
            Event::PassDone { .. } => EventKind::PassDone,
            Event::Aim(_) => EventKind::Aim,
            Event::Budget { .. } => EventKind::Budget,
            Event::Enter { .. } => EventKind::Enter,
            Event::Evaluate { .. } => EventKind::Evaluate,
            Event::Ask { .. } => EventKind::Ask,
            Event::Answer { .. } => EventKind::Answer,
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
            Event::Told { .. } => EventKind::Told,
        }
    }

    /// The node at which the event happened: the parent for a pruned move, the root for what concerns the whole search.
    pub fn node(&self) -> NodeId {
        match *self {
            Event::Iteration { .. }
            | Event::IterationDone { .. }
            | Event::Pass { .. }
            | Event::PassDone { .. }
            | Event::Best { .. } => Tree::ROOT,
            Event::Aim(aim) => aim.node,
            Event::Prune { parent, .. } => parent,
            Event::Budget { node, .. }
            | Event::Enter { node, .. }
            | Event::Evaluate { node, .. }
            | Event::Ask { node, .. }
            | Event::Answer { node, .. }
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
            | Event::Leave { node, .. }
            | Event::Told { node, .. } => node,
        }
    }

    /// The fate that the event explains.
    pub fn fate(&self) -> Option<Fate> {
        match *self {
            Event::Prune { fate, .. }
            | Event::TableHit { fate, .. }
            | Event::End { fate, .. }
            | Event::Audit { fate, .. }
            | Event::Cut { fate, .. }
            | Event::Told {
                what: Told::Reason { fate } | Told::Try { fate },
                ..
            } => Some(fate),
            _ => None,
        }
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
