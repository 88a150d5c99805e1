//! What is proven of a node, beyond its own bounds: by which children, and what is still open.

use super::proven_in_full;
use crate::engine::Reader;
use crate::game::Scale;
use crate::tree::{NodeId, NodeView};

/// So many moves are named one by one.
const NAMED: usize = 6;

/// Of a lost node each move and how soon it loses, those first that hold out longest; empty where the tree does not
/// hold them.
pub(super) fn losing(reader: Reader, id: NodeId) -> String {
    let Some(claim) = reader.claim(id) else {
        return String::new();
    };
    let shown = reader.proving(id, claim);
    let named = shown.iter().take(NAMED).filter_map(|(child, _)| {
        let view = reader.view(*child);
        let moves = view.proof.one_ply_up().upper.mate_moves()?;
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

/// Of a node that goes on being searched though its result is certain: what is.
pub(super) fn so_far(view: &NodeView, scale: Scale) -> String {
    if view.proof.is_certain() && !view.proof.is_exact() {
        format!("Proven {}. ", proven_in_full(view.proof, scale))
    } else {
        String::new()
    }
}
