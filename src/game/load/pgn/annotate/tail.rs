//! Where an annotation goes: the text after a move that belongs to it.

use super::Writer;
use crate::load::LoadError;
use crate::load::pgn::order::is_sign;
use crate::load::pgn::words::Kind;

/// The text that belongs to a move.
pub(super) struct Tail {
    /// After the move and its glyphs.
    pub(super) glyphs: usize,
    /// After its comments and variations.
    pub(super) end: usize,
    /// Whether `end` is at the beginning of a line.
    pub(super) new_line: bool,
    /// The word that follows.
    pub(super) next: usize,
    /// Set if `glyphs` is before a word instead of after one. A comment there must be preceded by this text, because a
    /// game without tags is recognised by its move number.
    pub(super) opening: Option<&'static str>,
}

impl Writer<'_> {
    /// Finds the text that belongs to a move.
    pub(super) fn tail(&self, node: usize) -> Result<Tail, LoadError> {
        let mut tail = if node == 0 {
            self.beginning()
        } else {
            let word = self.game.moves.get(node).copied().flatten();
            let word = word.ok_or_else(|| {
                LoadError::new(
                    format!("an annotation of move {node}"),
                    "a move of the game",
                )
            })?;
            let end = self.game.words[word].range.end;
            Tail {
                glyphs: end,
                end,
                new_line: false,
                next: word + 1,
                opening: None,
            }
        };
        let mut glyphs = node != 0;
        while let Some(last) = self.belonging(tail.next, tail.end) {
            let word = &self.game.words[last];
            tail.next = last + 1;
            if word.range.start < tail.end {
                continue;
            }
            glyphs &= matches!(word.kind, Kind::Nag(_) | Kind::Unknown(_));
            tail.new_line = word.kind == Kind::Remark;
            tail.end = if tail.new_line {
                self.next_line(word.range.start)
            } else {
                word.range.end
            };
            if glyphs {
                tail.glyphs = tail.end;
            }
        }
        Ok(tail)
    }

    /// If `word` belongs to the move before it (everything up to `end` is known to), returns the last word that belongs
    /// to it as well.
    fn belonging(&self, word: usize, end: usize) -> Option<usize> {
        let found = self.game.words.get(word)?;
        let belongs = match &found.kind {
            // In the middle of an unknown word.
            _ if found.range.start < end => true,
            Kind::Nag(_) | Kind::Comment | Kind::Remark => true,
            Kind::Unknown(text) => is_sign(text) && !self.is_move(word),
            Kind::Open => return self.closing(word),
            _ => false,
        };
        belongs.then_some(word)
    }

    /// The place before the first move.
    fn beginning(&self) -> Tail {
        let words = &self.game.words;
        let first = words.iter().position(|w| w.kind != Kind::Remark);
        let next = first.unwrap_or(words.len());
        let word = words.get(next);
        let tagged = word.is_none() || !self.game.tree.headers.is_empty();
        if let Some(number) = word.filter(|w| !tagged && w.kind == Kind::Number) {
            let range = number.range.clone();
            let at = range.start + self.plain[range].trim_ascii_end().len();
            return Tail {
                glyphs: at,
                end: at,
                new_line: false,
                next: next + 1,
                opening: None,
            };
        }
        let at = word.map_or(self.game.start, |w| w.range.start);
        Tail {
            glyphs: at,
            end: at,
            new_line: true,
            next,
            opening: Some(if tagged { "" } else { "1. " }),
        }
    }

    fn is_move(&self, word: usize) -> bool {
        self.game.moves.contains(&Some(word))
    }

    /// Returns the bracket that closes the one at `open`.
    fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0usize;
        for (i, word) in self.game.words.iter().enumerate().skip(open) {
            match word.kind {
                Kind::Open => depth += 1,
                Kind::Close => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Some(i);
            }
        }
        None
    }

    /// Returns the beginning of the line after the one at `at`.
    fn next_line(&self, at: usize) -> usize {
        let length = memchr::memchr(b'\n', &self.plain[at..]);
        length.map_or(self.text.len(), |length| at + length + 1)
    }
}
