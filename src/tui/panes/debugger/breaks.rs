//! Breakpoints as a person keeps them: by their text, on or off, from one search to the next.

use crate::engine::Subject;
use crate::engine::breakpoint::{Breakpoint, BreakpointError};

/// One of the person's breakpoints.
#[derive(Clone, Debug)]
pub struct Break {
    pub text: String,
    pub on: bool,
    /// For the position searched: a line that is played there may not be possible elsewhere.
    parsed: Result<Breakpoint, BreakpointError>,
}

impl Break {
    #[must_use]
    pub fn new(parsed: Breakpoint) -> Break {
        Break {
            text: parsed.text().to_owned(),
            on: true,
            parsed: Ok(parsed),
        }
    }

    /// Another position is searched.
    pub fn read_again(&mut self, subject: &Subject) {
        self.parsed = Breakpoint::parse(&self.text, subject);
    }

    /// What the search is to stop at, if it is on and can be.
    #[must_use]
    pub fn active(&self) -> Option<&Breakpoint> {
        self.parsed.as_ref().ok().filter(|_| self.on)
    }

    /// Why it can't be used here.
    #[must_use]
    pub fn refused(&self) -> Option<&BreakpointError> {
        self.parsed.as_ref().err()
    }

    /// The moves from the root to the node whose changes it waits for, if it is on and that is all it says.
    #[must_use]
    pub fn watched(&self) -> Option<&str> {
        let place = self.active()?.text().strip_prefix("changes ")?.trim();
        match place.strip_prefix('"') {
            Some(quoted) => quoted
                .strip_suffix('"')
                .filter(|moves| !moves.contains('"')),
            None => (place == "root").then_some(""),
        }
    }

    /// Whether both say the same.
    #[must_use]
    pub fn says(&self, other: &Breakpoint) -> bool {
        let own = self.parsed.as_ref().map(Breakpoint::canonical);
        own.is_ok_and(|own| own == other.canonical())
    }
}

/// Reads a filter over events: a breakpoint's expression, or only the names of kinds (`cutoff, prove`).
///
/// # Errors
/// What is wrong with it as an expression.
pub fn read_filter(text: &str, subject: &Subject) -> Result<Breakpoint, BreakpointError> {
    Breakpoint::parse(text, subject).or_else(|wrong| {
        let kinds = Breakpoint::parse(&format!("on {text}"), subject);
        kinds.map_err(|_| wrong)
    })
}
