//! The number of nodes at which a search that somebody watches pauses, so that none runs on unasked.

use super::Session;
use crate::segment::Baseline;
use crate::status::State;

impl Session {
    /// Makes the search pause when it has counted this many nodes in all; `None`: it runs on. Steps are not affected.
    /// A search does the same whether or not it is paused.
    pub fn set_pause_after(&mut self, nodes: Option<u64>) {
        self.pause_after = nodes;
        self.plan_pause();
    }

    /// Returns the number of nodes at which the search pauses.
    pub fn pause_after(&self) -> Option<u64> {
        self.pause_after
    }

    /// Whether the search has counted as many nodes as it was to, or more.
    pub fn is_over_goal(&self) -> bool {
        let nodes = self.status().totals.nodes;
        self.pause_after.is_some_and(|limit| nodes >= limit)
    }

    /// Whether the search has paused because it has counted as many nodes as it was to.
    pub fn has_reached_goal(&self) -> bool {
        self.is_over_goal() && self.status().state == State::Paused
    }

    /// Plans the pause of the present run, which goes on freely.
    pub(super) fn plan_pause(&self) {
        let at = self.pause_of(&self.run.segment.base);
        let done = self.run.control.totals().nodes;
        self.run.control.pause_at(at.filter(|&at| at > done));
    }

    /// Returns the nodes of a run's own at which it pauses, if it begins after `base`.
    pub(super) fn pause_of(&self, base: &Baseline) -> Option<u64> {
        let left = self.pause_after?.checked_sub(base.totals.nodes)?;
        (left > 0).then_some(left)
    }
}
