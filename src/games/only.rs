//! Texts and documents in which there is one position.

use super::document::Parts;
use super::{Document, Entry, FORMATS};
use game::load::LoadError;
use search::Subject;
use text::sanitise;

/// Reads a position that is written where a file's name could stand: a toy tree, or a line of another game's file.
///
/// # Errors
/// What was found in it, and what was expected.
pub fn position_of_text(text: &str) -> Result<Subject, LoadError> {
    Document::from_bytes("position", text.as_bytes().to_vec())?.only_position()
}

impl Document {
    /// Makes a document of a position of any game.
    pub fn of_subject(name: &str, subject: Subject) -> Document {
        // Toy trees alone have no text in one line.
        let text = subject.position.fen().unwrap_or_else(|| "max".into());
        let own = FORMATS.iter().find(|format| (format.detect)(&text));
        let entry = Entry::new(sanitise(name), subject);
        let format = own.copied().unwrap_or(&super::chess::FEN);
        Document::of(name, format, Parts::Read([entry].into()))
    }

    /// Returns the only position of this document; of a game the last one.
    ///
    /// # Errors
    /// If it has several, or cannot be read.
    pub fn only_position(&self) -> Result<Subject, LoadError> {
        let refuse =
            |found: String, expected| Err(LoadError::new(found, expected).in_file(&self.name));
        if let Some(problem) = self.problems.first() {
            return Err(problem.clone());
        }
        let (_, entry) = self.first_entry()?;
        if entry.recorded.is_some() {
            return refuse("a search trace".into(), "a position, a game or a toy tree");
        }
        match self.len() {
            1 => Ok(entry.subject_at(u32::MAX)),
            n => refuse(format!("{n} positions"), "one"),
        }
    }
}
