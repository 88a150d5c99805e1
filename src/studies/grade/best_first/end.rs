//! Where simulations end, and with which values.

use super::*;

/// The most positions below a node that are looked at for what a playout can give.
const BELOW: usize = 20_000;

/// The most positions that are looked at for that in a whole search.
pub(super) const POSITIONS: usize = 3_000_000;

/// What a game can end with, where nothing more is known.
const ANY: [Worth; 3] = [Worth::Result(-1), Worth::Result(0), Worth::Result(1)];

impl BestFirst<'_> {
    /// Judges where a simulation ended and with which value.
    pub(super) fn judge_end(
        &mut self,
        event: u64,
        number: u32,
        own: Option<f64>,
        ledger: &mut Ledger,
    ) {
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
    fn judge_playout(&mut self, event: u64, number: u32, own: f64, ledger: &mut Ledger) {
        let Some(position) = self.position(number) else {
            return;
        };
        self.look_up_results(number, &position);
        let Some(node) = self.node(number) else {
            return;
        };
        let possible = match node.results.as_ref().and_then(Option::as_ref) {
            Some(results) => results.clone(),
            None if position.as_toy().is_some() => return,
            None => ANY.to_vec(),
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

    /// Looks up what a playout from a node can end with, once for each node, and as long as that takes no more than some positions.
    fn look_up_results(&mut self, number: u32, position: &AnyPosition) {
        if self.node(number).is_none_or(|node| node.results.is_some()) {
            return;
        }
        let before = self.positions_left.min(BELOW);
        let mut left = before;
        let found = results(position, &mut left);
        self.positions_left -= before - left;
        if let Some(node) = self.node_mut(number) {
            node.results = Some(found);
        }
    }
}

/// Returns the values with which a game can end below a position, for its side to move; `None` if there are more than `left`
/// positions there, which counts down.
fn results(position: &AnyPosition, left: &mut usize) -> Option<Vec<Worth>> {
    let is_toy = position.as_toy().is_some();
    let mut found: Vec<Worth> = Vec::new();
    let mut open = vec![(position.clone(), false)];
    while let Some((at, is_other)) = open.pop() {
        if let Some(worth) = over(&at) {
            let worth = if is_other { worth.turned() } else { worth };
            if !found.contains(&worth) {
                found.push(worth);
            }
            if !is_toy && found.len() == ANY.len() {
                break;
            }
            continue;
        }
        for code in at.legal_moves() {
            *left = left.checked_sub(1)?;
            open.push((at.after(code)?, !is_other));
        }
    }
    found.sort_by(|one, other| one.key().total_cmp(&other.key()));
    Some(found)
}
