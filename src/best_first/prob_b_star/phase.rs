//! The two phases: SELECT looks for a move that could be better than the best one, VERIFY for its refutation.

use super::{Settings, counts, of_mover};
use crate::driver;
use belief::{BINS, Cdf, Grid, ONE};
use search::explanation::Unit;
use search::{Aim, AimInfo, StopReason};
use tree::{NodeId, Tree};

static SELECT: AimInfo = AimInfo {
    name: "select",
    words: &[
        "SELECT: it may be worth ",
        " or {more|less} with a chance of ",
        ", the most of all moves.",
    ],
    units: &[Unit::Expected, Unit::Probability],
};

static VERIFY: AimInfo = AimInfo {
    name: "verify",
    words: &[
        "VERIFY: it may be worth no {more|less} than ",
        " with a chance of ",
        ".",
    ],
    units: &[Unit::Expected, Unit::Probability],
};

/// In analysis, every second descent.
static LINE: AimInfo = AimInfo {
    name: "best-line",
    words: &["the end of the best line is looked at, by real values."],
    units: &[],
};

/// The first of the best by this measure.
pub(super) fn first_best(
    nodes: impl Iterator<Item = NodeId>,
    key: impl Fn(NodeId) -> f32,
) -> Option<NodeId> {
    nodes.fold(None, |best, c| match best {
        Some(b) if key(c) <= key(b) => best,
        _ => Some(c),
    })
}

/// The probability that the truth is at least this expected score. The mass of a bin is spread evenly over it.
pub(super) fn chance(belief: &Cdf, grid: &Grid, at_least: f32) -> f32 {
    let edges = grid.edges();
    if at_least <= edges[0] {
        return 1.0;
    }
    let below = |edge: usize| match edge {
        0 => 0.0,
        e => f32::from(belief.0[e - 1]) / f32::from(ONE),
    };
    for bin in 0..BINS {
        let (from, to) = (edges[bin], edges[bin + 1]);
        if at_least < to {
            let part = ((at_least - from) / (to - from)).clamp(0.0, 1.0);
            return 1.0 - (below(bin) + part * (below(bin + 1) - below(bin)));
        }
    }
    0.0
}

/// A move of the root with what is known of it, from the root's side's view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Move {
    pub child: NodeId,
    /// The real value, by minimax.
    pub real: f32,
    /// What it is worth at best.
    pub optimistic: f32,
}

/// The standing at the root.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Phase {
    settings: Settings,
    /// The best move by its real value, and the others in the tree's order.
    pub best: Move,
    pub others: Vec<Move>,
    /// What another move would have to reach to be suspected of being better; without another move, the best one's
    /// value.
    pub target: f32,
}

impl Phase {
    /// `None` without a move that counts.
    pub fn of(tree: &Tree, settings: Settings) -> Option<Phase> {
        let grid = tree.grid();
        let known = tree.children(Tree::ROOT).filter(|&c| counts(tree.node(c)));
        let mut moves: Vec<Move> = known
            .map(|child| {
                let node = tree.node(child);
                let real = -node.expected();
                let high = of_mover(tree, node).quantile(1.0 - settings.quantile, grid);
                Move {
                    child,
                    real,
                    optimistic: high,
                }
            })
            .collect();
        let best =
            (0..moves.len()).reduce(|a, b| if moves[b].real > moves[a].real { b } else { a });
        let best = moves.remove(best?);
        let hope = moves.iter().map(|m| m.optimistic).reduce(f32::max);
        Some(Phase {
            settings,
            best,
            target: hope.map_or(best.real, |hope| 0.5 * (best.real + hope)),
            others: moves,
        })
    }

    /// The chance that a root move is worth the target or more.
    pub fn chance(&self, tree: &Tree, m: &Move) -> f32 {
        chance(
            &of_mover(tree, tree.node(m.child)),
            tree.grid(),
            self.target,
        )
    }

    /// Whether another move may still be better.
    pub fn selects(&self, tree: &Tree) -> bool {
        let others = || self.others.iter();
        let suspected = others().any(|m| self.chance(tree, m) >= self.settings.least);
        suspected && others().any(|m| self.best.real < m.optimistic)
    }

