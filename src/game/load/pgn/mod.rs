//! Games in Portable Game Notation: an index of the file first, a game's moves when it is opened.

pub mod annotation;
mod clean;
mod index;
mod read;
mod tree;
mod words;

use super::LoadError;

pub use index::{GameSpan, index};
pub use tree::{GameNode, GameTree, title};

/// The games of one file.
#[derive(Clone, Debug)]
pub struct Games {
    bytes: Vec<u8>,
    spans: Vec<GameSpan>,
}

impl Games {
    /// Finds the games without reading their moves.
    #[must_use]
    pub fn new(mut bytes: Vec<u8>) -> Games {
        plain_line_ends(&mut bytes);
        let spans = index(&bytes);
        Games { bytes, spans }
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Where game `i` stands.
    #[must_use]
    pub fn span(&self, i: usize) -> Option<GameSpan> {
        self.spans.get(i).copied()
    }

    /// The tags of game `i` in the file's order, without reading its moves.
    #[must_use]
    pub fn headers(&self, i: usize) -> Vec<(String, String)> {
        self.text(i).map_or_else(Vec::new, read::headers)
    }

    /// Reads game `i`.
    ///
    /// # Errors
    /// If it is no game, of a variant that is not played, or from a position that is not legal.
    pub fn game(&self, i: usize) -> Result<GameTree, LoadError> {
        match (self.text(i), self.span(i)) {
            (Some(text), Some(span)) => read::read(text, span.line),
            _ => {
                let found = format!("{} games", self.len());
                Err(LoadError::new(found, format!("a game number {}", i + 1)))
            }
        }
    }

    fn text(&self, i: usize) -> Option<&[u8]> {
        let span = self.spans.get(i)?;
        self.bytes.get(span.start..span.end)
    }
}

/// HTML line breaks and the line ends of old Macintoshes become line feeds; no byte changes its place.
fn plain_line_ends(bytes: &mut [u8]) {
    const BREAK: &[u8] = b"<br />";
    // A file that has them has them from the beginning: no need to look through a large one.
    const ENOUGH: usize = 64 * 1024;
    let beginning = &bytes[..bytes.len().min(ENOUGH)];
    if let Some(first) = beginning.windows(BREAK.len()).position(|w| w == BREAK) {
        for at in first..=bytes.len() - BREAK.len() {
            if bytes[at..].starts_with(BREAK) {
                bytes[at..at + BREAK.len()].fill(b' ');
                bytes[at] = b'\n';
            }
        }
    }
    if !bytes.contains(&b'\n') {
        for byte in bytes.iter_mut().filter(|b| **b == b'\r') {
            *byte = b'\n';
        }
    }
}
