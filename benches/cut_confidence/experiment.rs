//! How often a cutoff of probabilistic alpha-beta is wrong: random trees, their cutoffs, and the truth about the nodes
//! cut off.
//!
//! The check shares no code with the search and uses no bins: P(value >= beta) of a whole subtree is a product over its
//! leaves' normal distributions, evaluated at beta alone; and for every leaf a truth is drawn from its own
//! distribution, from which minimax determines whether the node reaches beta.

use std::sync::Arc;

use ::algorithms::{Algorithm, JobParts, with_job};
use fastrand::Rng;
use game::toy::{ToyNode, ToyTree};
use game::{Scale, Side, Situation, ToyPosition};
use search::common::table::Tables;
use search::{Choices, Control, Limits, Start, Subject};
use tree::{Fate, NodeId, Tree};

/// Values are within ± this; leaves are normal with standard deviation 1.
const RANGE: f32 = 6.3;
const PER_UNIT: f32 = 1000.0;

/// Random trees of one kind.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// The number of children of a node, by ply.
    pub shape: &'static [usize],
    /// The standard deviation of a leaf's truth around its value.
    pub spread: f32,
    /// The share of leaves that are exact.
    pub exact: f64,
}

/// A tree with the truth of its leaves.
pub struct Sample {
    tree: Arc<ToyTree>,
    /// By node; leaves only.
    truth: Vec<f64>,
}

/// The Box-Muller method.
fn normal(rng: &mut Rng) -> f64 {
    let radius = (-2.0 * (1.0 - rng.f64()).ln()).sqrt();
    radius * (std::f64::consts::TAU * rng.f64()).cos()
}

impl Kind {
    /// Returns the tree with this number, always the same one.
    pub fn draw(&self, number: u64) -> Sample {
        let mut rng = Rng::with_seed(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x51ab);
        let mut sample = (Vec::new(), Vec::new());
        self.grow(&mut rng, self.shape, None, &mut sample);
        let (nodes, truth) = sample;
        let tree = ToyTree {
            nodes,
            root_side: Side::White,
            scale: Scale::linear(PER_UNIT, RANGE),
            height: self.shape.len() as u16,
            leaf_mean: 0.0,
            leaf_sd: 1.0,
        };
        Sample {
            tree: Arc::new(tree),
            truth,
        }
    }

    fn grow(
        &self,
        rng: &mut Rng,
        shape: &[usize],
        parent: Option<u32>,
        made: &mut (Vec<ToyNode>, Vec<f64>),
    ) {
        let (nodes, truth) = (&mut made.0, &mut made.1);
        let id = nodes.len() as u32;
        let mut node = ToyNode {
            name: format!("n{id}"),
            value: None,
            spread: 0.0,
            children: Vec::new(),
            parent,
        };
        truth.push(f64::NAN);
        let Some((&width, below)) = shape.split_first() else {
            // Rounded to the unit of the scores, as a file's values would be.
            let value = ((normal(rng) * f64::from(PER_UNIT)).round() / f64::from(PER_UNIT)) as f32;
            if rng.f64() >= self.exact {
                node.spread = self.spread;
            }
            truth[id as usize] = f64::from(value) + f64::from(node.spread) * normal(rng);
            node.value = Some(value);
            nodes.push(node);
            return;
        };
        nodes.push(node);
        for _ in 0..width {
            let child = made.0.len() as u32;
            made.0[id as usize].children.push(child);
            self.grow(rng, below, Some(id), made);
        }
    }
}

impl Sample {
    /// P(White's value of the subtree >= bound) over all moves; bound in the tree's unit.
    fn reaches(&self, node: usize, white: bool, bound: f64) -> f64 {
        let at = &self.tree.nodes[node];
        if let (Some(value), true) = (at.value, at.children.is_empty()) {
            let above = f64::from(value) - bound;
            return match at.spread {
                0.0 => f64::from(u8::from(above >= -1e-6)),
                spread => {
                    0.5 * statrs::function::erf::erfc(-above / f64::from(spread) / 2f64.sqrt())
                }
            };
        }
        let children = at.children.iter();
        let each = children.map(|&c| self.reaches(c as usize, !white, bound));
        if white {
            1.0 - each.map(|p| 1.0 - p).product::<f64>()
        } else {
            each.product()
        }
    }

    /// White's value of the subtree by minimax over the drawn truths.
    fn true_value(&self, node: usize, white: bool) -> f64 {
        let at = &self.tree.nodes[node];
        if at.children.is_empty() {
            return self.truth[node];
        }
        let each = at
            .children
            .iter()
            .map(|&c| self.true_value(c as usize, !white));
        if white {
            each.fold(f64::NEG_INFINITY, f64::max)
        } else {
            each.fold(f64::INFINITY, f64::min)
        }
    }
}

