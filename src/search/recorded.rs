//! The search of another program, as a job reads it.

use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use open_trace::{Header, Names, Reader, SearchStart};

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

    /// The program's thread of which it is the search; `None` where all its threads grow one tree.
    fn thread(&self) -> Option<u8> {
        None
    }

    /// Reads it from its first record on: of a depth-first search the records of one thread. `None` if it cannot be read any
    /// more.
    fn reader(&self) -> Option<Reader<Box<dyn Read + Send>>>;

    /// Whether its trace can still be read from its beginning: of a long one from a live program that may have been forgotten.
    fn is_whole(&self) -> bool {
        true
    }

    /// Whether its trace is in a file, from which it can be read again at another time.
    fn is_in_a_file(&self) -> bool {
        false
    }

    /// Writes to a file what has come of its trace so far, unless it is in one. Returns that file.
    ///
    /// # Errors
    /// If it can't be written, or its beginning is no longer kept.
    fn save(&self, _wanted: &Path) -> io::Result<PathBuf> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Whether the program has said elsewhere than in its trace that the search is over.
    fn is_over(&self) -> bool {
        false
    }

    /// Asks a program that is still telling to stand still, or to go on as far as its readers want.
    fn pause(&self, _paused: bool) {}

    /// Says up to which event the program may go on by itself, so that those who watch see each event before it happens;
    /// `None` for as far as it likes.
    fn allow(&self, until: Option<u64>);
}

/// Whether both are threads of the same search of the same program.
pub fn is_same_search(one: &dyn Recorded, other: &dyn Recorded) -> bool {
    Arc::ptr_eq(one.names(), other.names()) && one.search() == other.search()
}
