//! The course of a search: iterations, passes over the root, the best move, its end.

use super::*;

impl<G: Game, P: Probe> Search<'_, G, P> {
    pub(super) fn begin_iteration(&mut self, depth: Option<i16>) {
        self.close_to(0);
        self.settle();
        let plies = depth.map(|depth| (depth / self.pen.depth_step).max(0) as u16);
        self.iteration = plies.unwrap_or(self.iteration + 1);
        self.pass = 0;
        let depth = self.iteration;
        self.pen.emit(|_| Event::Iteration { depth });
    }

    pub(super) fn finish_iteration(
        &mut self,
        best: MoveId,
        value: Option<Value>,
        depth: Option<i16>,
    ) {
        self.close_to(0);
        if let Some(depth) = depth {
            self.iteration = (depth / self.pen.depth_step).max(0) as u16;
        }
        if !best.is_none() {
            self.best = self.root_code(best);
        }
        if let Some(own) = self.own_here(value) {
            self.score = self.score_here(own);
        }
        self.name_best();
        self.settle();
        let (depth, best, score) = (self.iteration, self.best, self.score);
        self.pen
            .emit(|_| Event::IterationDone { depth, best, score });
    }

    /// The root's best move is the one that the program names.
    pub(super) fn name_best(&self) {
        let root = self.pen.tree.node(Tree::ROOT);
        root.set_fate(root.fate().with_best(self.best));
    }

    /// Keeps the root and its moves as an iteration has left them, once.
    pub(super) fn settle(&mut self) {
        if !std::mem::take(&mut self.whole) {
            return;
        }
        self.finished = self.iteration;
        self.pen.worker.publish();
        self.pen.tree.finish_step(self.iteration_byte(), None);
        let control = self.pen.worker.control();
        let best = (self.best != MoveCode::NONE).then(|| RootLine {
            moves: self.pen.tree.root_line_at_last_step(self.best),
            score: self.score,
        });
        let lines = best.into_iter().collect();
        control.finish_iteration(self.iteration, self.best, self.score, lines);
    }

    pub(super) fn begin_pass(&mut self, window: ToldWindow) {
        self.close_to(0);
        self.pass += 1;
        let sides = self.place().sides;
        let values = &self.pen.values;
        let end = |end: Option<Value>, open| values.end(end.map(|e| values.own(e, sides)), 0, open);
        let (mut low, mut high) = (window.alpha, window.beta);
        if values.turns(sides) {
            std::mem::swap(&mut low, &mut high);
        }
        let (number, alpha, beta) = (self.pass, end(low, Score::MIN), end(high, Score::MAX));
        self.pen.emit(|_| Event::Pass {
            number,
            alpha,
            beta,
        });
    }

    pub(super) fn finish_pass(&mut self, value: Option<Value>) {
        let score = self.own_here(value).map(|own| self.score_here(own));
        let window = self.pen.tree.node(Tree::ROOT).window();
        let low = match window.bound {
            Bound::Upper => Score::MIN,
            _ => score.unwrap_or(Score::MIN),
        };
        let high = match window.bound {
            Bound::Lower => Score::MAX,
            _ => score.unwrap_or(Score::MAX),
        };
        let number = self.pass;
        self.pen.emit(|_| Event::PassDone { number, low, high });
    }

    pub(super) fn change_best(&mut self, to: MoveId) {
        let from = self.best;
        self.best = self.root_code(to);
        let to = self.best;
        self.pen.emit(|_| Event::Best { from, to });
    }

    pub(super) fn skip(&mut self, events: u64, nodes: u64) {
        if let Some(frame) = self.frames.last_mut() {
            frame.left_out = frame.left_out.saturating_add(nodes);
            if !frame.node.is_none() {
                self.pen
                    .tree
                    .add_left_out(frame.node, LeftOut { events, nodes });
            }
        }
        for frame in self.frames.iter_mut().rev().skip(1) {
            frame.left_out = frame.left_out.saturating_add(nodes);
        }
    }

    /// The stream has ended.
    pub(super) fn end(&mut self) {
        self.close_to(0);
        self.settle();
        self.pen.worker.control().stop(StopReason::Told);
    }
}
