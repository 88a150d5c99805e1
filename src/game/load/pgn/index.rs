//! Finds the games of a PGN file without reading their moves. A large file opens at once, and a game is parsed only
//! when it is opened.

use std::ops::Range;

use super::tags;

/// The place of a game in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameSpan {
    /// Byte offsets.
    pub start: usize,
    pub end: usize,
    /// The line on which it begins, from 1.
    pub line: u32,
}

/// Finds the games. A game is a block of tags with the moves after it, or moves alone.
///
/// A blank line alone ends nothing, since many files have them between tags, between tags and moves, and among the
/// moves. A new game begins at a tag after moves, at a tag that the current game already has (after a blank line), at
/// moves after a result, or at a first move after a blank line.
pub fn index(bytes: &[u8]) -> Vec<GameSpan> {
    let mut indexer = Indexer::default();
    let (mut start, mut number) = (0, 0);
    for end in memchr::memchr_iter(b'\n', bytes).chain([bytes.len()]) {
        number += 1;
        indexer.line(&bytes[start..end], start, number);
        start = end + 1;
    }
    indexer.finish(bytes.len());
    indexer.closed
}

#[derive(Default, PartialEq, Eq, Clone, Copy)]
enum Part {
    #[default]
    Nothing,
    Tags,
    Moves,
}

/// Processes a file line by line. Its results are in `closed` and `heads` until the caller removes them.
#[derive(Default)]
pub(super) struct Indexer {
    /// Games whose end is known.
    pub(super) closed: Vec<GameSpan>,
    /// For each game in order, the bytes with its tags, known as soon as the tags have ended.
    pub(super) heads: Vec<Range<usize>>,
    /// The current game.
    open: Option<GameSpan>,
    /// Where the current game begins, as long as its tags have not ended.
    head: Option<usize>,
    part: Part,
    in_comment: bool,
    /// The previous line was blank.
    blank: bool,
    /// A line of moves ended with a result.
    ended: bool,
    /// The names of the current game's tags, with a line feed after each.
    tags: Vec<u8>,
}

impl Indexer {
    /// Processes the next line, which begins at `offset` and is the file's line `number`.
    pub(super) fn line(&mut self, raw: &[u8], offset: usize, number: u32) {
        let line = tags::trimmed(raw);
        if line.is_empty() {
            self.blank = true;
            return;
        }
        let blank = std::mem::take(&mut self.blank);
        // An unclosed comment ends where a new game obviously begins.
        if self.in_comment && blank && line.starts_with(b"[Event \"") {
            self.in_comment = false;
        }
        if self.in_comment {
            self.movetext(line);
            return;
        }
        if raw.starts_with(b"%") {
            return;
        }
        match tags::name(line) {
            Some(name) => {
                let again = blank && self.has_tag(name);
                if self.part != Part::Tags || again {
                    self.begin(offset, number);
                }
                self.part = Part::Tags;
                self.tags.extend_from_slice(name);
                self.tags.push(b'\n');
                let rest = after_tags(line);
                if !rest.is_empty() {
                    self.moves(rest, offset + raw.len());
                }
            }
            None => {
                let first = line.starts_with(b"1.") || line.starts_with(b"1 ");
                let remark = matches!(line[0], b'{' | b';' | b'$' | b'(' | b')');
                let new = self.part == Part::Moves && (self.ended && !remark || blank && first);
                if self.part == Part::Nothing || new {
                    self.begin(offset, number);
                }
                self.moves(line, offset + raw.len());
            }
        }
    }

    /// Returns where the bytes begin that the next head may need.
    pub(super) fn head(&self) -> Option<usize> {
        self.head
    }

    /// Treats the tags as ended at `end` although no move was seen.
    pub(super) fn end_head(&mut self, end: usize) {
        if let Some(start) = self.head.take() {
            self.heads.push(start..end);
        }
    }

    /// Ends the last game at the end of the file.
    pub(super) fn finish(&mut self, end: usize) {
        self.close(end);
    }

    fn has_tag(&self, name: &[u8]) -> bool {
        self.tags.split(|&b| b == b'\n').any(|tag| tag == name)
    }

    fn begin(&mut self, start: usize, line: u32) {
        self.close(start);
        self.open = Some(GameSpan {
            start,
            end: start,
            line,
        });
        self.head = Some(start);
        self.tags.clear();
        self.ended = false;
    }

    fn close(&mut self, end: usize) {
        self.end_head(end);
        if let Some(span) = self.open.take() {
            self.closed.push(GameSpan { end, ..span });
        }
    }

    fn moves(&mut self, line: &[u8], end: usize) {
        self.end_head(end);
        self.part = Part::Moves;
        self.movetext(line);
    }

    /// Tracks comments, and notices whether the game ends on this line.
    fn movetext(&mut self, line: &[u8]) {
        for at in memchr::memchr3_iter(b'{', b'}', b';', line) {
            match line[at] {
                b'}' if self.in_comment => self.in_comment = false,
                b'{' if !self.in_comment => self.in_comment = true,
                b';' if !self.in_comment => break,
                _ => {}
            }
        }
        let result = [b"1-0".as_slice(), b"0-1", b"1/2-1/2", b"*"];
        let remark = self.ended && matches!(line.first(), Some(b'{' | b';'));
        self.ended = !self.in_comment && (remark || result.iter().any(|r| line.ends_with(r)));
    }
}

/// Returns what follows the tags on a line, which is moves if it is anything.
fn after_tags(mut line: &[u8]) -> &[u8] {
    while tags::name(line).is_some() {
        match tags::length(line) {
            Some(length) => line = line[length..].trim_ascii(),
            None => return &[],
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn starts(text: &str) -> Vec<u32> {
        let games = index(text.as_bytes());
        for pair in games.windows(2) {
            assert_eq!(pair[0].end, pair[1].start);
        }
        games.iter().map(|g| g.line).collect()
    }

    #[test]
    fn games_are_found_whatever_the_blank_lines() {
        assert_eq!(
            starts("[A \"\"]\n\n1. e4 *\n\n[A \"\"]\n\n1. d4 *\n"),
            [1, 5]
        );
        // Blank lines between the tags and among the moves, none in between.
        assert_eq!(starts("[A \"\"]\n\n[B \"\"]\n\n1. e4\n\n2. d4 *\n"), [1]);
        assert_eq!(starts("[A \"\"]\n1. e4 *\n[A \"\"]\n1. d4 *"), [1, 3]);
        // Tags only.
        assert_eq!(starts("[A \"\"]\n[B \"\"]\n\n[A \"\"]\n[B \"\"]\n"), [1, 4]);
        // Moves only.
        assert_eq!(starts("1. e4 e5 *\n\n1. d4 d5\n\n1. c4"), [1, 3, 5]);
        assert_eq!(starts("e4 e5 *\nd4 d5 1-0\n{a remark}\nc4 *"), [1, 2, 4]);
        assert_eq!(starts("[A \"x\"] 1. e4 *\n [A \"y\"] 1. d4"), [1, 2]);
        assert_eq!(starts(""), [] as [u32; 0]);
        assert_eq!(starts("\n\n% comment\n\n"), [] as [u32; 0]);
    }

    #[test]
    fn comments_hide_what_looks_like_a_game() {
        assert_eq!(starts("1. e4 { like\n\n[A \"\"]\n\n1. d4 * } e5 *\n"), [1]);
        // Unless the comment is never closed.
        assert_eq!(starts("1. e4 { open\n\n[Event \"x\"]\n\n1. d4 *\n"), [1, 3]);
    }
}
