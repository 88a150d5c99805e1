//! The page of the docs says what is built.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::{GOLDEN, GOLDEN_BYTES};
use crate::{RecordKind, binary};

fn page() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::read_to_string(root.join("docs/src/trace-format.md")).expect("the page")
}

/// The rows of a table, whose first row has these titles, as cells.
fn table(page: &str, titles: &str) -> Vec<Vec<String>> {
    let rows = page.lines().skip_while(|line| *line != titles).skip(2);
    let rows = rows.take_while(|line| line.starts_with('|'));
    let cells = |row: &str| row.split('|').map(|cell| cell.trim().to_owned()).collect();
    rows.map(cells).collect()
}

#[test]
fn the_small_search_is_the_golden_one() {
    let page = page();
    assert!(page.contains(&format!("```json\n{GOLDEN}```")));
    let (_, bytes) = page.split_once("08 02    ").expect("the bytes");
    let (bytes, _) = bytes.split_once("```").expect("their end");
    let mut found = vec![0x08, 0x02];
    for line in bytes.lines().skip(1) {
        // The bytes are two digits each, and an explanation follows.
        let words = line.split(' ').take_while(|word| word.len() == 2);
        found.extend(words.map(|word| u8::from_str_radix(word, 16).expect("a byte")));
    }
    assert_eq!(found, GOLDEN_BYTES);
}

#[test]
fn the_page_has_every_record() {
    let rows = table(&page(), "| record | | meaning | fields |");
    let listed = rows
        .iter()
        .map(|row| (row[1].trim_matches('`'), row[2] == "●"));
    let listed: BTreeMap<&str, bool> = listed.collect();
    // `iteration` and `pass` have rows of their own for their ends.
    let kinds = RecordKind::ALL.map(|kind| (kind.name(), kind.is_event()));
    assert_eq!(listed, BTreeMap::from(kinds));
}

#[test]
fn the_page_has_every_number_of_the_binary_form() {
    let rows = table(&page(), "| | record | fields |");
    let numbers: Vec<&str> = rows.iter().map(|row| row[1].as_str()).collect();
    let first_unknown = binary::code::FIRST_UNKNOWN;
    let mut expected: Vec<String> = (1..first_unknown).map(|n| n.to_string()).collect();
    expected.push("128–255".into());
    assert_eq!(numbers, expected);
}
