//! A root that the endgame tables know, in a depth-first search.

use super::context::{Context, Skips, Visit};
use super::picker::Picker;
use crate::{Event, Job, Probe};
use eval::Evaluator;
use game::{Game, MoveCode, Score};
use tree::{Fate, NodeId, Proof, Tree};

fn mates(value: Score) -> bool {
    value.is_win() && !value.is_without_length()
}

impl<'a, P: Probe> Context<'a, P> {
    /// Looks up the root; see [`crate::endgame`].
    pub fn enter_root<G: Game, E: Evaluator<G>>(&mut self, job: &Job<'a, G, E>) {
        self.endgames.enter_root(job);
        if self.worker.index() > 0 {
            return;
        }
        let Some(root) = self.endgames.root() else {
            return;
        };
        let (proof, looked_up, hit) = (root.proof(), root.moves(), Fate::Tablebase(root.hit));
        if !job.start.midway {
            (0..looked_up).for_each(|_| self.worker.count_fate(hit));
        }
        let node = Tree::ROOT;
        if self.recorder.tree().node(node).tighten(proof) {
            self.emit(|| Event::Prove { node, proof });
        }
    }

    /// Removes from the root's moves those that give away the result that the tables promise.
    pub fn leave_out_by_tables<G: Game>(&mut self, visit: &Visit, moves: &mut Picker<'_, G>) {
        let Some(root) = self.endgames.root() else {
            return;
        };
        let mut taken = Skips::new();
        moves.drop_rest(|pick| {
            let fate = root.fate(pick.code);
            taken.extend(fate.map(|fate| (pick.code, fate)));
            fate.is_some()
        });
        if !visit.node.is_none() {
            for (m, fate) in taken {
                self.record_thrown(visit, m, fate);
            }
        }
    }

    fn record_thrown(&mut self, visit: &Visit, m: MoveCode, fate: Fate) {
        let parent = visit.node;
        self.emit(|| Event::Prune { parent, m, fate });
        let child = self.child(parent, NodeId::NONE, m, visit.ply + 1);
        if child.is_none() {
            return;
        }
        let node = self.recorder.tree().node(child);
        node.set_fate(fate);
        if let Fate::Tablebase(hit) = fate {
            node.tighten(Proof::of_table(hit));
        }
    }

    /// The move to play at the root: the search's own if it is a proven mate or the tables leave the choice, otherwise
    /// the tables' move.
    pub fn root_move(&self, found: MoveCode, value: Score) -> MoveCode {
        match self.endgames.root() {
            Some(root) if root.decides() && !mates(value) => root.best,
            _ => found,
        }
    }

    /// A value of the root, limited to what the search or the tables have proven about it.
    pub fn root_value(&self, value: Score) -> Score {
        let value = value.max(self.proven_at_root());
        let proof = self.endgames.root().map(|root| root.proof());
        proof.map_or(value, |p| value.clamp(p.lower, p.upper.max(p.lower)))
    }
}
