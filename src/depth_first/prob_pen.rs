//! Writes one thread's beliefs into a depth-first tree.

use belief::Cdf;
use tree::{NodeId, Tree};

/// Gives recorded nodes a belief slot at their first belief, and takes slots from the tree in small batches.
#[derive(Debug)]
pub struct BeliefPen<'a> {
    tree: &'a Tree,
    /// Slots taken but not yet used.
    slots: std::ops::Range<u32>,
}

impl<'a> BeliefPen<'a> {
    const LOT: u32 = 256;

    pub fn new(tree: &'a Tree) -> Self {
        BeliefPen { tree, slots: 0..0 }
    }

    /// Writes a node's belief, given from the view of the side to move; the slot holds the view of the side that moved
    /// there. The belief is computed only if the node is recorded. If the tree has no room, the node stays without a
    /// belief.
    pub fn write(&mut self, node: NodeId, belief: impl FnOnce() -> Cdf) {
        if node.is_none() {
            return;
        }
        let belief = belief().negated();
        let node = self.tree.node(node);
        if node.belief() != 0 {
            self.tree.belief_slot(node.belief()).write(&belief);
        } else if let Some(place) = self.next_slot() {
            self.tree.belief_slot(place).initialise(&belief);
            node.set_belief(place);
        }
    }

    fn next_slot(&mut self) -> Option<u32> {
        if self.slots.is_empty() {
            let first = self.tree.allocate_beliefs(Self::LOT)?;
            self.slots = first..first + Self::LOT;
        }
        self.slots.next()
    }
}
