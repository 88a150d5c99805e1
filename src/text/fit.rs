//! Text in columns: how many it takes, and making it fit.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Returns the columns that a text takes.
pub fn width(text: &str) -> usize {
    text.width()
}

/// Returns the text in at most `columns`; if it is longer, `mark` replaces its end.
pub fn fit(text: &str, columns: usize, mark: char) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mut short = String::new();
    let Some(room) = columns.checked_sub(mark.width().unwrap_or(1)) else {
        return short;
    };
    let mut used = 0;
    for c in text.chars() {
        used += c.width().unwrap_or(0);
        if used > room {
            break;
        }
        short.push(c);
    }
    // A sign such as the emoji selector may widen the character before it.
    while short.width() > room {
        short.pop();
    }
    short.push(mark);
    short
}

/// Returns the text in at most `columns`; if it is longer, `mark` replaces its beginning.
pub fn fit_end(text: &str, columns: usize, mark: char) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let reversed: String = text.chars().rev().collect();
    fit(&reversed, columns, mark).chars().rev().collect()
}

/// Returns lines of at most `columns`, broken at spaces where possible.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(1);
    let mut lines = Vec::new();
    for paragraph in text.split('\n') {
        let mut line = String::new();
        for word in paragraph.split(' ') {
            let gap = usize::from(!line.is_empty());
            if line.width() + gap + word.width() <= columns {
                if gap == 1 {
                    line.push(' ');
                }
                line.push_str(word);
                continue;
            }
            if !line.is_empty() {
                lines.push(std::mem::take(&mut line));
            }
            // A word longer than a line is split.
            for c in word.chars() {
                line.push(c);
                if line.width() > columns {
                    line.pop();
                    lines.push(std::mem::take(&mut line));
                    line.push(c);
                }
            }
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The selector makes a candle two columns wide that has one without it.
    #[test]
    fn a_sign_that_widens_the_character_before_it_counts() {
        let text = "0a🕯\u{fe0f}b";
        assert!(wrap(text, 3).iter().all(|line| width(line) <= 3));
        for columns in 0..6 {
            assert!(width(&fit(text, columns, '…')) <= columns, "{columns}");
        }
    }

    proptest! {
        #[test]
        fn what_is_fitted_fits(text in "\\PC{0,40}", columns in 0usize..30) {
            prop_assert!(width(&fit(&text, columns, '…')) <= columns);
            prop_assert!(width(&fit_end(&text, columns, '…')) <= columns);
            // The widest characters take three columns (the Khmer sign beyyal).
            let columns = columns.max(3);
            for line in wrap(&text, columns) {
                prop_assert!(width(&line) <= columns, "{line:?}");
            }
        }
    }
}
