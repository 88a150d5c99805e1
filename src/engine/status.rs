//! Figures of a search at one moment, whoever runs it.

use std::time::Duration;

use crate::search::{AuditRow, StopReason, Totals};

/// What a session is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Running,
    Paused,
    /// Ended by itself or by [`crate::engine::Session::stop`].
    Finished(StopReason),
}

/// Figures of a session at one moment.
#[derive(Clone, Debug)]
pub struct Status {
    pub state: State,
    pub totals: Totals,
    /// Running time, pauses not counted.
    pub elapsed: Duration,
    /// CPU time of all threads together.
    pub cpu: Duration,
    pub tree_nodes: u32,
    /// Bytes of the tree.
    pub tree_bytes: u64,
    /// The tree's budget is used up: a best-first search has ended, a depth-first one goes on unrecorded.
    pub tree_full: bool,
    pub threads: usize,
    /// What audits of forward pruning found since the search began, or since it was last taken back; `None` without any.
    pub audit: Option<Vec<AuditRow>>,
}

impl Status {
    /// Nodes per second over the whole running time.
    #[must_use]
    pub fn nodes_per_second(&self) -> f64 {
        self.totals.nodes as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// Nodes per second of work: what the search would make if it had its cores to itself. From the CPU time, which is
    /// counted whether or not it had to wait for its turn.
    #[must_use]
    pub fn nodes_per_working_second(&self) -> f64 {
        let working = self.cpu.as_secs_f64() / self.threads.max(1) as f64;
        self.totals.nodes as f64 / working.max(1e-9)
    }
}
