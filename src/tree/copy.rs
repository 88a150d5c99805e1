//! A second tree, the same in everything.

use super::numbers::NumbersSlot;
use super::{BeliefSlot, Node, Tree};

impl Tree {
    /// A tree with the same nodes and beliefs at the same places and the same places free: a search that goes on in
    /// the one does what it would have done in the other.
    ///
    /// Only while no thread writes to the tree. For what it costs see `benches/debugger.rs`.
    #[must_use]
    pub fn copy(&self) -> Tree {
        self.copy_while(|| true).expect("nobody stopped it")
    }

    /// As [`Tree::copy`], but given up, with `None`, as soon as `goes_on` says no: a large tree takes longer than a
    /// person should wait for a search to stop.
    #[must_use]
    pub fn copy_while(&self, goes_on: impl Fn() -> bool + Sync) -> Option<Tree> {
        Some(Tree {
            nodes: self.nodes.copy_while(Node::copy, &goes_on)?,
            beliefs: self.beliefs.copy_while(BeliefSlot::copy, &goes_on)?,
            numbers: self.numbers.copy_while(NumbersSlot::copy, &goes_on)?,
            family: self.family,
            scale: self.scale,
            grid: self.grid.clone(),
            record_plies: self.record_plies,
            failures: self.failures.clone(),
            moved: self.moved.clone(),
        })
    }
}
