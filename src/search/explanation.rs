//! What an algorithm has to say of a node, as plain data: whoever shows it need not know which algorithm said it.
//!
//! Numbers come with the unit they are to be written in, and moves as the nodes they lead to: how a number looks and what
//! a move is called is up to the screen.

use std::borrow::Cow;

use super::Options;
use crate::belief::Density;
use crate::eval::fitted::Features;
use crate::game::Score;
use crate::search::Subject;
use crate::tree::{NodeId, Tree};

/// What an algorithm explains its nodes from.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'a> {
    pub tree: &'a Tree,
    /// The position at the tree's root.
    pub subject: &'a Subject,
    pub options: &'a Options,
    pub viewpoint: Viewpoint,
    /// The search's seed where it is known: then what was drawn by chance can be drawn again.
    pub seed: Option<u64>,
}

/// Whose gain is positive in the numbers of an explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewpoint {
    /// The side to move at the node.
    Own,
    /// The side that moved to the node.
    Mover,
}

impl Reading<'_> {
    /// The position at a node with the game that led there. `None` if the node is not of this tree.
    #[must_use]
    pub fn situation(&self, id: NodeId) -> Option<Subject> {
        if !self.tree.contains(id) {
            return None;
        }
        let mut subject = self.subject.clone();
        let moves = self.tree.moves_to(id);
        moves
            .into_iter()
            .all(|m| subject.follow(m))
            .then_some(subject)
    }

    /// An expected score of the side to move, seen from the viewpoint.
    #[must_use]
    pub fn expected(&self, own: f32) -> Part {
        let seen = match self.viewpoint {
            Viewpoint::Own => own,
            Viewpoint::Mover => -own,
        };
        Part::Number(seen.into(), Unit::Expected)
    }

    /// A score of the side to move, seen from the viewpoint. A mate keeps its distance from this node.
    #[must_use]
    pub fn score(&self, own: Score) -> Part {
        let seen = match self.viewpoint {
            Viewpoint::Own => own,
            Viewpoint::Mover => -own,
        };
        Part::Number(seen.raw().into(), Unit::Score)
    }
}

/// Everything an algorithm has to say of one node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explanation {
    /// Lines of a name and a value. A fact named like a figure that every node has (`static`) says more about that figure.
    pub facts: Vec<Fact>,
    pub blocks: Vec<Block>,
    /// Whole sentences that go on after the reason why the node is as it is.
    pub sentences: Vec<Phrase>,
}

/// A named value.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    pub name: &'static str,
    pub value: Phrase,
}

/// Text with numbers and moves in it.
pub type Phrase = Vec<Part>;

#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    Words(Cow<'static, str>),
    Number(f64, Unit),
    /// The move that led to this child of the node.
    Move(NodeId),
}

impl From<&'static str> for Part {
    fn from(words: &'static str) -> Part {
        Part::Words(words.into())
    }
}

impl From<String> for Part {
    fn from(words: String) -> Part {
        Part::Words(words.into())
    }
}

impl From<NodeId> for Part {
    fn from(child: NodeId) -> Part {
        Part::Move(child)
    }
}

impl<N: Into<f64>> From<(N, Unit)> for Part {
    fn from((value, unit): (N, Unit)) -> Part {
        Part::Number(value.into(), unit)
    }
}

/// A phrase out of words, numbers with their units, and moves: `phrase!["b = ", (0.63, Unit::Fraction)]`.
macro_rules! phrase {
    ($($part:expr),* $(,)?) => {
        vec![$($crate::search::explanation::Part::from($part)),*]
    };
}
pub(in crate::search) use phrase;

/// What a number is and how it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// An expected score in [-1, +1], with its sign.
    Expected,
    /// The standard deviation of an expected score.
    Spread,
    /// A [`Score`] of the search, by its integer.
    Score,
    /// A difference between the sides in the evaluation's unit, with its sign.
    Difference,
    /// A probability with a decimal (`97.5 %`).
    Probability,
    /// A share of a whole, in whole per cents.
    Share,
    Count,
    /// A number from 0 up of any size, with about three figures that count: `183`, `12.5`, `1.50`, `.63`, `3.1e-6`.
    Magnitude,
    /// A number from 0 up with two decimals: `.63`, `1.50`.
    Fraction,
    /// With this many decimals.
    Fixed(u8),
    /// With at most this many decimals.
    Rounded(u8),
    /// With a power of ten.
    Scientific,
}

/// One number with its name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Term {
    pub name: &'static str,
    pub value: f64,
    pub unit: Unit,
}

/// A titled table about the node's children.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    pub title: &'static str,
    /// The formula behind the table, with its values.
    pub formula: Option<Phrase>,
    /// Empty: the cells of a row follow one another as they are.
    pub columns: Vec<Column>,
    /// What matters most comes first.
    pub rows: Vec<Row>,
    /// What follows from the table, or explains it.
    pub notes: Vec<(Tone, Phrase)>,
    /// It belongs to the reason why the node is as it is, before the shares of the children.
    pub leads: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    pub name: &'static str,
    pub width: usize,
    /// Where there is no room for all columns, those with the highest number are left out first.
    pub dispensable: u8,
}

/// One child of the node.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub child: NodeId,
    pub cells: Vec<(Tone, Phrase)>,
}

/// How a part of a table stands out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    #[default]
    Plain,
    /// Of lesser weight.
    Quiet,
    /// The choice, among others.
    Chosen,
    /// A share of the policy.
    Policy,
    /// A figure of a belief.
    Belief,
}

/// The numbers that a node keeps instead of a distribution, with their names.
pub type NamedNumbers = Vec<(&'static str, f64)>;

/// What may be believed of the root, by a fit to how far searches like this one were off.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// What the fitted belief is made from: the logit of the root's value, and the position's features.
    pub basis: (f32, Features),
    /// `None` where it was switched off, or the search is not one that it was fitted to.
    pub belief: Option<Density>,
}
