//! What a playout brought, in a sentence.

use super::number;
use crate::engine::Reader;
use crate::game::Scale;
use crate::tree::NodeId;

/// The first playout from a leaf of a search with this seed, played again: how it ended, and how its value came about.
/// `None` for what was not valued by a playout.
#[must_use]
pub fn sentence(reader: &Reader, id: NodeId, seed: u64) -> Option<String> {
    let played = reader.playout(id, seed)?;
    let which = match reader.tree.node(id).visits() {
        1 => String::from("The playout from here"),
        n => format!("The first of {n} playouts from here"),
    };
    let plies = match played.plies {
        1 => String::from("1 ply"),
        n => format!("{n} plies"),
    };
    let unit = match reader.scale() {
        Scale::Logistic => " cp",
        Scale::Linear { .. } => "",
    };
    let share = |x: f64| {
        format!("{x:.4}")
            .trim_end_matches('0')
            .trim_end_matches('.')
            .to_owned()
    };
    Some(format!(
        "{which} ended after {plies} by {}: outcome {}, d {}{unit}, P(win | d) {}, w {}, so r = {} and the value {}.",
        played.finish,
        share(played.outcome),
        number::minus(&format!("{:+}", played.difference)),
        share(played.chance),
        share(played.weight),
        share(played.result()),
        number::expected(played.expected() as f32),
    ))
}
