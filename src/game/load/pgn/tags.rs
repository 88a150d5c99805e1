//! Tags as they occur in files: `[Name "value"]`, sometimes with unescaped quotation marks in the value.

use std::borrow::Cow;

/// Returns the length of the tag at the beginning, brackets included, or `None` if its line ends before the tag does.
pub(super) fn length(tag: &[u8]) -> Option<usize> {
    scan(tag, |_| {}).ok()
}

/// `Event` of `[Event "…"]`.
pub(super) fn name(tag: &[u8]) -> Option<&[u8]> {
    let rest = tag.strip_prefix(b"[")?.trim_ascii_start();
    // Any word may be a name (some files have `[Really? "True"]`), but a quotation mark must follow.
    let end = rest
        .iter()
        .position(|b| b.is_ascii_whitespace() || b"\"[](){}".contains(b))?;
    let is_tag = end > 0 && rest[end..].trim_ascii_start().starts_with(b"\"");
    is_tag.then_some(&rest[..end])
}

/// Repairs the tags. A quotation mark within a value becomes an apostrophe; if a value is never closed, the first mark
/// after it closes the value and the tag; what looks like a tag and is not becomes white space. No byte changes its
/// place.
pub(super) fn mended(bytes: &[u8]) -> Cow<'_, [u8]> {
    let mut mended = Cow::Borrowed(bytes);
    let mut at = 0;
    while let Some(begin) = next(bytes, at) {
        if !bytes[at..begin].is_ascii() {
            blank_wide(&mut mended.to_mut()[at..begin]);
        }
        let tag = &bytes[begin..];
        let mut stray = Vec::new();
        let end = scan(tag, |place| stray.push(begin + place));
        at = begin + end.unwrap_or_else(|line_end| line_end);
        if name(tag).is_none() {
            mended.to_mut()[begin..at].fill(b' ');
            continue;
        }
        match (end, stray.first()) {
            (_, None) => {}
            (Ok(_), _) => {
                let mended = mended.to_mut();
                stray.iter().for_each(|&place| mended[place] = b'\'');
            }
            (Err(_), Some(&first)) => {
                let rest = &mut mended.to_mut()[first + 1..at];
                let bracket = rest.iter().position(|&b| b == b']');
                let end = bracket.map_or(rest.len(), |bracket| bracket + 1);
                rest[..end].fill(b' ');
                if let Some(bracket) = rest.first_mut() {
                    *bracket = b']';
                }
            }
        }
    }
    mended
}

/// Returns where the next tag begins at or after `at`, if only white space and escaped lines come before it.
pub(super) fn next(bytes: &[u8], at: usize) -> Option<usize> {
    let begin = skip(bytes, at);
    (bytes.get(begin) == Some(&b'[')).then_some(begin)
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

/// Makes white space of what is not ASCII, where nothing else stands between tags.
pub(super) fn blank_wide(between: &mut [u8]) {
    let wide = between.iter_mut().filter(|b| !b.is_ascii());
    wide.for_each(|b| *b = b' ');
}

/// Returns a line without the spaces around it, wide ones before it included.
pub(super) fn trimmed(line: &[u8]) -> &[u8] {
    let mut line = line.trim_ascii();
    while let Some(space) = wide_space(line) {
        line = line[space..].trim_ascii_start();
    }
    line
}

/// Returns the first byte from `at` on that is neither white space nor in a line beginning with `%`.
pub(super) fn skip(bytes: &[u8], mut at: usize) -> usize {
    loop {
        while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
            at += 1;
        }
        if let Some(space) = bytes.get(at..).and_then(wide_space) {
            at += space;
            continue;
        }
        if bytes.get(at) != Some(&b'%') {
            return at;
        }
        at += memchr::memchr(b'\n', &bytes[at..]).unwrap_or(bytes.len() - at);
    }
}

/// Returns the length of the tag, or as an error that of its line if the tag does not end there. Calls `stray` for each
/// quotation mark within the value, which is one that no bracket follows.
fn scan(tag: &[u8], mut stray: impl FnMut(usize)) -> Result<usize, usize> {
    let (mut quoted, mut escaped) = (false, false);
    for (i, &b) in tag.iter().enumerate() {
        match b {
            b'\n' => return Err(i),
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' if !quoted => quoted = true,
            b'"' => {
                let after = tag[i + 1..].iter().find(|b| !b" \t".contains(b));
                if after == Some(&b']') {
                    quoted = false;
                } else {
                    stray(i);
                }
            }
            b']' if !quoted => return Ok(i + 1),
            _ => {}
        }
    }
    Err(tag.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_ends_at_its_bracket() {
        for (tag, expected) in [
            ("[A \"b\"] x", Some(7)),
            ("[A \"b]\" ]x", Some(9)),
            ("[A \"b \"c\" d\"]x", Some(13)),
            ("[A \"b\\\"]\"]x", Some(10)),
            ("[A b]x", Some(5)),
            ("[A \"b\n\"]", None),
            ("[A \"b", None),
        ] {
            assert_eq!(length(tag.as_bytes()), expected, "{tag}");
        }
    }

    #[test]
    fn quotation_marks_are_put_right_where_they_stand() {
        for (tags, expected) in [
            (
                "[White \"Nick \"The Ant\" X\"]\n[Black \"b\"]\n",
                "[White \"Nick 'The Ant' X\"]\n[Black \"b\"]\n",
            ),
            ("[White \"?\"}\n\n1. e4", "[White \"?\"]\n\n1. e4"),
            ("[White \"a\"128] 1. e4", "[White \"a\"]    1. e4"),
            ("[A \"b\"] [C \"d \"e\"\"]", "[A \"b\"] [C \"d 'e'\"]"),
            (
                "[Da\n[A \"b\"]\n[a remark] 1. e4",
                "   \n[A \"b\"]\n           1. e4",
            ),
        ] {
            let mended = mended(tags.as_bytes());
            assert_eq!(String::from_utf8_lossy(&mended), expected);
        }
        for good in [
            "[A \"b\"]\n\n1. e4 {\"x\"} *",
            "[A \"b\\\"c\\\"\"]",
            "%\"x\"\"\n[A \"\"]",
            "1. e4 [\"a\"b]",
        ] {
            assert!(
                matches!(mended(good.as_bytes()), Cow::Borrowed(_)),
                "{good}"
            );
        }
    }
}
