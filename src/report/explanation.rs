//! An algorithm's explanation of a node, as plain text.

use super::number;
use game::{Scale, Score};
use search::explanation::{Part, Phrase, Unit};
use session::Reader;
use tree::NodeId;

/// Returns a phrase about a node, with its numbers as reports write them.
pub fn text(reader: &Reader, node: NodeId, phrase: &Phrase) -> String {
    let scale = reader.scale();
    text_with(reader, node, phrase, |value, unit| {
        number_of(scale, value, unit)
    })
}

/// Returns a phrase about a node, with its numbers as `write` writes them.
pub fn text_with(
    reader: &Reader,
    node: NodeId,
    phrase: &Phrase,
    write: impl Fn(f64, Unit) -> String,
) -> String {
    let part = |part: &Part| match part {
        Part::Words(words) => words.to_string(),
        Part::Number(value, unit) => write(*value, *unit),
        Part::Move(child) => reader.label(node, reader.tree.node(*child).move_code()),
    };
    phrase.iter().map(part).collect()
}

pub(super) fn number_of(scale: Scale, value: f64, unit: Unit) -> String {
    // Without a range there is no expected score.
    if let (Scale::Linear(axis), Unit::Expected | Unit::Spread) = (scale, unit)
        && scale.is_boundless()
    {
        return number::units(scale, value as f32 * axis.range());
    }
    match unit {
        Unit::Expected => number::expected(value as f32),
        Unit::Spread => format!("{value:.2}"),
        Unit::Score => number::score(scale, Score::new(value as i32)),
        Unit::Share => number::percent(value as f32),
        Unit::Count => number::count(value as u64),
        _ => number::of_unit(scale, value, unit),
    }
}
