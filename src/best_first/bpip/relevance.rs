//! What is left to gain, and how much each leaf has to do with it: one pass over the tree.
//!
//! Every distribution function is linear in each leaf's, so the whole effect of a leaf on the root's choice is a weight at
//! each point of the axis, which is handed down from node to node.

use super::known_children;
use super::view::{Axis, View, is_inner};
use crate::driver;
use tree::{NodeId, Tree};

/// Anything smaller comes from rounded values.
const NOTHING: f64 = 1e-7;

/// A probability that is 0, up to rounding.
const NONE: f64 = 1e-12;

/// By what leaves are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    /// The expected size of the change of what is left to gain (QSS).
    Change,
    /// The expected gain from knowing the leaf alone (ESS).
    Gain,
}

/// The root's moves, from the view of its side.
pub(super) struct Standing {
    axis: Axis,
    pub moves: Vec<NodeId>,
    /// The distribution functions of the moves, one after another.
    below: Vec<f64>,
    pub means: Vec<f64>,
    /// The expected score of choosing when everything is known.
    pub informed: f64,
}

impl Standing {
    /// `None` where no move counts.
    pub fn of(tree: &Tree, view: &View) -> Option<Standing> {
        let axis = view.axis(tree, Tree::ROOT);
        let moves: Vec<NodeId> = known_children(tree, Tree::ROOT).collect();
        if moves.is_empty() {
            return None;
        }
        let mut below = Vec::with_capacity(moves.len() * axis.len());
        for &m in &moves {
            view.read(tree, &axis, m, false, &mut below);
        }
        let rows = || below.chunks_exact(axis.len());
        let means = rows().map(|row| axis.mean(row)).collect();
        let mut best = vec![1.0; axis.len()];
        for row in rows() {
            multiply(&mut best, row);
        }
        Some(Standing {
            informed: axis.mean(&best),
            means,
            below,
            moves,
            axis,
        })
    }

    /// The expected score of choosing now.
    pub fn now(&self) -> f64 {
        self.means.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    }

    /// What knowing everything would gain over choosing now (U_all).
    pub fn to_gain(&self) -> f64 {
        (self.informed - self.now()).max(0.0)
    }

    /// Where the leaves below each move start: how its distribution function and that of the best move depend on them.
    fn effects(&self) -> Vec<Effect> {
        let width = self.axis.len();
        let mut before = vec![1.0; width];
        let mut effects = Vec::with_capacity(self.moves.len());
        for (place, row) in self.below.chunks_exact(width).enumerate() {
            let means = self.means.iter().enumerate();
            let rivals = means.filter(|&(i, _)| i != place).map(|(_, &m)| m);
            effects.push(Effect {
                others: before.clone(),
                mean: self.means[place],
                rival: rivals.fold(f64::NEG_INFINITY, f64::max),
            });
            multiply(&mut before, row);
        }
        let mut after = vec![1.0; width];
        for (effect, row) in effects.iter_mut().zip(self.below.chunks_exact(width)).rev() {
            multiply(&mut effect.others, &after);
            multiply(&mut after, row);
        }
        effects
    }
}

fn multiply(product: &mut [f64], factors: &[f64]) {
    product.iter_mut().zip(factors).for_each(|(p, q)| *p *= q);
}

/// What the leaves below one of the root's moves act on.
struct Effect {
    /// The product of the other moves' distribution functions.
    others: Vec<f64>,
    mean: f64,
    /// The best mean of the other moves.
    rival: f64,
}

/// A relevant leaf that can be expanded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Candidate {
    pub leaf: NodeId,
    pub relevance: f32,
}

/// What a pass over the tree finds.
pub(super) struct Picture {
    /// The relevant leaves that can be expanded, in the tree's order.
    pub candidates: Vec<Candidate>,
    pub to_gain: f64,
}

/// Computes the relevance of every leaf, and keeps it at the nodes: at an inner node the sum of its leaves'. Where that is 0,
/// whatever stands below is out of date. `None` where no move counts.
pub(super) fn survey(tree: &Tree, view: &View, measure: Measure) -> Option<Picture> {
    let standing = Standing::of(tree, view)?;
    let mut pass = Pass {
        tree,
        view,
        measure,
        standing: &standing,
        candidates: Vec::new(),
        pool: Vec::new(),
    };
    let width = standing.axis.len();
    let mut total = 0.0;
    let all = vec![1.0; width];
    let rows = standing.below.chunks_exact(width);
    for ((&m, effect), below) in standing.moves.iter().zip(standing.effects()).zip(rows) {
        total += pass.node(m, false, &effect, &all, below);
    }
    keep(tree, Tree::ROOT, total);
    Some(Picture {
        candidates: pass.candidates,
        to_gain: standing.to_gain(),
    })
}

struct Pass<'a> {
    tree: &'a Tree,
    view: &'a View,
    measure: Measure,
    standing: &'a Standing,
    candidates: Vec<Candidate>,
    /// Buffers that are used again.
    pool: Vec<Vec<f64>>,
}

