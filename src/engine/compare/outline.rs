//! The merged tree as an outline: which nodes are open, which row is selected. It holds what a person opened, never
//! the tree.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::time::{Duration, Instant};

use super::difference::{Difference, Kind, KindSet};
use super::merge::{Merged, MergedRow, Path, Want};
use super::order::{Order, sort};
use super::walk::Resume;
use crate::game::MoveCode;

/// How long an order stays while the searches run: values move every frame, rows at most twice a second.
const SETTLED: Duration = Duration::from_millis(500);

/// Which rows are shown: those that fit, and those on the way to them.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Filter {
    #[default]
    All,
    /// With a difference of any of these kinds.
    Kinds(KindSet),
    /// With at least this disagreement ([`MergedRow::disagreement`]).
    Disagreement(f32),
}

impl Filter {
    /// With any difference.
    pub const DIFFERING: Filter = Filter::Kinds(KindSet::ALL);

    /// The differences that count for it: what is jumped to.
    pub(super) fn kinds(self) -> KindSet {
        match self {
            Filter::All => KindSet::ALL,
            Filter::Kinds(kinds) => kinds,
            Filter::Disagreement(_) => KindSet::NONE,
        }
    }

    /// Whether a row that was read with [`Filter::kinds`] is one to jump to.
    pub(super) fn is_difference(self, row: &MergedRow) -> bool {
        match self {
            Filter::Disagreement(least) => row.disagreement >= least,
            _ => !row.differences.is_empty(),
        }
    }

    fn fits(self, row: &MergedRow) -> bool {
        self == Filter::All || self.is_difference(row)
    }
}

/// One row shown.
#[derive(Clone, Debug)]
pub struct OutlineRow {
    /// The moves from the root, its own the last.
    pub path: Path,
    /// Plies below the root, 0 for the moves of the root.
    pub depth: u16,
    pub row: MergedRow,
    pub open: bool,
    pub has_children: bool,
    /// The last one among its siblings as shown.
    pub last: bool,
}

impl OutlineRow {
    /// The worst of its differences.
    #[must_use]
    pub fn worst(&self) -> Option<(Kind, &Difference)> {
        let worst = self.row.differences.first()?;
        Some((worst.kind(), worst))
    }
}

/// A row without its figures: these are read when it is looked at.
#[derive(Clone, Copy, Debug)]
struct Flat {
    /// In [`Outline::parents`].
    parent: u32,
    code: MoveCode,
    open: bool,
    has_children: bool,
    last: bool,
}

/// The outline. The root's moves are always open; the root itself has no row.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// Without the root.
    open: BTreeSet<Path>,
    order: Order,
    filter: Filter,
    /// Empty before the first rows are made.
    selected: Path,
    at: usize,
    /// Somebody has chosen a row: before that the first one is selected, whichever it is.
    chosen: bool,
    flat: Vec<Flat>,
    parents: Vec<Path>,
    hidden: usize,
    made: Option<Instant>,
    /// Where the last jump ran out of its budget.
    pub(super) resume: Option<Resume>,
}

impl Outline {
    /// How many rows are shown.
    #[must_use]
    pub fn len(&self) -> usize {
        self.flat.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.flat.is_empty()
    }

    /// Rows that the filter hides.
    #[must_use]
    pub fn hidden(&self) -> usize {
        self.hidden
    }

    /// The place of the selected row.
    #[must_use]
    pub fn selected(&self) -> usize {
        self.at
    }

    /// The moves to the selected row; empty where there is none.
    #[must_use]
    pub fn selected_path(&self) -> &[MoveCode] {
        &self.selected
    }

    #[must_use]
    pub fn order(&self) -> Order {
        self.order
    }

    #[must_use]
    pub fn filter(&self) -> Filter {
        self.filter
    }

    #[must_use]
    pub fn is_open(&self, path: &[MoveCode]) -> bool {
        path.is_empty() || self.open.contains(path)
    }

    /// The moves to a row by its place.
    #[must_use]
    pub fn path(&self, at: usize) -> Option<Path> {
        let flat = self.flat.get(at)?;
        let mut path = self.parents[flat.parent as usize].clone();
        path.push(flat.code);
        Some(path)
    }

