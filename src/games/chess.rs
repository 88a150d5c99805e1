//! Files of chess: games, and files with one position per line, FEN or EPD or both. `#` lines above a position are its
//! title and hint.

use super::{Entries, Entry, Format, Reading};
use game::language::without_figurines;
use game::load::{Epd, LoadError, epd, fen};
use shakmaty::san::SanPlus;
use text::sanitise;

pub const PGN: Format = Format {
    name: "PGN",
    one: "a PGN",
    extension: "pgn",
    detect: |line| {
        let first = line.split_whitespace().next().unwrap_or_default();
        let is_move = |letters: &str| SanPlus::from_ascii(letters.as_bytes()).is_ok();
        line.starts_with(['[', '{', ';'])
            || first.starts_with("1.")
            || first == "1"
            || is_move(&without_figurines(first))
    },
    reading: Reading::Games,
    write: None,
    boards: &[],
};

pub const FEN: Format = Format {
    name: "FEN",
    one: "a FEN",
    extension: "fen",
    detect: |line| {
        let first = line.split_whitespace().next().unwrap_or_default();
        first.matches('/').count() >= 7 || first == "startpos"
    },
    reading: Reading::Whole(|_, text| read(text, "FEN")),
    write: None,
    boards: &[],
};

pub const EPD: Format = Format {
    name: "EPD",
    one: "an EPD",
    extension: "epd",
    detect: |line| (FEN.detect)(line) && line.contains(';'),
    reading: Reading::Whole(|_, text| read(text, "EPD")),
    write: None,
    boards: &[],
};

/// A position and what the file says about it.
#[derive(Clone, Debug)]
struct PositionLine {
    epd: Epd,
    /// Counted from 1.
    line: u32,
    title: Option<String>,
    hint: Option<String>,
}

impl PositionLine {
    fn entry(self, alone: bool) -> Entry {
        Entry {
            hint: self.hint(),
            line: self.line,
            warnings: self.epd.warnings.clone(),
            ..Entry::of_epd(self.title(alone), self.epd)
        }
    }

    /// The comment above the position, or its `id`, or its line; a position that is `alone` needs no line.
    fn title(&self, alone: bool) -> String {
        let title = self.title.clone().or_else(|| self.epd.id());
        sanitise(&title.unwrap_or_else(|| match alone {
            true => String::from("Position"),
            false => format!("Position in line {}", self.line),
        }))
    }

    /// The other comments above the position, or its `c0`, or its task.
    fn hint(&self) -> Option<String> {
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

/// Reads all lines of a file. Its `#` lines at the top are title and hint of the whole if a blank line follows them.
fn read(text: &str, format: &str) -> Result<Entries, LoadError> {
    let mut read = Entries::default();
    let mut positions = Vec::new();
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
            if positions.is_empty() && read.caption.is_none() {
                read.caption = title.map(|title| (sanitise(&title), hint.map(|h| sanitise(&h))));
            }
            continue;
        }
        match epd::parse(&fen::bare(line)) {
            Ok(epd) => positions.push(PositionLine {
                epd,
                line: number,
                title,
                hint,
            }),
            Err(error) => read.problems.push(error.at_line(number)),
        }
    }
    if positions.is_empty() {
        let nothing = LoadError::new("no position", format!("one per line, as {format}"));
        return Err(LoadError::of_all(read.problems, nothing));
    }
    let alone = positions.len() == 1;
    let entries = positions.into_iter().map(|p: PositionLine| p.entry(alone));
    read.entries = entries.collect();
    Ok(read)
}

/// Makes the first comment line a title and the others together a hint.
fn title_and_hint(comments: &mut Vec<String>) -> (Option<String>, Option<String>) {
    let mut lines = std::mem::take(comments).into_iter();
    let title = lines.next();
    let hint = lines.collect::<Vec<_>>().join(" ");
    (title, (!hint.is_empty()).then_some(hint))
}
