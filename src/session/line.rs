//! Best lines: the child from which each algorithm's value comes, followed down.

use super::MoveName;
use super::reader::{Reader, view};
use algorithms::Algorithm;
use game::MoveCode;
use game::Sided as _;
use search::Ranking;
use tree::{Fate, NodeId, Tree};

/// The maximum length of a line. A depth-first search reaches about 60 plies, a descent about 200.
pub const LONGEST: usize = 256;

/// Returns the figure by which whoever grew a tree prefers one move to another; an external engine (`None`) reports only
/// values.
pub fn ranking(grown_by: Option<Algorithm>) -> Ranking {
    grown_by.map_or(Ranking::Value, |algorithm| algorithm.info().ranking)
}

/// See [`Reader::best_move`]; `grown_by` is `None` for an external engine's tree.
pub fn best_move(grown_by: Option<Algorithm>, tree: &Tree, at: NodeId) -> Option<MoveCode> {
    let fate = tree.node(at).fate();
    let named = match grown_by {
        Some(algorithm) => algorithm.best_move(tree, at),
        None => fate.best(),
    };
    if named.is_some() {
        return named;
    }
    if matches!(fate, Fate::Ended(_) | Fate::Repetition { .. }) {
        return None;
    }
    let ranking = ranking(grown_by);
    let best = tree
        .children(at)
        // Passing is not a move: it was only tried.
        .filter(|&id| tree.node(id).move_code() != MoveCode::PASS)
        .filter_map(|id| Some((rank(tree, id, ranking)?, id)))
        .reduce(|best, next| if next.0 > best.0 { next } else { best })?;
    Some(tree.node(best.1).move_code())
}

/// Returns how good a searched child is for the side that moves to it, as a sort key: by proof, then by the
/// algorithm's figure.
fn rank(tree: &Tree, child: NodeId, ranking: Ranking) -> Option<(i16, f32)> {
    let view = view(tree, child);
    let expected = view.expected.filter(|_| !view.fate.is_skip())?;
    let proof = view.proof.one_ply_up();
    let proven = if proof.is_win() {
        proof.lower.raw()
    } else if proof.is_loss() {
        proof.upper.raw()
    } else {
        0
    };
    let figure = match ranking {
        Ranking::Visits => view.visits as f32,
        Ranking::Value => expected.turned(),
    };
    Some((proven, figure))
}

impl Reader<'_> {
    /// Returns the best move at a node by its algorithm's rule ([`Algorithm::best_move`]). If the algorithm names none,
    /// the best of the searched children: a proven win, otherwise the first by the algorithm's [`Ranking`]. `None` if
    /// nothing was searched.
    pub fn best_move(&self, at: NodeId) -> Option<MoveCode> {
        best_move(self.searcher.algorithm(), self.tree, at)
    }

    /// Returns the moves of the best line from a node on.
    pub fn best_moves(&self, from: NodeId) -> Vec<MoveCode> {
        let mut moves = Vec::new();
        let mut at = from;
        while moves.len() < LONGEST {
            let Some(best) = self.best_move(at) else {
                break;
            };
            moves.push(best);
            let Some(child) = self.tree.child_by_move(at, best) else {
                break;
            };
            at = child;
        }
        moves
    }

    /// Returns the recorded nodes of the best line below a node, without the node itself.
    pub fn best_line(&self, from: NodeId) -> Vec<NodeId> {
        let mut line = Vec::new();
        let mut at = from;
        while line.len() < LONGEST {
            let next = self
                .best_move(at)
                .and_then(|best| self.tree.child_by_move(at, best));
            let Some(child) = next else {
                break;
            };
            line.push(child);
            at = child;
        }
        line
    }

    /// Returns the names of the moves of the best line from a node on.
    pub fn best_names(&self, from: NodeId) -> Vec<MoveName> {
        self.names(from, &self.best_moves(from))
    }

    /// Returns the node reached from `from` by moves written as SAN, UCI or toy names, as far as it is recorded.
    ///
    /// # Errors
    /// Describes the first move that is illegal or not in the tree.
    pub fn follow(&self, from: NodeId, text: &str) -> Result<NodeId, String> {
        let mut at = from;
        for (i, word) in text.split_whitespace().enumerate() {
            let rows = self.rows(at);
            let bare = |s: &str| s.trim_end_matches(['+', '#', '!', '?']).to_string();
            let row = rows
                .iter()
                .find(|r| bare(&r.label) == bare(word) || r.uci == word)
                .ok_or_else(|| format!("move {} {word:?} is not legal there", i + 1))?;
            at = row.id.node().ok_or_else(|| {
                let why = row.view.fate.name();
                format!("move {} {word:?} has no node in the tree ({why})", i + 1)
            })?;
        }
        Ok(at)
    }
}
