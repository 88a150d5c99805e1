//! The state of the tree explorer: the open nodes, the selected row, the viewport. It holds only what the user opened,
//! never the tree.

mod audits;
pub(crate) mod axis;
mod commands;
mod filter;
mod find;
mod flatten;
mod folds;
mod follow;
pub(crate) mod hunt;
pub(crate) mod keys;
mod opening;
mod order;
mod proof;
mod resume;
mod sort;
pub(crate) mod view;

pub use commands::TreePane;
pub use filter::Filter;
use flatten::Folding;
pub use flatten::{Flat, Names};
pub use folds::Folded;
use folds::{Fold, Folds};
use proof::ProofRows;
pub use resume::SavedSelection;
pub use sort::Sort;

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use game::MoveCode;
use report::lens::Lens;
use screen::list::List;
use session::Reader;
use tree::{NodeId, Tree};

/// What can be clicked in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeTarget {
    Frame,
    Row(usize),
    /// The mark that opens and closes a row.
    Mark(usize),
}

/// Identifies a row independently of its index: a legal move at a node. The root is `(NONE, NONE)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RowKey {
    pub parent: NodeId,
    pub code: MoveCode,
}

impl RowKey {
    pub const ROOT: RowKey = RowKey {
        parent: NodeId::NONE,
        code: MoveCode::NONE,
    };
}

/// One row of the flattened tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    pub parent: NodeId,
    /// `NONE` for a legal move without a node.
    pub node: NodeId,
    pub code: MoveCode,
    /// The distance from the root in plies.
    pub depth: u16,
    /// Whether it is the last one among its siblings as shown.
    pub last: bool,
}

impl Row {
    /// Whether it stands for several moves at its parent.
    pub fn is_fold(&self) -> bool {
        Fold::of_code(self.code).is_some()
    }

    pub fn key(&self) -> RowKey {
        RowKey {
            parent: self.parent,
            code: self.code,
        }
    }
}

/// How long an order stays while the search runs: values change every frame, the rows' order at most twice a second.
const SETTLED: Duration = Duration::from_millis(500);

/// The explorer.
#[derive(Debug)]
pub struct Explorer {
    open: HashMap<NodeId, Names>,
    rows: Vec<Row>,
    pub list: List,
    key: RowKey,
    pub sort: Sort,
    /// Whether the order must not tell which move is the best.
    neutral: bool,
    orders: order::Orders,
    /// The rows that stand for several moves.
    folds: Folds,
    /// Whether every move has a row of its own.
    unfolded: bool,
    /// The part of the value axis that the rows stand on, and how they are drawn there.
    pub axis: axis::Axis,
    /// Whether the search ran when the rows were refreshed last.
    live: bool,
    pub filter: Filter,
    /// The node whose proof is shown, with [`Filter::Proof`].
    proof: NodeId,
    /// Whether the tree is shown as a whole, without the filter.
    whole: bool,
    /// The number of rows that the filter hides.
    hidden: usize,
    deepest: u16,
    flattened: Option<Instant>,
    /// The last query.
    query: String,
    /// The kind of node that was looked for last; `None` if it was a text.
    pub sought: Option<Filter>,
    /// The user's selection in the previous tree, still to be restored.
    pending: Option<SavedSelection>,
    /// Whether the root is to be opened as soon as it has moves.
    awaits_moves: bool,
    /// Nodes that were opened to follow a search, not by the user.
    followed: HashSet<NodeId>,
}

impl Default for Explorer {
    fn default() -> Self {
        Explorer {
            open: HashMap::new(),
            rows: Vec::new(),
            list: List::default(),
            key: RowKey::ROOT,
            sort: Sort::default(),
            neutral: false,
            orders: order::Orders::default(),
            folds: Folds::default(),
            unfolded: false,
            axis: axis::Axis::default(),
            live: false,
            filter: Filter::default(),
            proof: Tree::ROOT,
            whole: false,
            hidden: 0,
            deepest: 0,
            flattened: None,
            query: String::new(),
            sought: None,
            pending: None,
            awaits_moves: false,
            followed: HashSet::new(),
        }
    }
}

