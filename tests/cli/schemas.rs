//! The schemas in docs/src/schemas: what every `--json` prints keeps to them, and they describe all of it.

mod runs;

use std::collections::BTreeSet;
use std::path::PathBuf;

use jsonschema::{Retrieve, Uri, Validator};
use search::{EVENTS, Rule};
use serde_json::{Value, json};
use tree::FATES;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/src/schemas")
}

/// Every schema by its name, without `common.json`.
fn names() -> Vec<String> {
    let files = std::fs::read_dir(folder()).expect("a folder");
    let name = |file: std::io::Result<std::fs::DirEntry>| {
        let path = file.expect("a file").path();
        path.file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned()
    };
    let mut names: Vec<String> = files.map(name).filter(|name| name != "common").collect();
    names.sort();
    names
}

fn read(name: &str) -> Value {
    let text = std::fs::read_to_string(folder().join(format!("{name}.json"))).expect("a schema");
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{name}.json: {e}"))
}

/// Reads the schemas that refer to each other by their file names.
struct Files;

impl Retrieve for Files {
    fn retrieve(
        &self,
        uri: &Uri<String>,
    ) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        let path = uri.path().as_str();
        let name = path.rsplit('/').next().unwrap_or(path);
        Ok(read(name.trim_end_matches(".json")))
    }
}

fn validator(name: &str) -> Validator {
    jsonschema::options()
        .with_base_uri(format!("file:///schemas/{name}.json"))
        .with_retriever(Files)
        .build(&read(name))
        .unwrap_or_else(|e| panic!("{name}.json: {e}"))
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

/// Checks what a command printed. Also, everything that the command's own schema describes must occur, so that no
/// description outlives its field.
fn check(name: &str, printed: &[Value]) {
    let validator = validator(name);
    assert!(!printed.is_empty(), "{name}");
    let mut seen = BTreeSet::new();
    for value in printed {
        let errors = validator.iter_errors(value);
        let errors: Vec<String> = errors
            .map(|e| format!("{}: {e}", e.instance_path()))
            .map(|e| e.chars().take(600).collect())
            .collect();
        assert!(errors.is_empty(), "{name}.json\n{}", errors.join("\n"));
        objects(value, "", &mut |_, object| {
            seen.extend(object.keys().cloned())
        });
    }
    let described = described(&read(name));
    let missing: Vec<&String> = described.difference(&seen).collect();
    assert!(
        missing.is_empty(),
        "{name}.json: never printed: {missing:?}"
    );
}

/// The names of all properties in a schema.
fn described(schema: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    objects(schema, "", &mut |place, object| {
        if let Some(Value::Object(properties)) = object.get("properties")
            && !place.ends_with("/properties")
        {
            found.extend(properties.keys().cloned());
        }
    });
    found
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
    check("perft", &runs::perft());
    check("bench", &runs::bench());
}

#[test]
fn experiments_keep_to_their_schemas() {
    check("lab-futility", &runs::futility());
    check("lab-differential", &runs::differential());
    check("lab-spread", &runs::spread());
    check("lab-plies", &runs::plies());
    check("lab-refutation", &runs::refutation());
    check("lab-prob-cut", &runs::prob_cut());
    check("lab-depths", &runs::depths());
    check("lab-calibration", &runs::calibration());
}

/// What is wrong anywhere in an object is refused.
#[test]
fn what_does_not_fit_is_refused() {
    let good = runs::printed("search --json -a mcts --nodes 500 --threads 1").remove(0);
    let search = validator("search");
    assert!(search.is_valid(&good));
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut bad = good.clone();
        change(&mut bad);
        bad
    };
    let remove = |object: &mut Value, key: &str| {
        let removed = object.as_object_mut().and_then(|o| o.remove(key));
        assert!(removed.is_some(), "{key}");
    };
    let keys: Vec<String> = good
        .as_object()
        .expect("an object")
        .keys()
        .cloned()
        .collect();
    for key in &keys {
        let removed = changed(&|bad| remove(bad, key));
        assert!(!search.is_valid(&removed), "without {key}");
        let wrong = changed(&|bad| bad[key] = json!([[]]));
        assert!(!search.is_valid(&wrong), "{key} of a wrong type");
    }
    let bad = [
        changed(&|bad| bad["more"] = json!(1)),
        changed(&|bad| bad["score"]["more"] = json!(1)),
        changed(&|bad| bad["moves"][0]["more"] = json!(1)),
        changed(&|bad| bad["belief"]["more"] = json!(1)),
        changed(&|bad| bad["moves"][0]["fate"] = json!("fated")),
        changed(&|bad| bad["fates"]["fated"] = json!(1)),
        changed(&|bad| bad["score"]["expected"] = json!(1.5)),
        changed(&|bad| bad["version"] = json!(2)),
        changed(&|bad| remove(&mut bad["moves"][0], "upper")),
        changed(&|bad| remove(&mut bad["score"], "mate")),
        changed(&|bad| remove(&mut bad["belief"], "pmf")),
    ];
    for (i, bad) in bad.iter().enumerate() {
        assert!(!search.is_valid(bad), "{i}");
    }
    let mut event = runs::printed("trace --depth 2 --events 1").remove(0);
    let trace = validator("trace");
    assert!(trace.is_valid(&event));
    event["kind"] = json!("leave");
    assert!(!trace.is_valid(&event), "the fields of another kind");
}

