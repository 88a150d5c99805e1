//! The lessons that come with the program, and a person's own.

use std::path::Path;

use include_dir::{Dir, include_dir};

use super::{Glossary, Lesson};
use crate::game::load::{LoadError, files, unreadable};

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/sample-positions/lessons");

/// What stands beside the lessons: the guide for those who write them, and the glossary.
const OTHERS: [&str; 2] = ["README.md", "glossary.md"];

/// The built-in lessons in the order of their files' names.
#[must_use]
pub fn built_in() -> Vec<Result<Lesson, LoadError>> {
    let mut files: Vec<_> = FILES
        .files()
        .filter_map(|file| Some((file.path().to_str()?, file.contents())))
        .filter(|(name, _)| name.ends_with(".md") && !OTHERS.contains(name))
        .collect();
    files.sort_unstable_by_key(|file| file.0);
    files
        .iter()
        .map(|(name, bytes)| Lesson::read(name, bytes))
        .collect()
}

/// Whether a file's name is that of a lesson.
#[must_use]
pub fn is_named(path: &Path) -> bool {
    path.extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("md"))
}

/// Reads a person's lesson.
///
/// # Errors
/// If it can't be read, or what is wrong with it.
pub fn own(path: &Path) -> Result<Lesson, LoadError> {
    let name = path.to_string_lossy();
    let bytes = files::read(path).map_err(|e| unreadable(&e).in_file(&name))?;
    Lesson::read(&name, &bytes)
}

impl Glossary {
    /// The built-in glossary.
    ///
    /// # Errors
    /// None (a test reads it).
    pub fn built_in() -> Result<Glossary, LoadError> {
        let file = FILES.get_file("glossary.md");
        Glossary::read("glossary.md", file.map_or(&[][..], |f| f.contents()))
    }
}
