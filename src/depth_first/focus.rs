//! "Search this node more": one node is deepened by itself before the iterations.

use std::ops::RangeInclusive;

use super::MAX_DEPTH;
use eval::Evaluator;
use game::{Game, Score};
use search::common::context::Context;
use search::{Focus, Job, Probe};
use tree::{NodeId, Tree};

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

    /// Moves to the node of the run's focus, if it has one. What is recorded from here on is marked as a re-search, and
    /// the search is interrupted when the focus's nodes are used up.
    pub fn begin<E: Evaluator<G>, P: Probe>(
        context: &mut Context<P>,
        job: &Job<G, E>,
    ) -> Option<FocusSite<G>>
    where
        G: Game,
    {
        let focus = job.start.focus.filter(|f| f.nodes > 0)?;
        let tree = context.recorder.tree();
        if context.worker.index() > 0 || focus.node == Tree::ROOT || !tree.contains(focus.node) {
            return None;
        }
        let path = tree.path(focus.node);
        let (played, counted) = (context.history.len(), context.worker.nodes());
        let mut position = job.situation.position.clone();
        for &id in &path[1..] {
            let node = tree.node(id);
            let m = position.decode(node.move_code());
            let Some(m) = m.filter(|_| !node.is_excluded()) else {
                context.history.truncate(played);
                return None;
            };
            context.history.push(position.key());
            position.play(m);
        }
        let view = tree.view(focus.node);
        let known = view.window.map_or(0, |w| w.depth.max(0)) as u16;
        let depths = match position.height() {
            Some(height) => height..=height,
            None => known + 1..=MAX_DEPTH,
        };
        context.mark_again(Some(view.iteration));
        context
            .worker
            .set_quota(counted.saturating_add(focus.nodes));
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
    pub fn end<P: Probe>(&self, context: &mut Context<P>) -> Option<Focus> {
        let tree = context.recorder.tree();
        let nodes = context.worker.nodes() - self.counted;
        for &id in &self.path[..self.path.len() - 1] {
            let node = tree.node(id);
            node.set_nodes(node.nodes() + nodes);
        }
        context.history.truncate(self.played);
        context.mark_again(None);
        context.worker.set_quota(u64::MAX);
        let left = self.focus.nodes.saturating_sub(nodes);
        let stopped = context.worker.control().stopped().is_some();
        (stopped && left > 0).then_some(Focus {
            nodes: left,
            ..self.focus
        })
    }
}
