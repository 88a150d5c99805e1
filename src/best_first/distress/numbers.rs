//! The back-up's numbers where it is not one of distributions: read off the children, kept at the node.

use super::{Distress, Sides, is_left_out};
use belief::{BackUp, Cdf, Detail, Numbers};
use eval::Evaluator;
use game::Game;
use search::{Options, Probe};
use tree::{Node, NodeId, Tree};

/// What a node's slot keeps for a rule with numbers, in the view of the belief there (the parent's): its numbers as they were
/// backed up, or read off its belief where it has none of its own, and its b. `None` for other rules.
pub(super) fn kept(tree: &Tree, back_up: &BackUp, node: &Node) -> Option<(Numbers, Option<f64>)> {
    let place = node.belief();
    let own = tree
        .numbers(place)
        .and_then(|words| Numbers::from_words(back_up.rule(), words));
    let numbers = match own {
        Some(numbers) => numbers,
        None => back_up.numbers(&tree.belief_slot(place).read())?,
    };
    Some((numbers, tree.optimal(place)))
}

/// What a node of a search with these options keeps, from its own view: its numbers, and how far its parent believes the move
/// to it to be optimal (b). `None` where the back-up has no numbers, and for a node without a belief.
pub fn numbers(tree: &Tree, options: &Options, id: NodeId) -> Option<(Numbers, Option<f64>)> {
    let sides = Sides::new(options, tree.grid());
    if !sides.rule().is_precursor() || tree.node(id).belief() == 0 {
        return None;
    }
    let (numbers, optimal) = kept(tree, sides.us(), tree.node(id))?;
    Some((numbers.negated(), optimal))
}

/// What a back-up of a node makes of the numbers of these children of it; `None` where the rule has none.
pub fn detail(
    tree: &Tree,
    back_up: &mut BackUp,
    id: NodeId,
    children: &[NodeId],
) -> Option<Detail> {
    if !back_up.rule().is_precursor() {
        return None;
    }
    let nodes = || children.iter().map(|c| tree.node(*c));
    let beliefs: Vec<Cdf> = nodes()
        .map(|c| tree.belief_slot(c.belief()).read())
        .collect();
    let kept: Option<Vec<_>> = nodes().map(|c| kept(tree, back_up, c)).collect();
    let (numbers, before): (Vec<Numbers>, Vec<Option<f64>>) = kept?.into_iter().unzip();
    // As the last back-up left them.
    let left: Option<Vec<f64>> = before.iter().copied().collect();
    let optimal = left.unwrap_or_else(|| back_up.optimal(&numbers, &before));
    back_up.detail_of_numbers(&beliefs, &numbers, optimal, is_own(tree, id))
}

/// Whether the root's side is to move at a node.
pub(super) fn is_own(tree: &Tree, id: NodeId) -> bool {
    tree.ply(id).is_multiple_of(2)
}

impl<G: Game, E: Evaluator<G>, P: Probe> Distress<'_, G, E, P> {
    /// The belief of the node, whose children's beliefs are in `self.beliefs`, from its own view, with the numbers it came
    /// from where the rule has some; the policy is left in `self.policy`.
    #[inline]
    pub(super) fn back_up_children(
        &mut self,
        id: NodeId,
        children: &[Node],
        narrowed: bool,
    ) -> (Cdf, Option<Numbers>) {
        if self.sides.rule().is_precursor()
            && let Some((belief, numbers)) = self.back_up_numbers(id, children, narrowed)
        {
            return (belief, Some(numbers));
        }
        let tree = self.thread.tree;
        let back_up = self.sides.at(|| is_own(tree, id));
        let policy = &mut self.policy[..self.beliefs.len()];
        let belief = back_up.run(&self.beliefs, policy);
        let undefined = back_up.take_undefined()
            + self.leaf_belief.take_undefined()
            + self.allocation.take_undefined()
            + self.by_most.take_undefined()
            + self.leaf_formulas.take_undefined();
        self.thread.worker().undefined += undefined;
        (belief, None)
    }

    #[cold]
    fn back_up_numbers(
        &mut self,
        id: NodeId,
        children: &[Node],
        narrowed: bool,
    ) -> Option<(Cdf, Numbers)> {
        let tree = self.thread.tree;
        let back_up = self.sides.at(|| is_own(tree, id));
        let taken = || children.iter().filter(|c| !(narrowed && is_left_out(c)));
        let read: Option<Vec<_>> = taken().map(|c| kept(tree, back_up, c)).collect();
        let (numbers, before): (Vec<Numbers>, Vec<Option<f64>>) = read?.into_iter().unzip();
        let optimal = back_up.optimal(&numbers, &before);
        for (child, b) in taken().zip(&optimal) {
            tree.set_optimal(child.belief(), *b);
        }
        let policy = &mut self.policy[..self.beliefs.len()];
        let own = is_own(tree, id);
        back_up.run_numbers(&self.beliefs, &numbers, optimal, own, policy)
    }

    /// Keeps a node's numbers, whose slot is held: those of the back-up, or where its result is certain (`None`) those of that
    /// atom. Nothing where the rule has no numbers.
    #[inline]
    pub(super) fn keep_numbers(&self, node: &Node, numbers: Option<Numbers>, own: &Cdf) {
        if self.sides.rule().is_precursor() {
            let numbers = numbers.or_else(|| self.sides.us().numbers(own));
            if let Some(numbers) = numbers {
                let tree = self.thread.tree;
                tree.set_numbers(node.belief(), numbers.negated().words());
            }
        }
    }
}
