//! Moves that the user took out, as a search that records its tree move by move encounters them.

use super::context::{Context, Skips, Visit};
use super::picker::Picker;
use crate::{Event, Probe, choices};
use game::{Game, MoveCode};
use tree::{Fate, NodeId, Tree};

impl<P: Probe> Context<'_, P> {
    /// Whether the value of this place rests on moves taken out. Helper threads, which record nothing, know this only
    /// for the root.
    #[inline]
    pub fn rests_on_choices(&self, node: NodeId, ply: u16) -> bool {
        self.narrowed && self.mark(node, ply)
    }

    #[cold]
    fn mark(&self, node: NodeId, ply: u16) -> bool {
        let node = recorded(node, ply);
        !node.is_none() && self.recorder.tree().node(node).rests_on_choices()
    }

    /// Removes from a node's moves those that the user took out, but never the last one where `moves` are `all` there
    /// are.
    #[cold]
    pub fn leave_out<G: Game>(&mut self, visit: &Visit, moves: &mut Picker<'_, G>, all: bool) {
        let choices = self.choices;
        let out = choices.excluded(recorded(visit.node, visit.ply));
        let is_out = |code: MoveCode| out.binary_search(&code).is_ok();
        if out.is_empty() || all && moves.rest().all(|pick| is_out(pick.code)) {
            return;
        }
        let mut taken = Skips::new();
        moves.drop_rest(|pick| {
            let drop = is_out(pick.code);
            if drop {
                taken.push((pick.code, Fate::Excluded));
            }
            drop
        });
        for (m, fate) in taken {
            self.worker.count_fate(fate);
            if !visit.node.is_none() {
                self.record_excluded(visit, m);
            }
        }
    }

    fn record_excluded(&mut self, visit: &Visit, m: MoveCode) {
        let parent = visit.node;
        let fate = Fate::Excluded;
        self.emit(|| Event::Prune { parent, m, fate });
        let child = self.child(parent, NodeId::NONE, m, visit.ply + 1);
        let tree = self.recorder.tree();
        if !child.is_none() && !tree.node(child).is_excluded() {
            choices::toggle(tree, child);
        }
    }

    /// The move to search first where the table is not used: the best one of an earlier visit.
    #[cold]
    pub fn recorded_best(&self, node: NodeId) -> MoveCode {
        if node.is_none() {
            return MoveCode::NONE;
        }
        let fate = self.recorder.tree().node(node).fate();
        fate.best().unwrap_or(MoveCode::NONE)
    }
}

/// The node whose choices apply at a place.
fn recorded(node: NodeId, ply: u16) -> NodeId {
    if node.is_none() && ply == 0 {
        Tree::ROOT
    } else {
        node
    }
}
