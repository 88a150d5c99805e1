//! One node of the search tree: 64 bytes of atomics.

mod flags;
mod marks;
mod own;

use super::arena::{Chunk, Pooled};
use super::pool::Pool;
use std::sync::atomic::{
    AtomicU32, AtomicU64,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
};

use super::{Fate, Proof, ProofNumbers, Treatment, kind};
use game::{MoveCode, Score};
pub(super) use marks::Mark;

/// The place of a node in the tree's arena.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub u32);

impl NodeId {
    /// No node; used by a search where nothing is recorded.
    pub const NONE: NodeId = NodeId(0);

    #[inline]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// One node. Its fields are independent atomics: a reader sees each field whole, but may see one field as it is now and
/// another as it was a moment ago. Beliefs have to be consistent in themselves and are kept in slots of their own.
///
/// The word `own` belongs to the algorithm's family: the window (depth-first) or the sum of values (MCTS).
///
/// # Orderings
///
/// Some fields publish others. They are written with `Release` and read with `Acquire`, so a thread that reads them
/// also sees what was written before:
///
/// - `first_child` and `next_sibling` publish the children's own fields and the number of children.
/// - `fate`: a node whose fate says that it was expanded, evaluated or proven has its children, its belief and its
///   value. A claim ([`Node::claim`]) is `AcqRel`: if two threads want a leaf, one gets it and sees what the last owner
///   left.
/// - `proof`: the mark that the bounds hold only on this path is set *before* the bounds are tightened by something
///   that depends on the path, and read *after* them. A reader therefore never mistakes a conditional bound for an
///   unconditional one; a mark that is set too early is merely cautious. Bounds are narrowed by a read-modify-write and
///   never widen, so a parent that read older ones proves less, never too much.
/// - `belief` publishes the slot's contents, which have a lock of their own against torn reads.
///
/// Counts and flags that share a word are changed by read-modify-write, so that no change is lost. All other fields are
/// figures for choosing and displaying. Each is complete in itself and says nothing about the others, so `Relaxed` is
/// enough. Fields written by a single thread (`set_visits`, `set_nodes`) need no read-modify-write.
#[repr(align(64))]
#[derive(Debug, Default)]
pub struct Node {
    /// 4 bytes.
    parent: AtomicU32,
    /// 4 bytes; 0 while there are no children.
    first_child: AtomicU32,
    /// 4 bytes; 0 at the last sibling.
    next_sibling: AtomicU32,
    /// 4 bytes: the move code (low half), the number of children recorded (12 bits), and in the highest bits whether
    /// the proven bounds hold only on this path (repetition, fifty moves) and where moves were excluded by hand.
    move_and_children: AtomicU32,
    /// 8 bytes: the nodes searched in the subtree, as counted by `--nodes`, and in the highest bits what the side tables
    /// have of the node ([`Mark`]).
    nodes: AtomicU64,
    /// 8 bytes: the family's own word.
    own: AtomicU64,
    /// 4 bytes: visits (best-first), times entered (depth-first).
    visits: AtomicU32,
    /// 4 bytes: proven bounds.
    proof: AtomicU32,
    /// 8 bytes.
    fate: AtomicU64,
    /// 4 bytes. Best-first: f32, the expected score of the side to move. Depth-first: how the parent treated the move
    /// (low half) and the audit's value (high half).
    expected: AtomicU32,
    /// 4 bytes: the place of the belief, 0 if there is none.
    belief: AtomicU32,
    /// 4 bytes: f32, the share of the parent's policy (or the prior). At MCTS's root, which has none, the nodes spent
    /// on descents guided by proof numbers.
    policy: AtomicU32,
    /// 4 bytes: the figure by which the algorithm chooses (DISTRESS: f32, urgency; MCTS: proof numbers). Depth-first:
    /// the static value (low half) and the last iteration at this node (high half).
    extra: AtomicU32,
}

const _: () = assert!(size_of::<Node>() == 64);

const PATH_DEPENDENT: u32 = 1 << 31;
/// Moves were excluded at this node.
const NARROWED: u32 = 1 << 30;
/// Moves were excluded at a node below this one.
const ABOVE_NARROWED: u32 = 1 << 29;
/// The move to this node was excluded.
const EXCLUDED: u32 = 1 << 28;
/// Marks the place of the policy as a bound: as a policy it would be negative.
const OTHER_BOUND: u32 = 1 << 31;
const FLAGS: u32 = PATH_DEPENDENT | NARROWED | ABOVE_NARROWED | EXCLUDED;

impl Pooled for Node {
    fn pool() -> &'static Pool<Chunk<Self>> {
        static POOL: Pool<Chunk<Node>> = Pool::new();
        &POOL
    }
}

