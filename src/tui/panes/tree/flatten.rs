//! Flattens the open nodes into rows.

use std::collections::HashMap;
use std::time::Instant;

use super::filter::Implied;
use super::folds::{self, Folds};
use super::order::Orders;
use super::proof::ProofRows;
use super::{Filter, Row, RowKey, Sort};
use game::MoveCode;
use session::{Reader, Standing};
use tree::{NodeId, Tree};

/// The legal moves at an open node with their names, built once when it is opened.
#[derive(Clone, Debug, Default)]
pub struct Names {
    moves: Vec<(MoveCode, String)>,
}

impl Names {
    pub fn of(reader: Reader, node: NodeId) -> Names {
        Names {
            moves: reader
                .rows(node)
                .into_iter()
                .map(|row| (row.move_code, text::sanitise(&row.label)))
                .collect(),
        }
    }

    /// Adds the moves that the tree has grown since, where not all were known when the node was opened.
    pub fn keep_up(&mut self, reader: Reader, node: NodeId) {
        let mut children = reader.tree.children(node);
        let is_new = |child| self.get(reader.tree.node(child).move_code()).is_none();
        if children.any(is_new) {
            *self = Names::of(reader, node);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Returns the moves that can be played, in the order in which they were found; passing is not among them.
    pub fn codes(&self) -> impl Iterator<Item = MoveCode> + '_ {
        let codes = self.moves.iter().map(|(code, _)| *code);
        codes.filter(|&code| code.is_move())
    }

    pub fn get(&self, code: MoveCode) -> Option<&str> {
        self.moves
            .iter()
            .find(|(c, _)| *c == code)
            .map(|(_, name)| name.as_str())
    }
}

/// The rows, and how many of them the filter hides.
#[derive(Debug, Default)]
pub struct Flat {
    pub rows: Vec<Row>,
    pub hidden: usize,
}

/// How the moves that can be told together are shown: as rows of their own, unless all are to be seen.
#[derive(Debug)]
pub(super) struct Folding<'a> {
    pub folds: &'a mut Folds,
    pub whole: bool,
    /// The selected row. If it was not shown before, the user asked for it.
    pub selected: (RowKey, bool),
}

/// Returns everything below the root that is open, in the order shown, which is kept from jumping while the search is
/// `live`; with a `proof`, only what belongs to it. The
/// cost grows with the number of rows, not with the tree.
pub(super) fn flatten(
    reader: Reader,
    open: &HashMap<NodeId, Names>,
    (sort, live): (Sort, bool),
    filter: &Filter,
    mut proof: Option<ProofRows>,
    (orders, folding): (&mut Orders, Folding),
) -> Flat {
    let now = Instant::now();
    let root = Row {
        parent: NodeId::NONE,
        node: Tree::ROOT,
        code: MoveCode::NONE,
        depth: 0,
        last: true,
    };
    let mut rows = Vec::new();
    // Rows still to come, the next one last.
    let mut waiting = vec![root];
    let mut siblings = Vec::new();
    let mut hidden = 0;
    let Folding {
        folds,
        whole,
        selected: (selected, was_shown),
    } = folding;
    folds.begin();
    while let Some(row) = waiting.pop() {
        rows.push(row);
        if let Some(names) = open.get(&row.node) {
            // What the search makes of the moves is read once, for their order and for what is folded.
            let folds_any = !whole && folds::may_fold(names);
            // Moves without a node need the position.
            let all_recorded =
                || usize::from(reader.tree.node(row.node).child_count()) >= names.len();
            let standings = match folds_any || sort.is_ranking(reader) {
                true if all_recorded() => reader.recorded_standings(row.node),
                true => reader.standings(row.node),
                false => Vec::new(),
            };
            collect(reader, row, names, sort, &mut siblings);
            if sort.is_ranking(reader) {
                rank(&standings, &mut siblings);
            }
            orders.arrange(row.node, &mut siblings, (sort, live), now);
            if let Some(proof) = &mut proof {
                hidden += proof.keep(reader, row.node, &mut siblings);
            }
            if folds_any {
                let stays =
                    |row: &Row| open.contains_key(&row.node) || was_shown && row.key() == selected;
                let asked = (!was_shown).then_some(selected);
                let how = (sort, orders.frozen);
                folds.fold(reader, &standings, &mut siblings, how, stays, asked);
            }
            waiting.extend(siblings.drain(..).rev().map(|(_, r)| r));
        }
    }
    let all = rows.len();
    if !matches!(filter, Filter::All | Filter::Proof) {
        rows = kept(reader, &rows, open, filter);
    }
    mark_last(&mut rows);
    Flat {
        hidden: hidden + all - rows.len(),
        rows,
    }
}

/// Collects all legal moves at an open node, sorted: recorded ones first, as in [`Reader::rows`], but without their
/// figures.
fn collect(reader: Reader, parent: Row, names: &Names, sort: Sort, into: &mut Vec<(f64, Row)>) {
    into.clear();
    let row = |node, code| Row {
        parent: parent.node,
        node,
        code,
        depth: parent.depth + 1,
        last: false,
    };
    let leader = sort.leader(reader, parent.node);
    for node in reader.tree.children(parent.node) {
        let code = reader.tree.node(node).move_code();
        if names.get(code).is_some() {
            into.push((sort.weight_of(reader, leader, node), row(node, code)));
        }
    }
    let recorded = into.len();
    if recorded < names.len() {
        for (code, _) in &names.moves {
            if !into[..recorded].iter().any(|(_, r)| r.code == *code) {
                into.push((f64::NEG_INFINITY, row(NodeId::NONE, *code)));
            }
        }
    }
    match sort {
        Sort::Order => {}
        Sort::Name => into.sort_by(|a, b| names.get(a.1.code).cmp(&names.get(b.1.code))),
        _ => into.sort_by(|a, b| b.0.total_cmp(&a.0)),
    }
}

/// Sorts rows as the search ranks their moves; a place is the weight.
fn rank(standings: &[Standing], rows: &mut [(f64, Row)]) {
    let places: HashMap<MoveCode, usize> = standings
        .iter()
        .enumerate()
        .map(|(place, s)| (s.view.move_code, place))
        .collect();
    for (weight, row) in rows.iter_mut() {
        let place = places.get(&row.code).copied().unwrap_or(usize::MAX);
        *weight = -(place as f64);
    }
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
}

/// Returns the rows that match, with their ancestors, and always the root.
fn kept(reader: Reader, rows: &[Row], open: &HashMap<NodeId, Names>, filter: &Filter) -> Vec<Row> {
    let mut kept = Vec::new();
    let mut implied = Implied::new();
    // Going backwards, the next row of this depth is an ancestor of what was kept last.
    let mut ancestor = 0;
    for (i, row) in rows.iter().enumerate().rev() {
        let name = || {
            let name = open.get(&row.parent).and_then(|n| n.get(row.code));
            name.unwrap_or_default().to_owned()
        };
        let needed = ancestor > 0 && row.depth + 1 == ancestor;
        if i == 0 || needed || filter.fits(reader, row, name, &mut implied) {
            kept.push(*row);
            ancestor = row.depth;
        }
    }
    kept.reverse();
    kept
}

fn mark_last(rows: &mut [Row]) {
    // Per depth: whether a later sibling was met since the last shallower row.
    let mut met: Vec<bool> = Vec::new();
    for row in rows.iter_mut().rev() {
        let depth = usize::from(row.depth);
        met.truncate(depth + 1);
        met.resize(depth + 1, false);
        row.last = !met[depth];
        met[depth] = true;
    }
}
