//! Backs up the result of a batch of descents towards the root.

use super::{Batch, Mcts, implicit_minimax, uncertainty, variance_scaled};
use crate::proofs;
use eval::Evaluator;
use game::Game;
use search::{Estimate, Event, Probe};
use tree::{Bound, Node, NodeId, Proof};

impl<G: Game, E: Evaluator<G>, P: Probe, const SOLO: bool> Mcts<'_, G, E, P, SOLO> {
    /// Adds the result of a batch to a node, and keeps the mean within the node's bounds.
    pub(super) fn back_up(
        &mut self,
        id: NodeId,
        node: &Node,
        ply: usize,
        mut batch: Batch,
    ) -> Batch {
        if batch.done == 0 {
            self.back_up_unfinished(node, batch.nodes);
            self.leave(id, node);
            return batch;
        }
        let proof = node.proof();
        let before = node.expected();
        if batch.weight == 1.0 {
            batch.sum = f64::from(self.thread.clamp(batch.sum as f32, proof));
        } else {
            let mean = self.thread.clamp((batch.sum / batch.weight) as f32, proof);
            batch.sum = f64::from(mean) * batch.weight;
        }
        let visited = node.visits() > if SOLO { 0 } else { batch.done };
        let change = self.change_of_total(node, &batch);
        if SOLO {
            node.set_visits(node.visits() + batch.done);
            node.set_total(node.total() + change);
            node.set_nodes(node.nodes() + u64::from(batch.nodes));
        } else {
            node.add_total(change);
            node.add_nodes(u64::from(batch.nodes));
        }
        let after = self.set_mean(node, proof);
        if let Some(back_up) = &self.settings.back_up {
            self.thread.context.worker.undefined += back_up.take_undefined();
        }
        self.keep_second(node, proof, &batch);
        self.thread.worker().back_ups += 1;
        let (tree, line) = (self.thread.tree, &self.thread.line);
        let child = if node.is_expanded() {
            line.at(ply + 1)
        } else {
            NodeId::NONE
        };
        self.thread.report(|| Event::BackUp {
            node: id,
            child,
            worth: (!child.is_none()).then(|| -tree.node(child).expected()),
            before: visited.then_some(Estimate::point(before)),
            after: Estimate::point(after),
        });
        self.leave(id, node);
        batch
    }

    /// By how much a node's total changes, its visits times its mean.
    #[inline]
    fn change_of_total(&self, node: &Node, batch: &Batch) -> f64 {
        if !self.settings.uncertainty_weighting {
            return batch.sum;
        }
        let visits = node.visits() + if SOLO { batch.done } else { 0 };
        uncertainty::back_up(node, visits, (batch.done, batch.weight, batch.sum))
    }

    /// Keeps the number that an option needs beside the mean.
    #[inline]
    fn keep_second(&self, node: &Node, proof: Proof, batch: &Batch) {
        if self.settings.implicit_minimax > 0.0 {
            let clamp = |value| self.thread.clamp(value, proof);
            implicit_minimax::back_up(self.thread.tree, node, clamp);
        } else if self.settings.variance_scaled > 0.0 {
            let mean = batch.sum / f64::from(batch.done);
            variance_scaled::back_up(node, node.visits(), batch.done, mean);
        }
    }

    /// Backs up a descent that was stopped: its nodes were searched, and what it proved stays proven.
    #[cold]
    fn back_up_unfinished(&self, node: &Node, nodes: u32) {
        if SOLO {
            node.set_nodes(node.nodes() + u64::from(nodes));
        } else {
            node.add_nodes(u64::from(nodes));
        }
        node.set_expected(self.thread.clamp(node.expected(), node.proof()));
    }

    /// Removes the virtual visits of unfinished descents, and their effect on the mean.
    #[cold]
    pub(super) fn take_back(&self, node: &Node, visits: u32) {
        node.add_visits(visits.wrapping_neg());
        self.set_mean(node, node.proof());
    }

    /// Sets the mean of what was backed up, or its softmax, or what a formula makes of the moves, within the proven bounds.
    #[inline(always)]
    fn set_mean(&self, node: &Node, proof: Proof) -> f32 {
        let mean = node.total() / f64::from(node.visits().max(1));
        let replaced = self.settings.softmax.is_some() || self.settings.back_up.is_some();
        let value = if replaced && node.is_expanded() {
            self.value_of_moves(node, mean)
        } else {
            None
        };
        let mean = value.unwrap_or(mean as f32);
        let mean = self.thread.clamp(mean, proof);
        node.set_expected(mean);
        mean
    }

    /// What replaces the mean at a node with visited moves.
    #[inline(never)]
    fn value_of_moves(&self, node: &Node, mean: f64) -> Option<f32> {
        let children = self.thread.tree.children_block(node);
        match (&self.settings.softmax, &self.settings.back_up) {
            (Some(softmax), _) => softmax.back_up(children),
            (None, Some(back_up)) => back_up.value((children, Node::policy), node, Some(mean)),
            (None, None) => None,
        }
    }

    #[inline]
    fn leave(&mut self, id: NodeId, node: &Node) {
        let scale = self.thread.scale;
        self.thread.report(|| Event::Leave {
            node: id,
            score: proofs::score(node, scale),
            bound: Bound::None,
        });
    }
}
