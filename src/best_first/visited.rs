//! For tests: a node whose children are visited as a search would visit them, with random results.

use fastrand::Rng;
use tree::{Node, Proof};

pub struct Visited {
    pub node: Node,
    /// By their priors, the largest first.
    pub children: Vec<Node>,
    /// What each is worth on average.
    means: Vec<f32>,
    total: f32,
}

impl Visited {
    pub fn new(random: &mut Rng, count: usize) -> Visited {
        let mut priors: Vec<f32> = (0..count).map(|_| random.f32()).collect();
        priors.sort_by(|a, b| b.total_cmp(a));
        let whole: f32 = priors.iter().sum();
        let means = priors.iter().map(|_| random.f32() - 0.5).collect();
        let child = |prior: &f32| {
            let child = Node::default();
            child.set_policy(prior / whole);
            child.set_proof(Proof::OPEN);
            child
        };
        Visited {
            node: Node::default(),
            children: priors.iter().map(child).collect(),
            means,
            total: 0.0,
        }
    }

    /// Visits the child at this place.
    pub fn visit(&mut self, place: usize, random: &mut Rng) {
        let child = &self.children[place];
        let result = self.means[place] + (random.f32() - 0.5) / 2.0;
        let before = child.visits() as f32;
        child.set_expected((child.expected() * before + result) / (before + 1.0));
        child.set_visits(child.visits() + 1);
        self.total -= result;
        let visits = self.node.visits() + 1;
        self.node.set_expected(self.total / visits as f32);
        self.node.set_visits(visits);
    }
}
