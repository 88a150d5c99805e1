//! Files of toy trees.

use std::path::Path;
use std::sync::Arc;

use super::{Entries, Entry, Format, Reading};
use game::load::{LoadError, toy_tree};
use game::{Situation, ToyPosition};
use text::sanitise;

pub const TREE: Format = Format {
    name: "toy tree",
    one: "a toy tree",
    extension: "tree",
    detect: |line| {
        let side = line.split('#').next().unwrap_or(line).trim();
        ["max", "min"].iter().any(|s| side.eq_ignore_ascii_case(s))
    },
    reading: Reading::Whole(read),
    write: None,
    boards: &[],
};

fn read(name: &str, text: &str) -> Result<Entries, LoadError> {
    let read = toy_tree::parse(text)?;
    let stem = Path::new(name).file_stem().map(|s| s.to_string_lossy());
    let title = read.title.or_else(|| stem.map(|s| s.into_owned()));
    let root = ToyPosition::root(Arc::new(read.tree));
    let entry = Entry {
        hint: read.hint.map(|hint| sanitise(&hint)),
        ..Entry::new(sanitise(&title.unwrap_or_default()), Situation::new(root))
    };
    Ok(Entries {
        entries: vec![entry],
        ..Entries::default()
    })
}
