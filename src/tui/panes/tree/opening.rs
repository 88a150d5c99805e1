//! Opening and closing the explorer's nodes.

use std::collections::hash_map::Entry;

use super::{Explorer, Names, RowKey};
use session::Reader;
use tree::{NodeId, Tree};

impl Explorer {
    /// Opens a node without rebuilding the rows. Returns false if it has no moves.
    pub fn open_node(&mut self, reader: Reader, node: NodeId) -> bool {
        // A node without recorded children stays a leaf; the root shows its legal moves at once.
        if node.is_none() || (node != Tree::ROOT && reader.tree.node(node).child_count() == 0) {
            return false;
        }
        if let Entry::Vacant(place) = self.open.entry(node) {
            let names = Names::of(reader, node);
            if names.is_empty() {
                return false;
            }
            place.insert(names);
        }
        self.touch();
        true
    }

    pub fn close_node(&mut self, node: NodeId) {
        self.followed.remove(&node);
        if self.open.remove(&node).is_some() {
            self.touch();
        }
    }

    /// Closes everything but the root and selects the child of the root that contained the selection.
    pub fn close_all(&mut self, reader: Reader) {
        let path = self.selected_row().map(|r| {
            let node = if r.node.is_none() { r.parent } else { r.node };
            reader.tree.path(node)
        });
        self.open.retain(|node, _| *node == Tree::ROOT);
        self.followed.clear();
        if let Some(&top) = path.as_ref().and_then(|p| p.get(1)) {
            self.key = RowKey {
                parent: Tree::ROOT,
                code: reader.tree.node(top).move_code(),
            };
        }
        self.flatten_now(reader);
    }

    /// Opens the selected row, or goes to its first child if it is open; `plies` times.
    pub fn open_or_enter(&mut self, reader: Reader, plies: usize) {
        for _ in 0..plies.max(1) {
            let Some(row) = self.shown_row() else {
                return;
            };
            if row.is_fold() {
                self.folds.set_open(&row, true);
                self.flatten_now(reader);
                return;
            }
            if !self.is_open(row.node) {
                if self.open_node(reader, row.node) {
                    self.flatten_now(reader);
                }
                if plies <= 1 {
                    return;
                }
            }
            let child = self.list.selected + 1;
            if self.rows.get(child).is_some_and(|c| c.parent == row.node) {
                self.select(child);
            } else {
                return;
            }
        }
    }

    /// Closes the selected row, or goes to its parent if it is not open; `plies` times.
    pub fn close_or_leave(&mut self, reader: Reader, plies: usize) {
        for _ in 0..plies.max(1) {
            let Some(row) = self.shown_row() else {
                return;
            };
            // A row that stands for others is closed first, from one of them or from itself.
            let fold = self.folds.of(row.key());
            let at = fold.and_then(|key| self.rows.iter().position(|r| r.key() == key));
            if row.is_fold() && self.folds.is_open(&row) {
                self.folds.set_open(&row, false);
                self.flatten_now(reader);
            } else if let Some(at) = at.filter(|_| !self.is_open(row.node)) {
                self.select(at);
            } else if self.is_open(row.node) && row.node != Tree::ROOT {
                self.close_node(row.node);
                self.flatten_now(reader);
            } else if let Some(parent) = self.rows.iter().position(|r| r.node == row.parent)
                && !row.parent.is_none()
            {
                self.select(parent);
            }
        }
    }

    pub fn toggle(&mut self, reader: Reader) {
        let Some(row) = self.shown_row() else {
            return;
        };
        if row.is_fold() {
            let open = !self.folds.is_open(&row);
            self.folds.set_open(&row, open);
        } else if self.is_open(row.node) {
            self.close_node(row.node);
        } else {
            self.open_node(reader, row.node);
        }
        self.flatten_now(reader);
    }

    /// Opens every node on the path to a node, and selects the node.
    pub fn reveal(&mut self, reader: Reader, node: NodeId) {
        if node.is_none() || !reader.tree.contains(node) {
            return;
        }
        for ancestor in reader.tree.path(reader.tree.node(node).parent()) {
            if !ancestor.is_none() {
                self.open_node(reader, ancestor);
            }
        }
        let n = reader.tree.node(node);
        self.key = if node == Tree::ROOT {
            RowKey::ROOT
        } else {
            RowKey {
                parent: n.parent(),
                code: n.move_code(),
            }
        };
        self.flatten_now(reader);
    }

    /// Opens the path to a row and selects the row; its move may have no node.
    pub fn reveal_row(&mut self, reader: Reader, key: RowKey) {
        if key == RowKey::ROOT || !reader.tree.contains(key.parent) {
            self.select(0);
            return;
        }
        for ancestor in reader.tree.path(key.parent) {
            self.open_node(reader, ancestor);
        }
        self.key = key;
        self.flatten_now(reader);
    }

    /// Opens all nodes of the principal variation below the root; the selection stays.
    pub fn open_line(&mut self, reader: Reader, line: &[NodeId]) {
        self.open_node(reader, Tree::ROOT);
        // The last node stays closed, since the line ends there.
        for &node in line.iter().rev().skip(1) {
            self.open_node(reader, node);
        }
        self.flatten_now(reader);
    }
}
