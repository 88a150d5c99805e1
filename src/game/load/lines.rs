//! Files with one position per line, FEN or EPD or both. `#` lines above a position are its title and hint.

use super::{Epd, LoadError, epd};
use crate::ChessPosition;
use text::sanitise;

/// A position and what the file says about it.
#[derive(Clone, Debug)]
pub(super) struct PositionLine {
    pub epd: Epd,
    /// Counted from 1.
    pub line: u32,
    title: Option<String>,
    hint: Option<String>,
}

impl PositionLine {
    /// The comment above the position, or its `id`, or its line; a position that is `alone` needs no line.
    pub fn title(&self, alone: bool) -> String {
        let title = self.title.clone().or_else(|| self.epd.id());
        sanitise(&title.unwrap_or_else(|| match alone {
            true => String::from("Position"),
            false => format!("Position in line {}", self.line),
        }))
    }

    /// The other comments above the position, or its `c0`, or its task.
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

/// The contents of a file of positions.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    /// The `#` lines at the top of the file if a blank line follows them: title and hint of the whole.
    pub caption: Option<(String, Option<String>)>,
    pub positions: Vec<PositionLine>,
    /// Lines without a usable position.
    pub problems: Vec<LoadError>,
}

impl Lines {
    /// A file with a single position.
    pub fn of_position(title: &str, position: ChessPosition) -> Lines {
        let epd = Epd {
            position,
            operations: Vec::new(),
            warnings: Vec::new(),
        };
        let position = PositionLine {
            epd,
            line: 1,
            title: Some(title.to_owned()),
            hint: None,
        };
        Lines {
            positions: vec![position],
            ..Lines::default()
        }
    }
}

/// Reads all lines of a file.
pub(super) fn parse(text: &str) -> Lines {
    let mut caption = None;
    let mut positions = Vec::new();
    let mut problems = Vec::new();
    let mut comments: Vec<String> = Vec::new();
    for (i, line) in text.split('\n').enumerate() {
        let number = i as u32 + 1;
        // Some tools leave zero bytes at the end of a line.
        let line = line.trim_end_matches(['\r', '\0', ' ']);
        let trimmed = line.trim_start_matches('\u{feff}').trim();
        if let Some(comment) = trimmed.strip_prefix('#') {
            comments.push(comment.trim().to_owned());
            continue;
        }
        let (title, hint) = title_and_hint(&mut comments);
        if trimmed.is_empty() {
            if positions.is_empty() && caption.is_none() {
                caption = title.map(|title| (sanitise(&title), hint.map(|h| sanitise(&h))));
            }
            continue;
        }
        // A FEN in quotation marks, copied from somewhere.
        let bare = trimmed
            .strip_prefix('"')
            .and_then(|rest| rest.strip_suffix('"'))
            .filter(|rest| !rest.contains('"'));
        match epd::parse(bare.unwrap_or(line)) {
            Ok(epd) => positions.push(PositionLine {
                epd,
                line: number,
                title,
                hint,
            }),
            Err(error) => problems.push(error.at_line(number)),
        }
    }
    Lines {
        caption,
        positions,
        problems,
    }
}

/// Makes the first comment line a title and the others together a hint.
fn title_and_hint(comments: &mut Vec<String>) -> (Option<String>, Option<String>) {
    let mut lines = std::mem::take(comments).into_iter();
    let title = lines.next();
    let hint = lines.collect::<Vec<_>>().join(" ");
    (title, (!hint.is_empty()).then_some(hint))
}
