//! Moves that are ahead of their node. A depth-first search writes a node's figures when it leaves the node. While it
//! is still searching the node's moves, some of them may already belong to a later iteration than the node's own
//! figures.

use super::Reader;
use tree::{Family, NodeId, Tree};

impl Reader<'_> {
    /// Whether a node was searched again in a later iteration than the one its parent's figures come from, or at a move of
    /// the root than its own that are shown: the search has not returned to the parent yet, or was stopped before it did.
    pub fn is_ahead(&self, id: NodeId) -> bool {
        let tree = self.tree;
        if tree.family() != Family::DepthFirst || id.is_none() || id == Tree::ROOT {
            return false;
        }
        let node = tree.node(id);
        let (_, mine) = node.static_and_iteration();
        let parent = tree.view(node.parent());
        // A move of the root is shown as the last step left it.
        let finished = match node.parent() == Tree::ROOT && tree.last_step().is_some() {
            true => tree.view(id).iteration,
            false => parent.iteration,
        };
        let again = node.is_searched_again() || parent.again;
        finished > 0 && mine > finished && !again && node.visits() > 0
    }

    /// Returns how many of a node's moves are ahead of it and the latest iteration among them, or `None` if no move is.
    pub fn moves_ahead(&self, id: NodeId) -> Option<(usize, u8)> {
        let iteration = |&child: &NodeId| self.tree.node(child).static_and_iteration().1;
        let ahead = self.tree.children(id).filter(|&child| self.is_ahead(child));
        let iterations: Vec<u8> = ahead.map(|child| iteration(&child)).collect();
        Some((iterations.len(), iterations.iter().copied().max()?))
    }

    /// Returns the nodes searched at and below a node. A depth-first search adds to a node's count when it leaves the
    /// node. Until then the nodes searched below its moves count already, and no node has more than the one above it.
    pub fn nodes_shown(&self, id: NodeId) -> u64 {
        let node = self.tree.node(id);
        if self.tree.family() != Family::DepthFirst {
            return node.nodes();
        }
        let below = |child| self.tree.node(child).nodes();
        let searched = node.nodes().max(self.tree.children(id).map(below).sum());
        match node.parent() {
            parent if parent.is_none() => searched,
            parent => searched.min(self.nodes_shown(parent)),
        }
    }
}
