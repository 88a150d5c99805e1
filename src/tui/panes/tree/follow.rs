//! Following a search that is stepped through: its line is opened while it leads there, and closed afterwards.

use super::folds::Folds;
use super::order::Orders;
use super::{Explorer, RowKey, SavedSelection};
use game::MoveCode;
use session::Reader;
use tree::{NodeId, Tree};

impl Explorer {
    /// Opens the path to a row and selects the row: the node itself, or one of its moves, which may have no node. Nodes
    /// that were opened only for an earlier line are closed; nodes that the user opened stay open.
    pub fn follow(&mut self, reader: Reader, node: NodeId, m: Option<MoveCode>, open: bool) {
        if node.is_none() || !reader.tree.contains(node) {
            return;
        }
        let mut line = reader.tree.path(node);
        if m.is_none() && !open {
            line.pop();
        }
        let gone: Vec<NodeId> = self.followed.iter().copied().collect();
        for old in gone.into_iter().filter(|n| !line.contains(n)) {
            self.close_node(old);
        }
        for &ancestor in &line {
            if !self.is_open(ancestor) && self.open_node(reader, ancestor) && ancestor != Tree::ROOT
            {
                self.followed.insert(ancestor);
            }
        }
        let own = reader.tree.node(node);
        self.key = match m {
            Some(code) => RowKey { parent: node, code },
            None if node == Tree::ROOT => RowKey::ROOT,
            None => RowKey {
                parent: own.parent(),
                code: own.move_code(),
            },
        };
        // The row stays about where it was on the screen, with some of its line above.
        let (third, at) = (
            self.list.height() / 3,
            self.list.selected.saturating_sub(self.list.top),
        );
        self.list.selected = self.list.top + at.clamp(third, 2 * third);
        self.flatten_now(reader);
    }

    /// Adapts to a tree that shows an earlier state of the same search: what was open is opened again by its moves, as
    /// far as they exist. The caller sets the selection with [`Explorer::follow`].
    pub fn replant(&mut self, reader: Reader, place: SavedSelection) {
        // Nothing may lead back to a node of the old tree, which the new one need not have.
        self.rows.clear();
        self.orders = Orders::default();
        self.folds = Folds::default();
        self.open.clear();
        self.followed.clear();
        self.key = RowKey::ROOT;
        self.awaits_moves = !self.open_node(reader, Tree::ROOT);
        self.resume(place);
        self.go_on_resuming(reader);
        // Keys that come before the next frame need rows.
        self.flatten_now(reader);
        self.touch();
    }
}
