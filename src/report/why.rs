//! Explains nodes: one sentence with the numbers, for every fate.

mod declared;
mod external;
mod fates;
mod iterations;
mod leaders;
pub(super) mod proven;
mod pruned;
pub(super) mod sentence;
mod tables;
#[cfg(test)]
mod tests;
mod visit;

use super::lens::{Lens, Scores};
pub(crate) use declared::{value_words, words};
use game::{Ending, Game as _, Scale, Score};
use sentence::Teller;
pub use sentence::plural;
use session::{Reader, Row};
use tree::{Audit, DepthChange, Fate, NodeId, NodeView, Proof, Tree};
pub use visit::{brief_visit, why_visited};

/// Explains a row in one sentence (with a second one if the figures are from an earlier iteration). Scores are from the
/// view of the side to move at the node; for a move that was not searched, from the view of the side that could have
/// played it.
pub fn why(reader: &Reader, row: &Row) -> String {
    Lens::OWN.why(reader, row)
}

/// Explains a recorded node; see [`why`]. The root has a reason too.
pub fn why_node(reader: &Reader, id: NodeId) -> String {
    Lens::OWN.why_node(reader, id)
}

impl Lens {
    /// Explains a row like [`why`], with scores as seen through the lens.
    pub fn why(self, reader: &Reader, row: &Row) -> String {
        match row.id.node() {
            Some(id) => self.why_node(reader, id),
            None => Teller::new(self, reader, row.view).tell(),
        }
    }

    /// Explains a node like [`why_node`], with scores as seen through the lens.
    pub fn why_node(self, reader: &Reader, id: NodeId) -> String {
        Teller::new(self, reader, reader.view(id)).tell()
    }
}

/// Explains a fate in one sentence that uses nothing but the fate itself, for an event that reported it. `view` is the
/// node's own; one without an id is a move that was not searched. Scores are as in [`why`].
pub(super) fn why_fate(lens: Lens, reader: &Reader, view: NodeView) -> String {
    Teller::new(lens, reader, view).tell_fate()
}

/// Returns the reason in a few characters for a list, with scores as `scores` writes them, given by the side that plays the
/// move, and with the name of the move that the fate mentions ([`move_in_fate`]): `futile: at best −1.68`, `Nf6 refutes: ≤
/// −0.42`. Only the fate, the proof and the id of `view` are read, the proof from the mover's view.
pub fn brief_with(view: &NodeView, scores: &Scores, by: Option<&str>) -> String {
    let fate = fates::brief_fate(view, scores, by);
    match view.audit() {
        Some(Audit {
            value,
            failed: true,
        }) => {
            // For a skipped move the value already is from the mover's view.
            let value = match view.fate.is_skip() {
                true => value,
                false => value.one_ply_up(),
            };
            format!("wrong, {}; {fate}", scores.score(value))
        }
        _ => fate,
    }
}

/// Names what left a move or a node out, as an audit judges it.
pub fn left_out_by(fate: Fate) -> &'static str {
    match fate {
        Fate::ProbabilisticCutoff { .. } => "cut",
        _ => "rule",
    }
}

/// Returns the name of the move that [`brief_with`] mentions: the refutation, or the earlier move after which this one was
/// not needed.
pub fn move_in_fate(reader: &Reader, view: &NodeView) -> Option<String> {
    let (at, by) = match view.fate {
        Fate::BetaCutoff { by, .. } => (view.id, by),
        Fate::SiblingCutoff { by, .. } => (view.parent, by),
        _ => return None,
    };
    reader.names(at, &[by]).pop().map(|name| name.san)
}

/// Returns a mark for how the parent changed the depth of a move: `−2` searched two plies less deeply, `−2+` the same
/// at first and then at full depth, `+1` more deeply. `None` if the depth was not changed.
pub fn depth_mark(view: &NodeView) -> Option<String> {
    if view.fate.is_skip() {
        return None;
    }
    match view.treatment.depth {
        DepthChange::None => None,
        DepthChange::Reduced { plies, again, .. } => {
            Some(format!("−{plies}{}", if again { "+" } else { "" }))
        }
        DepthChange::Check => Some("+1".into()),
        DepthChange::Singular { plies } => Some(format!("+{plies}")),
    }
}

