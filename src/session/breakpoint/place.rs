//! Places in a tree, named by moves from its root.

use std::fmt;

use game::MoveCode;
use search::Event;
use tree::{NodeId, Tree};

/// A node named by the moves that lead to it from the tree's root.
#[derive(Clone, Debug)]
pub(super) struct NamedNode {
    pub moves: Box<[MoveCode]>,
    /// The moves in the usual notation.
    pub text: String,
    /// The index of its [`Finder`] in a matcher.
    pub slot: usize,
}

impl PartialEq for NamedNode {
    fn eq(&self, other: &Self) -> bool {
        self.moves == other.moves
    }
}

/// Writes the moves in quotes, so that they can be parsed again.
impl fmt::Display for NamedNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quote = if self.text.contains('"') { '\'' } else { '"' };
        write!(f, "{quote}{}{quote}", self.text)
    }
}

impl NamedNode {
    /// Whether the event happened exactly here. The pruning of a move happens both at the move's parent and at its own
    /// place.
    pub fn is_of(&self, event: &Event, tree: &Tree) -> bool {
        is_reached_by(tree, event.node(), &self.moves) || self.is_pruned_by(event, tree)
    }

    /// Whether the event is the pruning of exactly this move.
    pub fn is_pruned_by(&self, event: &Event, tree: &Tree) -> bool {
        match (event, self.moves.split_last()) {
            (&Event::Prune { parent, m, .. }, Some((&last, before))) => {
                m == last && is_reached_by(tree, parent, before)
            }
            _ => false,
        }
    }

    /// Whether the event happened here or below, determined without knowing the place's node.
    pub fn is_above(&self, event: &Event, tree: &Tree) -> bool {
        let ply = ply(tree, event.node());
        let Some(below) = ply.checked_sub(self.moves.len()) else {
            return self.is_pruned_by(event, tree);
        };
        let mut id = event.node();
        for _ in 0..below {
            id = tree.node(id).parent();
        }
        is_reached_by(tree, id, &self.moves) || self.is_pruned_by(event, tree)
    }
}

/// Whether exactly these moves lead from the root to `id`. Looks no further up than the last move that differs.
fn is_reached_by(tree: &Tree, mut id: NodeId, moves: &[MoveCode]) -> bool {
    for &m in moves.iter().rev() {
        let node = tree.node(id);
        if id == Tree::ROOT || node.move_code() != m {
            return false;
        }
        id = node.parent();
    }
    id == Tree::ROOT
}

/// Like [`Tree::ply`], but without building the path.
pub(super) fn ply(tree: &Tree, mut id: NodeId) -> usize {
    let mut plies = 0;
    while id != Tree::ROOT && !id.is_none() {
        id = tree.node(id).parent();
        plies += 1;
    }
    plies
}

/// Finds a place's node as the tree grows, for a tree with one writer. What was found is kept, and a node whose
/// children were scanned is scanned again only when it has more children.
#[derive(Clone, Debug)]
pub(super) struct Finder {
    /// The deepest node found so far on the way to the place.
    at: NodeId,
    /// The ply of that node.
    ply: usize,
    /// The number of its children when they were scanned.
    looked_through: u16,
    /// The node of the last query, and whether it is the place or below it.
    last: (NodeId, bool),
}

impl Finder {
    pub fn new() -> Finder {
        Finder {
            at: Tree::ROOT,
            ply: 0,
            looked_through: 0,
            last: (NodeId::NONE, false),
        }
    }

    /// Returns the place's node, or `None` while it is not in the tree.
    #[inline]
    pub fn node(&mut self, place: &NamedNode, tree: &Tree) -> Option<NodeId> {
        while self.ply < place.moves.len() {
            let children = tree.node(self.at).child_count();
            if children == self.looked_through {
                return None;
            }
            self.looked_through = children;
            self.at = tree.child_by_move(self.at, place.moves[self.ply])?;
            self.ply += 1;
            self.looked_through = 0;
        }
        Some(self.at)
    }

    /// Whether `id` is the place's node or below it. Successive events happen at neighbouring nodes, so the answer for
    /// the previous node is nearly always enough.
    #[inline]
    pub fn is_above(&mut self, place: &NamedNode, tree: &Tree, id: NodeId) -> bool {
        let Some(top) = self.node(place, tree) else {
            return false;
        };
        let (last, was_below) = self.last;
        let below = if id == last || id == top {
            was_below || id == top
        } else if tree.node(id).parent() == last {
            was_below
        } else if !last.is_none() && tree.node(last).parent() == id {
            // `id` itself is not the top.
            was_below && last != top
        } else {
            is_below(tree, top, id)
        };
        self.last = (id, below);
        below
    }
}

fn is_below(tree: &Tree, top: NodeId, mut id: NodeId) -> bool {
    while id != top && !id.is_none() {
        id = tree.node(id).parent();
    }
    id == top
}
