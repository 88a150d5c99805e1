//! What a computation is worth: allocation `mgss`.
//!
//! Source: Stuart Russell and Eric Wefald, *On optimal game-tree search using rational meta-reasoning*, IJCAI-89, and
//! *Principles of metareasoning*, Artificial Intelligence 49 (1991). Searching a leaf is worth what knowing its value would
//! gain on average by changing the move that is played, as if it were the last step (the single-step assumption) and as if the
//! leaf could change the value of its own root move alone (subtree independence). A leaf can do that only as far as its
//! siblings on the way to the root let it through: within a window like alpha-beta's.

use super::allocate::{Allocation, FAINT};
use super::moments::Weights;
use super::{Distress, is_left_out, is_waiting};
use belief::special::{normal_cdf, normal_pdf};
use eval::Evaluator;
use game::{Game, Score};
use search::explanation::Unit;
use search::{Aim, AimInfo, Event, OptionSpec, Options, Probe, Range, StopReason};
use tree::{Fate, Node, NodeId, Tree};

/// What a node of search costs.
pub(super) const COST: OptionSpec = OptionSpec {
    key: "cost",
    default: "0",
    range: Range::Number { min: 0.0, max: 1.0 },
    summary: "allocation mgss: what a node costs, in expected score (toy trees: an expansion); the search ends when no leaf is worth its price; 0: it never ends for that",
};

static WORTH_ITS_PRICE: AimInfo = AimInfo {
    name: "computation",
    words: &[
        "looked at next: knowing its value would gain ",
        " on average, at a price of ",
        ".",
    ],
    units: &[Unit::Magnitude, NODES],
};

const NODES: Unit = Unit::Of("node", "nodes");

/// What the next visit to a leaf costs, in nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Price {
    /// Whether leaves are searched; otherwise each visit is an expansion.
    pub searched: bool,
    /// A leaf is expanded after a search of so many plies.
    pub expand: u8,
}

impl Price {
    /// Of a first look at a move that waits for one.
    pub const FIRST_LOOK: f32 = 10.0;

    pub fn new(options: &Options, searched: bool) -> Price {
        Price {
            searched,
            expand: options.integer("leaf-expand") as u8,
        }
    }

    /// Twice or three times as much as the last visit, and some 200 nodes where the leaf may be expanded.
    pub fn of(self, depth: u8, nodes: u64) -> f32 {
        let last = nodes as f32;
        match depth {
            _ if !self.searched => 1.0,
            d if d < self.expand => 2.0 * last.max(3.0),
            _ => 3.0 * last.max(10.0) + 200.0,
        }
    }
}

/// A leaf, and what searching it is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Computation {
    pub leaf: NodeId,
    /// The average gain, in expected score.
    pub gain: f32,
    pub price: f32,
}

impl Computation {
    /// The gain for each node that it costs.
    pub fn rate(&self) -> f32 {
        self.gain / self.price
    }
}

/// The values that compete at the root.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rivals {
    /// The move that would be played, by its mean.
    best: NodeId,
    best_mean: f32,
    /// The best of the others; −1 without one.
    second_mean: f32,
}

/// The mean of the positive part: E max(0, X − a) = σ ψ((μ − a) / σ) for a normal X.
fn psi(u: f32) -> f32 {
    let u = f64::from(u);
    (u * normal_cdf(u) + normal_pdf(u)) as f32
}

/// The average gain of learning a leaf's value, for one that belongs to the best move (`under_best`) or to another one.
/// `mean` and `sd` are the leaf's, and the window what of it gets through to the root's move, all from the root's side's view.
fn gain(under_best: bool, rivals: (f32, f32), mean: f32, sd: f32, window: (f32, f32)) -> f32 {
    let (best, second) = rivals;
    let (lower, upper) = window;
    let psi = |u: f32| if u == f32::NEG_INFINITY { 0.0 } else { psi(u) };
    if sd <= 0.0 {
        let seen = mean.clamp(lower, upper.max(lower));
        return match under_best {
            true => (second - seen).max(0.0),
            false => (seen - best).max(0.0),
        };
    }
    let gain = match under_best {
        true if lower >= second => 0.0,
        true => sd * (psi((second - mean) / sd) - psi((lower - mean) / sd)),
        false if upper <= best => 0.0,
        false => sd * (psi((mean - best) / sd) - psi((mean - upper) / sd)),
    };
    gain.max(0.0)
}

