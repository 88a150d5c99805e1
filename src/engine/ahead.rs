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

    /// Nodes searched at and below a node: of one that the search has not left yet, what was searched below it counts
    /// already, so that it has no fewer than its moves.
    #[must_use]
    pub fn nodes_shown(&self, id: NodeId) -> u64 {
        let below = self.nodes_below(id).unwrap_or(0);
        self.tree.node(id).nodes().max(below)
    }

    /// What was searched below a node that the search is in the middle of; `None` for any other. Where no move was left yet
    /// the search is in the first one, which is the best of the iteration before.
    fn nodes_below(&self, id: NodeId) -> Option<u64> {
        if self.tree.family() != Family::DepthFirst {
            return None;
        }
        let node = self.tree.node(id);
        let best = self.best_move(id);
        let mut under_way = node.visits() == 0 && node.child_count() > 0;
        let mut sum = 0;
        for child in self.tree.children(id) {
            let move_node = self.tree.node(child);
            let entered = move_node.visits() == 0 && move_node.child_count() > 0;
            let likely = entered || best == Some(move_node.move_code());
            let inside = likely || self.tree.children(child).any(|reply| self.is_ahead(reply));
            let below = inside.then(|| self.nodes_below(child)).flatten();
            under_way |= below.is_some() || self.is_ahead(child);
            sum += move_node.nodes().max(below.unwrap_or(0));
        }
        under_way.then_some(sum)
    }
}
