//! Stepping through a real search, stopping it at its events, and going back.
//!
//! A session's main thread counts its events at no measurable cost. An order makes it stop at an event. To go back, the
//! search is run again on a tree of its own, from its beginning or from a checkpoint, up to the event before, and then
//! replaces the search that had gone further: a single-threaded search does the same things in the same order. Whatever
//! changes what a search does (fewer threads, an excluded move) ends the run and begins another one on the same tree, a
//! *segment*; stepping back ends at the beginning of the segment.

pub(super) mod checkpoint;
pub(super) mod checkpoint_recorder;
pub(super) mod gate;
mod log;
pub(super) mod stepper;
mod visit;

use std::fmt;

pub use log::Log;
pub use visit::{Entered, Visit};

pub(super) use gate::Order;
use search::Event;

/// How far a stopped search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// To the next event.
    Into,
    /// Past the node just entered, or else to the next event that is not below a child: one child as a whole.
    Over,
    /// Until the search leaves the node in which it is.
    Out,
    /// To the next breakpoint. The other steps stop at breakpoints too.
    ToBreak,
}

/// Why a search has stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The step is complete.
    Step,
    /// At a breakpoint, identified by the number it was given.
    Breakpoint(usize),
    /// It was running, and the user wants to step.
    Asked,
    /// It reached the event to which it was sent.
    Arrived,
    /// It has ended; this was its last event.
    Ended,
}

/// A search that has stopped at an event: the event has happened, the next one has not.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The number of the event; the first event has the number 1.
    pub number: u64,
    pub event: Event,
    pub why: Why,
}

/// The position of a search in its sequence of events.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EventPosition {
    /// The earliest point to which one can go back; 0 is before the first event.
    pub first: u64,
    /// The last known event; exact if the search has stopped.
    pub now: u64,
    /// The last event that has been seen.
    pub last: u64,
    /// How much of the way to an event is done, from 0 to 1.
    pub under_way: Option<f32>,
}

/// News for the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// The session has another tree, because the search was rewound.
    TreeReplaced,
    /// Several threads were searching; from here on there is only one.
    OneThread,
    /// From now on stepping back ends here.
    NewBeginning,
    /// The copy of the tree that stepping back needs does not fit into the memory given, or would hold up the search.
    NoRoomForCopy,
    /// The search cannot be rewound, because its tree leaves no room for an earlier one.
    NoRoomForAnother,
    /// There is nothing before this point.
    AtTheBeginning,
    /// Several threads searched to the end, which cannot be repeated.
    NotRepeatable,
    /// Several threads searched to the end; a single one now goes through the search from its beginning.
    AgainByOne,
    /// There is nothing left to step through.
    HasEnded,
    /// What is shown can't be changed.
    OnlyShown(OnlyShown),
    /// A saved search has to be run again before it can be changed.
    RunsAgain,
}

/// A search that can be looked at and gone through, but not changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OnlyShown {
    #[error("a leaf's search is shown as it was and can't be changed: Esc goes back to the tree")]
    Leaf,
    #[error("another program's search is shown as it was told and can't be changed")]
    Program,
}

impl fmt::Display for News {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            News::TreeReplaced => "rewound",
            News::OneThread => {
                "stopped at a clean point: from here on one thread searches, and one can step back to here"
            }
            News::NewBeginning => "from here on the search goes another way: one can step back to here",
            News::NoRoomForAnother => "there is no room to grow an earlier tree beside this one: more memory (--memory), or a smaller tree",
            News::NoRoomForCopy => "stepping back is not possible: a copy of the tree would take too much memory (--memory) or time",
            News::AtTheBeginning => "there is nothing before",
            News::NotRepeatable => {
                "what several threads did can't be run again: restart with one thread ([) to step back"
            }
            News::AgainByOne => {
                "what several threads did can't be run again: one thread searches from the beginning"
            }
            News::OnlyShown(what) => return what.fmt(f),
            News::RunsAgain => {
                "the saved search is first run again to where it was saved: try again then"
            }
            News::HasEnded => "the search has ended: b steps back, + searches the selected node more",
        })
    }
}

/// Why a move cannot be excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CantExclude {
    #[error("the last move that is left can't be taken out")]
    LastMove,
    #[error("another change is under way")]
    Busy,
    #[error("{0}")]
    OnlyShown(OnlyShown),
}
