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
        let open = |end: f64| end.is_infinite() || end.abs() >= self.widest;
        let is_right = |told: Option<f64>, wanted: f64| match told {
            None => open(wanted) || self.judge.is_open(wanted),
            Some(told) => open(told) && open(wanted) || self.judge.is_same(told, wanted),
        };
        let right = is_right(told[0], node.alpha) && is_right(told[1], node.beta);
        let shown = |end: f64| (!open(end)).then(|| self.judge.told(end, sides));
        ledger.note(
            Check::Windows,
            event,
            (!right).then_some(|| {
                let mut ends = [
                    told.map(|end| end.and_then(shown)),
                    [node.alpha, node.beta].map(shown),
                ];
                if self.judge.turns(sides) {
                    ends.iter_mut().for_each(|ends| ends.swap(0, 1));
                }
                let [told, wanted] = ends;
                (self.line(), Fault::Window { told, wanted })
            }),
        );
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
