//! What a file may hold, and how that is read.

use std::path::Path;
use std::sync::Arc;

use super::{Entry, GameTree};
use game::load::LoadError;
use text::decode;
use traced::Source;

/// The format of a file.
#[derive(Debug)]
pub struct Format {
    /// Its name in messages.
    pub name: &'static str,
    /// The same with an article.
    pub one: &'static str,
    /// What the names of its files end in.
    pub extension: &'static str,
    /// Whether a text is in this format, judged by its first line that is neither empty nor a comment.
    pub detect: fn(line: &str) -> bool,
    pub reading: Reading,
    /// Returns a game as the text of a file; `None` if the format has no games, or not this one.
    pub write: Option<fn(&GameTree) -> Option<String>>,
    /// Boards on which a game can begin, of games other than chess.
    pub boards: &'static [Opening],
}

/// A position in which a game begins.
#[derive(Debug, PartialEq, Eq)]
pub struct Opening {
    pub title: &'static str,
    /// What is special about it, in a few words.
    pub hint: &'static str,
    /// The position as a file has it.
    pub text: &'static str,
}

/// How a file is read.
#[derive(Debug)]
pub enum Reading {
    /// At once, from its name and its text.
    Whole(fn(name: &str, text: &str) -> Result<Entries, LoadError>),
    /// The same from its bytes, in a format that names its encoding itself.
    Bytes(fn(name: &str, bytes: &[u8]) -> Result<Entries, LoadError>),
    /// Game by game, as PGN: a file of any size is searched for games in the background.
    Games,
    /// A stream of bytes, which may be larger than memory, as another program tells its searches.
    Stream(fn(Arc<dyn Source>) -> Result<Entries, LoadError>),
}

/// What was read from a file.
#[derive(Debug, Default)]
pub struct Entries {
    /// The title and hint of the whole file, if it has those.
    pub caption: Option<(String, Option<String>)>,
    pub entries: Vec<Entry>,
    /// What was refused while the rest could be read.
    pub problems: Vec<LoadError>,
}

impl Format {
    /// Whether its entries are games, which can be written.
    pub fn has_games(&self) -> bool {
        matches!(self.reading, Reading::Games) || self.write.is_some()
    }

    /// How many bytes are examined.
    pub(super) const ENOUGH: usize = 64 * 1024;

    /// Returns the one of some formats that a file's name suggests, or else the one that its content looks like. `.txt` and a
    /// missing extension suggest nothing.
    pub fn of(formats: &[&'static Format], name: &str, bytes: &[u8]) -> Option<&'static Format> {
        let extension = Path::new(name).extension().and_then(|e| e.to_str());
        let named = |f: &&&Format| extension.is_some_and(|e| e.eq_ignore_ascii_case(f.extension));
        if let Some(format) = formats.iter().find(named) {
            return Some(format);
        }
        let text = decode(&bytes[..bytes.len().min(Format::ENOUGH)]);
        let line = text
            .lines()
            .map(|line| line.trim_start_matches('\u{feff}').trim())
            .find(|line| !line.is_empty() && !line.starts_with(['#', '%']))?;
        let mut likely = formats.iter().rev();
        likely.find(|format| (format.detect)(line)).copied()
    }
}
