//! "Search this node more": one node is deepened by itself before the iterations.

use std::ops::RangeInclusive;

use super::MAX_DEPTH;
use crate::eval::Evaluator;
use crate::game::{Game, Score};
use crate::search::common::context::Context;
use crate::search::{Focus, Job, Probe};
use crate::tree::{NodeId, Tree};

/// The node to deepen.
pub(super) struct FocusSite<G> {
    pub focus: Focus,
    pub position: G,
    pub ply: u16,
    /// Starts one ply deeper than the node was searched before; a toy tree is searched completely.
    pub depths: RangeInclusive<u16>,
    path: Vec<NodeId>,
    /// The number of positions in the history, and of nodes counted, before the focus.
    played: usize,
    counted: u64,
}

impl<G> FocusSite<G> {
    /// Whether going deeper cannot find anything more.
    pub fn is_decided(depth: u16, value: Score) -> bool {
        value
            .mate_plies()
            .is_some_and(|p| p.unsigned_abs() <= depth)
    }
}

impl<P: Probe> Context<'_, P> {
    /// Moves to the node of the run's focus, if it has one. What is recorded from here on is marked as a re-search, and
    /// the search is interrupted when the focus's nodes are used up.
    pub(super) fn begin_focus<G: Game, E: Evaluator<G>>(
        &mut self,
        job: &Job<G, E>,
    ) -> Option<FocusSite<G>> {
        let focus = job.start.focus.filter(|f| f.nodes > 0)?;
        let tree = self.recorder.tree();
        if self.worker.index() > 0 || focus.node == Tree::ROOT || !tree.contains(focus.node) {
            return None;
        }
        let path = tree.path(focus.node);
        let (played, counted) = (self.history.len(), self.worker.nodes());
        let mut position = job.situation.position.clone();
        for &id in &path[1..] {
            let node = tree.node(id);
            let m = position.decode(node.move_code());
            let Some(m) = m.filter(|_| !node.is_excluded()) else {
                self.history.truncate(played);
                return None;
            };
            self.history.push(position.key());
            position.play(m);
        }
        let view = tree.view(focus.node);
        let known = view.window.map_or(0, |w| w.depth.max(0)) as u16;
        let depths = match position.height() {
            Some(height) => height..=height,
            None => known + 1..=MAX_DEPTH,
        };
        self.mark_again(Some(view.iteration));
        self.worker.set_quota(counted.saturating_add(focus.nodes));
        Some(FocusSite {
            focus,
            position,
            ply: (path.len() - 1) as u16,
            depths,
            path,
            played,
            counted,
        })
    }

    /// Returns to the root and adds the focus's nodes to the ancestors of its node. Returns what is left of the focus
    /// if the search was stopped in the middle.
    pub(super) fn end_focus<G>(&mut self, site: &FocusSite<G>) -> Option<Focus> {
        let tree = self.recorder.tree();
        let nodes = self.worker.nodes() - site.counted;
        for &id in &site.path[..site.path.len() - 1] {
            let node = tree.node(id);
            node.set_nodes(node.nodes() + nodes);
        }
        self.history.truncate(site.played);
        self.mark_again(None);
        self.worker.set_quota(u64::MAX);
        let left = site.focus.nodes.saturating_sub(nodes);
        let stopped = self.worker.control().stopped().is_some();
        (stopped && left > 0).then_some(Focus {
            nodes: left,
            ..site.focus
        })
    }
}
