//! Checkpoints of a search within a memory budget; a rewind starts from one of them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use search::common::table::Tables;
use search::{Start, Totals};
use tree::Tree;

/// The state of a search after one of its events, at a clean point. Nothing writes to its tree and tables: a search
/// that is to continue from here gets copies.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// The number of the event after which it was taken; 0 is before the first event.
    pub at: u64,
    pub tree: Arc<Tree>,
    /// The tables, for searches that depend on them.
    pub tables: Option<Arc<Tables>>,
    /// Where a search that continues from here starts.
    pub start: Start,
    /// The totals up to this point.
    pub totals: Totals,
    /// The running time up to this point.
    pub elapsed: Duration,
    /// The CPU time up to this point.
    pub cpu: Duration,
}

impl Checkpoint {
    /// Returns the bytes of tree and tables, whether touched or not: memory that had another use before is not provided
    /// page by page.
    pub fn bytes(&self) -> u64 {
        self.tree.bytes() + self.tables.as_ref().map_or(0, |tables| tables.size())
    }
}

/// Checkpoints in the order of their events, together never larger than the budget.
///
/// When memory is short, the checkpoints to be discarded are those that are closest together as seen from the search's
/// present event. Near it they stay dense, and away from it the gaps grow geometrically with the distance, as in a
/// backup rotation. Stepping back a little is therefore quick however long the search is, and going back far takes time
/// in proportion to the distance. The first checkpoint, the origin, is always kept.
#[derive(Debug)]
pub struct Checkpoints {
    budget: u64,
    /// The bytes of the budget that are used for something else.
    reserved: u64,
    /// The bytes of the tree that is displayed while another one grows.
    aside: u64,
    bytes: u64,
    /// In the order of events.
    kept: Vec<Kept>,
}

#[derive(Debug)]
struct Kept {
    checkpoint: Checkpoint,
    bytes: u64,
}

/// Locks the checkpoints. A lock poisoned by a panic is used as it is, because the checkpoints are always in a complete
/// state.
pub fn lock(checkpoints: &Mutex<Checkpoints>) -> MutexGuard<'_, Checkpoints> {
    checkpoints.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Checkpoints {
    /// The minimum running time from one checkpoint to the next. Running again from a checkpoint to any event before
    /// the next one therefore takes at most about this long (plus the cost of the copy).
    const PERIOD: Duration = Duration::from_millis(250);
    /// The minimum running time between two checkpoints as a multiple of the time that the last one took to make: at
    /// most a third of the time goes into checkpoints.
    const TIMES_COST: u32 = 2;

    /// Creates an empty store of at most `budget` bytes.
    pub fn new(budget: u64) -> Self {
        Checkpoints {
            budget,
            reserved: 0,
            aside: 0,
            bytes: 0,
            kept: Vec::new(),
        }
    }

    /// Sets the bytes used by a tree that is displayed while another one grows; 0 if there is none any more.
    pub fn set_aside(&mut self, bytes: u64) {
        self.aside = bytes;
    }

    /// Sets the bytes of the budget that the growing tree uses from now on. Discards checkpoints, as seen from event
    /// `now`, until there is room for it; if nothing else is left, even the origin.
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

    /// Discards all of them: the search takes another course.
    pub fn clear(&mut self) {
        self.kept.clear();
        self.bytes = 0;
    }

    /// Returns the bytes of all checkpoints together.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Keeps a checkpoint, or the existing one after the same event. Returns false if it was not kept because it does
    /// not fit into the budget beside the origin.
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

    /// Discards checkpoints until one of this size after event `at` fits. If that is impossible, returns false and
    /// discards nothing. Must be called before a tree is copied, so that not even the copy exceeds the budget and none
    /// is made in vain.
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

    /// Returns the last checkpoint taken at or before `event`.
    pub fn latest_at_or_before(&self, event: u64) -> Option<&Checkpoint> {
        let behind = self.stands_before(event.saturating_add(1));
        self.kept[..behind].last().map(|kept| &kept.checkpoint)
    }

    /// Removes and returns the checkpoint taken after `event`.
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
    /// search was restarted from one) and what the last one cost. True at once while there is none, and never where one
    /// exists already.
    pub fn wants(&self, event: u64, run_since_last: Duration, cost_of_last: Duration) -> bool {
        self.latest_at_or_before(event).is_none_or(|last| {
            let enough = Self::PERIOD.max(cost_of_last * Self::TIMES_COST);
            last.at < event && run_since_last >= enough
        })
    }

    /// Returns how many were taken after an event before this one.
    fn stands_before(&self, event: u64) -> usize {
        self.kept.partition_point(|kept| kept.checkpoint.at < event)
    }

    /// Returns the checkpoint to be discarded, seen from event `now`: the one whose loss makes the way back to the next
    /// farther one grow by the smallest factor. Never the origin.
    fn least_missed(&self, now: u64) -> usize {
        let at = |i: usize| self.kept[i].checkpoint.at;
        let behind = self.stands_before(now);
        // The usual step is added because what counts are the distances at the next checkpoint, not at this one.
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
                    // Without the last one, the search would have to be run to its place from the one before.
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