impl Explorer {
    /// Forgets the rows of an old tree; order and filter stay.
    pub fn reset(&mut self) {
        let (sort, neutral) = (self.sort, self.neutral);
        let (unfolded, axis) = (self.unfolded, self.axis.renewed());
        let (filter, whole) = (self.filter.clone(), self.whole);
        let query = std::mem::take(&mut self.query);
        let sought = self.sought.take();
        *self = Explorer {
            sort,
            neutral,
            unfolded,
            axis,
            filter,
            whole,
            query,
            sought,
            ..Explorer::default()
        };
    }

    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    pub fn hidden(&self) -> usize {
        self.hidden
    }

    /// Returns the depth of the deepest row.
    pub fn deepest(&self) -> u16 {
        self.deepest
    }

    pub fn selected(&self) -> usize {
        self.list.selected
    }

    /// Returns the selected row; for one that stands for several moves, the row of the node at which they are played.
    pub fn selected_row(&self) -> Option<Row> {
        let row = self.shown_row()?;
        match row.is_fold() {
            true => self.rows.iter().find(|r| r.node == row.parent).copied(),
            false => Some(row),
        }
    }

    /// Returns the selected row, which may stand for several moves.
    pub fn shown_row(&self) -> Option<Row> {
        self.rows.get(self.list.selected).copied()
    }

    /// Returns what a row says that stands for several moves.
    pub fn folded(&self, row: &Row) -> Option<&Folded> {
        self.folds.get(row)
    }

    /// Whether what is behind a row is shown.
    pub fn is_row_open(&self, row: &Row) -> bool {
        match row.is_fold() {
            true => self.folds.is_open(row),
            false => self.is_open(row.node),
        }
    }

    /// Fits the value axis to the moves beside the selected row.
    pub fn fit_axis(&mut self, reader: Reader, lens: Lens) {
        let parent = self.shown_row().map_or(Tree::ROOT, |row| row.parent);
        let parent = if parent.is_none() { Tree::ROOT } else { parent };
        self.axis.fit(reader, parent, lens);
    }

    /// Gives every move a row of its own, or lets rows stand for several moves.
    pub fn set_unfolded(&mut self, unfolded: bool) {
        if self.unfolded != unfolded {
            self.unfolded = unfolded;
            self.touch();
        }
    }

    pub fn is_open(&self, node: NodeId) -> bool {
        self.open.contains_key(&node)
    }

    /// Returns the names of the moves at an open node.
    pub fn names(&self, node: NodeId) -> Option<&Names> {
        self.open.get(&node)
    }

    /// Updates the rows: at once after [`Explorer::touch`], otherwise when the order is out of date. Returns whether it
    /// did.
    pub fn refresh(&mut self, reader: Reader, live: bool) -> bool {
        if self.pending.is_some() && !self.open.is_empty() {
            self.go_on_resuming(reader);
        }
        // When the search ends or pauses, the order is set right.
        if self.live && !live {
            self.touch();
        }
        self.live = live;
        let due = match self.flattened {
            None => true,
            Some(at) => live && at.elapsed() >= SETTLED,
        };
        if due {
            self.flatten_now(reader);
        }
        due
    }

    /// Rebuilds the rows at once.
    pub fn rebuild(&mut self, reader: Reader) {
        self.flatten_now(reader);
    }

    /// Makes the next refresh rebuild the rows.
    pub fn touch(&mut self) {
        self.flattened = None;
    }

