//! Where to search next: the child a descent goes to.
//!
//! Source: the essay's second question and its two formulas (seed 1); criticality as in algorithms.md, C.

use crate::game::Score;
use crate::search::{OptionSpec, Range};
use crate::tree::{Fate, Node};

/// The rule by which a descent chooses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Allocation {
    /// The leaf whose belief matters most to the root's: the product of the policies along its path times its own
    /// spread.
    Criticality,
    /// pi + c sqrt(sum v) / (1 + v).
    Puct(f32),
    /// pi + c sqrt(ln(sum v) / (v + 1)).
    Ucb(f32),
}

pub(super) const ALLOCATION: OptionSpec = OptionSpec {
    key: "allocation",
    default: "puct",
    range: Range::Choice(&["criticality", "puct", "ucb"]),
    summary: "where to search next: the leaf that matters most to the root, or one of the essay's two formulas",
};

pub(super) const EXPLORATION: OptionSpec = OptionSpec {
    key: "exploration",
    default: "1.0",
    range: Range::Number {
        min: 0.0,
        max: 10.0,
    },
    summary: "c in the essay's formulas (allocation puct and ucb)",
};

impl Allocation {
    pub fn new(name: &str, exploration: f32) -> Allocation {
        match name {
            "puct" => Allocation::Puct(exploration),
            "ucb" => Allocation::Ucb(exploration),
            _ => Allocation::Criticality,
        }
    }

    /// What a child adds to its parent's urgency. Without criticality urgency only says that something is open.
    #[inline]
    fn weight(self, child: &Node) -> f32 {
        match self {
            Allocation::Criticality => child.policy() * child.urgency(),
            _ => child.urgency(),
        }
    }

    /// The urgency of a node: that of its most urgent child that can still change anything. `narrowed`: children may
    /// have been taken out.
    #[inline]
    pub fn urgency(self, children: &[Node], narrowed: bool, relevance: Score) -> f32 {
        if narrowed {
            self.urgency_among::<true>(children, relevance)
        } else {
            self.urgency_among::<false>(children, relevance)
        }
    }

    #[inline]
    fn urgency_among<const NARROWED: bool>(self, children: &[Node], relevance: Score) -> f32 {
        children
            .iter()
            .filter(|c| c.proof().lower < relevance && !(NARROWED && c.is_excluded()))
            .map(|c| self.weight(c))
            .fold(0.0, f32::max)
    }

    /// The place of the child to go to; `None` where nothing below can still be searched. `relevance` is the lower
    /// bound at which a child can be left alone; `narrowed`: children may have been taken out.
    pub fn choose(self, children: &[Node], narrowed: bool, relevance: Score) -> Option<usize> {
        if narrowed {
            self.choose_among::<true>(children, relevance)
        } else {
            self.choose_among::<false>(children, relevance)
        }
    }

    fn choose_among<const NARROWED: bool>(
        self,
        children: &[Node],
        relevance: Score,
    ) -> Option<usize> {
        let total: u32 = children.iter().map(Node::visits).sum();
        let root = (total as f32).sqrt();
        let log = (total.max(1) as f32).ln();
        let score = |child: &Node| {
            let visits = child.visits() as f32;
            match self {
                Allocation::Criticality => self.weight(child),
                _ if child.urgency() == 0.0 => 0.0,
                Allocation::Puct(c) => child.policy() + c * root / (1.0 + visits),
                Allocation::Ucb(c) => child.policy() + c * (log / (visits + 1.0)).sqrt(),
            }
        };
        let mut best = None;
        let mut best_score = 0.0;
        for (i, child) in children.iter().enumerate() {
            let score = score(child);
            let out = NARROWED && child.is_excluded();
            if score > best_score && child.proof().lower < relevance && !out {
                best = Some(i);
                best_score = score;
            }
        }
        best.or_else(|| least_visited(children, NARROWED, relevance))
    }
}

/// Where no belief is at stake any more, proofs may be: the open child that was visited least.
fn least_visited(children: &[Node], narrowed: bool, relevance: Score) -> Option<usize> {
    let open = |c: &Node| {
        matches!(c.fate(), Fate::Frontier | Fate::Expanded { .. })
            && c.proof().lower < relevance
            && !(narrowed && c.is_excluded())
    };
    let numbered = children.iter().enumerate().filter(|(_, c)| open(c));
    numbered.min_by_key(|(_, c)| c.visits()).map(|(i, _)| i)
}
