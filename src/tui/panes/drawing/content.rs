//! What is drawn: a toy tree as a whole, or the best lines of a game.

use game::{Game, MoveCode, Side, ToyPosition};
use report::drawing::{Place, Sketch, Stub};

/// What is drawn, node by node; the nodes are those of [`Place::node`].
#[derive(Clone, Debug)]
pub enum Content {
    Toy(ToyPosition),
    Lines(Box<Lines>),
}

/// The best lines of a game.
#[derive(Clone, Debug)]
pub struct Lines {
    pub turn: Side,
    pub sketch: Sketch,
    /// The names of the moves that lead to the branches.
    pub names: Vec<String>,
}

impl Content {
    /// Returns the side to move at the root.
    pub fn turn(&self) -> Side {
        match self {
            Content::Toy(at) => at.turn(),
            Content::Lines(lines) => lines.turn,
        }
    }

    /// Returns the side to move at a depth.
    pub fn side_at(&self, depth: u16) -> Side {
        match (self.turn(), depth % 2) {
            (side, 0) => side,
            (Side::White, _) => Side::Black,
            (Side::Black, _) => Side::White,
        }
    }

    /// Returns a node's name; empty for the root and a stub of a game.
    pub fn name(&self, node: u32) -> &str {
        match self {
            Content::Toy(at) => &at.tree().nodes[node as usize].name,
            Content::Lines(lines) => lines.names.get(node as usize).map_or("", String::as_str),
        }
    }

    /// Returns the value and the spread of a leaf of a toy tree, as in the file.
    pub fn leaf(&self, node: u32) -> Option<(f32, f32)> {
        let Content::Toy(at) = self else { return None };
        let node = &at.tree().nodes[node as usize];
        let leaf = node.children.is_empty();
        leaf.then(|| (node.value.unwrap_or(0.0), node.spread))
    }

    /// Returns the moves for which a stub stands.
    pub fn stub(&self, node: u32) -> Option<&Stub> {
        match self {
            Content::Toy(_) => None,
            Content::Lines(lines) => lines.sketch.branches[node as usize].stub.as_ref(),
        }
    }

    /// Returns the move that leads to a place; `None` for the root and a stub.
    pub fn code(&self, places: &[Place], place: usize) -> Option<MoveCode> {
        let here = &places[place];
        let parent = here.parent?;
        match self {
            Content::Toy(_) => {
                let index = place - places[parent].children.start;
                Some(MoveCode(index as u16))
            }
            Content::Lines(lines) => {
                let branch = &lines.sketch.branches[here.node as usize];
                branch.stub.is_none().then_some(branch.code)
            }
        }
    }

    /// Returns the place of a move at a place, if it is drawn.
    pub fn child(&self, places: &[Place], place: usize, code: MoveCode) -> Option<usize> {
        let mut children = places[place].children.clone();
        children.find(|child| self.code(places, *child) == Some(code))
    }

    /// Whether this is a toy tree.
    pub fn is_toy(&self) -> bool {
        matches!(self, Content::Toy(_))
    }
}
