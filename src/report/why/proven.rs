//! What is proven about a node beyond its own bounds: by which children, and what is still open.

use super::proven_in_full;
use crate::lens::Scores;
use session::Reader;
use tree::{NodeId, NodeView};

/// The maximum number of moves that are named one by one.
const NAMED: usize = 6;

/// For a lost node, describes how soon each move loses, those that hold out longest first. Empty if the tree does not
/// contain them.
pub(super) fn losing(reader: Reader, id: NodeId, scores: &Scores) -> String {
    let Some(claim) = reader.claim(id) else {
        return String::new();
    };
    let shown = reader.proving(id, claim);
    let named = shown.iter().take(NAMED).filter_map(|(child, _)| {
        let view = reader.view(*child);
        let moves = scores.seen(view.proof.one_ply_up().upper).mate_moves()?;
        let name = reader.label(id, view.move_code);
        Some(format!("{name} {}", moves.abs()))
    });
    let named: Vec<String> = named.collect();
    if named.is_empty() {
        return String::new();
    }
    let rest = match shown.len().saturating_sub(NAMED) {
        0 => String::new(),
        n => format!(", {n} more"),
    };
    format!(" (moves to mate: {}{rest})", named.join(", "))
}

/// For a node that is still being searched although its result is certain, describes what is certain.
pub(super) fn so_far(view: &NodeView, scores: &Scores) -> String {
    if view.proof.is_certain() && !view.proof.is_exact() {
        format!("Proven {}. ", proven_in_full(view.proof, scores))
    } else {
        String::new()
    }
}
