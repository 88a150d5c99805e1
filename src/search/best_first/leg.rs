//! How a best-first run begins and ends on a tree that may have been searched before, and what it does between two
//! descents.

use super::ground::Ground;
use crate::eval::Evaluator;
use crate::game::{Game, MoveCode};
use crate::search::{Event, Probe, Start, StopReason};
use crate::tree::{Node, Tree};

impl<'a, G: Game, E: Evaluator<G>, P: Probe> Ground<'a, G, E, P> {
    pub fn root(&self) -> &'a Node {
        self.tree.node(Tree::ROOT)
    }

    fn is_main(&mut self) -> bool {
        self.worker().index() == 0
    }

    /// The first words of a run.
    pub fn begin(&mut self) {
        if self.is_main() && !self.job.start.midway {
            self.report(|| Event::Iteration { depth: 0 });
        }
        self.poll();
    }

    /// Between two descents: whether another one follows. `idle`: the last ones found nothing, which a run that begins
    /// here would not know.
    pub fn goes_on(&mut self, idle: bool) -> bool {
        if self.root().proof().is_exact() {
            self.job.control.stop(StopReason::Solved);
            return false;
        }
        if P::ACTIVE
            && !idle
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

    /// The move that would be played, in the root's fate, and an event of the main thread when it changes.
    #[inline]
    pub fn note_best(&mut self) {
        let to = self.root().fate().best().unwrap_or(MoveCode::NONE);
        if to != self.best && self.is_main() {
            let from = std::mem::replace(&mut self.best, to);
            self.report(|| Event::Best { from, to });
        }
    }

    /// Where a run over this tree would begin now.
    fn start(&self) -> Start {
        Start {
            depth: 0,
            best: self.best,
            score: self.scale.score(self.root().expected()),
            midway: false,
            focus: None,
        }
    }

    /// The last word of a run.
    pub fn finish(&mut self) -> Start {
        // Another thread may have had the last word on the root.
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
