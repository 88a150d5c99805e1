//! What the search answers at the root, when the trace has ended.

use super::super::truth::Truth;
use super::*;

impl DepthFirst<'_> {
    /// Ends the checks, when the trace has ended. `has_end` says whether the program told that the search is over.
    pub fn finish(&mut self, (event, has_end): (u64, bool), ledger: &mut Ledger) -> Ending {
        let ending = Ending {
            has_begun: self.counts.nodes > 0,
            is_over: self.open.is_empty() && self.counts.nodes > 0,
            line: self.line(),
            lost: None,
        };
        if self.counts.nodes == 0 {
            if has_end {
                ledger.all_wrong(|| Fault::Nothing);
            }
            return ending;
        }
        if !has_end && !self.open.is_empty() {
            // The trace stops here: see `whole`.
            self.is_cut_short = true;
            self.open.clear();
        }
        let last = self.iteration.zip(self.task.depth);
        if let Some((found, expected)) = last.filter(|(found, expected)| found < expected) {
            ledger.wrong(Check::Leaves, event, || {
                (Vec::new(), Fault::WrongDepth { found, expected })
            });
        }
        if !self.is_cut_short {
            self.judge_answer(event, ledger);
        }
        ending
    }

    /// What a check looks at has to be told, if it gives points.
    pub fn ask_for_what_is_missing(&self, ledger: &mut Ledger) {
        let what = "window";
        ledger.ask_for(
            Check::Windows,
            match self.has_told_windows {
                false => Fault::NotTold { what },
                true => Fault::Unchecked {
                    what,
                    why: "no legal move of the root was searched",
                },
            },
        );
    }

    fn judge_answer(&self, event: u64, ledger: &mut Ledger) {
        let sides = Sides {
            node: self.root.turn(),
            parent: None,
        };
        let own = |value: Value| self.judge.own(value, sides);
        let value = self.told_value.map(own).or(self.root_value);
        let mut truth = Truth::new(self.depth(), self.task.rules.leaves);
        let right = truth.of(&self.root);
        let legal_ones = self.root_moves.iter().filter(|known| known.1.is_some());
        let best = legal_ones.filter_map(|known| known.2);
        let best = best.fold(f64::NEG_INFINITY, f64::max);
        let told = |own: f64| self.judge.told(own, sides);
        let wrong_value = value.and_then(|own| match right {
            Some(worth) if self.judge.agrees(own, worth, sides.node, None) => None,
            Some(worth) => Some(self.judge.wanted(worth, self.ply(), sides.node)),
            None => Some(best).filter(|best| best.is_finite() && !self.judge.is_same(own, *best)),
        });
        if let Some((own, wanted)) = value.zip(wrong_value) {
            let fault = Fault::AnswerValue {
                told: told(own),
                wanted: told(wanted),
            };
            return ledger.wrong(Check::Answer, event, || (Vec::new(), fault));
        }
        if self.told_best.is_none() {
            let fault = Fault::NotTold { what: "best move" };
            let found = self.task.is_strict.then_some(|| (Vec::new(), fault));
            return ledger.note(Check::Answer, event, found);
        }
        // A move that was cut off has only a bound, so the value of the position behind it decides where it is known.
        let searched = |code| {
            let known = self.root_moves.iter().find(|known| known.1 == Some(code));
            known.and_then(|known| known.2)
        };
        let mut is_right = |code: &MoveCode| {
            let behind = right.and_then(|_| truth.after(&self.root, *code));
            match right.zip(behind) {
                Some((right, behind)) => behind == right,
                None => searched(*code).is_some_and(|worth| self.judge.is_same(worth, best)),
            }
        };
        let legal = self.root.legal_moves();
        let moves: Vec<MoveCode> = legal
            .iter()
            .copied()
            .filter(|code| is_right(code))
            .collect();
        let answered = traced::named(&self.root, &legal, self.names.text(self.told_best));
        let is_one = answered.is_some_and(|code| moves.contains(&code));
        let found = (!is_one).then(|| Fault::AnswerMove {
            told: self.name(self.told_best),
            right: names(&self.root, &moves),
        });
        ledger.note(
            Check::Answer,
            event,
            found.map(|fault| || (Vec::new(), fault)),
        );
    }
}
