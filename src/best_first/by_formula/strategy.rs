//! The search that evaluates every move of what it expands, by formulas.

use super::back_up::BackUp;
use super::moves::Needs;
use super::select::Select;
use super::{Entry, first_prior};
use crate::driver::{self, Strategy};
use crate::leaf_belief::LeafBelief;
use crate::prior::Prior;
use eval::Evaluator;
use game::Game;
use search::Job;
use search::algorithm::{AlgorithmInfo, Implementation};
use search::explanation::{Explanation, Reading};
use tree::{NodeId, Tree};

pub struct ByFormula {
    select: Select,
    back_up: BackUp,
    needs: Needs,
    prior: Prior,
}

impl Strategy for ByFormula {
    const INFO: AlgorithmInfo = <Entry as Implementation>::INFO;

    const BELIEFS: bool = true;

    fn new<G: Game, E: Evaluator<G>>(job: &Job<G, E>) -> Self {
        let (select, back_up) = (Select::new(job.options), BackUp::new(job.options));
        ByFormula {
            needs: select.needs().and(back_up.needs()),
            select,
            back_up,
            prior: Prior::new(job.options),
        }
    }

    fn asks_beliefs(&self) -> bool {
        self.needs.spreads
    }

    fn choose(&self, tree: &Tree, id: NodeId) -> Option<NodeId> {
        let node = tree.node(id);
        if let Some(new) = driver::is_new(tree, node) {
            return Some(new);
        }
        let children = tree.children_block(node);
        let best = self
            .select
            .best((children, first_prior), node, 0.0, driver::is_open);
        best.map(|place| NodeId(node.first_child().0 + place as u32))
    }

    fn settle(&self, tree: &Tree, id: NodeId, belief: &LeafBelief) {
        if self.needs.spreads {
            tree.node(id).set_second(belief.sd().unwrap_or(0.0));
        }
    }

    fn first_priors(&self) -> Option<&Prior> {
        self.needs.priors.then_some(&self.prior)
    }

    fn note_prior(&self, tree: &Tree, id: NodeId, share: f32) {
        tree.node(id).set_pair((share, 0.0));
    }

    fn best_first_value_first(&self) -> bool {
        self.needs.ranks
    }

    fn back_up(&self, tree: &Tree, id: NodeId) -> f32 {
        let node = tree.node(id);
        let children = (tree.children_block(node), first_prior);
        let value = self.back_up.value(children, node, None);
        value.unwrap_or(node.expected())
    }

    fn take_undefined(&self) -> u64 {
        self.select.take_undefined() + self.back_up.take_undefined()
    }

    fn explain(reading: &Reading, node: NodeId) -> Explanation {
        super::explain(reading, node)
    }
}
