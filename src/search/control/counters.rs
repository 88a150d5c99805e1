//! What a search counts: every thread by itself, and all of them together.

use std::sync::atomic::{AtomicU16, AtomicU64};

use crate::Rule;
use tree::{FATES, kind};

/// One thread's counters, on cache lines of their own.
#[repr(align(128))]
#[derive(Debug, Default)]
pub(super) struct Counters {
    pub(super) nodes: AtomicU64,
    pub(super) steps: AtomicU64,
    pub(super) back_ups: AtomicU64,
    pub(super) undefined: AtomicU64,
    pub(super) playouts: AtomicU64,
    pub(super) unrecorded: AtomicU64,
    pub(super) selective_depth: AtomicU16,
    /// Nanoseconds.
    pub(super) cpu: AtomicU64,
    pub(super) fates: [AtomicU64; FATES.len()],
    pub(super) rules: [AtomicU64; Rule::ALL.len()],
}

/// The counters of a search at one moment, of all threads together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Nodes, counted as in [`Limits::nodes`](super::Limits::nodes).
    pub nodes: u64,
    /// Best-first: levels of descent.
    pub steps: u64,
    /// Best-first: back-ups of one node.
    pub back_ups: u64,
    /// How often a formula that somebody wrote had no finite value, so that the built-in one was used.
    pub undefined: u64,
    /// Best-first: finished descents.
    pub playouts: u64,
    /// Depth-first: nodes visited but not recorded in the tree.
    pub unrecorded: u64,
    /// The last finished iteration (depth-first).
    pub depth: u16,
    /// The deepest ply reached.
    pub selective_depth: u16,
    /// How often each fate was given, by [`Fate::kind`](tree::Fate::kind).
    pub fates: [u64; FATES.len()],
    /// How often each rule was applied, by its index in [`Rule::ALL`].
    pub rules: [u64; Rule::ALL.len()],
}

impl Totals {
    /// How often a rule was applied: the nodes and moves it pruned, reduced or extended; for singular extension, the
    /// tests.
    pub fn applied(&self, rule: Rule) -> u64 {
        match rule.fate() {
            Some(kind) => self.fates[kind],
            None => self.rules[rule as usize],
        }
    }

    /// How often an endgame table knew a position.
    pub fn table_hits(&self) -> u64 {
        self.fates[usize::from(kind::Tablebase)]
    }

    /// The counters of two stretches of one search together; the depth is the later one's, if it finished any
    /// iteration.
    pub fn plus(&self, later: &Totals) -> Totals {
        let mut sum = Totals {
            nodes: self.nodes + later.nodes,
            steps: self.steps + later.steps,
            back_ups: self.back_ups + later.back_ups,
            undefined: self.undefined + later.undefined,
            playouts: self.playouts + later.playouts,
            unrecorded: self.unrecorded + later.unrecorded,
            depth: self.depth.max(later.depth),
            selective_depth: self.selective_depth.max(later.selective_depth),
            fates: self.fates,
            rules: self.rules,
        };
        for (sum, fate) in sum.fates.iter_mut().zip(&later.fates) {
            *sum += fate;
        }
        for (sum, rule) in sum.rules.iter_mut().zip(&later.rules) {
            *sum += rule;
        }
        sum
    }
}
