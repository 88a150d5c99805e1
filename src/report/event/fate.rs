//! A fate with its numbers, as JSON.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::{Map, Value as Json, json};

use super::figures::Figures;
use crate::json::{bound_name, end};
use crate::lens::Lens;
use crate::schema::{BoundName, EndingName, KnownDrawName, TableResultName};
use crate::why::ending_words;
use session::Reader;
use tree::{FATES, Fate, FateField, FateInfo, FateUnit, NodeView, Number, Tree, Value, kind};

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
    Told(f64),
    /// The numbers of a reason that another program declared.
    Declared(BTreeMap<&'static str, NumberJson>),
    Flag(bool),
    Word(&'static str),
    Move(String),
    Null,
}

impl FateJson {
    /// Returns the fate of a node, or of a move without one.
    pub fn of(reader: &Reader, view: &NodeView) -> FateJson {
        FateJson::new(Figures::at(Lens::OWN, reader, Tree::ROOT), view)
    }

    /// Creates the object; `view` contains the fate and says where it was given.
    pub(super) fn new(figures: Figures, view: &NodeView) -> FateJson {
        let fate = view.fate;
        let mut numbers = Vec::new();
        for number in figures.reader.tree.numbers_of(fate) {
            match fate {
                Fate::Expanded { moves: 0, .. } if number.name == MOVES => {
                    numbers.push((MOVES, NumberJson::Null));
                }
                _ => push(&mut numbers, number, figures, view),
            }
        }
        if matches!(fate, Fate::Told { .. }) {
            let declared = numbers.into_iter().collect();
            return FateJson {
                name: fate.name(),
                numbers: vec![(DECLARED, NumberJson::Declared(declared))],
            };
        }
        if let Some(missed) = fate.info().missed {
            let by = fate.missed_by().map_or(NumberJson::Null, NumberJson::Whole);
            numbers.push((missed.name, by));
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
        Value::Score(score) => end(score, figures.scale).map_or(Null, Whole),
        Value::Margin(margin) => Whole(margin.into()),
        Value::Plies(n) | Value::Count(n) => Whole(n.into()),
        Value::Probability(of_65535) => Real(f32::from(of_65535) / 65535.0),
        Value::Bin(bin) => Real(figures.reader.tree.grid().edges()[usize::from(bin)]),
        Value::Move(code) => {
            // A skipped move names one of its siblings.
            let at = if view.fate.is_skip() {
                view.parent
            } else {
                view.id
            };
            figures.name(at, code).map_or(Null, Move)
        }
        Value::Flag(yes) => Flag(yes),
        Value::Number(n) | Value::Wide(n) => NumberJson::Told(n),
        Value::Place(_) | Value::Reason(_) => return,
        Value::Bound(bound) => bound_name(bound).map_or(Null, Word),
        Value::Ending(ending) => Word(ending_words(ending)),
        Value::Known(draw) => Word(draw.words()),
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

impl JsonSchema for FateJson {
    fn schema_name() -> Cow<'static, str> {
        "FateJson".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        one_of(FATES.iter().filter(|fate| fate.is_told()), generator)
    }
}

/// Stands in a schema for a [`FateJson`] that is not an event's: any fate.
#[derive(Debug)]
pub struct AnyFate;

impl JsonSchema for AnyFate {
    fn schema_name() -> Cow<'static, str> {
        "AnyFate".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        one_of(FATES.iter(), generator)
    }
}

/// How many moves a node has, which another program need not tell.
const MOVES: &str = "moves";

/// What tells a reason that another program declared from a fate of the table.
const DECLARED: &str = "declared";

/// Returns the schema of a fate that is one of these.
fn one_of<'a>(
    fates: impl Iterator<Item = &'a FateInfo>,
    generator: &mut SchemaGenerator,
) -> Schema {
    let own = fates.filter(|fate| fate.name != FATES[usize::from(kind::Told)].name);
    let mut variants: Vec<Schema> = own.map(|fate| variant(fate, generator)).collect();
    variants.push(json_schema!({
        "type": "object",
        "description": "A reason that another program declared, with the numbers that it has there.",
        "properties": {
            "name": {"type": "string", "description": "The name that the program gave it."},
            DECLARED: {
                "type": "object",
                "additionalProperties": {"type": ["number", "string", "boolean", "null"]},
                "description": "Its numbers, by the names that the program gave them.",
            },
        },
        "required": ["name", DECLARED],
    }));
    json_schema!({
        "description": "A fate with the numbers that decided it, in the integer unit where nothing else is said.",
        "oneOf": variants,
    })
}

/// Returns the schema of one fate.
fn variant(fate: &FateInfo, generator: &mut SchemaGenerator) -> Schema {
    let mut properties = Map::new();
    let name = json!({"const": fate.name, "description": "The name of the fate."});
    properties.insert("name".into(), name);
    let mut add = |name: &str, about: &str, mut schema: Schema| {
        schema.insert("description".into(), about.into());
        properties.insert(name.into(), schema.into());
    };
    for field in fate.fields {
        match field.unit {
            FateUnit::Table => {
                add(
                    "result",
                    "The result for the side to move.",
                    generator.subschema_for::<TableResultName>(),
                );
                let dtz = "The distance to zeroing in plies, negative for the losing side; null if unknown.";
                add("dtz", dtz, generator.subschema_for::<Option<i16>>());
                add(
                    "clock",
                    "The plies on the fifty-move clock.",
                    generator.subschema_for::<u8>(),
                );
            }
            FateUnit::Count if field.name == MOVES => {
                let known = generator.subschema_for::<Option<u16>>();
                add(field.name, meaning(field), known);
            }
            unit => add(field.name, meaning(field), of_unit(unit, generator)),
        }
    }
    if let Some(missed) = &fate.missed {
        let by = generator.subschema_for::<Option<u32>>();
        add(missed.name, missed.about, by);
    }
    if let Some(name) = fate.null {
        add(
            name,
            "Other fates like it have this.",
            generator.subschema_for::<()>(),
        );
    }
    let required: Vec<Json> = properties.keys().cloned().map(Json::from).collect();
    json_schema!({"type": "object", "description": fate.summary, "properties": properties, "required": required})
}

fn of_unit(unit: FateUnit, generator: &mut SchemaGenerator) -> Schema {
    match unit {
        FateUnit::Score => generator.subschema_for::<Option<i32>>(),
        FateUnit::Margin | FateUnit::Table => generator.subschema_for::<i16>(),
        FateUnit::Plies | FateUnit::Count => generator.subschema_for::<u16>(),
        FateUnit::Probability => json_schema!({"type": "number", "minimum": 0, "maximum": 1}),
        FateUnit::Bin => json_schema!({"type": "number", "minimum": -1, "maximum": 1}),
        FateUnit::Move => generator.subschema_for::<Option<String>>(),
        FateUnit::Flag => generator.subschema_for::<bool>(),
        FateUnit::Bound => generator.subschema_for::<Option<BoundName>>(),
        FateUnit::Ending => generator.subschema_for::<EndingName>(),
        FateUnit::Known => generator.subschema_for::<KnownDrawName>(),
        FateUnit::Number | FateUnit::Place | FateUnit::Reason => generator.subschema_for::<f64>(),
    }
}

/// Returns what the table says of a number, or else what its name means with most fates.
fn meaning(field: &FateField) -> &'static str {
    match (field.about.trim(), field.name) {
        ("", "static") => "The static value.",
        ("", "alpha") => "Alpha.",
        ("", "beta") => "Beta.",
        ("", "margin") => "The margin.",
        ("", "depth") => "The plies left.",
        ("", "searched") => "How many moves were searched.",
        (about, _) => about,
    }
}
