//! The fields of a JSON object on one line.
//!
//! A tolerant reader: what JSON allows is read, and also the numbers that only some programs write (`NaN`, `1e999`), which
//! are then unusable without making the line so. It allocates nothing while lines have no more and no longer fields than
//! those before.

use std::ops::Range;

/// A string of the line, or of the decoded strings if it has escapes.
#[derive(Clone, Debug)]
pub(super) struct Span {
    range: Range<usize>,
    is_decoded: bool,
}

/// A value on the line.
#[derive(Clone, Debug)]
pub(super) enum Scalar {
    Null,
    Bool(bool),
    Whole(i64),
    Number(f64),
    /// A number that is infinite or none.
    Unusable,
    Text(Span),
    /// What is inside of the brackets.
    List(Range<usize>),
    Object(Range<usize>),
}

/// The fields of a line.
#[derive(Debug, Default)]
pub(crate) struct Line {
    pub(super) fields: Vec<(Span, Scalar)>,
    decoded: String,
}

/// A line that is no JSON object.
#[derive(Debug, Eq, PartialEq)]
pub(crate) struct NotJson;

type Result<T> = std::result::Result<T, NotJson>;

impl Line {
    pub(super) fn read(&mut self, line: &str) -> Result<()> {
        self.fields.clear();
        self.decoded.clear();
        let mut scanner = Scanner {
            text: line,
            at: 0,
            decoded: &mut self.decoded,
        };
        scanner.object(|name, value| self.fields.push((name, value)))?;
        scanner.space();
        if scanner.at < line.len() {
            return Err(NotJson);
        }
        Ok(())
    }

    pub(super) fn text<'a>(&'a self, line: &'a str, span: &Span) -> &'a str {
        let from = if span.is_decoded { &self.decoded } else { line };
        from.get(span.range.clone()).unwrap_or("")
    }

    /// Calls `each` with the elements of a list, or with the names and values of an object.
    pub(super) fn inside(
        line: &str,
        of: &Scalar,
        mut each: impl FnMut(Option<&str>, Inner),
    ) -> Result<()> {
        let mut decoded = String::new();
        let (range, is_list) = match of {
            Scalar::List(range) => (range.clone(), true),
            Scalar::Object(range) => (range.clone(), false),
            _ => return Ok(()),
        };
        let text = line.get(range).ok_or(NotJson)?;
        let mut scanner = Scanner {
            text,
            at: 0,
            decoded: &mut decoded,
        };
        let mut is_first = true;
        loop {
            scanner.space();
            if scanner.at >= text.len() {
                return Ok(());
            }
            if !is_first {
                scanner.expect(b',')?;
                scanner.space();
            }
            is_first = false;
            scanner.decoded.clear();
            let name = match is_list {
                true => None,
                false => {
                    let name = scanner.string()?;
                    scanner.space();
                    scanner.expect(b':')?;
                    scanner.space();
                    Some(scanner.text_of(&name).to_owned())
                }
            };
            let value = scanner.value()?;
            let inner = match &value {
                Scalar::Text(span) => Inner::Text(scanner.text_of(span)),
                Scalar::Null => Inner::Null,
                Scalar::Whole(number) => Inner::Number(*number as f64),
                Scalar::Number(number) => Inner::Number(*number),
                Scalar::Bool(true) => Inner::Text("true"),
                Scalar::Bool(false) => Inner::Text("false"),
                Scalar::Unusable | Scalar::List(_) | Scalar::Object(_) => Inner::Unusable,
            };
            each(name.as_deref(), inner);
        }
    }
}

/// A value in a list or an object.
pub(super) enum Inner<'a> {
    Null,
    Number(f64),
    Text(&'a str),
    Unusable,
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    decoded: &'a mut String,
}

