//! The search tree that every algorithm grows: append-only, and readable by any thread at any time.

mod arena;
mod audited;
mod beliefs;
pub mod binary;
mod both;
mod copy;
mod difference;
mod fate;
mod finished;
mod node;
mod numbers;
mod pool;
mod proof;
mod proof_numbers;
mod recorder;
mod rerooting;
mod saved;
mod told;
mod treatment;
mod view;
mod window;

pub use both::both;

pub use beliefs::{BeliefGuard, BeliefSlot};
pub use difference::Difference;
pub use fate::kind;
pub use fate::{
    Bound, Class, Declaration, DeclaredReason, DeclaredUnit, FATE_FAMILIES, FATES, Fate,
    FateFamily, FateInfo, FateRole, Field as FateField, Number, Numbers as FateNumbers, ReasonId,
    Unit as FateUnit, Value, named_fates,
};
pub use finished::Lead;
pub use node::{Node, NodeId};
pub use proof::Proof;
pub use proof_numbers::ProofNumbers;
pub use recorder::Recorder;
pub use told::{Counted, LeftOut, Unexplained, wide_number};
pub use treatment::{Audit, DepthChange, Treatment};
pub use view::NodeView;
pub use window::{Window, told_depth};

use arena::Arena;
use audited::Failures;
use finished::LastStep;
use numbers::NumbersSlot;
use rerooting::Rerooting;
use told::Told;

use belief::{Cdf, Grid, Numbers};
use game::{MoveCode, Scale};

/// The kind of search that grows the tree, which determines what a node's fields mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// Windows, and values with bounds; children are recorded one by one as they are visited.
    DepthFirst,
    /// Visits and expected scores; all children of a node are created at once, side by side.
    BestFirst,
}

/// A search tree. Nodes are never removed and never move; see [`Node`] for what may be read when.
#[derive(Debug)]
pub struct Tree {
    nodes: Arena<Node>,
    beliefs: Arena<BeliefSlot>,
    keeps_beliefs: bool,
    /// The numbers stored with the beliefs, at the same places.
    numbers: Arena<NumbersSlot>,
    family: Family,
    scale: Scale,
    grid: Grid,
    /// Nodes deeper than this many plies are not recorded (`u16::MAX`: all are).
    record_plies: u16,
    /// The nodes at which an audit failed.
    failures: Failures,
    /// The state needed when the game moves on.
    rerooting: Rerooting,
    /// Depth-first: the root and its moves when the last step was finished.
    last_step: LastStep,
    /// Best-first: the root and its moves while they are held.
    held: LastStep,
    /// What another program told beyond the nodes' fields.
    told: Told,
}

/// The parameters of a tree.
#[derive(Clone, Copy, Debug)]
pub struct TreeSpec {
    pub family: Family,
    pub scale: Scale,
    /// Whether the algorithm keeps a belief at each node.
    pub beliefs: bool,
    /// The bytes for nodes and beliefs together.
    pub budget: u64,
    /// Record nodes down to this ply; `u16::MAX` for all.
    pub record_plies: u16,
}

impl Tree {
    /// The root's place in every tree.
    pub const ROOT: NodeId = NodeId(1);

    /// Creates an empty tree with an unvisited root. At least a thousand nodes fit, whatever the budget.
    pub fn new(spec: TreeSpec) -> Self {
        let each = size_of::<Node>()
            + if spec.beliefs {
                size_of::<BeliefSlot>()
            } else {
                0
            };
        let capacity = (spec.budget / each as u64).clamp(1_000, u64::from(u32::MAX / 2)) as u32;
        Tree::with_capacity(spec, capacity)
    }

    /// Creates an empty tree for this many nodes.
    fn with_capacity(spec: TreeSpec, capacity: u32) -> Self {
        let kept = match spec.family {
            Family::DepthFirst => capacity / Recorder::KEPT_SHARE,
            Family::BestFirst => 0,
        };
        let nodes = Arena::new(capacity, kept);
        let root = nodes.allocate(1).expect("room for a root");
        debug_assert_eq!(NodeId(root), Self::ROOT);
        let tree = Tree {
            nodes,
            keeps_beliefs: spec.beliefs,
            beliefs: Arena::new(if spec.beliefs { capacity } else { 1 }, 0),
            numbers: Arena::new(if spec.beliefs { capacity } else { 1 }, 0),
            family: spec.family,
            scale: spec.scale,
            grid: Grid::of(spec.scale.points()),
            record_plies: spec.record_plies,
            failures: Failures::default(),
            rerooting: Rerooting::default(),
            last_step: LastStep::default(),
            held: LastStep::default(),
            told: Told::default(),
        };
        tree.node(Self::ROOT)
            .set_up(NodeId::NONE, MoveCode::NONE, 0);
        tree
    }

