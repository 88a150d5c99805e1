//! Stand-ins for what the engine tells of a search that is stepped through.

use std::collections::VecDeque;

use crate::engine::Reader;
use crate::search::Event;

/// How far to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Into,
    Over,
    Out,
    ToBreak,
}

/// Why the search stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    Step,
    /// Which breakpoint.
    Breakpoint(usize),
    Asked,
    Arrived,
    Ended,
}

/// The event that a search stands at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    pub number: u64,
    pub event: Event,
    pub why: Why,
}

/// Where in the search that is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Place {
    /// The earliest event that one can go back to.
    pub first: u64,
    pub now: u64,
    /// The furthest seen.
    pub last: u64,
    /// How much of a way back or forth is done, 0 to 1.
    pub under_way: Option<f32>,
}

/// A breakpoint.
#[derive(Clone, Debug)]
pub struct Breakpoint {
    pub text: String,
    pub on: bool,
}

/// The latest events, without a gap.
#[derive(Clone, Debug, Default)]
pub struct Log {
    first: u64,
    events: VecDeque<Event>,
}

impl Log {
    #[must_use]
    pub fn of(first: u64, events: Vec<Event>) -> Log {
        Log {
            first,
            events: events.into(),
        }
    }

    #[must_use]
    pub fn first(&self) -> u64 {
        self.first
    }

    #[must_use]
    pub fn end(&self) -> u64 {
        self.first + self.events.len() as u64
    }

    #[must_use]
    pub fn get(&self, number: u64) -> Option<&Event> {
        let place = usize::try_from(number.checked_sub(self.first)?).ok()?;
        self.events.get(place)
    }
}

/// The sentence of an event.
#[must_use]
pub fn sentence(reader: &Reader, event: &Event) -> String {
    short(reader, event)
}

/// A few words.
#[must_use]
pub fn short(reader: &Reader, event: &Event) -> String {
    let node = event.node();
    let n = reader.tree.node(node);
    let name = if n.parent().is_none() {
        "the position".to_owned()
    } else {
        reader.label(n.parent(), n.move_code())
    };
    format!("{name}: {}", event.kind().name())
}

/// What a person should be told.
#[derive(Clone, Debug)]
pub struct News {
    pub tree_replaced: bool,
    pub text: String,
}

/// Why an expression was refused.
#[derive(Clone, Debug)]
pub struct Refused {
    /// Characters before the place.
    pub at: usize,
    pub what: String,
}

/// What could stand at the cursor.
#[derive(Clone, Debug)]
pub struct Completion {
    /// The character that it begins at: what stands from there to the cursor is replaced.
    pub from: usize,
    pub word: String,
    pub summary: String,
}

impl Breakpoint {
    /// Reads one.
    ///
    /// # Errors
    /// Where it is wrong, and what was expected.
    pub fn parse(text: &str) -> Result<Breakpoint, Refused> {
        let kind = text.strip_prefix("on ").unwrap_or("");
        if crate::search::EVENTS.iter().any(|e| e.name == kind) {
            return Ok(Breakpoint {
                text: text.to_owned(),
                on: true,
            });
        }
        Err(Refused {
            at: 3.min(text.chars().count()),
            what: format!("found \"{kind}\", expected a kind of event: cutoff, prove, leave ..."),
        })
    }
}

#[must_use]
pub fn complete(text: &str, cursor: usize) -> Vec<Completion> {
    let typed: String = text.chars().take(cursor).collect();
    let (from, word) = match typed.rfind(' ') {
        Some(at) => (typed[..=at].chars().count(), typed[at + 1..].to_owned()),
        None => (0, typed.clone()),
    };
    let words: Vec<(&str, &str)> = if from == 0 {
        vec![
            ("on", "at events of a kind"),
            ("at", "at the node of a line"),
            ("under", "below the node of a line"),
            ("when", "where a condition holds"),
        ]
    } else {
        crate::search::EVENTS
            .iter()
            .map(|e| (e.name, e.summary))
            .collect()
    };
    words
        .into_iter()
        .filter(|(w, _)| w.starts_with(&word))
        .map(|(w, summary)| Completion {
            from,
            word: w.to_owned(),
            summary: summary.to_owned(),
        })
        .collect()
}
