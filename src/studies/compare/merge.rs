//! Several trees of one position read as one, merged by moves.

use std::sync::OnceLock;

use super::apart::LeafWidth;
use super::difference::{Found, KindSet, Thresholds};
use super::find::{self, Here};
use super::{Comparison, Face};
use game::Sided as _;
use game::{Game, MoveCode, Scale};
use session::reader::name_of;
use session::{
    BareRow, GrownBy, MoveName, NodeBelief, NodeValue, Reader, Row, RowId, Session, Subject,
};
use tree::{Bound, NodeId, NodeView, Tree};

/// The moves from the root to a merged node.
pub type Path = Vec<MoveCode>;

/// Several trees of one position, read as one. Cheap to create; reads the live trees at every call.
#[derive(Clone, Debug)]
pub struct Merged<'a> {
    subject: &'a Subject,
    readers: Vec<Option<Reader<'a>>>,
    /// Known when it was first asked for.
    leaf_width: OnceLock<Option<LeafWidth>>,
    /// The thresholds from which something counts as a difference.
    pub thresholds: Thresholds,
}

/// One move at a merged node.
#[derive(Clone, Debug)]
pub struct MergedRow {
    pub name: MoveName,
    /// One cell per column; `None` if the column's tree lacks the node at which the move is played.
    pub cells: Vec<Option<MergedCell>>,
    /// The differences, the flagged ones first, then the worst first; see [`super::Difference::severity`].
    pub differences: Vec<Found>,
    /// The largest difference between the columns' expected scores, in [0, 2], as far as bounds show one: if a value is
    /// known to be at most (at least) something, only a value above (below) that differs.
    pub disagreement: f32,
}

/// What one column knows about a move, from the view of the side that plays it.
#[derive(Clone, Debug)]
pub struct MergedCell {
    pub id: RowId,
    /// The fate keeps its own view.
    pub view: NodeView,
    /// The value and how it relates to the true one; all `None` if the move was not searched.
    pub verdict: NodeValue,
    /// The rank in the column's own order ([`Reader::rows_best_first`]), where 1 is best; `None` if it knows no value
    /// for the move.
    pub rank: Option<usize>,
    /// Whether this column considers the move best. If all moves failed low, none is.
    pub is_best: bool,
    /// The share of the column's work at this node, in [0, 1]: of visits (best-first) or of nodes (depth-first).
    pub share: Option<f32>,
    pub belief: Option<NodeBelief>,
}

impl MergedCell {
    /// Returns the expected score; it may only be a bound, as [`NodeValue::bound`] says.
    pub fn expected(&self) -> Option<f32> {
        self.verdict.expected
    }

    /// Returns the standard deviation of the expected score, if the column has a distribution.
    pub fn sd(&self) -> Option<f32> {
        let belief = self.belief.as_ref()?;
        belief.is_distribution().then_some(belief.sd)
    }

    /// Whether the search examined the position after the move.
    pub fn is_visited(&self) -> bool {
        self.view.visits > 0 && !self.view.fate.is_skip()
    }
}

impl MergedRow {
    /// Whether any difference is flagged.
    pub fn is_flagged(&self) -> bool {
        self.differences.iter().any(|found| found.flagged)
    }

    /// Returns what a column knows about the move as a row of its own tree.
    pub fn of(&self, column: usize) -> Option<Row> {
        let cell = self.cells.get(column)?.as_ref()?;
        Some(Row {
            id: cell.id,
            move_code: self.name.code,
            label: self.name.san.clone(),
            uci: self.name.uci.clone(),
            view: cell.view,
            belief: cell.belief.clone(),
        })
    }
}

/// What to read of a row; anything more would cost time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Want {
    pub names: bool,
    pub beliefs: Columns,
    pub differences: KindSet,
}

/// The columns of which beliefs are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Columns {
    None,
    One(usize),
    All,
}

impl Want {
    pub const ALL: Want = Want {
        names: true,
        beliefs: Columns::All,
        differences: KindSet::ALL,
    };
    /// Only the figures.
    pub const FIGURES: Want = Want {
        names: false,
        beliefs: Columns::None,
        differences: KindSet::NONE,
    };
}

/// A merged node: the position, and the node in each column's tree.
#[derive(Debug)]
pub(super) struct MergedNode {
    pub position: Subject,
    pub nodes: Vec<Option<NodeId>>,
}

