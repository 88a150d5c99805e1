//! A program that was run again, and whether it searched the same.

use super::*;

/// A program that was run again.
#[derive(Debug)]
pub(crate) struct Rerun {
    pub program: Program,
    /// What it is run for, to be named to the user.
    pub(super) name: String,
    /// The names of its stream, by which its searches are known.
    pub(super) names: Arc<OnceLock<Arc<Names>>>,
    /// How far the run before it had come, and whether that was all.
    pub(super) events: u64,
    pub(super) before_is_over: bool,
    /// Whether it was said whether it is the same search.
    pub(super) is_judged: bool,
}

impl Rerun {
    /// Whether a stream with these names is that of this run.
    pub fn is_of(&self, names: &Arc<Names>) -> bool {
        self.names.get().is_some_and(|own| Arc::ptr_eq(own, names))
    }

    /// Whether it is still to be said whether it is the same search.
    pub fn is_awaited(&self) -> bool {
        !self.is_judged
    }

    pub(super) fn parted(&self) -> Option<Difference> {
        match self.program.status().repeat {
            Some(Repeat::Differs(difference)) => Some(difference),
            _ => None,
        }
    }

    /// Whether nothing more of it can be compared.
    pub(super) fn is_compared(&self) -> bool {
        let status = self.program.status();
        // Where the run before has ended, it also matters where this one ends.
        status.state.is_over() || !self.before_is_over && status.events >= self.events
    }

    /// Says how far it is known to be the same search.
    pub(super) fn verdict(&self) -> (Level, String) {
        match self.program.status().repeat {
            Some(Repeat::SameUpTo(place)) => {
                let event = thousands(place.event);
                let what = format!("the same search: its marks agree up to event {event}");
                (Level::Info, what)
            }
            _ => {
                let what =
                    "nothing shows whether it is the same search: no mark of it could be compared";
                (Level::Warning, what.to_owned())
            }
        }
    }
}

/// What usually makes two runs of a program differ.
const CAUSES: &str = "usual causes: several threads, a limit by time, random seeds, a table kept from the search before";

/// Says that a run took another course.
pub(super) fn parted_words(name: &str, difference: Difference) -> String {
    format!(
        "{name}, run again, {difference}: what was recorded first stays, and it is not run again ({CAUSES})"
    )
}
