//! The first look at a node that was not evaluated with its siblings: the root, and a move that was let in again.

use super::allocate::FAINT;
use super::moments::Moments;
use super::question::{Found, OPEN};
use super::{Distress, End, atom};
use crate::search_thread::{NOT_MATED, PositionStatus};
use belief::Cdf;
use eval::Evaluator;
use game::Game;
use search::{Event, Probe, StopReason};
use tree::{Fate, Node, NodeId};

impl<G: Game, E: Evaluator<G>, P: Probe> Distress<'_, G, E, P> {
    /// Evaluates a node at `ply`.
    pub(super) fn first_look(&mut self, id: NodeId, node: &Node, ply: usize) -> End {
        if !node.claim(Fate::Unvisited, Fate::Interrupted) {
            return End::Busy;
        }
        let counted = self.thread.worker().nodes();
        if ply > 0 {
            self.thread.count_node();
            self.thread.line.catch_up(self.thread.tree, ply);
        }
        let found = match self.thread.look(ply) {
            PositionStatus::Over(fate, score) => Some((PositionStatus::Over(fate, score), score)),
            seen => {
                node.tighten(NOT_MATED);
                self.thread.evaluate(ply).0.map(|value| (seen, value))
            }
        };
        let nodes = self.thread.worker().nodes() - counted;
        let found = found.map(|(seen, value)| (seen, Found::new(value, OPEN, 0)));
        let moments = found.and_then(|(seen, found)| self.first_belief(node, ply, seen, &found));
        let (Some((seen, found)), Some(moments)) = (found, moments) else {
            node.set_fate(Fate::Unvisited);
            if ply == 0 {
                self.thread.moves = self.thread.line.position(0).legal_moves();
                self.out = self.thread.taken_out(id, 0);
                self.leaves.clear();
                self.best_so_far();
            }
            return End::Stopped { nodes };
        };
        self.tell_first(id, node, ply, seen, &found, moments.sd);
        End::Grown {
            nodes,
            proven: true,
        }
    }

    /// Fate and events of the first look.
    pub(super) fn tell_first(
        &mut self,
        id: NodeId,
        node: &Node,
        ply: usize,
        seen: PositionStatus,
        found: &Found,
        sd: f32,
    ) {
        if let PositionStatus::Over(fate, score) = seen {
            self.thread.end(id, fate, score);
            self.thread.note_two_fold(id, fate, ply);
            return;
        }
        let fate = match seen {
            PositionStatus::Leaf => Fate::Horizon {
                static_value: found.value,
            },
            _ => found.fate(),
        };
        self.thread.set_fate(node, fate);
        self.thread.report(|| Event::Evaluate {
            node: id,
            value: found.value,
            mean: node.expected(),
            sd: Some(sd),
        });
    }

    /// The node's belief, in a slot of its own. `None`, and the search ends, when the memory is used up.
    fn first_belief(
        &mut self,
        node: &Node,
        ply: usize,
        seen: PositionStatus,
        found: &Found,
    ) -> Option<Moments> {
        let tree = self.thread.tree;
        let belief: Cdf = match seen {
            PositionStatus::Over(_, score) => atom(tree, -score),
            _ => {
                let line = &self.thread.line;
                let (state, position) = (line.state(ply), line.position(ply));
                let evaluator = self.thread.job.evaluator;
                self.leaf_belief
                    .of(tree, evaluator, (state, position), found)
            }
        };
        let moments = self.weights.of(&belief);
        let Some(place) = tree.allocate_beliefs(1) else {
            self.thread.job.control.stop(StopReason::Memory);
            self.thread.stopping = true;
            return None;
        };
        tree.belief_slot(place).initialise(&belief);
        node.set_expected(-moments.mean);
        node.set_favour(moments.favour);
        let open = matches!(seen, PositionStatus::Open { .. });
        node.set_urgency(if open { moments.sd.max(FAINT) } else { 0.0 });
        node.set_belief(place);
        Some(moments)
    }
}
