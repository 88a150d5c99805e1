//! What the rules of the root's game say about the nodes of another program's search: whether they have its move, and which
//! nodes are the same position. Nothing of it is kept: it is found when a node is shown, looked for or stopped at.

use std::fmt;
use std::sync::Arc;

use super::Reader;
use game::{ChessPosition, Game as _};
use search::AnyPosition;
use tree::{NodeId, Tree};

/// The root of a search, for asking whether moves are legal. There are rules in chess alone.
#[derive(Clone)]
pub(crate) struct Rules(Arc<ChessPosition>);

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Rules").field(&self.0.fen()).finish()
    }
}

impl PartialEq for Rules {
    fn eq(&self, other: &Rules) -> bool {
        self.0.fen() == other.0.fen()
    }
}

impl Rules {
    pub fn of(root: &AnyPosition) -> Option<Rules> {
        root.as_chess().cloned().map(Arc::new).map(Rules)
    }

    /// Returns the position at a node; `None` behind an illegal move.
    fn position(&self, tree: &Tree, id: NodeId) -> Option<ChessPosition> {
        let mut moves = tree.moves_to(id).into_iter();
        moves.try_fold(ChessPosition::clone(&self.0), |at, code| {
            at.after_checked(code)
        })
    }

    /// Whether the rules do not have a node's move, in a position that they have.
    pub fn forbid(&self, tree: &Tree, id: NodeId) -> bool {
        let code = tree.node(id).move_code();
        let parent = tree.node(id).parent();
        !parent.is_none()
            // And not a null move, a rule's search or the same position.
            && code.is_move()
            && (self.position(tree, parent)).is_some_and(|at| !at.has_move(code))
    }

    /// Whether the rules do not have one of the moves recorded at a node.
    pub fn forbid_any_at(&self, tree: &Tree, parent: NodeId) -> bool {
        let Some(at) = self.position(tree, parent) else {
            return false;
        };
        let mut codes = tree
            .children(parent)
            .map(|child| tree.node(child).move_code());
        codes.any(|code| code.is_move() && !at.has_move(code))
    }
}

/// What tells a position from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// The key that the program told.
    Told(u64),
    /// The key of the position by the rules.
    Own(u64),
}

impl Reader<'_> {
    /// Whether a node's move is one that the rules do not have, as another program may make it: an engine that finds out by
    /// capturing the king. Nothing is known of moves behind it.
    pub fn is_illegal(&self, id: NodeId) -> bool {
        self.is_told()
            && self.tree.contains(id)
            && Rules::of(&self.subject.position).is_some_and(|rules| rules.forbid(self.tree, id))
    }

    /// Returns what tells a node's position from others: the key that the program told, or that of the rules. `None` behind an
    /// illegal move.
    pub fn key(&self, id: NodeId) -> Option<Key> {
        match self.tree.told_key(id) {
            Some(told) => Some(Key::Told(told)),
            None => Some(Key::Own(self.situation(id)?.position.key())),
        }
    }

    /// Whether a node is the position of this key.
    pub(crate) fn is_at(&self, id: NodeId, key: Key) -> bool {
        match key {
            Key::Told(told) => self.tree.told_key(id) == Some(told),
            Key::Own(_) => self.key(id) == Some(key),
        }
    }
}