impl<'a> Merged<'a> {
    /// Merges trees that were all grown from `subject`; `None` is a column with nothing to read.
    pub fn new(subject: &'a Subject, readers: Vec<Option<Reader<'a>>>) -> Self {
        Merged {
            subject,
            readers,
            leaf_width: OnceLock::new(),
            thresholds: Thresholds::default(),
        }
    }

    /// Returns how wide the game's own belief about a leaf is, if values are judged by that.
    pub(super) fn leaf_width(&self) -> Option<&LeafWidth> {
        let position = &self.subject.position;
        let width = self.leaf_width.get_or_init(|| LeafWidth::of(position));
        width.as_ref()
    }

    /// Returns the number of columns, including those without a tree.
    pub fn columns(&self) -> usize {
        self.readers.len()
    }

    pub fn reader(&self, column: usize) -> Option<&Reader<'a>> {
        self.readers.get(column)?.as_ref()
    }

    /// Returns the scale of all columns; where they differ, that of the position.
    pub fn scale(&self) -> Scale {
        let mut scales = self.readers.iter().flatten().map(|reader| reader.scale());
        let first = scales.next();
        let common = first.filter(|first| scales.all(|scale| scale == *first));
        common.unwrap_or_else(|| self.subject.position.scale())
    }

    /// Returns all legal moves at a merged node, in the game's order ([`super::sort`] sorts them). Empty if the game
    /// has ended or a move of the path is illegal.
    pub fn rows(&self, path: &[MoveCode]) -> Vec<MergedRow> {
        let Some(merged_node) = self.merged_node(path) else {
            return Vec::new();
        };
        let mut rows = self.read(&merged_node);
        self.complete(&merged_node, &mut rows, Want::ALL);
        rows
    }

    /// Returns the row of the last move of a path, or `None` for the root and if a move is illegal.
    pub fn row(&self, path: &[MoveCode]) -> Option<MergedRow> {
        let (code, before) = path.split_last()?;
        self.some_rows(before, &[*code]).pop()
    }

    /// Returns some of the rows at a merged node.
    pub(super) fn some_rows(&self, path: &[MoveCode], codes: &[MoveCode]) -> Vec<MergedRow> {
        let Some(merged_node) = self.merged_node(path) else {
            return Vec::new();
        };
        let mut rows = self.read(&merged_node);
        let wanted = |row: &MergedRow| codes.contains(&row.name.code);
        self.complete_some(&merged_node, &mut rows, Want::ALL, wanted);
        rows.retain(wanted);
        rows
    }

    /// Returns a column's node at a path, if its tree has one.
    pub fn node(&self, column: usize, path: &[MoveCode]) -> Option<NodeId> {
        let tree = self.reader(column)?.tree;
        path.iter()
            .try_fold(Tree::ROOT, |at, &code| tree.child_by_move(at, code))
    }

    /// Whether any column has nodes below a path.
    pub fn has_children(&self, path: &[MoveCode]) -> bool {
        (0..self.columns()).any(|column| {
            let (reader, node) = (self.reader(column), self.node(column, path));
            let node = reader.zip(node).map(|(r, id)| r.tree.node(id));
            node.is_some_and(|n| n.child_count() > 0)
        })
    }

    /// Returns the position at a path with the game that led there, or `None` if a move is illegal.
    pub fn situation(&self, path: &[MoveCode]) -> Option<Subject> {
        self.merged_node(path)
            .map(|merged_node| merged_node.position)
    }

    /// Returns a line from the root in the usual notation (`1.e4 e5 2.Qh5`), as far as its moves are legal; empty for
    /// the root.
    pub fn line(&self, path: &[MoveCode]) -> String {
        self.subject.line_of(path)
    }

    /// Returns the name of a move at a path, or the bare code if the move is illegal.
    pub fn label(&self, path: &[MoveCode], code: MoveCode) -> String {
        match self
            .merged_node(path)
            .and_then(|merged_node| merged_node.name(code))
        {
            Some(name) => name.san,
            None => format!("{code:?}"),
        }
    }

    /// Returns a path followed by a column's best line from there, or just the path if the column does not have it.
    pub fn best_line(&self, column: usize, path: &[MoveCode]) -> Path {
        let mut line = path.to_vec();
        if let (Some(reader), Some(node)) = (self.reader(column), self.node(column, path)) {
            line.extend(reader.best_moves(node));
        }
        line
    }

    /// Returns the share of a column's work at its root that went through a path, in [0, 1]. An external engine reports
    /// only its principal variations, so these get all of it.
    pub fn importance(&self, column: usize, path: &[MoveCode]) -> f32 {
        let (Some(reader), Some(node)) = (self.reader(column), self.node(column, path)) else {
            return 0.0;
        };
        share_of_root(reader, node)
    }

    /// Returns the position and the nodes at a path, or `None` if a move is illegal.
    pub(super) fn merged_node(&self, path: &[MoveCode]) -> Option<MergedNode> {
        let roots = self.readers.iter().map(|r| r.map(|_| Tree::ROOT));
        let mut merged_node = MergedNode {
            position: self.subject.clone(),
            nodes: roots.collect(),
        };
        for &code in path {
            self.go(&mut merged_node, code)?;
        }
        Some(merged_node)
    }

    fn go(&self, merged_node: &mut MergedNode, code: MoveCode) -> Option<()> {
        for (reader, node) in self.readers.iter().zip(&mut merged_node.nodes) {
            *node = reader
                .zip(*node)
                .and_then(|(r, at)| r.tree.child_by_move(at, code));
        }
        // Moves recorded in a tree are legal.
        let known = merged_node.nodes.iter().any(Option::is_some);
        let at = &mut merged_node.position;
        let legal = known || code == MoveCode::PASS || at.position.decode(code).is_some();
        (legal && at.follow(code)).then_some(())
    }

    /// Returns the rows at a merged node without names, beliefs and differences.
    pub(super) fn read(&self, merged_node: &MergedNode) -> Vec<MergedRow> {
        let mut rows = merged_node.empty_rows(self.columns());
        for (column, (reader, node)) in self.readers.iter().zip(&merged_node.nodes).enumerate() {
            let Some((reader, node)) = reader.as_ref().zip(*node) else {
                continue;
            };
            for cell in column_cells(reader, node, &merged_node.position) {
                let code = cell.view.move_code;
                if let Some(row) = rows.iter_mut().find(|row| row.name.code == code) {
                    row.cells[column] = Some(cell);
                }
            }
        }
        for row in &mut rows {
            row.disagreement = find::widest(&row.cells).map_or(0.0, |w| w.by);
        }
        rows
    }

    /// Adds what is wanted to all rows of a merged node.
    pub(super) fn complete(&self, merged_node: &MergedNode, rows: &mut [MergedRow], want: Want) {
        self.complete_some(merged_node, rows, want, |_| true);
    }

    /// Adds what is wanted to some rows of a merged node, of which all must be given.
    fn complete_some(
        &self,
        merged_node: &MergedNode,
        rows: &mut [MergedRow],
        want: Want,
        wanted: impl Fn(&MergedRow) -> bool,
    ) {
        let here = (want.differences != KindSet::NONE).then(|| Here::new(self, merged_node, rows));
        for row in rows.iter_mut().filter(|row| wanted(row)) {
            if want.names {
                row.name = merged_node.name(row.name.code).unwrap_or_default();
            }
            if let Some(here) = &here {
                row.differences = here.differences(row, want.differences);
            }
            for (column, cell) in row.cells.iter_mut().enumerate() {
                let wanted = want.beliefs == Columns::All || want.beliefs == Columns::One(column);
                if let Some((reader, cell)) = self.reader(column).zip(cell.as_mut())
                    && wanted
                {
                    cell.belief = belief(reader, cell);
                }
            }
        }
    }

    /// Whether at least two columns have nodes below the row's move, each with this share of its root's work.
    pub(super) fn is_common(&self, row: &MergedRow, share: f32) -> bool {
        let grown = self
            .row_cells(row)
            .filter(|(_, cell)| cell.view.children > 0);
        let shares = grown.filter_map(|(r, cell)| Some(share_of_root(r, cell.id.node()?)));
        shares.filter(|s| *s >= share).count() >= 2
    }

    /// Returns the share of the root's work that at least two columns spent on a row: the second largest.
    pub(super) fn row_importance(&self, row: &MergedRow) -> f32 {
        let nodes = self.row_cells(row);
        let shares = nodes.filter_map(|(r, cell)| Some(share_of_root(r, cell.id.node()?)));
        second_largest(shares)
    }

    fn row_cells<'r>(
        &'r self,
        row: &'r MergedRow,
    ) -> impl Iterator<Item = (&'r Reader<'a>, &'r MergedCell)> {
        let columns = self.readers.iter().zip(&row.cells);
        columns.filter_map(|(reader, cell)| reader.as_ref().zip(cell.as_ref()))
    }

    /// Whether any column has nodes below the row's move.
    pub(super) fn row_has_children(&self, row: &MergedRow) -> bool {
        let cells = row.cells.iter().flatten();
        cells.into_iter().any(|cell| cell.view.children > 0)
    }
}

