//! Checkpoints of a search within a budget of memory: what a rewind begins from.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::search::common::table::Tables;
use crate::search::{Start, Totals};
use crate::tree::Tree;

/// A search as it stood after one of its events, at a clean point. Nobody writes to its tree and tables: a search
/// that is to go on from here gets copies.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// The number of the event it stands after; 0: before the first.
    pub at: u64,
    pub tree: Arc<Tree>,
    /// Of searches that depend on them.
    pub tables: Option<Arc<Tables>>,
    /// Where a search begins that goes on from here.
    pub start: Start,
    /// Figures up to here.
    pub totals: Totals,
    /// Running time up to here.
    pub elapsed: Duration,
    /// CPU time up to here.
    pub cpu: Duration,
}

impl Checkpoint {
    /// Bytes of tree and tables, whether touched or not: memory that had another use before is not given page by page.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.tree.bytes() + self.tables.as_ref().map_or(0, |tables| tables.size())
    }
}

/// Checkpoints in the order of their events, never more than the budget's bytes.
///
/// When memory is short, those are given up that stand closest together as seen from where the search is: near it they
/// stay dense, and away from it the gaps grow geometrically with the distance, as in a rotation of backups. So to step
/// back a little is quick however long the search is, and to go back far costs a time in proportion to how far. The
/// first, the origin, always stays.
#[derive(Debug)]
pub struct Checkpoints {
    budget: u64,
    /// Bytes of the budget that are taken otherwise.
    reserved: u64,
    /// Of the tree that is looked at while another one grows.
    aside: u64,
    bytes: u64,
    /// By event.
    kept: Vec<Kept>,
}

#[derive(Debug)]
struct Kept {
    checkpoint: Checkpoint,
    bytes: u64,
}

/// What a panic under a lock leaves behind is used as it is: checkpoints are only ever whole.
pub(in crate::engine) fn lock(checkpoints: &Mutex<Checkpoints>) -> MutexGuard<'_, Checkpoints> {
    checkpoints.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Checkpoints {
    /// A search runs at least so long from one checkpoint to the next, and so at most about so long (and the cost of
    /// the copy) again when it is run from there to any event before the next.
    const PERIOD: Duration = Duration::from_millis(250);
    /// It runs at least so many times as long as the last checkpoint took to make: a third of the time at most goes
    /// into checkpoints.
    const TIMES_COST: u32 = 2;

    /// An empty store of at most `budget` bytes.
    #[must_use]
    pub fn new(budget: u64) -> Self {
        Checkpoints {
            budget,
            reserved: 0,
            aside: 0,
            bytes: 0,
            kept: Vec::new(),
        }
    }

    /// So many bytes are taken by a tree that is looked at while another one grows; 0: by none any more.
    pub fn set_aside(&mut self, bytes: u64) {
        self.aside = bytes;
    }

    /// So many bytes of the budget are taken by others from now on: by the tree that grows. Gives checkpoints up, at the
    /// last even the origin, until there is room for it, as seen from event `now`.
    pub fn reserve(&mut self, now: u64, bytes: u64) {
        self.reserved = bytes;
        let budget = self.budget.saturating_sub(bytes + self.aside);
        while self.bytes > budget && self.kept.len() > 1 {
            self.give_up_one(now);
        }
        if self.bytes > budget {
            self.clear();
        }
    }

    fn give_up_one(&mut self, now: u64) {
        let given_up = self.kept.remove(self.least_missed(now));
        self.bytes -= given_up.bytes;
    }

    /// Gives up all of them: the search goes another way.
    pub fn clear(&mut self) {
        self.kept.clear();
        self.bytes = 0;
    }

    /// Bytes of all checkpoints together.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Keeps a checkpoint, or the one that already stands after the same event. False if it was not kept, because it
    /// does not fit into the budget beside the origin.
    pub fn push(&mut self, checkpoint: Checkpoint) -> bool {
        let bytes = checkpoint.bytes();
        self.insert(checkpoint, bytes)
    }

    fn insert(&mut self, checkpoint: Checkpoint, bytes: u64) -> bool {
        let place = self.stands_before(checkpoint.at + 1);
        if place > 0 && self.kept[place - 1].checkpoint.at == checkpoint.at {
            return true;
        }
        if !self.make_room(checkpoint.at, bytes) {
            return false;
        }
        let place = self.stands_before(checkpoint.at);
        self.bytes += bytes;
        self.kept.insert(place, Kept { checkpoint, bytes });
        true
    }

    /// Gives checkpoints up until one of so many bytes after event `at` fits; false, and nothing is given up, where it
    /// cannot. To be asked before a tree is copied: so not even the copy exceeds the budget, and none is made in vain.
    pub fn make_room(&mut self, at: u64, bytes: u64) -> bool {
        let origin = self.kept.first().map_or(0, |origin| origin.bytes);
        let budget = self.budget.saturating_sub(self.reserved + self.aside);
        if origin.saturating_add(bytes) > budget {
            return false;
        }
        while self.bytes + bytes > budget {
            self.give_up_one(at);
        }
        true
    }

    /// The last checkpoint that stands after `event` or before it.
    #[must_use]
    pub fn latest_at_or_before(&self, event: u64) -> Option<&Checkpoint> {
        let behind = self.stands_before(event.saturating_add(1));
        self.kept[..behind].last().map(|kept| &kept.checkpoint)
    }

    /// Takes out the one that stands after `event`.
    pub fn take_at(&mut self, event: u64) -> Option<Checkpoint> {
        let place = self.stands_before(event);
        let found = self.kept.get(place)?.checkpoint.at == event;
        found.then(|| {
            let taken = self.kept.remove(place);
            self.bytes -= taken.bytes;
            taken.checkpoint
        })
    }

    /// Whether it is time for a checkpoint after `event`, given the running time since the last one (or since the
    /// search was run from one) and what the last one took to make. At once while there is none; never where one
    /// stands already.
    #[must_use]
    pub fn wants(&self, event: u64, run_since_last: Duration, cost_of_last: Duration) -> bool {
        self.latest_at_or_before(event).is_none_or(|last| {
            let enough = Self::PERIOD.max(cost_of_last * Self::TIMES_COST);
            last.at < event && run_since_last >= enough
        })
    }

    /// How many stand after an event before this one.
    fn stands_before(&self, event: u64) -> usize {
        self.kept.partition_point(|kept| kept.checkpoint.at < event)
    }

    /// Which to give up, seen from event `now`: the one without which the way back to the next farther one grows by
    /// the smallest factor. Never the origin.
    fn least_missed(&self, now: u64) -> usize {
        let at = |i: usize| self.kept[i].checkpoint.at;
        let behind = self.stands_before(now);
        // The usual step: what counts is how far things will be from the next checkpoint, not from this one.
        let step = now - behind.checked_sub(1).map_or(0, at).min(now);
        let away = |event: u64| (event.abs_diff(now) + step.max(1)) as f64;
        let factor = |i: usize| {
            if at(i) < now {
                let newer = if i + 1 < behind { at(i + 1) } else { now };
                away(at(i - 1)) / away(newer)
            } else {
                let nearer = if i > behind { at(i - 1) } else { now };
                let farther = match self.kept.get(i + 1) {
                    Some(next) => next.checkpoint.at,
                    // Without the last one the way there is run from the one before.
                    None => at(i) + (at(i) - nearer),
                };
                away(farther) / away(nearer)
            }
        };
        (1..self.kept.len())
            .min_by(|&a, &b| factor(a).total_cmp(&factor(b)))
            .expect("more than the origin, which fits")
    }
}

#[cfg(test)]
mod tests;