    pub fn family(&self) -> Family {
        self.family
    }

    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// Takes the names of a scale that is the same otherwise, since files have none. Returns whether it is.
    pub fn take_names(&mut self, scale: Scale) -> bool {
        let is_like = self.scale.is_like(scale);
        if is_like {
            self.scale = scale;
        }
        is_like
    }

    /// Returns the bins of this tree's beliefs.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    pub fn record_plies(&self) -> u16 {
        self.record_plies
    }

    #[inline]
    pub fn node(&self, id: NodeId) -> &Node {
        self.nodes.get(id.0)
    }

    /// Returns neighbouring nodes that one call of [`Tree::allocate_children`] created.
    #[inline]
    pub fn block(&self, first: NodeId, count: u16) -> &[Node] {
        self.nodes.block(first.0, u32::from(count))
    }

    /// Best-first: returns all children of a node, side by side; none before they are attached.
    #[inline]
    pub fn children_block(&self, node: &Node) -> &[Node] {
        let first = node.first_child();
        if first.is_none() {
            &[]
        } else {
            self.nodes.block(first.0, u32::from(node.child_count()))
        }
    }

    /// Whether `id` is a node of this tree.
    pub fn contains(&self, id: NodeId) -> bool {
        self.nodes.contains(id.0)
    }

    /// The number of nodes, including those of re-searches and those left behind ([`Tree::move_root`]), and of places
    /// skipped at the ends of chunks. So ids are not always `1..=len`; see [`Tree::ids`].
    pub fn len(&self) -> u32 {
        self.nodes.len()
    }

    /// Counts the nodes that can be reached from the root, which takes time in proportion.
    pub fn count(&self) -> u32 {
        let (mut count, mut open) = (1, Vec::new());
        let mut next = self.node(Self::ROOT).first_child();
        loop {
            if next.is_none() {
                match open.pop() {
                    Some(sibling) => next = sibling,
                    None => return count,
                }
            }
            // Each node is looked at once, mostly in the order in which they lie.
            let node = self.node(next);
            count += 1;
            let sibling = node.next_sibling();
            next = node.first_child();
            if next.is_none() {
                next = sibling;
            } else if !sibling.is_none() {
                open.push(sibling);
            }
        }
    }

    /// Returns all places handed out, in order: nodes, and places that are not used (yet).
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + '_ {
        let given_out = self.nodes.used().into_iter().flatten();
        given_out.map(NodeId).filter(|&id| self.contains(id))
    }

    pub fn is_empty(&self) -> bool {
        self.len() <= 1
    }

    /// Whether the budget is used up, so that the next children may find no room. Room reserved for re-searches does
    /// not count.
    pub fn is_full(&self) -> bool {
        self.nodes.left() < Recorder::LOT && !self.rerooting.has_places()
    }

    /// The number of nodes that fit into the budget, including the room reserved for re-searches.
    pub fn capacity(&self) -> u32 {
        self.nodes.capacity()
    }

    /// The bytes taken for nodes, beliefs and numbers.
    pub fn bytes(&self) -> u64 {
        self.nodes.bytes() + self.beliefs.bytes() + self.numbers.bytes_reached() + self.told.bytes()
    }

    /// Best-first: makes room for all children of one node side by side, invisible until [`Tree::attach`]. Returns
    /// `None` if the budget is used up.
    pub fn allocate_children(
        &self,
        parent: NodeId,
        moves: impl ExactSizeIterator<Item = MoveCode>,
    ) -> Option<NodeId> {
        let count = moves.len() as u32;
        let first = self.nodes.allocate(count);
        let first = first.or_else(|| self.take_left_behind(count))?;
        let nodes = self.nodes.block(first, count);
        for ((node, m), next) in nodes.iter().zip(moves).zip(first + 1..) {
            node.set_up(parent, m, if next < first + count { next } else { 0 });
        }
        Some(NodeId(first))
    }

    /// Makes the children visible to all threads.
    pub fn attach(&self, parent: NodeId, first: NodeId, count: u16) {
        self.node(parent).set_children(first.0, count);
    }

    /// Allocates neighbouring belief slots for the children of one node; `None` if the budget is used up.
    pub fn allocate_beliefs(&self, count: u32) -> Option<u32> {
        let first = self.beliefs.allocate(count);
        first.or_else(|| self.take_beliefs_left_behind(count))
    }

    /// Returns the place of a node's belief, 0 if it has none. In a tree without beliefs a search may keep a number of its
    /// own there ([`Node::second`]).
    pub fn belief_place(&self, node: &Node) -> u32 {
        if self.keeps_beliefs { node.belief() } else { 0 }
    }

    /// Returns the belief slot at a place that [`Tree::allocate_beliefs`] handed out.
    #[inline]
    pub fn belief_slot(&self, place: u32) -> &BeliefSlot {
        self.beliefs.get(place)
    }

    /// Returns the numbers stored with the belief at a place, from the same view as that belief; `None` if there are
    /// none.
    pub fn numbers(&self, place: u32) -> Option<[f64; Numbers::MOST]> {
        let kept = self.numbers.try_get(place)?;
        numbers::numbers(self.belief_slot(place).consistent(|| kept.load()))
    }

    /// Stores numbers with the belief at a place. The caller must hold its slot ([`BeliefSlot::lock`]).
    pub fn set_numbers(&self, place: u32, numbers: [f64; Numbers::MOST]) {
        self.numbers.reach(place).store(numbers);
    }

    /// The belief's place is free again.
    fn forget_numbers(&self, place: u32) {
        if let Some(numbers) = self.numbers.try_get(place) {
            numbers.clear();
        }
    }

    /// Returns how strongly the move to the node with the belief at this place is believed to be optimal; `None` if
    /// nothing was stored.
    pub fn optimal(&self, place: u32) -> Option<f64> {
        self.numbers.try_get(place)?.optimal()
    }

    /// Stores how strongly that move is believed to be optimal.
    pub fn set_optimal(&self, place: u32, b: f64) {
        self.numbers.reach(place).set_optimal(b);
    }

    /// Returns the node's stored belief, from its side to move's view. `None` if the algorithm keeps none.
    ///
    /// Slots hold beliefs from the view of the side that moved *to* the node (the parent's view), because that is how
    /// back-ups read them; this includes the root.
    ///
    /// As [`Tree::view`], this is the belief of the last finished step.
    pub fn belief(&self, id: NodeId) -> Option<Cdf> {
        match self.belief_at_last_step(id) {
            Some(then) => then.map(|belief| belief.negated()),
            None => self.live_belief(id),
        }
    }

    /// Returns [`Tree::belief`] as it is now, also within a step.
    pub fn live_belief(&self, id: NodeId) -> Option<Cdf> {
        let place = self.belief_place(self.node(id));
        if place == 0 {
            return None;
        }
        let slot = self.beliefs.get(place);
        slot.is_written().then(|| slot.read().negated())
    }

    /// Has the processor fetch a node's first child and next sibling, one of which a depth-first search will probably enter next.
    #[inline]
    pub fn prefetch_around(&self, node: &Node) {
        self.nodes.prefetch(node.first_child().0);
        self.nodes.prefetch(node.next_sibling().0);
    }

    /// Returns the recorded children, in the order in which they were recorded.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.siblings(self.node(id).first_child()).map(|(id, _)| id)
    }

    /// Returns the children of one node from `first` on; none after `NONE`.
    #[inline]
    fn siblings(&self, first: NodeId) -> impl Iterator<Item = (NodeId, &Node)> {
        let known = |id: NodeId| (!id.is_none()).then(|| (id, self.node(id)));
        std::iter::successors(known(first), move |(_, node)| known(node.next_sibling()))
    }

    /// Returns the recorded child reached by a move.
    pub fn child_by_move(&self, id: NodeId, m: MoveCode) -> Option<NodeId> {
        self.children(id)
            .find(|&child| self.node(child).move_code() == m)
    }

    /// Returns the nodes from the root (included) down to `id`.
    pub fn path(&self, id: NodeId) -> Vec<NodeId> {
        let mut path: Vec<NodeId> = std::iter::successors(Some(id), |&n| {
            let parent = self.node(n).parent();
            (!parent.is_none()).then_some(parent)
        })
        .collect();
        path.reverse();
        path
    }

    /// Returns the moves from the root to `id`.
    pub fn moves_to(&self, id: NodeId) -> Vec<MoveCode> {
        self.path(id)
            .into_iter()
            .skip(1)
            .map(|n| self.node(n).move_code())
            .collect()
    }

    /// Returns the ply of a node: 0 at the root.
    pub fn ply(&self, id: NodeId) -> u16 {
        (self.path(id).len() - 1) as u16
    }
}
