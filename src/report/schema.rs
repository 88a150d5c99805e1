//! JSON Schemas of what the commands print, derived from the types that are printed: the documentation of a type or a field
//! is its description.

use std::borrow::Cow;
use std::marker::PhantomData;

use schemars::generate::SchemaSettings;
use schemars::transform::transform_subschemas;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value;

use super::algorithms::family;
use super::why::ending_words;
use eval::Evaluation;
use game::{Ending, KnownDraw, TableResult};
use search::Rule;
use studies::compare::Kind;
use studies::grade::Check;
use studies::review::{MarkKind, Phase};
use tree::{FATES, Family};

/// Returns the schema (draft 2020-12) of what is printed from a `T`.
pub fn of<T: JsonSchema>(title: &str) -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let generator = settings.with_transform(close).into_generator();
    let mut schema = generator.into_root_schema_for::<T>();
    schema.insert("title".into(), title.into());
    schema
}

/// Closes every object, so that a field without a description is refused. An object with variants is closed as a whole.
fn close(schema: &mut Schema) {
    transform_subschemas(&mut close, schema);
    let Some(object) = schema.as_object_mut() else {
        return;
    };
    // A format such as "uint16" is not of the standard, and some validators refuse it.
    object.remove("format");
    let required = object.get("required").cloned().unwrap_or_default();
    let Some(Value::Object(properties)) = object.get_mut("properties") else {
        return;
    };
    for (name, property) in properties {
        let always = required
            .as_array()
            .is_some_and(|all| all.iter().any(|r| r == name));
        if !always {
            forbid_null(property);
        }
    }
    let key = match object.get_mut("oneOf") {
        Some(Value::Array(variants)) => {
            for variant in variants.iter_mut().filter_map(Value::as_object_mut) {
                variant.remove("additionalProperties");
            }
            "unevaluatedProperties"
        }
        _ => "additionalProperties",
    };
    object.insert(key.into(), false.into());
}

/// A field that may be missing is never null instead.
fn forbid_null(property: &mut Value) {
    if let Some(Value::Array(types)) = property.get_mut("type") {
        types.retain(|name| name != "null");
    }
    if let Some(Value::Array(any)) = property.get_mut("anyOf") {
        any.retain(|one| one["type"] != "null");
    }
}

/// Declares types that stand in a schema for the names in a table.
macro_rules! names {
    ($($(#[doc = $doc:literal])+ $Name:ident = $names:expr;)+) => {$(
        $(#[doc = $doc])+
        #[derive(Debug)]
        pub struct $Name;

        impl JsonSchema for $Name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($Name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                let description = concat!($($doc),+).trim();
                json_schema!({"type": "string", "description": description, "enum": $names})
            }
        }
    )+};
}

names! {
    /// How a value relates to the true one, which is at least this (lower), at most this (upper) or the same (exact).
    BoundName = ["lower", "upper", "exact"];
    /// The name of a rule of alpha-beta.
    RuleName = Rule::ALL.map(Rule::name);
    /// How an algorithm grows its tree.
    FamilyName = [Family::DepthFirst, Family::BestFirst].map(family);
    /// How a game ended.
    EndingName = Ending::ALL.map(ending_words);
    /// What a known draw rests on.
    KnownDrawName = KnownDraw::ALL.map(KnownDraw::words);
    /// What an endgame table knows, for the side to move.
    TableResultName = TableResult::ALL.map(TableResult::words);
    /// What differs: not searched by one but best for another, proofs that contradict each other, proven by one only, values,
    /// best replies, not visited by one.
    DifferenceName = Kind::ALL.map(Kind::name);
    /// The phase of a game.
    PhaseName = Phase::ALL.map(Phase::name);
    /// The mark of a move.
    MarkName = MarkKind::ALL.map(MarkKind::name);
    /// What came of grading a trace.
    VerdictName = ["passed", "failed", "refused"];
    /// The name of a check of a student's search.
    CheckName = Check::ALL.map(Check::name);
    /// Which evaluation of chess positions.
    EvaluationName = Evaluation::NAMES;
}

/// The name of a fate. Other programs declare reasons of their own.
#[derive(Debug)]
pub struct FateName;

impl JsonSchema for FateName {
    fn schema_name() -> Cow<'static, str> {
        "FateName".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let own: Vec<_> = FATES.iter().map(|fate| fate.name).collect();
        json_schema!({
            "type": "string",
            "description": "The name of a fate: why a node is as it is. In the trace of another program also the name of a \
                reason that it declares, of at most 64 bytes, and \"untold\" or \"not-sent\".",
            "anyOf": [{"enum": own}, {"maxLength": 64}],
        })
    }
}

/// How often each of some names occurred; only names that did.
#[derive(Debug)]
pub struct Counts<N>(PhantomData<N>);

impl<N: JsonSchema> JsonSchema for Counts<N> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Counts_of_{}", N::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let names = generator.subschema_for::<N>();
        let count = json_schema!({"type": "integer", "minimum": 1});
        json_schema!({"type": "object", "propertyNames": names, "additionalProperties": count})
    }
}

/// The value of an option.
#[derive(JsonSchema, Debug)]
#[schemars(inline, extend("type" = ["number", "boolean", "string"]))]
pub struct OptionValue;

/// One of two forms of an output.
#[derive(JsonSchema, Debug)]
#[schemars(untagged)]
pub enum Either<A, B> {
    One(A),
    Other(B),
}
