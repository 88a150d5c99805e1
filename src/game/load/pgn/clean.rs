//! Corrects common irregularities that the PGN reader does not expect, without moving a byte.

use super::tags;

/// Returns the bytes with repaired tags, without blank lines among the moves (where the reader would stop), and with
/// byte order marks, HTML line breaks and Unicode spaces replaced by white space. Every other byte stays at its place.
pub(super) fn without_blank_lines(bytes: &[u8]) -> Vec<u8> {
    let mut clean = tags::mended(bytes).into_owned();
    if clean.starts_with(b"\xef\xbb\xbf") {
        clean[..3].fill(b' ');
    }
    let mut at = movetext_offset(&clean);
    let mut in_comment = false;
    while at < clean.len() {
        match clean[at] {
            b'{' if !in_comment => in_comment = true,
            b'}' => in_comment = false,
            b';' if !in_comment => {
                let end = clean[at..].iter().position(|&b| b == b'\n');
                at = end.map_or(clean.len(), |end| at + end);
                continue;
            }
            b'\n' if !in_comment => {
                let after = clean[at + 1..].iter().position(|b| !b" \t\r".contains(b));
                let next = after.map(|skipped| at + 1 + skipped);
                // A blank line, or white space before a bracket that would look like a tag.
                if next.is_none_or(|next| matches!(clean[next], b'\n' | b'[')) {
                    clean[at] = b' ';
                }
            }
            _ if !in_comment => {
                if let Some(space) = wide_space(&clean[at..]) {
                    clean[at..at + space].fill(b' ');
                }
            }
            _ => {}
        }
        at += 1;
    }
    clean
}

/// Returns the length in bytes of a non-ASCII space at the beginning (a no-break space, a thin space, a byte order
/// mark), or `None` if there is none.
fn wide_space(bytes: &[u8]) -> Option<usize> {
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

/// Returns where the moves begin, after the tags.
pub(super) fn movetext_offset(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(begin) = tags::next(bytes, at) {
        let tag = &bytes[begin..];
        let line = || memchr::memchr(b'\n', tag).unwrap_or(tag.len());
        at = begin + tags::length(tag).unwrap_or_else(line);
    }
    tags::skip(bytes, at)
}

/// Returns an upper bound for the longest line or tag in bytes.
pub(super) fn longest_tag(tags: &[u8]) -> usize {
    let line = tags.split(|&b| b == b'\n').map(<[u8]>::len).max();
    // A quoted value may contain line breaks.
    let brackets = tags.iter().enumerate().filter(|(_, b)| **b == b'[');
    let starts = brackets.map(|(at, _)| at).chain([tags.len()]);
    let mut before = 0;
    let between = starts
        .map(|at| at - std::mem::replace(&mut before, at))
        .max();
    LEAST + line.max(between).unwrap_or(0)
}

/// Returns an upper bound for the longest comment in braces, in bytes.
pub(super) fn longest_comment(bytes: &[u8]) -> usize {
    let (mut longest, mut open) = (0, None);
    for (at, &b) in bytes.iter().enumerate() {
        match b {
            b'{' if open.is_none() => open = Some(at),
            b'}' => longest = longest.max(open.take().map_or(0, |from| at - from)),
            _ => {}
        }
    }
    LEAST + longest.max(open.map_or(0, |from| bytes.len() - from))
}

/// What the reader needs in addition.
const LEAST: usize = 256;