/// The two best of a node's moves, from its own view: what each of them competes with.
struct Siblings {
    best: Option<(usize, f32)>,
    second: Option<f32>,
}

impl Siblings {
    fn of(children: &[Node]) -> Siblings {
        let (mut best, mut second) = (None, None);
        for (i, child) in children.iter().enumerate().filter(|(_, c)| !is_left_out(c)) {
            let worth = -child.expected();
            match best {
                Some((_, most)) if worth <= most => {
                    second = Some(second.map_or(worth, |v: f32| v.max(worth)));
                }
                _ => {
                    second = best.map(|(_, most)| most);
                    best = Some((i, worth));
                }
            }
        }
        Siblings { best, second }
    }

    /// The best of the others; `None` without any.
    fn beside(&self, place: usize) -> Option<f32> {
        match self.best {
            Some((best, _)) if best == place => self.second,
            best => best.map(|(_, worth)| worth),
        }
    }
}

/// A pass over a tree's open leaves.
struct Pass<'a> {
    tree: &'a Tree,
    weights: &'a Weights,
    price: Price,
    rivals: Rivals,
}

impl<'a> Pass<'a> {
    /// `None` before the root has a child with a belief.
    fn new(tree: &'a Tree, weights: &'a Weights, price: Price) -> Option<Pass<'a>> {
        let mut means: Vec<(NodeId, f32)> = tree
            .children(Tree::ROOT)
            .filter(|&c| !is_left_out(tree.node(c)))
            .map(|c| (c, -tree.node(c).expected()))
            .collect();
        // Stable: the first of equals stays first.
        means.sort_by(|a, b| b.1.total_cmp(&a.1));
        let &(best, best_mean) = means.first()?;
        Some(Pass {
            tree,
            weights,
            price,
            rivals: Rivals {
                best,
                best_mean,
                second_mean: means.get(1).map_or(-1.0, |m| m.1),
            },
        })
    }

    /// The best computation below a child of the root.
    fn below(&self, child: NodeId) -> Option<Computation> {
        let mut best = None;
        self.visit(
            child,
            1,
            (f32::NEG_INFINITY, f32::INFINITY),
            child,
            &mut best,
        );
        best
    }

    /// Looks for a better computation at or below a node at `ply`, which gets through to the root move `first` within the
    /// window.
    fn visit(
        &self,
        id: NodeId,
        ply: usize,
        window: (f32, f32),
        first: NodeId,
        best: &mut Option<Computation>,
    ) {
        let under_best = first == self.rivals.best;
        let (lower, upper) = window;
        let passes = match under_best {
            true => lower < self.rivals.second_mean,
            false => upper > self.rivals.best_mean,
        };
        let node = self.tree.node(id);
        if !passes || node.urgency() <= FAINT || is_left_out(node) || node.proof().is_exact() {
            return;
        }
        if !node.is_expanded() {
            if let Some(found) = self.leaf(id, node, ply, window, under_best)
                && best.is_none_or(|b| found.rate() > b.rate())
            {
                *best = Some(found);
            }
            return;
        }
        let roots_side = ply.is_multiple_of(2);
        let children = self.tree.children_block(node);
        let rivals = Siblings::of(children);
        for (i, c) in children.iter().enumerate() {
            let window = match (rivals.beside(i), roots_side) {
                (None, _) => window,
                (Some(v), true) => (lower.max(v), upper),
                (Some(v), false) => (lower, upper.min(-v)),
            };
            let child = NodeId(node.first_child().0 + i as u32);
            if !c.is_excluded() {
                self.visit(child, ply + 1, window, first, best);
            }
        }
    }

    fn leaf(
        &self,
        id: NodeId,
        node: &Node,
        ply: usize,
        window: (f32, f32),
        under_best: bool,
    ) -> Option<Computation> {
        if !node.fate().is_frontier() {
            return None;
        }
        // Beliefs are from the view of the side that moved to the node.
        let seen = self
            .weights
            .of(&self.tree.belief_slot(node.belief()).read());
        let mean = if ply % 2 == 1 { seen.mean } else { -seen.mean };
        let rivals = (self.rivals.best_mean, self.rivals.second_mean);
        Some(Computation {
            leaf: id,
            gain: gain(under_best, rivals, mean, seen.sd, window),
            price: if is_waiting(node) {
                Price::FIRST_LOOK
            } else {
                self.price.of(node.leaf_depth(), node.nodes())
            },
        })
    }
}

