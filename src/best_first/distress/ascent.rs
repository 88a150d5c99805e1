//! The way back from a leaf to the root: what every node on the path takes from its children.

use super::{Distress, End, atom, is_left_out, looked_at};
use crate::proofs;
use crate::search_thread::expanded;
use eval::Evaluator;
use game::{Game, MoveCode, Score};
use search::{Estimate, Event, Probe};
use tree::{Bound, Fate, Node, NodeId, Proof, Tree};

impl<G: Game, E: Evaluator<G>, P: Probe> Distress<'_, G, E, P> {
    /// Backs up what a descent found, from its last node to the root.
    pub(super) fn ascend(&mut self, end: End) {
        let (nodes, mut proven, visits) = match end {
            End::Grown { nodes, proven } => (nodes, proven, 1),
            End::Stopped { nodes } => (nodes, false, 0),
            End::Dead => (0, true, 1),
            End::Busy => (0, false, 0),
        };
        if matches!(end, End::Stopped { .. }) && self.thread.job.control.threads() > 1 {
            self.restore_urgency();
        }
        let mut changed = matches!(end, End::Grown { .. } | End::Dead);
        self.spend(nodes);
        let mut child = NodeId::NONE;
        while let Some(id) = self.path.pop() {
            let node = self.thread.tree.node(id);
            if visits > 0 {
                node.add_visits(visits);
            }
            if nodes > 0 {
                let before = node.add_nodes(nodes);
                if id == Tree::ROOT && self.renew_in_time(before, nodes) {
                    changed = true;
                }
            }
            if changed && matches!(node.fate(), Fate::Expanded { .. }) {
                proven = proven && self.thread.propagate(id);
                changed = self.back_up(id, node, child) || proven;
            }
            let scale = self.thread.scale;
            self.thread.report(|| Event::Leave {
                node: id,
                score: proofs::score(node, scale),
                bound: Bound::None,
            });
            child = id;
        }
    }

    /// A node's belief, policy, value, urgency and best move from its children's; false if nothing changed that
    /// its parent would see.
    pub(super) fn back_up(&mut self, id: NodeId, node: &Node, child: NodeId) -> bool {
        let tree = self.thread.tree;
        let children = tree.children_block(node);
        // Held while the children are read, so that of two threads the later one writes what both found.
        let slot = tree.belief_slot(node.belief());
        // Only for somebody who watches.
        let spread = self
            .thread
            .will_report()
            .then(|| self.weights.of(&slot.read()).sd);
        let guard = slot.lock();
        self.beliefs.clear();
        let narrowed = node.is_narrowed();
        let read = |c: &Node| tree.belief_slot(c.belief()).read();
        if narrowed {
            let left = children.iter().filter(|c| !is_left_out(c));
            self.beliefs.extend(left.map(read));
        } else {
            self.beliefs.extend(children.iter().map(read));
        }
        if self.beliefs.is_empty() {
            // The one move that is not out was let in just now.
            return false;
        }
        let (found, numbers) = self.back_up_children(id, children, narrowed);
        let proof = node.proof();
        let result = proven_result(proof);
        let found = self.leaf_belief.resolution.of(&found);
        let own = result.map_or(found, |score| atom(tree, score));
        share_out(children, &self.policy[..self.beliefs.len()], narrowed);
        let moments = self.weights.of(&own);
        let before = node.expected();
        let after = match result {
            Some(_) => self.thread.clamp(moments.mean, proof),
            None => moments.mean,
        };
        let relevance = proofs::relevance(node, Score::MIN);
        let urgency = if proof.is_exact() {
            0.0
        } else {
            self.allocation.urgency(children, narrowed, relevance)
        };
        let changed =
            node.urgency() != urgency || before != after || node.favour() != -moments.favour;
        node.set_expected(after);
        node.set_favour(-moments.favour);
        node.set_urgency(urgency);
        if let before @ Fate::Expanded { .. } = node.fate() {
            let best = self
                .by_most
                .best(tree, node)
                .map(|place| children[place].move_code());
            let searched = looked_at(children);
            let best = self.thread.to_play(id, best.unwrap_or(MoveCode::NONE));
            let fate = expanded(best, searched, children.len());
            if fate != before {
                node.claim(before, fate);
            }
        }
        self.keep_numbers(node, numbers.filter(|_| own == found), &own);
        guard.write(&own.negated());
        self.thread.worker().back_ups += 1;
        self.thread.report(|| Event::BackUp {
            node: id,
            child,
            worth: (!child.is_none()).then(|| -tree.node(child).expected()),
            before: Some(Estimate {
                mean: before,
                sd: spread,
            }),
            after: Estimate {
                mean: after,
                sd: Some(moments.sd),
            },
        });
        changed
    }

    /// A leaf was claimed: other threads see at once that it isn't urgent any more.
    pub(super) fn lower_urgency(&self) {
        let tree = self.thread.tree;
        for id in self.path[..self.path.len() - 1].iter().rev() {
            let node = tree.node(*id);
            let relevance = proofs::relevance(node, Score::MIN);
            let urgency =
                self.allocation
                    .urgency(tree.children_block(node), node.is_narrowed(), relevance);
            if node.urgency() == urgency {
                break;
            }
            node.set_urgency(urgency);
        }
    }

    /// A claimed leaf was given back: its ancestors are as urgent as they were. Each is held while its children are
    /// read, as in a back-up, so that of two threads that stop the later one sees what both gave back.
    #[cold]
    fn restore_urgency(&self) {
        let tree = self.thread.tree;
        for id in self.path[..self.path.len() - 1].iter().rev() {
            let node = tree.node(*id);
            let _guard = tree.belief_slot(node.belief()).lock();
            let proof = node.proof();
            let relevance = proofs::relevance(node, Score::MIN);
            let children = tree.children_block(node);
            node.set_urgency(if proof.is_exact() {
                0.0
            } else {
                self.allocation
                    .urgency(children, node.is_narrowed(), relevance)
            });
        }
    }
}

/// The policy to the children it is about.
#[inline]
fn share_out(children: &[Node], policy: &[f32], narrowed: bool) {
    if narrowed {
        let left = children.iter().filter(|c| !is_left_out(c));
        left.zip(policy)
            .for_each(|(child, share)| child.set_policy(*share));
    } else {
        for (child, share) in children.iter().zip(policy) {
            child.set_policy(*share);
        }
    }
}

/// The certain result that leaves nothing to believe: an exact score, or a mate of whatever length. Other bounds stand beside
/// the belief and do not change it: what would be picked may be worth less than what is proven.
fn proven_result(proof: Proof) -> Option<Score> {
    let score = if proof.is_loss() {
        proof.upper
    } else {
        proof.lower
    };
    proof.is_certain().then_some(score)
}
