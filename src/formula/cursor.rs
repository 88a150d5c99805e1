//! Steps through a text that is parsed, and the record of what was expected.

use text::quote;

use super::ParseError;
use super::error::one_of;

/// What may follow at one place of a text. A grammar adds its own words to what all of them have.
pub trait Expects: Copy + PartialEq {
    fn sign(sign: &'static str) -> Self;
    /// A word of this name that is part of the arithmetic: a function, `if`.
    fn function() -> Self;
    fn number() -> Self;
    fn end() -> Self;
}

/// A place in a text.
///
/// Wherever a parser asks for something that is not there, the cursor notes it. The notes furthest to the right are what
/// was expected: the same grammar serves parsing, error messages and completion.
#[derive(Debug)]
pub struct Cursor<'a, E> {
    text: &'a str,
    /// The byte offset at which parsing continues.
    pub at: usize,
    /// The furthest byte offset at which something was asked for in vain, and what it was.
    furthest: usize,
    expected: Vec<E>,
    /// How many parentheses, bars, signs and functions are open.
    pub depth: usize,
}

impl<'a, E: Expects> Cursor<'a, E> {
    pub fn new(text: &'a str) -> Self {
        Cursor {
            text,
            at: 0,
            furthest: 0,
            expected: Vec::new(),
            depth: 0,
        }
    }

    /// The whole text.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// What has not been consumed.
    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub fn skip_space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Returns the characters of one sort that come next, without consuming them.
    pub fn word(&self, is_part: fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        &rest[..end]
    }

    /// Consumes a sign if it comes next, and notes it if not.
    pub fn sign(&mut self, sign: &'static str) -> bool {
        self.skip_space();
        // Texts print a minus as what it is.
        let written = [sign, if sign == "-" { "−" } else { sign }];
        let found = { written.iter() }.find(|sign| self.rest().starts_with(**sign));
        match found {
            Some(sign) => self.at += sign.len(),
            None => self.note(E::sign(sign)),
        }
        found.is_some()
    }

    /// Consumes `1000`, `0.2`, `1_000`, `10k` or `2M`, or notes that a number was expected.
    pub fn constant(&mut self) -> Option<f64> {
        self.skip_space();
        let word = self.word(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_'));
        let (digits, factor) = match word.trim_end_matches(['k', 'K', 'M']) {
            all if all.len() == word.len() => (all, 1.0),
            digits if word == format!("{digits}M") => (digits, 1e6),
            digits if word.len() == digits.len() + 1 => (digits, 1e3),
            _ => ("", 1.0),
        };
        let plain = digits.replace('_', "");
        let is_plain = plain.chars().all(|c| c.is_ascii_digit() || c == '.');
        let value = plain.parse::<f64>().ok().map(|v| v * factor);
        let value = value.filter(|v| is_plain && v.is_finite());
        match value {
            Some(_) => self.at += word.len(),
            None => self.note(E::number()),
        }
        value
    }

    /// Whether nothing follows but space; notes that the end was expected if not.
    pub fn is_at_end(&mut self) -> bool {
        self.skip_space();
        let ends = self.rest().is_empty();
        if !ends {
            self.note(E::end());
        }
        ends
    }

    /// Notes that something was asked for here and is missing.
    pub fn note(&mut self, expected: E) {
        if self.at > self.furthest {
            self.furthest = self.at;
            self.expected.clear();
        }
        if self.at == self.furthest && !self.expected.contains(&expected) {
            self.expected.push(expected);
        }
    }

    /// What was asked for in vain, furthest to the right.
    pub fn missing(&self) -> &[E] {
        &self.expected
    }

    /// Returns what could have followed at the very end of the text; nothing if parsing stopped before.
    pub fn expected_at_end(&self) -> &[E] {
        if self.furthest == self.text.len() {
            &self.expected
        } else {
            &[]
        }
    }

    /// Returns the error at a byte offset.
    pub fn error(&self, at: usize, found: String, expected: String) -> ParseError {
        ParseError {
            column: self.column(at),
            found,
            expected,
            meant: None,
        }
    }

    /// Returns the error where something was asked for in vain, given the names of all that could follow there. A word
    /// that was found there is made of such characters; else it is one sign.
    pub fn unexpected(&self, names: Vec<String>, is_part: impl Fn(char) -> bool) -> ParseError {
        let rest = &self.text[self.furthest..];
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let found = &rest[..end.max(first)];
        let (expected, meant) = one_of(names, found);
        let found = match found.is_empty() {
            true => "the end".into(),
            false => quote(found),
        };
        ParseError {
            meant,
            ..self.error(self.furthest, found, expected)
        }
    }

    /// The column of a byte offset in characters, starting at 1.
    pub fn column(&self, at: usize) -> u32 {
        1 + self.text[..at].chars().count() as u32
    }
}

/// Whether a character can be part of a name.
pub fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
