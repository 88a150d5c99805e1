//! A leaf that is searched deeper before it is expanded, and one that is searched for the first time.

use super::question::{Unrecorded, ask, centipawns};
use super::{Distress, End, OpenLeaf, atom};
use crate::search_thread::PositionStatus;
use eval::Evaluator;
use game::{Game, MoveCode};
use search::common::leaf::Leaf;
use search::{Event, Probe};
use tree::{Fate, Node, Tree};

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
        let wanted = depth <= self.expansion_depth(criticality, ply) && usize::from(depth) <= left;
        let deeper = ply > 0 && wanted && self.thread.leaf.is_search();
        deeper.then_some(depth)
    }

    /// From this depth on a leaf is expanded: what matters little is left to alpha-beta, what is critical becomes tree.
    fn expansion_depth(&self, criticality: f32, ply: usize) -> u8 {
        /// Above this criticality a leaf is expanded as early as possible.
        const CRITICAL: f32 = 0.1;
        let nodes = self.thread.tree.node(Tree::ROOT).nodes();
        if let Some(depth) = self.leaf_formulas.depth(criticality, ply, nodes) {
            return depth;
        }
        let extra = (0.5 * (CRITICAL / criticality).log2()).max(0.0);
        let depth = self.depths.expand.saturating_add(extra as u8);
        depth.min(self.depths.deepest)
    }

    /// Takes the leaf for this thread and values it by a search of `depth` plies.
    pub(super) fn deepen(&mut self, leaf: OpenLeaf, depth: u8) -> End {
        let counted = self.thread.worker().nodes();
        match self.claim(&leaf) {
            Some(urgency) => self.search_leaf(leaf, depth, (urgency, counted)),
            None => End::Busy,
        }
    }

    /// Takes a leaf that waited for this, looks whether its game is over, and if not values it by its first search.
    pub(super) fn first_search(&mut self, leaf: OpenLeaf) -> End {
        let OpenLeaf { id, node, ply, .. } = leaf;
        let Some(urgency) = self.claim(&leaf) else {
            return End::Busy;
        };
        let counted = self.thread.worker().nodes();
        self.thread.count_node();
        let PositionStatus::Over(fate, score) = self.thread.look(ply) else {
            let left = self.thread.deepest.saturating_sub(ply);
            let depth = usize::from(node.leaf_depth()).min(left);
            return self.search_leaf(leaf, depth as u8, (urgency, counted));
        };
        let tree = self.thread.tree;
        let belief = atom(tree, -score);
        let moments = self.weights.of(&belief);
        tree.belief_slot(node.belief()).write(&belief);
        node.set_expected(-moments.mean);
        node.set_favour(moments.favour);
        node.set_urgency(0.0);
        self.thread.end(id, fate, score);
        self.thread.note_two_fold(id, fate, ply);
        End::Grown {
            nodes: 1,
            proven: true,
        }
    }

    /// Values a leaf that this thread has taken by a search of `depth` plies. It had this urgency, and the thread had counted
    /// so many nodes.
    fn search_leaf(&mut self, leaf: OpenLeaf, depth: u8, (urgency, counted): (f32, u64)) -> End {
        let OpenLeaf { id, node, ply, .. } = leaf;
        let thread = &mut self.thread;
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
        // With its fate the leaf is free for other threads, which expand one that is proven otherwise than one that is not.
        let is_new = thread.keep_mate(id, found.value, found.window);
        thread.set_fate(node, found.fate());
        thread.report(|| Event::Evaluate {
            node: id,
            value: found.value,
            mean: node.expected(),
            sd: Some(moments.sd),
        });
        if is_new {
            thread.report_proof(id);
        }
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
