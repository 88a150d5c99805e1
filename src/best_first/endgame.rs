//! A root that the endgame tables know, in a best-first search.

use super::search_thread::SearchThread;
use eval::Evaluator;
use game::{Game, MoveCode};
use search::endgame::RootInTables;
use search::{Event, Probe};
use tree::{Fate, NodeId, Proof, Tree};

impl<G: Game, E: Evaluator<G>, P: Probe> SearchThread<'_, G, E, P> {
    /// Looks up the root and gives it the bounds that the tables prove; see [`search::endgame`].
    pub fn enter_root(&mut self) {
        self.context.endgames.enter_root(self.job);
        if self.worker().index() > 0 {
            return;
        }
        let Some(found) = self.context.endgames.root() else {
            return;
        };
        let (proof, hit, looked_up) = (found.proof(), found.hit, found.moves());
        if !self.job.start.midway {
            let fate = Fate::Tablebase(hit);
            (0..looked_up).for_each(|_| self.context.worker.count_fate(fate));
        }
        let root = self.root();
        if hit.depends_on_clock() {
            root.set_path_dependent();
        }
        if root.tighten(proof) {
            let node = Tree::ROOT;
            self.report(|| Event::Prove { node, proof });
        }
        // If moves were taken out or let back in since the last run, other moves may now be good enough.
        self.throw_away(root.first_child(), usize::from(root.child_count()));
    }

    /// Gives the fate and bounds of the tables to those of the root's children that give away the result; the root's
    /// bounds then keep the search away from them.
    pub fn throw_away(&mut self, first: NodeId, moves: usize) {
        if first.is_none() || self.context.endgames.root().is_none() {
            return;
        }
        for id in (first.0..first.0 + moves as u32).map(NodeId) {
            let node = self.tree.node(id);
            let m = node.move_code();
            let fate = self.thrown(m);
            let known = matches!(node.fate(), Fate::Tablebase(_));
            match fate {
                Some(fate @ Fate::Tablebase(hit)) if !node.is_excluded() && !node.is_expanded() => {
                    node.set_fate(fate);
                    node.set_proof(Proof::of_table(hit));
                    let parent = Tree::ROOT;
                    if !known {
                        self.report(|| Event::Prune { parent, m, fate });
                    }
                }
                None if known => {
                    node.set_fate(Fate::Unvisited);
                    node.set_proof(Proof::OPEN);
                    node.set_urgency(1.0);
                }
                _ => {}
            }
        }
    }

    /// The fate of a root move that gives away the result that the tables promise.
    pub fn thrown(&self, m: MoveCode) -> Option<Fate> {
        self.context.endgames.root()?.fate(m)
    }

    /// The move that would be played at a node, given the search's favourite. At a root in the tables it is their move,
    /// unless the search has proven a mate or the tables leave the choice.
    #[inline]
    pub fn to_play(&self, id: NodeId, favourite: MoveCode) -> MoveCode {
        match self.context.endgames.root() {
            Some(root) if id == Tree::ROOT && root.decides() => self.by_tables(root, favourite),
            _ => favourite,
        }
    }

    #[cold]
    fn by_tables(&self, root: &RootInTables, favourite: MoveCode) -> MoveCode {
        let chosen = self.tree.child_by_move(Tree::ROOT, favourite);
        let upper = chosen.map(|child| self.tree.node(child).proof().upper);
        let mates = upper.is_some_and(|u| u.is_loss() && !u.is_without_length());
        if mates { favourite } else { root.best }
    }

    /// Whether the root's bounds have met by the tables alone, which does not say what to play.
    pub fn is_settled_by_tables(&self) -> bool {
        let root = self.context.endgames.root();
        root.is_some_and(|root| root.proof() == self.root().proof())
    }
}
