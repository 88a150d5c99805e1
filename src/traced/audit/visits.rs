//! The visits of a best-first search, added up, and the figures that the program tells beside them.

use super::*;

/// A node of a best-first search.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Visited {
    pub parent: Option<u32>,
    pub m: MoveId,
    pub visits: u64,
    pub sum: f64,
    /// The figures that were told last, the value from its own view.
    told_visits: Option<u64>,
    told: Option<f64>,
    /// Whether bounds of its value are proven, which a search may prefer to visits.
    is_proven: bool,
}

impl Visited {
    /// Its visits, told or counted.
    fn all_visits(&self) -> u64 {
        self.told_visits.unwrap_or(0).max(self.visits)
    }
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
                ..Visited::default()
            };
            self.nodes[number].get_or_insert(known);
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
        known.told_visits = visits.or(known.told_visits);
        known.told = told.or(known.told);
        if known.visits == 0 {
            // What is told only by updates cannot be compared.
            return;
        }
        let mean = known.sum / known.visits as f64;
        let near = |told: f64| is_near(told, mean, step);
        let agrees = visits.is_none_or(|visits| visits == known.visits)
            && told.is_none_or(|told| !is_mean || near(told));
        self.audit.checks.figures += 1;
        self.audit.checks.wrong_figures += u64::from(!agrees);
    }

    pub(super) fn prove(&mut self, node: NodeId) {
        if let Some(Some(known)) = self.nodes.get_mut(node.0 as usize) {
            known.is_proven = true;
        }
    }

    /// Compares what the program says of the whole search with what its visits, or its own figures, make of it.
    pub(super) fn finish_visits(&mut self) {
        let visited = { self.nodes.iter().flatten() }.filter(|node| node.all_visits() > 0);
        self.audit.visited = visited.count() as u64;
        let root = self.nodes[0].unwrap_or_default();
        if self.audit.visits == 0 {
            self.audit.visits = root.all_visits();
        }
        if self.is_filtered {
            return;
        }
        let moves = { self.nodes.iter().flatten() }.filter(|node| node.parent == Some(0));
        let most = moves.clone().map(Visited::all_visits).max();
        let is_proven = root.is_proven || moves.clone().any(|node| node.is_proven);
        let best =
            { moves.filter(|node| node.m == self.best) }.max_by_key(|node| node.all_visits());
        let own = best.filter(|_| !self.best.is_none());
        let agrees = own.zip(most).map(|(own, most)| own.all_visits() >= most);
        self.audit.checks.best_agrees = agrees.filter(|agrees| *agrees || !is_proven);
        let is_mean = self.header.backup == Backup::Mean;
        let worth = |node: &Visited| match (is_mean, node.visits) {
            (true, 1..) => Some(node.sum / node.visits as f64),
            _ => node.told,
        };
        // Some programs tell the root's value, others that of the best move.
        let known = [worth(&root), best.and_then(worth).map(|own| 0.0 - own)];
        let told = self.told.map(|told| self.seen(told, 0));
        if let (Some(told), Some(_)) = (told, known[0]) {
            let near = |known: &f64| is_near(told, *known, self.header.value.step);
            self.audit.checks.results += 1;
            self.audit.checks.wrong_results += u64::from(!known.iter().flatten().any(near));
        }
    }
}

/// Whether a value that is told is one that was counted, but for what a program may round: to whole steps as well.
fn is_near(told: f64, counted: f64, step: f64) -> bool {
    let rounded = if told.fract() == 0.0 { 1.0 } else { 0.0 };
    (told - counted).abs() <= rounded + 1e-3 / step
}
