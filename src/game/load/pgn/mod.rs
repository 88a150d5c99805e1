//! Games in Portable Game Notation, in files of any size. The list of games comes first; a game's moves are read when
//! it is opened.

mod annotate;
pub mod annotation;
mod clean;
mod index;
mod judge;
mod order;
mod query;
mod read;
mod scan;
mod source;
mod start;
mod summary;
mod tags;
mod tree;
mod walk;
mod words;

use std::{
    collections::BTreeMap,
    io::{self, Write},
    ops::Range,
    path::Path,
    sync::Arc,
};

use super::LoadError;
use scan::{List, Scan};
use source::{LineEnds, Source};

pub use annotate::{Annotation, Existing};
pub use index::{GameSpan, index};
pub use query::Query;
pub use summary::GameSummary;
pub use tree::{GameNode, GameTree, Property};
pub use walk::Token;

/// Returns the value of a tag among those at the beginning of a text.
pub(super) fn value_of(text: &[u8], name: &str) -> Option<String> {
    tags::Head::read(text).tag(name).map(|(_, tag)| tag.value())
}

/// The games of one file. In a large file a background thread finds them, and [`Games::len`] grows until
/// [`Games::is_complete`]. The text of a game is read from the file when it is needed.
#[derive(Debug)]
pub struct Games {
    source: Source,
    ends: LineEnds,
    list: Arc<List>,
}

impl Games {
    /// The games in bytes that are already in memory.
    pub fn new(bytes: Vec<u8>) -> Games {
        let source = Source::Bytes(Arc::new(bytes));
        Games::of(source).unwrap_or_else(|_| Games {
            source: Source::Bytes(Arc::default()),
            ends: LineEnds::default(),
            list: Arc::default(),
        })
    }