/// What the best computation below each child is worth for each node it costs; at the root. Elsewhere the way is what the
/// root chose.
pub(super) fn rates(tree: &Tree, price: Price) -> Vec<f32> {
    let weights = Weights::new(tree.grid());
    let root = tree.node(Tree::ROOT);
    let Some(pass) = Pass::new(tree, &weights, price) else {
        return vec![0.0; usize::from(root.child_count())];
    };
    let rate = |c| pass.below(c).map_or(0.0, |found| found.rate());
    tree.children(Tree::ROOT).map(rate).collect()
}

/// The leaf whose search is worth most for each node it costs.
fn best(tree: &Tree, weights: &Weights, price: Price) -> Option<Computation> {
    let pass = Pass::new(tree, weights, price)?;
    let found = tree.children(Tree::ROOT).filter_map(|c| pass.below(c));
    found.reduce(|a, b| if b.rate() > a.rate() { b } else { a })
}

/// The way to the leaf that the next descent looks at, and the cost of a node.
#[derive(Debug, Default)]
pub(super) struct Guide {
    way: Vec<NodeId>,
    cost: f32,
}

impl Guide {
    /// `None` under another allocation.
    pub fn new(options: &Options, allocation: &Allocation) -> Option<Guide> {
        allocation.is_by_computation().then(|| Guide {
            way: Vec::new(),
            cost: options.number("cost") as f32,
        })
    }

    /// The node at a ply of the way.
    pub fn at(&self, ply: usize) -> Option<NodeId> {
        self.way.get(ply).copied()
    }
}

impl<G: Game, E: Evaluator<G>, P: Probe> Distress<'_, G, E, P> {
    /// Looks for the computation that is worth most. Where none is worth anything, the descent goes by criticality: what
    /// only several leaves could change together has no value by the single-step assumption.
    pub(super) fn guide(&mut self) {
        let Some(guide) = &mut self.guide else {
            return;
        };
        guide.way.clear();
        let tree = self.thread.tree;
        if !self.thread.forced.is_empty() || tree.node(Tree::ROOT).fate() == Fate::Unvisited {
            return;
        }
        let found = best(tree, &self.weights, self.price).filter(|found| found.gain > 0.0);
        let is_expanded = tree.node(Tree::ROOT).is_expanded();
        let worth = found.map_or(0.0, |found| found.rate());
        if is_expanded && guide.cost > 0.0 && worth < guide.cost {
            self.thread.job.control.stop(StopReason::Settled);
            self.thread.stopping = true;
            return;
        }
        if let Some(found) = found {
            guide.way = tree.path(found.leaf);
            let numbers = [found.gain, found.price];
            let aim = Aim::new(found.leaf, &WORTH_ITS_PRICE, numbers);
            self.thread.report(|| Event::Aim(aim));
        }
    }
}

