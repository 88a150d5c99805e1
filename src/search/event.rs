//! What a search does, step by step: the one vocabulary that the debugger, the trace and the tests read.

use crate::game::{MoveCode, Score};
use crate::tree::{Fate, NodeId, Proof};

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
    /// The search goes to a node. Depth-first: with its window; best-first: an open one.
    Enter {
        node: NodeId,
        alpha: Score,
        beta: Score,
        depth: i8,
    },
    /// A static value was taken (for a best-first leaf: its evaluation).
    Evaluate { node: NodeId, value: Score },
    /// The node's moves are known and its children stand in the tree (best-first), or are about to be searched.
    Expand { node: NodeId, moves: u16 },
    /// The move `m` of `parent` was not searched; the fate says why.
    Prune {
        parent: NodeId,
        m: MoveCode,
        fate: Fate,
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
    /// The node's value changed through its children: expected scores before and after.
    BackUp {
        node: NodeId,
        before: f32,
        after: f32,
    },
    /// The proven bounds became tighter.
    Prove { node: NodeId, proof: Proof },
    /// The search changed its mind about the best move at the root.
    Best { from: MoveCode, to: MoveCode },
    /// The search leaves a node with this value.
    Leave { node: NodeId, score: Score },
}

/// Where a search reports. The free-running probe compiles to nothing; others record, or stop and wait.
pub trait Probe: Send {
    /// False lets the compiler drop the making of events as well.
    const ACTIVE: bool;

    fn event(&mut self, event: Event);
}

/// Nobody watches.
#[derive(Debug, Default, Clone, Copy)]
pub struct Free;

impl Probe for Free {
    const ACTIVE: bool = false;

    #[inline(always)]
    fn event(&mut self, _: Event) {}
}

/// Keeps every event: for tests and traces.
#[derive(Debug, Default, Clone)]
pub struct Record(pub Vec<Event>);

impl Probe for Record {
    const ACTIVE: bool = true;

    fn event(&mut self, event: Event) {
        self.0.push(event);
    }
}

impl<P: Probe> Probe for &mut P {
    const ACTIVE: bool = P::ACTIVE;

    #[inline(always)]
    fn event(&mut self, event: Event) {
        (**self).event(event);
    }
}
