//! Whether records make sense after those before them: nodes are entered before they are left, and expanded before they are
//! visited. The reader only counts what does not; records are handed on as they are.

use super::decoder::Noted;
use super::header::Order;
use super::limits;
use super::record::{NodeId, Record};
use super::trouble::Cause;

/// What is open in a thread.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Open {
    /// The root, or a node with the same position as the one above.
    Same,
    /// A node that a move leads to.
    Move,
    /// A rule's search.
    Try,
}

/// What was entered in a thread and not yet left.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nest {
    open: Vec<Open>,
    /// How many nodes are open beyond the most that are kept.
    deeper: u64,
    /// How many of those kept are nodes that a move leads to.
    moves: usize,
}

impl Nest {
    /// Looks at a record of a depth-first search.
    #[inline]
    pub(crate) fn depth_first(&mut self, record: &Record, noted: &mut Noted) {
        match record {
            Record::Enter { m, ply, .. } => {
                let open = if m.is_none() { Open::Same } else { Open::Move };
                if let Some(ply) = ply {
                    self.close_to_ply(usize::from(*ply), open);
                }
                self.push(open, noted);
            }
            Record::Leave { .. } => {
                if self.deeper > 0 {
                    self.deeper -= 1;
                    return;
                }
                let mut left = self.pop();
                while left == Some(Open::Try) {
                    left = self.pop();
                }
                if left.is_none() {
                    noted.note(Cause::LeaveWithoutEnter);
                }
            }
            Record::Evaluate { .. } | Record::Stand { .. } | Record::Moves { .. } => {}
            Record::Why(_) | Record::Prune { .. } => {}
            _ => self.rare(record, noted),
        }
    }

    fn rare(&mut self, record: &Record, noted: &mut Noted) {
        match record {
            Record::Try(_) => self.push(Open::Try, noted),
            Record::Tried { .. } => {
                if self.deeper > 0 {
                    self.deeper -= 1;
                } else if self.open.contains(&Open::Try) {
                    while self.pop() != Some(Open::Try) {}
                } else {
                    noted.note(Cause::TriedWithoutTry);
                }
            }
            Record::Unwind { open } => {
                self.deeper = 0;
                let mut nodes = self.open.iter().filter(|open| **open != Open::Try).count();
                while nodes > *open as usize {
                    nodes -= usize::from(self.pop() != Some(Open::Try));
                }
            }
            Record::Search(_) | Record::Iteration { .. } | Record::End(_) => {
                if !self.open.is_empty() {
                    noted.note(Cause::OpenNodes);
                }
                *self = Nest::default();
            }
            Record::Expand { .. }
            | Record::Visit { .. }
            | Record::Update { .. }
            | Record::At { .. }
            | Record::Edge { .. } => noted.found(Cause::OrderOfSearch, record.kind().name()),
            _ => {}
        }
    }

    #[inline]
    fn push(&mut self, open: Open, noted: &mut Noted) {
        if self.open.len() >= limits::OPEN_NODES {
            self.deeper += 1;
            return noted.note(Cause::TooDeep);
        }
        self.moves += usize::from(open == Open::Move);
        self.open.push(open);
    }

    #[inline]
    fn pop(&mut self) -> Option<Open> {
        let open = self.open.pop()?;
        self.moves -= usize::from(open == Open::Move);
        Some(open)
    }

    /// Closes what must have been left if what is entered now is at this distance from the root.
    fn close_to_ply(&mut self, ply: usize, entered: Open) {
        let above = ply - usize::from(entered == Open::Move && ply > 0);
        if self.deeper == 0 {
            while self.moves > above {
                self.pop();
            }
        }
    }
}

/// The nodes that a best-first search has expanded so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Expanded {
    /// Ranges of numbers, in order and apart from each other.
    ranges: Vec<(u32, u32)>,
    /// Whether there may be nodes that are not in the ranges, because something was left out.
    is_partial: bool,
}

/// The most ranges. Programs number their nodes as they come, so that there is one.
const RANGES: usize = 1 << 12;

impl Expanded {
    /// Looks at a record of a best-first search. `has_threads`: another thread may be ahead of this one.
    pub(crate) fn best_first(&mut self, record: &Record, has_threads: bool, noted: &mut Noted) {
        self.is_partial |= has_threads;
        match record {
            Record::Expand {
                node,
                first,
                children,
            } => {
                self.expect(*node, noted);
                self.add(*first, children.len(), noted);
            }
            Record::Visit { node, .. }
            | Record::Update { node, .. }
            | Record::At { node }
            | Record::Prove { node, .. } => self.expect(*node, noted),
            Record::Edge { node, to, .. } => {
                self.expect(*node, noted);
                self.expect(*to, noted);
            }
            Record::Skip { .. } => self.is_partial = true,
            Record::Search(_) => *self = Expanded::default(),
            Record::Enter { .. }
            | Record::Leave { .. }
            | Record::Unwind { .. }
            | Record::Try(_)
            | Record::Tried { .. }
            | Record::DepthChange { .. }
            | Record::BackUp { .. } => noted.found(Cause::OrderOfSearch, record.kind().name()),
            _ => {}
        }
    }

    /// Where the number is, or would be.
    fn place(&self, node: u32) -> Result<usize, usize> {
        let after = self.ranges.partition_point(|(_, last)| *last < node);
        match self.ranges.get(after) {
            Some((first, _)) if *first <= node => Ok(after),
            _ => Err(after),
        }
    }

    fn expect(&self, node: NodeId, noted: &mut Noted) {
        if !self.is_partial && node != NodeId::ROOT && self.place(node.0).is_err() {
            noted.found(Cause::UnknownNode, &node.0.to_string());
        }
    }

    fn add(&mut self, first: NodeId, count: usize, noted: &mut Noted) {
        let Some(more) = u32::try_from(count).ok().and_then(|n| n.checked_sub(1)) else {
            return;
        };
        let Some(last) = first.0.checked_add(more) else {
            return noted.found(Cause::NodeTwice, &first.0.to_string());
        };
        match self.place(first.0) {
            Err(at) if first != NodeId::ROOT && self.ranges.get(at).is_none_or(|r| r.0 > last) => {
                let has_room = self.ranges.len() < RANGES;
                match at.checked_sub(1).and_then(|i| self.ranges.get_mut(i)) {
                    Some(before) if before.1 + 1 == first.0 => before.1 = last,
                    _ if has_room => self.ranges.insert(at, (first.0, last)),
                    _ => self.is_partial = true,
                }
            }
            _ => noted.found(Cause::NodeTwice, &first.0.to_string()),
        }
    }
}

/// Looks at a record of a search of this order.
#[inline]
pub(crate) fn look(
    order: Order,
    record: &Record,
    nest: &mut Nest,
    expanded: &mut Expanded,
    has_threads: bool,
    noted: &mut Noted,
) {
    match order {
        Order::DepthFirst => nest.depth_first(record, noted),
        Order::BestFirst => expanded.best_first(record, has_threads, noted),
    }
}
