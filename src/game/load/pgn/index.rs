//! Finds the games of a PGN file without reading their moves. A large file opens at once, and a game is parsed only
//! when it is opened.

use std::ops::Range;

use super::tags::{self, Piece};

/// The place of a game in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameSpan {
    /// Byte offsets.
    pub start: usize,
    pub end: usize,
    /// The line on which it begins, from 1.
    pub line: u32,
}

/// Finds the games. A game is a block of tags with the moves after it, or moves alone; comments and other text may come
/// before the tags and between them.
///
/// A blank line alone ends nothing, since many files have them between tags, between tags and moves, and among the
/// moves. A new game begins at a tag after moves, at a tag that the current game already has (after a blank line), at
/// anything but a comment after a result, or at a first move after a blank line.
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
    /// Before the first move: tags, comments and other text.
    #[default]
    Head,
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
    /// The escaped lines above the first game, which belong to it: their offset and line.
    escaped: Option<(usize, u32)>,
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
        let mut rest = tags::trimmed(raw);
        if rest.is_empty() {
            self.blank = true;
            return;
        }
        let mut blank = std::mem::take(&mut self.blank);
        // An unclosed comment ends where a new game obviously begins.
        if self.in_comment && blank && rest.starts_with(b"[Event \"") {
            self.in_comment = false;
            self.part = Part::Moves;
        }
        if self.in_comment {
            match memchr::memchr(b'}', rest) {
                Some(end) if self.part == Part::Head => {
                    self.in_comment = false;
                    rest = tags::trimmed(&rest[end + 1..]);
                }
                None if self.part == Part::Head => return,
                _ => return self.movetext(rest),
            }
        } else if tags::is_escaped(raw) {
            if self.open.is_none() {
                self.escaped.get_or_insert((offset, number));
            }
            return;
        }
        if self.part == Part::Moves {
            let new = match rest[0] {
                b'[' => self.ended || matches!(tags::piece(rest), Piece::Tag(tag) if tag.is_sure()),
                b'{' | b';' | b'$' | b'(' | b')' => false,
                _ => self.ended || blank && (rest.starts_with(b"1.") || rest.starts_with(b"1 ")),
            };
            if !new {
                return self.movetext(rest);
            }
            self.begin(offset, number);
        } else if self.open.is_none() {
            self.begin(offset, number);
        }
        while !rest.is_empty() {
            let length = match tags::piece(rest) {
                Piece::Tag(tag) => {
                    if blank && self.has_tag(tag.name()) {
                        self.begin(offset, number);
                    }
                    self.tags.extend_from_slice(tag.name());
                    self.tags.push(b'\n');
                    tag.length
                }
                // What comes after a comment or a text may be another game, as after a blank line.
                Piece::Comment => {
                    self.blank = true;
                    let end = memchr::memchr(b'}', rest);
                    self.in_comment = end.is_none();
                    end.map_or(rest.len(), |end| end + 1)
                }
                Piece::Remark => {
                    self.blank = true;
                    rest.len()
                }
                Piece::Text(length) => {
                    self.blank = true;
                    length
                }
                Piece::Moves => return self.moves(rest, offset + raw.len()),
            };
            rest = tags::trimmed(&rest[length..]);
            blank = false;
        }
    }

    /// Returns where the bytes begin that the next head may need.
    pub(super) fn head(&self) -> Option<usize> {
        self.head.or(self.escaped.map(|(start, _)| start))
    }

    /// Treats the tags as ended at `end` although no move was seen.
    pub(super) fn end_head(&mut self, end: usize) {
        self.escaped = None;
        if let Some(start) = self.head.take() {
            self.heads.push(start..end);
        }
    }

    /// Ends the last game at the end of the file.
    pub(super) fn finish(&mut self, end: usize) {
        self.close(end);
    }

    fn has_tag(&self, name: &[u8]) -> bool {
        let mut tags = self.tags.split(|&b| b == b'\n');
        tags.any(|tag| tag.eq_ignore_ascii_case(name))
    }

    fn begin(&mut self, offset: usize, number: u32) {
        let (start, line) = self.escaped.take().unwrap_or((offset, number));
        self.close(start);
        self.part = Part::Head;
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
    fn broken_tags_and_what_stands_beside_them_divide_no_game() {
        for line in [
            "[WhiteElo 2400]",
            "[WhiteElo '2400']",
            "[WhiteElo “2400”]",
            "[WhiteElo]",
            "[WhiteElo \"2400]",
            "[WhiteElo \"2400\"",
            "[whiteelo \"2400\"]",
            "[WhiteElo \"2400\"] ; a remark",
            "[WhiteElo \"2400\"] {a remark}",
            "[WhiteElo \"2400\"] [BlackElo \"2300\"]",
            "; a remark",
            "{a remark}",
            "{a remark\non two lines}",
            "Paris, in the opera",
            "[a remark]",
            "% escaped",
            "",
        ] {
            for text in [
                format!("{line}\n[Event \"x\"]\n\n1. e4 *\n\n[Event \"y\"]\n\n1. d4 *\n"),
                format!(
                    "[Event \"x\"]\n{line}\n[Site \"y\"]\n\n1. e4 *\n\n[Event \"y\"]\n\n1. d4 *\n"
                ),
                format!("[Event \"x\"]\n\n{line}\n\n1. e4 *\n\n[Event \"y\"]\n\n1. d4 *\n"),
                format!("[Event \"x\"]\n\n1. e4 *\n\n[Event \"y\"]\n{line}\n\n1. d4 *\n"),
            ] {
                assert_eq!(starts(&text).len(), 2, "{text}");
            }
        }
        // An escaped line at the top belongs to the first game.
        assert_eq!(starts("% x\n\n[A \"\"]\n\n1. e4 *\n"), [1]);
        assert_eq!(starts("\u{feff}% x\n1. e4 *\n"), [1]);
        // A text after a result belongs to the next game, a comment to the one before.
        assert_eq!(starts("1. e4 *\n\nsecond\n[A \"\"]\n1. d4 *"), [1, 3]);
        assert_eq!(starts("1. e4 *\n\n; second\n[A \"\"]\n1. d4 *"), [1, 4]);
        assert_eq!(starts("1. e4\n[diagram]\n1... e5 *"), [1]);
    }

    #[test]
    fn comments_hide_what_looks_like_a_game() {
        assert_eq!(starts("1. e4 { like\n\n[A \"\"]\n\n1. d4 * } e5 *\n"), [1]);
        assert_eq!(starts("{ like\n\n[A \"\"]\n\n1. d4 * } e5 *\n"), [1]);
        // Unless the comment is never closed.
        assert_eq!(starts("{ open\n\n[Event \"x\"]\n\n1. d4 *\n"), [1, 3]);
        assert_eq!(starts("1. e4 { open\n\n[Event \"x\"]\n\n1. d4 *\n"), [1, 3]);
    }
}
