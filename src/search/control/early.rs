//! A search that ends before its limits, because its move is certain.

use super::{Control, Limits, StopReason};
use game::MoveCode;

/// Whether a search may end before its limits as soon as its move is certain; the option `smart-stopping` is read
/// accordingly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EndEarly {
    /// Only if the option is `on`.
    #[default]
    IfSet,
    /// In a game by a clock: unless the option is `off`.
    ByClock,
    /// Never, because the run repeats what another run did.
    Never,
}

/// Why the move to play is certain although nodes or time are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// No other move may be played.
    OnlyMove(MoveCode),
    /// `best` has so many more visits than any other move that none can catch up: `left` is roughly the number
    /// remaining.
    OutOfReach {
        best: MoveCode,
        lead: u32,
        left: u64,
    },
}

impl Limits {
    /// What is left of the limits after the work done, as a share of that work: 1.0 is as much again, and `None` means
    /// that nothing ends the search. Time is extrapolated at the rate so far.
    pub(super) fn left(&self, control: &Control, nodes: u64) -> Option<f64> {
        let share = |limit: f64, done: f64| ((limit - done) / done.max(1e-9)).max(0.0);
        let by_nodes = self.nodes.map(|limit| share(limit as f64, nodes as f64));
        let by_time = self
            .time
            .map(|limit| share(limit.as_secs_f64(), control.elapsed().as_secs_f64()));
        let by_cpu = self
            .cpu
            .map(|limit| share(limit.as_secs_f64(), control.cpu().as_secs_f64()));
        [by_nodes, by_time, by_cpu]
            .into_iter()
            .flatten()
            .min_by(f64::total_cmp)
    }
}

impl Control {
    /// Whether the search may end as soon as its move is certain, given the option's value.
    pub fn may_end_early(&self, smart_stopping: &str) -> bool {
        match self.limits.early {
            EndEarly::Never => false,
            EndEarly::ByClock => smart_stopping != "off",
            EndEarly::IfSet => smart_stopping == "on",
        }
    }

    /// Roughly how much more work the limits allow, as a share of the work done with `nodes` nodes; `None` without
    /// limits.
    pub fn share_left(&self, nodes: u64) -> Option<f64> {
        self.limits.left(self, nodes)
    }

    /// The nodes counted and the descents finished by all threads, as far as they have published them.
    pub fn work(&self) -> (u64, u64) {
        use std::sync::atomic::Ordering::Relaxed;
        let playouts = self.threads.iter().map(|t| t.playouts.load(Relaxed)).sum();
        (self.nodes(), playouts)
    }

    /// Ends the search and records what decided it.
    pub fn decide(&self, decision: Decision) {
        let _ = self.decision.set(decision);
        self.stop(StopReason::Decided);
    }

    /// What decided the search, if it ended with [`StopReason::Decided`].
    pub fn decision(&self) -> Option<Decision> {
        let decided = self.stopped() == Some(StopReason::Decided);
        self.decision.get().copied().filter(|_| decided)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_reached_first_counts() {
        let control = |limits| Control::new(limits, 1);
        assert_eq!(control(Limits::default()).share_left(100), None);
        let nodes = Limits {
            nodes: Some(400),
            ..Limits::default()
        };
        assert_eq!(control(nodes).share_left(100), Some(3.0));
        assert_eq!(control(nodes).share_left(500), Some(0.0));
        let both = Limits {
            time: Some(std::time::Duration::ZERO),
            ..nodes
        };
        assert_eq!(control(both).share_left(100), Some(0.0));
    }

    #[test]
    fn who_may_end_early() {
        let may = |early, word| {
            let limits = Limits {
                early,
                ..Limits::default()
            };
            Control::new(limits, 1).may_end_early(word)
        };
        for (word, expected) in [
            ("off", [false, false, false]),
            ("timed", [false, true, false]),
            ("on", [true, true, false]),
        ] {
            let found = [EndEarly::IfSet, EndEarly::ByClock, EndEarly::Never];
            assert_eq!(found.map(|early| may(early, word)), expected, "{word}");
        }
    }
}
