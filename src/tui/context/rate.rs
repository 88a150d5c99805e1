//! The speed of the search.

use std::time::Duration;

use super::Context;
use session::{State, Status};

#[derive(Debug, Default)]
pub(super) struct Rate {
    /// The running time of the search, without pauses, at the last sample, and its nodes at that time.
    at: Option<(Duration, u64)>,
    value: f64,
}

impl Context {
    /// Returns nodes per second: over about the last half second as of the last [`Context::update_rate`], or over the whole
    /// search if it is not running.
    pub fn rate(&self, status: &Status) -> f64 {
        match status.state {
            State::Running => self.rate.value,
            _ => status.nodes_per_second(),
        }
    }

    /// Samples the search's speed, before a frame that shows it.
    pub(crate) fn update_rate(&mut self) {
        const SPAN: Duration = Duration::from_millis(500);
        let Some(status) = self.status().filter(|s| s.state == State::Running) else {
            return;
        };
        let now = status.elapsed;
        match self.rate.at.filter(|(then, _)| *then <= now) {
            None => {
                self.rate.at = Some((now, status.totals.nodes));
                self.rate.value = status.nodes_per_second();
            }
            Some((then, nodes)) if now - then >= SPAN => {
                let made = status.totals.nodes.saturating_sub(nodes) as f64;
                self.rate.value = made / (now - then).as_secs_f64();
                self.rate.at = Some((now, status.totals.nodes));
            }
            Some(_) => {}
        }
    }
}
