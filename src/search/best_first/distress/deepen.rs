//! A leaf that is searched deeper before it is expanded.

use super::grow::plainly_worse;
use super::{Distress, End};
use crate::belief::Cdf;
use crate::eval::Evaluator;
use crate::game::{Game, Scale, Score};
use crate::search::{Event, Probe};
use crate::tree::{Fate, Node, NodeId};

impl<G: Game, E: Evaluator<G>, P: Probe> Distress<'_, G, E, P> {
    /// How deep the leaf at `ply` is searched next; `None`: it is to be expanded.
    pub(super) fn next_depth(&self, node: &Node, ply: usize) -> Option<u8> {
        let depth = node.leaf_depth() + 1;
        // Nor do leaves' own searches go beyond the deepest ply.
        let left = self.thread.deepest.saturating_sub(ply);
        let wanted = depth <= self.depths.1 && usize::from(depth) <= left;
        let deeper = ply > 0 && wanted && self.thread.leaf.is_search();
        deeper.then_some(depth)
    }

    /// Takes the leaf at `ply` for this thread and values it by a search of `depth` plies.
    pub(super) fn deepen(&mut self, id: NodeId, node: &Node, ply: usize, depth: u8) -> End {
        if !node.claim(Fate::Frontier, Fate::Interrupted) {
            return End::Busy;
        }
        let urgency = node.urgency();
        if self.thread.job.control.threads() > 1 {
            node.set_urgency(0.0);
            self.lower_urgency();
        }
        self.thread.line.catch_up(self.thread.tree, ply);
        let counted = self.thread.worker().nodes();
        let window = self.window_of(id, node, ply);
        let thread = &mut self.thread;
        thread.leaf.begin();
        let (position, state) = (thread.line.position(ply), thread.line.state(ply));
        let found = thread.leaf.of(
            thread.job.evaluator,
            &mut thread.context,
            thread.line.history(),
            position,
            state,
            (ply, depth),
            window,
        );
        let nodes = thread.context.worker.nodes() - counted;
        let Ok(value) = found else {
            thread.stopping = true;
            node.set_urgency(urgency);
            node.set_fate(Fate::Frontier);
            return End::Stopped { nodes };
        };
        let belief: Cdf = thread
            .job
            .evaluator
            .belief(state, position, value, &self.shape)
            .negated();
        let moments = self.weights.of(&belief);
        thread.tree.belief_slot(node.belief()).write(&belief);
        node.set_expected(-moments.mean);
        node.set_favour(moments.favour);
        node.set_leaf_depth(depth);
        node.set_urgency(moments.sd);
        thread.set_fate(node, Fate::Frontier);
        thread.report(|| Event::Evaluate {
            node: id,
            value,
            sd: Some(moments.sd),
        });
        thread.note_mate(id, value, window);
        End::Grown {
            nodes,
            proven: value.is_decided(),
        }
    }

    /// The window worth knowing the leaf's value in: far below its best sibling a bound will do.
    fn window_of(&self, id: NodeId, node: &Node, ply: usize) -> (Score, Score) {
        let tree = self.thread.tree;
        let parent = tree.node(self.path[ply - 1]);
        let first = parent.first_child().0;
        let others = tree.children_block(parent).iter().enumerate();
        let best = others
            .filter(|(i, c)| first + *i as u32 != id.0 && c.belief() != 0 && !c.is_excluded())
            .map(|(_, c)| c.favour())
            .fold(f32::NEG_INFINITY, f32::max);
        let least = best.min(node.favour());
        // In chess, where alone leaves are searched, a favour is a logit.
        let value = -(least + self.shape.bias) * Scale::CENTIPAWNS / 2.0;
        (Score::MIN, plainly_worse(Score::new(value as i32)))
    }
}
