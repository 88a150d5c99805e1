//! Nodes of an external engine: what the engine reported, since it does not say why.

use super::sentence::plural;
use crate::event::sentence::to_go;
use crate::lens::Scores;
use game::MoveCode;
use session::{GrownBy, Reader};
use tree::{Bound, Fate, NodeView};

/// Returns the sentence for a node of an external engine's tree; `None` for plyscope's own trees, and where the game
/// ends.
pub(super) fn external(reader: &Reader, view: &NodeView, scores: &Scores) -> Option<String> {
    if !matches!(reader.searcher, GrownBy::External) {
        return None;
    }
    Some(match view.fate {
        Fate::Unvisited if view.parent.is_none() => "The engine has told nothing yet.".into(),
        Fate::Unvisited => "The engine told nothing of this move.".into(),
        Fate::Frontier => format!(
            "The engine's line ends here{}.",
            value(reader, view, scores)
        ),
        Fate::Expanded {
            best,
            searched,
            moves,
            ..
        } => {
            let goes_on = if best == MoveCode::NONE {
                String::new()
            } else {
                format!(
                    " goes on with {}{}; it",
                    reader.label(view.id, best),
                    value(reader, view, scores)
                )
            };
            let moves = plural(moves, "move");
            format!("The engine{goes_on} told of {searched} of {moves} here.")
        }
        _ => return None,
    })
}

/// Formats a value such as `: +0.31, 12 plies to go, a lower bound`.
fn value(reader: &Reader, view: &NodeView, scores: &Scores) -> String {
    let Some(window) = view.window else {
        return String::new();
    };
    let score = scores.score(window.value);
    let depth = match window.depth {
        depth if depth > 0 => to_go(reader.scale(), depth),
        _ => String::new(),
    };
    let bound = match scores.seen(window.bound) {
        Bound::Lower => ", a lower bound",
        Bound::Upper => ", an upper bound",
        Bound::Exact | Bound::None => "",
    };
    format!(": {score}{depth}{bound}")
}