    /// What the best move must not fall to: the best real value of the others.
    pub fn fallback(&self) -> f32 {
        let others = self.others.iter().map(|m| m.real);
        others.fold(f32::NEG_INFINITY, f32::max)
    }

    /// The chance that the best move turns out no better than the second.
    pub fn risk(&self, tree: &Tree) -> f32 {
        let belief = of_mover(tree, tree.node(self.best.child));
        1.0 - chance(&belief, tree.grid(), self.fallback())
    }

    /// What the next descent asks, or why there is none.
    pub fn next(&self, tree: &Tree, stops: bool) -> Result<(Question, Aim), StopReason> {
        if self.others.is_empty() && stops {
            return Err(StopReason::Settled);
        }
        let grows = |m: &&Move| driver::is_open(tree.node(m.child));
        // A real value that nobody looks into again would be believed for ever.
        if !stops && grows(&&self.best) && tree.node(Tree::ROOT).visits().is_multiple_of(2) {
            let question = Question {
                first: self.best.child,
                target: self.best.real,
                optimist: None,
            };
            return Ok((question, Aim::new(self.best.child, &LINE, [0.0; 2])));
        }
        if self.selects(tree) {
            let all = || {
                std::iter::once(&self.best)
                    .chain(&self.others)
                    .filter(grows)
            };
            let chosen = all().reduce(|a, b| match self.chance(tree, b) > self.chance(tree, a) {
                true => b,
                false => a,
            });
            let chosen = chosen.ok_or(StopReason::Exhausted)?;
            let numbers = [self.target, self.chance(tree, chosen)];
            let question = Question {
                first: chosen.child,
                target: self.target,
                optimist: Some(true),
            };
            return Ok((question, Aim::new(chosen.child, &SELECT, numbers)));
        }
        let risk = self.risk(tree);
        if stops && risk < self.settings.least {
            return Err(StopReason::Settled);
        }
        // Where the best move can't grow, there is nothing to verify; what is left of the others is looked at.
        let open = std::iter::once(&self.best).chain(&self.others).find(grows);
        let first = open.ok_or(StopReason::Exhausted)?.child;
        let fallback = match self.others.is_empty() {
            true => self.best.real,
            false => self.fallback(),
        };
        let question = Question {
            first,
            target: fallback,
            optimist: Some(false),
        };
        Ok((question, Aim::new(first, &VERIFY, [fallback, risk])))
    }
}

/// What a descent asks: whether the optimist can bring the root's value to the target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Question {
    /// The root's move below which it goes.
    first: NodeId,
    /// From the view of the root's side.
    target: f32,
    /// Whether the side to move at the root is the optimist, as in SELECT; `None`: neither side is.
    optimist: Option<bool>,
}

impl Question {
    /// The optimist goes where his chance is best, his opponent where the real value is.
    pub fn choose(
        &self,
        tree: &Tree,
        id: NodeId,
        open: impl Iterator<Item = NodeId>,
    ) -> Option<NodeId> {
        if id == Tree::ROOT {
            return Some(self.first);
        }
        let roots_side = tree.ply(id).is_multiple_of(2);
        if Some(roots_side) != self.optimist {
            return first_best(open, |c| -tree.node(c).expected());
        }
        let grid = tree.grid();
        // The mover here is the optimist: he wants at least the target, seen from his side.
        let wanted = if roots_side {
            self.target
        } else {
            -self.target
        };
        first_best(open, |c| {
            let node = tree.node(c);
            match counts(node) {
                true => chance(&of_mover(tree, node), grid, wanted),
                false => 0.0,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use belief::Density;

    #[test]
    fn chances_of_a_normal_distribution() {
        let grid = Grid::uniform();
        let belief = Density::normal(&grid, 0.1, 0.3).cdf();
        for (at_least, golden) in [
            (0.1, 0.5),
            (0.4, 0.158_655),
            (-0.2, 0.841_345),
            (-2.0, 1.0),
            (1.0, 0.0),
        ] {
            let found = chance(&belief, &grid, at_least);
            assert!((found - golden).abs() < 3e-3, "{at_least}: {found}");
        }
    }
}
