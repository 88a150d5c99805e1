//! Toy trees: small trees from the user's `.tree` files that can be checked by hand.

mod points;

use std::sync::Arc;

pub use points::points;

use super::{Checks, ChessKnowledge, Ending, Game, MoveCode, Moves, Scale, Score, Side};

/// A complete toy tree, shared by all positions in it.
#[derive(Debug, PartialEq)]
pub struct ToyTree {
    /// Node 0 is the root; children are in file order.
    pub nodes: Vec<ToyNode>,
    /// Who moves at the root: `max` is White.
    pub root_side: Side,
    pub scale: Scale,
    /// Plies from the root to the deepest leaf.
    pub height: u16,
    /// The mean and standard deviation of all leaves, from White's view, in the file's unit. An evaluation that knows
    /// nothing about a place gives these for an inner node without a value of its own.
    pub leaf_mean: f32,
    pub leaf_sd: f32,
}

/// One node of a toy tree.
#[derive(Debug, PartialEq)]
pub struct ToyNode {
    pub name: String,
    /// From White's (Max's) view, in the file's unit. Every leaf has a value.
    pub value: Option<f32>,
    /// The standard deviation of the value, in the file's unit; 0 for an exact value.
    pub spread: f32,
    pub children: Vec<u32>,
    pub parent: Option<u32>,
}

/// A place in a toy tree.
#[derive(Clone, Debug)]
pub struct ToyPosition {
    tree: Arc<ToyTree>,
    node: u32,
    side: Side,
}

impl ToyPosition {
    pub fn root(tree: Arc<ToyTree>) -> Self {
        let side = tree.root_side;
        ToyPosition {
            tree,
            node: 0,
            side,
        }
    }

    /// Returns the moves from the root to this place.
    pub fn way(&self) -> Vec<MoveCode> {
        let mut moves = Vec::new();
        let mut at = self.node;
        while let Some(parent) = self.tree.nodes[at as usize].parent {
            let mut siblings = self.tree.nodes[parent as usize].children.iter();
            moves.extend(
                siblings
                    .position(|&child| child == at)
                    .map(|i| MoveCode(i as u16)),
            );
            at = parent;
        }
        moves.reverse();
        moves
    }

    pub fn tree(&self) -> &ToyTree {
        &self.tree
    }

    pub fn node(&self) -> &ToyNode {
        &self.tree.nodes[self.node as usize]
    }

    /// The node's index in the order of its tree's file.
    pub fn index(&self) -> u32 {
        self.node
    }

    /// A value from the file (in White's view) as a score for this position's side to move.
    pub fn score_of(&self, value: f32) -> Score {
        let score = self.tree.scale.score_of_units(value);
        match self.side {
            Side::White => score,
            Side::Black => -score,
        }
    }
}

impl ChessKnowledge<u16> for ToyPosition {}

impl Game for ToyPosition {
    /// The index among the children.
    type Move = u16;

    fn turn(&self) -> Side {
        self.side
    }

    fn legal_moves(&self) -> Moves<u16> {
        (0..self.node().children.len() as u16).collect()
    }

    fn play(&mut self, m: u16) {
        self.node = self.node().children[m as usize];
        self.side = self.side.other();
    }

    /// Every place has a key of its own, because a toy tree has no transpositions.
    fn key(&self) -> u64 {
        (u64::from(self.node) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn ending(&self, _: bool) -> Option<Ending> {
        (self.node().children.is_empty() && self.node().spread == 0.0).then_some(Ending::Leaf)
    }

    fn ending_score(&self, _: Ending) -> Score {
        self.score_of(self.node().value.unwrap_or(0.0))
    }

    /// No leaf is a win, because each has a value.
    fn may_win(&self, _: &Checks, _: u16) -> bool {
        false
    }

    fn encode(&self, m: u16) -> MoveCode {
        MoveCode(m)
    }

    fn decode(&self, code: MoveCode) -> Option<u16> {
        (usize::from(code.0) < self.node().children.len()).then_some(code.0)
    }

    fn label(&self, m: u16) -> String {
        self.tree.nodes[self.node().children[m as usize] as usize]
            .name
            .clone()
    }

    fn scale(&self) -> Scale {
        self.tree.scale
    }

    fn side_name(&self, side: Side) -> &'static str {
        match side {
            Side::White => "Max",
            Side::Black => "Min",
        }
    }

    fn is_same_game(&self, other: &ToyPosition) -> bool {
        Arc::ptr_eq(&self.tree, &other.tree) || self.tree == other.tree
    }

    fn height(&self) -> Option<u16> {
        Some(self.tree.height)
    }

    fn written(&self) -> Option<(String, Vec<MoveCode>)> {
        Some((self.tree.to_text(), self.way()))
    }

    fn static_values(&self) -> Vec<f32> {
        let Scale::Linear(axis) = self.tree.scale else {
            return Vec::new();
        };
        let values = self.tree.nodes.iter();
        let values = values.map(|node| node.value.unwrap_or(self.tree.leaf_mean) / axis.range());
        match self.side {
            Side::White => values.collect(),
            Side::Black => values.map(|v| -v).collect(),
        }
    }
}
