//! The built-in lessons, and lessons written by users.

use std::path::Path;

use include_dir::{Dir, include_dir};

use super::{Glossary, Lesson};
use game::load::{LoadError, unreadable};
use text::files;

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../sample-positions/lessons");

/// Other files in the folder of lessons: the guide for authors, and the glossary.
const OTHERS: [&str; 2] = ["README.md", "glossary.md"];

/// Returns the built-in lessons in the order of their file names.
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

/// Whether a file has the name of a lesson.
pub fn is_named(path: &Path) -> bool {
    path.extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("md"))
}

/// Reads a lesson from the user's file.
///
/// # Errors
/// If the file cannot be read; otherwise the first error in it.
pub fn own(path: &Path) -> Result<Lesson, LoadError> {
    let name = path.to_string_lossy();
    let bytes = files::read(path).map_err(|e| unreadable(&e).in_file(&name))?;
    Lesson::read(&name, &bytes)
}

impl Glossary {
    /// Returns the built-in glossary.
    ///
    /// # Errors
    /// Never in practice, since a test reads it.
    pub fn built_in() -> Result<Glossary, LoadError> {
        let file = FILES.get_file("glossary.md");
        Glossary::read("glossary.md", file.map_or(&[][..], |f| f.contents()))
    }
}