/// Returns the mark with the depth to which the move was last searched: `d3 −2`.
pub fn depth_words(view: &NodeView) -> Option<String> {
    let depth = view.window.filter(|_| view.visits > 0)?.depth.max(0);
    Some(format!("d{depth} {}", depth_mark(view)?))
}

/// Describes how a move's depth was changed, as a sentence without its beginning.
/// `alpha` is what the bound that it had to beat is called.
pub fn treated(change: DepthChange, alpha: &str) -> String {
    let plies = |n: u8| plural(n, "ply");
    match change {
        DepthChange::None => "searched a ply below its parent.".into(),
        DepthChange::Reduced {
            plies: n,
            number,
            again,
        } => format!(
            "move {number} in the order, searched {} less deeply at first{}.",
            plies(n),
            if again {
                format!("; it beat {alpha} at that depth and was then searched in full")
            } else {
                String::new()
            }
        ),
        DepthChange::Check => "a check, searched a ply deeper.".into(),
        DepthChange::Singular { plies: n } => {
            format!("no other move comes near it: searched {} deeper.", plies(n))
        }
    }
}

/// Adds a margin, which is in the score's unit, to a static value.
fn raised(value: Score, margin: i16) -> Score {
    Score::new(i32::from(value.raw()) + i32::from(margin))
}

/// How the game ended in the root position: as its rules tell it, or else in the words of [`ending_words`].
pub fn ended_at_root(reader: &Reader, ending: Ending) -> String {
    let verdict = reader
        .situation(Tree::ROOT)
        .and_then(|root| root.position.verdict());
    verdict.unwrap_or_else(|| ending_words(ending).to_owned())
}

pub fn ending_words(ending: Ending) -> &'static str {
    match ending {
        Ending::Checkmate => "checkmate",
        Ending::Stalemate => "stalemate",
        Ending::InsufficientMaterial => "too little material",
        Ending::FiftyMoves => "fifty moves",
        Ending::Leaf => "leaf",
        Ending::Lost => "lost",
        Ending::Won => "won",
        Ending::Drawn => "drawn",
    }
}

/// Like [`proven_words`], but if a mate may come sooner, also says how soon: `win in at most 5 (in 3 not excluded)`.
pub fn proven_in_full(proof: Proof, scores: &Scores) -> String {
    let words = proven_words(proof, scores);
    let proof = scores.seen(proof);
    let (latest, soonest) = if proof.is_win() {
        (proof.lower, proof.upper)
    } else {
        (proof.upper, proof.lower)
    };
    match (latest.mate_moves(), soonest.mate_moves()) {
        (Some(_), Some(moves)) if proof.is_certain() && !proof.is_exact() => {
            format!("{words} (in {} not excluded)", moves.abs())
        }
        _ => words,
    }
}

/// Describes what bounds prove in a few words: `win in 3`, `loss in at most 5`, `draw`, `+1.2`.
pub fn proven_words(proof: Proof, scores: &Scores) -> String {
    let proof = scores.seen(proof);
    let score = |score| scores.as_shown().score(score);
    let moves = |score: Score| score.mate_moves().map_or(0, i16::abs);
    if proof.lower == Score::SOME_WIN {
        "a win of unknown length".into()
    } else if proof.upper == Score::SOME_LOSS {
        "a loss of unknown length".into()
    } else if proof.is_win() {
        let most = if proof.is_exact() { "" } else { "at most " };
        format!("win in {most}{}", moves(proof.lower))
    } else if proof.is_loss() {
        let most = if proof.is_exact() { "" } else { "at most " };
        format!("loss in {most}{}", moves(proof.upper))
    } else if proof.is_exact() {
        match scores.scale {
            Scale::Logistic if proof.lower == Score::DRAW => "draw".into(),
            _ => score(proof.lower),
        }
    } else if !proof.upper.is_decided() && !proof.lower.is_decided() {
        format!("between {} and {}", score(proof.lower), score(proof.upper))
    } else if !proof.upper.is_decided() {
        format!("at most {}", score(proof.upper))
    } else if !proof.lower.is_decided() {
        format!("at least {}", score(proof.lower))
    } else {
        "open".into()
    }
}
