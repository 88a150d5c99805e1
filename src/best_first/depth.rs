//! When a best-first search with a depth limit is deep enough.

use super::proofs;
use super::search_thread::SearchThread;
use eval::Evaluator;
use game::{Game, MoveCode};
use search::Probe;
use tree::{Fate, NodeId, Tree};

/// The principal variation when it was last checked, down to the limit. It is stable when none of its moves was
/// replaced by another while the nodes doubled; a mere extension is not a change.
#[derive(Clone, Debug, Default)]
pub(super) struct Reach {
    line: Vec<MoveCode>,
    /// The node count at which a move of the line was last replaced.
    since: u64,
    /// The node count at which the line is checked next.
    next: u64,
}

impl Reach {
    /// The line is checked again when the nodes have grown by one part in this many.
    const STEP: u64 = 8;
    /// The node count of the first check: before that, hardly any replies to each move are known.
    const FIRST: u64 = 1_000;

    /// Records the line at this node count. Returns whether it has stayed the same while the nodes doubled.
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
    /// Whether, with a limit of N plies, the principal variation is N plies long and stable. The plies by which its
    /// last node was searched ahead as a leaf count; a line to an end that nothing can follow is long enough. The main
    /// thread asks this from time to time.
    pub fn is_deep_enough(&mut self) -> bool {
        if self.deepest == usize::MAX || self.worker().index() > 0 || !self.forced.is_empty() {
            return false;
        }
        let control = self.job.control;
        // A single thread's own count is exact, so that the same search ends at the same node.
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

    /// The principal variation down to the deepest ply, and whether it ends there or where the game does.
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

    /// By how many plies a node without children was searched ahead.
    fn leaf_plies(&self, id: NodeId) -> usize {
        match self.leaf.is_search() {
            true => self.tree.node(id).leaf_depth().into(),
            false => 0,
        }
    }

    /// Whether nothing will ever be below this node.
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
