//! The nodes of a depth-first search from when they are entered until they are left.

use open_trace::{Bound, Distance, Fail, MoveId, Value, View, Window};

use super::rules::Place;
use super::{Auditor, DEPTHS, NUMBERS};

/// A move that was searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Searched {
    pub m: MoveId,
    /// Its last value, from the view of the node.
    pub own: f64,
    pub reduced: bool,
    /// Whether the move is worth its value at most.
    pub at_most: bool,
}

/// An open node.
#[derive(Clone, Debug, Default)]
pub(super) struct Open {
    pub m: MoveId,
    /// The turns since the root.
    pub turns: u32,
    /// The plies left, where they were told.
    pub depth: Option<usize>,
    pub window: Window,
    pub stand: Option<f64>,
    pub moves: Vec<Searched>,
    pub decided: bool,
    /// It is no move: the same position again, or what a rule searches.
    pub aside: bool,
    pub trial: bool,
    pub skipped: bool,
    pub reduced: bool,
    pub cut: bool,
    /// By the rules of chess; `None` in other games.
    pub place: Option<Place>,
}

/// A root that was left.
#[derive(Clone, Debug, Default)]
pub(super) struct Root {
    pub moves: Vec<Searched>,
    pub value: Option<f64>,
    /// Whether some of its moves were not sent.
    pub skipped: bool,
}

