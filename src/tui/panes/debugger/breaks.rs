//! The user's breakpoints: kept by their text, on or off, from one search to the next.

use session::Subject;
use session::breakpoint::{Breakpoint, BreakpointError};

/// One of the user's breakpoints.
#[derive(Clone, Debug)]
pub struct Break {
    pub text: String,
    pub on: bool,
    /// The breakpoint for the searched position. Its line may be impossible in another position.
    parsed: Result<Breakpoint, BreakpointError>,
}

impl Break {
    pub fn new(parsed: Breakpoint) -> Break {
        Break {
            text: parsed.text().to_owned(),
            on: true,
            parsed: Ok(parsed),
        }
    }

    /// Parses the text again, for another position.
    pub fn read_again(&mut self, subject: &Subject) {
        self.parsed = Breakpoint::parse(&self.text, subject);
    }

    /// Returns the breakpoint, if it is on and valid here.
    pub fn active(&self) -> Option<&Breakpoint> {
        self.parsed.as_ref().ok().filter(|_| self.on)
    }

    /// Returns why it cannot be used here.
    pub fn refused(&self) -> Option<&BreakpointError> {
        self.parsed.as_ref().err()
    }

    /// Returns the moves from the root to the node that it watches for changes, if it is on and has no other condition.
    pub fn watched(&self) -> Option<&str> {
        let place = self.active()?.text().strip_prefix("changes ")?.trim();
        match place.strip_prefix('"') {
            Some(quoted) => quoted
                .strip_suffix('"')
                .filter(|moves| !moves.contains('"')),
            None => (place == "root").then_some(""),
        }
    }

    /// Whether both mean the same.
    pub fn says(&self, other: &Breakpoint) -> bool {
        let own = self.parsed.as_ref().map(Breakpoint::canonical);
        own.is_ok_and(|own| own == other.canonical())
    }
}

/// Parses a filter over events: a breakpoint's expression, or only names of kinds (`cutoff, prove`).
///
/// # Errors
/// What is wrong with it as an expression.
pub fn read_filter(text: &str, subject: &Subject) -> Result<Breakpoint, BreakpointError> {
    Breakpoint::parse(text, subject).or_else(|wrong| {
        let kinds = Breakpoint::parse(&format!("on {text}"), subject);
        kinds.map_err(|_| wrong)
    })
}