impl<'a> Merged<'a> {
    /// Merges the trees of several columns.
    pub fn of_faces(subject: &'a Subject, faces: &[Option<Face<'a>>]) -> Self {
        let readers = faces.iter().map(|face| face.map(Face::reader)).collect();
        Merged::new(subject, readers)
    }
}

impl Comparison {
    /// Reads the columns' trees as one; `lent` as in [`Comparison::faces`].
    pub fn merged<'a>(&'a self, lent: Option<&'a Session>) -> Merged<'a> {
        Merged::of_faces(self.subject(), &self.faces(lent))
    }
}

impl MergedNode {
    /// Returns one row for each legal move, without cells and names.
    fn empty_rows(&self, columns: usize) -> Vec<MergedRow> {
        let codes = self.position.position.legal_moves();
        let row = |code| MergedRow {
            name: MoveName {
                code,
                ..MoveName::default()
            },
            cells: vec![None; columns],
            differences: Vec::new(),
            disagreement: 0.0,
        };
        codes.into_iter().map(row).collect()
    }

    /// Returns the name of a move here, if it can be played.
    pub(super) fn name(&self, code: MoveCode) -> Option<MoveName> {
        name_of(&self.position.position, code)
    }
}

/// Returns what one column knows about all moves at a node, in its own order.
fn column_cells(reader: &Reader, node: NodeId, at: &Subject) -> Vec<MergedCell> {
    let rows = reader.bare_rows_best_first(node, at);
    let total: u64 = rows.iter().map(|row| reader.work(&row.view)).sum();
    let best = held_best(reader, node);
    let cell = |(i, BareRow { id, view }): (usize, BareRow)| {
        let known = view.expected.is_some();
        MergedCell {
            id,
            verdict: NodeValue::of(&view, reader.scale()),
            rank: known.then_some(i + 1),
            is_best: best == Some(view.move_code),
            share: (total > 0).then(|| reader.work(&view) as f32 / total as f32),
            belief: None,
            view,
        }
    };
    rows.into_iter().enumerate().map(cell).collect()
}

