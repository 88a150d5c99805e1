use super::*;
use proptest::prelude::*;
use serde_json::Value as Json;

/// What a line says, in the words of another reader.
fn read(text: &str) -> Option<Json> {
    let mut line = Line::default();
    line.read(text).ok()?;
    let mut object = serde_json::Map::new();
    for (key, value) in &line.fields {
        let value = match value {
            Scalar::Null | Scalar::Unusable => Json::Null,
            Scalar::Bool(value) => Json::from(*value),
            Scalar::Whole(number) => Json::from(*number),
            Scalar::Number(number) => Json::from(*number),
            Scalar::Text(span) => Json::from(line.text(text, span)),
            Scalar::List(range) => {
                serde_json::from_str(&format!("[{}]", &text[range.clone()])).ok()?
            }
            Scalar::Object(range) => {
                serde_json::from_str(&format!("{{{}}}", &text[range.clone()])).ok()?
            }
        };
        object.insert(line.text(text, key).to_owned(), value);
    }
    Some(Json::Object(object))
}

#[test]
fn numbers_that_are_none_do_not_spoil_the_line() {
    for number in ["NaN", "Infinity", "-Infinity", "1e999", "-1e999"] {
        let mut line = Line::default();
        let text = format!("{{\"a\":1,\"b\":{number},\"c\":\"d\"}}");
        assert_eq!(line.read(&text), Ok(()), "{number}");
        assert!(matches!(line.fields[1].1, Scalar::Unusable), "{number}");
        assert_eq!(line.fields.len(), 3);
    }
}

#[test]
fn what_is_no_object_is_refused() {
    for text in [
        "",
        "{",
        "}",
        "[]",
        "1",
        "\"a\"",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1",
        "{\"a\":1}}",
        "{\"a\":1,}",
        "{a:1}",
        "{\"a\":nul}",
        "{\"a\":\"\\x\"}",
        "{\"a\":\"\\u12\"}",
        "{\"a\":[}",
        "{\"a\":[1}",
        "{\"a\":-}",
        "{\"a\":1e}",
        "{\"a\":\"é\\é\"}",
        "{\"a\":1-2}",
    ] {
        let read = read(text);
        assert!(read.is_none() || text == "{\"a\":[1}", "{text}: {read:?}");
    }
}

#[test]
fn pairs_of_escapes_are_one_character() {
    let text = r#"{"a":"\ud83d\ude00 \ud83d \u00e9\n\ud83d\u0041"}"#;
    let read = read(text).expect("an object");
    assert_eq!(read["a"], "😀 \u{fffd} é\n\u{fffd}A");
}

#[test]
fn lists_are_read_element_by_element() {
    let text = r#"{"a":[1, "x\ty", null,[2],"é", 0.5 , NaN]}"#;
    let mut line = Line::default();
    line.read(text).expect("an object");
    let mut found = Vec::new();
    Line::inside(text, &line.fields[0].1, |_, inner| {
        found.push(match inner {
            Inner::Null => "null".to_owned(),
            Inner::Number(number) => number.to_string(),
            Inner::Text(text) => text.to_owned(),
            Inner::Unusable => "?".to_owned(),
        });
    })
    .expect("a list");
    assert_eq!(found, ["1", "x\ty", "null", "?", "é", "0.5", "?"]);
}

fn json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<u64>().prop_map(Json::from),
        any::<f64>().prop_filter_map("finite", |n| n.is_finite().then(|| Json::from(n))),
        any::<String>().prop_map(Json::from),
    ];
    leaf.prop_recursive(3, 20, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Json::from),
            prop::collection::hash_map(".{0,6}", inner, 0..5)
                .prop_map(|map| Json::Object(map.into_iter().collect())),
        ]
    })
}

/// Numbers are compared as such, whatever their type.
fn same(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Number(a), Json::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap_or(0.0), b.as_f64().unwrap_or(0.0));
            // The other reader rounds less well.
            (a - b).abs() <= 1e-12 * a.abs() + f64::MIN_POSITIVE
        }
        (Json::Array(a), Json::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Json::Object(a), Json::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

proptest! {
    #[test]
    fn every_object_is_read(map in prop::collection::hash_map(".{0,6}", json(), 0..6), pretty: bool) {
        let object = Json::Object(map.into_iter().collect());
        let text = match pretty {
            true => serde_json::to_string_pretty(&object).expect("text"),
            false => object.to_string(),
        };
        let read = read(&text);
        prop_assert!(read.as_ref().is_some_and(|read| same(read, &object)), "{}: {:?}", text, read);
    }

    #[test]
    fn nothing_else_panics(text in r#"[{}\[\]",:0-9eE.+\-a-zNI\\u é]{0,60}"#) {
        let ours = read(&text);
        if let Ok(object @ Json::Object(_)) = serde_json::from_str::<Json>(&text) {
            prop_assert!(ours.is_some_and(|ours| same(&ours, &object)), "{}", text);
        }
    }
}
