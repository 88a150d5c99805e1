//! A depth-first search writes a node's figures when it leaves it. While it is among the moves of a node those are ahead
//! of the node: searched again in a later iteration than the one that the node's own figures are of.

use super::Reader;
use crate::tree::{Family, NodeId, Tree};

impl Reader<'_> {
    /// Whether a node was searched again in a later iteration than the one that its parent's figures are of: the
    /// search has not come back to the parent yet, or was stopped before it did.
    #[must_use]
    pub fn is_ahead(&self, id: NodeId) -> bool {
        let tree = self.tree;
        if tree.family() != Family::DepthFirst || id.is_none() || id == Tree::ROOT {
            return false;
        }
        let node = tree.node(id);
        let parent = tree.node(node.parent());
        let ((_, mine), (_, finished)) =
            (node.static_and_iteration(), parent.static_and_iteration());
        let again = node.is_searched_again() || parent.is_searched_again();
        finished > 0 && mine > finished && !again && node.visits() > 0
    }

    /// How many of a node's moves are ahead of it, and in which iteration that happened; `None`: no move is.
    #[must_use]
    pub fn moves_ahead(&self, id: NodeId) -> Option<(usize, u8)> {
        let iteration = |&child: &NodeId| self.tree.node(child).static_and_iteration().1;
        let ahead = self.tree.children(id).filter(|&child| self.is_ahead(child));
        let iterations: Vec<u8> = ahead.map(|child| iteration(&child)).collect();
        Some((iterations.len(), iterations.iter().copied().max()?))
    }

    /// Nodes searched at and below a node, as one frame can show them: what was searched below a node that has not been
    /// left yet counts already, and no node has more than the one above it.
    #[must_use]
    pub fn nodes_shown(&self, id: NodeId) -> u64 {
        let mut path: Vec<NodeId> = std::iter::successors(Some(id), |&at| {
            let parent = self.tree.node(at).parent();
            (!parent.is_none()).then_some(parent)
        })
        .collect();
        path.reverse();
        let known = |at: NodeId| {
            let children = self.tree.children(at);
            let below: u64 = children.map(|child| self.tree.node(child).nodes()).sum();
            self.tree.node(at).nodes().max(below)
        };
        path.into_iter().map(known).min().unwrap_or(0)
    }
}
