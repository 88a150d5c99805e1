//! Text and the files that it comes from: decoded, made harmless, fitted into columns; files read and written whole; dates.

pub mod date;
pub mod files;
mod fit;
mod numbers;
pub mod save;

pub use fit::{fit, fit_end, width, wrap};
pub use numbers::{bytes, count, count_of, duration, percent, spread, thousands};

/// Returns `text` with everything that could control a terminal or hide the order of characters made visible: control
/// characters become their pictures (␛), line breaks and tabs become spaces, and bidirectional and invisible formatting
/// becomes U+FFFD.
///
/// Everything taken from a file (names, comments, headers, quotations in errors) passes through this on its way to the
/// screen.
pub fn sanitise(text: &str) -> String {
    text.chars().map(harmless).collect()
}

fn harmless(c: char) -> char {
    match c {
        '\t' | '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => ' ',
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        // C1 controls; soft hyphen; grapheme joiner; Arabic letter mark; Hangul fillers; Khmer inherent vowels;
        // Mongolian separators; zero width and direction marks; bidirectional embeddings, overrides and isolates;
        // invisible operators; byte order mark; interlinear and tag characters.
        '\u{80}'..='\u{9f}'
        | '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'..='\u{1160}'
        | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}' => '\u{fffd}',
        _ => c,
    }
}

/// Returns the one of some names that was probably meant by a word that is none of them: at most a third of it is mistyped, or
/// one letter of a short one. The case of letters does not count.
pub fn nearest<'n>(found: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let found = found.to_lowercase();
    let likeness = |name: &str| strsim::damerau_levenshtein(&found, &name.to_lowercase());
    // Of a single letter nothing is left if it is mistyped.
    let allowed = |name: &str| match name.chars().count() {
        1 => 0,
        _ if found.chars().count() < 2 => 0,
        length => (length / 3).max(1),
    };
    let near = |name: &&str| likeness(name) <= allowed(name);
    names
        .into_iter()
        .filter(near)
        .min_by_key(|name| likeness(name))
}

/// Returns `text` in quotation marks for a one-line message, sanitised and at most 40 characters long.
pub fn quote(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut shown: String = sanitise(text.trim()).chars().take(LONGEST).collect();
    if text.trim().chars().count() > LONGEST {
        shown.pop();
        shown.push('…');
    }
    format!("\"{shown}\"")
}

/// Decodes the bytes of a file: as UTF-8 if they are valid, otherwise as Latin-1 (in which every byte is valid).
pub fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    }
}

/// Returns the line and column of a byte offset in a file (both from 1, columns in characters).
pub fn place(bytes: &[u8], offset: usize) -> (u32, u32) {
    let before = &bytes[..offset.min(bytes.len())];
    let start = before
        .iter()
        .rposition(|&b| b == b'\n')
        .map_or(0, |p| p + 1);
    let line = 1 + before.iter().filter(|&&b| b == b'\n').count();
    let column = 1 + decode(&before[start..])
        .chars()
        .filter(|c| *c != '\u{feff}')
        .count();
    (line as u32, column as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nothing_that_steers_a_terminal_is_left() {
        assert_eq!(sanitise("a\u{1b}[2Jb\u{7f}"), "a␛[2Jb␡");
        assert_eq!(sanitise("x\u{202e}y\u{9b}31m\n"), "x\u{fffd}y\u{fffd}31m ");
        assert_eq!(sanitise("Müller – ½ 棋"), "Müller – ½ 棋");
        for invisible in [
            '\u{34f}', '\u{115f}', '\u{1160}', '\u{180e}', '\u{3164}', '\u{ffa0}',
        ] {
            assert_eq!(sanitise(&invisible.to_string()), "\u{fffd}");
        }
    }

    #[test]
    fn quotes_are_short() {
        assert_eq!(quote(" Qz9 "), "\"Qz9\"");
        assert_eq!(quote(&"x".repeat(100)).chars().count(), 42);
    }

    #[test]
    fn bytes_that_are_no_utf8_are_latin1() {
        assert_eq!(decode(b"M\xfcller"), "Müller");
        assert_eq!(decode("Müller".as_bytes()), "Müller");
    }

    #[test]
    fn places_count_from_one() {
        assert_eq!(place(b"ab\ncd", 0), (1, 1));
        assert_eq!(place(b"ab\ncd", 4), (2, 2));
        assert_eq!(place(b"ab\ncd", 99), (2, 3));
    }

    proptest! {
        #[test]
        fn never_a_control_character(text in any::<String>()) {
            prop_assert!(!sanitise(&text).chars().any(char::is_control));
            prop_assert_eq!(sanitise(&text).chars().count(), text.chars().count());
        }
    }
}
