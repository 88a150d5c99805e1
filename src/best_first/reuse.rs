//! Tree reuse when the game moves on: a search continues with what is below the new position.
//!
//! Source: Videodr0me, *Porting certainty propagation to new codebase* (lc0, GitHub issue, 2018) (tree reuse, the root
//! made uncertain, two-folds that leave the tree taken back).

use super::choices::name_best;
use super::proofs::{self, Change};
use super::search_thread::{NOT_MATED, first_bounds};
use eval::Evaluator;
use game::{Game, MoveCode};
use search::endgame::root_in_tables;
use search::{Job, OptionSpec, Range, Reuse};
use tree::{Fate, Node, NodeId, Tree};

pub(super) const TREE_REUSE: OptionSpec = OptionSpec {
    key: "tree-reuse",
    default: "on",
    range: Range::Switch,
    summary: "when the game moves on along the tree, keep what is below the new position",
};

/// Makes the node to which `moves` lead the root of the job's tree; the job's situation is the one after these moves.
/// Its subtree stays as it is, with its visits, priors and proofs, so the cost does not depend on its size.
///
/// A position that occurred again within the tree counted as a draw. Where its first occurrence is now in the game's
/// past, it counts as in a search that starts here: as a position like any other. Its draws no longer count for its
/// ancestors, and it is open again. The draw itself was never a bound. What the bounds of the first
/// occurrence said about it ([`super::mcts`], proof-number descents) is forgotten there, while the bounds of its ancestors
/// stay, because they hold on this way. Third occurrences and the fifty moves stay proven: the way to them is the one
/// that the game took.
///
/// A root is never certain by itself: its bounds and its value are recomputed from its children.
///
/// Call this between two runs only. Returns `None`, and changes nothing, where the search knows nothing about the moves
/// after that position (it was never expanded, or the game is over there), where the position is in the endgame tables,
/// which choose its moves before a search starts.
///
/// `renew` brings the algorithm's own numbers in line with the new root and with the draws by repetition that hold no
/// longer.
pub(super) fn move_on<G: Game, E: Evaluator<G>>(
    job: &Job<G, E>,
    moves: &[MoveCode],
    renew: impl FnOnce(&[NodeId]),
) -> Option<Reuse> {
    if moves.is_empty() || root_in_tables(job).is_some() {
        return None;
    }
    let tree = job.tree;
    let mut passed = Vec::with_capacity(moves.len());
    for &m in moves {
        let from = passed.last().copied().unwrap_or(Tree::ROOT);
        passed.push(tree.child_by_move(from, m)?);
    }
    let place = *passed.last()?;
    if tree.node(place).first_child().is_none() {
        return None;
    }
    let visits_before = tree.node(Tree::ROOT).visits();
    tree.move_root(place);
    let two_folds = tree.take_two_folds(&passed);
    renew(&two_folds);
    Some(Reuse {
        moves: moves.len(),
        place,
        visits_before,
        visits: tree.node(Tree::ROOT).visits(),
        taken_back: two_folds.len(),
    })
}

/// Opens a node that counted as a draw, as if it had never been visited.
pub(super) fn open_again(node: &Node) {
    node.set_visits(0);
    node.set_total(0.0);
    node.set_expected(0.0);
    node.set_second(0.0);
    // It is not mated, since it occurred before. What its pieces imply will be found again.
    node.set_proof(NOT_MATED);
    node.clear_path_dependent();
    node.set_urgency(0.0);
    node.set_fate(Fate::Unvisited);
}

/// Recomputes what is certain about the new root from its children. `favour` is the algorithm's measure of a child, from
/// its parent's view.
pub(super) fn renew_root<G: Game, E: Evaluator<G>>(
    job: &Job<G, E>,
    propagates: bool,
    favour: impl Fn(&Node) -> f32,
) {
    let root = job.tree.node(Tree::ROOT);
    root.clear_path_dependent();
    root.set_proof(first_bounds(&job.situation.position));
    match propagates.then(|| proofs::propagate(job.tree, root)) {
        Some(Change::Exact(_, fate)) => root.set_fate(fate),
        _ => name_best(job.tree, root, favour),
    }
}