/// Every property has a description, and every object with properties is closed.
#[test]
fn everything_is_described() {
    for name in names().iter().map(String::as_str).chain(["common"]) {
        let schema = read(name);
        assert!(jsonschema::meta::is_valid(&schema), "{name}");
        objects(&schema, "", &mut |place, object| {
            let place = format!("{name}.json{place}");
            if object.contains_key("properties") && !place.ends_with("/properties") {
                let closed = ["additionalProperties", "unevaluatedProperties"]
                    .iter()
                    .any(|key| object.get(*key) == Some(&Value::Bool(false)));
                // What other definitions add to is closed there.
                let base = ["score_fields", "event"].iter().any(|b| place.ends_with(b));
                assert!(closed || base, "{place} allows further properties");
                assert!(object.contains_key("required"), "{place} has no required");
            }
            if place.ends_with("/properties") {
                for (key, of) in object {
                    let own = of["description"].is_string();
                    let there = of["$ref"].is_string();
                    assert!(own || there, "{place}/{key} has no description");
                }
            }
        });
    }
    objects(&read("common")["$defs"], "", &mut |place, object| {
        if place.matches('/').count() == 1 {
            assert!(object.contains_key("description"), "common.json{place}");
        }
    });
}

/// The names in the schemas are those of the program's tables.
#[test]
fn names_are_those_of_the_tables() {
    let common = read("common");
    let defs = &common["$defs"];
    let fates: Vec<&str> = FATES.iter().map(|fate| fate.name).collect();
    assert_eq!(defs["fate_name"]["enum"], json!(fates));
    let rules: Vec<&str> = Rule::ALL.iter().map(|rule| rule.name()).collect();
    assert_eq!(defs["rule_name"]["enum"], json!(rules));
    let words = |of: &Value, key: &str| -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for one in of["oneOf"].as_array().expect("variants") {
            let name = &one["properties"][key];
            let many = name["enum"].as_array().into_iter().flatten();
            let all = many.chain([&name["const"]]).filter_map(Value::as_str);
            found.extend(all.map(str::to_owned));
        }
        found
    };
    let told = FATES.iter().filter(|fate| fate.is_told());
    let told: BTreeSet<String> = told.map(|fate| fate.name.to_owned()).collect();
    assert_eq!(words(&defs["fate"], "name"), told);
    let kinds: BTreeSet<String> = EVENTS.iter().map(|kind| kind.name.to_owned()).collect();
    assert_eq!(words(&read("trace"), "kind"), kinds);
}

/// The page on JSON links every schema.
#[test]
fn the_page_links_every_schema() {
    let page = folder().parent().expect("docs/src").join("json.md");
    let page = std::fs::read_to_string(page).expect("the page");
    for name in names().iter().map(String::as_str).chain(["common"]) {
        assert!(page.contains(&format!("(schemas/{name}.json)")), "{name}");
    }
}
