//! Smart stopping: a search by a clock ends as soon as its move is certain.
//!
//! Source: Videodr0me, *Porting certainty propagation to new codebase* (lc0, GitHub issue, 2018) (smart pruning); lc0's
//! SmartPruningFactor 1.

use super::Mcts;
use eval::Evaluator;
use game::Game;
use search::{Decision, Probe};
use tree::{Node, Tree};

/// The number of descents before the rate is known well enough, and the number between two checks.
const FIRST_LOOK: u64 = 512;
const BETWEEN: u64 = 64;

impl<G: Game, E: Evaluator<G>, P: Probe, const SOLO: bool> Mcts<'_, G, E, P, SOLO> {
    /// Checks from time to time whether the move is certain, and ends the search if so. Only the main thread does this.
    pub(super) fn look_for_decision(&mut self) {
        if self.thread.worker().playouts < self.next_look || !self.thread.forced.is_empty() {
            return;
        }
        self.next_look = self.thread.worker().playouts + BETWEEN;
        if let Some(decision) = self.decision() {
            self.thread.job.control.decide(decision);
            self.thread.stopping = true;
        }
    }

    fn decision(&mut self) -> Option<Decision> {
        let control = self.thread.job.control;
        let worker = self.thread.worker();
        // A single thread's own counts are exact, so that the same search ends at the same node.
        let (nodes, playouts) = if SOLO {
            (worker.nodes(), worker.playouts)
        } else {
            control.work()
        };
        let share = control.share_left(nodes)?;
        let root = self.thread.root();
        let candidates = self.thread.tree.children_block(root).iter();
        let mut candidates = candidates.filter(|c| !c.is_excluded());
        if let (Some(only), None) = (candidates.clone().next(), candidates.clone().nth(1)) {
            return (only.visits() > 0).then_some(Decision::OnlyMove(only.move_code()));
        }
        if playouts < FIRST_LOOK {
            return None;
        }
        let left = (share * playouts as f64).ceil() as u64;
        let best_move = root.fate().best()?;
        let best = candidates.find(|c| c.move_code() == best_move)?;
        let lead = lead(self.thread.tree, root, best)?;
        (u64::from(lead) > left).then_some(Decision::OutOfReach {
            best: best_move,
            lead,
            left,
        })
    }
}

/// How many more visits `best` has than any other move that could be played; `None` where visits are not the reason why
/// it is best.
fn lead(tree: &Tree, root: &Node, best: &Node) -> Option<u32> {
    let could_be_played = |c: &&Node| {
        // Proven losses are never played.
        !c.is_excluded() && !c.proof().is_win() && c.move_code() != best.move_code()
    };
    let others = tree.children_block(root).iter().filter(could_be_played);
    let most = others.map(Node::visits).max().unwrap_or(0);
    best.visits().checked_sub(most)
}