impl Node {
    pub(super) fn set_up(&self, parent: NodeId, m: MoveCode, next_sibling: u32) {
        self.parent.store(parent.0, Relaxed);
        self.move_and_children.store(u32::from(m.0), Relaxed);
        self.next_sibling.store(next_sibling, Relaxed);
        self.proof.store(Proof::OPEN.to_bits(), Relaxed);
    }

    /// Copies the node for another tree; no thread may write to it meanwhile.
    pub(super) fn copy(&self) -> Node {
        let word = |field: &AtomicU32| AtomicU32::new(field.load(Relaxed));
        let long = |field: &AtomicU64| AtomicU64::new(field.load(Relaxed));
        Node {
            parent: word(&self.parent),
            first_child: word(&self.first_child),
            next_sibling: word(&self.next_sibling),
            move_and_children: word(&self.move_and_children),
            nodes: long(&self.nodes),
            own: long(&self.own),
            visits: word(&self.visits),
            proof: word(&self.proof),
            fate: long(&self.fate),
            expected: word(&self.expected),
            belief: word(&self.belief),
            policy: word(&self.policy),
            extra: word(&self.extra),
        }
    }

    fn words(&self) -> [&AtomicU32; 10] {
        [
            &self.parent,
            &self.first_child,
            &self.next_sibling,
            &self.move_and_children,
            &self.visits,
            &self.proof,
            &self.expected,
            &self.belief,
            &self.policy,
            &self.extra,
        ]
    }

    fn longs(&self) -> [&AtomicU64; 3] {
        [&self.nodes, &self.own, &self.fate]
    }

    /// Returns all fields as bits; two nodes are equal if their bits are.
    pub(super) fn bits(&self) -> [u64; 13] {
        let words = self.words().map(|field| u64::from(field.load(Relaxed)));
        let longs = self.longs().map(|field| field.load(Relaxed));
        let mut bits = [0; 13];
        bits[..10].copy_from_slice(&words);
        bits[10..].copy_from_slice(&longs);
        bits
    }

    /// The node with these bits: see [`Node::bits`].
    pub(super) fn of_bits(bits: [u64; 13]) -> Node {
        let node = Node::default();
        for (field, bits) in node.words().into_iter().zip(bits) {
            field.store(bits as u32, Relaxed);
        }
        for (field, bits) in node.longs().into_iter().zip(&bits[10..]) {
            field.store(*bits, Relaxed);
        }
        node
    }

    /// Takes over the whole content of another node; no thread may read or write either meanwhile.
    pub(super) fn assign(&self, from: &Node) {
        for (to, from) in self.words().into_iter().zip(from.words()) {
            to.store(from.load(Relaxed), Relaxed);
        }
        for (to, from) in self.longs().into_iter().zip(from.longs()) {
            to.store(from.load(Relaxed), Relaxed);
        }
    }

    /// Makes this node a root, to which no move leads.
    pub(super) fn become_root(&self) {
        let rest = self.move_and_children.load(Relaxed) & !(0xffff | EXCLUDED);
        let code = u32::from(MoveCode::NONE.0);
        self.move_and_children.store(rest | code, Relaxed);
        self.next_sibling.store(0, Relaxed);
        self.set_parent(NodeId::NONE);
        self.set_policy(0.0);
    }

    pub(super) fn set_parent(&self, parent: NodeId) {
        self.parent.store(parent.0, Relaxed);
    }

    /// Links a child (or block of children), after which other threads see it.
    pub(super) fn set_children(&self, first: u32, count: u16) {
        self.set_child_count(count);
        self.first_child.store(first, Release);
    }

    /// Counts one more child, and returns how many there were. Only a recorder adds children one by one. More than
    /// [`Node::MOST_COUNTED`] are not counted, which only another program's search can have.
    #[inline]
    pub(super) fn count_child(&self) -> u16 {
        let before = self.child_count();
        if before < Self::MOST_COUNTED {
            self.move_and_children.fetch_add(1 << 16, Relaxed);
        }
        before
    }

    /// The most children that are counted.
    pub const MOST_COUNTED: u16 = (1 << 12) - 1;

    /// Links the first child, after which other threads see it.
    #[inline]
    pub(super) fn set_first_child(&self, first: u32) {
        self.first_child.store(first, Release);
    }