/// A cutoff that left out moves.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    /// Whether some child that the cutoff counts was itself cut off; only then do the ways of counting differ.
    pub rests: bool,
    /// What the search claimed for P(max >= beta).
    pub said: f64,
    /// The true probability over all moves.
    pub whole: f64,
    /// Whether the drawn truth is below beta.
    pub wrong: bool,
}

/// One search of one tree.
#[derive(Clone, Debug, Default)]
pub struct Searched {
    pub leaves: usize,
    pub cuts: Vec<Cut>,
}

/// Searches a whole tree. Options are given as KEY=VALUE.
///
/// # Panics
/// If an option is unknown.
pub fn searched(sample: &Sample, algorithm: Algorithm, options: &[(&str, &str)]) -> Searched {
    let subject = Subject::of(Situation::new(ToyPosition::root(sample.tree.clone())));
    let mut set = algorithm.default_options();
    for (key, value) in options {
        set.set(key, value).expect("an option");
    }
    let scale = sample.tree.scale;
    let tree = Tree::new(algorithm.tree_spec(scale, 64 << 20, u16::MAX));
    let tables = Tables::new(1 << 16);
    let control = Control::new(Limits::default(), 1);
    let parts = JobParts {
        recorded: None,
        algorithm,
        tree: &tree,
        tables: &tables,
        endgames: None,
        options: &set,
        control: &control,
        start: Start::default(),
        choices: &Choices::default(),
        seed: 1,
    };
    with_job(&subject, parts, |job| job.run_unwatched());
    let mut found = Searched::default();
    let mut stack = vec![(Tree::ROOT, 0usize, 0usize)];
    while let Some((id, at, ply)) = stack.pop() {
        let node = &sample.tree.nodes[at];
        let seen = tree.node(id).visits() > 0;
        found.leaves += usize::from(node.children.is_empty() && seen);
        found.cuts.extend(cut(sample, &tree, id, at, ply));
        for child in tree.children(id) {
            let place = usize::from(tree.node(child).move_code().0);
            stack.push((child, node.children[place] as usize, ply + 1));
        }
    }
    found
}

fn cut(sample: &Sample, tree: &Tree, id: NodeId, at: usize, ply: usize) -> Option<Cut> {
    let Fate::ProbabilisticCutoff {
        searched,
        probability,
        ..
    } = tree.node(id).fate()
    else {
        return None;
    };
    if usize::from(searched) >= sample.tree.nodes[at].children.len() {
        return None;
    }
    let white = ply.is_multiple_of(2);
    let beta = f64::from(tree.node(id).window().beta.raw()) / f64::from(PER_UNIT);
    // From White's view: at Black's nodes "at least beta" means "at most -beta".
    let (whole, wrong) = if white {
        let value = sample.true_value(at, true);
        (sample.reaches(at, true, beta), value < beta - 1e-6)
    } else {
        // P(value <= -beta) = 1 - P(value > -beta).
        let value = sample.true_value(at, false);
        let above = sample.reaches(at, false, -beta + 2e-6);
        (1.0 - above, value > -beta + 1e-6)
    };
    Some(Cut {
        rests: tree.children(id).any(|c| is_cut(tree, c)),
        said: f64::from(probability) / f64::from(u16::MAX),
        whole,
        wrong,
    })
}

fn is_cut(tree: &Tree, id: NodeId) -> bool {
    matches!(tree.node(id).fate(), Fate::ProbabilisticCutoff { .. })
}

/// Allows for rounding: betas to a thousandth, distribution functions to 16 bits.
pub const ROUNDING: f64 = 0.002;

/// Counts over many cutoffs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub cuts: usize,
    /// Cutoffs of nodes that reach beta with less than the confidence.
    pub below: usize,
    /// Cutoffs whose drawn truth is below beta.
    pub wrong: usize,
    /// Cutoffs of nodes that reach beta with less probability than the search claimed.
    pub overstated: usize,
    /// Cutoffs of nodes some of whose children were cut off.
    pub resting: usize,
}

impl Tally {
    pub fn add(&mut self, cut: &Cut, confidence: f64) {
        self.cuts += 1;
        self.below += usize::from(cut.whole < confidence - ROUNDING);
        self.wrong += usize::from(cut.wrong);
        self.resting += usize::from(cut.rests);
        self.overstated += usize::from(cut.whole < cut.said - ROUNDING);
    }
}
