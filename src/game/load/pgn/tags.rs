//! The head of a game: its tags, `[Name "value"]`, and what stands before and between them. Files have tags in many broken
//! forms; each is read as far as it can be understood.

use std::ops::Range;

use pgn_reader::RawTag;
use text::decode;

/// Names that are recognised in any case, and without quotation marks after them.
const KNOWN: [&str; 28] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "FEN",
    "SetUp",
    "Variant",
    "WhiteElo",
    "BlackElo",
    "WhiteTitle",
    "BlackTitle",
    "WhiteTeam",
    "BlackTeam",
    "ECO",
    "Opening",
    "Variation",
    "Annotator",
    "PlyCount",
    "TimeControl",
    "Time",
    "Termination",
    "Mode",
    "EventDate",
    "UTCDate",
    "UTCTime",
];

/// A tag in the bytes of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tag<'a> {
    name: &'a [u8],
    /// Without quotation marks, but with backslashes before those within.
    value: &'a [u8],
    /// Whether the value begins with a quotation mark in ASCII, so that it may contain escapes.
    quoted: bool,
    /// The number of its bytes, brackets included.
    pub(super) length: usize,
    /// Whether it is written as PGN requires.
    valid: bool,
}

impl Tag<'_> {
    /// Returns the name as written.
    pub(super) fn name(&self) -> &[u8] {
        self.name
    }

    /// Whether this is the tag with this name, in upper or lower case.
    pub(super) fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name.as_bytes())
    }

    pub(super) fn value(&self) -> String {
        match self.quoted {
            true => decode(&RawTag(self.value).decode()),
            false => decode(self.value),
        }
    }

    /// Whether it is a tag even where moves are expected.
    pub(super) fn is_sure(&self) -> bool {
        self.quoted || self.known().is_some()
    }

    fn known(&self) -> Option<&'static str> {
        KNOWN.into_iter().find(|known| self.is(known))
    }

    /// Returns the form that it should have, if it has another.
    pub(super) fn mended(&self) -> Option<String> {
        let name = self
            .known()
            .map_or_else(|| decode(self.name), str::to_owned);
        let value = self.value().replace('\\', "\\\\").replace('"', "\\\"");
        let valid = self.valid && name.as_bytes() == self.name;
        (!valid).then(|| format!("[{name} \"{value}\"]"))
    }
}

/// What the rest of a line in the head of a game begins with.
pub(super) enum Piece<'a> {
    Tag(Tag<'a>),
    /// A comment in braces, which may end on a later line.
    Comment,
    /// A comment up to the end of the line.
    Remark,
    /// So many bytes that are neither a tag nor moves.
    Text(usize),
    /// The end of the head.
    Moves,
}

/// Judges the rest of a line, which must begin with anything but white space.
pub(super) fn piece(line: &[u8]) -> Piece<'_> {
    let bracket = memchr::memchr(b']', line);
    match line.first() {
        Some(b'{') => Piece::Comment,
        Some(b';') => Piece::Remark,
        Some(b']') => Piece::Text(1),
        _ => match (tag(line), line.first(), bracket) {
            (Some(tag), ..) => Piece::Tag(tag),
            (None, Some(b'['), Some(bracket)) => Piece::Text(bracket + 1),
            (None, Some(b'['), None) if has_moves(line) => {
                let word = line.iter().position(u8::is_ascii_whitespace);
                Piece::Text(word.unwrap_or(line.len()))
            }
            _ if is_text(line) => Piece::Text(line.len()),
            _ => Piece::Moves,
        },
    }
}

fn is_text(line: &[u8]) -> bool {
    !has_moves(line) && !line.iter().any(|b| b"{}()$".contains(b))
}

