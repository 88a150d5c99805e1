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
    const MARK: &[u8] = "\u{feff}".as_bytes();
    let mut mended = Cow::Borrowed(bytes);
    let mut at = if bytes.starts_with(MARK) {
        MARK.len()
    } else {
        0
    };
    while let Some(begin) = next(bytes, at) {
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

/// Returns the first byte from `at` on that is neither white space nor in a line beginning with `%`.
pub(super) fn skip(bytes: &[u8], mut at: usize) -> usize {
    loop {
        while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
            at += 1;
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
