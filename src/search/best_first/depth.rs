//! When a best-first search with a limit of depth is deep enough.

use super::proofs;
use super::search_thread::SearchThread;
use crate::eval::Evaluator;
use crate::game::{Game, MoveCode};
use crate::search::Probe;
use crate::tree::{Fate, NodeId, Tree};

/// The best line as it was last looked at, as far down as the limit. It stands when none of its moves was replaced by another
/// while the nodes doubled; that it grew is no change.
#[derive(Clone, Debug, Default)]
pub(super) struct Reach {
    line: Vec<MoveCode>,
    /// Nodes at which a move of the line was replaced last.
    since: u64,
    /// Nodes at which it is looked at next.
    next: u64,
}

impl Reach {
    /// The line is looked at again when this share of the nodes has been added.
    const STEP: u64 = 8;
    /// Nodes of the first look: before that hardly a reply is known to each move.
    const FIRST: u64 = 1_000;

    /// Notes the line at so many nodes; whether it has been the same while they doubled.
    fn note(&mut self, line: Vec<MoveCode>, nodes: u64) -> bool {
        self.next = nodes + nodes / Self::STEP + 1;
        let common = line.len().min(self.line.len());
        if common == 0 || line[..common] != self.line[..common] {
            self.since = nodes;
        }
        self.line = line;
        nodes >= 2 * self.since
    }
}

impl<G: Game, E: Evaluator<G>, P: Probe> SearchThread<'_, G, E, P> {
    /// Whether, with a limit of N plies, the best line is N plies long and stands. The plies that its last node was searched
    /// ahead as a leaf count; a line to an end that nothing can follow is long enough. The main thread asks that from time
    /// to time.
    pub fn is_deep_enough(&mut self) -> bool {
        if self.deepest == usize::MAX || self.worker().index() > 0 || !self.forced.is_empty() {
            return false;
        }
        let control = self.job.control;
        // A single thread's own figure is exact, so that the same search ends at the same node.
        let nodes = match control.threads() {
            1 => self.worker().nodes(),
            _ => control.work().0,
        };
        if nodes < self.reach.next.max(Reach::FIRST) {
            return false;
        }
        let (line, is_whole) = self.best_line();
        let stands = self.reach.note(line, nodes);
        is_whole && stands
    }

    /// The best line down to the deepest ply, and whether it ends there or where the game does.
    fn best_line(&self) -> (Vec<MoveCode>, bool) {
        let mut line = Vec::new();
        let mut at = Tree::ROOT;
        while line.len() < self.deepest {
            let next = proofs::best_move(self.tree, at);
            let child = next.and_then(|m| Some((m, self.tree.child_by_move(at, m)?)));
            let Some((m, child)) = child else {
                let plies = line.len() + self.leaf_plies(at);
                return (line, plies >= self.deepest || self.is_closed(at));
            };
            line.push(m);
            at = child;
        }
        (line, true)
    }

    /// How many plies a node without children was searched ahead.
    fn leaf_plies(&self, id: NodeId) -> usize {
        match self.leaf.is_search() {
            true => self.tree.node(id).leaf_depth().into(),
            false => 0,
        }
    }

    /// Nothing will ever stand below this node.
    fn is_closed(&self, id: NodeId) -> bool {
        let node = self.tree.node(id);
        let fate = node.fate();
        let open = fate.is_frontier()
            || matches!(
                fate,
                Fate::Unvisited | Fate::Interrupted | Fate::Expanded { .. }
            );
        !open || node.proof().is_exact()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_stands_once_the_nodes_have_doubled() {
        let mut reach = Reach::default();
        let line = |moves: &[u16]| moves.iter().map(|&m| MoveCode(m)).collect::<Vec<_>>();
        assert!(!reach.note(line(&[1]), 1_000));
        assert!(reach.next > 1_000 && reach.next <= 1_126);
        assert!(!reach.note(line(&[1, 2]), 1_999), "longer");
        assert!(reach.note(line(&[1, 2]), 2_000));
        assert!(!reach.note(line(&[1, 3]), 2_100), "another reply");
        assert!(!reach.note(line(&[1, 2]), 2_200), "and back again");
        assert!(!reach.note(line(&[1]), 4_300));
        assert!(reach.note(line(&[1, 2, 4]), 4_400));
    }
}