/// Whether a line has moves, the number of one, or a result.
fn has_moves(line: &[u8]) -> bool {
    const ALONE: [&[u8]; 9] = [
        b"*", b"--", b"Z0", b"@@@@", b"0000", b"<>", b"1-0", b"0-1", b"1/2-1/2",
    ];
    let mut words = line
        .split(u8::is_ascii_whitespace)
        .filter(|w| !w.is_empty());
    let first = words.clone().next().unwrap_or_default();
    let digits = first.iter().take_while(|b| b.is_ascii_digit()).count();
    let number = (1..=3).contains(&digits) && matches!(first.get(digits), None | Some(b'.'));
    number || ALONE.contains(&first) || words.any(is_move)
}

/// Whether a word looks like a move: it names a square, or is castling.
fn is_move(word: &[u8]) -> bool {
    let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'1'..=b'8']);
    let castles = |word: &[u8]| {
        [&b"O-O"[..], b"o-o", b"0-0"]
            .iter()
            .any(|o| word.starts_with(o))
    };
    castles(word) || word.windows(2).any(is_square)
}

/// Reads the tag at the beginning of a line. Its opening bracket may be missing if it is one of the known tags.
fn tag(line: &[u8]) -> Option<Tag<'_>> {
    let bracket = usize::from(line.first() == Some(&b'['));
    let name_at = bracket + spaces(&line[bracket..]);
    let ends = |at: &usize| {
        let rest = &line[*at..];
        rest[0].is_ascii_whitespace() || b"\"[](){}".contains(&rest[0]) || curly(rest).is_some()
    };
    let name_end = (name_at..line.len()).find(ends).unwrap_or(line.len());
    let word = &line[name_at..name_end];
    let name = word.trim_ascii_end();
    let name = name
        .strip_suffix(b":")
        .or(name.strip_suffix(b"="))
        .unwrap_or(name);
    let mut at = name_end + spaces(&line[name_end..]);
    if matches!(line.get(at), Some(b':' | b'=')) && name.len() == word.len() {
        at += 1 + spaces(&line[at + 1..]);
    }
    let quoted = line.get(at) == Some(&b'"');
    let tag = Tag {
        name,
        value: &[],
        quoted,
        length: line.len(),
        valid: false,
    };
    let known = tag.known().is_some();
    let is_word = name.first().is_some_and(u8::is_ascii_uppercase)
        && name.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_')
        && line.contains(&b']');
    let is_tag = match bracket {
        1 => !name.is_empty() && (quoted || known || is_word),
        _ => known && quoted,
    };
    if !is_tag {
        return None;
    }
    let strict =
        bracket == 1 && name.len() == word.len() && at == name_end + spaces(&line[name_end..]);
    Some(match quoted {
        true => of_quoted(line, at + 1, strict, tag),
        false => of_bare(line, at, tag),
    })
}

/// A value after a quotation mark: it ends at the mark that a bracket follows. If there is none, it ends at the next mark,
/// and without any at the bracket.
fn of_quoted<'a>(line: &'a [u8], from: usize, strict: bool, tag: Tag<'a>) -> Tag<'a> {
    let (mut escaped, mut stray) = (false, None);
    for (i, &b) in line.iter().enumerate().skip(from) {
        match b {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => {
                let after = i + 1 + spaces(&line[i + 1..]);
                let next = &line[after..];
                let value = &line[from..i];
                let valid = strict && stray.is_none();
                if next.first() == Some(&b']') {
                    return Tag {
                        value,
                        length: after + 1,
                        valid,
                        ..tag
                    };
                }
                // Another tag begins although the bracket is missing.
                if next.first() == Some(&b'[') && self::tag(next).is_some_and(|next| next.quoted) {
                    let length = i + 1;
                    return Tag {
                        value,
                        length,
                        ..tag
                    };
                }
                stray.get_or_insert(i);
            }
            _ => {}
        }
    }
    let Some(stray) = stray else {
        return of_bare(line, from, tag);
    };
    let rest = &line[stray + 1..];
    let words = |bracket| rest[..bracket].split(u8::is_ascii_whitespace);
    let bracket = memchr::memchr(b']', rest).filter(|&at| !words(at).any(is_move));
    let more = rest.trim_ascii_start();
    let length = match bracket {
        Some(bracket) => stray + 1 + bracket + 1,
        None if matches!(more.first(), Some(b';' | b'{' | b'[')) || has_moves(more) => stray + 1,
        None => line.len(),
    };
    Tag {
        value: &line[from..stray],
        length,
        ..tag
    }
}