impl Scanner<'_> {
    #[inline]
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline]
    fn space(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.peek() {
            self.at += 1;
        }
    }

    #[inline]
    fn expect(&mut self, byte: u8) -> Result<()> {
        if self.peek() != Some(byte) {
            return Err(NotJson);
        }
        self.at += 1;
        Ok(())
    }

    fn word(&mut self, word: &str) -> Result<()> {
        let rest = self.text.get(self.at..).unwrap_or("");
        if !rest.starts_with(word) {
            return Err(NotJson);
        }
        self.at += word.len();
        Ok(())
    }

    fn text_of(&self, span: &Span) -> &str {
        let from = if span.is_decoded {
            &*self.decoded
        } else {
            self.text
        };
        from.get(span.range.clone()).unwrap_or("")
    }

    fn object(&mut self, mut each: impl FnMut(Span, Scalar)) -> Result<()> {
        self.space();
        self.expect(b'{')?;
        self.space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(());
        }
        loop {
            self.space();
            let name = self.string()?;
            self.space();
            self.expect(b':')?;
            self.space();
            let value = self.value()?;
            each(name, value);
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(());
                }
                _ => return Err(NotJson),
            }
        }
    }

    fn value(&mut self) -> Result<Scalar> {
        match self.peek().ok_or(NotJson)? {
            b'"' => self.string().map(Scalar::Text),
            b'-' | b'+' | b'.' | b'0'..=b'9' => self.number(),
            b'n' => self.word("null").map(|()| Scalar::Null),
            b't' => self.word("true").map(|()| Scalar::Bool(true)),
            b'f' => self.word("false").map(|()| Scalar::Bool(false)),
            b'N' => self.word("NaN").map(|()| Scalar::Unusable),
            b'I' => self.word("Infinity").map(|()| Scalar::Unusable),
            b'[' => self.nested().map(Scalar::List),
            b'{' => self.nested().map(Scalar::Object),
            _ => Err(NotJson),
        }
    }

    #[inline]
    fn number(&mut self) -> Result<Scalar> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let is_negative = bytes[start] == b'-';
        self.at += usize::from(matches!(bytes[start], b'-' | b'+'));
        if self.peek() == Some(b'I') {
            return self.word("Infinity").map(|()| Scalar::Unusable);
        }
        let digits = self.at;
        let mut whole: i64 = 0;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            whole = whole.wrapping_mul(10).wrapping_add(i64::from(digit - b'0'));
            self.at += 1;
        }
        let is_whole = !matches!(self.peek(), Some(b'.' | b'e' | b'E' | b'+' | b'-'));
        if is_whole && (1..=18).contains(&(self.at - digits)) {
            return Ok(Scalar::Whole(if is_negative { -whole } else { whole }));
        }
        while let Some(b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-') = self.peek() {
            self.at += 1;
        }
        let number: f64 = self.text[start..self.at].parse().map_err(|_| NotJson)?;
        match number.is_finite() {
            true => Ok(Scalar::Number(number)),
            false => Ok(Scalar::Unusable),
        }
    }

    #[inline]
    fn string(&mut self) -> Result<Span> {
        self.expect(b'"')?;
        let start = self.at;
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.at).ok_or(NotJson)? {
                b'"' => {
                    let range = start..self.at;
                    self.at += 1;
                    return Ok(Span {
                        range,
                        is_decoded: false,
                    });
                }
                b'\\' => return self.escaped(start),
                _ => self.at += 1,
            }
        }
    }

    /// Decodes a string with escapes, the first of which is here.
    fn escaped(&mut self, start: usize) -> Result<Span> {
        let begin = self.decoded.len();
        self.decoded.push_str(&self.text[start..self.at]);
        loop {
            let rest = &self.text[self.at..];
            let plain = memchr::memchr2(b'"', b'\\', rest.as_bytes()).ok_or(NotJson)?;
            self.decoded.push_str(&rest[..plain]);
            self.at += plain + 1;
            if rest.as_bytes()[plain] == b'"' {
                return Ok(Span {
                    range: begin..self.decoded.len(),
                    is_decoded: true,
                });
            }
            let escape = self.peek().ok_or(NotJson)?;
            self.at += 1;
            let c = match escape {
                b'"' => '"',
                b'\\' => '\\',
                b'/' => '/',
                b'b' => '\u{8}',
                b'f' => '\u{c}',
                b'n' => '\n',
                b'r' => '\r',
                b't' => '\t',
                b'u' => self.unicode()?,
                _ => return Err(NotJson),
            };
            self.decoded.push(c);
        }
    }

    fn unicode(&mut self) -> Result<char> {
        let high = self.hex()?;
        if let Some(c) = char::from_u32(high) {
            return Ok(c);
        }
        // Half of a pair: with the other one a character, alone none.
        let before = self.at;
        if high < 0xdc00 && self.text[self.at..].starts_with("\\u") {
            self.at += 2;
            let low = self.hex()?;
            if (0xdc00..0xe000).contains(&low) {
                let code = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                return char::from_u32(code).ok_or(NotJson);
            }
            self.at = before;
        }
        Ok('\u{fffd}')
    }

    fn hex(&mut self) -> Result<u32> {
        let digits = self.text.get(self.at..self.at + 4).ok_or(NotJson)?;
        if !digits.bytes().all(|d| d.is_ascii_hexdigit()) {
            return Err(NotJson);
        }
        self.at += 4;
        u32::from_str_radix(digits, 16).map_err(|_| NotJson)
    }

    /// Passes a list or an object, and returns the range of what is inside.
    fn nested(&mut self) -> Result<Range<usize>> {
        let start = self.at + 1;
        let mut depth = 0_usize;
        loop {
            match self.peek().ok_or(NotJson)? {
                b'[' | b'{' => depth += 1,
                b']' | b'}' => {
                    depth -= 1;
                    if depth == 0 {
                        let range = start..self.at;
                        self.at += 1;
                        return Ok(range);
                    }
                }
                b'"' => {
                    // Decoded only if it is asked for.
                    let before = self.decoded.len();
                    self.string()?;
                    self.decoded.truncate(before);
                    continue;
                }
                _ => {}
            }
            self.at += 1;
        }
    }
}

#[cfg(test)]
#[path = "scan_tests.rs"]
mod tests;
