//! The merged tree as an outline: which nodes are open and which row is selected. It stores what the user opened, but
//! nothing of the trees.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::time::{Duration, Instant};

use super::difference::{Found, KindSet};
use super::merge::{Merged, MergedRow, Path, Want};
use super::order::{Order, sort};
use super::tour::Tour;
use game::MoveCode;

/// How long an order is kept while the searches run: values change every frame, rows move at most twice a second.
const SETTLED: Duration = Duration::from_millis(500);

/// Which rows are shown: those that match, and those on the way to them.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Filter {
    #[default]
    All,
    /// Rows with a flagged difference of any of these kinds.
    Flagged(KindSet),
    /// Rows with any difference, also one that the columns' uncertainty explains.
    Noted,
    /// Rows with at least this disagreement ([`MergedRow::disagreement`]).
    Disagreement(f32),
}

impl Filter {
    /// Rows with any flagged difference.
    pub const FLAGGED: Filter = Filter::Flagged(KindSet::ALL);

    /// Returns the kinds of difference that count for this filter.
    pub(super) fn kinds(self) -> KindSet {
        match self {
            Filter::All | Filter::Noted => KindSet::ALL,
            Filter::Flagged(kinds) => kinds,
            Filter::Disagreement(_) => KindSet::NONE,
        }
    }

    /// Whether a row that was read with [`Filter::kinds`] differs as the filter asks; with [`Filter::All`], whether it is
    /// flagged.
    pub(super) fn is_difference(self, row: &MergedRow) -> bool {
        match self {
            Filter::Disagreement(least) => row.disagreement >= least,
            Filter::Noted => !row.differences.is_empty(),
            Filter::All | Filter::Flagged(_) => row.is_flagged(),
        }
    }

    fn fits(self, row: &MergedRow) -> bool {
        self == Filter::All || self.is_difference(row)
    }
}

/// A row that is shown.
#[derive(Clone, Debug)]
pub struct OutlineRow {
    /// The moves from the root; the last one is the row's own.
    pub path: Path,
    /// Plies below the root, 0 for the moves of the root.
    pub depth: u16,
    pub row: MergedRow,
    pub open: bool,
    pub has_children: bool,
    /// Whether it is the last of its siblings shown.
    pub last: bool,
}

impl OutlineRow {
    /// Returns its worst difference, a flagged one if there is any.
    pub fn worst(&self) -> Option<&Found> {
        self.row.differences.first()
    }
}

/// A row without its figures, which are read only when it is shown.
#[derive(Clone, Copy, Debug)]
struct Flat {
    /// An index into [`Outline::parents`].
    parent: u32,
    code: MoveCode,
    open: bool,
    has_children: bool,
    last: bool,
}

/// The outline. The root's moves are always open; the root itself has no row.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// The open nodes, without the root.
    open: BTreeSet<Path>,
    order: Order,
    filter: Filter,
    /// The path of the selected row; empty before the first rows are built.
    selected: Path,
    at: usize,
    /// Whether the user has chosen a row. Before that the first row is selected, whichever it is.
    chosen: bool,
    flat: Vec<Flat>,
    parents: Vec<Path>,
    hidden: usize,
    flagged: usize,
    made: Option<Instant>,
    /// The differences that jumps go through.
    pub(super) tour: Option<Tour>,
}

impl Outline {
    /// Returns the number of rows shown.
    pub fn len(&self) -> usize {
        self.flat.len()
    }

    pub fn is_empty(&self) -> bool {
        self.flat.is_empty()
    }

    /// Returns the number of rows that the filter hides.
    pub fn hidden(&self) -> usize {
        self.hidden
    }

    /// Returns the number of rows shown that have a flagged difference.
    pub fn flagged(&self) -> usize {
        self.flagged
    }

    /// Returns the index of the selected row.
    pub fn selected(&self) -> usize {
        self.at
    }

    /// Returns the moves to the selected row; empty if there is none.
    pub fn selected_path(&self) -> &[MoveCode] {
        &self.selected
    }

    pub fn order(&self) -> Order {
        self.order
    }

    pub fn filter(&self) -> Filter {
        self.filter
    }