impl Pass<'_> {
    /// The relevance of a node, with its distribution function and how its root move's depends on it. `own`: the root's
    /// side is to move.
    fn node(
        &mut self,
        id: NodeId,
        own: bool,
        effect: &Effect,
        change: &[f64],
        below: &[f64],
    ) -> f64 {
        let relevance = if self.is_irrelevant(effect, change, below) {
            0.0
        } else if is_inner(self.tree, id) {
            self.children(id, own, effect, change)
        } else {
            self.leaf(id, effect, change, below)
        };
        keep(self.tree, id, relevance)
    }

    /// Whether nothing that may be learned below a node can change what is left to gain. Its distribution function can only
    /// move between its own smallest and largest value.
    fn is_irrelevant(&self, effect: &Effect, change: &[f64], below: &[f64]) -> bool {
        let gaps = &self.standing.axis.gaps;
        let (mut of_mean, mut of_best, mut apart) = (0.0, 0.0, 0.0);
        for (((d, gap), others), q) in change.iter().zip(gaps).zip(&effect.others).zip(below) {
            if *q > NONE && *q < 1.0 - NONE {
                of_mean += d * gap;
                of_best += d * gap * others;
                apart += d * gap * (1.0 - others);
            }
        }
        let most = if effect.mean - of_mean >= effect.rival {
            // It stays the best move.
            apart
        } else if effect.mean + of_mean <= effect.rival {
            // It doesn't become the best move.
            of_best
        } else {
            of_mean + of_best
        };
        most < NOTHING
    }

    fn leaf(&mut self, id: NodeId, effect: &Effect, change: &[f64], below: &[f64]) -> f64 {
        let relevance = self.relevance(effect, change, below);
        let node = self.tree.node(id);
        if relevance > 0.0 && driver::is_open(node) && !node.is_expanded() {
            self.candidates.push(Candidate {
                leaf: id,
                relevance: relevance as f32,
            });
        }
        relevance
    }

    fn children(&mut self, id: NodeId, own: bool, effect: &Effect, change: &[f64]) -> f64 {
        let tree = self.tree;
        let width = change.len();
        let mut below = self.pool.pop().unwrap_or_default();
        let mut after = self.pool.pop().unwrap_or_default();
        let mut changes = self.pool.pop().unwrap_or_default();
        below.clear();
        for c in known_children(tree, id) {
            let axis = &self.standing.axis;
            self.view.read(tree, axis, c, !own, &mut below);
        }
        let known = below.len() / width;
        let factor = |q: f64| if own { q } else { 1.0 - q };
        // For each child the product over the siblings after it; those before it are multiplied on the way.
        after.clear();
        after.resize(below.len(), 1.0);
        for i in (1..known).rev() {
            for x in 0..width {
                after[(i - 1) * width + x] = after[i * width + x] * factor(below[i * width + x]);
            }
        }
        let mut before = change.to_vec();
        let mut total = 0.0;
        for (place, c) in known_children(tree, id).enumerate() {
            let row = place * width..(place + 1) * width;
            changes.clear();
            let siblings = before.iter().zip(&after[row.clone()]);
            changes.extend(siblings.map(|(b, a)| b * a));
            total += self.node(c, !own, effect, &changes, &below[row.clone()]);
            for (b, &q) in before.iter_mut().zip(&below[row]) {
                *b *= factor(q);
            }
        }
        self.pool.extend([below, after, changes]);
        total
    }

    /// The relevance of one leaf: what would become of the moves' means, and of the best of all, were it known to have one
    /// of its values.
    fn relevance(&self, effect: &Effect, change: &[f64], below: &[f64]) -> f64 {
        let gaps = &self.standing.axis.gaps;
        let parts = || change.iter().zip(gaps).zip(&effect.others).zip(below);
        // By how much the means would fall if the leaf were infinitely bad, less by how much they fall for it as it is.
        let (mut of_move, mut of_best) = (0.0, 0.0);
        for (((d, gap), others), q) in parts() {
            of_move -= d * gap * (1.0 - q);
            of_best -= d * gap * (1.0 - q) * others;
        }
        let now = self.standing.now();
        let to_gain = self.standing.informed - now;
        let (mut changed, mut chosen) = (0.0, 0.0);
        let mut last = 0.0;
        let mut certain = true;
        let mut passed = (0.0, 0.0);
        for (((d, gap), others), &q) in parts() {
            let mass = q - last;
            if mass > 0.0 {
                let mean = effect.mean + of_move + passed.0;
                let best = mean.max(effect.rival);
                let informed = self.standing.informed + of_best + passed.1;
                changed += mass * (informed - best - to_gain).abs();
                chosen += mass * best;
                certain &= mass >= 1.0 - NOTHING;
            }
            last = q;
            passed.0 += d * gap;
            passed.1 += d * gap * others;
        }
        let relevance = match self.measure {
            _ if certain => 0.0,
            Measure::Change => changed,
            Measure::Gain => chosen - now,
        };
        if relevance < NOTHING { 0.0 } else { relevance }
    }
}

/// Keeps the relevance at the node.
fn keep(tree: &Tree, id: NodeId, relevance: f64) -> f64 {
    let node = tree.node(id);
    node.set_pair((node.pair().0, relevance as f32));
    relevance
}
