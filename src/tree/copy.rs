//! A second tree, the same in everything.

use super::{BeliefSlot, Node, Tree};

impl Tree {
    /// A tree with the same nodes and beliefs at the same places and the same places free: a search that goes on in
    /// the one does what it would have done in the other.
    ///
    /// Only while no thread writes to the tree. For what it costs see `benches/debugger.rs`.
    #[must_use]
    pub fn copy(&self) -> Tree {
        self.copy_reusing(None)
    }

    /// As [`Tree::copy`], in the memory of a tree that nobody needs any more: more than twice as fast, for the system
    /// has no pages to hand out and to clear.
    #[must_use]
    pub fn copy_into(&self, old: Tree) -> Tree {
        self.copy_reusing(Some(old))
    }

    fn copy_reusing(&self, old: Option<Tree>) -> Tree {
        let (nodes, beliefs) = old.map(|old| (old.nodes, old.beliefs)).unzip();
        Tree {
            nodes: self.nodes.copy(nodes, Node::copy),
            beliefs: self.beliefs.copy(beliefs, BeliefSlot::copy),
            family: self.family,
            scale: self.scale,
            grid: self.grid.clone(),
            record_plies: self.record_plies,
        }
    }
}
