//! The JSON Schema describes what is written and read.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use jsonschema::Validator;
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::GOLDEN;
use super::written::{choices, stream};
use crate::{Form, RecordKind, schema};

static VALIDATOR: LazyLock<Validator> =
    LazyLock::new(|| jsonschema::validator_for(schema("a line").as_value()).expect("a schema"));

fn errors(line: &Json) -> Vec<String> {
    let errors = VALIDATOR.iter_errors(line);
    errors.map(|error| error.to_string()).collect()
}

#[test]
fn the_golden_lines_keep_to_the_schema() {
    for line in GOLDEN.lines() {
        let line = serde_json::from_str(line).expect("JSON");
        assert_eq!(errors(&line), [""; 0], "{line}");
    }
}

#[test]
fn every_kind_of_record_is_in_the_schema() {
    let schema = schema("a line");
    let schema = schema.as_value();
    let variants = schema["$defs"]["Record"]["oneOf"]
        .as_array()
        .expect("variants");
    let kinds: BTreeSet<&str> = variants
        .iter()
        .filter_map(|variant| variant["properties"]["kind"]["const"].as_str())
        .collect();
    assert_eq!(kinds, RecordKind::ALL.map(RecordKind::name).into());
}

#[test]
fn what_is_misspelt_is_refused() {
    for line in [
        json!({}),
        json!({"plyscope-trace": 2}),
        json!({"plyscope-trace": 1, "engin": "x"}),
        json!({"plyscope-trace": 1, "value": {"unit": 1}}),
        json!({"plyscope-trace": 1, "reasons": [{"n": 0, "name": "x"}]}),
        json!({"plyscope-trace": 1, "reasons": [{"name": "x", "numbers": [["y", "miles"]]}]}),
        json!({"kind": "jump"}),
        json!({"kind": "enter"}),
        json!({"kind": "enter", "move": "a", "betta": 3}),
        json!({"kind": "leave", "value": "3"}),
        json!({"kind": "leave", "bound": "above"}),
        json!({"kind": "prune", "move": "a"}),
        json!({"kind": "why", "why": "x", "numbers": [1]}),
        json!({"kind": "key", "key": "xyz"}),
        json!({"kind": "skip"}),
        json!({"kind": "visit", "node": -1, "value": 0}),
    ] {
        assert!(!VALIDATOR.is_valid(&line), "{line}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn what_is_written_keeps_to_the_schema(choices in choices(300)) {
        let (lines, _) = stream(&choices, Form::Lines);
        for line in String::from_utf8_lossy(&lines).lines() {
            let line = serde_json::from_str(line).expect("JSON");
            prop_assert_eq!(errors(&line), [""; 0], "{}", line);
        }
    }
}

/// Every property has a description, and every object with properties is closed.
#[test]
fn everything_is_described() {
    fn walk(value: &Json, place: &str) {
        let Json::Object(object) = value else {
            if let Json::Array(all) = value {
                all.iter().for_each(|one| walk(one, place));
            }
            return;
        };
        for (name, of) in object
            .get("properties")
            .and_then(Json::as_object)
            .into_iter()
            .flatten()
        {
            let is_told = ["description", "$ref", "const"]
                .iter()
                .any(|key| of[key].is_string());
            assert!(is_told, "{place}/{name} has no description");
        }
        let is_variant = place.ends_with("oneOf");
        let closed = ["additionalProperties", "unevaluatedProperties"];
        if object.contains_key("properties") && !is_variant {
            assert!(
                closed
                    .iter()
                    .any(|key| object.get(*key) == Some(&Json::Bool(false))),
                "{place}"
            );
            assert!(object.contains_key("required"), "{place}");
        }
        for (key, inside) in object {
            walk(inside, &format!("{place}/{key}"));
        }
    }
    let schema = schema("a line");
    for (name, of) in schema.as_value()["$defs"].as_object().expect("definitions") {
        assert!(of["description"].is_string(), "{name} has no description");
    }
    walk(schema.as_value(), "");
}