    /// Opens the games of a file. At least one has been found when this returns, unless the file has none.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn open(path: &Path) -> io::Result<Games> {
        Games::of(Source::file(path)?)
    }

    fn of(source: Source) -> io::Result<Games> {
        let list = Arc::default();
        let ends = Scan::new(source.clone())?.start(&list);
        Ok(Games { source, ends, list })
    }

    /// Returns the number of games found so far.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the whole file has been searched for games.
    pub fn is_complete(&self) -> bool {
        self.list.is_complete()
    }

    /// Returns the number of bytes searched for games, and the size of the file.
    pub fn progress(&self) -> (u64, u64) {
        (self.list.read(), self.source.length())
    }

    /// Waits until game `i` is found. Returns `false` if the file has no such game.
    pub fn wait_for(&self, i: usize) -> bool {
        self.list.wait_for(i)
    }

    /// Waits until all games are found.
    ///
    /// # Errors
    /// If the file could not be read to its end, or has changed in the meantime. The games found before are still
    /// there.
    pub fn wait_complete(&self) -> Result<(), LoadError> {
        self.wait_for(usize::MAX);
        self.list.fault().map_or(Ok(()), Err)
    }

    /// Returns the place of game `i` in the file.
    pub fn span(&self, i: usize) -> Option<GameSpan> {
        self.summary(i).map(|summary| summary.span())
    }

    /// Returns what the tags of game `i` say.
    pub fn summary(&self, i: usize) -> Option<GameSummary> {
        self.list.summary(i)
    }

    /// Returns the numbers of the matching games, among those of `range` found so far.
    pub fn matching(&self, query: &Query, range: Range<usize>) -> Vec<usize> {
        let mut matching = Vec::new();
        for chunk in self.list.chunks_of(range.clone()) {
            let from = range.start.saturating_sub(chunk.first);
            let to = chunk.len().min(range.end.saturating_sub(chunk.first));
            let found = query.matches_in(&chunk, from..to);
            matching.extend(found.into_iter().map(|at| chunk.first + at));
        }
        matching
    }

    /// Returns the end of the group of games that `from` belongs to; `from` itself if it was not found yet. A group shares its texts,
    /// so [`Games::matching`] takes least time where it is asked for whole groups.
    pub fn together(&self, from: usize) -> usize {
        let chunks = self.list.chunks_of(from..from + 1);
        chunks
            .first()
            .map_or(from, |chunk| chunk.first + chunk.len())
    }

    /// Returns the size of the list of games in memory, in bytes.
    pub fn memory(&self) -> usize {
        self.list.chunks().iter().map(|c| c.memory()).sum()
    }

    /// Reads game `i`.
    ///
    /// # Errors
    /// If it is not a game, is of an unsupported variant, or begins from an illegal position; also if the file cannot
    /// be read or has changed.
    pub fn game(&self, i: usize) -> Result<GameTree, LoadError> {
        let (span, text) = self.text(i)?;
        read::read(&self.plain(text), span.line)
    }

    /// Returns the text of game `i` with the annotations inserted. Everything else stays the same, byte for byte.
    ///
    /// # Errors
    /// See [`Games::game`]. Also if an annotation is for a move that the game does not have, if its variation is
    /// illegal, or if it cannot be written without changing how the game is read.
    pub fn annotated(
        &self,
        game: usize,
        annotations: &[Annotation],
        existing: Existing,
    ) -> Result<Vec<u8>, LoadError> {
        let (span, text) = self.text(game)?;
        let plain = self.plain(text.clone());
        annotate::annotate(&text, &plain, self.ends, span.line, annotations, existing)
    }

    /// Returns the text of game `i` as it is in the file.
    ///
    /// # Errors
    /// If the file cannot be read or has changed.
    pub fn text_of(&self, i: usize) -> Result<Vec<u8>, LoadError> {
        Ok(self.text(i)?.1)
    }

    /// Makes the text of game `i`, annotated or not, one that can be written before and after games of any file: its
    /// lines end in line feeds or in carriage returns with line feeds, there is no byte order mark, and it ends in an
    /// empty line. A game that has only tags gets its result as movetext, so that the next game's tags are not read as
    /// its own.
    pub fn separate(&self, i: usize, text: Vec<u8>) -> Vec<u8> {
        let mut text = self.plain(text);
        if text.starts_with(b"\xef\xbb\xbf") {
            text.drain(..3);
        }
        let end = if text.ends_with(b"\r\n") {
            "\r\n"
        } else {
            "\n"
        };
        text.truncate(text.trim_ascii_end().len());
        text.extend_from_slice(end.repeat(2).as_bytes());
        let before_another = |text: &[u8]| index(&[text, b"[A \"\"]\n\n*\n"].concat()).len();
        if before_another(&text) == 1 {
            let summary = self.summary(i);
            let result = summary.as_ref().map_or("*", |summary| summary.result());
            let result = match result {
                "1-0" | "0-1" | "1/2-1/2" => result,
                _ => "*",
            };
            let ended = [&text, result.as_bytes(), end.repeat(2).as_bytes()].concat();
            // A comment that is not closed hides whatever follows.
            if before_another(&ended) > 1 {
                return ended;
            }
        }
        text
    }

    /// Writes the whole file to `out`, with the texts of some games replaced.
    ///
    /// # Errors
    /// If the file cannot be read or has changed, or `out` cannot be written to.
    pub fn write_with(
        &self,
        out: &mut dyn Write,
        replaced: &BTreeMap<usize, Vec<u8>>,
    ) -> io::Result<()> {
        self.wait_complete().map_err(io::Error::other)?;
        let mut at = 0;
        for (&game, text) in replaced {
            let Some(span) = self.span(game) else {
                return Err(io::Error::other(self.no_game(game)));
            };
            self.source.copy(at..span.start as u64, out)?;
            out.write_all(text)?;
            at = span.end as u64;
        }
        self.source.copy(at..self.source.length(), out)
    }

    /// Writes the whole file like [`Games::write_with`], but atomically; see [`text::save::save`]. The target may be the file
    /// from which the games were read, which must then be opened again.
    ///
    /// # Errors
    /// See [`Games::write_with`]; the previous file is then unchanged.
    pub fn save(&self, path: &Path, replaced: &BTreeMap<usize, Vec<u8>>) -> io::Result<()> {
        text::save::save(path, |out| self.write_with(out, replaced))
    }

    fn plain(&self, mut text: Vec<u8>) -> Vec<u8> {
        self.ends.plain(&mut text);
        text
    }

    fn text(&self, i: usize) -> Result<(GameSpan, Vec<u8>), LoadError> {
        let span = self.span(i).ok_or_else(|| self.no_game(i))?;
        let text = self.source.read(span.start as u64..span.end as u64)?;
        Ok((span, text))
    }

    fn no_game(&self, i: usize) -> LoadError {
        let found = format!("{} games", self.len());
        LoadError::new(found, format!("a game number {}", i + 1))
    }
}
