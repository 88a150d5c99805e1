//! The encodings of a file, which the property `CA` names, and may name anew for each game.

use encoding_rs::Encoding;
use game::load::LoadError;
use std::borrow::Cow;
use text::decode;

use super::parse::Read;
use super::properties::fault;

/// A part of a text that was decoded at once.
pub(super) struct Piece {
    /// Where it begins.
    from: usize,
    fit: Fit,
}

/// How bytes agree with the encoding that is named.
#[derive(Clone, Copy)]
enum Fit {
    /// They do, or none is named.
    Whole,
    /// Some are not in it.
    Replaced(&'static Encoding),
    /// They are in another one: text as UTF-8, or nothing beyond ASCII is in the one that is named.
    Other(&'static Encoding, &'static str),
}

/// Decodes a file, each game in the encoding that its `CA` names, and else as any text.
pub(super) fn decoded(bytes: &[u8]) -> (Cow<'_, str>, Vec<Piece>) {
    let named = named(bytes);
    let ends = named.iter().skip(1).map(|(from, _)| *from);
    let ends = ends.chain([bytes.len()]);
    let mut whole = Cow::Borrowed("");
    let mut pieces = Vec::new();
    for ((from, encoding), end) in named.iter().zip(ends) {
        let (text, fit) = decode_as(*encoding, &bytes[*from..end]);
        pieces.push(Piece {
            from: whole.len(),
            fit,
        });
        // A single piece is not copied.
        whole += text;
    }
    (whole, pieces)
}

/// Where games begin that name another encoding than those before, and which: the first piece begins with the file.
fn named(bytes: &[u8]) -> Vec<(usize, Option<&'static Encoding>)> {
    /// No name is longer.
    const LONGEST: usize = 40;
    let mut pieces = vec![(0, None)];
    let (mut after, mut begin) = (0, None);
    let (mut outside, mut read) = (Values::default(), 0);
    let is_whole = |at: usize| at == 0 || !bytes[at - 1].is_ascii_uppercase();
    let places = bytes.windows(3).enumerate();
    let places = places.filter(|(at, found)| found == b"CA[" && is_whole(*at));
    for (at, _) in places {
        // A parenthesis in a text is not followed by a semicolon.
        let is_node = |i: &usize| {
            let inside = &bytes[*i + 1..at];
            bytes[*i] == b'(' && inside.trim_ascii_start().starts_with(b";")
        };
        begin = (after..at).rev().find(is_node).or(begin);
        after = at;
        let value = &bytes[at + 3..];
        let value = &value[..value.len().min(LONGEST)];
        let label = value.split(|b| *b == b']').next().unwrap_or_default();
        // Text in UTF-16 has already been converted, whatever it says.
        let encoding = Encoding::for_label(label).map(Encoding::output_encoding);
        // Of a game only the first one counts.
        let (Some(encoding), Some(from)) = (encoding, begin.take_if(|_| encoding.is_some())) else {
            continue;
        };
        let Some((_, known)) = pieces.last_mut() else {
            continue;
        };
        outside.read(known.unwrap_or(encoding), &bytes[read..from]);
        read = from;
        let mut inside = outside.clone();
        inside.read(encoding, &bytes[from..at]);
        if outside.is_in || inside.is_in {
            continue;
        }
        match known {
            None => *known = Some(encoding),
            Some(known) if *known == encoding => {}
            Some(_) => pieces.push((from, Some(encoding))),
        }
    }
    pieces
}

/// Whether bytes that were read end within a value, where nothing names an encoding.
#[derive(Clone, Default)]
struct Values {
    is_in: bool,
    is_escaped: bool,
}

impl Values {
    fn read(&mut self, encoding: &'static Encoding, bytes: &[u8]) {
        let (text, _) = encoding.decode_without_bom_handling(bytes);
        for c in text.chars() {
            match c {
                _ if self.is_escaped => self.is_escaped = false,
                '\\' => self.is_escaped = self.is_in,
                '[' => self.is_in = true,
                ']' => self.is_in = false,
                _ => {}
            }
        }
    }
}

fn decode_as<'a>(encoding: Option<&'static Encoding>, bytes: &'a [u8]) -> (Cow<'a, str>, Fit) {
    let as_any = || Cow::Owned(decode(bytes));
    let Some(encoding) = encoding else {
        return (as_any(), Fit::Whole);
    };
    let (text, _, has_faults) = encoding.decode(bytes);
    if !has_faults {
        return (text, Fit::Whole);
    }
    let is_read = |c: char| !c.is_ascii() && c != char::REPLACEMENT_CHARACTER;
    let is_utf8 = std::str::from_utf8(bytes).is_ok();
    match (is_utf8, text.chars().any(is_read)) {
        (true, _) => (as_any(), Fit::Other(encoding, "UTF-8")),
        (_, false) => (as_any(), Fit::Other(encoding, "Latin-1")),
        _ => (text, Fit::Replaced(encoding)),
    }
}

/// What is to be said of a game whose text is not in the encoding that is named.
pub(super) fn warning(pieces: &[Piece], game: &Read) -> Option<LoadError> {
    let mut before = pieces.iter().rev();
    let piece = before.find(|piece| piece.from <= game.from)?;
    let root = game.tree.first()?;
    let at = root.get("CA").map_or(root.at, |property| property.at);
    let name = |encoding: &'static Encoding| root.value("CA").unwrap_or(encoding.name()).to_owned();
    match piece.fit {
        Fit::Whole => None,
        Fit::Replaced(encoding) => {
            let found = format!("bytes that are not {}", name(encoding));
            let expected = "the encoding that CA names; � stands for them";
            Some(fault(game.replaced?, found, expected))
        }
        Fit::Other(encoding, other) => {
            let found = format!("CA[{}] in a file that is not in it", name(encoding));
            let expected = format!("the encoding of the file, which is read as {other}");
            Some(fault(at, found, expected))
        }
    }
}
