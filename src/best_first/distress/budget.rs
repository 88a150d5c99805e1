//! The budgets of the DISTRESS essay: a node hands what it may spend down to its children, in chunks that double, in
//! proportion to the allocation's scores.
//!
//! Source: the DISTRESS essay, its second question ("giving a node count to approximately divy out recursively and
//! progressively searching with higher counts"). What a leaf's visit costs is not known before: what was spent is
//! subtracted from every budget on the way, and no budget is divided into parts of less than a few visits. Here the recursion's calls are on a stack, so that a search can
//! be interrupted after any visit, and every visit is backed up to the root. The call at the root is made again and again
//! with a budget that depends on the tree alone; between two of them nothing is left on the stack, and a run that begins
//! there is the same.

use super::Distress;
use super::allocate::Allocation;
use super::computation;
use crate::proofs;
use eval::Evaluator;
use game::{Game, Score};
use search::{Budget, BudgetUnit as Unit, Event, OptionSpec, Options, Probe, Range};
use tree::{Fate, Node, NodeId, Tree};

pub(super) const DESCENT: OptionSpec = OptionSpec {
    key: "descent",
    default: "best-first",
    range: Range::Choice(&["best-first", "budget", "budget-visits"]),
    summary: "each visit goes where the allocation's score is highest, or budgets of nodes (or of visits) are handed down in proportion to it, recursively",
};

/// The budgets of a search that spends some.
pub(super) fn of(options: &Options) -> Option<Budgets> {
    match options.word("descent") {
        "budget" => Some(Budgets::new(Unit::Nodes)),
        "budget-visits" => Some(Budgets::new(Unit::Visits)),
        _ => None,
    }
}

/// The budget of a call at the root: as much as was spent before, within limits.
fn round(unit: Unit, root: &Node) -> u32 {
    match unit {
        Unit::Nodes => root.nodes().clamp(64, 16_384) as u32,
        Unit::Visits => root.visits().clamp(1, 128),
    }
}

/// The least that is handed down: about what a few visits of a leaf cost.
fn part(unit: Unit) -> u32 {
    match unit {
        Unit::Nodes => 256,
        Unit::Visits => 1,
    }
}

/// One call of the recursion that is under way.
#[derive(Clone, Debug)]
struct Call {
    node: NodeId,
    /// What its parent's window makes of (alpha, beta).
    window: (Score, Score),
    /// What it may still spend; below 0 where a visit cost more than was likely.
    left: i64,
    /// What was left when all of it was last handed down, `None` before: if that is still left, nobody can spend it.
    handed_all: Option<i64>,
    /// The parts of the next chunk to be handed down.
    chunk: u32,
    /// Children with their parts of this chunk, the next one last.
    handed: Vec<(NodeId, u32)>,
}

impl Call {
    fn new(node: NodeId, budget: u32, window: (Score, Score)) -> Call {
        Call {
            node,
            window,
            left: budget.into(),
            handed_all: None,
            chunk: 1,
            handed: Vec::new(),
        }
    }

    fn is_done(&self) -> bool {
        self.left <= 0 && self.handed.is_empty()
    }

    /// The next child to search with its budget. `None` when all is spent, or nothing below can be searched. `tell` is given
    /// what is handed down.
    fn next(
        &mut self,
        tree: &Tree,
        unit: Unit,
        allocation: &Allocation,
        tell: &mut impl FnMut(NodeId, &[(NodeId, u32)]),
    ) -> Option<Call> {
        let node = tree.node(self.node);
        let relevance = proofs::relevance(node, self.window.0);
        loop {
            if let Some((child, budget)) = self.handed.pop() {
                if is_open(tree.node(child), relevance) {
                    let window = (self.window.1.one_ply_down(), relevance);
                    return Some(Call::new(child, budget, window));
                }
                continue;
            }
            let left = u32::try_from(self.left).unwrap_or(0);
            // In whole parts, so that nobody is handed less than a visit costs.
            let all = left.div_ceil(part(unit));
            if all == 0 || self.handed_all == Some(self.left) {
                return None;
            }
            let chunk = self.chunk.min(all);
            self.handed_all = (chunk == all).then_some(self.left);
            let children = tree.children_block(node);
            let mut scores = allocation.scores(tree, node, self.node == Tree::ROOT);
            let mut any_open = false;
            for (score, child) in scores.iter_mut().zip(children) {
                if is_open(child, relevance) {
                    any_open = true;
                    *score = score.max(0.0);
                } else {
                    *score = 0.0;
                }
            }
            if !any_open {
                // As in a descent that finds nothing here.
                node.set_urgency(0.0);
                return None;
            }
            let first = node.first_child().0;
            let parts = apportion(&scores, chunk).into_iter().enumerate().rev();
            let parts = parts.filter(|(_, parts)| *parts > 0);
            self.handed.extend(parts.map(|(place, parts)| {
                (NodeId(first + place as u32), (parts * part(unit)).min(left))
            }));
            if self.handed.is_empty() {
                return None;
            }
            tell(self.node, &self.handed);
            self.chunk = self.chunk.saturating_mul(2);
        }
    }
}

