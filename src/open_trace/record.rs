//! What a search did, one record at a time.

use super::header::ValueSpec;
use super::names::MoveId;
use super::value::{Share, Value};

/// Where a record stands in its stream.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct At {
    /// The number of the search, from 0: how many `search` records came before this one's. What comes before the first
    /// `search` record belongs to search 0 too.
    pub search: u32,
    /// The thread of the program.
    pub thread: u8,
    /// The number of the event, from 1 in each search and thread. In a record that is no event: the number of the last event
    /// before it, or 0.
    pub event: u64,
}

/// A node of a best-first search, by the program's own number. The root is 0.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct NodeId(pub u32);

impl NodeId {
    pub const ROOT: NodeId = NodeId(0);
}

/// A window. An end without a value is open. One whose beta is not above its alpha is empty, and has both ends as they were told.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Window {
    pub alpha: Option<Value>,
    pub beta: Option<Value>,
}

impl Window {
    /// Returns the window with these ends, which are numbers of steps; `None` and what is infinite for the header are open.
    #[inline]
    pub(crate) fn between(spec: &ValueSpec, alpha: Option<f64>, beta: Option<f64>) -> Self {
        let infinite = spec.infinite.get();
        let (alpha, beta) = (alpha.unwrap_or(-infinite), beta.unwrap_or(infinite));
        if alpha < beta && alpha < infinite && beta > -infinite {
            return Window {
                alpha: Value::new(alpha).filter(|_| alpha > -infinite),
                beta: Value::new(beta).filter(|_| beta < infinite),
            };
        }
        let end = |end: f64| Value::new(end.clamp(-infinite, infinite));
        Window {
            alpha: end(alpha),
            beta: end(beta),
        }
    }

    /// Whether beta is not above alpha, so that no value lies in the window.
    #[inline]
    pub fn is_empty(self) -> bool {
        let ends = self.alpha.zip(self.beta);
        ends.is_some_and(|(alpha, beta)| beta <= alpha)
    }
}

/// What a value says of the true one.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[repr(u8)]
pub enum Bound {
    Lower = 1,
    Upper = 2,
    Exact = 3,
}

impl Bound {
    pub const ALL: [Bound; 3] = [Bound::Lower, Bound::Upper, Bound::Exact];

    pub fn name(self) -> &'static str {
        match self {
            Bound::Lower => "lower",
            Bound::Upper => "upper",
            Bound::Exact => "exact",
        }
    }
}

/// Who is to move.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[repr(u8)]
pub enum Side {
    /// White, Max.
    First = 1,
    Second = 2,
    Chance = 3,
}

impl Side {
    pub const ALL: [Side; 3] = [Side::First, Side::Second, Side::Chance];

    pub fn name(self) -> &'static str {
        match self {
            Side::First => "first",
            Side::Second => "second",
            Side::Chance => "chance",
        }
    }
}

/// A reason with its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Told<'a> {
    /// The number of the reason in the header. 0: a name that the header does not declare.
    pub reason: u8,
    /// Its numbers, in the header's order, each in the unit that the header declares: values and differences in units of
    /// `step`, a share from 0 to 1, a move as the number of its [`MoveId`], a bound as the number of its [`Bound`].
    /// If the reason is not declared, or has another count of numbers than declared, these are the numbers as they came.
    pub numbers: &'a [Option<f64>],
}

/// A child that an expanded node gets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Child {
    pub m: MoveId,
    pub prior: Option<Share>,
    pub value: Option<Value>,
}

/// The beginning of a search. All texts can be printed as they are.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct SearchStart {
    /// The root as FEN, for chess.
    pub fen: Option<String>,
    /// The root as text, for other games.
    pub root: Option<String>,
    /// The moves that led from there to the root.
    pub moves: Vec<String>,
    /// Who is to move at the root.
    pub side: Option<Side>,
    pub limits: Option<String>,
    /// The program's options, with their values.
    pub options: Vec<(String, String)>,
    pub seed: Option<String>,
    pub threads: Option<u32>,
}

/// What stopped a search, and the program's own figures. They are shown beside those counted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reply<'a> {
    pub nodes: Option<u64>,
    pub best: MoveId,
    pub value: Option<Value>,
    pub stopped_by: Option<&'a str>,
}

