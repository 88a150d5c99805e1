//! Looking for a kind of node in the whole tree, on a thread of its own, so that the screen never waits for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, TryRecvError, bounded};

use super::{Filter, Sort};
use crate::source::{Owned, Source};
use session::seek::{Place, Seek};
use session::{Reader, Wanted};
use tree::Tree;

/// How long the screen waits for an answer: a small tree's is there at once.
const AT_ONCE: Duration = Duration::from_millis(8);

/// A search through the tree that is under way. Dropping it ends it.
#[derive(Debug)]
pub struct Hunt {
    /// What is looked for.
    pub what: Filter,
    /// The tree that is looked through; its places mean nothing in another one.
    looked: Arc<Owned>,
    answer: Receiver<Option<Place>>,
    cancelled: Arc<AtomicBool>,
    seen: Arc<AtomicU64>,
}

/// What came of a look at the answer.
#[derive(Debug)]
pub enum Look {
    /// It is still under way.
    Waits(Hunt),
    Done(Option<Place>),
}

impl Hunt {
    /// Starts to look for the next row of a kind after `start`, `by` times (backwards if negative).
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn start(
        source: &Source,
        (what, wanted): (Filter, Wanted),
        sort: Sort,
        start: Place,
        by: isize,
    ) -> std::io::Result<Hunt> {
        let looked = Arc::new(source.owned());
        let (sender, answer) = bounded(1);
        let (cancelled, seen) = (
            Arc::new(AtomicBool::new(false)),
            Arc::new(AtomicU64::new(0)),
        );
        let hunt = Hunt {
            what,
            looked: Arc::clone(&looked),
            answer,
            cancelled: Arc::clone(&cancelled),
            seen: Arc::clone(&seen),
        };
        let work = move || {
            let goes_on = || {
                seen.fetch_add(1, Relaxed);
                !cancelled.load(Relaxed)
            };
            let found = look(&looked, &wanted, sort, start, by, &goes_on);
            // Nobody waits for it any more if it was cancelled.
            let _ = sender.send(found);
        };
        let builder = std::thread::Builder::new().name("hunt".into());
        builder.spawn(work)?;
        Ok(hunt)
    }

    /// Waits briefly for the answer.
    pub fn wait_briefly(self) -> Look {
        match self.answer.recv_timeout(AT_ONCE) {
            Ok(found) => Look::Done(found),
            Err(RecvTimeoutError::Timeout) => Look::Waits(self),
            Err(RecvTimeoutError::Disconnected) => Look::Done(None),
        }
    }

    /// Looks whether the answer has come.
    pub fn look(self) -> Look {
        match self.answer.try_recv() {
            Ok(found) => Look::Done(found),
            Err(TryRecvError::Empty) => Look::Waits(self),
            Err(TryRecvError::Disconnected) => Look::Done(None),
        }
    }

    /// Whether it looks through this tree.
    pub fn is_about(&self, tree: &Tree) -> bool {
        std::ptr::eq(self.looked.reader().tree, tree)
    }

    /// Returns how much of the tree has been looked at, in per cent.
    pub fn percent(&self) -> u64 {
        let nodes = u64::from(self.looked.reader().tree.len()).max(1);
        (100 * self.seen.load(Relaxed) / nodes).min(99)
    }
}

impl Drop for Hunt {
    fn drop(&mut self) {
        self.cancelled.store(true, Relaxed);
    }
}

fn look(
    owned: &Owned,
    wanted: &Wanted,
    sort: Sort,
    start: Place,
    by: isize,
    goes_on: &dyn Fn() -> bool,
) -> Option<Place> {
    let reader = owned.reader();
    let weigh = |reader: Reader, parent, rows: &mut [(f64, Place)]| {
        let leader = sort.leader(reader, parent);
        for (weight, row) in rows {
            *weight = sort.weight_of(reader, leader, row.node);
        }
    };
    let seek = Seek {
        reader,
        wanted,
        weigh: match sort {
            Sort::Order | Sort::Name => None,
            _ => Some(&weigh),
        },
        back: by < 0,
        goes_on,
    };
    (0..by.unsigned_abs().max(1)).try_fold(start, |at, _| seek.next(at))
}
