//! What is counted of a search, and what follows from it.

use std::collections::BTreeMap;

use open_trace::Class;

use super::ByRules;

/// The depths that are told apart: quiescence, and 1 to this many plies or more.
pub const DEPTHS: usize = 16;

/// The move numbers that are told apart: 1 to this many or more.
pub const NUMBERS: usize = 12;

/// What was counted. A depth of 0 is 0 or less, as in quiescence.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Audit {
    pub events: u64,
    /// Nodes entered, the root and each visit counted; in a best-first search the root and the children that nodes got.
    pub nodes: u64,
    /// Those whose depth was told, by the plies left.
    pub by_depth: [u64; DEPTHS + 1],
    /// What the program says its nodes are.
    pub claimed: Option<u64>,
    /// What the program says the search is worth, in its unit and from its view.
    pub claimed_value: Option<f64>,
    /// Nodes that filters left out.
    pub left_out: u64,
    /// Visits at which moves were searched.
    pub inner: u64,
    /// Moves searched in all of them.
    pub moves: u64,
    /// By the number of the move that reached beta, from 1.
    pub cutoffs: [u64; NUMBERS],
    /// Moves that were searched a second time in the same visit.
    pub again: u64,
    pub reductions: u64,
    /// Of them, those searched again.
    pub reduced_again: u64,
    pub extensions: u64,
    /// Reasons that decided a node or a move, by name and depth.
    pub reasons: BTreeMap<Box<str>, Reasons>,
    /// Depth and nodes so far at the end of each iteration.
    pub iterations: Vec<(i16, u64)>,
    pub checks: Checks,
    /// What the rules of chess say; `None` of other games.
    pub rules: Option<ByRules>,
    /// Simulations, expansions and updates of a best-first search. Where no visit was told, the simulations are the root's visits
    /// by the program's figures.
    pub visits: u64,
    pub expansions: u64,
    pub updates: u64,
    /// Nodes of a best-first search that have visits, told or counted.
    pub visited: u64,
}

/// How often a reason was given, and by the depth of the node at which it was, where that was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reasons {
    pub class: Class,
    pub total: u64,
    pub by_depth: [u64; DEPTHS + 1],
}

/// What follows from the stream, and whether the program says the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checks {
    /// Values that must follow from the moves, and those that do not.
    pub values: u64,
    pub unexplained: u64,
    /// Left without a move, a standing value or a reason.
    pub untold: u64,
    /// Wins and losses that come before their nodes by their distance from the root.
    pub early: u64,
    /// Values outside of their windows: a fail-soft search has some, a fail-hard one has none.
    pub outside: u64,
    /// Bounds that the program told, and those that their windows contradict.
    pub bounds: u64,
    pub wrong_bounds: u64,
    /// Figures that the program told of nodes whose visits were told too, and those that differ.
    pub figures: u64,
    pub wrong_figures: u64,
    /// Values that the program told of its iterations and of the whole search, and those that are not the root's.
    pub results: u64,
    pub wrong_results: u64,
    /// Whether the last best move told is the one with the best value, or the most visits; `None` where none was told, or
    /// where moves of the root were left out.
    pub best_agrees: Option<bool>,
}

impl Audit {
    /// Returns how many moves were searched at a node at which any was.
    pub fn branching(&self) -> Option<f64> {
        share(self.moves, self.inner)
    }

    /// Returns by which factor an iteration took more nodes than the one before: the geometric mean of the last three.
    pub fn growth(&self) -> Option<f64> {
        let mut cost: Vec<f64> = Vec::new();
        let mut before = 0;
        for &(_, nodes) in &self.iterations {
            cost.push((nodes - before) as f64);
            before = nodes;
        }
        let last = &cost[cost.len().saturating_sub(4)..];
        let steps = last.len().checked_sub(1).filter(|&steps| steps > 0)?;
        (last[0] > 0.0).then(|| (last[steps] / last[0]).powf(1.0 / steps as f64))
    }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
