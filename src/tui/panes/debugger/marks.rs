//! What changed since the search stood before: the figures of the rows that a person sees, kept at one moment to be
//! compared with what they are now.

use std::collections::HashMap;

use crate::engine::Reader;
use crate::tree::{NodeId, NodeView, Tree};
use crate::tui::panes::tree::{Row, RowKey};
use crate::tui::views::{Facts, Withheld};

/// Rows remembered at most: a step must not take longer the more is open.
const MOST: usize = 4_000;

/// The figures of a row at one moment, from its mover's view.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    pub view: NodeView,
    /// The mean of its belief, where it has a distribution.
    pub mean: Option<f32>,
}

impl Figures {
    #[must_use]
    pub fn of(facts: &Facts) -> Figures {
        let belief = facts.belief.as_ref().filter(|b| b.is_distribution());
        Figures {
            view: facts.view,
            mean: belief.map(|b| b.mean),
        }
    }
}

/// What was there before.
#[derive(Debug, Default)]
pub struct Marks {
    before: HashMap<RowKey, Figures>,
    /// Nodes that the tree had: they are numbered in the order they came.
    nodes: u32,
    set: bool,
}

impl Marks {
    pub fn clear(&mut self) {
        *self = Marks::default();
    }

    /// Remembers the figures of rows around `middle`.
    pub fn take(&mut self, reader: Reader, rows: &[Row], middle: usize) {
        let from = middle.saturating_sub(MOST / 2).min(rows.len());
        let to = (from + MOST).min(rows.len());
        let mut withheld = Withheld::default();
        self.before.clear();
        for row in rows[from..to].iter().filter(|r| !r.node.is_none()) {
            if let Some(facts) = Facts::of(reader, row, &mut withheld) {
                self.before.insert(row.key(), Figures::of(&facts));
            }
        }
        self.nodes = reader.tree.len();
        self.set = true;
    }

    /// Whether a node came into the tree since then.
    #[must_use]
    pub fn is_new(&self, node: NodeId) -> bool {
        self.set && !node.is_none() && node != Tree::ROOT && node.0 >= self.nodes
    }

    /// The row's figures then.
    #[must_use]
    pub fn before(&self, row: &Row) -> Option<&Figures> {
        self.before.get(&row.key())
    }
}
