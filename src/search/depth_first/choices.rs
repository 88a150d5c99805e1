//! Moves taken out by hand, in a depth-first search.

use std::collections::BTreeSet;

use crate::game::MoveCode;
use crate::search::choices::{self, Choices};
use crate::search::common::context::{Context, Skips, Visit};
use crate::search::common::picker::Picker;
use crate::search::{Event, Probe};
use crate::tree::{Fate, NodeId, Proof, Tree};

/// Brings a depth-first tree in line with new choices. Values stand as they were found until the search comes there
/// again; only what was proven and the best move do not.
pub fn apply(tree: &Tree, choices: &Choices, changed: &BTreeSet<NodeId>) {
    for &id in changed {
        for child in choices::toggled(tree, choices, id) {
            choices::toggle(tree, child);
        }
        for concerned in tree.path(id) {
            tree.node(concerned).set_proof(Proof::OPEN);
        }
        let node = tree.node(id);
        if let Some(best) = node.fate().best()
            && choices.excludes(id, best)
        {
            node.set_fate(Fate::Expanded {
                best: best_of_the_rest(tree, id),
                searched: 0,
                skipped: 0,
                moves: node.child_count().min(255) as u8,
                margin: 0,
            });
        }
    }
}

/// The best move by what is recorded, of those that are not out.
fn best_of_the_rest(tree: &Tree, id: NodeId) -> MoveCode {
    tree.children(id)
        .map(|child| tree.node(child))
        .filter(|child| child.visits() > 0 && !child.is_excluded())
        .max_by_key(|child| child.window().value.one_ply_up())
        .map_or(MoveCode::NONE, |child| child.move_code())
}

impl<P: Probe> Context<'_, P> {
    /// Whether the value of this place rests on moves taken out. Helper threads, which record nothing, know the root
    /// alone.
    #[inline]
    pub fn rests_on_choices(&self, node: NodeId, ply: u16) -> bool {
        self.narrowed && self.mark(node, ply)
    }

    #[cold]
    fn mark(&self, node: NodeId, ply: u16) -> bool {
        let node = recorded(node, ply);
        !node.is_none() && self.recorder.tree().node(node).rests_on_choices()
    }

    /// Takes out of a node's moves those that a person did; never the last one where `moves` are `all` there are.
    #[cold]
    pub fn leave_out<M: Copy>(&mut self, visit: &Visit, moves: &mut Picker<'_, M>, all: bool) {
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

    /// The move to search first where the table is not asked: what an earlier visit found best.
    #[cold]
    pub fn recorded_best(&self, node: NodeId) -> MoveCode {
        if node.is_none() {
            return MoveCode::NONE;
        }
        let fate = self.recorder.tree().node(node).fate();
        fate.best().unwrap_or(MoveCode::NONE)
    }
}

/// The node whose choices hold at a place.
fn recorded(node: NodeId, ply: u16) -> NodeId {
    if node.is_none() && ply == 0 {
        Tree::ROOT
    } else {
        node
    }
}