impl Auditor<'_> {
    pub(super) fn close_to_ply(&mut self, moves: usize) {
        let is_move = |open: &&Open| !open.m.is_none();
        while self.open.iter().filter(is_move).count() > moves {
            self.open.pop();
        }
    }

    /// Keeps what the root's moves are worth where it is not left any more.
    pub(super) fn interrupt(&mut self) {
        if let Some(root) = self.open.first_mut().filter(|root| !root.moves.is_empty()) {
            self.interrupted = std::mem::take(&mut root.moves);
        }
    }

    pub(super) fn enter(&mut self, m: MoveId, window: Window, depth: Option<i16>) {
        let reduced = std::mem::take(&mut self.reduced);
        let step = self.header.depth_step.max(1) as i16;
        let plies = depth.map(|depth| depth.div_euclid(step));
        let depth = plies.map(|plies| usize::try_from(plies).unwrap_or(0).min(DEPTHS));
        let parent = self.open.last();
        let same = m.is_none() && parent.is_some();
        let turns = match parent {
            None => 0,
            Some(parent) if same => parent.turns,
            Some(parent) => parent.turns + 1,
        };
        if let Some(depth) = depth {
            self.audit.by_depth[depth] += 1;
        }
        if !m.is_none() {
            let searched = parent.and_then(|parent| parent.moves.iter().find(|known| known.m == m));
            if let Some(before) = searched {
                self.audit.again += 1;
                self.audit.reduced_again += u64::from(before.reduced && !reduced);
            }
        }
        let place = self.place_behind(m);
        self.open.push(Open {
            m,
            turns,
            depth,
            window,
            aside: same,
            reduced,
            place,
            ..Open::default()
        });
    }

    pub(super) fn set_worth(&mut self, searched: Searched) {
        let Some(open) = self.open.last_mut() else {
            return;
        };
        match open.moves.iter_mut().find(|known| known.m == searched.m) {
            Some(known) => *known = searched,
            None => open.moves.push(searched),
        }
    }

    pub(super) fn leave(&mut self, value: Option<Value>, bound: Option<Bound>) {
        while self.open.last().is_some_and(|open| open.trial) {
            self.open.pop();
        }
        let Some(own) = self.open.last().map(|_| self.own(value)) else {
            return;
        };
        let Some(open) = self.open.pop() else {
            return;
        };
        let view_turns = self.turns_values(open.turns);
        let end = |end: Option<Value>| end.map(|end| self.seen(end, open.turns));
        let (mut alpha, mut beta) = (end(open.window.alpha), end(open.window.beta));
        if view_turns {
            std::mem::swap(&mut alpha, &mut beta);
        }
        if !open.moves.is_empty() {
            self.audit.inner += 1;
            self.audit.moves += open.moves.len() as u64;
        }
        if let Some(own) = own {
            self.check(&open, own, (alpha, beta), bound);
        }
        if let (Some(own), false) = (own, open.aside) {
            let worth = 0.0 - self.one_ply_up(own);
            self.set_worth(Searched {
                m: open.m,
                own: worth,
                reduced: open.reduced,
                at_most: beta.is_some_and(|beta| own >= beta),
            });
            self.count_cutoff(worth);
        }
        if open.turns == 0 && !open.aside {
            self.is_left = true;
            self.root = Root {
                moves: open.moves,
                value: own,
                skipped: open.skipped,
            };
        }
    }

    /// Whether the values of a node with so many turns behind it are turned.
    pub(super) fn turns_values(&self, turns: u32) -> bool {
        match self.header.value.view {
            View::Node => false,
            View::Parent => true,
            View::Root | View::First => turns % 2 == 1,
        }
    }

    /// A move has reached its parent's beta.
    pub(super) fn count_cutoff(&mut self, worth: f64) {
        let Some(turns) = self.open.last().map(|open| open.turns) else {
            return;
        };
        let Some(open) = self.open.last() else {
            return;
        };
        let beta = match self.turns_values(turns) {
            true => open.window.alpha,
            false => open.window.beta,
        };
        let reached = beta.is_some_and(|beta| worth >= self.seen(beta, turns));
        let number = open.moves.len().clamp(1, NUMBERS) - 1;
        let first = !open.cut && !open.trial;
        if let Some(open) = self.open.last_mut().filter(|_| reached && first) {
            open.cut = true;
            self.audit.cutoffs[number] += 1;
        }
    }

    pub(super) fn one_ply_up(&self, own: f64) -> f64 {
        let spec = &self.header.value;
        let is_win = Value::new(own)
            .and_then(|value| spec.win_in(value))
            .is_some();
        match spec.distance {
            Distance::Node if is_win => own - own.signum(),
            _ => own,
        }
    }

    pub(super) fn check(
        &mut self,
        open: &Open,
        own: f64,
        (alpha, beta): (Option<f64>, Option<f64>),
        bound: Option<Bound>,
    ) {
        let checks = &mut self.audit.checks;
        let (low, high) = (
            alpha.unwrap_or(f64::NEG_INFINITY),
            beta.unwrap_or(f64::INFINITY),
        );
        checks.outside += u64::from(own < low || own > high);
        let spec = &self.header.value;
        let at = Value::new(own).and_then(|own| spec.win_in(own));
        let is_early = |at: u16| u32::from(at) < open.turns && spec.distance == Distance::Root;
        checks.early += u64::from(at.is_some_and(is_early));
        if let Some(bound) = bound {
            checks.bounds += 1;
            let right = match bound {
                Bound::Exact => own > low && own < high,
                Bound::Lower => own >= high,
                Bound::Upper => own <= low,
            };
            checks.wrong_bounds += u64::from(!right);
        }
        let moves = open.moves.iter().map(|known| known.own);
        let gives = moves.chain(open.stand).reduce(f64::max);
        match gives {
            _ if open.decided || open.skipped => {}
            None => checks.untold += 1,
            Some(gives) => {
                let expected = match self.header.value.fail {
                    Fail::Soft => gives,
                    Fail::Hard => gives.clamp(low.min(high), high),
                };
                checks.values += 1;
                checks.unexplained += u64::from(own != expected);
            }
        }
    }
}

/// Returns the best of the moves: of those with the same value one that is not only worth it at most.
pub(super) fn top(moves: &[Searched]) -> Option<Searched> {
    let better =
        |a: &Searched, b: &Searched| a.own.total_cmp(&b.own).then(b.at_most.cmp(&a.at_most));
    moves.iter().copied().max_by(better)
}
