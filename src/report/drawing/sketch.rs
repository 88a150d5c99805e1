//! The part of a chess tree that is drawn: moves one by one, the others in counted stubs.

use super::Shape;
use game::MoveCode;
use tree::Fate;

/// Some of the moves at a node that are not drawn one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// All of them.
    Rest,
    /// Those whose fate has this letter.
    Fate(char),
}

/// Moves that are not drawn one by one.
#[derive(Clone, Debug, PartialEq)]
pub struct Stub {
    pub part: Part,
    pub count: u32,
    /// The number of moves of each fate, the most frequent first; the numbers in a fate are those of its first move.
    pub fates: Vec<(Fate, u32)>,
}

/// A drawn node: the root, a move, or a stub.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    pub parent: Option<u32>,
    /// The move that leads there; `NONE` at the root and for a stub.
    pub code: MoveCode,
    pub children: Vec<u32>,
    /// The number of moves below it, if it is closed.
    pub hidden: u32,
    pub stub: Option<Stub>,
    /// Whether the search decided not to look at the move.
    pub skipped: bool,
    /// The opened stub that the move came from.
    pub part: Option<Part>,
}

/// What is drawn; the root is the first branch.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Sketch {
    pub branches: Vec<Branch>,
}

impl Shape for Sketch {
    fn children(&self, node: u32) -> &[u32] {
        &self.branches[node as usize].children
    }

    fn hidden(&self, node: u32) -> u32 {
        self.branches[node as usize].hidden
    }
}

impl Sketch {
    /// Returns the moves from the root to a branch; for a stub, to the node it belongs to.
    pub fn path(&self, node: u32) -> Vec<MoveCode> {
        let mut path = Vec::new();
        let mut at = Some(node);
        while let Some(branch) = at.and_then(|at| self.branches.get(at as usize)) {
            if branch.parent.is_some() && branch.stub.is_none() {
                path.push(branch.code);
            }
            at = branch.parent;
        }
        path.reverse();
        path
    }

    /// Returns the branch to which some moves from the root lead, if it is drawn.
    pub fn find(&self, path: &[MoveCode]) -> Option<u32> {
        path.iter()
            .try_fold(0, |at, code| self.child(at, *code))
            .filter(|_| !self.branches.is_empty())
    }

    /// Returns the branch of a move at a drawn node.
    pub fn child(&self, node: u32, code: MoveCode) -> Option<u32> {
        let children = &self.branches.get(node as usize)?.children;
        let is_it = |child: &&u32| {
            let branch = &self.branches[**child as usize];
            branch.stub.is_none() && branch.code == code
        };
        children.iter().find(is_it).copied()
    }
}
