//! What makes no sense after the records before it.

use std::fs;
use std::path::Path;

use super::{GOLDEN, golden_binary, told_all};

/// What is told of the sense of records after a header, by the lines' numbers from 1.
fn troubles(order: &str, lines: &str) -> Vec<String> {
    let text = format!("{{\"plyscope-trace\":1,\"order\":\"{order}\"}}\n{lines}");
    let (_, troubles) = told_all(text.as_bytes());
    let of_search = troubles.iter().filter(|t| t.cause.is_of_the_search());
    of_search
        .map(|t| format!("{} × {:?} at {}", t.count, t.cause, t.first.line - 1))
        .collect()
}

fn depth_first(lines: &str) -> Vec<String> {
    let words = lines
        .split_whitespace()
        .map(|word| match word.split_once(':') {
            Some(("enter", ply)) => {
                format!("{{\"kind\":\"enter\",\"move\":\"a\",\"ply\":{ply}}}\n")
            }
            Some(("same", ply)) => format!("{{\"kind\":\"enter\",\"move\":null,\"ply\":{ply}}}\n"),
            Some((kind, open)) => format!("{{\"kind\":\"{kind}\",\"open\":{open}}}\n"),
            None if word == "enter" => "{\"kind\":\"enter\",\"move\":\"a\"}\n".to_owned(),
            None if word == "root" => "{\"kind\":\"enter\",\"move\":null}\n".to_owned(),
            None => format!("{{\"kind\":\"{word}\",\"why\":\"x\",\"value\":1}}\n"),
        });
    troubles("depth-first", &words.collect::<String>())
}

const NONE: [&str; 0] = [];

#[test]
fn the_golden_streams_make_sense() {
    for bytes in [GOLDEN.as_bytes(), &golden_binary()] {
        assert!(told_all(bytes).1.is_empty());
    }
}

#[test]
fn nodes_are_left_that_were_entered() {
    assert_eq!(
        depth_first("iteration root enter leave enter leave leave end"),
        NONE
    );
    assert_eq!(
        depth_first("leave root leave leave"),
        ["2 × LeaveWithoutEnter at 1"]
    );
    assert_eq!(
        depth_first("root enter try root enter leave leave tried leave leave"),
        NONE
    );
    // A node is left within the rule's search.
    assert_eq!(
        depth_first("root try enter leave leave tried"),
        ["1 × TriedWithoutTry at 6"]
    );
    assert_eq!(
        depth_first("tried root try tried leave"),
        ["1 × TriedWithoutTry at 1"]
    );
    assert_eq!(
        depth_first("root enter iteration root leave end"),
        ["1 × OpenNodes at 3"]
    );
    assert_eq!(depth_first("root enter search"), ["1 × OpenNodes at 3"]);
}

#[test]
fn nodes_that_are_unwound_are_not_open() {
    assert_eq!(depth_first("root enter try enter unwind:1 leave end"), NONE);
    assert_eq!(
        depth_first("root enter unwind:0 leave"),
        ["1 × LeaveWithoutEnter at 4"]
    );
    assert_eq!(depth_first("root enter unwind:7 leave leave end"), NONE);
}

#[test]
fn the_ply_says_what_is_still_open() {
    assert_eq!(
        depth_first("same:0 enter:1 enter:2 enter:3 enter:1 leave leave end"),
        NONE
    );
    assert_eq!(
        depth_first("same:0 enter:1 same:1 leave leave enter:1 leave leave end"),
        NONE
    );
    assert_eq!(
        depth_first("same:0 enter:1 enter:2 enter:1 leave leave leave"),
        ["1 × LeaveWithoutEnter at 7"]
    );
}

#[test]
fn what_is_too_deep_is_counted_and_left_again() {
    let lines = "enter ".repeat(100_000) + &"leave ".repeat(100_000) + "end leave";
    assert_eq!(
        depth_first(&lines),
        ["98976 × TooDeep at 1025", "1 × LeaveWithoutEnter at 200002"]
    );
}

#[test]
fn nodes_are_expanded_once_and_before_they_are_visited() {
    let expand = |node: u64, first: u64, count: usize| {
        let moves = vec!["\"m\""; count].join(",");
        format!("{{\"kind\":\"expand\",\"node\":{node},\"first\":{first},\"moves\":[{moves}]}}\n")
    };
    let visit = |node: u64| format!("{{\"kind\":\"visit\",\"node\":{node},\"value\":0}}\n");
    let best_first = |lines: &[String]| troubles("best-first", &lines.concat());
    assert_eq!(
        best_first(&[
            visit(0),
            expand(0, 1, 3),
            visit(3),
            expand(3, 4, 2),
            visit(5)
        ]),
        NONE
    );
    assert_eq!(
        best_first(&[
            expand(0, 1, 3),
            visit(4),
            expand(5, 10, 1),
            expand(0, 3, 2),
            expand(0, 0, 1)
        ]),
        ["2 × UnknownNode at 2", "2 × NodeTwice at 4"]
    );
    assert_eq!(
        best_first(&[expand(0, u64::from(u32::MAX), 2)]),
        ["1 × NodeTwice at 1"]
    );
    let skip = String::from("{\"kind\":\"skip\",\"events\":5}\n");
    assert_eq!(
        best_first(&[skip, visit(7)]),
        NONE,
        "it may have been left out"
    );
    let later = String::from("{\"kind\":\"visit\",\"node\":7,\"value\":0,\"t\":1}\n");
    assert_eq!(
        best_first(&[later, visit(7)]),
        NONE,
        "another thread may be late"
    );
    let many: Vec<String> = (0..20_000).map(|i| expand(0, 10 + 3 * i, 1)).collect();
    assert_eq!(best_first(&many), NONE, "only so much is kept");
}

#[test]
fn each_order_of_search_has_its_records() {
    assert_eq!(
        depth_first("root visit"),
        NONE,
        "a visit without its node is none"
    );
    assert_eq!(
        troubles("depth-first", "{\"kind\":\"at\",\"node\":1}\n"),
        ["1 × OrderOfSearch at 1"]
    );
    assert_eq!(
        troubles(
            "best-first",
            "{\"kind\":\"enter\",\"move\":null}\n{\"kind\":\"leave\"}\n"
        ),
        ["2 × OrderOfSearch at 1"]
    );
}

/// What the emitters wrote of the two toy programs.
#[test]
fn the_emitters_write_what_makes_sense() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/open_trace");
    let mut read = 0;
    for entry in fs::read_dir(folder).expect("the fixtures").flatten() {
        if entry.path().extension().is_some_and(|e| e == "plytrace") {
            let file = fs::File::open(entry.path()).expect("a file");
            let (records, troubles) = told_all(file);
            assert!(records.len() > 10);
            assert_eq!(troubles, [], "{}", entry.path().display());
            read += 1;
        }
    }
    assert!(read >= 2, "only {read} read");
}
