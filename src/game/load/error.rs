//! What is wrong in a file, and where.

use std::{fmt, io};

use text::sanitise;

/// Why something was refused (or, in a list of warnings, ignored), in one line: `games.pgn:12:5: found "Qz9", expected
/// a legal move for White`.
///
/// All text is safe to print: whatever comes from the file has passed through [`sanitise`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct LoadError {
    /// The name of the file as given, if the text came from one.
    pub file: Option<String>,
    /// Counted from 1.
    pub line: Option<u32>,
    /// Counted from 1, in characters.
    pub column: Option<u32>,
    /// The number of the game, counted from 1, in a file with several.
    pub game: Option<u32>,
    /// What was found there (a quotation or a description), or the whole message if nothing particular was expected.
    pub found: String,
    /// What was expected there; may be empty.
    pub expected: String,
    /// What else was refused, if nothing in the file could be used.
    pub others: Box<[LoadError]>,
}

impl From<LoadError> for String {
    fn from(error: LoadError) -> String {
        error.to_string()
    }
}

impl LoadError {
    /// `found` and `expected` complete the sentence "found …, expected …".
    pub fn new(found: impl Into<String>, expected: impl Into<String>) -> LoadError {
        LoadError {
            file: None,
            line: None,
            column: None,
            game: None,
            found: sanitise(&found.into()),
            expected: sanitise(&expected.into()),
            others: Box::default(),
        }
    }

    /// Returns why nothing in a file can be used: all that was refused in it, or else `nothing`.
    pub fn of_all(refused: Vec<LoadError>, nothing: LoadError) -> LoadError {
        let mut refused = refused.into_iter();
        match refused.next() {
            Some(first) => LoadError {
                others: refused.collect(),
                ..first
            },
            None => nothing,
        }
    }

    /// Returns all that was refused, each in a line.
    pub fn lines(&self) -> String {
        let all = [self].into_iter().chain(&self.others);
        let all: Vec<String> = all.map(LoadError::to_string).collect();
        all.join("\n")
    }

    /// Creates a message about something where nothing particular was expected, such as a missing file.
    pub fn message(text: impl Into<String>) -> LoadError {
        LoadError::new(text, "")
    }

    pub fn at(mut self, line: u32, column: u32) -> LoadError {
        self.line = Some(line);
        self.column = Some(column);
        self
    }

    pub fn at_line(mut self, line: u32) -> LoadError {
        self.line = Some(line);
        self
    }

    pub fn at_column(mut self, column: u32) -> LoadError {
        self.column = Some(column);
        self
    }

    pub fn in_game(mut self, number: u32) -> LoadError {
        self.game = Some(number);
        self
    }

    pub fn in_file(mut self, name: &str) -> LoadError {
        self.file = Some(sanitise(name));
        let others = std::mem::take(&mut self.others).into_vec();
        let placed = others.into_iter().map(|other| other.in_file(name));
        self.others = placed.collect();
        self
    }
}

/// The system's reason why a file cannot be read.
pub fn unreadable(error: &io::Error) -> LoadError {
    LoadError::message(format!("cannot be read ({error})"))
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.line, self.column) {
            (Some(file), Some(line), Some(column)) => write!(f, "{file}:{line}:{column}: ")?,
            (Some(file), Some(line), None) => write!(f, "{file}:{line}: ")?,
            (Some(file), None, _) => write!(f, "{file}: ")?,
            (None, Some(line), Some(column)) => write!(f, "line {line}, column {column}: ")?,
            (None, Some(line), None) => write!(f, "line {line}: ")?,
            (None, None, Some(column)) => write!(f, "column {column}: ")?,
            (None, None, None) => {}
        }
        if let Some(game) = self.game {
            write!(f, "game {game}: ")?;
        }
        if self.expected.is_empty() {
            return f.write_str(&self.found);
        }
        write!(f, "found {}, expected {}", self.found, self.expected)
    }
}
