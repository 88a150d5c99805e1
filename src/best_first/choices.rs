//! Brings a best-first tree in line with moves that the user took out or let back in between two runs.

use std::collections::BTreeSet;

use super::proofs::{self, Change};
use super::reuse::open_again;
use super::search_thread::{NOT_MATED, SearchThread, clamp, expanded};
use eval::Evaluator;
use game::{Game, MoveCode};
use search::{Choices, Probe, choices};
use tree::{Fate, Node, NodeId, Tree};

/// Takes out, or lets back in, the children whose moves changed. `toggled` is told of each, and whether it is out now.
/// Returns the nodes whose values rest on them, each after those below it.
pub(super) fn apply(
    tree: &Tree,
    made: &Choices,
    changed: &BTreeSet<NodeId>,
    mut toggled: impl FnMut(NodeId, bool),
) -> Vec<NodeId> {
    for &id in changed {
        for child in choices::toggled(tree, made, id) {
            let out = !tree.node(child).is_excluded();
            choices::toggle(tree, child);
            toggled(child, out);
        }
    }
    upwards(tree, changed)
}

/// The nodes with children on the way from the root to those that changed, each after all nodes below it.
pub(super) fn upwards(tree: &Tree, changed: &BTreeSet<NodeId>) -> Vec<NodeId> {
    let mut nodes: Vec<(usize, NodeId)> = changed
        .iter()
        .flat_map(|&id| tree.path(id).into_iter().enumerate())
        .filter(|&(_, id)| !tree.node(id).first_child().is_none())
        .collect();
    nodes.sort_unstable_by(|a, b| b.cmp(a));
    nodes.dedup();
    nodes.into_iter().map(|(_, id)| id).collect()
}

/// MCTS: subtracts what was searched through a child from its ancestors' visits and sums, or adds it again. Ancestors
/// above another move that is out never counted it. Where proven bounds had changed a value on its way up, the sum is
/// only approximately right.
pub(super) fn carry(tree: &Tree, child: NodeId, out: bool) {
    let (visits, mut total) = brought(tree.node(child));
    let mut id = tree.node(child).parent();
    while !id.is_none() {
        let above = tree.node(id);
        total = -total;
        let (made, sum) = if out {
            let left = above.visits().saturating_sub(visits);
            (left, above.total() - total)
        } else {
            (above.visits() + visits, above.total() + total)
        };
        let most = f64::from(made);
        above.set_visits(made);
        above.set_total(sum.clamp(-most, most));
        id = if above.is_excluded() {
            NodeId::NONE
        } else {
            above.parent()
        };
    }
}

/// MCTS: opens a node that counted as a draw; its ancestors forget its visits.
pub(super) fn take_back(tree: &Tree, id: NodeId) {
    carry(tree, id, true);
    open_again(tree.node(id));
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

/// MCTS: recomputes the new root's sum from its children's, without the changes that its own bounds had made to their
/// values.
pub(super) fn renew_sums(tree: &Tree, root: &Node) {
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

/// MCTS: the visits that reached a child through its parent, and the sum of their values from the child's view.
pub(super) fn brought(node: &Node) -> (u32, f64) {
    if matches!(node.fate(), Fate::Ended(_)) && node.visits() > 0 {
        // The visit with which its parent's look-ahead created the child.
        let own = f64::from(node.expected());
        (node.visits() - 1, node.total() - own)
    } else {
        (node.visits(), node.total())
    }
}

/// Recomputes a node's bounds and fate from the children that are not out, whatever was proven before. `favour` is the
/// algorithm's measure of a child, from its parent's view.
pub fn reopen(tree: &Tree, node: &Node, favour: impl Fn(&Node) -> f32) {
    node.set_proof(NOT_MATED);
    node.clear_path_dependent();
    if let Change::Exact(_, fate) = proofs::propagate(tree, node) {
        node.set_fate(fate);
    } else {
        name_best(tree, node, favour);
    }
}

/// Gives a node whose value is not proven the fate that names its best child and how many children were searched.
pub(super) fn name_best(tree: &Tree, node: &Node, favour: impl Fn(&Node) -> f32) {
    let children = tree.children_block(node);
    let best = proofs::choose(children, node.is_narrowed(), favour, |c| -c.expected());
    let counts = |c: &&Node| c.visits() > 0 && !c.is_excluded();
    let searched = children.iter().filter(counts).count();
    node.set_fate(expanded(proofs::move_of(best), searched, children.len()));
}

/// MCTS: the measure of a child.
pub(super) fn by_visits(child: &Node) -> f32 {
    child.visits() as f32
}

/// MCTS: sets the expected score to the mean of what was backed up, within the proven bounds.
pub(super) fn renew_mean(tree: &Tree, node: &Node) {
    let mean = (node.total() / f64::from(node.visits().max(1))) as f32;
    node.set_expected(clamp(tree.scale(), mean, node.proof()));
}

impl<'a, G: Game, E: Evaluator<G>, P: Probe> SearchThread<'a, G, E, P> {
    /// The moves in `self.moves`, of a node about to be expanded, that are out, sorted; none if all of them would be
    /// out.
    #[inline]
    pub fn taken_out(&self, id: NodeId, ply: usize) -> &'a [MoveCode] {
        if self.tree.node(id).is_narrowed() {
            self.choices_at(id, ply)
        } else {
            &[]
        }
    }

    #[cold]
    fn choices_at(&self, id: NodeId, ply: usize) -> &'a [MoveCode] {
        let out = self.job.choices.excluded(id);
        let position = self.line.position(ply);
        let is_out = |m: &G::Move| out.binary_search(&position.encode(*m)).is_ok();
        if self.moves.iter().all(is_out) {
            &[]
        } else {
            out
        }
    }
}
