//! PUCT: which child the next descents go to.

use super::Settings;
use crate::game::{MoveCode, Score};
use crate::search::best_first::proofs;
use crate::tree::{Node, NodeId, Tree};

/// A chosen child, and what else one look at the children showed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub id: NodeId,
    /// The child that would be played.
    pub favourite: MoveCode,
    /// Children visited so far.
    pub searched: usize,
}

/// The child with the highest Q + c P sqrt(N) / (1 + n), among those whose bounds still matter: `relevance` is the
/// lower bound at which a child can be left alone. `None` where no child matters any more.
///
/// Children stand best prior first, and an unvisited child's score grows with its prior alone: the first one
/// stands for all the others, so the scan ends there.
#[inline]
pub(super) fn select(
    tree: &Tree,
    node: &Node,
    relevance: Score,
    settings: &Settings,
) -> Option<Choice> {
    let children = tree.children_block(node);
    let exploration = settings.exploration * (node.visits() as f32).sqrt();
    let mut best: Option<usize> = None;
    let mut best_score = f32::NEG_INFINITY;
    let mut most_visits = 0;
    let mut favourite = MoveCode::NONE;
    let mut visited_prior = 0.0;
    let mut searched = 0;
    for (i, child) in children.iter().enumerate() {
        let visits = child.visits();
        let proof = child.proof();
        let matters = proof.lower < relevance;
        if visits == 0 {
            if !matters {
                continue;
            }
            let q = node.expected() - settings.fpu * f32::sqrt(visited_prior);
            if q + exploration * child.policy() > best_score {
                best = Some(i);
            }
            break;
        }
        searched += 1;
        if visits > most_visits && !proof.is_win() {
            most_visits = visits;
            favourite = child.move_code();
        }
        let prior = child.policy();
        visited_prior += prior;
        if !matters {
            continue;
        }
        let score = -child.expected() + exploration * prior / (1 + visits) as f32;
        if score > best_score {
            best_score = score;
            best = Some(i);
        }
    }
    // As soon as something is proven below, the most visited child need not be the one to play.
    let proof = node.proof();
    if !(proof.lower.is_loss() && proof.upper.is_win()) || most_visits == 0 {
        let chosen = proofs::choose(children, |c| c.visits() as f32, |c| -c.expected());
        favourite = proofs::move_of(chosen);
    }
    best.map(|i| Choice {
        id: NodeId(node.first_child().0 + i as u32),
        favourite,
        searched,
    })
}
