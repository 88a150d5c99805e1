//! The uninterrupted stretches of which a search with rewinds and changes consists.

use std::sync::Arc;
use std::time::Duration;

use super::config::Config;
use search::{Choices, Control, Limits, Start, Totals};

/// What a search had done before the present run began.
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    /// The events of the main thread.
    pub events: u64,
    pub totals: Totals,
    pub elapsed: Duration,
    /// The CPU time of all threads.
    pub cpu: Duration,
}

impl Baseline {
    /// Returns the baseline plus what a run added, up to its event number `events`.
    pub fn after(&self, control: &Control, events: u64) -> Baseline {
        Baseline {
            events,
            totals: self.totals.plus(&control.totals()),
            elapsed: self.elapsed + control.elapsed(),
            cpu: self.cpu + control.cpu(),
        }
    }
}

/// An uninterrupted stretch of a search: where it starts, its limits, and its number of threads.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub start: Start,
    pub base: Baseline,
    pub limits: Limits,
    pub threads: usize,
    pub choices: Arc<Choices>,
}

impl Segment {
    /// Returns a whole search from its beginning.
    pub fn whole(config: &Config) -> Segment {
        Segment {
            start: Start::default(),
            base: Baseline::default(),
            limits: config.limits,
            threads: config.threads,
            choices: Arc::default(),
        }
    }
}