/// One record of a stream. *The node* is the innermost node entered, or the one that `At` names.
///
/// A number that the program did not give is `None`; a move that it did not give is [`MoveId::NONE`]. Depths are in the
/// program's units, of which the header's `depth_step` make a ply.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Record<'a> {
    /// A search begins.
    Search(&'a SearchStart),
    Iteration {
        depth: Option<i16>,
    },
    IterationDone {
        best: MoveId,
        value: Option<Value>,
        depth: Option<i16>,
    },
    /// One window over the root begins.
    Pass {
        window: Window,
        depth: Option<i16>,
    },
    PassDone {
        value: Option<Value>,
    },
    /// A node is entered by a move. No move: the root, or inside a node the same position again.
    Enter {
        m: MoveId,
        /// `None`: the program did not tell the window, so no bound follows from it.
        window: Option<Window>,
        depth: Option<i16>,
        /// The distance from the root.
        ply: Option<u16>,
        /// Who is to move, where it is not the other side.
        side: Option<Side>,
    },
    /// The node is left.
    Leave {
        value: Option<Value>,
        bound: Option<Bound>,
        best: MoveId,
        /// The nodes below, with this one, as the program counts them.
        nodes: Option<u64>,
    },
    /// The node's static value, and its standard deviation.
    Evaluate {
        value: Option<Value>,
        sd: Option<Value>,
    },
    /// The static value competes with the moves, as in quiescence search.
    Stand {
        value: Option<Value>,
    },
    /// The node's legal moves. `names` is empty if only their number is known.
    Moves {
        count: u32,
        names: &'a [MoveId],
    },
    /// The reason for what the node is.
    Why(Told<'a>),
    /// A move is not searched. No move: all later moves to which the reason applies.
    Prune {
        m: MoveId,
        why: Told<'a>,
    },
    /// A rule searches below the node. What is entered before `Tried` is no move's row.
    Try(Told<'a>),
    Tried {
        value: Option<Value>,
    },
    /// The next node entered is reduced (below 0) or extended. `reason` 0: none given.
    DepthChange {
        plies: i16,
        reason: u8,
    },
    /// What a move was counted as, where that is not its negated value.
    BackUp {
        m: MoveId,
        worth: Option<Value>,
    },
    /// Nodes were left without `Leave`. This many remain open.
    Unwind {
        open: u32,
    },
    /// The node gets children, with ids from `first` on.
    Expand {
        node: NodeId,
        first: NodeId,
        children: &'a [Child],
    },
    /// A simulation ended at the node.
    Visit {
        node: NodeId,
        value: Option<Value>,
        weight: u32,
    },
    /// Absolute figures of a node.
    Update {
        node: NodeId,
        visits: Option<u64>,
        value: Option<Value>,
        prior: Option<Share>,
        sd: Option<Value>,
        /// What the descent chose by, in units of `step`.
        urgency: Option<Value>,
        /// The nodes below, with this one, as the program counts them. 0: not told.
        nodes: u64,
    },
    /// The following records are about this node, until the next `At`, `Visit`, `Update` or `Expand`.
    At {
        node: NodeId,
    },
    /// A move leads to a node that exists already.
    Edge {
        node: NodeId,
        m: MoveId,
        to: NodeId,
    },
    /// Proven bounds.
    Prove {
        node: NodeId,
        lower: Option<Value>,
        upper: Option<Value>,
        /// Plies to the end of the game.
        plies: Option<u16>,
    },
    /// The best move at the root changed.
    BestChange {
        to: MoveId,
    },
    /// The search is over.
    End(Reply<'a>),
    /// The position's key.
    Key(u64),
    /// Free text about the node.
    Note(&'a str),
    /// The node's position drawn as text: lines separated by `\n`.
    Render(&'a str),
    /// So many events and nodes were left out here. The nodes are below the innermost node entered.
    Skip {
        events: u64,
        nodes: u64,
    },
    /// The number of the last event and the hash of all events up to there. `waiting`: the program waits for leave to go on.
    /// The end of every binary chunk of records is a mark.
    Mark {
        n: u64,
        hash: Option<u64>,
        waiting: bool,
    },
}

/// Declares the kinds of records: name in JSON lines, whether it is an event.
macro_rules! kinds {
    ($($variant:ident $name:literal $event:literal),* $(,)?) => {
        /// The kind of a record.
        #[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
        pub enum RecordKind { $($variant),* }

        impl RecordKind {
            /// All kinds, in the order of the format's table.
            pub const ALL: [RecordKind; [$($name),*].len()] = [$(RecordKind::$variant),*];

            /// Its name in JSON lines.
            pub fn name(self) -> &'static str {
                match self { $(RecordKind::$variant => $name),* }
            }

            /// Whether it has a number and goes into the hash.
            #[inline]
            pub fn is_event(self) -> bool {
                match self { $(RecordKind::$variant => $event),* }
            }

            /// The kind with this name.
            #[inline]
            pub fn named(name: &str) -> Option<RecordKind> {
                match name { $($name => Some(RecordKind::$variant),)* _ => None }
            }
        }
    };
}

kinds! {
    Search "search" false,
    Iteration "iteration" true,
    IterationDone "iteration-done" true,
    Pass "pass" true,
    PassDone "pass-done" true,
    Enter "enter" true,
    Leave "leave" true,
    Evaluate "evaluate" true,
    Stand "stand" true,
    Moves "moves" true,
    Why "why" true,
    Prune "prune" true,
    Try "try" true,
    Tried "tried" true,
    DepthChange "depth-change" true,
    BackUp "back-up" true,
    Unwind "unwind" true,
    Expand "expand" true,
    Visit "visit" true,
    Update "update" true,
    At "at" true,
    Edge "edge" true,
    Prove "prove" true,
    BestChange "best-change" true,
    End "end" true,
    Key "key" false,
    Note "note" false,
    Render "render" false,
    Skip "skip" false,
    Mark "mark" false,
}

impl Record<'_> {
    /// Returns how many nodes a search has had with this record, given those before it: nodes entered, the root and each visit
    /// counted, or the root and the children that nodes got.
    #[inline]
    pub fn nodes_after(&self, before: u64) -> u64 {
        match self {
            Record::Enter { .. } => before.saturating_add(1),
            Record::Expand { children, .. } => before.max(1).saturating_add(children.len() as u64),
            _ => before,
        }
    }

    #[inline]
    pub fn kind(&self) -> RecordKind {
        match self {
            Record::Search(_) => RecordKind::Search,
            Record::Iteration { .. } => RecordKind::Iteration,
            Record::IterationDone { .. } => RecordKind::IterationDone,
            Record::Pass { .. } => RecordKind::Pass,
            Record::PassDone { .. } => RecordKind::PassDone,
            Record::Enter { .. } => RecordKind::Enter,
            Record::Leave { .. } => RecordKind::Leave,
            Record::Evaluate { .. } => RecordKind::Evaluate,
            Record::Stand { .. } => RecordKind::Stand,
            Record::Moves { .. } => RecordKind::Moves,
            Record::Why(_) => RecordKind::Why,
            Record::Prune { .. } => RecordKind::Prune,
            Record::Try(_) => RecordKind::Try,
            Record::Tried { .. } => RecordKind::Tried,
            Record::DepthChange { .. } => RecordKind::DepthChange,
            Record::BackUp { .. } => RecordKind::BackUp,
            Record::Unwind { .. } => RecordKind::Unwind,
            Record::Expand { .. } => RecordKind::Expand,
            Record::Visit { .. } => RecordKind::Visit,
            Record::Update { .. } => RecordKind::Update,
            Record::At { .. } => RecordKind::At,
            Record::Edge { .. } => RecordKind::Edge,
            Record::Prove { .. } => RecordKind::Prove,
            Record::BestChange { .. } => RecordKind::BestChange,
            Record::End(_) => RecordKind::End,
            Record::Key(_) => RecordKind::Key,
            Record::Note(_) => RecordKind::Note,
            Record::Render(_) => RecordKind::Render,
            Record::Skip { .. } => RecordKind::Skip,
            Record::Mark { .. } => RecordKind::Mark,
        }
    }

    /// Whether it has a number and goes into the hash.
    #[inline]
    pub fn is_event(&self) -> bool {
        // As `RecordKind::is_event`, which would cost a jump for every event that is read.
        !matches!(
            self,
            Record::Search(_)
                | Record::Key(_)
                | Record::Note(_)
                | Record::Render(_)
                | Record::Skip { .. }
                | Record::Mark { .. }
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_small() {
        assert!(size_of::<Record>() <= 64, "{}", size_of::<Record>());
        assert_eq!(size_of::<Option<Window>>(), 24);
    }

    #[test]
    fn every_kind_has_a_name_of_its_own() {
        for kind in RecordKind::ALL {
            assert_eq!(RecordKind::named(kind.name()), Some(kind));
        }
    }
}