/// Something below can be searched and can still change anything.
pub(super) fn is_open(child: &Node, relevance: Score) -> bool {
    child.urgency() > 0.0 && child.proof().lower < relevance && !child.is_excluded()
}

/// Whole parts of `budget` in proportion to the scores: their floors, and one more for those with the largest
/// remainders (the first of equals). They sum to `budget`, or to 0 where no score is positive; a score of 0 gets nothing.
pub(super) fn apportion(scores: &[f32], budget: u32) -> Vec<u32> {
    let weight = |s: &f32| f64::from(if s.is_finite() { s.max(0.0) } else { 0.0 });
    let total: f64 = scores.iter().map(weight).sum();
    if total <= 0.0 {
        return vec![0; scores.len()];
    }
    let exact = |s: &f32| f64::from(budget) * weight(s) / total;
    let mut parts: Vec<u32> = scores.iter().map(|s| exact(s) as u32).collect();
    let mut order: Vec<usize> = (0..scores.len())
        .filter(|&i| weight(&scores[i]) > 0.0)
        .collect();
    order.sort_by(|&a, &b| {
        exact(&scores[b])
            .fract()
            .total_cmp(&exact(&scores[a]).fract())
    });
    let left = budget.saturating_sub(parts.iter().sum());
    for &i in order.iter().take(left as usize) {
        parts[i] += 1;
    }
    parts
}

/// The calls that are under way, and the way of the next descent.
#[derive(Clone, Debug)]
pub(super) struct Budgets {
    unit: Unit,
    /// From the root down.
    calls: Vec<Call>,
    /// The nodes of the next descent, root first; empty where no budget can be spent.
    way: Vec<NodeId>,
}

impl Budgets {
    fn new(unit: Unit) -> Budgets {
        Budgets {
            unit,
            calls: Vec::new(),
            way: Vec::new(),
        }
    }

    /// Nothing is under way any more.
    pub fn clear(&mut self) {
        self.calls.clear();
        self.way.clear();
    }

    /// Whether a call at the root is under way.
    pub fn is_midway(&self) -> bool {
        !self.calls.is_empty()
    }

    /// The node that the planned descent goes to at `ply`.
    pub fn at(&self, ply: usize) -> Option<NodeId> {
        self.way.get(ply).copied()
    }

    /// Finds the leaf on which the next visit of the budgets is spent. Without one, even where the root is called anew, the
    /// descent is left to the allocation.
    /// `tell` is given what each node hands down, the last child first.
    pub fn plan(
        &mut self,
        tree: &Tree,
        allocation: &Allocation,
        mut tell: impl FnMut(NodeId, &[(NodeId, u32)]),
    ) {
        self.way.clear();
        self.drop_settled(tree);
        let mut called_anew = false;
        loop {
            let Some(call) = self.calls.last_mut() else {
                if called_anew {
                    return;
                }
                called_anew = true;
                let budget = round(self.unit, tree.node(Tree::ROOT));
                let window = (Score::MIN, Score::MAX);
                self.calls.push(Call::new(Tree::ROOT, budget, window));
                continue;
            };
            let node = tree.node(call.node);
            let next = match node.fate() {
                Fate::Expanded { .. } if !node.proof().is_exact() => {
                    call.next(tree, self.unit, allocation, &mut tell)
                }
                fate if (fate.is_frontier() || fate == Fate::Unvisited) && call.left > 0 => {
                    break;
                }
                // In the hands of another thread.
                Fate::Interrupted => None,
                fate => {
                    if !fate.is_frontier() && fate != Fate::Unvisited {
                        node.set_urgency(0.0);
                    }
                    None
                }
            };
            match next {
                Some(next) => self.calls.push(next),
                None => drop(self.calls.pop()),
            }
        }
        self.way.extend(self.calls.iter().map(|call| call.node));
    }

