//! Where the words of a game's moves stand. The PGN reader tells neither places nor what it passes over; this walk
//! over the same bytes, by the reader's rules, does.

use shakmaty::san::{San, SanPlus};

/// What the reader reports one after the other, and what it keeps silent about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Word {
    San {
        offset: usize,
        san: San,
    },
    Open,
    Close,
    /// Passed over in silence: a misspelt move, or an annotation of an unknown kind.
    Unknown {
        offset: usize,
        text: String,
    },
}

/// The words of the moves that begin at `offset` of `bytes`.
pub(super) fn words(bytes: &[u8], offset: usize) -> Vec<Word> {
    let mut walk = Walk {
        bytes,
        at: offset,
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
    words: Vec<Word>,
}

impl Walk<'_> {
    fn rest(&self) -> &[u8] {
        &self.bytes[self.at..]
    }

    /// Goes to the first byte that is not `skip`.
    fn skip_while(&mut self, skip: impl Fn(u8) -> bool) {
        self.at += self
            .rest()
            .iter()
            .position(|&b| !skip(b))
            .unwrap_or(self.rest().len());
    }

    fn step(&mut self) {
        match self.bytes[self.at] {
            b'{' => {
                self.skip_while(|b| b != b'}');
                self.at += 1;
            }
            b';' => self.skip_while(|b| b != b'\n'),
            b'\n' => {
                self.at += 1;
                if self.rest().first() == Some(&b'%') {
                    self.skip_while(|b| b != b'\n');
                }
            }
            b'(' => self.single(Word::Open),
            b')' => self.single(Word::Close),
            b'$' => {
                self.at += 1;
                self.skip_while(|b| !ends_token(b));
            }
            b'0' => self.zero(),
            b'1'..=b'9' => self.number(),
            b' ' | b'\t' | b'\r' | b'.' | b'!' | b'?' | b'*' => self.at += 1,
            _ => self.word(),
        }
    }

    fn single(&mut self, word: Word) {
        self.words.push(word);
        self.at += 1;
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
        let offset = self.at;
        self.at += 1;
        if self.eat_dash() && !self.eat("1") && self.eat("0") {
            let side = if self.eat_dash() && self.eat("0") {
                shakmaty::CastlingSide::QueenSide
            } else {
                shakmaty::CastlingSide::KingSide
            };
            let san = San::Castle(side);
            self.words.push(Word::San { offset, san });
        }
    }

    /// A move number, or a result that begins with 1.
    fn number(&mut self) {
        let one = self.eat("1");
        if one && (self.eat_dash() && self.eat("0") || self.eat("/2")) {
            let _ = self.eat_dash() && self.eat("1/2");
            return;
        }
        self.skip_while(|b| b.is_ascii_digit());
        self.skip_while(|b| b == b'.' || b == b' ');
    }

    fn word(&mut self) {
        let offset = self.at;
        match SanPlus::from_ascii_prefix(self.rest()) {
            Ok((san_plus, length)) => {
                self.at += length;
                if self.rest().first().is_none_or(|&b| ends_token(b)) {
                    let san = san_plus.san;
                    self.words.push(Word::San { offset, san });
                } else {
                    // The reader drops the move and goes on after it.
                    self.skip_while(|b| !ends_token(b));
                    self.unknown(offset);
                }
            }
            Err(_) => {
                self.at += 1;
                self.skip_while(|b| !ends_token(b));
                self.unknown(offset);
            }
        }
    }

    fn unknown(&mut self, offset: usize) {
        let text = crate::game::text::decode(&self.bytes[offset..self.at]);
        self.words.push(Word::Unknown { offset, text });
    }
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
