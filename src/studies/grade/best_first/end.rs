//! Where simulations end, and with which values.

use super::*;

/// The most positions below a node that are looked at for what a playout can give.
const BELOW: usize = 20_000;

impl BestFirst<'_> {
    /// Judges where a simulation ended and with which value.
    pub(super) fn judge_end(&self, event: u64, number: u32, own: Option<f64>, ledger: &mut Ledger) {
        let Some(node) = self.node(number) else {
            return;
        };
        let was_expanded = node.expanded.is_some_and(|then| then + 1 < self.simulation);
        let simulation = self.simulation;
        let fault = match () {
            () if node.over.is_some() => None,
            () if was_expanded && node.children.iter().any(|&n| self.node(n).is_some()) => {
                Some(Fault::EndedInside { simulation })
            }
            () if node.children.is_empty() && node.ended > 1 && node.is_known => {
                let visits = node.ended + 1;
                Some(Fault::NeverExpanded { visits })
            }
            () => None,
        };
        ledger.note(
            Check::Simulations,
            event,
            fault.map(|fault| || (self.line(number), fault)),
        );
        let sides = self.sides(number);
        let ply = self.way(number).len() as u32 - 1;
        let Some(own) = own else {
            return ledger.wrong(Check::LeafValues, event, || {
                (self.line(number), Fault::NoValue)
            });
        };
        if let Some(worth) = node.over {
            let is_right = self.judge.agrees(own, worth, node.side, Some(ply));
            return ledger.note(
                Check::LeafValues,
                event,
                (!is_right).then_some(|| {
                    let wanted = self.judge.wanted(worth, ply, node.side);
                    let fault = Fault::LeafValue {
                        told: self.judge.told(own, sides),
                        wanted: self.judge.told(wanted, sides),
                        is_over: true,
                    };
                    (self.line(number), fault)
                }),
            );
        }
        if self.task.rules.playouts && node.is_known {
            self.judge_playout(event, number, own, ledger);
        }
    }

    /// Whether a value can be that of a playout.
    fn judge_playout(&self, event: u64, number: u32, own: f64, ledger: &mut Ledger) {
        let Some((node, position)) = self.node(number).zip(self.position(number)) else {
            return;
        };
        let possible = match position.as_toy() {
            None => [-1, 0, 1].map(Worth::Result).to_vec(),
            Some(_) => match results(&position) {
                Some(results) => results,
                None => return,
            },
        };
        let is_right = |worth: &Worth| self.judge.agrees(own, *worth, node.side, None);
        let fault = (!possible.iter().any(is_right)).then_some(|| {
            let sides = self.sides(number);
            let told = |worth: &Worth| {
                let own = self.judge.wanted(*worth, 0, node.side);
                self.judge.told(own, sides)
            };
            let fault = Fault::Playout {
                told: self.judge.told(own, sides),
                possible: possible.iter().map(told).collect(),
            };
            (self.line(number), fault)
        });
        ledger.note(Check::LeafValues, event, fault);
    }
}

/// Returns the values of the leaves below a position, for its side to move; `None` if there are too many.
fn results(position: &AnyPosition) -> Option<Vec<Worth>> {
    let mut found: Vec<Worth> = Vec::new();
    let mut left = vec![(position.clone(), false)];
    let mut looked = 0;
    while let Some((at, is_other)) = left.pop() {
        looked += 1;
        if looked > BELOW {
            return None;
        }
        if let Some(worth) = over(&at) {
            let worth = if is_other { worth.turned() } else { worth };
            if !found.contains(&worth) {
                found.push(worth);
            }
            continue;
        }
        for code in at.legal_moves() {
            left.push((at.after(code)?, !is_other));
        }
    }
    found.sort_by(|one, other| one.key().total_cmp(&other.key()));
    Some(found)
}
