//! Takes checkpoints of a best-first search while the user steps.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::checkpoint::{Checkpoint, Checkpoints, lock};
use crate::segment::Baseline;
use search::common::table::Tables;
use search::{Control, Start};
use tree::Tree;

/// The assumed copying speed in bytes per second before the first copy was timed.
const COPY_SPEED: f64 = 1e9;

/// The part of the checkpoints that lives on the search thread.
#[derive(Debug)]
pub struct CheckpointRecorder {
    pub checkpoints: Arc<Mutex<Checkpoints>>,
    pub tree: Arc<Tree>,
    /// The tables, if the search depends on more than its tree.
    tables: Option<Arc<Tables>>,
    pub control: Arc<Control>,
    /// The totals before this run.
    pub base: Baseline,
    /// The bytes of the checkpoint with which the segment began.
    origin_bytes: u64,
    /// The running time of this run when the last copy was taken, or at its start.
    last: Duration,
    /// The time that the last copy took.
    cost: Option<Duration>,
    calls: u32,
    /// Whether the search comes to clean points at all.
    has_clean_points: bool,
    /// Whether the session waits for the next clean point.
    waits: bool,
    /// The event before the clean point that was waited for; 0 if no waiting was necessary.
    clean_since: u64,
}

impl CheckpointRecorder {
    pub fn new(
        checkpoints: Arc<Mutex<Checkpoints>>,
        tree: Arc<Tree>,
        tables: Option<Arc<Tables>>,
        control: Arc<Control>,
        base: Baseline,
        origin_bytes: u64,
        has_clean_points: bool,
    ) -> Self {
        CheckpointRecorder {
            checkpoints,
            tree,
            tables,
            control,
            base,
            origin_bytes,
            last: Duration::ZERO,
            cost: None,
            calls: 0,
            has_clean_points,
            waits: false,
            clean_since: 0,
        }
    }

    /// Announces that the search is about to be stepped through: it first continues to its next clean point, if one
    /// comes soon.
    pub fn wait_for_clean_point(&mut self) {
        self.waits = self.has_clean_points;
        self.clean_since = 0;
    }

    /// Returns the event before the clean point that was waited for: 0 if no waiting was necessary, `None` if it has
    /// not come yet.
    pub fn clean_since(&self) -> Option<u64> {
        (!self.waits).then_some(self.clean_since)
    }

    /// Called when the search is between two descents after `count` events. Keeps a copy if it would otherwise take too
    /// long to run the search to this point again.
    pub fn clean_point(&mut self, count: u64, start: Start) {
        self.calls = self.calls.wrapping_add(1);
        // Where leaves are searched, clean points are rare already.
        let rare = self.tables.is_some();
        if !self.waits && !rare && !self.calls.is_multiple_of(16) {
            return;
        }
        if self.waits {
            self.waits = false;
            self.clean_since = count;
        }
        let elapsed = self.control.elapsed();
        let in_tables = self.tables.as_ref().map_or(0, |tables| tables.size());
        let bytes = self.tree.bytes() + in_tables;
        let cost = self
            .cost
            .unwrap_or_else(|| Duration::from_secs_f64(bytes as f64 / COPY_SPEED));
        {
            let mut checkpoints = lock(&self.checkpoints);
            checkpoints.reserve(count, bytes + self.origin_bytes);
            let wanted = checkpoints.wants(count, elapsed.saturating_sub(self.last), cost);
            if !wanted || !checkpoints.make_room(count, bytes) {
                return;
            }
        }
        let began = Instant::now();
        let Some(tree) = self.tree.copy_while(|| self.control.stopped().is_none()) else {
            return;
        };
        let base = self.base.after(&self.control, count);
        lock(&self.checkpoints).push(Checkpoint {
            at: count,
            tree: Arc::new(tree),
            tables: self.tables.as_ref().map(|tables| Arc::new(tables.copy())),
            start,
            totals: base.totals,
            elapsed: base.elapsed,
            cpu: base.cpu,
        });
        self.cost = Some(began.elapsed());
        self.last = self.control.elapsed();
    }
}
