//! The rows below a node: every legal move, including those that were never visited.

use super::line::ranking;
use super::node_belief::NodeBelief;
use super::rank::Rank;
use super::reader::{GrownBy, Reader, unrecorded_view};
use crate::Subject;
use game::Sided as _;
use game::{Game, MoveCode};
use search::AnyPosition;
use tree::{Fate, NodeId, NodeView};

/// What a row stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RowId {
    /// A recorded node.
    Node(NodeId),
    /// A legal move without a node: skipped by a rule that follows from its parent's figures, cut off with its
    /// siblings, not recorded, or not visited yet.
    Withheld { parent: NodeId, move_code: MoveCode },
}

impl RowId {
    /// The row's node, if it has one.
    pub fn node(self) -> Option<NodeId> {
        match self {
            RowId::Node(id) => Some(id),
            RowId::Withheld { .. } => None,
        }
    }
}

/// A legal move at a node.
#[derive(Clone, Debug)]
pub struct Row {
    pub id: RowId,
    pub move_code: MoveCode,
    /// SAN, or the toy child's name.
    pub label: String,
    /// UCI, or the toy child's name.
    pub uci: String,
    /// Figures from the view of the side that plays the move ; the fate keeps its own view.
    pub view: NodeView,
    /// From the view of the side that plays the move.
    pub belief: Option<NodeBelief>,
}

/// A legal move at a node without its name and belief, and therefore quick to read.
#[derive(Clone, Copy, Debug)]
pub struct BareRow {
    pub id: RowId,
    /// From the view of the side that plays the move ; the fate keeps its own view.
    pub view: NodeView,
}

/// A legal move at a node, as it stands among the others.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    /// From the view of the side that plays the move.
    pub view: NodeView,
    pub is_best: bool,
    /// The part of the work at the node, in [0, 1]: of visits (best-first) or of nodes (depth-first). `None` before there
    /// is any.
    pub share: Option<f32>,
}

