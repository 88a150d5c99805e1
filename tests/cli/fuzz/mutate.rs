//! Makes inputs that are nearly right: pieces of good ones are cut, duplicated and mixed, and words of the language
//! inserted.

use fastrand::Rng;

/// Numbers that often trip parsers.
const NUMBERS: [&str; 16] = [
    "0",
    "-0",
    "-1",
    "1",
    "1e308",
    "-1e-308",
    "NaN",
    "inf",
    "127",
    "128",
    "255",
    "256",
    "65536",
    "4294967296",
    "9223372036854775808",
    "99999999999999999999999999",
];
/// Characters with a meaning for terminals, Unicode or file formats.
const CHARACTERS: [&str; 20] = [
    "\0",
    "\n",
    "\r\n",
    "\t",
    "\x1b[2J",
    "\u{feff}",
    "\u{202e}",
    "\u{200b}",
    "\u{0301}",
    "\u{1f600}",
    "\u{a0}",
    "ß",
    "\u{85}",
    "\"",
    "\\",
    "{",
    "}",
    "(",
    ")",
    "|",
];

/// Mutates good inputs, and keeps those that a parser answered in a new way.
#[derive(Debug)]
pub struct Mutator {
    rng: Rng,
    /// The good inputs first; these are never removed.
    pool: Vec<Vec<u8>>,
    good: usize,
    words: Vec<String>,
    longest: usize,
}

impl Mutator {
    /// No input grows beyond `longest` bytes, unless a good one is already longer.
    pub fn new(seed: u64, good: Vec<Vec<u8>>, words: &[&str], longest: usize) -> Self {
        assert!(!good.is_empty(), "there is something to begin with");
        Mutator {
            rng: Rng::with_seed(seed),
            good: good.len(),
            pool: good,
            words: words.iter().map(|&word| word.to_owned()).collect(),
            longest,
        }
    }

    /// Returns the good inputs, to be read before any other.
    pub fn good(&self) -> Vec<Vec<u8>> {
        self.pool[..self.good].to_vec()
    }

    /// Keeps an input with a new answer. Beyond 4,096 of them it replaces an earlier one.
    pub fn keep(&mut self, input: &[u8]) {
        const MOST: usize = 4096;
        if self.pool.len() < self.good + MOST {
            self.pool.push(input.to_vec());
        } else {
            let place = self.rng.usize(self.good..self.pool.len());
            self.pool[place] = input.to_vec();
        }
    }

    /// Returns another input: a kept one with one to eight changes.
    pub fn next(&mut self, into: &mut Vec<u8>) {
        let from = self.rng.usize(..self.pool.len());
        into.clear();
        into.extend_from_slice(&self.pool[from]);
        for _ in 0..1 << self.rng.u8(..4) {
            self.change(into);
        }
        into.truncate(self.longest.max(self.pool[from].len()));
    }

    fn change(&mut self, text: &mut Vec<u8>) {
        let at = self.rng.usize(..=text.len());
        match self.rng.u8(..11) {
            0 => self.put(text, at..at, |rng| vec![rng.u8(..)]),
            1 => {
                if let Some(byte) = text.get_mut(at) {
                    *byte ^= 1 << self.rng.u8(..8);
                }
            }
            2 => drop(text.drain(self.piece(text.len()))),
            3 => {
                let piece = text[self.piece(text.len())].to_vec();
                self.put(text, at..at, |_| piece);
            }
            4 => {
                let piece = text[self.piece(text.len())].to_vec();
                let times = self.rng.usize(2..40);
                self.put(text, at..at, |_| piece.repeat(times));
            }
            5 => {
                let other = self.rng.usize(..self.pool.len());
                let piece = self.piece(self.pool[other].len());
                let piece = self.pool[other][piece].to_vec();
                self.put(text, at..at, |_| piece);
            }
            6 => {
                let piece = self.piece(text.len());
                text[piece].reverse();
            }
            7 => {
                let number = self.number(text, at);
                self.put(text, number, |rng| choose(rng, &NUMBERS));
            }
            8 => self.put(text, at..at, |rng| choose(rng, &CHARACTERS)),
            9 => text.truncate(at),
            _ => {
                if let Some(word) = self.rng.choice(&self.words).cloned() {
                    let end = self.word_end(text, at);
                    self.put(text, at..end, |_| word.into_bytes());
                }
            }
        }
    }

    fn put(
        &mut self,
        text: &mut Vec<u8>,
        place: std::ops::Range<usize>,
        what: impl FnOnce(&mut Rng) -> Vec<u8>,
    ) {
        let what = what(&mut self.rng);
        if text.len() + what.len() <= self.longest.max(64) * 2 {
            text.splice(place, what);
        }
    }

    /// Returns a range within a text of this length, usually a short one.
    fn piece(&mut self, length: usize) -> std::ops::Range<usize> {
        let from = self.rng.usize(..=length);
        let most = if self.rng.u8(..4) == 0 { length } else { 12 };
        let to = from + self.rng.usize(..=most.min(length - from));
        from..to
    }

    /// Returns the range of the digits at `at`, or an empty range.
    fn number(&self, text: &[u8], at: usize) -> std::ops::Range<usize> {
        let length = text[at..].iter().take_while(|b| b.is_ascii_digit());
        at..at + length.count()
    }

    /// Half of the time, replaces the word that begins at `at`.
    fn word_end(&mut self, text: &[u8], at: usize) -> usize {
        if self.rng.bool() {
            return at;
        }
        let length = text[at..].iter().take_while(|b| b.is_ascii_alphanumeric());
        at + length.count()
    }
}

fn choose(rng: &mut Rng, among: &[&str]) -> Vec<u8> {
    rng.choice(among)
        .map_or_else(Vec::new, |text| text.as_bytes().to_vec())
}
