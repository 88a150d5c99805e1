//! The visits of a best-first search, added up, and the figures that the program tells beside them.

use super::*;

/// A node of a best-first search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visited {
    pub parent: Option<u32>,
    pub m: MoveId,
    pub visits: u64,
    pub sum: f64,
}

impl Auditor<'_> {
    /// Takes up the children that a node gets.
    pub(super) fn expand(&mut self, node: NodeId, first: NodeId, children: &[Child]) {
        self.audit.expansions += 1;
        let place = self.place_of(node.0);
        for (number, child) in (first.0 as usize..).zip(children) {
            if number > self.nodes.len() + (1 << 20) {
                break;
            }
            if self.nodes.len() <= number {
                self.nodes.resize(number + 1, None);
            }
            let known = Visited {
                parent: Some(node.0),
                m: child.m,
                visits: 0,
                sum: 0.0,
            };
            self.nodes[number].get_or_insert(known);
            self.audit.nodes += 1;
            let judged = self.judge.as_mut().zip(place.as_ref());
            if judged.is_some_and(|(judge, from)| judge.play(from, child.m).1) {
                self.note_illegal(node.0, child.m);
            }
        }
    }

    pub(super) fn visit(&mut self, node: NodeId, value: Option<Value>, weight: u32) {
        self.audit.visits += u64::from(weight);
        let turns = self.turns_of(node.0);
        let mut own = value.map(|value| self.seen(value, turns));
        let mut at = Some(node.0);
        let mut left = 10_000;
        while let Some(number) = at
            && left > 0
        {
            left -= 1;
            let Some(Some(known)) = self.nodes.get_mut(number as usize) else {
                return;
            };
            known.visits += u64::from(weight);
            known.sum += own.unwrap_or(0.0) * f64::from(weight);
            own = own.map(|own| 0.0 - own);
            at = known.parent;
        }
    }

    pub(super) fn turns_of(&self, node: u32) -> u32 {
        let parent = |number: &u32| (*self.nodes.get(*number as usize)?)?.parent;
        let turns = std::iter::successors(Some(node), parent)
            .take(10_000)
            .count();
        (turns - 1) as u32
    }

    pub(super) fn update(&mut self, node: NodeId, visits: Option<u64>, value: Option<Value>) {
        self.audit.updates += 1;
        let turns = self.turns_of(node.0);
        let told = value.map(|value| self.seen(value, turns));
        let is_mean = self.header.backup == Backup::Mean;
        let step = self.header.value.step;
        let Some(Some(known)) = self.nodes.get_mut(node.0 as usize) else {
            return;
        };
        if known.visits == 0 || self.audit.visits == 0 {
            // What is told only by updates cannot be compared.
            known.visits = 0;
            known.sum = told.unwrap_or(0.0);
            return;
        }
        let mean = known.sum / known.visits as f64;
        // A program may round what it tells.
        let near = |told: f64| (told - mean).abs() <= 1.0 + 1e-3 / step;
        let agrees = visits.is_none_or(|visits| visits == known.visits)
            && told.is_none_or(|told| !is_mean || near(told));
        self.audit.checks.figures += 1;
        self.audit.checks.wrong_figures += u64::from(!agrees);
    }
}
