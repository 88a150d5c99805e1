//! The search of another program, as a job reads it.

use std::fmt;
use std::sync::Arc;

use open_trace::{At, Header, Names, Record, SearchStart};

/// A search that another program has told, or is telling.
pub trait Recorded: fmt::Debug + Send + Sync {
    fn header(&self) -> &Header;

    fn names(&self) -> &Arc<Names>;

    /// What the program said when the search began; its records come after that.
    fn start(&self) -> &SearchStart;

    /// Its number in what the program tells, from 0.
    fn search(&self) -> u32 {
        0
    }

    /// Reads it from its first record on.
    fn records(&self) -> Box<dyn Records + '_>;

    /// Asks a program that is still telling to stand still, or to go on as far as its readers want.
    fn pause(&self, _paused: bool) {}
}

/// Reads the records of one search: of a depth-first one those of one thread.
pub trait Records {
    /// Returns the next record. `wanted` is the number of the event up to which the program may go on by itself, so that those
    /// who watch see each event before it happens; `None` for as far as it likes.
    fn next(&mut self, wanted: Option<u64>) -> Next<'_>;
}

/// What comes next in a stream.
#[derive(Debug)]
pub enum Next<'a> {
    Record(At, Record<'a>),
    /// The program has not told more yet; the reader has waited for some milliseconds.
    NotYet,
    End,
}
