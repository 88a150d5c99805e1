//! Records the tree of a depth-first search: children one by one, as the search reaches them.

use super::{Node, NodeId, Tree};
use game::MoveCode;

/// A thread's recorder for a depth-first tree. It takes places in small lots, so that threads do not contend for the
/// arena.
#[derive(Debug)]
pub struct Recorder<'a> {
    tree: &'a Tree,
    /// The places taken that are still empty, and the number of the first of them.
    lot: &'a [Node],
    next: u32,
    /// Whether this recorder writes to the room reserved for re-searches.
    again: bool,
    /// The number of nodes that were visited but found no room.
    pub unrecorded: u64,
    /// For each ply, what is known about the children recorded there last.
    siblings: Box<[Siblings; SIBLING_PLIES]>,
    /// For each ply, the node created or found there last: the line from the root to the present node.
    line: Box<[Option<(NodeId, &'a Node)>; SIBLING_PLIES]>,
}

const SIBLING_PLIES: usize = 128;

/// The children of one node as a recorder last saw them: enough to recognise most new moves as new without going
/// through all of them.
#[derive(Clone, Copy, Debug)]
struct Siblings {
    parent: NodeId,
    last: NodeId,
    /// The number of children then; other recorders may have added some since.
    count: u16,
    /// One bit per move, chosen by a hash.
    moves: u128,
}

impl Siblings {
    const NONE: Siblings = Siblings {
        parent: NodeId::NONE,
        last: NodeId::NONE,
        count: 0,
        moves: 0,
    };

    #[inline]
    fn bit(m: MoveCode) -> u128 {
        1 << (m.0.wrapping_mul(0x9e37) >> 9)
    }

    #[inline]
    fn may_have(&self, m: MoveCode) -> bool {
        self.moves & Siblings::bit(m) != 0
    }

    #[inline]
    fn add(&mut self, id: NodeId, m: MoveCode) {
        self.last = id;
        self.moves |= Siblings::bit(m);
    }
}

impl<'a> Recorder<'a> {
    pub(super) const LOT: u32 = 256;
    /// The lot size for re-searches: there are many of them, and most are small.
    const LOT_AGAIN: u32 = 16;
    /// One in this many places is reserved for re-searches.
    pub(super) const KEPT_SHARE: u32 = 16;

    pub fn new(tree: &'a Tree) -> Self {
        Recorder {
            tree,
            lot: &[],
            next: 0,
            again: false,
            unrecorded: 0,
            siblings: Box::new([Siblings::NONE; SIBLING_PLIES]),
            line: Box::new([None; SIBLING_PLIES]),
        }
    }

    /// Creates a recorder for re-searching nodes that the user opens. It only writes to the room reserved for that, at
    /// the end of the arena, so the search's own nodes get the same ids whether or not the user opens nodes.
    ///
    /// One difference remains. If the search itself later reaches the region below an opened node, it finds the
    /// re-search's children ([`Recorder::child`]) instead of creating them: these keep their ids in the reserved room,
    /// and nodes created later get lower ids than without the re-search. The search behaves the same in either case,
    /// because a depth-first search makes no decision based on the tree. But a comparison of ids with those of a run in
    /// which nothing was opened must start from a tree without re-searched nodes.
    pub fn for_search_again(tree: &'a Tree) -> Self {
        Recorder {
            again: true,
            ..Recorder::new(tree)
        }
    }

    pub fn tree(&self) -> &'a Tree {
        self.tree
    }

    /// The node, which is at `ply`; found at once if this recorder returned it there last.
    #[inline]
    pub fn node(&self, id: NodeId, ply: u16) -> &'a Node {
        match self.line[usize::from(ply) % SIBLING_PLIES] {
            Some((last, node)) if last == id => node,
            _ => self.tree.node(id),
        }
    }

    /// Returns the child of `parent` by `m`: the one recorded at an earlier visit, or a new one after the others.
    /// `after` is the sibling recorded or found last (`NONE` at the first). Returns `NONE` if the parent is not
    /// recorded, the ply is too deep, or the budget is used up.
    ///
    /// Looking from `after` on takes a single step as long as the moves come in the same order as at the last visit. If
    /// it has to look at all siblings, what it found is remembered for the next move.
    #[inline]
    pub fn child(&mut self, parent: NodeId, after: NodeId, m: MoveCode, ply: u16) -> NodeId {
        if parent.is_none() || ply > self.tree.record_plies {
            return NodeId::NONE;
        }
        let place = usize::from(ply) % SIBLING_PLIES;
        let parent_node = self.node(parent, ply.wrapping_sub(1));
        let start = if after.is_none() {
            parent_node.first_child()
        } else {
            self.node(after, ply).next_sibling()
        };
        if !start.is_none() {
            let node = self.tree.node(start);
            if node.move_code() == m {
                self.line[place] = Some((start, node));
                return start;
            }
        }
        let known = &self.siblings[place];
        if known.parent == parent && known.count == parent_node.child_count() && !known.may_have(m)
        {
            let last = known.last;
            return self.append(parent, parent_node, last, m, place);
        }
        let mut known = Siblings {
            parent,
            count: parent_node.child_count(),
            ..Siblings::NONE
        };
        for (id, node) in self.tree.siblings(parent_node.first_child()) {
            if node.move_code() == m {
                self.line[place] = Some((id, node));
                return id;
            }
            known.add(id, node.move_code());
        }
        self.siblings[place] = known;
        self.append(parent, parent_node, known.last, m, place)
    }

    /// Adds a new child after `last`, by a move that leads to none of the children.
    fn append(
        &mut self,
        parent: NodeId,
        parent_node: &Node,
        last: NodeId,
        m: MoveCode,
        place: usize,
    ) -> NodeId {
        let Some(node) = self.take() else {
            self.unrecorded += 1;
            return NodeId::NONE;
        };
        let id = self.next;
        self.next += 1;
        node.set_up(parent, m, 0);
        let count = parent_node.count_child() + 1;
        if last.is_none() {
            parent_node.set_first_child(id);
        } else {
            self.node(last, place as u16).set_next_sibling(id);
        }
        self.line[place] = Some((NodeId(id), node));
        let known = &mut self.siblings[place];
        known.count = count;
        known.add(NodeId(id), m);
        NodeId(id)
    }

    /// Takes the next empty place, that of number `next`.
    #[inline]
    fn take(&mut self) -> Option<&'a Node> {
        if self.lot.is_empty() {
            let nodes = &self.tree.nodes;
            let (count, first) = if self.again {
                (Self::LOT_AGAIN, nodes.allocate_kept(Self::LOT_AGAIN))
            } else {
                (Self::LOT, nodes.allocate(Self::LOT))
            };
            self.next = first?;
            self.lot = nodes.block(self.next, count);
        }
        let (node, rest) = self.lot.split_first()?;
        self.lot = rest;
        Some(node)
    }
}
