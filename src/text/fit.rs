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
    let mut used = mark.width().unwrap_or(1);
    if used > columns {
        return short;
    }
    for c in text.chars() {
        used += c.width().unwrap_or(0);
        if used > columns {
            break;
        }
        short.push(c);
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
                if line.width() + c.width().unwrap_or(0) > columns {
                    lines.push(std::mem::take(&mut line));
                }
                line.push(c);
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
