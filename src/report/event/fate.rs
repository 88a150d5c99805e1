//! A fate with its numbers, as JSON.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::figures::Figures;
use crate::json::bound_name;
use crate::why::ending_words;
use tree::{NodeView, Number, Value};

/// A fate by its name in [`tree::FATES`], with the numbers that decided it under the names of that table.
///
/// Scores and margins are in the integer unit, from the view of the side to move at the event's node; probabilities are
/// in [0, 1], and a bin of beliefs is the expected score at its lower edge. A move is `null` if there is none.
#[derive(Debug)]
pub struct FateJson {
    name: &'static str,
    numbers: Vec<(&'static str, NumberJson)>,
}

#[derive(Serialize, Debug)]
#[serde(untagged)]
enum NumberJson {
    Whole(i32),
    Real(f32),
    Flag(bool),
    Word(&'static str),
    Move(String),
    Null,
}

impl FateJson {
    /// Creates the object; `view` contains the fate and says where it was given.
    pub(super) fn new(figures: Figures, view: &NodeView) -> FateJson {
        let fate = view.fate;
        let mut numbers = Vec::new();
        for number in fate.numbers() {
            push(&mut numbers, number, figures, view);
        }
        let null = fate.info().null;
        numbers.extend(null.map(|name| (name, NumberJson::Null)));
        FateJson {
            name: fate.name(),
            numbers,
        }
    }
}

impl Serialize for FateJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1 + self.numbers.len()))?;
        map.serialize_entry("name", self.name)?;
        for (name, value) in &self.numbers {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

fn push(
    numbers: &mut Vec<(&'static str, NumberJson)>,
    Number { name, value }: Number,
    figures: Figures,
    view: &NodeView,
) {
    use NumberJson::{Flag, Move, Null, Real, Whole, Word};
    let value = match value {
        Value::Score(score) => Whole(score.raw().into()),
        Value::Margin(margin) => Whole(margin.into()),
        Value::Plies(n) | Value::Count(n) => Whole(n.into()),
        Value::Probability(of_65535) => Real(f32::from(of_65535) / 65535.0),
        Value::Bin(bin) => Real(figures.reader.tree.grid().edges()[usize::from(bin)]),
        Value::Move(code) => figures.name(view.id, code).map_or(Null, Move),
        Value::Flag(yes) => Flag(yes),
        Value::Bound(bound) => bound_name(bound).map_or(Null, Word),
        Value::Ending(ending) => Word(ending_words(ending)),
        // The result in words, the distance to zeroing in plies (negative for the losing side), and the plies on the
        // fifty-move clock.
        Value::Table(hit) => {
            numbers.extend([
                ("result", Word(hit.result.words())),
                ("dtz", hit.dtz.map_or(Null, |dtz| Whole(dtz.into()))),
                ("clock", Whole(hit.clock.into())),
            ]);
            return;
        }
    };
    numbers.push((name, value));
}