    /// A visit on the planned way has ended and counted so many nodes.
    pub fn spend(&mut self, nodes: u64) {
        if self.way.is_empty() {
            return;
        }
        let cost = match self.unit {
            Unit::Nodes => nodes.clamp(1, 1 << 40) as i64,
            Unit::Visits => 1,
        };
        for call in &mut self.calls {
            call.left -= cost;
        }
        while self.calls.last().is_some_and(Call::is_done) {
            self.calls.pop();
        }
    }

    /// Gives up what was handed to nodes that have been proven, and renews the windows.
    fn drop_settled(&mut self, tree: &Tree) {
        let mut window = (Score::MIN, Score::MAX);
        let mut kept = 0;
        for call in &mut self.calls {
            let node = tree.node(call.node);
            if node.proof().is_exact() || node.is_excluded() {
                break;
            }
            call.window = window;
            window = (window.1.one_ply_down(), proofs::relevance(node, window.0));
            kept += 1;
        }
        self.calls.truncate(kept);
    }
}

impl<G: Game, E: Evaluator<G>, P: Probe> Distress<'_, G, E, P> {
    /// Before a descent: where budgets are spent, finds the leaf it goes to.
    pub(super) fn plan(&mut self) {
        if let Some(budgets) = &mut self.budgets {
            if self.thread.forced.is_empty() {
                let (thread, unit) = (&mut self.thread, budgets.unit);
                budgets.plan(thread.tree, &self.allocation, |node, handed| {
                    thread.report(|| Event::Budget {
                        node,
                        budget: Budget {
                            unit,
                            parts: handed.iter().rev().copied().collect(),
                        },
                    });
                });
            } else {
                budgets.clear();
            }
        }
    }

    /// After a descent: what it cost is taken from the budgets it was made for.
    pub(super) fn spend(&mut self, nodes: u64) {
        if let Some(budgets) = &mut self.budgets {
            budgets.spend(nodes);
            if self.thread.is_about_to_forget() {
                // A run may be taken up here, and it would know of no budgets.
                budgets.clear();
            }
            self.thread.midway |= budgets.is_midway();
        }
    }

    /// The place of the child that the descent goes to from the node at `ply`; `None` where nothing below can still be
    /// searched.
    pub(super) fn choose(&self, ply: usize, node: &Node, relevance: Score) -> Option<usize> {
        if let Some(next) = self.budgets.as_ref().and_then(|b| b.at(ply + 1)) {
            return Some((next.0 - node.first_child().0) as usize);
        }
        let (tree, narrowed) = (self.thread.tree, node.is_narrowed());
        let children = tree.children_block(node);
        if let Some(next) = self.guide.as_ref().and_then(|g| g.at(ply + 1)) {
            // A descent that had to leave the way is below another node from then on.
            let place = next.0.wrapping_sub(node.first_child().0) as usize;
            let on_the_way = children.get(place);
            if on_the_way.is_some_and(|child| computation::is_passable(child, relevance)) {
                return Some(place);
            }
        }
        if ply == 0 && self.allocation.asks_value(node) {
            let scores = self.allocation.scores(tree, node, true);
            let best = self
                .allocation
                .choose_by(&scores, children, narrowed, relevance);
            if best.is_some() {
                return best;
            }
        }
        self.allocation.choose(tree, node, narrowed, relevance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distress::allocate::By;
    use game::{MoveCode, Scale};
    use proptest::prelude::*;
    use tree::{Family, Proof, TreeSpec};

    #[test]
    fn parts_by_hand() {
        // 7 by .5, .3, .2: 3.5, 2.1, 1.4 leave one, which goes to the largest remainder.
        assert_eq!(apportion(&[0.5, 0.3, 0.2], 7), [4, 2, 1]);
        assert_eq!(apportion(&[0.5, 0.3, 0.2], 1), [1, 0, 0]);
        assert_eq!(apportion(&[0.5, 0.3, 0.2], 10), [5, 3, 2]);
        // A proven child has no score: the others share.
        assert_eq!(apportion(&[0.5, 0.0, 0.2], 7), [5, 0, 2]);
        assert_eq!(apportion(&[1.0, 1.0, 1.0], 2), [1, 1, 0]);
        assert_eq!(apportion(&[0.0, f32::NAN], 5), [0, 0]);
        assert_eq!(apportion(&[], 5), [] as [u32; 0]);
    }

    proptest! {
        #[test]
        fn parts_sum_to_the_budget(scores in prop::collection::vec(0.0f32..3.0, 1..60), budget in 0u32..5000) {
            let parts = apportion(&scores, budget);
            let expected = if scores.iter().any(|s| *s > 0.0) { budget } else { 0 };
            prop_assert_eq!(parts.iter().sum::<u32>(), expected);
            let total: f64 = scores.iter().map(|s| f64::from(*s)).sum();
            for (part, score) in parts.iter().zip(&scores) {
                prop_assert!(*score > 0.0 || *part == 0);
                let exact = f64::from(budget) * f64::from(*score) / total.max(1e-9);
                prop_assert!((f64::from(*part) - exact).abs() < 1.0 + 1e-6);
            }
        }
    }

    /// A root with three children of policies .5, .3, .2, all leaves; by the first formula without exploration.
    fn three() -> (Tree, Allocation) {
        let tree = Tree::new(TreeSpec {
            family: Family::BestFirst,
            scale: Scale::Logistic,
            beliefs: false,
            budget: 1 << 20,
            record_plies: u16::MAX,
        });
        let codes = (0..3).map(MoveCode);
        let first = tree.allocate_children(Tree::ROOT, codes).expect("room");
        tree.attach(Tree::ROOT, first, 3);
        let expanded = crate::search_thread::expanded(MoveCode::NONE, 3, 3);
        tree.node(Tree::ROOT).set_fate(expanded);
        tree.node(Tree::ROOT).set_visits(7);
        for (i, policy) in [0.5, 0.3, 0.2].into_iter().enumerate() {
            let child = tree.node(NodeId(first.0 + i as u32));
            child.set_policy(policy);
            child.set_urgency(1.0);
            child.set_visits(1);
            child.set_fate(Fate::Frontier);
        }
        let allocation = Allocation {
            by: By::Puct,
            exploration: 0.0,
            own: None,
            by_spread: false,
            adjust: false,
        };
        (tree, allocation)
    }

    #[test]
    fn a_round_spends_its_budget_in_chunks_that_double() {
        let (tree, allocation) = three();
        let first = tree.node(Tree::ROOT).first_child().0;
        let mut budgets = Budgets::new(Unit::Visits);
        let mut spent = Vec::new();
        loop {
            budgets.plan(&tree, &allocation, |_, _| {});
            spent.push(budgets.at(1).expect("a child").0 - first);
            budgets.spend(30);
            if !budgets.is_midway() {
                break;
            }
        }
        // Chunks 1, 2, 4 of the round of 7: [1 0 0], [1 1 0], [2 1 1].
        assert_eq!(spent, [0, 0, 1, 0, 0, 1, 2]);
    }

    #[test]
    fn a_proven_child_gets_nothing_and_what_it_had_is_given_up() {
        let (tree, allocation) = three();
        let first = tree.node(Tree::ROOT).first_child().0;
        let worst = tree.node(NodeId(first));
        let mut budgets = Budgets::new(Unit::Visits);
        budgets.plan(&tree, &allocation, |_, _| {});
        assert_eq!(budgets.at(1), Some(NodeId(first)));
        budgets.spend(30);
        worst.set_proof(Proof::exact(Score::win_in(3)));
        worst.set_urgency(0.0);
        let mut spent = [0; 3];
        while budgets.is_midway() {
            budgets.plan(&tree, &allocation, |_, _| {});
            spent[(budgets.at(1).expect("a child").0 - first) as usize] += 1;
            budgets.spend(30);
        }
        // Chunks 2 and 4 by .3 and .2: [1 1], [2 2].
        assert_eq!(spent, [0, 3, 3]);
        for place in 1..3 {
            tree.node(NodeId(first + place)).set_urgency(0.0);
        }
        budgets.plan(&tree, &allocation, |_, _| {});
        assert_eq!(budgets.at(0), None, "nothing is open");
        assert!(!budgets.is_midway());
    }

    /// By hand, with a budget of 1,000 nodes: the first part of 256 costs 100 and 180; the next chunk [1 1] costs 300 and
    /// 260; 160 are left, a part, which costs 200.
    #[test]
    fn budgets_of_nodes_are_handed_down_in_parts() {
        let (tree, allocation) = three();
        let first = tree.node(Tree::ROOT).first_child().0;
        tree.node(Tree::ROOT).add_nodes(1_000);
        let mut budgets = Budgets::new(Unit::Nodes);
        let mut spent = Vec::new();
        for cost in [100, 180, 300, 260, 200] {
            budgets.plan(&tree, &allocation, |_, _| {});
            spent.push(budgets.at(1).expect("a child").0 - first);
            budgets.spend(cost);
        }
        assert_eq!(spent, [0, 0, 0, 1, 0]);
        assert!(!budgets.is_midway());
    }
}
