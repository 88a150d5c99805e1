//! A leaf that is searched deeper before it is expanded.

use super::question::{Unrecorded, ask, centipawns};
use super::{Distress, End, OpenLeaf};
use eval::Evaluator;
use game::{Game, MoveCode};
use search::common::leaf::Leaf;
use search::{Event, Probe};
use tree::{Fate, Node};

impl<G: Game, E: Evaluator<G>, P: Probe> Distress<'_, G, E, P> {
    /// How deep the leaf at `ply` is searched next, or `None` if it is to be expanded. `criticality` is the product of the
    /// policies on the way to it.
    ///
    /// A single reply to a check is expanded at once: there is nothing to compare.
    pub(super) fn next_depth(&self, node: &Node, ply: usize, criticality: f32) -> Option<u8> {
        let position = self.thread.line.position(ply);
        if position.is_check() && position.legal_moves().len() == 1 {
            return None;
        }
        let depth = node.leaf_depth() + 1;
        // Nor do leaves' own searches go beyond the deepest ply.
        let left = self.thread.deepest.saturating_sub(ply);
        let wanted = depth <= self.expansion_depth(criticality) && usize::from(depth) <= left;
        let deeper = ply > 0 && wanted && self.thread.leaf.is_search();
        deeper.then_some(depth)
    }

    /// From this depth on a leaf is expanded: what matters little is left to alpha-beta, what is critical becomes tree.
    fn expansion_depth(&self, criticality: f32) -> u8 {
        /// Above this criticality a leaf is expanded as early as possible.
        const CRITICAL: f32 = 0.1;
        let extra = (0.5 * (CRITICAL / criticality).log2()).max(0.0);
        let depth = self.depths.expand.saturating_add(extra as u8);
        depth.min(self.depths.deepest)
    }

    /// Takes the leaf for this thread and values it by a search of `depth` plies.
    pub(super) fn deepen(&mut self, leaf: OpenLeaf, depth: u8) -> End {
        let OpenLeaf { id, node, ply, .. } = leaf;
        let Some(urgency) = self.claim(&leaf) else {
            return End::Busy;
        };
        let thread = &mut self.thread;
        let counted = thread.context.worker.nodes();
        let (position, state) = (thread.line.position(ply), thread.line.state(ply));
        let question = Leaf {
            position,
            state,
            history: thread.line.history(),
            before: thread.line.moves_before(thread.tree, ply),
            ply,
            depth,
            window: leaf.window,
        };
        let evaluator = thread.job.evaluator;
        let mut searcher = Unrecorded {
            search: &mut thread.leaf,
            evaluator,
            context: &mut thread.context,
        };
        let guess = -centipawns(node.favour());
        let found = ask(&mut searcher, &question, guess, (id, MoveCode::NONE));
        let nodes = thread.context.worker.nodes() - counted;
        let Ok(found) = found else {
            self.thread.stopping = true;
            self.give_back(&leaf, urgency);
            return End::Stopped { nodes };
        };
        // Seen from the parent, the belief of a value has its mean logit there.
        if matches!(leaf.fate, Fate::Frontier) {
            self.leaf_belief.learn(-node.favour(), &found);
        }
        let at = (state, position);
        let belief = self.leaf_belief.of(thread.tree, evaluator, at, &found);
        let moments = self.weights.of(&belief);
        thread.tree.belief_slot(node.belief()).write(&belief);
        node.set_expected(-moments.mean);
        node.set_favour(moments.favour);
        node.set_leaf_depth(depth);
        node.set_urgency(self.leaf_urgency(moments.sd, depth, nodes));
        let thread = &mut self.thread;
        thread.set_fate(node, found.fate());
        thread.report(|| Event::Evaluate {
            node: id,
            value: found.value,
            mean: node.expected(),
            sd: Some(moments.sd),
        });
        thread.note_mate(id, found.value, found.window);
        End::Grown {
            nodes,
            proven: found.value.is_decided(),
        }
    }

    /// Takes a leaf for this thread; answers its urgency, `None` where another thread has it.
    pub(super) fn claim(&mut self, leaf: &OpenLeaf) -> Option<f32> {
        if !leaf.node.claim(leaf.fate, Fate::Interrupted) {
            return None;
        }
        let urgency = leaf.node.urgency();
        if self.thread.job.control.threads() > 1 {
            leaf.node.set_urgency(0.0);
            self.lower_urgency();
        }
        Some(urgency)
    }

    /// Leaves a claimed leaf as it was.
    pub(super) fn give_back(&self, leaf: &OpenLeaf, urgency: f32) {
        leaf.node.set_urgency(urgency);
        leaf.node.set_fate(leaf.fate);
    }
}
