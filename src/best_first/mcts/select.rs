//! PUCT: chooses the child to which the next descents go.

use super::lead::{Lead, Open};
use super::scoring::Scoring;
use crate::proofs;
use game::{MoveCode, Score};
use tree::{Node, NodeId, Proof};

/// A chosen child, and what else the scan of the children showed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice<'t> {
    pub id: NodeId,
    pub node: &'t Node,
    /// The child that would be played and the number of children visited so far, where they were computed.
    pub favourite: Option<(MoveCode, usize)>,
    /// What is known about the other children, where that can be used at the next visit.
    pub lead: Option<Lead>,
}

/// The child with the highest Q + c P / (1 + n), where c grows with the node's visits ([`Scoring`]), among those whose bounds still matter: `relevance` is the
/// lower bound at which a child can be left alone. `None` where no child matters any more.
///
/// Children are sorted by prior, best first, and the score of an unvisited child grows only with its prior. The first
/// unvisited one therefore represents all the others, and the scan ends there (unless visited ones follow). The loop
/// has no branches except its end, because the processor cannot predict which child wins. With `FAVOURITE` it also
/// finds the child that would be played. With `NARROWED`, children may have been taken out; they are skipped.
#[inline]
pub(super) fn select<'t, const FAVOURITE: bool, const NARROWED: bool, S: Scoring>(
    children: &'t [Node],
    node: &Node,
    relevance: Score,
    fpu: f32,
    scoring: &S,
) -> Option<Choice<'t>> {
    const NONE: usize = usize::MAX;
    let exploration = scoring.exploration(node);
    let mut best = NONE;
    let mut best_score = f32::NEG_INFINITY;
    let mut most_visits = 0;
    let mut most_visited = NONE;
    let mut visited_prior = 0.0;
    let mut searched = 0;
    let mut second = f32::NEG_INFINITY;
    let mut most_added = 0.0;
    let mut open = None;
    let mut opens = 0;
    for (i, child) in children.iter().enumerate() {
        if NARROWED && child.is_excluded() {
            continue;
        }
        let visits = child.visits();
        let proof = child.proof();
        let matters = matters(proof, relevance);
        let prior = child.policy();
        if visits == 0 {
            if !matters {
                continue;
            }
            let less = fpu * f32::sqrt(visited_prior);
            let score = scoring.own(node) - less + exploration * prior;
            open = Some(Open { prior, less });
            opens += 1;
            if score > best_score {
                best = i;
                best_score = score;
            }
            // A draw by repetition that was taken back is unvisited among visited children.
            let next = children.get(i + 1);
            if next.is_none_or(|next| next.visits() == 0) {
                break;
            }
            continue;
        }
        searched += 1;
        visited_prior += prior;
        if FAVOURITE {
            // A child that is a win for the other side is no favourite, however often it was visited.
            let counted = if proof.is_win() {
                0
            } else {
                scoring.count(child, visits)
            };
            most_visited = if counted > most_visits {
                i
            } else {
                most_visited
            };
            most_visits = most_visits.max(counted);
        }
        let added = exploration * prior / scoring.share_out(child, visits);
        let score = added + scoring.worth(child);
        let score = if matters { score } else { f32::NEG_INFINITY };
        if S::STEADY {
            // Not `f32::max`, which takes six instructions for what may not be a number.
            most_added = if added > most_added {
                added
            } else {
                most_added
            };
            let lesser = if score > best_score {
                best_score
            } else {
                score
            };
            second = if lesser > second { lesser } else { second };
        }
        let better = score > best_score;
        best = if better { i } else { best };
        best_score = if better { score } else { best_score };
    }
    let chosen = children.get(best)?;
    let steady = S::STEADY && !NARROWED && opens <= 1 && chosen.visits() > 0;
    let lead = steady.then_some(Lead {
        best: best as u32,
        second,
        most_added,
        exploration,
        open,
        relevance,
    });
    Some(Choice {
        lead,
        id: NodeId(node.first_child().0 + best as u32),
        node: chosen,
        favourite: FAVOURITE.then(|| (to_play(children, node, most_visited), searched)),
    })
}

/// Whether a visit to a child with these bounds can still change anything. What an endgame table says about a child is all
/// that will ever be known about it.
#[inline(always)]
pub(super) fn matters(proof: Proof, relevance: Score) -> bool {
    proof.lower < relevance && proof.upper != Score::SOME_LOSS
}

/// The move that would be played at a node, and the number of children visited so far.
pub(super) fn favourite(children: &[Node], node: &Node) -> (MoveCode, usize) {
    let narrowed = node.is_narrowed();
    let (mut most_visits, mut most_visited, mut searched) = (0, usize::MAX, 0);
    for (i, child) in children.iter().enumerate() {
        let visits = child.visits();
        if visits == 0 || narrowed && child.is_excluded() {
            continue;
        }
        searched += 1;
        // A child that is a win for the other side is no favourite, however often it was visited.
        if visits > most_visits && !child.proof().is_win() {
            (most_visits, most_visited) = (visits, i);
        }
    }
    (to_play(children, node, most_visited), searched)
}

/// The same, given the index of the most visited child.
fn to_play(children: &[Node], node: &Node, most_visited: usize) -> MoveCode {
    let proof = node.proof();
    let unproven = proof.lower.is_loss() && proof.upper.is_win();
    match children.get(most_visited) {
        Some(child) if unproven => child.move_code(),
        // Once something is proven below, the most visited child need not be the one to play.
        _ => proofs::move_of(proofs::choose(
            children,
            node.is_narrowed(),
            |c| c.visits() as f32,
            |c| -c.expected(),
        )),
    }
}