impl Reader<'_> {
    /// Returns all legal moves at a node in the algorithm's order of preference, as [`Reader::rows_best_first`] but without
    /// names and beliefs, which take most of the time.
    pub fn standings(&self, parent: NodeId) -> Vec<Standing> {
        match self.situation(parent) {
            Some(at) => self.standing(parent, self.bare_rows_best_first(parent, &at)),
            // After an illegal move only what was recorded is known.
            None => self.recorded_standings(parent),
        }
    }

    /// Returns the recorded moves at a node as [`Reader::standings`] does. The position at the node is not needed, which makes
    /// this faster by far.
    pub fn recorded_standings(&self, parent: NodeId) -> Vec<Standing> {
        let row = |id: NodeId| BareRow {
            id: RowId::Node(id),
            view: self.view(id).one_ply_up(),
        };
        let mut rows: Vec<BareRow> = self.tree.children(parent).map(row).collect();
        self.sort_best_first(parent, &mut rows, |row| &row.view);
        self.standing(parent, rows)
    }

    /// Returns how rows stand among each other, in their order.
    fn standing(&self, parent: NodeId, rows: Vec<BareRow>) -> Vec<Standing> {
        let total: u64 = rows.iter().map(|row| self.work(&row.view)).sum();
        let best = self.best_move(parent);
        let standing = |BareRow { view, .. }: BareRow| Standing {
            is_best: best == Some(view.move_code),
            share: (total > 0).then(|| self.work(&view) as f32 / total as f32),
            view,
        };
        rows.into_iter().map(standing).collect()
    }

    /// Returns the work spent on a node: visits (best-first) or nodes (depth-first).
    pub fn work(&self, view: &NodeView) -> u64 {
        if self.is_best_first() {
            u64::from(view.visits)
        } else {
            self.nodes_below(view)
        }
    }

    /// Returns all legal moves at a node as rows, and the null move if the search tried it: first the recorded children
    /// in the order in which they were recorded, then the other moves in the game's order. Empty if the game has ended
    /// or `parent` is not in this tree.
    pub fn rows(&self, parent: NodeId) -> Vec<Row> {
        if !self.tree.contains(parent) {
            return Vec::new();
        }
        let at = self.situation(parent);
        self.rows_of(parent, at.as_ref().map(|at| &at.position))
    }

    /// Returns the rows of [`Reader::rows`] in the algorithm's order of preference: the move it would play, proven wins
    /// (shorter first), searched moves, unsearched moves, proven losses (longer first). Searched moves are ordered by
    /// visits if the algorithm chooses by them (MCTS), otherwise by value, and those of which only a bound is known come
    /// after those with a value.
    pub fn rows_best_first(&self, parent: NodeId) -> Vec<Row> {
        let mut rows = self.rows(parent);
        self.sort_best_first(parent, &mut rows, |row| &row.view);
        rows
    }

    /// Like [`Reader::rows_best_first`], for callers that already have the position at `parent` and need neither names
    /// nor beliefs.
    pub fn bare_rows_best_first(&self, parent: NodeId, at: &Subject) -> Vec<BareRow> {
        let mut rows = self.bare_rows(parent, at);
        self.sort_best_first(parent, &mut rows, |row| &row.view);
        rows
    }

    /// Returns the fates of all rows of a node, including those without a node, but without names and beliefs.
    pub fn fates(&self, parent: NodeId) -> Vec<(MoveCode, Fate)> {
        let fate = |row: &BareRow| (row.view.move_code, row.view.fate);
        match self.situation(parent) {
            Some(at) => self.bare_rows(parent, &at).iter().map(fate).collect(),
            None => Vec::new(),
        }
    }

    fn bare_rows(&self, parent: NodeId, at: &Subject) -> Vec<BareRow> {
        self.bare_rows_of(parent, Some(&at.position))
    }

    fn sort_best_first<T>(&self, parent: NodeId, rows: &mut [T], view: fn(&T) -> &NodeView) {
        let best = self.best_move(parent);
        let ranking = ranking(self.searcher.algorithm());
        let key = |row: &T| Rank::of(view(row), best, ranking);
        rows.sort_by(|a, b| {
            key(b)
                .partial_cmp(&key(a))
                .unwrap_or(std::cmp::Ordering::Equal)
        });
    }

    fn rows_of(&self, parent: NodeId, position: Option<&AnyPosition>) -> Vec<Row> {
        let rows = self.bare_rows_of(parent, position).into_iter();
        rows.map(|BareRow { id, view }| {
            let code = view.move_code;
            let name = self.name_at(position, code).unwrap_or_default();
            let belief = id.node().and_then(|id| self.belief(id));
            Row {
                id,
                move_code: code,
                label: name.san,
                uci: name.uci,
                view,
                belief: match view.same_side {
                    true => belief,
                    false => belief.turned(),
                },
            }
        })
        .collect()
    }

    /// Returns the rows: those recorded, and the other legal moves. `None`: the position is not known, as after an illegal move.
    fn bare_rows_of(&self, parent: NodeId, position: Option<&AnyPosition>) -> Vec<BareRow> {
        let mut open: Vec<MoveCode> = match position {
            Some(position) => position.legal_moves().into_iter().collect(),
            None => Vec::new(),
        };
        let mut rows = Vec::with_capacity(open.len());
        let is_told = self.is_told();
        for id in self.tree.children(parent) {
            let code = self.tree.node(id).move_code();
            match open.iter().position(|c| *c == code) {
                Some(at) => {
                    open.remove(at);
                }
                None if code == MoveCode::PASS || is_told => {}
                None => continue,
            }
            let view = self.view(id).one_ply_up();
            let id = RowId::Node(id);
            rows.push(BareRow { id, view });
        }
        let parent_view = self.view(parent);
        let fate = self.withheld_fate(parent, &rows);
        if is_told && fate != Fate::Unvisited {
            // A program may name the moves that it does not search.
            for row in &mut rows {
                if row.view.fate == Fate::Unvisited && row.view.visits == 0 {
                    row.view.fate = fate;
                }
            }
        }
        for move_code in open {
            let implied = position.and_then(|at| self.implied_skip(&parent_view, at, move_code));
            let id = RowId::Withheld { parent, move_code };
            let view = unrecorded_view(parent, move_code, implied.unwrap_or(fate));
            rows.push(BareRow { id, view });
        }
        rows
    }

    /// Returns the skip that the search did not record because it follows from the parent's figures.
    fn implied_skip<G: Game>(&self, parent: &NodeView, position: &G, m: G::Move) -> Option<Fate> {
        match self.searcher {
            GrownBy::Own(algorithm, options) => {
                algorithm.implied_skip(parent, position, m, options)
            }
            GrownBy::External => None,
        }
    }

    /// Returns why the other moves without a node have none. If the search looked at more moves than it recorded, it is
    /// unknown which of the others those were, so the answer is only that they were not recorded.
    fn withheld_fate(&self, parent: NodeId, recorded: &[BareRow]) -> Fate {
        if let Some(later) = self.tree.later(parent) {
            return later;
        }
        let fate = self.tree.fate(parent);
        let looked_at = recorded
            .iter()
            .filter(|row| row.view.visits > 0 && !row.view.fate.is_skip())
            .filter(|row| row.view.move_code.is_move())
            .count();
        let missing = |searched: u8| usize::from(searched) > looked_at && self.may_lack(parent);
        match fate {
            Fate::BetaCutoff { searched, .. }
            | Fate::ProbabilisticCutoff { searched, .. }
            | Fate::Expanded { searched, .. }
                if missing(searched) =>
            {
                Fate::Unrecorded
            }
            Fate::BetaCutoff {
                by, value, beta, ..
            } => Fate::SiblingCutoff { by, value, beta },
            Fate::ProbabilisticCutoff {
                probability,
                confidence,
                ..
            } => Fate::SiblingProbabilisticCutoff {
                probability,
                confidence,
            },
            _ => Fate::Unvisited,
        }
    }

    /// Whether children of this node may have been visited without being recorded.
    fn may_lack(&self, parent: NodeId) -> bool {
        self.tree.is_full() || self.tree.ply(parent) >= self.tree.record_plies()
    }
}

#[cfg(test)]
mod tests;
