//! Files with one position a line: FEN and EPD, which may be mixed. `#` lines above a position are its title and hint.

use super::{Epd, LoadError, epd};
use crate::game::text::sanitise;

/// A position with what its file says about it.
#[derive(Clone, Debug)]
pub(super) struct PositionLine {
    pub epd: Epd,
    /// From 1.
    pub line: u32,
    title: Option<String>,
    hint: Option<String>,
}

impl PositionLine {
    /// The comment above it, or its `id`, or its first comment, or where it stands.
    pub fn title(&self) -> String {
        let title = self.title.clone().or_else(|| self.epd.id());
        sanitise(&title.unwrap_or_else(|| format!("Position in line {}", self.line)))
    }

    /// The other comments above it, or its `c0`, or what is to be found.
    pub fn hint(&self) -> Option<String> {
        let task = || {
            ["bm", "am", "dm"].iter().find_map(|code| {
                let operands = self.epd.text(code)?;
                Some(match *code {
                    "bm" => format!("best move {operands}"),
                    "am" => format!("avoid {operands}"),
                    _ => format!("mate in {operands}"),
                })
            })
        };
        self.hint
            .clone()
            .or_else(|| self.epd.text("c0"))
            .or_else(task)
            .map(|hint| sanitise(&hint))
    }
}

/// All positions of a file, and the lines that hold none.
pub(super) fn parse(text: &str) -> (Vec<PositionLine>, Vec<LoadError>) {
    let mut positions = Vec::new();
    let mut problems = Vec::new();
    let mut comments: Vec<String> = Vec::new();
    let mut commented_line = 0;
    for (i, line) in text.split('\n').enumerate() {
        let number = i as u32 + 1;
        let line = line.trim_end_matches('\r');
        let trimmed = line.trim_start_matches('\u{feff}').trim();
        if let Some(comment) = trimmed.strip_prefix('#') {
            // A comment under a blank line or a position begins anew.
            if commented_line + 1 != number {
                comments.clear();
            }
            commented_line = number;
            comments.push(comment.trim().to_owned());
            continue;
        }
        if trimmed.is_empty() {
            continue;
        }
        let mut words = std::mem::take(&mut comments).into_iter();
        let title = words.next();
        let hint = words.collect::<Vec<_>>().join(" ");
        // A FEN in quotation marks was copied from somewhere.
        let bare = trimmed
            .strip_prefix('"')
            .and_then(|rest| rest.strip_suffix('"'))
            .filter(|rest| !rest.contains('"'));
        match epd::parse(bare.unwrap_or(line)) {
            Ok(epd) => positions.push(PositionLine {
                epd,
                line: number,
                title,
                hint: (!hint.is_empty()).then_some(hint),
            }),
            Err(error) => problems.push(error.at_line(number)),
        }
    }
    (positions, problems)
}
