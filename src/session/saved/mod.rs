//! Saved searches: a file from which a search can be looked at as it was, and gone on with.
//!
//! A file begins with one line of text that names its format. What follows is compressed and checksummed: the *index*,
//! which is JSON, and then the trees and tables of its searches. Nothing of a file is believed before its checksum is
//! known to be right, and a file is written beside the old one, which it then replaces.

mod file;
mod index;
mod trace;

use std::sync::Arc;
use std::time::Duration;

pub use file::{
    FIRST_LINE, Kept, Progress, ReadError, VERSION, check_version, is_saved, read, write,
};

use super::Subject;
use super::config::Config;
use super::progress::Point;
use super::segment::Segment;
use super::session::Hold;
use search::common::table::Tables;
use search::{AuditRow, StopReason};
use tree::Tree;

/// The state of a search, for a file or from one. While the search lives, it can't go on before this is dropped.
#[derive(Debug)]
pub struct SavedSearch {
    pub(super) subject: Arc<Subject>,
    pub(super) config: Arc<Config>,
    /// Whether its search probed endgame tables; which ones, a file does not say.
    pub(super) probed: bool,
    pub(super) tree: Arc<Tree>,
    /// The tables, where the search would go on from this tree.
    pub(super) tables: Option<Arc<Tables>>,
    /// All that was done so far is in its `base`.
    pub(super) segment: Segment,
    pub(super) course: Course,
    pub(super) origin: SavedOrigin,
    /// The last event that has been seen.
    pub(super) furthest: u64,
    /// The nodes after which it pauses.
    pub(super) pause_after: Option<u64>,
    /// How the root's value changed.
    pub(super) points: Vec<Point>,
    pub(super) audit: Option<Vec<AuditRow>>,
    pub(super) _hold: Option<Hold>,
}

/// How a saved search goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Course {
    /// It is run again to this place first, because its tree was saved in the middle of its work.
    Again(Place),
    /// From the tree as it is.
    FromHere,
    /// It has ended.
    Ended(StopReason),
}

/// A place in the course of a search by one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// After this event.
    Event(u64),
    /// Where this many nodes were counted.
    Nodes(u64),
}

/// The point at which stepping back ends.
#[derive(Debug)]
pub(super) enum SavedOrigin {
    /// The segment begins with an empty tree.
    Empty(Segment),
    Kept(Segment, Arc<Tree>, Arc<Tables>),
    /// Nothing before the present state is known.
    Lost,
}

impl SavedSearch {
    pub fn subject(&self) -> &Subject {
        &self.subject
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Returns the tree as it was saved.
    pub fn tree(&self) -> &Arc<Tree> {
        &self.tree
    }

    /// Returns what had been spent: nodes and running time.
    pub fn spent(&self) -> (u64, Duration) {
        (self.segment.base.totals.nodes, self.segment.base.elapsed)
    }

    /// Whether the search probed endgame tables, which have to be given again ([`SavedSearch::with_config`]).
    pub fn has_probed(&self) -> bool {
        self.probed
    }

    /// Changes what a file can't contain: endgame tables, cores shared with others.
    #[must_use]
    pub fn with_config(self, change: impl FnOnce(Config) -> Config) -> SavedSearch {
        SavedSearch {
            config: Arc::new(change(Config::clone(&self.config))),
            ..self
        }
    }

    /// Whether it is another program's search, whose tree is grown from its trace again.
    fn is_told(&self) -> bool {
        self.config.recorded.is_some()
    }

    /// The bytes of trees and tables, before compression.
    fn bytes(&self) -> u64 {
        let origin = match &self.origin {
            SavedOrigin::Kept(_, tree, tables) => tree.bytes_to_write() + tables.size(),
            SavedOrigin::Empty(_) | SavedOrigin::Lost => 0,
        };
        if self.is_told() {
            return 0;
        }
        let tables = self.tables.as_ref().map_or(0, |tables| tables.size());
        self.tree.bytes_to_write() + tables + origin
    }
}
