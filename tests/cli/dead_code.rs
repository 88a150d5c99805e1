//! Every public item is used. The compiler finds dead code only among private items: since the crate is a library, the
//! compiler must assume that public items are used elsewhere.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::house::sources;

/// The kinds of items that are searched for after `pub`.
const KINDS: [&str; 8] = [
    "const", "enum", "fn", "macro", "static", "struct", "trait", "type",
];

/// Returns the identifiers and keywords of a source file without its line comments.
fn words(source: &str) -> impl Iterator<Item = &str> {
    let code = source
        .lines()
        .map(|line| line.split("//").next().unwrap_or(""));
    code.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'))
        .filter(|word| !word.is_empty())
}

/// Returns the names of the public items that a source file declares.
fn declared(source: &str) -> Vec<&str> {
    let words: Vec<&str> = words(source).collect();
    let mut names = Vec::new();
    for (i, _) in words.iter().enumerate().filter(|(_, w)| **w == "pub") {
        // Other words may be in between: `pub(in crate::tui) const fn name`.
        let rest = &words[i + 1..words.len().min(i + 8)];
        let Some(kind) = rest.iter().position(|w| KINDS.contains(w)) else {
            continue;
        };
        let between = ["crate", "super", "in", "self"];
        let is_item = rest[..kind]
            .iter()
            .all(|w| between.contains(w) || w.chars().all(char::is_lowercase));
        let mut name = rest[kind..].iter().skip_while(|w| KINDS.contains(w));
        if let Some(name) = name.next().filter(|_| is_item) {
            names.push(*name);
        }
    }
    names
}

#[test]
fn every_public_item_is_used_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["src", "tests", "benches"] {
        sources(&root.join(folder), &mut files);
    }
    let texts: Vec<(PathBuf, String)> = files
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path).expect("a source file");
            (path, text)
        })
        .collect();
    let mut uses: HashMap<&str, usize> = HashMap::new();
    for (_, text) in &texts {
        for word in words(text) {
            *uses.entry(word).or_default() += 1;
        }
    }
    let mut found = 0;
    let mut unused = Vec::new();
    for (path, text) in texts
        .iter()
        .filter(|(path, _)| path.starts_with(root.join("src")))
    {
        for name in declared(text) {
            found += 1;
            if uses[name] < 2 {
                unused.push(format!("{}: {name}", path.display()));
            }
        }
    }
    assert!(found > 1000, "only {found} public items found");
    assert!(
        unused.is_empty(),
        "public, but used nowhere:\n{}",
        unused.join("\n")
    );
}

#[test]
fn declarations_are_found_whatever_stands_before_the_name() {
    let source = "pub fn a() {}\npub(crate) const fn b() {}\npub(in crate::x) struct C;\n// pub fn d() {}\nfn e() {}\npub const F: u8 = 0;";
    assert_eq!(declared(source), ["a", "b", "C", "F"]);
}
