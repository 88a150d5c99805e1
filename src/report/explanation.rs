//! An algorithm's explanation of a node, as plain text.

use super::lens::Scores;
use super::number;
use game::Score;
use search::explanation::{Part, Phrase, Unit};
use session::Reader;
use tree::NodeId;

/// How the numbers of an explanation are written.
pub trait Write {
    /// Writes a number. `mean` is the expected score that it follows, if it is a spread.
    fn number(&self, value: f64, unit: Unit, mean: Option<f32>) -> String;
}

/// Scores that are given as they are shown are written as everywhere else.
impl Write for Scores {
    fn number(&self, value: f64, unit: Unit, mean: Option<f32>) -> String {
        match (unit, mean) {
            (Unit::Expected, _) => self.mean(value as f32),
            // Between all values that a game can have, a spread means something by itself.
            (Unit::Spread, None) if !self.scale.is_boundless() => format!("{value:.2}"),
            (Unit::Spread, mean) => {
                let spread = self.spread(mean.unwrap_or_default(), value as f32);
                spread.unwrap_or_else(|| format!("{value:.2}"))
            }
            (Unit::Score, _) => self.score(Score::new(value as i32)),
            (Unit::Share, _) => number::percent(value as f32),
            (Unit::Count, _) => number::count(value as u64),
            _ => number::of_unit(self.scale, value, unit),
        }
    }
}

/// Writes phrases that belong together, as the cells of a row.
pub struct Telling<'a, W> {
    write: &'a W,
    /// The expected score written last.
    mean: Option<f32>,
}

impl<'a, W: Write> Telling<'a, W> {
    pub fn new(write: &'a W) -> Telling<'a, W> {
        Telling { write, mean: None }
    }

    /// Returns a phrase with the moves in it by these names.
    pub fn text(&mut self, phrase: &Phrase, name: impl Fn(NodeId) -> String) -> String {
        let mut text = String::new();
        for part in phrase {
            match part {
                Part::Words(words) => text.push_str(words),
                Part::Number(value, unit) => {
                    text.push_str(&self.write.number(*value, *unit, self.mean));
                    if *unit == Unit::Expected {
                        self.mean = Some(*value as f32);
                    }
                }
                Part::Move(child) => text.push_str(&name(*child)),
            }
        }
        text
    }
}

/// Returns a phrase about a node.
pub fn text(reader: &Reader, node: NodeId, phrase: &Phrase, write: &impl Write) -> String {
    Telling::new(write).text(phrase, |child| child_name(reader, node, child))
}

/// Returns the name of the move at a node that led to a child of it.
pub fn child_name(reader: &Reader, node: NodeId, child: NodeId) -> String {
    reader.label(node, reader.tree.node(child).move_code())
}
