//! How fast the search goes.

use std::time::{Duration, Instant};

use super::App;
use crate::engine::{State, Status};

#[derive(Debug, Default)]
pub(super) struct Rate {
    at: Option<(Instant, u64)>,
    value: f64,
}

impl App {
    /// Nodes per second, of the last half second or so.
    pub fn rate(&mut self, status: &Status) -> f64 {
        const SPAN: Duration = Duration::from_millis(500);
        if status.state != State::Running {
            return status.nodes_per_second();
        }
        let now = Instant::now();
        match self.rate.at {
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
        self.rate.value
    }
}
