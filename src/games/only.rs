//! Texts and documents in which there is one position.

use super::document::Parts;
use super::{Document, Entry, FORMATS, Format};
use game::Situation;
use game::load::{LoadError, fen};
use search::Subject;
use text::sanitise;

/// Reads a position that is written where a file's name could stand: a toy tree, or a line of another game's file.
///
/// # Errors
/// What was found in it, and what was expected.
pub fn position_of_text(text: &str) -> Result<Subject, LoadError> {
    Document::from_bytes("position", text.as_bytes().to_vec())?.only_position()
}

/// A position that was read from a line, with what was corrected in it.
#[derive(Debug)]
pub struct ReadLine {
    pub subject: Subject,
    pub warnings: Vec<String>,
}

/// Reads a position as [`game::Game::fen`] writes it: a FEN, or the text of a game other than chess.
///
/// # Errors
/// What was found in it, and what was expected.
pub fn position_of_fen(text: &str) -> Result<ReadLine, LoadError> {
    if is_of_another_game(text) {
        return Ok(ReadLine {
            subject: position_of_text(text)?,
            warnings: Vec::new(),
        });
    }
    let read = fen::parse(text)?;
    Ok(ReadLine {
        subject: Situation::new(read.position).into(),
        warnings: read.warnings,
    })
}

/// Whether a text is one of a game other than chess: the formats of those have boards to begin on.
fn is_of_another_game(text: &str) -> bool {
    let format = Format::of(FORMATS, "", text.as_bytes());
    format.is_some_and(|format| !format.boards.is_empty())
}

impl Document {
    /// Makes a document of a position as [`position_of_fen`] reads it.
    ///
    /// # Errors
    /// What was found in it, and what was expected.
    pub fn of_line(name: &str, text: &str) -> Result<Document, LoadError> {
        match is_of_another_game(text) {
            true => Document::from_bytes(name, text.as_bytes().to_vec()),
            false => Ok(Document::of_fen(name, fen::parse(text)?)),
        }
    }

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