/// A value without quotation marks in ASCII at both ends, up to the bracket that ends the tag or to the end of the line.
fn of_bare<'a>(line: &'a [u8], from: usize, tag: Tag<'a>) -> Tag<'a> {
    let ends = |&bracket: &usize| {
        let next = line[bracket + 1..].trim_ascii();
        matches!(next.first(), None | Some(b';' | b'{' | b'[')) || has_moves(next)
    };
    let brackets = || memchr::memchr_iter(b']', line).filter(|&bracket| bracket >= from);
    let bracket = brackets().find(ends).or_else(|| brackets().next_back());
    let value = line[from..bracket.unwrap_or(line.len())].trim_ascii();
    let first = mark(value).filter(|_| !tag.quoted).unwrap_or(0);
    let value = &value[first..];
    let closed = |&n: &usize| value.len() >= n && mark(&value[value.len() - n..]) == Some(n);
    // A mark at the end alone closes what was never opened.
    let opened = tag.quoted || first > 0;
    let marks = memchr::memchr_iter(b'"', value).count();
    let last = (1..=3)
        .find(closed)
        .filter(|_| opened || marks == 1 && value.ends_with(b"\""));
    Tag {
        value: value[..value.len() - last.unwrap_or(0)].trim_ascii(),
        length: bracket.map_or(line.len(), |bracket| bracket + 1),
        ..tag
    }
}

/// Returns the length of the quotation mark at the beginning, of whatever kind.
fn mark(bytes: &[u8]) -> Option<usize> {
    match bytes.first() {
        Some(b'"' | b'\'' | b'`') => Some(1),
        _ => curly(bytes),
    }
}

/// Returns the length of the typographic quotation mark at the beginning.
fn curly(bytes: &[u8]) -> Option<usize> {
    match bytes {
        // Guillemets and the acute accent.
        [0xc2, 0xab | 0xb4 | 0xbb, ..] => Some(2),
        // U+2018 to U+201F, U+2032, U+2033, U+2039, U+203A.
        [0xe2, 0x80, 0x98..=0x9f | 0xb2 | 0xb3 | 0xb9 | 0xba, ..] => Some(3),
        _ => None,
    }
}

fn spaces(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|b| b.is_ascii_whitespace()).count()
}

/// What comes before a game's moves.
pub(super) struct Head<'a> {
    /// The tags, and the offset of each.
    pub(super) tags: Vec<(usize, Tag<'a>)>,
    /// Text that is neither a tag nor a comment.
    pub(super) text: Vec<Range<usize>>,
    /// Comments in braces.
    comments: Vec<Range<usize>>,
    /// Where the moves begin.
    pub(super) end: usize,
}

