//! Stand-ins for what the engine tells of a search that is stepped through.

use std::collections::VecDeque;

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

/// What a person should be told.
#[derive(Clone, Debug)]
pub struct News {
    pub tree_replaced: bool,
    pub text: String,
}