    pub(super) fn set_child_count(&self, count: u16) {
        // Keeps the flags, which others may be setting.
        let with_count = |word: u32| Some(word & (0xffff | FLAGS) | u32::from(count) << 16);
        let _ = self
            .move_and_children
            .fetch_update(Relaxed, Relaxed, with_count);
    }

    pub(super) fn set_next_sibling(&self, next: u32) {
        self.next_sibling.store(next, Release);
    }

    #[inline]
    pub fn parent(&self) -> NodeId {
        NodeId(self.parent.load(Relaxed))
    }

    #[inline]
    pub fn first_child(&self) -> NodeId {
        NodeId(self.first_child.load(Acquire))
    }

    #[inline]
    pub fn next_sibling(&self) -> NodeId {
        NodeId(self.next_sibling.load(Acquire))
    }

    #[inline]
    pub fn move_code(&self) -> MoveCode {
        MoveCode(self.move_and_children.load(Relaxed) as u16)
    }

    /// Returns the number of recorded children.
    #[inline]
    pub fn child_count(&self) -> u16 {
        ((self.move_and_children.load(Relaxed) & !FLAGS) >> 16) as u16
    }

    #[inline]
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed) & !Mark::ALL
    }

    #[inline]
    pub fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// Adds visits; safe with several writers.
    #[inline]
    pub fn add_visits(&self, visits: u32) -> u32 {
        self.visits.fetch_add(visits, Relaxed)
    }

    /// Adds nodes, and returns how many there were; safe with several writers.
    #[inline]
    pub fn add_nodes(&self, nodes: u64) -> u64 {
        self.nodes.fetch_add(nodes, Relaxed) & !Mark::ALL
    }

    /// Sets the visits, for a single writer; takes no locked instruction.
    #[inline]
    pub fn set_visits(&self, visits: u32) {
        self.visits.store(visits, Relaxed);
    }

    /// Sets the nodes, for a single writer.
    #[inline]
    pub fn set_nodes(&self, nodes: u64) {
        let marks = self.nodes.load(Relaxed) & Mark::ALL;
        self.nodes.store(marks | nodes, Relaxed);
    }

    #[inline]
    pub fn fate(&self) -> Fate {
        Fate::from_bits(self.fate.load(Acquire))
    }

    #[inline]
    pub fn set_fate(&self, fate: Fate) {
        self.fate.store(fate.to_bits(), Release);
    }

    /// Whether the fate is [`Fate::Expanded`], without unpacking it, since every step of a descent asks this.
    #[inline]
    pub fn is_expanded(&self) -> bool {
        self.fate.load(Acquire) as u8 == kind::Expanded
    }

    /// Whether the node has children or may get them, without unpacking the fate.
    #[inline]
    pub fn is_open(&self) -> bool {
        matches!(
            self.fate.load(Acquire) as u8,
            kind::Unvisited | kind::Frontier | kind::Interrupted | kind::Expanded
        )
    }

    /// Sets the fate only if it is still `from`, which is how a thread claims a leaf for itself.
    #[inline]
    pub fn claim(&self, from: Fate, to: Fate) -> bool {
        self.fate
            .compare_exchange(from.to_bits(), to.to_bits(), AcqRel, Acquire)
            .is_ok()
    }

    #[inline]
    pub fn proof(&self) -> Proof {
        Proof::from_bits(self.proof.load(Acquire))
    }

    /// Replaces the bounds (depth-first, and a new root).
    #[inline]
    pub fn set_proof(&self, proof: Proof) {
        self.proof.store(proof.to_bits(), Release);
    }

    /// Tightens the bounds and returns whether that changed them. They never widen, even while other threads write.
    #[inline]
    pub fn tighten(&self, proof: Proof) -> bool {
        let before = self.proof.load(Relaxed);
        if Proof::from_bits(before).and(proof).to_bits() == before {
            return false;
        }
        self.proof
            .fetch_update(AcqRel, Acquire, |bits| {
                let next = Proof::from_bits(bits).and(proof).to_bits();
                (next != bits).then_some(next)
            })
            .is_ok()
    }

    /// Returns the expected score of the side to move (best-first families).
    #[inline]
    pub fn expected(&self) -> f32 {
        f32::from_bits(self.expected.load(Relaxed))
    }

    #[inline]
    pub fn set_expected(&self, expected: f32) {
        self.expected.store(expected.to_bits(), Relaxed);
    }

    /// MCTS's root: returns the nodes spent on descents guided by proof numbers.
    #[inline]
    pub fn hunted(&self) -> u32 {
        self.policy.load(Relaxed)
    }

    #[inline]
    pub fn add_hunted(&self, nodes: u32) {
        let all = self.hunted().saturating_add(nodes);
        self.policy.store(all, Relaxed);
    }

    /// Returns the bound that a driver of alpha-beta keeps beside the window's, if it is of this iteration. It lies in the
    /// place of a policy, which alpha-beta does not have; the sign says so.
    pub fn other_bound(&self, iteration: u8) -> Option<Score> {
        let bits = self.policy.load(Relaxed);
        let found = bits & OTHER_BOUND != 0 && (bits >> 16) as u8 == iteration;
        found.then(|| Score::from_raw(bits as u16 as i16))
    }

    pub fn set_other_bound(&self, iteration: u8, bound: Option<Score>) {
        let bits = bound.map_or(0, |score| {
            OTHER_BOUND | u32::from(iteration) << 16 | u32::from(score.raw() as u16)
        });
        self.policy.store(bits, Relaxed);
    }

    /// Stands for a prior that another program has not told. It counts as 0.
    pub const NO_POLICY: f32 = -0.0;

    /// Returns the move's share of its parent's policy, or its prior.
    #[inline]
    pub fn policy(&self) -> f32 {
        f32::from_bits(self.policy.load(Relaxed))
    }

    #[inline]
    pub fn set_policy(&self, policy: f32) {
        self.policy.store(policy.to_bits(), Relaxed);
    }

    /// Best-first: returns how much searching below this node is worth by the algorithm's own measure, or 0 if the word
    /// holds proof numbers.
    #[inline]
    pub fn urgency(&self) -> f32 {
        let bits = self.extra.load(Relaxed);
        match ProofNumbers::from_bits(bits) {
            Some(_) => 0.0,
            None => f32::from_bits(bits),
        }
    }

    /// Best-first: returns within how many plies the last search for a mate looked, and how far that question is from
    /// an answer.
    #[inline]
    pub fn last_proof_numbers(&self) -> Option<(u16, ProofNumbers)> {
        ProofNumbers::from_bits(self.extra.load(Relaxed))
    }

    #[inline]
    pub fn set_proof_numbers(&self, plies: u16, numbers: ProofNumbers) {
        self.extra.store(numbers.to_bits(plies), Relaxed);
    }

    #[inline]
    pub fn set_urgency(&self, urgency: f32) {
        self.extra.store(urgency.to_bits(), Relaxed);
    }

    /// Depth-first: returns how the parent treated the move and what an audit of it found.
    #[inline]
    pub fn treatment(&self) -> Treatment {
        Treatment::from_bits(self.expected.load(Relaxed))
    }

    #[inline]
    pub fn set_treatment(&self, treatment: Treatment) {
        self.expected.store(treatment.to_bits(), Relaxed);
    }

    /// Depth-first: returns the static value and the last iteration at this node.
    #[inline]
    pub fn static_and_iteration(&self) -> (Option<Score>, u8) {
        let bits = self.extra.load(Relaxed);
        let score = (bits >> 24 & 1 == 1).then(|| Score::from_raw(bits as u16 as i16));
        (score, (bits >> 16) as u8)
    }

    /// Depth-first: sets the static value and the iteration; `again` says that a re-search writes them.
    #[inline]
    pub fn set_static_and_iteration(
        &self,
        static_value: Option<Score>,
        iteration: u8,
        again: bool,
    ) {
        let score = static_value.map_or(0, |s| u32::from(s.raw() as u16) | 1 << 24);
        let bits = score | u32::from(iteration) << 16 | u32::from(again) << 25;
        self.extra.store(bits, Relaxed);
    }

    /// Depth-first: marks that the side to move stands better than at its last turn. Must be called after
    /// [`Node::set_static_and_iteration`], which clears the mark.
    #[inline]
    pub fn set_improving(&self) {
        let bits = self.extra.load(Relaxed) | 1 << 26;
        self.extra.store(bits, Relaxed);
    }

    #[inline]
    pub fn is_improving(&self) -> bool {
        self.extra.load(Relaxed) >> 26 & 1 == 1
    }

    /// Depth-first: whether the content of this node comes from a re-search.
    #[inline]
    pub fn is_searched_again(&self) -> bool {
        self.extra.load(Relaxed) >> 25 & 1 == 1
    }

    #[inline]
    pub fn belief(&self) -> u32 {
        self.belief.load(Acquire)
    }

    #[inline]
    pub fn set_belief(&self, belief: u32) {
        self.belief.store(belief, Release);
    }
}