/// Whether a child that the way leads to can still be searched: proofs come before beliefs.
pub(super) fn is_passable(child: &Node, relevance: Score) -> bool {
    child.proof().lower < relevance && !child.is_excluded()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search_thread::expanded;
    use belief::Density;
    use game::{MoveCode, Scale};
    use tree::{Family, Proof, TreeSpec};

    /// Values divided by this are expected scores.
    const RANGE: f32 = 16.0;

    /// Worked out apart from this code, in values of figure 1: the best move is worth 1.2, the second 1.1.
    #[test]
    fn gains_of_the_golden_examples() {
        let inf = f32::INFINITY;
        for (under_best, mean, window, golden) in [
            (true, 1.2, (-5.0, 4.0), 0.350_935),
            (true, -5.0, (1.2, 4.0), 0.0),
            (true, 4.0, (-inf, 1.2), 0.000_542),
            (false, 1.1, (1.0, 1.3), 0.044_041),
            (false, 1.0, (1.1, 1.3), 0.040_133),
            (false, 1.3, (-inf, 1.1), 0.0),
        ] {
            let found = gain(under_best, (1.2, 1.1), mean, 1.0, window);
            assert!((found - golden).abs() < 2e-6, "{mean} {found} {golden}");
        }
        // Six moves worth about .8 against a sure 1.
        for (mean, lower, golden) in [
            (0.8, 0.9, 0.306_895),
            (0.9, 0.8, 0.350_935),
            (0.6, 0.9, 0.230_439),
        ] {
            let found = gain(false, (1.0, 0.9), mean, 1.0, (lower, inf));
            assert!((found - golden).abs() < 2e-6, "{mean} {found} {golden}");
        }
    }

    /// Adds children to a node: their means from its own view, in values; and the standard deviation of all.
    fn grow(tree: &Tree, id: NodeId, means: &[f32], sd: f32) -> NodeId {
        let codes = (0..means.len() as u16).map(MoveCode);
        let first = tree.allocate_children(id, codes).expect("room");
        tree.attach(id, first, means.len() as u16);
        let slots = tree.allocate_beliefs(means.len() as u32).expect("room");
        for (i, mean) in (0u32..).zip(means) {
            let child = tree.node(NodeId(first.0 + i));
            let belief = Density::normal(tree.grid(), mean / RANGE, sd / RANGE).cdf();
            tree.belief_slot(slots + i).initialise(&belief);
            child.set_belief(slots + i);
            child.set_expected(-mean / RANGE);
            child.set_urgency(1.0);
            child.set_visits(1);
            child.set_proof(Proof::OPEN);
            child.set_fate(Fate::Frontier);
        }
        let best = means.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        tree.node(id).set_expected(best / RANGE);
        tree.node(id)
            .set_fate(expanded(MoveCode::NONE, means.len(), means.len()));
        first
    }

    /// Figure 1: C has A (with 1.2 and -5) and 4, D has B (with 1.1 and 1) and 1.3, all with a spread of 1.
    #[test]
    fn windows_on_the_way_down_are_those_of_figure_1() {
        let tree = Tree::new(TreeSpec {
            family: Family::BestFirst,
            scale: Scale::linear(1.0, RANGE),
            beliefs: true,
            budget: 4 << 20,
            record_plies: u16::MAX,
        });
        let child = |first: NodeId, i: u32| NodeId(first.0 + i);
        let moves = grow(&tree, Tree::ROOT, &[1.2, 1.1], 1.0);
        let below_c = grow(&tree, child(moves, 0), &[-1.2, -4.0], 1.0);
        let below_d = grow(&tree, child(moves, 1), &[-1.1, -1.3], 1.0);
        let below_a = grow(&tree, child(below_c, 0), &[1.2, -5.0], 1.0);
        let below_b = grow(&tree, child(below_d, 0), &[1.1, 1.0], 1.0);
        let weights = Weights::new(tree.grid());
        let price = Price {
            searched: false,
            expand: 0,
        };
        let pass = Pass::new(&tree, &weights, price).expect("moves");
        let found = |move_: u32| pass.below(child(moves, move_)).expect("a leaf");
        // Bins are as wide as 2 · 16 / 63.
        let close =
            |gain: f32, golden: f32| assert!((gain * RANGE - golden).abs() < 0.01, "{gain}");
        assert_eq!(found(0).leaf, child(below_a, 0));
        close(found(0).gain, 0.350_935);
        assert_eq!(found(1).leaf, child(below_b, 0));
        close(found(1).gain, 0.044_041);
        let best = best(&tree, &weights, price).expect("a leaf");
        assert_eq!(best.leaf, child(below_a, 0));
        // What can't be searched is left, and the next one comes.
        tree.node(child(below_a, 0)).set_urgency(0.0);
        tree.node(child(below_b, 0)).set_urgency(0.0);
        assert_eq!(found(1).leaf, child(below_b, 1));
        close(found(1).gain, 0.040_133);
        close(found(0).gain, 0.000_542);
    }
}
