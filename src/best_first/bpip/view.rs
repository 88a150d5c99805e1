//! Distribution functions on an axis: the numbers from which everything else follows.
//!
//! In chess the axis is the grid of the tree's beliefs. A toy tree that is small enough is computed exactly, on the values
//! that its leaves can take.

use super::known_children;
use super::opinion::{Mass, Opinions};
use belief::{BINS, ONE};
use game::Scale;
use tree::{NodeId, Tree};

/// The most nodes of a toy tree that is computed exactly.
const MOST_EXACT: usize = 1_000;

/// How the distributions of a tree are read.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct View {
    pub opinions: Opinions,
    /// Whether distributions are computed from the leaves' exact points.
    pub exact: bool,
}

impl View {
    /// `values` is the number of nodes of a toy tree, 0 in other games.
    pub fn new(opinions: Opinions, scale: Scale, values: usize) -> View {
        let linear = matches!(scale, Scale::Linear(_));
        View {
            opinions,
            exact: linear && (1..=MOST_EXACT).contains(&values),
        }
    }

    /// The axis on which the distributions of this node and of all below it are exact.
    pub fn axis(&self, tree: &Tree, id: NodeId) -> Axis {
        if !self.exact {
            let centres = &tree.grid().centres()[..BINS];
            return Axis::of(centres.iter().map(|&c| c.into()).collect());
        }
        let mut points = Vec::new();
        self.collect(tree, id, true, &mut points);
        Axis::of(points)
    }

    fn collect(&self, tree: &Tree, id: NodeId, own: bool, points: &mut Vec<f64>) {
        if is_inner(tree, id) {
            for c in known_children(tree, id) {
                self.collect(tree, c, !own, points);
            }
            return;
        }
        points.extend(self.masses(tree, id, own).iter().map(|m| m.0));
    }

    /// The point masses of a leaf of a toy tree; `own`: from the view of its side to move.
    fn masses(&self, tree: &Tree, id: NodeId, own: bool) -> Vec<Mass> {
        let node = tree.node(id);
        let (sd, _) = node.pair();
        let mut masses = self
            .opinions
            .normal(node.expected().into(), sd.abs().into());
        if !own {
            for mass in &mut masses {
                mass.0 = -mass.0;
            }
        }
        masses
    }

    /// Adds a node's distribution function on the axis to `into`; `own`: the axis is seen by the node's side to move.
    pub fn read(&self, tree: &Tree, axis: &Axis, id: NodeId, own: bool, into: &mut Vec<f64>) {
        let node = tree.node(id);
        if !self.exact {
            let movers = tree.belief_slot(node.belief()).read();
            let seen = if own { movers.negated() } else { movers };
            let all = f64::from(ONE);
            into.extend(seen.0[..BINS].iter().map(|&q| f64::from(q) / all));
            return;
        }
        let start = into.len();
        if !is_inner(tree, id) {
            into.resize(start + axis.len(), 0.0);
            for (value, p) in self.masses(tree, id, own) {
                for q in &mut into[start + axis.place(value)..] {
                    *q += p;
                }
            }
            return;
        }
        // The best child for the side that sees the axis, or the worst.
        into.resize(start + axis.len(), 1.0);
        let mut child = Vec::with_capacity(axis.len());
        for c in known_children(tree, id) {
            child.clear();
            self.read(tree, axis, c, !own, &mut child);
            for (all, &q) in into[start..].iter_mut().zip(&child) {
                *all *= if own { q } else { 1.0 - q };
            }
        }
        if !own {
            into[start..].iter_mut().for_each(|q| *q = 1.0 - *q);
        }
    }

    /// The mean of a node's distribution, from the view of its side to move.
    pub fn mean(&self, tree: &Tree, id: NodeId) -> f64 {
        let axis = self.axis(tree, id);
        let mut below = Vec::with_capacity(axis.len());
        self.read(tree, &axis, id, true, &mut below);
        axis.mean(&below)
    }
}

/// Whether a node's distribution comes from its children's: nothing below it matters once its value is proven.
pub(super) fn is_inner(tree: &Tree, id: NodeId) -> bool {
    let node = tree.node(id);
    node.is_expanded() && !node.proof().is_exact()
}

/// The points at which distribution functions are known, ascending.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    points: Vec<f64>,
    /// The distance from each point to the next, 0 at the last one.
    pub gaps: Vec<f64>,
}

impl Axis {
    fn of(mut points: Vec<f64>) -> Axis {
        points.sort_by(f64::total_cmp);
        points.dedup();
        let mut gaps: Vec<f64> = points.windows(2).map(|w| w[1] - w[0]).collect();
        gaps.push(0.0);
        Axis { points, gaps }
    }

    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// The point that stands for a value.
    fn place(&self, value: f64) -> usize {
        let above = self.points.partition_point(|&x| x <= value);
        above.saturating_sub(1)
    }

    /// The mean of a distribution function.
    pub fn mean(&self, below: &[f64]) -> f64 {
        let steps = below.iter().zip(&self.gaps);
        let above: f64 = steps.map(|(q, gap)| (1.0 - q) * gap).sum();
        self.points.first().copied().unwrap_or(0.0) + above
    }
}
