//! The choices of a simulation on its way down, compared with UCT.

use super::*;

impl BestFirst<'_> {
    /// Whether a simulation may go on from a node to this child.
    pub(super) fn judge_choice(
        &mut self,
        event: u64,
        number: u32,
        chosen: u32,
        ledger: &mut Ledger,
    ) {
        let (Some(node), Some(child)) = (self.node(number), self.node(chosen)) else {
            return;
        };
        let visited = |number: &&u32| self.node(**number).is_some_and(|node| node.visits > 0);
        let simulation = self.simulation;
        if child.visits == 0 {
            return ledger.right(Check::Selection);
        }
        let unvisited = node.children.iter().find(|number| !visited(number));
        let unvisited = match unvisited {
            Some(number) => Some(self.name(*number)),
            None if node.children.len() < node.legal => self.without_child(number),
            None => None,
        };
        if let Some(unvisited) = unvisited {
            return ledger.wrong(Check::Selection, event, || {
                let fault = Fault::Unvisited {
                    simulation,
                    chosen: self.name(chosen),
                    unvisited,
                };
                (self.line(number), fault)
            });
        }
        if let Some(constant) = self.task.rules.exploration {
            self.judge_greatest(event, (number, chosen), constant);
        }
    }

    /// Returns the name of a legal move that has no node yet.
    fn without_child(&self, number: u32) -> Option<String> {
        let (position, node) = (self.position(number)?, self.node(number)?);
        let has = |code: MoveCode| {
            let codes = node
                .children
                .iter()
                .filter_map(|&child| self.node(child)?.code);
            codes.into_iter().any(|one| one == code)
        };
        let moves = position.legal_moves();
        let left = moves.iter().copied().find(|&code| !has(code))?;
        Some(position.uci(left))
    }

    /// Compares a choice with the greatest UCT value, for each way of counting N.
    fn judge_greatest(&mut self, event: u64, (number, chosen): (u32, u32), constant: f64) {
        self.compared += 1;
        let Some(node) = self.node(number) else {
            return;
        };
        let below = |number: &u32| self.node(*number).map_or(0, |node| node.visits);
        let all: u64 = node.children.iter().map(below).sum();
        let range = self.task.rules.range;
        let mut found: [Option<Fault>; COUNTED.len()] = Default::default();
        for (found, counted) in found.iter_mut().zip(COUNTED) {
            let visits = counted(node, all);
            let logarithm = (visits.max(1) as f64).ln();
            let of = |number: u32| {
                let child = self.node(number)?;
                let n = child.visits as f64;
                let mean = self.judge.in_range((child.sum / n).turned(), range);
                Some([mean, mean + constant * (logarithm / n).sqrt()])
            };
            let Some(own) = of(chosen) else {
                continue;
            };
            let others = node
                .children
                .iter()
                .filter_map(|&number| Some((number, of(number)?)));
            let best = others.max_by(|(_, one), (_, other)| one[1].total_cmp(&other[1]));
            let Some((best, by)) = best else {
                continue;
            };
            if by[1] - own[1] > 1e-9 * (1.0 + by[1].abs()) + self.task.tolerance {
                let choice = |number: u32, [mean, uct]: [f64; 2]| Choice {
                    m: self.name(number),
                    visits: self.node(number).map_or(0, |node| node.visits),
                    mean,
                    uct,
                };
                *found = Some(Fault::Chosen {
                    simulation: self.simulation,
                    chosen: choice(chosen, own),
                    best: choice(best, by),
                    visits,
                    constant,
                });
            }
        }
        let line = found.iter().any(Option::is_some).then(|| self.line(number));
        for (followed, fault) in self.followed.iter_mut().zip(found) {
            let Some(fault) = fault else {
                continue;
            };
            followed.wrong += 1;
            let line = line.clone().unwrap_or_default();
            followed.first.get_or_insert((event, (line, fault)));
        }
    }

    /// Takes over the choices, with the way of counting N by which the fewest are wrong.
    pub(super) fn judge_followed(&mut self, ledger: &mut Ledger) {
        let fewest = self
            .followed
            .iter()
            .min_by_key(|followed| followed.wrong)
            .cloned();
        let Some(Followed { wrong, first }) = fewest else {
            return;
        };
        ledger.many(Check::Selection, self.compared - wrong);
        if let Some((event, found)) = first {
            for _ in 0..wrong {
                ledger.wrong(Check::Selection, event, || found.clone());
            }
        }
    }
}
