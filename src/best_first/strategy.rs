//! What an algorithm adds to the loop that several best-first searches share ([`super::driver`]).

use super::leaf_belief::LeafBelief;
use super::prior::Prior;
use super::search_thread::FORGET_AFTER;
use eval::Evaluator;
use game::Game;
use search::algorithm::AlgorithmInfo;
use search::explanation::{Explanation, NamedNumbers, Reading};
use search::{Aim, Job, StopReason};
use tree::{Node, NodeId, Tree};

/// What distinguishes one such search from another.
///
/// A node that can still grow has an urgency above 0: a leaf by itself, an inner node where one of its children has. What
/// a strategy keeps of a node besides its value stands in the node's own word ([`Node::pair`], [`Node::word`]), so that a
/// run can be taken up again on the tree alone.
pub trait Strategy: Sized {
    /// Its row in the table of algorithms.
    const INFO: AlgorithmInfo;

    /// See [`Implementation::COLUMNS`](search::algorithm::Implementation::COLUMNS).
    const COLUMNS: &'static [&'static str] = &[];

    /// Whether leaves get a belief: it is computed only for strategies that look at it in [`Strategy::settle`].
    const BELIEFS: bool = false;

    /// Whether this search looks at them: as [`Strategy::BELIEFS`] says, or only where an option asks for it.
    fn asks_beliefs(&self) -> bool {
        Self::BELIEFS
    }

    /// The number of descents after which the leaves' searches forget: fewer where descents are long, because only then can
    /// a run be taken up elsewhere.
    const FORGETS_AFTER: u32 = FORGET_AFTER;

    fn new<G: Game, E: Evaluator<G>>(job: &Job<G, E>) -> Self;

    /// Called before each descent, once the root is expanded: what the descent is for, which is reported. Without one, the
    /// descent goes where [`Strategy::choose`] leads it.
    ///
    /// # Errors
    /// The reason for which the search ends here.
    fn plan(&mut self, _tree: &Tree) -> Result<Option<Aim>, StopReason> {
        Ok(None)
    }

    /// The child of an expanded node to which a descent goes on. `None` ends the search: nothing here can grow.
    fn choose(&self, tree: &Tree, id: NodeId) -> Option<NodeId>;

    /// Called when a node got its first value, or an exact one: what is believed about it.
    fn settle(&self, _tree: &Tree, _id: NodeId, _belief: &LeafBelief) {}

    /// By which prior a node's children are ordered if none of them is evaluated before a descent comes to it: for a search
    /// that does not choose by values. Without a prior an expansion evaluates them all.
    fn prior(&self) -> Option<Prior> {
        None
    }

    /// The prior of moves that are all evaluated at once, for a strategy that looks at it in [`Strategy::note_prior`].
    fn first_priors(&self) -> Option<&Prior> {
        None
    }

    /// Called for each new child with its share of [`Strategy::first_priors`].
    fn note_prior(&self, _tree: &Tree, _id: NodeId, _share: f32) {}

    /// Whether moves that are all evaluated at once stand in the order of their first values, best first, rather than in
    /// the game's.
    fn best_first_value_first(&self) -> bool {
        false
    }

    /// How often a formula had no finite value since this was asked last.
    fn take_undefined(&self) -> u64 {
        0
    }

    /// With a prior: whether only a mate with the next move can matter at a node whose moves were not looked at yet.
    fn asks_for_mate_at_once(&self, _tree: &Tree, _id: NodeId) -> bool {
        false
    }

    /// With a prior: whether [`Strategy::note_moves`] is called for new nodes. Each move that is made for that counts as a
    /// node.
    fn counts_moves(&self) -> bool {
        false
    }

    /// Called after [`Strategy::settle`] for each new child: how many moves its side to move has.
    fn note_moves(&self, _tree: &Tree, _id: NodeId, _moves: usize) {}

    /// Called when an expanded node's children changed: what the node is worth to its side to move, by them.
    fn back_up(&self, tree: &Tree, id: NodeId) -> f32;

    /// How much a move is preferred to its siblings: the move that is played has the most.
    fn favour(&self, child: &Node) -> f32 {
        -child.expected()
    }

    /// Called between two runs, after nodes were backed up anew because moves were taken out or let in again.
    fn renewed(_tree: &Tree, _nodes: &[NodeId]) {}

    /// See [`Implementation::explain`](search::algorithm::Implementation::explain).
    fn explain(reading: &Reading, node: NodeId) -> Explanation;

    /// See [`Implementation::figure`](search::algorithm::Implementation::figure).
    fn figure(_reading: &Reading, _node: NodeId, _name: &str) -> Option<f64> {
        None
    }

    /// See [`Implementation::kept`](search::algorithm::Implementation::kept).
    fn kept(_reading: &Reading, _node: NodeId) -> Option<NamedNumbers> {
        None
    }

    /// See [`Implementation::interval`](search::algorithm::Implementation::interval).
    fn interval(_tree: &Tree, _node: NodeId) -> Option<(f32, f32)> {
        None
    }

    /// See [`Implementation::moments`](search::algorithm::Implementation::moments).
    fn moments(_tree: &Tree, _node: NodeId) -> Option<(f32, f32)> {
        None
    }
}
