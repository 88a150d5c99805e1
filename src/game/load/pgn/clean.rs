//! Corrects common irregularities that the PGN reader does not expect, without moving a byte.

use super::tags;

/// Returns the bytes with repaired tags, without blank lines among the moves (where the reader would stop), and with
/// byte order marks, HTML line breaks and Unicode spaces replaced by white space. Every other byte stays at its place.
pub(super) fn without_blank_lines(bytes: &[u8]) -> Vec<u8> {
    let mut clean = tags::mended(bytes).into_owned();
    let tags_end = end_of_tags(&clean);
    let mut at = tags::skip(&clean, tags_end);
    tags::blank_wide(&mut clean[tags_end..at]);
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
                if let Some(space) = tags::wide_space(&clean[at..]) {
                    clean[at..at + space].fill(b' ');
                }
            }
            _ => {}
        }
        at += 1;
    }
    clean
}

/// Returns where the moves begin, after the tags.
pub(super) fn movetext_offset(bytes: &[u8]) -> usize {
    tags::skip(bytes, end_of_tags(bytes))
}

/// Returns where the last of the tags at the beginning ends.
fn end_of_tags(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(begin) = tags::next(bytes, at) {
        let tag = &bytes[begin..];
        let line = || memchr::memchr(b'\n', tag).unwrap_or(tag.len());
        at = begin + tags::length(tag).unwrap_or_else(line);
    }
    at
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
