//! A node as read by the layers above the searches.

use super::{Family, Fate, Node, NodeId, Proof, ProofNumbers, Treatment, Tree, Window};
use game::{MoveCode, Scale, Score, Sided};

/// The figures of a node at one moment, from its side to move's view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeView {
    pub id: NodeId,
    pub parent: NodeId,
    pub move_code: MoveCode,
    pub fate: Fate,
    pub proof: Proof,
    /// Nodes searched in the subtree, as counted by `--nodes`.
    pub nodes: u64,
    /// Visits (best-first) or times entered (depth-first).
    pub visits: u32,
    /// The expected score; `None` if nothing is known yet (a skipped or unvisited move).
    pub expected: Option<f32>,
    /// The value in the unit of the program that told it, where it has no integer score of its own: `score` is only the nearest.
    pub wide: Option<f64>,
    /// The integer score, if the algorithm has one (depth-first) or the bounds prove one.
    pub score: Option<Score>,
    /// The share of the parent's policy, or the prior; in a depth-first tree only if an external engine reported one.
    pub policy: Option<f32>,
    /// Depth-first: the latest window, depth, value and bound.
    pub window: Option<Window>,
    /// Depth-first: the static value, if the search computed it.
    pub static_value: Option<Score>,
    /// Depth-first: the last iteration at this node.
    pub iteration: u8,
    /// Depth-first: whether the static value is above that of two plies before.
    pub improving: bool,
    /// Depth-first: how the parent treated the move, and what an audit found.
    pub treatment: Treatment,
    /// Depth-first: whether it was recorded by a re-search of a node that the user opened.
    pub again: bool,
    /// Best-first: the figure by which DISTRESS chooses (`best_first::distress::Urgency`).
    pub urgency: Option<f32>,
    /// DISTRESS: the depth of the search that valued the node as a leaf; 0 if there was none.
    pub leaf_depth: u8,
    /// Best-first: within how many plies a mate is being looked for, and how far that is from an answer (MCTS).
    pub proof_numbers: Option<(u16, ProofNumbers)>,
    /// The number of recorded children.
    pub children: u16,
    pub has_belief: bool,
    /// The same side is to move as at the parent: the figures are not turned where they are seen from there.
    pub same_side: bool,
}

/// The fate keeps its own view (see [`Fate`]).
impl Sided for NodeView {
    fn turned(self) -> NodeView {
        NodeView {
            proof: self.proof.turned(),
            expected: self.expected.turned(),
            wide: self.wide.map(|value| 0.0 - value),
            score: self.score.turned(),
            window: self.window.turned(),
            static_value: self.static_value.turned(),
            ..self
        }
    }

    /// Returns the figures from the view of the side that moved to the node.
    fn one_ply_up(self) -> NodeView {
        if self.same_side {
            return self;
        }
        NodeView {
            proof: self.proof.one_ply_up(),
            score: self.score.one_ply_up(),
            window: self.window.one_ply_up(),
            ..self.turned()
        }
    }
}

impl Tree {
    /// Reads a node: the root of a depth-first search and its moves as they stood when the last step was finished
    /// ([`Tree::finish_step`]), with the nodes counted up to now; those of a best-first one as they are held; every
    /// other node as it is.
    pub fn view(&self, id: NodeId) -> NodeView {
        let Some(then) = self.node_at_last_step(id) else {
            return self.live_view(id);
        };
        let now = self.node(id);
        if self.family == Family::BestFirst {
            return self.view_of(id, &then);
        }
        then.set_nodes(now.nodes());
        // What was proven since is told unless the step had found something else.
        let (value, proof) = (then.window().value, now.proof());
        if (proof.lower..=proof.upper).contains(&value) {
            then.set_proof(proof);
        }
        NodeView {
            children: now.child_count(),
            ..self.view_of(id, &then)
        }
    }

    /// Reads a node as it is, also within a step.
    pub fn live_view(&self, id: NodeId) -> NodeView {
        self.view_of(id, self.node(id))
    }

    /// Returns the integer score nearest to a value that has none of its own. A node that is shown as it was before may have
    /// had another one.
    pub fn nearest(&self, wide: f64) -> Score {
        match self.scale {
            Scale::Logistic => Score::new(wide as i32),
            Scale::Linear(axis) => axis.score(wide as f32),
        }
    }

    fn view_of(&self, id: NodeId, node: &Node) -> NodeView {
        let fate = node.fate();
        let proof = node.proof();
        let visits = node.visits();
        let known = visits > 0 && !fate.is_skip();
        let exact = proof.is_exact().then_some(proof.lower);
        let mut view = NodeView {
            id,
            parent: node.parent(),
            move_code: node.move_code(),
            fate,
            proof,
            nodes: node.nodes(),
            visits,
            expected: None,
            wide: None,
            score: exact,
            policy: None,
            window: None,
            static_value: None,
            iteration: 0,
            improving: false,
            treatment: Treatment::default(),
            again: false,
            urgency: None,
            leaf_depth: 0,
            proof_numbers: None,
            children: node.child_count(),
            has_belief: self.belief_place(node) != 0,
            same_side: self.is_same_side(id),
        };
        match self.family {
            Family::DepthFirst => {
                (view.static_value, view.iteration) = node.static_and_iteration();
                view.again = node.is_searched_again();
                view.improving = node.is_improving();
                view.treatment = node.treatment();
                // None of plyscope's own depth-first searches has a policy, but an external engine's tree may.
                view.policy = Some(node.policy()).filter(|p| *p > 0.0);
                if known {
                    let window = node.window();
                    // At a root found in the endgame tables, more is proven than its search can show.
                    let value = window
                        .value
                        .clamp(proof.lower, proof.upper.max(proof.lower));
                    view.window = Some(window);
                    view.score = Some(value);
                    view.wide = self.wide(id).filter(|&wide| self.nearest(wide) == value);
                    view.expected = Some(match (self.scale, view.wide) {
                        (Scale::Linear(axis), Some(wide)) => axis.expected(wide),
                        _ => self.scale.expected(value),
                    });
                }
            }
            Family::BestFirst => {
                let policy = Some(node.policy()).filter(|_| id != Tree::ROOT);
                view.policy = policy.filter(|policy| policy.is_sign_positive());
                view.urgency = Some(node.urgency());
                if view.has_belief {
                    view.leaf_depth = node.leaf_depth();
                }
                view.proof_numbers = node.last_proof_numbers();
                if known {
                    view.expected = Some(node.expected());
                }
            }
        }
        if let Some(score) = exact {
            view.expected = Some(self.scale.expected(score));
        }
        view
    }
}
