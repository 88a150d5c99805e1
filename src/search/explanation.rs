//! What an algorithm explains about a node, as plain data: whoever displays it need not know which algorithm it came
//! from.
//!
//! Numbers come with the unit in which they are to be written, and moves as the nodes they lead to: the screen decides
//! how a number looks and how a move is named.

use std::borrow::Cow;

use super::Options;
use crate::Subject;
use belief::Density;
use eval::fitted::Features;
use game::Score;
use tree::{NodeId, Tree};

/// The data from which an algorithm explains its nodes.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'a> {
    pub tree: &'a Tree,
    /// The position at the tree's root.
    pub subject: &'a Subject,
    pub options: &'a Options,
    pub viewpoint: Viewpoint,
    /// The search's seed where it is known, so that random choices can be repeated.
    pub seed: Option<u64>,
}

/// From whose point of view the numbers of an explanation are positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewpoint {
    /// The side to move at the node.
    Own,
    /// The side that moved to the node.
    Mover,
}

impl Reading<'_> {
    /// The position at a node with the game that led there. `None` if the node is not in this tree.
    pub fn situation(&self, id: NodeId) -> Option<Subject> {
        if !self.tree.contains(id) {
            return None;
        }
        let mut subject = self.subject.clone();
        let moves = self.tree.moves_to(id);
        moves
            .into_iter()
            .all(|m| subject.follow_known(m))
            .then_some(subject)
    }

    /// An expected score of the side to move, seen from the viewpoint.
    pub fn seen(&self, own: f32) -> f32 {
        match self.viewpoint {
            Viewpoint::Own => own,
            Viewpoint::Mover => -own,
        }
    }

    /// The same as a part of a phrase.
    pub fn expected(&self, own: f32) -> Part {
        Part::Number(self.seen(own).into(), Unit::Expected)
    }

    /// Words that compare scores, as they are seen from the viewpoint: see [`sided`].
    pub fn sided(&self, words: &'static str) -> Part {
        Part::Words(sided(words, self.viewpoint))
    }

    /// A score of the side to move, seen from the viewpoint. A mate keeps its distance from this node.
    pub fn score(&self, own: Score) -> Part {
        let seen = match self.viewpoint {
            Viewpoint::Own => own,
            Viewpoint::Mover => -own,
        };
        Part::Number(seen.raw().into(), Unit::Score)
    }
}

/// Everything an algorithm explains about one node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explanation {
    /// Lines with a name and a value. A fact that is named like a number every node has (`static`) says more about that
    /// number.
    pub facts: Vec<Fact>,
    pub blocks: Vec<Block>,
    /// Whole sentences that follow the reason why the node is as it is.
    pub sentences: Vec<Phrase>,
    /// Of a node whose belief was made from those of its children: what went into it.
    pub back_up: Option<BackedUp>,
    /// Of a node that counts conspirators: what it takes to move its value.
    pub staircase: Option<Staircase>,
}

/// What went into a belief that was backed up, from the reading's viewpoint.
#[derive(Clone, Debug, PartialEq)]
pub struct BackedUp {
    /// s: the expected number of best moves, where each of several tied moves counts.
    pub maximisers: f32,
    /// H: the entropy of the policy, in nats.
    pub entropy: f32,
    /// e^H: the number of equally good moves that would be as undecided.
    pub n_eff: f32,
    /// The weight of r_opt; `None` where nothing was blended.
    pub blend: Option<f32>,
    /// Mean and standard deviation of the best move's distribution, in expected score.
    pub r_opt: (f32, f32),
    /// The same for the move that would be picked.
    pub r_pick: (f32, f32),
    /// The children that went into it.
    pub shares: Vec<BestShare>,
}

/// How likely a child is the best one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BestShare {
    pub child: NodeId,
    /// π: its share of the policy.
    pub policy: f32,
    /// u: the probability that it is at least as good as every other child.
    pub best: f32,
}

/// The fewest leaves that have to change their values together to move a node's value, step by step away from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Staircase {
    /// Upwards as seen from the reading's viewpoint.
    pub raise: Steps,
    pub lower: Steps,
}

/// The steps in one direction.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Steps {
    /// The nearest step first; each with more leaves than the one before it.
    pub steps: Vec<Step>,
    /// Whether there are values beyond, for which more leaves are needed than the search tells apart, or which no
    /// leaves can bring about.
    pub beyond: bool,
}

/// How far so many leaves can move a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    pub leaves: u32,
    /// The value furthest away that they can bring about, as an expected score; `None` for any value.
    pub to: Option<f32>,
}

/// A named value.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    pub name: &'static str,
    pub value: Phrase,
}

/// Words that compare scores, in which `{at least|at most}` stands for what is true from the view of the side to move, and from
/// the other one.
pub fn sided(words: &'static str, viewpoint: Viewpoint) -> Cow<'static, str> {
    let Some((before, rest)) = words.split_once('{') else {
        return words.into();
    };
    let (pair, after) = rest.split_once('}').unwrap_or((rest, ""));
    let (own, other) = pair.split_once('|').unwrap_or((pair, pair));
    let word = match viewpoint {
        Viewpoint::Own => own,
        Viewpoint::Mover => other,
    };
    format!("{before}{word}{}", sided(after, viewpoint)).into()
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

/// Builds a phrase from words, numbers with their units, and moves: `phrase!["b = ", (0.63, Unit::Fraction)]`.
#[macro_export]
macro_rules! phrase {
    ($($part:expr),* $(,)?) => {
        vec![$($crate::explanation::Part::from($part)),*]
    };
}
pub use phrase;

/// What a number means and how it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// An expected score in [-1, +1], with its sign.
    Expected,
    /// The standard deviation of an expected score.
    Spread,
    /// A non-negative difference of expected scores, with two or three significant digits; in a toy tree in the file's
    /// unit.
    Gain,
    /// A [`Score`] of the search, given by its integer.
    Score,
    /// A difference between the sides in the evaluation's unit, with its sign.
    Difference,
    /// A probability with one decimal (`97.5 %`).
    Probability,
    /// A share of a whole, in whole percent.
    Share,
    Count,
    /// A count of things: the word for one, and for several.
    Of(&'static str, &'static str),
    /// A non-negative number of any size, with two or three significant digits: `183`, `12.5`, `1.50`, `.63`, `.00051`,
    /// and `3.1e-6` below a ten-thousandth.
    Magnitude,
    /// A non-negative number with two decimals: `.63`, `1.50`.
    Fraction,
    /// A number with exactly this many decimals.
    Fixed(u8),
    /// A number with at most this many decimals.
    Rounded(u8),
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
    /// If empty, the cells of a row follow one another without alignment.
    pub columns: Vec<Column>,
    /// The rows, the most important ones first.
    pub rows: Vec<Row>,
    /// Notes that follow from the table, or explain it.
    pub notes: Vec<(Tone, Phrase)>,
    /// The block belongs to the reason why the node is as it is, before the shares of the children.
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

/// How a part of a table is emphasised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    #[default]
    Plain,
    /// Less important.
    Quiet,
    /// The one that was chosen.
    Chosen,
    /// A share of the policy.
    Policy,
    /// A number of a belief.
    Belief,
}

/// The numbers that a node keeps instead of a distribution, with their names.
pub type NamedNumbers = Vec<(&'static str, f64)>;

/// The belief about the root by a fit to how far searches like this one were off.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// What the fitted belief is made from: the logit of the root's value, and the position's features.
    pub basis: (f32, Features),
    /// `None` where the fit was switched off, or the search is not one that it was made for.
    pub belief: Option<Density>,
}
