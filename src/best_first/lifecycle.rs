//! How a best-first run begins and ends on a tree that may have been searched before, and what it does between two
//! descents.

use super::proofs;
use super::search_thread::SearchThread;
use eval::Evaluator;
use game::Game;
use search::{Event, Focus, Probe, Start, StopReason};
use tree::{Fate, Node, NodeId, Tree};

/// A descent may count no node, where it ends in a repetition or at another leaf that is known already. It is work all the
/// same, so a limit of nodes allows so many descents for each.
const DESCENTS_A_NODE: u64 = 16;

impl<'a, G: Game, E: Evaluator<G>, P: Probe> SearchThread<'a, G, E, P> {
    pub fn root(&self) -> &'a Node {
        self.tree.node(Tree::ROOT)
    }

    fn is_main(&mut self) -> bool {
        self.worker().index() == 0
    }

    /// Reports the start of a run.
    pub fn begin(&mut self) {
        if self.is_main() && !self.job.start.midway {
            self.report(|| Event::Iteration { depth: 0 });
            self.report_choices();
        }
        // By what the tree keeps, so that a run taken up again has what is left.
        if let Some(limit) = self.job.control.limits().nodes {
            let nodes = self.root().nodes().saturating_add(limit);
            self.most_visits = nodes.saturating_mul(DESCENTS_A_NODE);
        }
        self.enter_root();
        self.begin_focus();
        self.poll();
    }

    /// Until its nodes are counted, every descent leads to the node of the focus. The threads share the nodes evenly.
    fn begin_focus(&mut self) {
        let wanted = self.job.start.focus;
        let known = |f: &Focus| f.nodes > 0 && f.node != Tree::ROOT && self.tree.contains(f.node);
        if let Some(focus) = wanted.filter(known) {
            self.forced = self.tree.path(focus.node);
            self.forced_until = focus.nodes.div_ceil(self.job.control.threads() as u64);
        }
    }

    /// Whether the focus is over: its nodes are counted, or nothing is left to search on the way or at its node.
    fn focus_is_over(&mut self, fruitless: bool) -> bool {
        let Some((last, way)) = self.forced.split_last() else {
            return false;
        };
        let node = |id: &NodeId| self.tree.node(*id);
        let barred = |n: &Node| n.proof().is_exact() || n.is_excluded();
        let last = node(last);
        let open = match last.fate() {
            // Another thread is working on it.
            Fate::Unvisited | Fate::Interrupted => true,
            fate if fate.is_frontier() => true,
            _ => last.is_expanded(),
        };
        let passable = |id| node(id).is_expanded() && !barred(node(id));
        let closed = !open || barred(last) || !way.iter().all(passable);
        closed || fruitless || self.worker().nodes() >= self.forced_until
    }

    /// Reports the moves that are out. The search never meets them, so this is what explains their fate.
    fn report_choices(&mut self) {
        let choices = self.job.choices;
        for parent in choices.nodes() {
            for &m in choices.excluded(parent) {
                let fate = Fate::Excluded;
                self.report(|| Event::Prune { parent, m, fate });
            }
        }
    }

    /// Whether another descent follows, called between two descents. `idle` counts consecutive descents that found
    /// nothing, which a run that begins here would not know; beyond `patience` of them a focus ends.
    pub fn goes_on(&mut self, idle: u32, patience: u32) -> bool {
        if !self.forced.is_empty() && self.focus_is_over(idle > patience) {
            self.forced.clear();
        }
        let solved = self.root().proof().is_exact() && !self.is_settled_by_tables();
        if solved && !self.solver.open_root {
            self.job.control.stop(StopReason::Solved);
            return false;
        }
        if self.is_deep_enough() {
            self.job.control.stop(StopReason::Depth);
            return false;
        }
        let wanted = self.job.control.limits().playouts;
        let threads = self.job.control.threads() as u64;
        let playouts_are_done =
            wanted.is_some_and(|all| self.worker().playouts >= all.div_ceil(threads));
        if playouts_are_done || u64::from(self.root().visits()) >= self.most_visits {
            self.job.control.stop(StopReason::Playouts);
            return false;
        }
        if P::ACTIVE
            && idle == 0
            && !self.midway
            && !self.stopping
            && self.context.probe.wants_clean_point()
            && self.is_main()
        {
            let start = Start {
                midway: true,
                ..self.start()
            };
            self.worker().publish();
            self.context.probe.clean_point(start);
            self.stopping = self.job.control.stopped().is_some();
        }
        !self.stopping
    }

    /// Updates the move that would be played; the main thread reports an event when it changes.
    #[inline]
    pub fn note_best(&mut self) {
        // A root that is not expanded yet has none, but a move may be known all the same.
        let to = proofs::best_move(self.tree, Tree::ROOT).unwrap_or(self.best);
        if to != self.best && self.is_main() {
            let from = std::mem::replace(&mut self.best, to);
            self.report(|| Event::Best { from, to });
        }
    }

    /// Where a run over this tree would start now.
    fn start(&mut self) -> Start {
        Start {
            depth: 0,
            best: self.best,
            score: proofs::score(self.root(), self.scale),
            midway: false,
            focus: self.focus_left(),
        }
    }

    fn focus_left(&mut self) -> Option<Focus> {
        let node = *self.forced.last()?;
        let left = self.forced_until.saturating_sub(self.worker().nodes());
        let nodes = left * self.job.control.threads() as u64;
        (nodes > 0).then_some(Focus { node, nodes })
    }

    /// Reports the end of a run and returns where the next one would start.
    pub fn finish(&mut self) -> Start {
        // Another thread may have changed the root last.
        self.note_best();
        let start = self.start();
        if self.is_main() {
            self.report(|| Event::IterationDone {
                depth: 0,
                best: start.best,
                score: start.score,
            });
        }
        start
    }
}
