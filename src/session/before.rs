//! What the nodes of a tree were worth when its search last stopped, to find those whose values have changed since.

use game::Scale;
use tree::{Bound, Family, NodeId, Tree};

/// Values are remembered of trees with at most so many nodes: reading them takes less than a frame.
const MOST: u32 = 1_000_000;

/// The values of all nodes of a tree at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Before {
    /// The values of nodes that follow each other, with the id of the first; there are few such runs.
    runs: Vec<(u32, Vec<Worth>)>,
}

/// What a node was worth, from its own view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Worth {
    /// It had no value yet.
    Unknown,
    /// The value in a score's integer unit, and the kind of bound that it is.
    Score(i16, Bound),
    /// The bits of an expected score.
    Expected(u32),
}

impl Worth {
    fn of(tree: &Tree, id: NodeId) -> Worth {
        let node = tree.node(id);
        let proof = node.proof();
        if proof.is_exact() {
            return Worth::Score(proof.lower.raw(), Bound::Exact);
        }
        if node.visits() == 0 || node.fate().is_skip() {
            return Worth::Unknown;
        }
        match tree.family() {
            Family::DepthFirst => {
                let window = node.window();
                Worth::Score(window.value.raw(), window.bound)
            }
            Family::BestFirst => Worth::Expected(node.expected().to_bits()),
        }
    }

    /// Whether two values look different: expected scores by at least the unit of scores, a hundredth of a pawn.
    fn differs(self, other: Worth, scale: Scale) -> bool {
        match (self, other) {
            (Worth::Expected(a), Worth::Expected(b)) => {
                scale.score(f32::from_bits(a)) != scale.score(f32::from_bits(b))
            }
            (a, b) => a != b,
        }
    }
}

impl Before {
    /// Remembers the values of a tree; `None` if it is too large for that.
    pub fn of(tree: &Tree) -> Option<Before> {
        if tree.len() > MOST {
            return None;
        }
        let mut runs: Vec<(u32, Vec<Worth>)> = Vec::new();
        for id in tree.ids() {
            let worth = Worth::of(tree, id);
            match runs.last_mut() {
                Some((first, run)) if id.0 == *first + run.len() as u32 => run.push(worth),
                _ => runs.push((id.0, vec![worth])),
            }
        }
        Some(Before { runs })
    }

    /// Whether the node was in the tree.
    pub fn has(&self, id: NodeId) -> bool {
        self.get(id).is_some()
    }

    fn get(&self, id: NodeId) -> Option<Worth> {
        let mut runs = self.runs.iter();
        runs.find_map(|(first, run)| run.get(id.0.checked_sub(*first)? as usize).copied())
    }

    /// Whether a node is new or its value is not what it was. The root is never new.
    pub fn differs(&self, tree: &Tree, id: NodeId) -> bool {
        match self.get(id) {
            Some(before) => before.differs(Worth::of(tree, id), tree.scale()),
            None => id != Tree::ROOT,
        }
    }
}
