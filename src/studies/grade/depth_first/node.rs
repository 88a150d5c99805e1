//! What a node has to be like when it is entered and when it is left.

use super::*;

impl DepthFirst<'_> {
    pub(super) fn judge_window(&self, event: u64, window: Window, ledger: &mut Ledger) {
        let at = self.open.len() - 1;
        let (node, sides) = (&self.open[at], self.sides(at));
        if node.at.is_none() {
            return;
        }
        let own = |end: Option<Value>| end.map(|end| self.judge.own(end, sides));
        let mut told = [own(window.alpha), own(window.beta)];
        if self.judge.turns(sides) {
            told.swap(0, 1);
        }
        let told = [
            told[0].unwrap_or(f64::NEG_INFINITY),
            told[1].unwrap_or(f64::INFINITY),
        ];
        let is_right = |told: f64, wanted: f64| match self.is_open_end(told) {
            true => self.is_open_end(wanted) && (told > 0.0) == (wanted > 0.0),
            false => self.judge.is_same(told, wanted),
        };
        let right = is_right(told[0], node.alpha) && is_right(told[1], node.beta);
        ledger.note(
            Check::Windows,
            event,
            (!right).then_some(|| {
                let [told, wanted] = [told, [node.alpha, node.beta]].map(|ends| self.shown(ends));
                (self.line(), Fault::Window { told, wanted })
            }),
        );
    }

    /// Whether an end of a window is so far out that no value lies beyond it.
    fn is_open_end(&self, own: f64) -> bool {
        own.is_infinite() || own.abs() >= self.widest || self.judge.is_open(own)
    }

    /// Returns the ends of a window of the innermost node as the program tells them. Open ones are infinite.
    fn shown(&self, ends: [f64; 2]) -> [f64; 2] {
        let sides = self.sides(self.open.len() - 1);
        let mut ends = ends.map(|end| match self.is_open_end(end) {
            true => f64::INFINITY.copysign(end),
            false => end,
        });
        ends = ends.map(|end| self.judge.told(end, sides));
        if self.judge.turns(sides) {
            ends.swap(0, 1);
        }
        ends
    }

    /// Judges how the root is entered: without a move, and with a window in which values can lie. Which one is up to the program.
    pub(super) fn judge_root(
        &self,
        event: u64,
        m: MoveId,
        window: Option<Window>,
        ledger: &mut Ledger,
    ) {
        if !m.is_none() {
            ledger.wrong(Check::Trace, event, || {
                let m = self.name(m);
                let fault = match self.root_moves.is_empty() {
                    true => Fault::RootMove { m },
                    false => Fault::AfterRoot { m },
                };
                (Vec::new(), fault)
            });
        }
        let empty = window.filter(|window| self.kind == Kind::AlphaBeta && window.is_empty());
        if let Some([alpha, beta]) = empty.and_then(|window| Some([window.alpha?, window.beta?])) {
            ledger.wrong(Check::Windows, event, || {
                let sides = self.sides(0);
                let own = [alpha, beta].map(|end| self.judge.own(end, sides));
                let told = match self.judge.turns(sides) {
                    true => self.shown([own[1], own[0]]),
                    false => self.shown(own),
                };
                let wanted = [f64::NEG_INFINITY, f64::INFINITY];
                (Vec::new(), Fault::Window { told, wanted })
            });
        }
    }

    /// Notes if a move is entered that the innermost node does not have, or had already, but the node before it has and had not yet:
    /// then the innermost one may not have been left.
    pub(super) fn look_for_a_missing_leave(&mut self, event: u64, m: MoveId, is_legal: bool) {
        let [.., parent, node] = self.open.as_slice() else {
            return;
        };
        let had = |node: &Open| node.searched.iter().any(|known| known.0 == m);
        let is_new_here = is_legal && !had(node);
        if self.not_left.is_some() || is_new_here || node.m == m || had(parent) {
            return;
        }
        let name = self.names.text(m);
        let has = |at: &At| traced::named(&at.position, &at.legal, name).is_some();
        if parent.at.as_ref().is_some_and(has) {
            let next = name.to_owned();
            self.not_left = Some((event, (self.line(), Fault::NotLeft { next })));
        }
    }

    /// Judges the innermost node when it is left.
    pub(super) fn judge_node(&mut self, event: u64, own: Option<f64>, ledger: &mut Ledger) {
        let node = &self.open[self.open.len() - 1];
        let Some(at) = &node.at else {
            return;
        };
        let depth = self.depth();
        let ply = self.ply();
        let is_last = depth.is_some_and(|depth| ply >= depth);
        let is_leaf = at.over.is_some() || is_last;
        if node.searched.is_empty() {
            self.counts.leaves += 1;
            ledger.note(
                Check::Leaves,
                event,
                (!is_leaf).then_some(|| {
                    let moves = at.legal.len();
                    (self.line(), Fault::StoppedShort { moves, depth })
                }),
            );
            if is_leaf {
                self.judge_leaf(event, own, ledger);
            }
            return;
        }
        if is_leaf {
            return;
        }
        self.judge_complete(event, ledger);
        self.judge_value(event, own, ledger);
    }

    fn judge_leaf(&self, event: u64, own: Option<f64>, ledger: &mut Ledger) {
        let last = self.open.len() - 1;
        let node = &self.open[last];
        let Some(at) = &node.at else {
            return;
        };
        let Some(worth) = at.over.or_else(|| self.task.rules.leaves.of(&at.position)) else {
            return;
        };
        let fault = match own {
            None => Some(Fault::NoValue),
            Some(own) if self.judge.agrees(own, worth, node.side, Some(self.ply())) => None,
            Some(own) => {
                let wanted = self.judge.wanted(worth, self.ply(), node.side);
                let sides = self.sides(last);
                Some(Fault::LeafValue {
                    told: self.judge.told(own, sides),
                    wanted: self.judge.told(wanted, sides),
                    is_over: at.over.is_some(),
                })
            }
        };
        ledger.note(
            Check::LeafValues,
            event,
            fault.map(|fault| || (self.line(), fault)),
        );
    }

    fn judge_complete(&self, event: u64, ledger: &mut Ledger) {
        let last = self.open.len() - 1;
        let node = &self.open[last];
        let Some(at) = node.at.as_ref().filter(|_| node.cut == Cut::No) else {
            return ledger.right(Check::Complete);
        };
        let is_searched =
            |code: &MoveCode| node.searched.iter().any(|known| known.1 == Some(*code));
        let left: Vec<MoveCode> = at
            .legal
            .iter()
            .copied()
            .filter(|code| !is_searched(code))
            .collect();
        ledger.note(
            Check::Complete,
            event,
            (!left.is_empty()).then_some(|| {
                let sides = self.sides(last);
                let is_bounded = node.best.is_finite() && node.beta.is_finite();
                let cut = is_bounded.then(|| {
                    let told = |own| self.judge.told(own, sides);
                    (told(node.best), told(node.beta))
                });
                let moves = names(&at.position, &left);
                (self.line(), Fault::LeftOut { moves, cut })
            }),
        );
    }

    fn judge_value(&self, event: u64, own: Option<f64>, ledger: &mut Ledger) {
        let last = self.open.len() - 1;
        let node = &self.open[last];
        let sides = self.sides(last);
        if node.best == f64::NEG_INFINITY {
            return;
        }
        // Fail-soft or fail-hard.
        let hard = node.best.max(node.alpha).min(node.beta);
        let is_right =
            |own: f64| self.judge.is_same(own, node.best) || self.judge.is_same(own, hard);
        let fault = match own {
            None => Some(Fault::NoValue),
            Some(own) if is_right(own) => None,
            Some(own) => Some(Fault::Value {
                told: self.judge.told(own, sides),
                wanted: self.judge.told(node.best, sides),
                best: self.name(node.best_move),
            }),
        };
        ledger.note(
            Check::Values,
            event,
            fault.map(|fault| || (self.line(), fault)),
        );
    }
}
