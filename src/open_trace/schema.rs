//! The JSON Schema of a line, derived from the types that are written.

use schemars::generate::SchemaSettings;
use schemars::transform::transform_subschemas;
use schemars::{JsonSchema, Schema};
use serde_json::Value;

use super::json::wire::{HeaderLine, What};

/// One line of a stream.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "only its schema is of use")]
enum Line {
    /// The first line.
    Header(HeaderLine),
    /// Any other line.
    Record(RecordLine),
}

/// A record.
#[derive(JsonSchema)]
#[schemars(rename = "Record")]
#[expect(dead_code, reason = "only its schema is of use")]
struct RecordLine {
    #[serde(flatten)]
    what: What,
    /// The thread; 0 without it.
    #[schemars(skip_serializing_if = "Option::is_none")]
    t: Option<u8>,
}

/// Returns the JSON Schema (draft 2020-12) of a line. It is stricter than the reader, which ignores fields that it does not
/// know and takes a value that it cannot use as missing.
pub fn schema(title: &str) -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let generator = settings.with_transform(close).into_generator();
    let mut schema = generator.into_root_schema_for::<Line>();
    schema.insert("title".into(), title.into());
    schema
}

/// Closes every object, so that a misspelt field is found. An object with variants is closed as a whole.
fn close(schema: &mut Schema) {
    transform_subschemas(&mut close, schema);
    let Some(object) = schema.as_object_mut() else {
        return;
    };
    // A format such as "uint16" is not of the standard, and some validators refuse it.
    object.remove("format");
    if !object.contains_key("properties") {
        return;
    }
    object
        .entry("required")
        .or_insert_with(|| Value::Array(Vec::new()));
    let variants = object.get_mut("oneOf").and_then(Value::as_array_mut);
    let key = match variants {
        Some(variants) => {
            for variant in variants.iter_mut().filter_map(Value::as_object_mut) {
                // A reason has numbers of any name.
                if variant.get("additionalProperties") == Some(&Value::Bool(false)) {
                    variant.remove("additionalProperties");
                }
            }
            "unevaluatedProperties"
        }
        None => "additionalProperties",
    };
    if !object.contains_key(key) {
        object.insert(key.into(), false.into());
    }
}
