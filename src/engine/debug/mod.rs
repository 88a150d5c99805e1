//! Stepping through a real search, stopping it where it does something, and going back.
//!
//! A session's main thread counts its events at no cost that could be measured. An order makes it stand at an event; to
//! go back, the search is run again on a tree of its own, from its beginning or from a checkpoint, up to the event
//! before, and then takes the place of the one that went further: single-threaded it does the same things in the same
//! order. Whatever changes what a search does (fewer threads, a move taken out) ends the run and begins another one on
//! the same tree, a *segment*; stepping back ends at the beginning of the segment.

pub(super) mod checkpoint;
pub(super) mod checkpoint_recorder;
pub(super) mod gate;
mod log;
pub(super) mod stepper;
mod visit;

use std::fmt;

pub use log::Log;
pub use visit::{Entered, Visit};

use crate::search::Event;
pub(super) use gate::Order;

/// How far a standing search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// To the next event.
    Into,
    /// Past what was just entered, else to the next event that is not below a child: one child as a whole.
    Over,
    /// Until the node it is in is left.
    Out,
    /// To the next breakpoint. The other steps stop at breakpoints too.
    ToBreak,
}

/// Why a search stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The step is done.
    Step,
    /// At a breakpoint, by the number it was given.
    Breakpoint(usize),
    /// It was running, and somebody wants to step.
    Asked,
    /// At the event it was sent to.
    Arrived,
    /// It is over: this was its last event.
    Ended,
}

/// A search that stands at an event: the event has happened, the next has not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// The first event has the number 1.
    pub number: u64,
    pub event: Event,
    pub why: Why,
}

/// Where in its events a search is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EventPosition {
    /// The earliest place one can go back to; 0 is before the first event.
    pub first: u64,
    /// The last event known of; exact while the search stands.
    pub now: u64,
    /// The last event anybody has seen.
    pub last: u64,
    /// How much of a way back or forth is done, 0 to 1.
    pub under_way: Option<f32>,
}

/// What a person should be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// The session's tree is another one: the search was rewound.
    TreeReplaced,
    /// Several threads searched; from here on it is one.
    OneThread,
    /// Stepping back ends here from now on.
    NewBeginning,
    /// A copy of the tree, which stepping back needs, does not fit into the memory given, or would hold a search up.
    NoRoomForCopy,
    /// A search can't be gone back in, for the tree at hand leaves no room for the one that it was.
    NoRoomForAnother,
    /// There is nothing before.
    AtTheBeginning,
    /// Several threads searched to the end: that can't be run again.
    NotRepeatable,
    /// Several threads searched to the end: one goes through the search from its beginning.
    AgainByOne,
    /// There is nothing left to step through.
    HasEnded,
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
            News::HasEnded => "the search has ended: b steps back, + searches the selected node more",
        })
    }
}

/// A move can't be taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CantExclude {
    #[error("the last move that is left can't be taken out")]
    LastMove,
    #[error("another change is under way")]
    Busy,
}
