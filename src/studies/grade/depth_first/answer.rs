//! What the search answers at the root, when the trace has ended.

use super::super::truth::Truth;
use super::*;

impl DepthFirst<'_> {
    /// Ends the checks, when the trace has ended.
    pub fn finish(&mut self, event: u64, ledger: &mut Ledger) {
        self.interrupt(event, 0, ledger);
        if self.counts.nodes == 0 {
            for check in Check::ALL
                .into_iter()
                .filter(|check| *check != Check::Trace)
            {
                ledger.wrong(check, 0, || (Vec::new(), Fault::Nothing));
            }
            return;
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
        let best = self.root_moves.iter().filter_map(|known| known.2);
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
        let mut is_right = |&(_, code, worth): &(MoveId, Option<MoveCode>, Option<f64>)| {
            let behind = right
                .and(code)
                .and_then(|code| truth.after(&self.root, code));
            match right.zip(behind) {
                Some((right, behind)) => behind == right,
                None => worth.is_some_and(|worth| self.judge.is_same(worth, best)),
            }
        };
        let moves = self.root_moves.iter().filter(|known| is_right(known));
        let moves: Vec<MoveId> = moves.map(|known| known.0).collect();
        let found = (!moves.contains(&self.told_best)).then(|| Fault::AnswerMove {
            told: self.name(self.told_best),
            right: moves.iter().map(|&m| self.name(m)).collect(),
        });
        ledger.note(
            Check::Answer,
            event,
            found.map(|fault| || (Vec::new(), fault)),
        );
    }
}
