//! The parser's steps through the text, and its records of what was expected.

use super::{DEEPEST, Expected, Parser, Read, Stop};
use crate::breakpoint::BreakpointError;
use crate::breakpoint::complete::in_words;
use crate::breakpoint::words::Keyword;
use text::quote;

impl<'a> Parser<'a> {
    /// Parses a part one nesting level deeper.
    pub(super) fn deeper<T>(&mut self, part: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let expected = format!("at most {DEEPEST}");
            return Err(self.say(self.at, "one level more".into(), expected));
        }
        let read = part(self);
        self.depth -= 1;
        read
    }

    pub(super) fn skip_space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Returns the characters of one sort that come next, without consuming them.
    pub(super) fn word(&self, is_part: fn(char) -> bool) -> &'a str {
        let rest = &self.text[self.at..];
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        &rest[..end]
    }

    pub(super) fn keyword_stands(&mut self, keyword: Keyword) -> bool {
        self.skip_space();
        let stands = self.word(is_of_word).eq_ignore_ascii_case(keyword.name());
        if !stands {
            self.note(Expected::Keyword(keyword));
        }
        stands
    }

    pub(super) fn keyword(&mut self, keyword: Keyword) -> bool {
        let stands = self.keyword_stands(keyword);
        if stands {
            self.at += keyword.name().len();
        }
        stands
    }

    pub(super) fn sign(&mut self, sign: &'static str) -> bool {
        self.skip_space();
        let stands = self.text[self.at..].starts_with(sign);
        if stands {
            self.at += sign.len();
        } else {
            self.note(Expected::Sign(sign));
        }
        stands
    }

    pub(super) fn require(&mut self, sign: &'static str) -> Read<()> {
        if self.sign(sign) {
            Ok(())
        } else {
            Err(Stop::Unexpected)
        }
    }

    /// Records that something was asked for here and is missing.
    pub(super) fn note(&mut self, expected: Expected) {
        if self.at > self.furthest {
            self.furthest = self.at;
            self.expected.clear();
        }
        if self.at == self.furthest && !self.expected.contains(&expected) {
            self.expected.push(expected);
        }
    }

    pub(super) fn say(&self, at: usize, found: String, expected: String) -> Stop {
        Stop::Said(BreakpointError {
            column: self.column(at),
            found,
            expected,
            meant: None,
        })
    }

    pub(super) fn column(&self, at: usize) -> u32 {
        1 + self.text[..at].chars().count() as u32
    }

    pub(super) fn unexpected(&self) -> BreakpointError {
        let rest = &self.text[self.furthest..];
        let kinds = self.expected.contains(&Expected::Kind);
        let end = rest
            .find(|c: char| !(is_of_word(c) || kinds && c == '-' || c == '.'))
            .unwrap_or(rest.len());
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let found = &rest[..end.max(first)];
        let (expected, meant) = in_words(&self.expected, found);
        BreakpointError {
            column: self.column(self.furthest),
            found: if found.is_empty() {
                "the end".into()
            } else {
                quote(found)
            },
            expected,
            meant,
        }
    }
}

pub(super) fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
