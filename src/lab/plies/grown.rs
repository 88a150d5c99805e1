//! A grown tree reduced to its beliefs: which nodes are backed up from which, so that any back-up can be tried on the
//! same leaves.

use std::ops::Range;

use super::Candidate;
use super::correlation::Correlation;
use belief::{BackUp, Cdf, Density, Grid, LANES, Ties, special};
use tree::{Fate, NodeId, Tree};

/// A tree of beliefs. Nodes are numbered from the root on, parents before their children.
#[derive(Clone, Debug)]
pub struct BackedTree {
    nodes: Vec<BackedNode>,
    /// The beliefs as the search left them, each from the view of the side that moved to the node.
    beliefs: Vec<Cdf>,
    grid: Grid,
    ties: Ties,
}

#[derive(Clone, Debug)]
pub(super) struct BackedNode {
    /// The node in the tree of the search.
    pub id: NodeId,
    pub ply: u16,
    /// The number of back-ups between the node and the leaf at the end of its most probable line; 0 for a leaf.
    pub height: u16,
    pub visits: u32,
    /// Whether its belief is backed up from its children.
    pub is_inner: bool,
    /// Whether nothing is proven that leaves no spread.
    pub is_open: bool,
    /// The share of its parent's policy.
    policy: f32,
    /// Its children that go into the back-up.
    pub children: Range<usize>,
    /// The bin of the result, if it is certain.
    result: Option<usize>,
}

/// The scratch memory of a back-up.
struct Scratch {
    children: Vec<Cdf>,
    policy: Vec<f32>,
}

impl BackedTree {
    /// Reads the beliefs of a search that has ended. Nodes without a belief are left out.
    pub(super) fn read(tree: &Tree, ties: Ties) -> BackedTree {
        let mut read = BackedTree {
            nodes: Vec::new(),
            beliefs: Vec::new(),
            grid: tree.grid().clone(),
            ties,
        };
        if let Some(belief) = tree.belief(Tree::ROOT) {
            read.push(tree, Tree::ROOT, &belief, 0);
        }
        let mut next = 0;
        while next < read.nodes.len() {
            let (id, ply) = (read.nodes[next].id, read.nodes[next].ply);
            let first = read.nodes.len();
            for child in tree.children(id) {
                let is_out = tree.node(child).is_excluded();
                if let Some(belief) = tree.belief(child).filter(|_| !is_out) {
                    read.push(tree, child, &belief, ply + 1);
                }
            }
            let children = first..read.nodes.len();
            read.nodes[next].is_inner &= !children.is_empty();
            read.nodes[next].children = children;
            next += 1;
        }
        for place in (0..read.nodes.len()).rev() {
            read.nodes[place].height = read.height_of(place);
        }
        read
    }

    fn push(&mut self, tree: &Tree, id: NodeId, belief: &Cdf, ply: u16) {
        let node = tree.node(id);
        let proof = node.proof();
        let bin = |score| self.grid.bin_of(tree.scale().expected(score));
        self.nodes.push(BackedNode {
            id,
            ply,
            height: 0,
            visits: node.visits(),
            is_inner: matches!(node.fate(), Fate::Expanded { .. }),
            is_open: !proof.is_exact() && belief.is_atom().is_none(),
            policy: node.policy(),
            children: 0..0,
            result: proof.is_certain().then(|| {
                let (lower, upper) = (proof.lower, proof.upper);
                bin(if proof.is_loss() { upper } else { lower })
            }),
        });
        self.beliefs.push(belief.negated());
    }

    fn height_of(&self, place: usize) -> u16 {
        let node = &self.nodes[place];
        if !node.is_inner {
            return 0;
        }
        let children = self.nodes[node.children.clone()].iter();
        let likeliest = children.max_by(|a, b| a.policy.total_cmp(&b.policy));
        1 + likeliest.map_or(0, |child| child.height)
    }

    pub(super) fn nodes(&self) -> &[BackedNode] {
        &self.nodes
    }

    pub(super) fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Returns the belief of a node as the search left it, from the view of its side to move.
    pub(super) fn own(&self, place: usize) -> Cdf {
        self.beliefs[place].negated()
    }

    /// Returns the children of a node by their share of its policy, the most probable first.
    pub(super) fn likeliest(&self, place: usize) -> Vec<usize> {
        let mut children: Vec<usize> = self.nodes[place].children.clone().collect();
        children.sort_by(|&a, &b| self.nodes[b].policy.total_cmp(&self.nodes[a].policy));
        children
    }

    /// Returns the beliefs of all nodes if the inner ones are backed up by this candidate, each from the view of the
    /// side that moved to the node. The leaves and what is proven stay as the search left them.
    pub(super) fn backed_up(&self, candidate: Candidate, correlation: &Correlation) -> Vec<Cdf> {
        let mut beliefs = self.beliefs.clone();
        let mut rules = Rules::new(candidate, self.ties, correlation, &self.grid);
        let mut scratch = Scratch {
            children: Vec::new(),
            policy: Vec::new(),
        };
        for (place, node) in self.nodes.iter().enumerate().rev() {
            if !node.is_inner {
                continue;
            }
            scratch.children.clear();
            scratch
                .children
                .extend_from_slice(&beliefs[node.children.clone()]);
            let found = rules.run(&mut scratch, &self.beliefs[place]);
            beliefs[place] = node.result.map_or(found, Cdf::atom).negated();
        }
        beliefs
    }
}

/// A candidate, ready to back up many nodes.
struct Rules<'a> {
    candidate: Candidate,
    /// The rule itself, or r_opt with the policy for a blend.
    first: BackUp,
    pick: BackUp,
    correlation: &'a Correlation,
    grid: &'a Grid,
}

impl Rules<'_> {
    fn new<'a>(
        candidate: Candidate,
        ties: Ties,
        correlation: &'a Correlation,
        grid: &'a Grid,
    ) -> Rules<'a> {
        use belief::Rule;
        let rule = match candidate {
            Candidate::Rule(rule) => rule,
            _ => Rule::Optimal,
        };
        Rules {
            candidate,
            first: BackUp::new(rule, ties).on(grid),
            pick: BackUp::new(Rule::Pick, ties),
            correlation,
            grid,
        }
    }

    /// Returns the belief of a node, from the view of its side to move. `own` is what the search had, from the other
    /// side's view.
    fn run(&mut self, scratch: &mut Scratch, own: &Cdf) -> Cdf {
        let Scratch { children, policy } = scratch;
        policy.clear();
        policy.resize(children.len(), 0.0);
        match self.candidate {
            Candidate::Rule(_) => self.first.run(children, policy),
            Candidate::Width(tau) => {
                let logit = special::logit(f64::from(own.negated().mean(self.grid)));
                Density::logistic(self.grid, logit as f32, tau as f32).cdf()
            }
            Candidate::Blend(blend) => {
                let optimal = self.first.run(children, policy);
                let correlated = if blend.correlation == 0.0 {
                    0.0
                } else {
                    self.correlation.among(children, policy, self.grid)
                };
                let b = blend.weight(policy, correlated);
                mix(b, &optimal, &self.pick.run(children, policy))
            }
        }
    }
}

/// Returns the mixture of two beliefs, with the weight `b` for the first.
fn mix(b: f64, first: &Cdf, second: &Cdf) -> Cdf {
    let mut mixed = [0.0; LANES];
    let pairs = first.to_f32().into_iter().zip(second.to_f32());
    for (lane, (x, y)) in mixed.iter_mut().zip(pairs) {
        *lane = b as f32 * x + (1.0 - b as f32) * y;
    }
    Cdf::from_f32(&mixed)
}