    /// The rows are to be made anew before the next frame.
    pub fn touch(&mut self) {
        self.made = None;
    }

    /// Makes the rows fit the trees: at once after a change of what is shown, else (`live`) when the order has become
    /// old. True if they were made anew. Costs some 50 microseconds an open node.
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

    /// The rows at the places given, with the figures of this moment; what lies beyond the last row is left out. Costs
    /// go with the open nodes they belong to.
    #[must_use]
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
            (parent, read_some(merged, path, &codes))
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
            differences: match self.filter {
                Filter::All => KindSet::NONE,
                filter => filter.kinds(),
            },
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
            } else {
                self.flat.truncate(at);
                self.hidden += 1;
            }
        }
        if let Some(last) = last {
            self.flat[last].last = true;
        }
    }

    /// The selected row, or the nearest one above it that is shown, or what stands at its place now.
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
                // A row that the filter hides may come back.
                return;
            }
            line = parent;
        }
        self.put(self.at);
    }

    /// Selects a row by its place, the last one if there are fewer.
    pub fn select(&mut self, at: usize) {
        self.chosen = true;
        self.put(at);
    }

    fn put(&mut self, at: usize) {
        self.at = at.min(self.flat.len().saturating_sub(1));
        self.selected = self.path(self.at).unwrap_or_default();
    }

    /// Selects the row so many places further down (up, if negative).
    pub fn walk(&mut self, by: isize) {
        self.select(self.at.saturating_add_signed(by));
    }

    /// Opens the way to a row and selects it. False where a move of it is not legal.
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

    /// Opens the nodes on the way to a row, not the row itself.
    fn open_way(&mut self, path: &[MoveCode]) {
        for plies in 1..path.len() {
            self.open.insert(path[..plies].to_vec());
        }
        self.touch();
    }

    /// Opens a node (its rows appear at the next [`Outline::refresh`]). False where no column has anything below it.
    pub fn open(&mut self, merged: &Merged, path: &[MoveCode]) -> bool {
        let opens = !path.is_empty() && merged.has_children(path);
        if opens && self.open.insert(path.to_vec()) {
            self.touch();
        }
        opens
    }

    /// Closes a node; what is open below it stays so for the next time.
    pub fn close(&mut self, path: &[MoveCode]) {
        if self.open.remove(path) {
            self.touch();
        }
    }

    /// Closes everything and selects the root's move that the selection was below.
    pub fn close_all(&mut self, merged: &Merged) {
        self.open.clear();
        self.selected.truncate(1);
        self.flatten(merged);
    }

    /// Opens the selected row or closes it.
    pub fn toggle(&mut self, merged: &Merged) {
        let path = self.selected.clone();
        if self.is_open(&path) {
            self.close(&path);
        } else {
            self.open(merged, &path);
        }
        self.refresh(merged, false);
    }

    /// Opens the selected row, or goes to its first child if it is open.
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

    /// Closes the selected row, or goes to its parent if it is not open.
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

    /// Opens a line (say [`Merged::best_line`] from the selected row on); the selection stays.
    pub fn open_line(&mut self, merged: &Merged, line: &[MoveCode]) {
        if merged.merged_node(line).is_some() {
            self.open_way(line);
            self.refresh(merged, false);
        }
    }

    /// Opens a column's best line from the root and selects its end. False where the column has none.
    pub fn follow_best(&mut self, merged: &Merged, column: usize) -> bool {
        self.reveal(merged, &merged.best_line(column, &[]))
    }

    pub fn set_order(&mut self, order: Order) {
        self.order = order;
        self.resume = None;
        self.touch();
    }

    pub fn set_filter(&mut self, filter: Filter) {
        self.filter = filter;
        self.resume = None;
        self.touch();
    }
}

/// Some rows of a merged node, with everything.
fn read_some(merged: &Merged, path: &[MoveCode], codes: &[MoveCode]) -> Vec<MergedRow> {
    let Some(merged_node) = merged.merged_node(path) else {
        return Vec::new();
    };
    let mut rows = merged.read(&merged_node);
    rows.retain(|row| codes.contains(&row.name.code));
    merged.complete(&merged_node, &mut rows, Want::ALL);
    rows
}