    fn flatten_now(&mut self, reader: Reader) {
        let is_first = self.open.is_empty() && self.flattened.is_none() && self.rows.is_empty();
        if is_first || self.awaits_moves {
            self.awaits_moves = !self.open_node(reader, Tree::ROOT);
        }
        for (node, names) in &mut self.open {
            names.keep_up(reader, *node);
        }
        let offset = self.list.selected as isize - self.list.top as isize;
        let filter = if self.whole {
            &Filter::All
        } else {
            &self.filter
        };
        let proof = (*filter == Filter::Proof).then(|| ProofRows::new(reader, self.proof));
        let proof = proof.flatten();
        self.orders.retain(|node| self.open.contains_key(&node));
        let how = (self.order(), self.live);
        let folding = Folding {
            folds: &mut self.folds,
            whole: self.unfolded || *filter != Filter::All,
            selected: (self.key, self.rows.iter().any(|r| r.key() == self.key)),
        };
        let arranging = (&mut self.orders, folding);
        let Flat { rows, hidden } =
            flatten::flatten(reader, &self.open, how, filter, proof, arranging);
        self.deepest = rows.iter().map(|r| r.depth).max().unwrap_or(0);
        self.rows = rows;
        self.hidden = hidden;
        self.flattened = Some(Instant::now());
        match self.rows.iter().position(|r| r.key() == self.key) {
            Some(at) => self.list.selected = at,
            // The row is hidden or closed: select its nearest visible ancestor, or else keep the index.
            None => self.select(self.nearest(reader)),
        }
        self.list.top = (self.list.selected as isize - offset).max(0) as usize;
        self.list.keep_in_view(self.rows.len());
    }

    fn nearest(&self, reader: Reader) -> usize {
        let mut at = self.key.parent;
        while reader.tree.contains(at) {
            if let Some(i) = self.rows.iter().position(|r| r.node == at) {
                return i;
            }
            at = reader.tree.node(at).parent();
        }
        self.list.selected
    }

    /// Selects a row by its index (the last one if there are fewer).
    pub fn select(&mut self, at: usize) {
        self.with_list(|list, count| list.select(at, count));
    }

    /// Moves the selection or the viewport.
    pub fn with_list<R>(&mut self, act: impl FnOnce(&mut List, usize) -> R) -> R {
        let done = act(&mut self.list, self.rows.len());
        if let Some(row) = self.shown_row() {
            self.key = row.key();
        }
        done
    }

    /// Goes to the next sibling in the order shown.
    pub fn sibling(&mut self, by: isize) {
        let Some(row) = self.shown_row() else {
            return;
        };
        let step = by.signum();
        let (mut at, mut left) = (self.list.selected, by.unsigned_abs());
        while left > 0 {
            at = at.wrapping_add_signed(step);
            match self.rows.get(at) {
                Some(r) if r.depth < row.depth => return,
                Some(r) if r.depth == row.depth => {
                    left -= 1;
                    self.select(at);
                }
                Some(_) => {}
                None => return,
            }
        }
    }

    /// Sets whether the tree is shown as a whole, without the filter.
    pub fn set_whole(&mut self, whole: bool) {
        if self.whole != whole {
            self.whole = whole;
            self.touch();
        }
    }

    /// Returns the key of the selected row.
    pub fn key(&self) -> RowKey {
        self.key
    }

    /// Returns the order of siblings: by name while it must not tell which move is the best.
    pub fn order(&self) -> Sort {
        match (self.neutral, self.sort) {
            (true, Sort::Best | Sort::Work | Sort::Score) => Sort::Name,
            (_, sort) => sort,
        }
    }

    /// Orders siblings by name, whatever order was chosen, or by the chosen order again.
    pub fn set_neutral(&mut self, neutral: bool) {
        if self.neutral != neutral {
            self.neutral = neutral;
            self.orders.forget();
            self.touch();
        }
    }

    pub fn set_sort(&mut self, sort: Sort) {
        if self.sort != sort {
            self.orders.forget();
            self.orders.frozen = false;
        }
        self.sort = sort;
        self.touch();
    }

    /// Whether the rows keep their places whatever the search finds.
    pub fn is_frozen(&self) -> bool {
        self.orders.frozen
    }

    /// Freezes the rows' order, or lets it follow the search again.
    pub fn freeze(&mut self, frozen: bool) {
        self.orders.frozen = frozen;
        self.touch();
    }

    pub fn set_filter(&mut self, filter: Filter) {
        self.filter = filter;
        self.touch();
    }

    /// Returns the moves from the root to a row.
    pub fn moves_to(&self, reader: Reader, row: &Row) -> Vec<MoveCode> {
        if row.parent.is_none() {
            return Vec::new();
        }
        let mut moves = reader.tree.moves_to(row.parent);
        moves.push(row.code);
        moves
    }
}
