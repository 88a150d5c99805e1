//! How far a child is ahead of its siblings. As long as it stays ahead, a visit needs no look at the others.
//!
//! Between two visits of a node only the child that was visited changes, and what exploration adds to the others grows
//! with the root of the node's visits. So the most that any other child can score by now is known without a look at it,
//! and the choice is the one that a scan of all children would make.

use std::cell::Cell;

use super::scoring::Scoring;
use game::Score;
use tree::{Node, NodeId};

/// The best child at the last scan, and what is known about the others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lead {
    /// The index of the best child.
    pub best: u32,
    /// The second best score among visited children.
    pub second: f32,
    /// The most that exploration added to any visited child's score.
    pub most_added: f32,
    /// The factor c of the node at that scan.
    pub exploration: f32,
    /// The prior of the unvisited child that represents all others; `None` if there is none.
    pub open: Option<Open>,
    /// The bound at which a child could be left alone.
    pub relevance: Score,
}

/// What an unvisited child's score is made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub prior: f32,
    /// How much less it is worth than the node itself.
    pub less: f32,
}

impl Lead {
    /// Whether the child is still the best, for certain.
    #[inline]
    fn holds(&self, children: &[Node], node: &Node, scoring: &impl Scoring) -> bool {
        let Some(best) = children.get(self.best as usize) else {
            return false;
        };
        let (visits, proof) = (best.visits(), best.proof());
        let exploration = scoring.exploration(node);
        let growth = exploration / self.exploration - 1.0;
        let most = self.second + self.most_added * growth;
        // Far more than rounding can add up to.
        let rounding = 1e-5 * (1.0 + self.most_added.abs());
        let open = self.open.map_or(f32::NEG_INFINITY, |open| {
            scoring.own(node) - open.less + exploration * open.prior
        });
        let score =
            exploration * best.policy() / scoring.share_out(best, visits) + scoring.worth(best);
        let matters = proof.lower < self.relevance && proof.upper != Score::SOME_LOSS;
        matters && visits > 0 && score > most.max(open) + rounding
    }
}

const PLACES: usize = 1 << 14;

/// The lead at the node with this first child, if one is kept.
type Place<L> = Cell<Option<(NodeId, L)>>;

/// The leads at the nodes of a thread's descents, by their first child.
#[derive(Debug)]
pub(super) struct Leads<L: Copy> {
    places: Box<[Place<L>]>,
}

impl Leads<Lead> {
    /// The index of the best child, if it is certain without a scan.
    #[inline]
    pub fn best(
        &self,
        children: &[Node],
        node: &Node,
        relevance: Score,
        scoring: &impl Scoring,
    ) -> Option<usize> {
        let lead = self.get(node)?;
        let holds = lead.relevance == relevance && lead.holds(children, node, scoring);
        holds.then_some(lead.best as usize)
    }
}

impl<L: Copy> Leads<L> {
    pub fn new() -> Leads<L> {
        Leads {
            places: vec![Place::new(None); PLACES].into(),
        }
    }

    /// Without room for any lead.
    pub fn none() -> Leads<L> {
        Leads {
            places: Box::default(),
        }
    }

    #[inline]
    fn place(&self, first_child: NodeId) -> Option<&Place<L>> {
        self.places.get(first_child.0 as usize % PLACES)
    }

    /// The lead that is kept at a node.
    #[inline]
    pub fn get(&self, node: &Node) -> Option<L> {
        let first_child = node.first_child();
        let (id, lead) = self.place(first_child)?.get()?;
        (id == first_child).then_some(lead)
    }

    #[inline]
    pub fn keep(&self, node: &Node, lead: Option<L>) {
        let first_child = node.first_child();
        let kept = lead.map(|lead| (first_child, lead));
        if let Some(place) = self.place(first_child) {
            place.set(kept);
        }
    }

    /// Forgets what is known about a node whose children changed otherwise than by a visit.
    pub fn forget(&self, node: &Node) {
        if let Some(place) = self.place(node.first_child()) {
            place.set(None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcts::scoring::Plain;
    use crate::mcts::select::select;
    use crate::mcts::settings::Settings;
    use crate::visited::Visited;

    /// Visits the children of one node as a search would, with random results.
    fn visits(random: &mut fastrand::Rng, settings: &Settings) -> (usize, usize) {
        let scoring = Plain(settings);
        let count = random.usize(1..30);
        let mut made = Visited::new(random, count);
        let (leads, mut found) = (Leads::new(), 0);
        for visit in 1..3_000 {
            let (node, children) = (&made.node, &made.children);
            let relevance = if visit < 2_000 {
                Score::MAX
            } else {
                Score::SOME_WIN
            };
            let fpu = settings.fpu;
            let scan = select::<false, false, _>(children, node, relevance, fpu, &scoring);
            let scan = scan.expect("a child that matters");
            let place = scan.id.0 as usize;
            match leads.best(children, node, relevance, &scoring) {
                Some(best) => {
                    assert_eq!(best, place, "visit {visit}");
                    found += 1;
                }
                None => leads.keep(node, scan.lead),
            }
            made.visit(place, random);
        }
        (found, 3_000)
    }

    #[test]
    fn the_leader_is_the_one_that_a_scan_would_choose() {
        let options = crate::mcts::default_options();
        let settings = Settings::new(&options);
        let mut random = fastrand::Rng::with_seed(7);
        let (mut found, mut all) = (0, 0);
        for _ in 0..60 {
            let (leads, visits) = visits(&mut random, &settings);
            (found, all) = (found + leads, all + visits);
        }
        assert!(found > all / 4, "{found} of {all} without a scan");
    }
}
