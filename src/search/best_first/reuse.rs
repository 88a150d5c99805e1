//! Tree reuse when the game moves on: MCTS continues with what is below the new position.
//!
//! Source: Videodr0me, *Porting certainty propagation to new codebase* (lc0, GitHub issue, 2018) (tree reuse, the root
//! made uncertain, two-folds that leave the tree taken back).

use std::fmt;

use super::choices::{brought, by_visits, carry, name_best, renew_mean};
use super::proofs::{self, Change};
use super::search_thread::{NOT_MATED, first_bounds};
use crate::eval::Evaluator;
use crate::game::text::thousands;
use crate::game::{Game, MoveCode};
use crate::search::Job;
use crate::search::endgame::root_in_tables;
use crate::tree::{Fate, Node, NodeId, Tree};

/// What was kept when the game moved on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reuse {
    /// Moves made.
    pub moves: usize,
    /// The node that became the root.
    pub place: NodeId,
    /// The visits of the old root and of the new one.
    pub visits_before: u32,
    pub visits: u32,
    /// Two-fold draws taken back, because their first occurrence is now in the game's past.
    pub taken_back: usize,
}

impl fmt::Display for Reuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "tree kept: {} of {} visits",
            thousands(self.visits.into()),
            thousands(self.visits_before.into())
        )?;
        match self.taken_back {
            0 => Ok(()),
            1 => f.write_str(", 1 two-fold draw taken back"),
            n => write!(f, ", {} two-fold draws taken back", thousands(n as u64)),
        }
    }
}

/// Makes the node to which `moves` lead the root of the job's tree; the job's situation is the one after these moves.
/// Its subtree stays as it is, with its visits, priors and proofs, so the cost does not depend on its size.
///
/// A position that occurred again within the tree counted as a draw. Where its first occurrence is now in the game's
/// past, it counts as in a search that starts here: as a position like any other. Its draws are removed from its
/// ancestors' visits and means, and it is open again. The draw itself was never a bound. What the bounds of the first
/// occurrence said about it ([`super::mcts`], hunts) is forgotten there, while the bounds of its ancestors stay,
/// because they hold on this way. Third occurrences and the fifty moves stay proven: the way to them is the one that
/// the game took.
///
/// A root is never certain by itself: its bounds and its sums are recomputed from its children.
///
/// Call this between two runs only. Returns `None`, and changes nothing, where the search knows nothing about the moves
/// after that position (it was never expanded, or the game is over there), where the position is in the endgame tables,
/// which choose its moves before a search starts, and where the algorithm does not reuse its tree.
pub fn move_on<G: Game, E: Evaluator<G>>(job: &Job<G, E>, moves: &[MoveCode]) -> Option<Reuse> {
    if !job.algorithm.can_reuse_tree() || moves.is_empty() || root_in_tables(job).is_some() {
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
    for &id in &two_folds {
        take_back(tree, id);
    }
    let root = tree.node(Tree::ROOT);
    renew_sums(tree, root);
    root.clear_path_dependent();
    root.set_proof(first_bounds(&job.situation.position));
    let certainty = job.options.switch("certainty");
    match certainty.then(|| proofs::propagate(tree, root)) {
        Some(Change::Exact(_, fate)) => root.set_fate(fate),
        _ => name_best(tree, root, by_visits),
    }
    renew_mean(tree, root);
    Some(Reuse {
        moves: moves.len(),
        place,
        visits_before,
        visits: root.visits(),
        taken_back: two_folds.len(),
    })
}

/// Opens a node that counted as a draw, as if it had never been visited.
fn take_back(tree: &Tree, id: NodeId) {
    carry(tree, id, true);
    let node = tree.node(id);
    node.set_visits(0);
    node.set_total(0.0);
    node.set_expected(0.0);
    // It is not mated, since it occurred before. What its pieces imply will be found again.
    node.set_proof(NOT_MATED);
    node.clear_path_dependent();
    node.set_urgency(0.0);
    node.set_fate(Fate::Unvisited);
    for ancestor in tree.path(id).into_iter().rev().skip(1) {
        let ancestor = tree.node(ancestor);
        renew_mean(tree, ancestor);
        // Proof numbers counted it as no way to a mate.
        ancestor.set_urgency(0.0);
        if ancestor.is_expanded() {
            name_best(tree, ancestor, by_visits);
        }
    }
}

/// Recomputes the new root's sum from its children's, without the changes that its own bounds had made to their values.
fn renew_sums(tree: &Tree, root: &Node) {
    let children = tree.children_block(root).iter();
    let (visits, total) = children
        .filter(|child| !child.is_excluded())
        .map(brought)
        .fold((0, 0.0), |sum, child| (sum.0 + child.0, sum.1 - child.1));
    // The root was evaluated a few times itself before it was expanded.
    let own = f64::from(root.visits().saturating_sub(visits));
    let rest = (root.total() - total).clamp(-own, own);
    root.set_total(total + rest);
}
