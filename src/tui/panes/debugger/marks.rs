//! What changed since the search last stopped: the figures of the visible rows at one moment, to compare with the
//! present ones.

use game::Sided;
use std::collections::HashMap;
use std::sync::Arc;

use crate::panes::tree::{Row, RowKey};
use crate::views::{Facts, Withheld};
use session::{Before, Reader, Source};
use tree::{NodeId, NodeView, Tree};

/// The largest number of rows to remember, so that a step does not take longer the more rows are open.
const MOST: usize = 4_000;

/// The figures of a row at one moment, from its mover's view.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    pub view: NodeView,
    /// The mean and spread of its belief, if the belief is a distribution, and whether they are those of an engine's
    /// shares of wins, draws and losses.
    pub belief: Option<(f32, f32, bool)>,
}

impl Figures {
    pub fn of(facts: &Facts) -> Figures {
        let belief = facts.belief.as_ref().filter(|b| b.is_distribution());
        Figures {
            view: facts.view,
            belief: belief.map(|b| (b.mean, b.sd, b.source == Source::Outcomes)),
        }
    }
}

impl Sided for Figures {
    fn turned(self) -> Figures {
        Figures {
            view: self.view.turned(),
            belief: self
                .belief
                .map(|(mean, sd, told)| (mean.turned(), sd, told)),
        }
    }
}

/// The state to compare with.
#[derive(Debug, Default)]
pub struct Marks {
    before: HashMap<RowKey, Figures>,
    /// The number of nodes that the tree had; nodes are numbered in the order of their creation.
    nodes: u32,
    set: bool,
    /// The values of the whole tree, unless it is too large for that.
    whole: Option<Arc<Before>>,
}

impl Marks {
    pub fn clear(&mut self) {
        *self = Marks::default();
    }

    /// Remembers the figures of the rows around `middle`.
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
        self.whole = Before::of(reader.tree).map(Arc::new);
    }

    /// Returns the values of the whole tree at that moment; `None` if it was too large to remember them.
    pub fn whole(&self) -> Option<Arc<Before>> {
        self.whole.clone()
    }

    /// Whether a node was added to the tree since then.
    pub fn is_new(&self, node: NodeId) -> bool {
        if !self.set || node.is_none() || node == Tree::ROOT {
            return false;
        }
        match &self.whole {
            Some(before) => !before.has(node),
            None => node.0 > self.nodes,
        }
    }

    /// Returns the row's figures at that moment.
    pub fn before(&self, row: &Row) -> Option<&Figures> {
        self.before.get(&row.key())
    }
}
