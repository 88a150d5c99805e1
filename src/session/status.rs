//! The figures of a search at one moment, whatever runs it.

use std::time::Duration;

use search::{AuditRow, StopReason, Totals};

/// What a session is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Running,
    Paused,
    /// The session ended by itself or by [`crate::Session::stop`].
    Finished(StopReason),
}

/// The figures of a session at one moment.
#[derive(Clone, Debug)]
pub struct Status {
    pub state: State,
    pub totals: Totals,
    /// The running time without pauses.
    pub elapsed: Duration,
    /// The CPU time of all threads together.
    pub cpu: Duration,
    pub tree_nodes: u32,
    /// The bytes of the tree.
    pub tree_bytes: u64,
    /// Whether the tree's budget is used up: a best-first search has then ended, and a depth-first one continues
    /// unrecorded.
    pub tree_full: bool,
    pub threads: usize,
    /// What audits of forward pruning have found since the search began or was last rewound; `None` without any.
    pub audit: Option<Vec<AuditRow>>,
}

impl Status {
    /// Returns the nodes per second over the whole running time.
    pub fn nodes_per_second(&self) -> f64 {
        self.totals.nodes as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// Returns the nodes per second of work, that is, the speed that the search would have with its cores to itself.
    /// This is based on the CPU time, which does not include waiting for a turn.
    pub fn nodes_per_working_second(&self) -> f64 {
        let working = self.cpu.as_secs_f64() / self.threads.max(1) as f64;
        self.totals.nodes as f64 / working.max(1e-9)
    }
}
