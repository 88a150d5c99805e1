//! The uninterrupted stretches that a search with rewinds and changes is made of.

use std::sync::Arc;
use std::time::Duration;

use super::config::Config;
use crate::search::{Choices, Control, Limits, Start, Totals};

/// What a search had done before the run at hand began.
#[derive(Clone, Debug, Default)]
pub(super) struct Baseline {
    /// Events of the main thread.
    pub events: u64,
    pub totals: Totals,
    pub elapsed: Duration,
    /// CPU time of all threads.
    pub cpu: Duration,
}

impl Baseline {
    /// The same with what a run added, up to its event number `events`.
    pub fn after(&self, control: &Control, events: u64) -> Baseline {
        Baseline {
            events,
            totals: self.totals.plus(&control.totals()),
            elapsed: self.elapsed + control.elapsed(),
            cpu: self.cpu + control.cpu(),
        }
    }
}

/// One uninterrupted stretch of a search: from where, how far, with how many threads.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub start: Start,
    pub base: Baseline,
    pub limits: Limits,
    pub threads: usize,
    pub choices: Arc<Choices>,
}

impl Segment {
    /// The whole of a search, from its beginning on.
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
