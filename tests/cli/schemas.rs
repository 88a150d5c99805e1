//! `plyscope schema`: what every command prints as JSON keeps to its schema, and the schema describes all of it.

mod runs;

use std::collections::{BTreeMap, BTreeSet};

use jsonschema::Validator;
use search::EVENTS;
use serde_json::{Value, json};
use tree::FATES;

use crate::cli_support::plyscope;

/// The names of all schemas.
fn names() -> Vec<String> {
    let list = plyscope(&["schema"]).clean().out;
    let first = |line: &str| line.split(' ').next().map(str::to_owned);
    list.lines().skip(1).filter_map(first).collect()
}

fn read(name: &str) -> Value {
    let text = plyscope(&["schema", name]).clean().out;
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn validator(name: &str) -> Validator {
    jsonschema::validator_for(&read(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Calls `visit` with every object inside a value, itself included, and with the place of each.
fn objects(
    value: &Value,
    place: &str,
    visit: &mut impl FnMut(&str, &serde_json::Map<String, Value>),
) {
    match value {
        Value::Object(object) => {
            visit(place, object);
            for (key, inside) in object {
                objects(inside, &format!("{place}/{key}"), visit);
            }
        }
        Value::Array(all) => {
            for (i, inside) in all.iter().enumerate() {
                objects(inside, &format!("{place}/{i}"), visit);
            }
        }
        _ => {}
    }
}

/// Checks what a command printed. Also, everything that only its own schema describes must occur, so that no description
/// outlives its field, and what is damaged is refused.
fn check(name: &str, printed: &[Value]) {
    let validator = validator(name);
    assert!(!printed.is_empty(), "{name}");
    let mut seen = BTreeSet::new();
    let mut smallest: BTreeMap<&str, &Value> = BTreeMap::new();
    for value in printed {
        let errors = validator.iter_errors(value);
        let errors: Vec<String> = errors
            .map(|e| format!("{}: {e}", e.instance_path()))
            .map(|e| e.chars().take(600).collect())
            .collect();
        assert!(errors.is_empty(), "{name}\n{}", errors.join("\n"));
        objects(value, "", &mut |_, object| {
            seen.extend(object.keys().cloned())
        });
        let least = smallest.entry(value["kind"].as_str().unwrap_or_default());
        let least = least.or_insert(value);
        if value.to_string().len() < least.to_string().len() {
            *least = value;
        }
    }
    let described = described(name);
    let missing: Vec<&String> = described.difference(&seen).collect();
    assert!(missing.is_empty(), "{name}: never printed: {missing:?}");
    for value in smallest.into_values() {
        refuses_damage(name, &validator, value);
    }
}

/// The names of all properties in a schema, without those of the definitions that the schema of a search has too, or that
/// have variants which no test can bring about.
fn described(name: &str) -> BTreeSet<String> {
    let mut schema = read(name);
    let shared = read("search")["$defs"].take();
    if let Some(definitions) = schema["$defs"].as_object_mut() {
        definitions.retain(|key, _| {
            let elsewhere = name != "search" && (key == "SearchResult" || !shared[key].is_null());
            !elsewhere && !["Budget", "FateJson", "AnyFate", "FalseProof"].contains(&key.as_str())
        });
    }
    let mut found = BTreeSet::new();
    objects(&schema, "", &mut |place, object| {
        if let Some(Value::Object(properties)) = object.get("properties")
            && !place.ends_with("/properties")
        {
            found.extend(properties.keys().cloned());
        }
    });
    found
}

/// Fields that may be missing.
const OPTIONAL: [&str; 14] = [
    "title",
    "decision",
    "value",
    "numbers",
    "positions",
    "with",
    "breakdown",
    "pieces",
    "policy",
    "depths",
    "counts",
    "fit",
    "legal",
    "key",
];

/// Objects whose keys are not described one by one.
const MAPS: [&str; 5] = ["options", "tags", "numbers", "fates", "rules"];

/// Damages one field after the other: it goes, is of a wrong type, or has company that nothing describes.
fn refuses_damage(name: &str, validator: &Validator, value: &Value) {
    let mut places = BTreeSet::new();
    objects(value, "", &mut |place, object| {
        // The first two of many are enough.
        let many = place
            .split('/')
            .any(|part| part.parse().is_ok_and(|i: usize| i > 1));
        let map = place
            .rsplit('/')
            .next()
            .is_some_and(|key| MAPS.contains(&key));
        if !many && !map {
            places.extend(object.keys().map(|key| (place.to_owned(), key.clone())));
            places.insert((place.to_owned(), "undescribed".to_owned()));
        }
    });
    for (place, key) in places {
        let damaged = |damage: &dyn Fn(&mut serde_json::Map<String, Value>)| {
            let mut bad = value.clone();
            let object = bad.pointer_mut(&place).and_then(Value::as_object_mut);
            damage(object.expect("an object"));
            !validator.is_valid(&bad)
        };
        let wrong = damaged(&|object| drop(object.insert(key.clone(), json!([[]]))));
        assert!(wrong, "{name}: {place}/{key} of a wrong type");
        let lost = damaged(&|object| drop(object.remove(&key)));
        // A budget of nothing is none.
        let optional =
            OPTIONAL.contains(&key.as_str()) || key == "undescribed" || place == "/budget";
        assert!(lost || optional, "{name}: without {place}/{key}");
    }
}

#[test]
fn searches_keep_to_their_schemas() {
    check("search", &runs::search());
    check("tree", &runs::tree());
    let events = runs::trace();
    check("trace", &events);
    for kind in &EVENTS {
        let occurs = events.iter().any(|event| event["kind"] == kind.name);
        assert!(occurs, "{}", kind.name);
    }
}

#[test]
fn comparisons_suites_and_reviews_keep_to_their_schemas() {
    check("compare", &runs::compare());
    check("suite", &runs::suite());
    check("review", &runs::review());
}

#[test]
fn small_commands_keep_to_their_schemas() {
    check("eval", &runs::eval());
    check("algorithms", &runs::printed("algorithms --json"));
    check("lessons", &runs::printed("lessons --json"));
    check("course", &runs::course());
    check("lessons-report", &runs::lessons_report());
    check("lessons-collected", &runs::lessons_collected());
    check("perft", &runs::perft());
    check("bench", &runs::bench());
    check("grade", &runs::grade());
    check("audit", &runs::audit());
    check("doctor", &runs::doctor());
}

#[test]
fn experiments_keep_to_their_schemas() {
    check("lab-futility", &runs::futility());
    check("lab-differential", &runs::differential());
    check("lab-spread", &runs::spread());
    check("lab-plies", &runs::plies());
    check("lab-refutation", &runs::refutation());
    check("lab-sweep", &runs::sweep());
    check("lab-losses", &runs::losses());
    check("lab-prob-cut", &runs::prob_cut());
    check("lab-cuts", &runs::cuts());
    check("lab-maximum", &runs::maximum());
    check("lab-focus", &runs::focus());
    check("lab-depths", &runs::depths());
    check("lab-playouts", &runs::playouts());
    check("lab-walks", &runs::walks());
    check("lab-truth", &runs::truth());
    check("lab-calibration", &runs::calibration());
}

/// Values out of range and words that are no names are refused.
#[test]
fn what_does_not_fit_is_refused() {
    let good = runs::printed("search --json -a mcts --nodes 500 --threads 1").remove(0);
    let search = validator("search");
    assert!(search.is_valid(&good));
    let changed = |place: &str, to: Value| {
        let mut bad = good.clone();
        *bad.pointer_mut(place).expect("a place") = to;
        bad
    };
    let mut with_fate = good.clone();
    // Other programs have reasons of any name, but of 64 bytes at most.
    let long = "f".repeat(65);
    with_fate["fates"][&long] = json!(1);
    let bad = [
        changed("/moves/0/fate", json!(long)),
        changed("/score/expected", json!(1.5)),
        changed("/score/bound", json!("none")),
        changed("/belief/kind", json!("made up")),
        changed("/belief/sd", json!(-0.1)),
        changed("/belief/edges/0", json!(-1.1)),
        changed("/moves/0/policy", json!(1.1)),
        changed("/nodes", json!(-1)),
        changed("/stopped_by", json!("boredom")),
        changed("/options", json!({"nodes": null})),
        changed("/version", json!(2)),
        with_fate,
    ];
    for (i, bad) in bad.iter().enumerate() {
        assert!(!search.is_valid(bad), "{i}");
    }
    let mut titled = good.clone();
    titled["title"] = json!("a title");
    assert!(search.is_valid(&titled));
    titled["title"] = Value::Null;
    assert!(!search.is_valid(&titled), "missing or a text, never null");
    let mut event = runs::printed("trace --depth 2 --events 1").remove(0);
    let trace = validator("trace");
    assert!(trace.is_valid(&event));
    event["kind"] = json!("leave");
    assert!(!trace.is_valid(&event), "the fields of another kind");
}

/// Every property and every definition has a description, and every object with properties is closed.
#[test]
fn everything_is_described() {
    for name in names() {
        let schema = read(&name);
        assert!(jsonschema::meta::is_valid(&schema), "{name}");
        let closed = |object: &serde_json::Map<String, Value>| {
            ["additionalProperties", "unevaluatedProperties"]
                .iter()
                .any(|key| object.get(*key) == Some(&Value::Bool(false)))
        };
        objects(&schema, "", &mut |place, object| {
            if object.contains_key("properties") && !place.ends_with("/properties") {
                // The variants of an object are closed with it.
                let whole = place
                    .split_once("/oneOf/")
                    .map(|(whole, _)| schema.pointer(whole));
                let whole = whole.flatten().and_then(Value::as_object);
                let is_closed = closed(object) || whole.is_some_and(closed);
                assert!(is_closed, "{name}{place} allows further properties");
                assert!(
                    object.contains_key("required"),
                    "{name}{place} has no required"
                );
            }
            if place.ends_with("/properties") {
                for (key, of) in object {
                    let told = of["description"].is_string() || of["$ref"].is_string();
                    assert!(
                        told || of["const"].is_string(),
                        "{name}{place}/{key} has no description"
                    );
                }
            }
            if place == "/$defs" {
                for (key, of) in object {
                    assert!(
                        of["description"].is_string(),
                        "{name}: {key} has no description"
                    );
                }
            }
        });
    }
}

/// The events and fates in the schema of traces are those of the program's tables.
#[test]
fn names_are_those_of_the_tables() {
    let trace = read("trace");
    let words = |of: &Value, key: &str| -> BTreeSet<String> {
        let variants = of["oneOf"].as_array().expect("variants").iter();
        let names = variants.filter_map(|one| one["properties"][key]["const"].as_str());
        names.map(str::to_owned).collect()
    };
    let told = FATES.iter().filter(|fate| fate.is_told());
    let told: BTreeSet<String> = told.map(|fate| fate.name.to_owned()).collect();
    assert_eq!(words(&trace["$defs"]["FateJson"], "name"), told);
    // What other programs declare has any name.
    let own = FATES.iter().filter(|fate| fate.name != "told");
    let all: BTreeSet<String> = own.map(|fate| fate.name.to_owned()).collect();
    assert_eq!(words(&read("tree")["$defs"]["AnyFate"], "name"), all);
    let kinds: BTreeSet<String> = EVENTS.iter().map(|kind| kind.name.to_owned()).collect();
    assert_eq!(words(&trace, "kind"), kinds);
}
