//! Leaves a node: what it was worth, why it is as it is, and what that means for its parent.

use super::*;

impl<G: Game, P: Probe> Search<'_, G, P> {
    pub(super) fn leave(
        &mut self,
        value: Option<Value>,
        bound: Option<ToldBound>,
        best: MoveId,
        nodes: Option<u64>,
    ) {
        while self
            .frames
            .last()
            .is_some_and(|frame| frame.kind == Kind::Trial)
        {
            self.pop(None, None, MoveId::NONE);
        }
        if self.frames.is_empty() {
            return self.told(What::Unused);
        }
        if let (Some(nodes), Some(frame)) = (nodes, self.frames.last_mut()) {
            let entered = self.pen.worker.nodes() - frame.nodes_before + frame.left_out;
            frame.miscounted = nodes.cast_signed().saturating_sub(entered.cast_signed());
        }
        let own = self.own_here(value);
        let (node, score, bound) = self.pop(own, bound, best);
        self.pen.emit(|_| Event::Leave { node, score, bound });
    }

    /// Leaves the innermost frame with a value from its own view. Returns its node, score and bound.
    pub(super) fn pop(
        &mut self,
        own: Option<f64>,
        bound: Option<ToldBound>,
        best: MoveId,
    ) -> (NodeId, Score, Bound) {
        let best = match best.is_none() {
            true => None,
            false => Some(self.code_below(self.frames.len() - 1, best)),
        };
        let Some(frame) = self.frames.pop() else {
            return (NodeId::NONE, Score::DRAW, Bound::None);
        };
        let gives = frame.gives(&self.worths);
        let score = own.map(|own| self.pen.values.score(own, frame.ply));
        let bound = match (bound, own) {
            (_, None) => Bound::None,
            (Some(told), _) => turned_if(self.pen.values.turns(frame.place().sides), told),
            (None, Some(own)) => frame.bound_of(own),
        };
        if self.has_row(&frame) {
            let fate = self.fate_of(&frame, own, best);
            self.write(&frame, own, score, bound, fate);
            self.explain(&frame, own, gives);
            self.pen.worker.count_fate(fate);
        }
        self.close(&frame);
        self.whole |= frame.kind == Kind::Root;
        if let (Some(own), Kind::Move) = (own, frame.kind) {
            self.pass_up(&frame, own);
        }
        (frame.node, score.unwrap_or(Score::DRAW), bound)
    }

    /// Tells the parent what a move is worth.
    #[inline]
    pub(super) fn pass_up(&mut self, frame: &Frame, own: f64) {
        let Some(at) = self.frames.len().checked_sub(1) else {
            return;
        };
        let up = self.one_ply_up(own);
        let worth = match frame.side == self.frames[at].side {
            true => up,
            false => 0.0 - up,
        };
        if at == 0 {
            self.note_lead(frame, worth);
        }
        self.set_worth(at, frame.m, frame.code, worth);
    }

    /// A win that is counted from the node is one ply further away at its parent.
    #[inline]
    pub(super) fn one_ply_up(&self, own: f64) -> f64 {
        let values = &self.pen.values;
        match values.spec().distance {
            Distance::Node if values.plies_to_win(own).is_some() => own - own.signum(),
            _ => own,
        }
    }

    /// A move of the root has taken the lead within an iteration.
    pub(super) fn note_lead(&mut self, frame: &Frame, worth: f64) {
        let root = &self.frames[0];
        let leads = root.gives(&self.worths).is_none_or(|best| worth > best) && worth > root.alpha;
        if !leads || frame.node.is_none() {
            return;
        }
        self.best = frame.code;
        self.score = self.pen.values.score(worth, 0);
        if self.pen.tree.last_step().is_none() {
            return;
        }
        let (alpha, beta) = root.window;
        let lead = Lead {
            window: Window {
                alpha,
                beta,
                depth: root.plies(),
                value: self.score,
                bound: match root.bound_of(worth) {
                    Bound::Upper => Bound::None,
                    bound => bound,
                },
            },
            fate: Fate::Expanded {
                best: frame.code,
                searched: root.searched.min(255) as u8,
                skipped: 0,
                moves: root.moves.unwrap_or(0).min(255) as u8,
                margin: 0,
            },
            belief: None,
        };
        self.pen
            .tree
            .finish_step(self.iteration_byte(), Some(&lead));
    }

    pub(super) fn iteration_byte(&self) -> u8 {
        self.iteration.min(255) as u8
    }

    /// Why a node is as it is, by what its search did.
    #[inline]
    pub(super) fn fate_of(&self, frame: &Frame, own: Option<f64>, best: Option<MoveCode>) -> Fate {
        if let Some(why) = frame.why {
            return why;
        }
        let worths = frame.worths(&self.worths);
        let score = |own| self.pen.values.score(own, frame.ply);
        let few = |count: u32| count.min(255) as u8;
        let (_, beta) = frame.window;
        // The last search of a move decides, and the first of equal moves.
        let top = worths.iter().rev().max_by(|a, b| a.own.total_cmp(&b.own));
        let reached = |own: f64| own >= frame.beta;
        match (top, frame.stand(), own) {
            (Some(top), _, _) if reached(top.own) => Fate::BetaCutoff {
                by: best.unwrap_or(top.code),
                value: score(top.own),
                beta,
                searched: few(frame.searched),
            },
            (_, Some(stand), _) if reached(stand) => Fate::StandPat {
                static_value: score(stand),
                beta,
            },
            (Some(top), stand, _) => Fate::Expanded {
                best: match stand.is_some_and(|stand| stand >= top.own) {
                    true => best.unwrap_or(MoveCode::NONE),
                    false => best.unwrap_or(top.code),
                },
                searched: few(frame.searched),
                skipped: 0,
                moves: few(frame.moves.unwrap_or(0)),
                margin: 0,
            },
            (None, _, _) if frame.left_out > 0 => Fate::Told {
                reason: super::super::reasons::unsent(),
                numbers: 0,
            },
            (None, Some(stand), _) => Fate::Horizon {
                static_value: score(stand),
            },
            (None, None, _) => match frame.static_value {
                Some(static_value) if own.map(score) == Some(static_value) => {
                    Fate::Horizon { static_value }
                }
                _ => Fate::Told {
                    reason: super::super::reasons::untold(),
                    numbers: 0,
                },
            },
        }
    }

    pub(super) fn write(
        &mut self,
        frame: &Frame,
        own: Option<f64>,
        score: Option<Score>,
        bound: Bound,
        fate: Fate,
    ) {
        let tree = self.pen.tree;
        let node = self.pen.recorder.node(frame.node, frame.tree_ply);
        let (alpha, beta) = frame.window;
        let before = node.window();
        node.set_window(Window {
            alpha,
            beta,
            depth: frame.plies(),
            value: score.unwrap_or(before.value),
            bound,
        });
        tree.set_wide(
            (frame.node, node),
            own.and_then(|own| self.pen.values.wide(own)),
        );
        let (static_before, _) = node.static_and_iteration();
        let static_value = frame.static_value.or(static_before);
        node.set_static_and_iteration(static_value, self.iteration_byte(), false);
        let below = self.pen.worker.nodes() - frame.nodes_before + frame.left_out;
        let below = below.saturating_add_signed(frame.miscounted);
        node.set_nodes(node.nodes().saturating_add(below));
        node.set_visits(node.visits() + 1);
        node.set_fate(fate);
    }

    /// Notes whether the value follows from the moves.
    #[inline]
    pub(super) fn explain(&self, frame: &Frame, own: Option<f64>, gives: Option<f64>) {
        let is_open = frame.why.is_none() && frame.kind != Kind::Trial && frame.left_out == 0;
        let follows = match (own, gives) {
            (Some(own), Some(gives)) if is_open => {
                let expected = match self.pen.values.spec().fail {
                    Fail::Soft => gives,
                    Fail::Hard => frame.clamped(gives),
                };
                own == expected
            }
            _ => true,
        };
        let found = own.filter(|_| !follows).map(|own| Unexplained {
            left: self.pen.values.in_scale(own),
            gives: gives.map(|gives| self.pen.values.in_scale(gives)),
        });
        let node = self.pen.recorder.node(frame.node, frame.tree_ply);
        self.pen.tree.set_unexplained((frame.node, node), found);
    }
}
