//! Beliefs of leaves made anew, because tails weigh more in a larger search.
//!
//! A move that a short search refutes is worth another look only in a long one. So the tails of what is believed about it grow
//! with the search, and what was believed when the search was small is brought in line. When that happens follows from the
//! nodes of the root alone, so that a run can be taken up on its tree.

use super::allocate::FAINT;
use super::question::Found;
use super::{Distress, is_left_out};
use eval::Evaluator;
use game::Game;
use search::{Event, OptionSpec, Probe, Range};
use tree::{Fate, Node, NodeId, Tree};

pub(super) const RENEW: OptionSpec = OptionSpec {
    key: "renew",
    default: "on",
    range: Range::Switch,
    summary: "as tails grow with the search, leaves that are worth at most or at least something get the tails that they would have now; off: they keep what they had when they were searched (leaf search)",
};

impl<G: Game, E: Evaluator<G>, P: Probe> Distress<'_, G, E, P> {
    /// Makes beliefs anew if they are due: the root had so many nodes and got so many more. Returns whether any changed.
    #[inline]
    pub(super) fn renew_in_time(&mut self, before: u64, more: u64) -> bool {
        self.renews && self.leaf_belief.are_renewed(before, before + more) && self.renew(Tree::ROOT)
    }

    /// Makes the beliefs of bounds anew at and below a node, and backs them up to it, but not at the root.
    fn renew(&mut self, id: NodeId) -> bool {
        let tree = self.thread.tree;
        let node = tree.node(id);
        if !matches!(node.fate(), Fate::Expanded { .. }) {
            return self.renew_leaf(id, node);
        }
        let mut changed = false;
        for child in tree.children(id) {
            changed |= !is_left_out(tree.node(child)) && self.renew(child);
        }
        changed && (id == Tree::ROOT || self.back_up(id, node, NodeId::NONE))
    }

    fn renew_leaf(&mut self, id: NodeId, node: &Node) -> bool {
        let tree = self.thread.tree;
        let fate = node.fate();
        let found = Found::bound(fate).filter(|_| !node.proof().is_exact());
        let belief = found.and_then(|found| Some((found, self.leaf_belief.again(tree, &found)?)));
        // Another thread that has the leaf values it anew by itself.
        let Some((found, belief)) = belief.filter(|_| node.claim(fate, Fate::Interrupted)) else {
            return false;
        };
        let slot = tree.belief_slot(node.belief());
        let before = self.weights.of(&slot.read());
        let now = self.weights.of(&belief);
        slot.write(&belief);
        node.set_expected(-now.mean);
        node.set_favour(now.favour);
        // A visit costs what it did.
        if node.urgency() > 0.0 && self.leaf_formulas.say_urgency() {
            node.set_urgency(self.leaf_urgency(now.sd, found.depth, node.nodes()));
        } else if node.urgency() > 0.0 && before.sd > 0.0 {
            node.set_urgency((node.urgency() * now.sd / before.sd).max(FAINT));
        }
        node.set_fate(fate);
        self.thread.report(|| Event::Evaluate {
            node: id,
            value: found.value,
            mean: node.expected(),
            sd: Some(now.sd),
        });
        true
    }
}
