//! What is proven about a node beyond its own bounds: by which children, and what is still open.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::proven_in_full;
use super::sentence::plural;
use crate::lens::Scores;
use game::MoveCode;
use session::Reader;
use tree::{NodeId, NodeView};

/// The maximum number of moves that are named one by one.
const NAMED: usize = 6;

/// For a lost node, says which move holds out longest, and how soon each move loses, counted as in its row: `Nf6 holds out
/// longest (in 3 moves: Nf6; in 2: a6, h6)`. Only the first if the tree does not contain the moves.
pub(super) fn losing(reader: Reader, id: NodeId, by: MoveCode) -> String {
    let longest = reader.label(id, by);
    let claim = reader.claim(id);
    let shown = claim.map_or_else(Vec::new, |claim| reader.proving(id, claim));
    let mut timed: BTreeMap<Reverse<u16>, Vec<MoveCode>> = BTreeMap::new();
    for (child, _) in &shown {
        let view = reader.view(*child);
        if let Some(moves) = view.proof.one_ply_up().upper.mate_moves() {
            let moves = Reverse(moves.unsigned_abs());
            timed.entry(moves).or_default().push(view.move_code);
        }
    }
    let last = timed.first_key_value();
    let lead = match last.is_some_and(|(_, codes)| codes.len() > 1) {
        true => format!("none later than {longest}"),
        false => format!("{longest} holds out longest"),
    };
    if let Some((Reverse(moves), codes)) = last
        && codes.len() == shown.len()
        && shown.len() > 1
    {
        return format!("{lead} (each in {})", plural(*moves, "move"));
    }
    let mut named = 0;
    let mut groups: Vec<String> = Vec::new();
    for (Reverse(moves), codes) in &mut timed {
        codes.sort_by_key(|code| *code != by);
        let names = codes.iter().take(NAMED - named);
        let names: Vec<String> = names.map(|code| reader.label(id, *code)).collect();
        if names.is_empty() {
            break;
        }
        named += names.len();
        let when = match groups.is_empty() {
            true => plural(*moves, "move"),
            false => moves.to_string(),
        };
        groups.push(format!("in {when}: {}", names.join(", ")));
    }
    if named == 0 {
        return lead;
    }
    let rest = match shown.len() - named {
        0 => String::new(),
        n => format!("; {n} more"),
    };
    format!("{lead} ({}{rest})", groups.join("; "))
}

/// For a node that is still being searched although its result is certain, describes what is certain.
pub(super) fn so_far(view: &NodeView, scores: &Scores) -> String {
    if view.proof.is_certain() && !view.proof.is_exact() {
        format!("Proven {}. ", proven_in_full(view.proof, scores))
    } else {
        String::new()
    }
}