    pub fn is_open(&self, path: &[MoveCode]) -> bool {
        path.is_empty() || self.open.contains(path)
    }

    /// Returns the moves to the row at an index.
    pub fn path(&self, at: usize) -> Option<Path> {
        let flat = self.flat.get(at)?;
        let mut path = self.parents[flat.parent as usize].clone();
        path.push(flat.code);
        Some(path)
    }

    /// Requests that the rows be rebuilt before the next frame.
    pub fn touch(&mut self) {
        self.made = None;
    }

    /// Forgets what was read of the trees, which are other ones now.
    pub fn restart(&mut self) {
        self.touch();
        self.tour = None;
    }

    /// Updates the rows to match the trees: at once if something about the display has changed, otherwise (`live`) when
    /// the order is out of date. Returns whether they were rebuilt. Costs about 50 microseconds per open node.
    pub fn refresh(&mut self, merged: &Merged, live: bool) -> bool {
        let due = match self.made {
            None => true,
            Some(at) => live && at.elapsed() >= SETTLED,
        };
        if due {
            self.flatten(merged);
        }
        due
    }

    /// Returns the rows in a range, with their present figures; the range may extend beyond the last row. The cost
    /// depends on the number of open nodes to which they belong.
    pub fn rows(&self, merged: &Merged, range: Range<usize>) -> Vec<OutlineRow> {
        let end = range.end.min(self.flat.len());
        let start = range.start.min(end);
        let shown = &self.flat[start..end];
        let mut codes: HashMap<u32, Vec<MoveCode>> = HashMap::new();
        for flat in shown {
            codes.entry(flat.parent).or_default().push(flat.code);
        }
        let read = codes.into_iter().map(|(parent, codes)| {
            let path = &self.parents[parent as usize];
            (parent, merged.some_rows(path, &codes))
        });
        let mut read: HashMap<u32, Vec<MergedRow>> = read.collect();
        let row = |flat: &Flat| {
            let rows = read.get_mut(&flat.parent)?;
            let at = rows.iter().position(|row| row.name.code == flat.code)?;
            Some(self.shown(flat, rows.swap_remove(at)))
        };
        shown.iter().filter_map(row).collect()
    }

    fn shown(&self, flat: &Flat, row: MergedRow) -> OutlineRow {
        let parent = &self.parents[flat.parent as usize];
        let mut path = parent.clone();
        path.push(flat.code);
        OutlineRow {
            path,
            depth: parent.len() as u16,
            row,
            open: flat.open,
            has_children: flat.has_children,
            last: flat.last,
        }
    }

    fn flatten(&mut self, merged: &Merged) {
        self.flat.clear();
        self.parents.clear();
        self.hidden = 0;
        self.flagged = 0;
        self.add(merged, Vec::new());
        self.made = Some(Instant::now());
        self.find_selected();
    }

    /// Adds the rows below an open node.
    fn add(&mut self, merged: &Merged, path: Path) {
        let Some(merged_node) = merged.merged_node(&path) else {
            return;
        };
        let want = Want {
            differences: self.filter.kinds(),
            ..self.order.needs()
        };
        let mut rows = merged.read(&merged_node);
        merged.complete(&merged_node, &mut rows, want);
        sort(&mut rows, self.order);
        let parent = self.parents.len() as u32;
        self.parents.push(path.clone());
        let mut last = None;
        for row in rows {
            let at = self.flat.len();
            let mut below = path.clone();
            below.push(row.name.code);
            let open = self.open.contains(&below);
            self.flat.push(Flat {
                parent,
                code: row.name.code,
                open,
                has_children: merged.row_has_children(&row),
                last: false,
            });
            if open {
                self.add(merged, below);
            }
            if self.filter.fits(&row) || self.flat.len() > at + 1 {
                last = Some(at);
                self.flagged += usize::from(row.is_flagged());
            } else {
                self.flat.truncate(at);
                self.hidden += 1;
            }
        }
        if let Some(last) = last {
            self.flat[last].last = true;
        }
    }

