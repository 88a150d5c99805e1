//! The marks of a node in another program's tree: whether the side tables have something of it.

use std::sync::atomic::Ordering::{Acquire, Release};

use super::Node;

/// What a node is marked with, so that the side tables are asked only where they have an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub(crate) enum Mark {
    /// The same side is to move as at the parent. No table has more of it.
    SameSide = 1 << 60,
    /// Why its later moves were not searched.
    Later = 1 << 61,
    /// Its value does not fit a score.
    Wide = 1 << 62,
    /// Its value does not follow from its moves.
    Unexplained = 1 << 63,
}

impl Mark {
    /// The bits of all marks: none of a count of nodes.
    pub const ALL: u64 = 0xf << 60;
}

impl Node {
    #[inline]
    pub(crate) fn is_marked(&self, mark: Mark) -> bool {
        self.nodes.load(Acquire) & mark as u64 != 0
    }

    /// Sets a mark, after the table has what it stands for.
    #[inline]
    pub(crate) fn mark(&self, mark: Mark) {
        if !self.is_marked(mark) {
            self.nodes.fetch_or(mark as u64, Release);
        }
    }

    pub(crate) fn unmark(&self, mark: Mark) {
        self.nodes.fetch_and(!(mark as u64), Release);
    }
}
