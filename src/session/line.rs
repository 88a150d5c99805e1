//! Best lines: the child from which each algorithm's value comes, followed down.

use super::mate_line::{FOR_A_FRAME, complete};
use super::rank::Rank;
use super::reader::{Reader, view};
use super::{MoveName, Row};
use algorithms::Algorithm;
use game::MoveCode;
use game::Sided as _;
use search::Ranking;
use tree::{Family, Fate, NodeId, Tree};

/// The maximum length of a line. A depth-first search reaches about 60 plies, a descent about 200.
pub const LONGEST: usize = 256;

/// Returns the figure by which whoever grew a tree prefers one move to another; an external engine (`None`) reports only
/// values.
pub fn ranking(grown_by: Option<Algorithm>) -> Ranking {
    grown_by.map_or(Ranking::Value, |algorithm| algorithm.info().ranking)
}

/// See [`Reader::best_move`]; `grown_by` is `None` for an external engine's tree.
pub fn best_move(grown_by: Option<Algorithm>, tree: &Tree, at: NodeId) -> Option<MoveCode> {
    if at == Tree::ROOT
        && let Some(held) = tree.held_best()
    {
        return Some(held);
    }
    let fate = tree.fate(at);
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
        .filter(|&id| tree.node(id).move_code().is_move())
        .filter_map(|id| Some((rank(tree, id, ranking)?, id)))
        .reduce(|best, next| if next.0 > best.0 { next } else { best })?;
    Some(tree.node(best.1).move_code())
}

/// Returns how good a searched child is for the side that moves to it.
fn rank(tree: &Tree, child: NodeId, ranking: Ranking) -> Option<Rank> {
    let view = view(tree, child);
    view.expected.filter(|_| !view.fate.is_skip())?;
    Some(Rank::of(&view.one_ply_up(), None, ranking))
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
        self.line(from).0
    }

    /// Returns the best line from a node on: its moves, and the recorded nodes to which they lead. In a depth-first tree
    /// that of the root and its moves is the one that was best when the last step was finished.
    fn line(&self, from: NodeId) -> (Vec<MoveCode>, Vec<NodeId>) {
        let mut nodes = Vec::new();
        let mut at = from;
        let kept = self.tree.line_at_last_step(from);
        // Another program may name the root's best move after its last step only.
        let is_kept = |moves: &Vec<MoveCode>| {
            self.tree.family() == Family::DepthFirst && (from != Tree::ROOT || !moves.is_empty())
        };
        if let Some(moves) = kept.filter(is_kept) {
            // What is below it now may be newer.
            nodes.extend(moves.iter().map_while(|&best| {
                at = self.tree.child_by_move(at, best)?;
                Some(at)
            }));
            return (moves, nodes);
        }
        let mut moves = Vec::new();
        while moves.len() < LONGEST
            && let Some(best) = self.best_move(at)
        {
            moves.push(best);
            let Some(child) = self.tree.child_by_move(at, best) else {
                break;
            };
            nodes.push(child);
            at = child;
        }
        (moves, nodes)
    }

    /// Returns the best line from a node on, as it is shown: if the result there is proven, up to the mate as far as that is
    /// found quickly.
    pub fn line_shown(&self, from: NodeId) -> Vec<MoveCode> {
        let line = self.best_moves(from);
        let proof = self.tree.node(from).proof();
        let is_mate = proof.is_exact() && proof.lower.is_decided();
        match self.situation(from).filter(|_| is_mate) {
            Some(at) => complete(&at, line, proof.lower, FOR_A_FRAME).moves,
            None => line,
        }
    }

    /// Returns the recorded nodes of the best line below a node, without the node itself.
    pub fn best_line(&self, from: NodeId) -> Vec<NodeId> {
        self.line(from).1
    }

    /// Returns the names of the moves of the best line from a node on.
    pub fn best_names(&self, from: NodeId) -> Vec<MoveName> {
        self.names(from, &self.line_shown(from))
    }

    /// Returns the row of a move at a node, written as SAN, with or without its signs, as UCI, or by its toy name.
    pub fn row_named(&self, at: NodeId, name: &str) -> Option<Row> {
        let bare = |name: &str| name.trim_end_matches(['+', '#', '!', '?']).to_owned();
        let mut rows = self.rows(at).into_iter();
        rows.find(|row| bare(&row.label) == bare(name) || row.uci == name)
    }

    /// Returns the node reached from `from` by moves written as SAN, UCI or toy names, as far as it is recorded.
    ///
    /// # Errors
    /// Describes the first move that is illegal or not in the tree.
    pub fn follow(&self, from: NodeId, text: &str) -> Result<NodeId, String> {
        let mut at = from;
        for (i, word) in text.split_whitespace().enumerate() {
            let row = self
                .row_named(at, word)
                .ok_or_else(|| format!("move {} {word:?} is not legal there", i + 1))?;
            at = row.id.node().ok_or_else(|| {
                let why = row.view.fate.name();
                format!("move {} {word:?} has no node in the tree ({why})", i + 1)
            })?;
        }
        Ok(at)
    }
}