    /// Finds the selected row again, or else the nearest shown row above it, or else whatever is now at its index.
    fn find_selected(&mut self) {
        let mut line = self.selected.as_slice();
        if !self.chosen {
            line = &[];
            self.at = 0;
        }
        while let Some((code, parent)) = line.split_last() {
            let is_it =
                |flat: &Flat| flat.code == *code && self.parents[flat.parent as usize] == parent;
            if let Some(at) = self.flat.iter().position(is_it) {
                self.at = at;
                // The filter may show the hidden row again later, so the selection is kept.
                return;
            }
            line = parent;
        }
        self.put(self.at);
    }

    /// Selects a row by its index, or the last row if there are fewer.
    pub fn select(&mut self, at: usize) {
        self.chosen = true;
        self.put(at);
    }

    fn put(&mut self, at: usize) {
        self.at = at.min(self.flat.len().saturating_sub(1));
        self.selected = self.path(self.at).unwrap_or_default();
    }

    /// Moves the selection down by this many rows (up if negative).
    pub fn walk(&mut self, by: isize) {
        self.select(self.at.saturating_add_signed(by));
    }

    /// Opens the way to a row and selects it. Returns false if one of its moves is illegal.
    pub fn reveal(&mut self, merged: &Merged, path: &[MoveCode]) -> bool {
        if path.is_empty() || merged.merged_node(path).is_none() {
            return false;
        }
        self.open_way(path);
        self.selected = path.to_vec();
        self.chosen = true;
        self.flatten(merged);
        true
    }

    /// Opens the nodes on the way to a row, but not the row itself.
    fn open_way(&mut self, path: &[MoveCode]) {
        for plies in 1..path.len() {
            self.open.insert(path[..plies].to_vec());
        }
        self.touch();
    }

    /// Opens a node (its rows appear at the next [`Outline::refresh`]). Returns false if no column has anything below
    /// it.
    pub fn open(&mut self, merged: &Merged, path: &[MoveCode]) -> bool {
        let opens = !path.is_empty() && merged.has_children(path);
        if opens && self.open.insert(path.to_vec()) {
            self.touch();
        }
        opens
    }

    /// Closes a node. Open nodes below it stay open for the next time.
    pub fn close(&mut self, path: &[MoveCode]) {
        if self.open.remove(path) {
            self.touch();
        }
    }

    /// Closes everything and selects the root move above the present selection.
    pub fn close_all(&mut self, merged: &Merged) {
        self.open.clear();
        self.selected.truncate(1);
        self.flatten(merged);
    }

    /// Opens or closes the selected row.
    pub fn toggle(&mut self, merged: &Merged) {
        let path = self.selected.clone();
        if self.is_open(&path) {
            self.close(&path);
        } else {
            self.open(merged, &path);
        }
        self.refresh(merged, false);
    }

    /// Opens the selected row, or selects its first child if it is already open.
    pub fn open_or_enter(&mut self, merged: &Merged) {
        let path = self.selected.clone();
        if !self.is_open(&path) {
            self.open(merged, &path);
            self.refresh(merged, false);
        } else if self
            .path(self.at + 1)
            .is_some_and(|next| next.len() > path.len())
        {
            self.walk(1);
        }
    }

    /// Closes the selected row, or selects its parent if it is not open.
    pub fn close_or_leave(&mut self, merged: &Merged) {
        let path = self.selected.clone();
        if self.open.contains(&path) {
            self.close(&path);
            self.refresh(merged, false);
        } else if path.len() > 1 {
            self.selected.pop();
            self.find_selected();
        }
    }

    /// Opens a line, for example [`Merged::best_line`] from the selected row. The selection stays.
    pub fn open_line(&mut self, merged: &Merged, line: &[MoveCode]) {
        if merged.merged_node(line).is_some() {
            self.open_way(line);
            self.refresh(merged, false);
        }
    }

    /// Opens a column's best line from the root and selects its end. Returns false if the column has none.
    pub fn follow_best(&mut self, merged: &Merged, column: usize) -> bool {
        self.reveal(merged, &merged.best_line(column, &[]))
    }

    pub fn set_order(&mut self, order: Order) {
        self.order = order;
        self.touch();
    }

    pub fn set_filter(&mut self, filter: Filter) {
        self.filter = filter;
        self.tour = None;
        self.touch();
    }
}
