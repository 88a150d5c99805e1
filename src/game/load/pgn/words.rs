//! Finds the places of the words in a game's moves. The PGN reader reports neither places nor what it skips, so this
//! scan goes over the same bytes by the reader's rules.

use std::ops::Range;

use shakmaty::san::{San, SanPlus};

/// A word among a game's moves, with the bytes it occupies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) range: Range<usize>,
    pub(super) kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    San(San),
    Open,
    Close,
    /// In braces, which are part of its range.
    Comment,
    /// `$4` or `??`; `None` if the reader ignores it (`$999`).
    Nag(Option<u8>),
    Number,
    Outcome,
    /// From a semicolon to the end of the line, or a line that begins with `%`; the reader ignores it silently.
    Remark,
    /// Anything else that the reader ignores silently: a move with unusual spelling, an annotation, or something
    /// different.
    Unknown(String),
}

impl Kind {
    /// A bracket or a move, of which the lines of the game consist.
    pub(super) fn is_structure(&self) -> bool {
        matches!(self, Kind::San(_) | Kind::Open | Kind::Close)
    }
}

/// Returns the words among the moves.
pub(super) fn words(bytes: &[u8]) -> Vec<Word> {
    let mut walk = Walk {
        bytes,
        at: 0,
        told: 0,
        words: Vec::new(),
    };
    while walk.at < bytes.len() {
        walk.step();
    }
    walk.words
}

struct Walk<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Unknown words up to here have been reported.
    told: usize,
    words: Vec<Word>,
}

impl Walk<'_> {
    fn rest(&self) -> &[u8] {
        &self.bytes[self.at..]
    }

    /// Advances to the first byte that is not matched by `skip`.
    fn skip_while(&mut self, skip: impl Fn(u8) -> bool) {
        self.at += self
            .rest()
            .iter()
            .position(|&b| !skip(b))
            .unwrap_or(self.rest().len());
    }

    fn step(&mut self) {
        let start = self.at;
        match self.bytes[start] {
            b'{' => {
                self.skip_while(|b| b != b'}');
                self.at = (self.at + 1).min(self.bytes.len());
                self.push(start, Kind::Comment);
            }
            b';' => self.remark(),
            b'\n' => {
                self.at += 1;
                if self.rest().first() == Some(&b'%') {
                    self.remark();
                }
            }
            b'(' => self.single(Kind::Open),
            b')' => self.single(Kind::Close),
            b'*' => self.single(Kind::Outcome),
            b'$' => {
                self.at += 1;
                self.skip_while(|b| !ends_token(b));
                let digits = &self.bytes[start + 1..self.at];
                if digits.iter().all(u8::is_ascii_digit) {
                    self.push(start, Kind::Nag(number(digits)));
                } else {
                    self.unknown(start, self.at);
                }
            }
            b'!' | b'?' => self.suffix(),
            b'0' => self.zero(),
            b'1'..=b'9' => self.number(),
            b'\xc2' => {
                self.at += 1;
                let half = self.rest().first() == Some(&b'\xbd');
                self.at += usize::from(half);
                if half && self.eat_dash() && self.eat("½") {
                    self.push(start, Kind::Outcome);
                } else {
                    self.whole(start);
                }
            }
            b' ' | b'\t' | b'\r' | b'.' => self.at += 1,
            _ => self.word(),
        }
    }

    fn push(&mut self, start: usize, kind: Kind) {
        let range = start..self.at;
        self.words.push(Word { range, kind });
    }

    fn single(&mut self, kind: Kind) {
        self.at += 1;
        self.push(self.at - 1, kind);
    }

    fn remark(&mut self) {
        let start = self.at;
        self.skip_while(|b| b != b'\n');
        self.push(start, Kind::Remark);
    }

    fn suffix(&mut self) {
        const SUFFIXES: [(&str, u8); 6] = [
            ("!!", 3),
            ("!?", 5),
            ("?!", 6),
            ("??", 4),
            ("!", 1),
            ("?", 2),
        ];
        let start = self.at;
        let nag = SUFFIXES.iter().find(|(text, _)| self.eat(text));
        self.push(start, Kind::Nag(nag.map(|(_, nag)| *nag)));
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text.as_bytes());
        if found {
            self.at += text.len();
        }
        found
    }

    fn eat_dash(&mut self) -> bool {
        self.eat("-") || self.eat("–") || self.eat("—")
    }

    /// A result, or castling written with zeros.
    fn zero(&mut self) {
        let start = self.at;
        self.at += 1;
        if !self.eat_dash() {
            self.whole(start);
        } else if self.eat("1") {
            self.push(start, Kind::Outcome);
        } else if self.eat("0") {
            let side = if self.eat_dash() && self.eat("0") {
                shakmaty::CastlingSide::QueenSide
            } else {
                shakmaty::CastlingSide::KingSide
            };
            self.push(start, Kind::San(San::Castle(side)));
        } else {
            self.whole(start);
        }
    }

    /// A move number, or a result that begins with 1.
    fn number(&mut self) {
        let start = self.at;
        let one = self.eat("1");
        if one && self.eat_dash() {
            if self.eat("0") {
                self.push(start, Kind::Outcome);
            } else {
                self.whole(start);
            }
            return;
        }
        if one && self.eat("/2") {
            if self.eat_dash() && self.eat("1/2") {
                self.push(start, Kind::Outcome);
            } else {
                self.whole(start);
            }
            return;
        }
        self.skip_while(|b| b.is_ascii_digit());
        self.skip_while(|b| b == b'.' || b == b' ');
        self.push(start, Kind::Number);
    }

    fn word(&mut self) {
        let start = self.at;
        self.en_passant(start);
        let Ok((san_plus, length)) = SanPlus::from_ascii_prefix(self.rest()) else {
            self.at += 1;
            self.skip_while(|b| !ends_token(b));
            return self.unknown(start, self.at);
        };
        self.at += length;
        if self.rest().first().is_none_or(|&b| ends_token(b)) {
            return self.push(start, Kind::San(san_plus.san));
        }
        // The reader drops this move and continues in the middle of the word.
        self.en_passant(start);
        self.whole(start);
    }

    /// Ends a word after `e.p.`, the only annotation that contains a full stop, which would otherwise end the word.
    fn en_passant(&mut self, start: usize) {
        if self.rest().starts_with(b"e.p") {
            let stop = self.rest().get(3) == Some(&b'.');
            self.unknown(start, self.at + 3 + usize::from(stop));
        }
    }

    /// Treats the whole word that begins at `start` as unknown, although the reader continues in the middle of it.
    fn whole(&mut self, start: usize) {
        let rest = self.rest().iter().position(|&b| ends_token(b));
        let end = rest.map_or(self.bytes.len(), |rest| self.at + rest);
        self.unknown(start, end);
    }

    fn unknown(&mut self, start: usize, end: usize) {
        if start < self.told {
            return;
        }
        self.told = end;
        let text = text::decode(&self.bytes[start..end]);
        self.words.push(Word {
            range: start..end,
            kind: Kind::Unknown(text),
        });
    }
}

/// Returns the number of an annotation glyph, if it is valid.
fn number(digits: &[u8]) -> Option<u8> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

fn ends_token(byte: u8) -> bool {
    matches!(
        byte,
        b'{' | b'}'
            | b'('
            | b')'
            | b'!'
            | b'?'
            | b'$'
            | b';'
            | b'.'
            | b'*'
            | b' '
            | b'\t'
            | b'\r'
            | b'\n'
    )
}
