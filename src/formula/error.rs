//! What is said of a text that cannot be understood.

use text::nearest;

/// Why a text was rejected, in one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: found {found}, {}", self.wanted())]
pub struct ParseError {
    /// The column in characters, starting at 1.
    pub column: u32,
    /// The text found there: a quotation or a description.
    pub found: String,
    /// What could follow there; the nearest match to what was found comes first.
    pub expected: String,
    /// The word that was probably meant.
    pub meant: Option<String>,
}

impl ParseError {
    /// Returns the word that was probably meant as a question, and what could follow there.
    pub fn wanted(&self) -> String {
        match &self.meant {
            Some(word) => format!("did you mean {word}? Expected {}", self.expected),
            None => format!("expected {}", self.expected),
        }
    }
}

/// Returns "one of: …", with the nearest match to what was found in front, and that match if it is likely to be what was
/// meant.
pub(super) fn one_of(mut names: Vec<String>, found: &str) -> (String, Option<String>) {
    let is_word = |name: &&str| {
        name.chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
    };
    let words = names.iter().map(String::as_str).filter(is_word);
    let meant = nearest(found, words).map(str::to_owned);
    let place = meant
        .as_ref()
        .and_then(|m| names.iter().position(|n| n == m));
    if let Some(i) = place {
        names[..=i].rotate_right(1);
    }
    let expected = match names.as_slice() {
        [one] => one.clone(),
        several => format!("one of: {}", several.join(", ")),
    };
    (expected, meant)
}