impl<'a> Head<'a> {
    /// Reads the head of a game.
    pub(super) fn read(bytes: &'a [u8]) -> Head<'a> {
        let mut head = Head {
            tags: Vec::new(),
            text: Vec::new(),
            comments: Vec::new(),
            end: bytes.len(),
        };
        let mut at = skip(bytes, 0);
        while at < bytes.len() {
            let rest = &bytes[at..];
            let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
            let length = match piece(line) {
                Piece::Tag(tag) => {
                    head.tags.push((at, tag));
                    tag.length
                }
                Piece::Comment if let Some(end) = memchr::memchr(b'}', rest) => {
                    head.comments.push(at..at + end + 1);
                    end + 1
                }
                Piece::Remark => line.len(),
                Piece::Text(length) => {
                    head.text.push(at..at + length);
                    length
                }
                Piece::Comment | Piece::Moves => {
                    head.end = at;
                    break;
                }
            };
            at = skip(bytes, at + length);
        }
        head
    }

    /// Returns the first tag with this name, and its offset.
    pub(super) fn tag(&self, name: &str) -> Option<(usize, Tag<'a>)> {
        self.tags.iter().copied().find(|(_, tag)| tag.is(name))
    }

    /// Makes white space of everything in the head but the comments in braces, which belong to the game. No byte changes
    /// its place.
    pub(super) fn blank(&self, bytes: &mut [u8]) {
        let mut from = 0;
        let end = self.end..self.end;
        for comment in self.comments.iter().chain([&end]) {
            let between = bytes[from..comment.start].iter_mut();
            between.filter(|b| **b != b'\n').for_each(|b| *b = b' ');
            from = comment.end;
        }
    }
}

/// Returns the length in bytes of a non-ASCII space at the beginning (a no-break space, a thin space, a byte order
/// mark), or `None` if there is none.
pub(super) fn wide_space(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [0xc2, 0xa0, ..] => Some(2),
        // U+2000 to U+200B, U+202F, U+205F, U+2060, U+3000, U+FEFF.
        [0xe2, 0x80, 0x80..=0x8b | 0xaf, ..]
        | [0xe2, 0x81, 0x9f | 0xa0, ..]
        | [0xe3, 0x80, 0x80, ..]
        | [0xef, 0xbb, 0xbf, ..] => Some(3),
        _ => None,
    }
}

/// Returns a line without the spaces around it, wide ones before it included.
pub(super) fn trimmed(line: &[u8]) -> &[u8] {
    let mut line = line.trim_ascii();
    while let Some(space) = wide_space(line) {
        line = line[space..].trim_ascii_start();
    }
    line
}

/// Whether a line is meant for other programs.
pub(super) fn is_escaped(line: &[u8]) -> bool {
    line.strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(line)
        .starts_with(b"%")
}

