//! The rows below a node: every legal move, those that were never visited too.

use super::Session;
use super::reader::{Reader, name, seen_by_mover, unrecorded_view};
use super::shown::Shown;
use crate::game::{Game, MoveCode, Subject};
use crate::tree::{Fate, NodeId, NodeView};

/// What a row stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RowId {
    /// A recorded node.
    Node(NodeId),
    /// A legal move without a node: cut off with its siblings, not recorded, or not visited yet.
    Withheld { parent: NodeId, move_code: MoveCode },
}

impl RowId {
    /// The row's node, if it has one.
    #[must_use]
    pub fn node(self) -> Option<NodeId> {
        match self {
            RowId::Node(id) => Some(id),
            RowId::Withheld { .. } => None,
        }
    }
}

/// One legal move at a node.
#[derive(Clone, Debug)]
pub struct Row {
    pub id: RowId,
    pub move_code: MoveCode,
    /// SAN, or the toy child's name.
    pub label: String,
    /// UCI, or the toy child's name.
    pub uci: String,
    /// Figures from the view of the side that plays the move ([`seen_by_mover`]); the fate keeps its own view.
    pub view: NodeView,
    /// From the view of the side that plays the move.
    pub belief: Option<Shown>,
}

impl Session {
    /// All legal moves at a node: see [`Reader::rows`].
    #[must_use]
    pub fn rows(&self, parent: NodeId) -> Vec<Row> {
        self.reader().rows(parent)
    }

    /// The position at a node with the game that led there.
    #[must_use]
    pub fn situation(&self, id: NodeId) -> Option<Subject> {
        self.reader().situation(id)
    }
}

impl Reader<'_> {
    /// All legal moves at a node as rows: the recorded children in the order they were recorded, then the others
    /// in the game's order. Empty where the game has ended or `parent` is not of this tree.
    #[must_use]
    pub fn rows(&self, parent: NodeId) -> Vec<Row> {
        match self.situation(parent) {
            Some(Subject::Chess(s)) => self.rows_of(parent, &s.position),
            Some(Subject::Toy(s)) => self.rows_of(parent, &s.position),
            None => Vec::new(),
        }
    }

    fn rows_of<G: Game>(&self, parent: NodeId, position: &G) -> Vec<Row> {
        let moves = position.legal_moves();
        let mut open: Vec<(MoveCode, G::Move)> =
            moves.iter().map(|&m| (position.encode(m), m)).collect();
        let mut rows = Vec::with_capacity(open.len());
        for id in self.tree.children(parent) {
            let code = self.tree.node(id).move_code();
            let Some(at) = open.iter().position(|(c, _)| *c == code) else {
                continue;
            };
            let (_, m) = open.remove(at);
            let view = self.view(id);
            let belief = Shown::of(self, &view).map(|b| b.negated());
            let name = name(position, m);
            rows.push(Row {
                id: RowId::Node(id),
                move_code: code,
                label: name.san,
                uci: name.uci,
                view: seen_by_mover(&view),
                belief,
            });
        }
        let fate = self.withheld_fate(parent, &rows);
        for (move_code, m) in open {
            let name = name(position, m);
            rows.push(Row {
                id: RowId::Withheld { parent, move_code },
                move_code,
                label: name.san,
                uci: name.uci,
                view: unrecorded_view(parent, move_code, fate),
                belief: None,
            });
        }
        rows
    }

    /// Why the moves without a node have none. Where the search looked at more moves than it recorded, one can't
    /// tell which of the others those were, and so says no more than that they were not recorded.
    fn withheld_fate(&self, parent: NodeId, recorded: &[Row]) -> Fate {
        let fate = self.tree.node(parent).fate();
        let looked_at = recorded
            .iter()
            .filter(|row| row.view.visits > 0 && !row.view.fate.is_skip())
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
        self.tree.len() + 256 >= self.tree.capacity()
            || self.tree.ply(parent) >= self.tree.record_plies()
    }
}

#[cfg(test)]
mod tests;
