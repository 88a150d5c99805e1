//! The text of a step: paragraphs, list items and formulas, with words and with numbers from the search.

use super::{Fact, Facts, Measure};
use session::Subject;
use session::breakpoint::{BreakpointError, NodePath};

/// A paragraph, list item or formula.
#[derive(Clone, Debug)]
pub struct Prose {
    pub shape: Shape,
    pub line: u32,
    pub inlines: Vec<Inline>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Paragraph,
    Item,
    /// Line breaks are kept.
    Formula,
}

/// A piece of text.
#[derive(Clone, Debug)]
pub enum Inline {
    Plain(String),
    Bold(String),
    Code(String),
    /// A term of the glossary: how it is written here, and its name there.
    Term {
        shown: String,
        term: String,
    },
    Value(Value, Format),
}

/// What a placeholder stands for.
#[derive(Clone, Debug)]
pub enum Value {
    Number(Measure),
    /// The best move at a place, by name.
    Best(NodePath),
    /// The best line from a place on.
    Line(NodePath),
    /// The move that leads to a place.
    Move(NodePath),
    /// The sentence of the inspector that explains that row.
    Sentence(NodePath),
    /// The event at which the search is stopped, as in the log.
    Event,
}

impl Inline {
    /// Returns what it reads off the screen: a number of the search, or a part of the screen that is named.
    pub(super) fn reads(&self) -> Facts {
        let mut facts = Facts::VALUES;
        match self {
            Inline::Value(Value::Number(measure), _) => return Facts::read_by(measure.text()),
            Inline::Value(Value::Sentence(_), _) => facts.add(Fact::Fates),
            Inline::Plain(text) => {
                for (words, fact) in NAMED {
                    if text.contains(words) {
                        facts.add(fact);
                    }
                }
            }
            _ => {}
        }
        facts
    }
}

/// Words that send the reader to a part of the screen.
const NAMED: [(&str, Fact); 2] = [("nspector", Fact::Inspector), (" log says", Fact::Log)];

/// How to write a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// At most two decimals, three below 0.1; none for whole numbers.
    Plain,
    /// With this many decimals.
    Decimals(u8),
    /// With its sign and this many decimals.
    Signed(u8),
    Percent,
}

/// An error in a piece of text: the index of the character (from 0), what was found, and what was expected.
pub(super) struct Wrong {
    pub at: usize,
    pub found: String,
    pub expected: String,
}

impl Wrong {
    fn new(at: usize, found: &str, expected: &str) -> Wrong {
        Wrong {
            at,
            found: text::quote(found),
            expected: expected.into(),
        }
    }

    fn of(at: usize, error: BreakpointError) -> Wrong {
        Wrong {
            at: at + error.column as usize - 1,
            found: error.found,
            expected: error.expected,
        }
    }
}

/// Parses `**bold**` (plain words), `` `code` ``, `[[term]]`, `[[shown|term]]` and `{placeholder}`; `{{` is a brace.
pub(super) fn inlines(text: &str, subject: &Subject) -> Result<Vec<Inline>, Wrong> {
    let mut all = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    let taken = |rest: &str| text[..text.len() - rest.len()].chars().count();
    while !rest.is_empty() {
        let at = taken(rest);
        let between = |open: &str, close: &str, what: &str| {
            let Some(inside) = rest.strip_prefix(open) else {
                return Ok(None);
            };
            match inside.find(close) {
                Some(end) => Ok(Some((&inside[..end], &inside[end + close.len()..]))),
                None => Err(Wrong::new(at, rest, what)),
            }
        };
        let (inline, after) = if let Some(after) = rest.strip_prefix("{{") {
            plain.push('{');
            rest = after;
            continue;
        } else if let Some((inside, after)) = between("**", "**", "** at the end of bold text")? {
            if let Some(mark) = ["{", "[[", "`"].iter().find(|mark| inside.contains(**mark)) {
                let before = inside
                    .find(mark)
                    .map_or(0, |end| inside[..end].chars().count());
                let expected = "plain words between ** and **";
                return Err(Wrong::new(at + 2 + before, mark, expected));
            }
            (Inline::Bold(inside.into()), after)
        } else if let Some((inside, after)) = between("`", "`", "` at the end of code")? {
            (Inline::Code(inside.into()), after)
        } else if let Some((inside, after)) = between("[[", "]]", "]] at the end of a term")? {
            let (shown, term) = inside.split_once('|').unwrap_or((inside, inside));
            let (shown, term) = (shown.into(), term.trim().to_lowercase());
            (Inline::Term { shown, term }, after)
        } else if let Some((inside, after)) = between("{", "}", "} at the end of a placeholder")? {
            (placeholder(inside, at + 1, subject)?, after)
        } else {
            let mut characters = rest.chars();
            plain.extend(characters.next());
            rest = characters.as_str();
            continue;
        };
        if !plain.is_empty() {
            all.push(Inline::Plain(std::mem::take(&mut plain)));
        }
        all.push(inline);
        rest = after;
    }
    if !plain.is_empty() {
        all.push(Inline::Plain(plain));
    }
    Ok(all)
}

/// Parses `MEASURE`, `best of PLACE`, `event` and so on, with an optional format after a semicolon.
fn placeholder(inside: &str, at: usize, subject: &Subject) -> Result<Inline, Wrong> {
    let (what, format) = match inside.rsplit_once(';') {
        Some((what, format)) => {
            let read = read_format(format.trim());
            let column = at + what.chars().count() + 1;
            let wrong = || Wrong::new(column, format, "%, +, .2 (decimals) or +.2");
            (what, read.ok_or_else(wrong)?)
        }
        None => (inside, Format::Plain),
    };
    let trimmed = what.trim();
    let word = trimmed.split_whitespace().next().unwrap_or("");
    let named: Option<fn(NodePath) -> Value> = match word {
        "best" => Some(Value::Best),
        "line" => Some(Value::Line),
        "move" => Some(Value::Move),
        "sentence" => Some(Value::Sentence),
        _ => None,
    };
    let value = if trimmed == "event" {
        Value::Event
    } else if let Some(named) = named {
        let behind = trimmed[word.len()..].trim_start();
        let place = behind
            .strip_prefix("of")
            .filter(|p| p.starts_with([' ', '"']));
        let Some(place) = place else {
            return Err(Wrong::new(at, trimmed, &format!("{word} of and a place")));
        };
        named(NodePath::parse(place, subject).map_err(|e| Wrong {
            at,
            ..Wrong::of(0, e)
        })?)
    } else {
        let lead = what.chars().count() - what.trim_start().chars().count();
        Value::Number(Measure::parse(trimmed, subject).map_err(|e| Wrong::of(at + lead, e))?)
    };
    Ok(Inline::Value(value, format))
}

fn read_format(text: &str) -> Option<Format> {
    let decimals = |text: &str| {
        text.strip_prefix('.')?
            .parse::<u8>()
            .ok()
            .filter(|d| *d <= 6)
    };
    match text {
        "%" => Some(Format::Percent),
        "+" => Some(Format::Signed(2)),
        _ => match text.strip_prefix('+') {
            Some(rest) => decimals(rest).map(Format::Signed),
            None => decimals(text).map(Format::Decimals),
        },
    }
}