/// Returns the first byte from `at` on that is neither white space nor in an escaped line.
fn skip(bytes: &[u8], mut at: usize) -> usize {
    loop {
        let begins = at == 0 || bytes[at - 1] == b'\n';
        match bytes.get(at) {
            Some(_) if begins && is_escaped(&bytes[at..]) => {
                at += memchr::memchr(b'\n', &bytes[at..]).unwrap_or(bytes.len() - at);
            }
            Some(b) if b.is_ascii_whitespace() => at += 1,
            Some(_) if let Some(space) = wide_space(&bytes[at..]) => at += space,
            _ => return at,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The name and value of the tag that a line begins with, and what follows it.
    fn read(line: &str) -> Option<(String, String, &str)> {
        let tag = tag(line.as_bytes())?;
        Some((decode(tag.name()), tag.value(), &line[tag.length..]))
    }

    #[test]
    fn a_tag_is_read_as_far_as_it_can_be_understood() {
        for (line, name, value, rest) in [
            // Valid.
            (r#"[A "b"] x"#, "A", "b", " x"),
            (r#"[A "b]" ]x"#, "A", "b]", "x"),
            (r#"[A "b\"]"]x"#, "A", "b\"]", "x"),
            (r#"[ A"b"]"#, "A", "b", ""),
            (r#"[Really? "True"]"#, "Really?", "True", ""),
            (r#"[A ""]"#, "A", "", ""),
            // Without quotation marks, or with others.
            ("[WhiteElo 2400]", "WhiteElo", "2400", ""),
            ("[elo 2400]", "", "", ""),
            ("[whiteelo 2400]", "whiteelo", "2400", ""),
            ("[A b]x", "A", "b", "x"),
            ("[A b [c] d]", "A", "b [c] d", ""),
            ("[A b] 1. e4", "A", "b", " 1. e4"),
            ("[A 'b']", "A", "b", ""),
            ("[A “b”]", "A", "b", ""),
            ("[A „b“]", "A", "b", ""),
            ("[A «b»]", "A", "b", ""),
            ("[A“b”]", "A", "b", ""),
            ("[A ‘b’] {c}", "A", "b", " {c}"),
            ("[A \"b”]", "A", "b", ""),
            ("[A “b\"]", "A", "b", ""),
            ("[A 'O'Kelly']", "A", "O'Kelly", ""),
            ("[A: \"b\"]", "A", "b", ""),
            ("[A = \"b\"]", "A", "b", ""),
            // No value.
            ("[A]", "A", "", ""),
            ("[A ] 1. e4", "A", "", " 1. e4"),
            ("[FEN", "FEN", "", ""),
            // Something is missing.
            ("[A \"b]", "A", "b", ""),
            ("[A b\"]", "A", "b", ""),
            ("[A \"b\"", "A", "b", ""),
            ("[A \"b", "A", "b", ""),
            ("[Round b", "Round", "b", ""),
            ("[A b \"c\"]", "A", "b \"c\"", ""),
            ("[A \"b\" ; c", "A", "b", " ; c"),
            ("[A \"b\" 1. e4", "A", "b", " 1. e4"),
            ("[A \"b\" [B \"c\"]", "A", "b", " [B \"c\"]"),
            ("Event \"b\"]", "Event", "b", ""),
            ("[Site \"C:\\\"]", "Site", "C:\\", ""),
            // Quotation marks within.
            (r#"[A "b "c" d"]x"#, "A", r#"b "c" d"#, "x"),
            (r#"[A "b "c""]"#, "A", r#"b "c""#, ""),
            (r#"[White "?"}"#, "White", "?", ""),
            (r#"[White "a"128] 1. e4"#, "White", "a", " 1. e4"),
        ] {
            match name {
                "" => assert_eq!(read(line), None, "{line}"),
                _ => {
                    let expected = (name.to_owned(), value.to_owned(), rest);
                    assert_eq!(read(line), Some(expected), "{line}");
                }
            }
        }
        for other in [
            "",
            "[",
            "[]",
            "[\"b\"]",
            "[%csl Ga1]",
            "[a remark]",
            "Event b",
            "[Da",
            "1. e4",
            "A \"b\"]",
        ] {
            assert_eq!(read(other), None, "{other}");
        }
    }

    #[test]
    fn what_is_not_valid_is_given_its_right_form() {
        for (line, mended) in [
            ("[A \"b\"]", None),
            ("[fen \"b\"]", Some("[FEN \"b\"]")),
            ("[a \"b\"]", None),
            ("[A \"b \"c\" d\"]", Some("[A \"b \\\"c\\\" d\"]")),
            ("[A \"b\"", Some("[A \"b\"]")),
            ("[A 'b']", Some("[A \"b\"]")),
            ("[A]", Some("[A \"\"]")),
        ] {
            let tag = tag(line.as_bytes()).expect(line);
            assert_eq!(tag.mended().as_deref(), mended, "{line}");
        }
    }

    #[test]
    fn the_head_ends_where_the_moves_begin() {
        for (text, tags, ignored, end) in [
            ("[A \"b\"]\n\n1. e4", 1, 0, "1. e4"),
            (
                "\u{feff}% x\n[A \"b\"] [C \"d\"] ; e\n{f\ng} [H \"i\"] e4",
                3,
                0,
                "e4",
            ),
            ("A list of games\n[A \"b\"]\nWhite to move.\n\n*", 1, 2, "*"),
            ("[a remark] 1. e4", 0, 1, "1. e4"),
            ("[Da\n[A \"b\"]] e4", 1, 2, "e4"),
            ("[A \"b\"]\n{open\n[C \"d\"]", 1, 0, "{open\n[C \"d\"]"),
            ("{c} Sf3", 0, 0, "Sf3"),
            ("[A \"b\"]\n  % e4", 1, 0, "% e4"),
            ("O-O", 0, 0, "O-O"),
            ("(e4)", 0, 0, "(e4)"),
        ] {
            let head = Head::read(text.as_bytes());
            let found = (head.tags.len(), head.text.len(), &text[head.end..]);
            assert_eq!(found, (tags, ignored, end), "{text}");
        }
    }
}
