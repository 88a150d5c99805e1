//! Checks a breakpoint at every event of a run.

use std::sync::Arc;

use super::condition::Edge;
use super::facts::{Facts, Sight};
use super::words::bit;
use super::{Alternative, Parsed};
use search::Event;
use tree::{NodeId, Tree};

/// A breakpoint at work. It remembers where it held, so that it fires only when something is new.
///
/// It expects the events of one run in their order, over a tree that only this run writes.
#[derive(Clone, Debug)]
pub struct Matcher {
    parsed: Arc<Parsed>,
    /// Indexed by a place's slot.
    sights: Vec<Sight>,
    /// One entry for each alternative.
    held: Vec<Held>,
}

impl Matcher {
    pub(super) fn new(parsed: Arc<Parsed>) -> Matcher {
        Matcher {
            sights: vec![Sight::new(); parsed.places],
            held: vec![Held::default(); parsed.alternatives.len()],
            parsed,
        }
    }

    /// Takes the tree's present state as what was last seen; must be called if matching begins in the middle of a run.
    /// Without it `changes` compares from the first event on.
    pub fn begin(&mut self, tree: &Tree) {
        self.look(tree);
    }

    /// Whether the breakpoint fires at this event. `number` counts the events of the run and increases; `tree` is in
    /// the state after the event.
    #[inline]
    pub fn matches(&mut self, number: u64, event: &Event, tree: &Tree) -> bool {
        if self.parsed.watches {
            self.look(tree);
        }
        if self.parsed.kinds & bit(event.kind()) == 0 {
            return false;
        }
        self.ask(number, event, tree)
    }

    fn look(&mut self, tree: &Tree) {
        for alternative in &self.parsed.alternatives {
            for place in &alternative.watched {
                self.sights[place.slot].look(place, tree);
            }
        }
    }

    fn ask(&mut self, number: u64, event: &Event, tree: &Tree) -> bool {
        let kind = bit(event.kind());
        let mut facts = Facts {
            event,
            tree,
            sights: Some(&mut self.sights),
            missing: false,
            still: None,
        };
        let mut fires = false;
        for (alternative, held) in self.parsed.alternatives.iter().zip(&mut self.held) {
            let Alternative {
                condition, edge, ..
            } = alternative;
            if alternative.kinds & kind == 0 {
                continue;
            }
            facts.missing = false;
            let holds = condition.holds(&mut facts);
            fires |= match edge {
                Edge::Event => holds,
                // An unknown figure does not end a condition that held.
                Edge::Node if facts.missing && !holds => false,
                Edge::Node => held.becomes(number, event.node(), holds),
                Edge::Search => held.becomes(number, NodeId::NONE, holds),
            };
        }
        fires
    }

    /// Forgets what happened after the event `number`, so that it can happen again after the user has rewound the
    /// search. Before the run continues from there, [`Matcher::begin`] takes the tree's state at that point.
    pub fn forget_after(&mut self, number: u64) {
        for held in &mut self.held {
            held.forget_after(number);
        }
        self.sights.fill(Sight::new());
    }
}

/// Where a condition holds, with a history for undoing it.
#[derive(Clone, Debug, Default)]
struct Held {
    /// One bit per node; bit 0 is the search as a whole.
    bits: Vec<u64>,
    /// When the condition began or ceased to hold, in the order of events. It begins to hold where the breakpoint
    /// fires, so there are about two entries for each stop.
    turns: Vec<(u64, NodeId, bool)>,
}

impl Held {
    #[inline]
    fn has(&self, node: NodeId) -> bool {
        let word = self.bits.get(node.0 as usize / 64).copied().unwrap_or(0);
        word >> (node.0 % 64) & 1 == 1
    }

    /// Records whether the condition holds at the node; returns whether it holds now but did not before.
    #[inline]
    fn becomes(&mut self, number: u64, node: NodeId, holds: bool) -> bool {
        if holds == self.has(node) {
            return false;
        }
        self.set(node, holds);
        self.turns.push((number, node, holds));
        holds
    }

    fn set(&mut self, node: NodeId, holds: bool) {
        let word = node.0 as usize / 64;
        if word >= self.bits.len() {
            self.bits.resize(word + 1, 0);
        }
        let mask = 1 << (node.0 % 64);
        if holds {
            self.bits[word] |= mask;
        } else {
            self.bits[word] &= !mask;
        }
    }

    fn forget_after(&mut self, number: u64) {
        while let Some((_, node, held)) = self.turns.pop_if(|turn| turn.0 > number) {
            self.set(node, !held);
        }
    }
}
