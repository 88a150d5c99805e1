//! Certainty propagation: exact bounds from the children, and the best move by them.
//!
//! Source: seed 4 (certainty propagation); bounds and distances as in algorithms.md, E.

use crate::game::{MoveCode, Score};
use crate::tree::{Fate, Node, NodeId, Proof, Tree};

/// What recomputing a node's bounds came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    None,
    Tighter(Proof),
    /// The bounds have met: the fate to give.
    Exact(Proof, Fate),
}

/// Recomputes a node's bounds from its children: lower = max of what they guarantee, upper = max of what they allow.
pub(super) fn propagate(tree: &Tree, node: &Node) -> Change {
    let children = tree.children_block(node);
    let Some(first) = children.first() else {
        return Change::None;
    };
    // `one_ply_up` reverses the order, so the maxima come from the children's minima.
    let mut by = first;
    let mut least = first.proof();
    let mut conditional = false;
    for child in children {
        let proof = child.proof();
        conditional |= child.is_path_dependent();
        if proof.upper < least.upper {
            by = child;
        }
        least.upper = least.upper.min(proof.upper);
        least.lower = least.lower.min(proof.lower);
    }
    let from_children = least.one_ply_up();
    let before = node.proof();
    if !node.tighten(from_children) {
        return Change::None;
    }
    let proof = node.proof();
    let lower_by_condition = proof.lower > before.lower && by.is_path_dependent();
    let upper_by_condition = proof.upper < before.upper && conditional;
    if lower_by_condition || upper_by_condition {
        node.set_path_dependent();
    }
    if proof.is_exact() {
        let fate = Fate::Proven {
            by: by.move_code(),
            children: children.len().min(255) as u8,
        };
        Change::Exact(proof, fate)
    } else {
        Change::Tighter(proof)
    }
}

/// Below this proven lower bound a child can still change its parent's bounds within the window: its parent's lower
/// bound and the window's `alpha` are what it would have to beat. Children at or above it can be left alone.
#[inline]
pub(super) fn relevance(node: &Node, alpha: Score) -> Score {
    node.proof().lower.max(alpha).one_ply_down()
}

/// The child to play by what is known: a proven win, the shorter the better; else the `most` favoured one by the
/// algorithm's own measure, unless a child of certain result is worth more; proven losses last, the longest first.
///
/// `favour` is the algorithm's measure (visits, mean logit), `worth` the expected score of the parent's side.
pub(super) fn choose(
    children: &[Node],
    favour: impl Fn(&Node) -> f32,
    worth: impl Fn(&Node) -> f32,
) -> Option<(usize, &Node)> {
    let numbered = || children.iter().enumerate();
    let win = numbered()
        .filter(|(_, c)| c.proof().is_loss())
        .min_by_key(|(_, c)| c.proof().upper);
    if win.is_some() {
        return win;
    }
    let mut best: Option<(usize, &Node)> = None;
    let mut certain: Option<(usize, &Node)> = None;
    for (i, child) in numbered() {
        let proof = child.proof();
        if proof.is_win() || child.visits() == 0 {
            continue;
        }
        if best.is_none_or(|(_, b)| favour(child) > favour(b)) {
            best = Some((i, child));
        }
        if proof.is_exact() && certain.is_none_or(|(_, c)| worth(child) > worth(c)) {
            certain = Some((i, child));
        }
    }
    match (best, certain) {
        (Some(b), Some(c)) if worth(c.1) > worth(b.1) => Some(c),
        (Some(b), _) => Some(b),
        // Every child that was looked at loses: the one that holds out longest, else one nobody looked at.
        (None, _) => numbered()
            .find(|(_, c)| c.visits() == 0 && !c.proof().is_win())
            .or_else(|| numbered().min_by_key(|(_, c)| c.proof().lower)),
    }
}

/// The child a best-first search would play at this node, by its fate; `None` before the node has been expanded.
#[must_use]
pub fn best_child(tree: &Tree, id: NodeId) -> Option<NodeId> {
    let best = tree.node(id).fate().best()?;
    tree.child_by_move(id, best)
}

/// The move of a chosen child, for fates.
pub(super) fn move_of(chosen: Option<(usize, &Node)>) -> MoveCode {
    chosen.map_or(MoveCode::NONE, |(_, node)| node.move_code())
}
