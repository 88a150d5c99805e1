//! Whether anything is left to search.
//!
//! A node's urgency is above 0 as long as something below it can be searched, and a back-up takes it from the children. So
//! the search has come to its end when the root's is 0, unless the leaves were passed over for a reason that holds no
//! longer: an earlier run ended at a smaller depth, the game has moved on, or another thread was about to search them.

use super::Distress;
use super::allocate::FAINT;
use crate::proofs;
use eval::Evaluator;
use game::{Game, Score};
use search::Probe;
use tree::{Fate, NodeId, Tree};

/// What a search finds that has come to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    /// Nothing can be searched that could change anything.
    Nothing,
    /// Other threads have all that is left.
    Busy,
    /// There are leaves to be searched, to which descents now lead.
    Open,
}

impl<G: Game, E: Evaluator<G>, P: Probe> Distress<'_, G, E, P> {
    /// Looks for leaves that can be searched, and opens the way to them. It goes wherever a descent might go.
    #[cold]
    pub(super) fn look_for_rest(&self) -> Rest {
        let tree = self.thread.tree;
        let mut rest = Rest::Nothing;
        let mut open = vec![(Tree::ROOT, 0, Score::MIN, Score::MAX)];
        while let Some((id, ply, alpha, beta)) = open.pop() {
            let node = tree.node(id);
            match node.fate() {
                Fate::Expanded { .. } => {
                    let relevance = proofs::relevance(node, alpha);
                    let children = tree.children(id).filter(|&c| {
                        let child = tree.node(c);
                        child.proof().lower < relevance && !child.is_excluded()
                    });
                    open.extend(children.map(|c| (c, ply + 1, beta.one_ply_down(), relevance)));
                }
                Fate::Interrupted if rest == Rest::Nothing => rest = Rest::Busy,
                fate if fate == Fate::Unvisited
                    || fate.is_frontier() && ply < self.thread.deepest =>
                {
                    rest = Rest::Open;
                    self.open_way(id);
                }
                _ => {}
            }
        }
        rest
    }

    /// Makes a leaf, and every node on the way to it, one that can be searched.
    fn open_way(&self, mut id: NodeId) {
        while !id.is_none() {
            let node = self.thread.tree.node(id);
            // Above an open node the way may be closed all the same.
            if node.urgency() <= 0.0 {
                node.set_urgency(FAINT);
            }
            id = node.parent();
        }
    }
}
