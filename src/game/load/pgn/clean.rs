//! Corrects common irregularities that the PGN reader does not expect, without moving a byte.

use super::tags::{self, Head};

/// Returns the bytes without the tags, without blank lines among the moves (where the reader would stop), and with byte
/// order marks, HTML line breaks and Unicode spaces replaced by white space. Every other byte stays at its place.
pub(super) fn movetext(bytes: &[u8], head: &Head<'_>) -> Vec<u8> {
    let mut clean = bytes.to_vec();
    head.blank(&mut clean);
    let mut at = 0;
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