/// Returns a cell's belief from the view of the side that plays the move.
fn belief(reader: &Reader, cell: &MergedCell) -> Option<NodeBelief> {
    reader.belief(cell.id.node()?).turned()
}

fn share_of_root(reader: &Reader, node: NodeId) -> f32 {
    let visited = reader.tree.node(node).visits() > 0;
    if let GrownBy::External = reader.searcher {
        return f32::from(u8::from(visited));
    }
    let work = |id| reader.work(&reader.tree.view(id));
    match work(Tree::ROOT) {
        0 => 0.0,
        // The counts of a live tree may have been read at two different moments.
        all => (work(node) as f32 / all as f32).min(1.0),
    }
}

/// Returns the move that a column considers best at a node. It is `None` also if all moves failed low, because the
/// recorded one then means nothing.
pub(super) fn held_best(reader: &Reader, node: NodeId) -> Option<MoveCode> {
    let failed_low = reader
        .view(node)
        .window
        .is_some_and(|w| w.bound == Bound::Upper);
    (!failed_low).then(|| reader.best_move(node)).flatten()
}

/// Returns the second largest share, or 0 if there are fewer than two.
fn second_largest(shares: impl Iterator<Item = f32>) -> f32 {
    let (_, second) = shares.fold((0.0f32, 0.0f32), |(first, second), share| {
        (first.max(share), second.max(first.min(share)))
    });
    second
}
