//! What a search says about its root at one moment, read once for everything that shows it together: the header, the best
//! lines, the rows of the moves, the answer to why.

use std::fmt;

use super::children::Row;
use super::node_belief::NodeBelief;
use super::reader::{GrownBy, Reader};
use super::summary::NodeValue;
use algorithms::Algorithm;
use game::MoveCode;
use tree::{Family, NodeId, NodeView, Tree};

/// The root and its moves at one moment: of a depth-first search when its last step was finished, of a best-first one after
/// its last visit.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// From its own side to move's view. Its value is that of the best move.
    pub root: NodeView,
    pub score: NodeValue,
    pub belief: Option<NodeBelief>,
    /// The move that would be played; the first of `moves`.
    pub best: Option<MoveCode>,
    /// All legal moves, best first, from the view of the side that plays them.
    pub moves: Vec<Row>,
    /// Of each move, in the same order.
    pub shares: Vec<Shares>,
    pub unfinished: Option<Unfinished>,
}

/// What a move has of its parent's. The parts of all moves were read at the same moment, and those of one kind add up to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shares {
    /// The chance to be the best move, in a search that knows it (DISTRESS).
    pub best: Option<f32>,
    /// Of the visits below the parent, in a best-first search.
    pub visits: Option<f32>,
    /// Of the nodes searched below the parent.
    pub work: Option<f32>,
}

/// What the number that an algorithm keeps as a move's policy is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// The chance to be the best move.
    Best,
    /// How likely a move looks before it is searched.
    Prior,
    /// The part of the visits.
    Visits,
}

impl Policy {
    /// Returns what the policies of an algorithm are; `None` if it has none.
    pub fn of(algorithm: Algorithm) -> Option<Policy> {
        match algorithm {
            Algorithm::Distress => Some(Policy::Best),
            Algorithm::Mcts => Some(Policy::Prior),
            other if other.is_told() && other.info().family == Family::BestFirst => {
                Some(Policy::Prior)
            }
            other if other.info().family == Family::BestFirst => Some(Policy::Visits),
            _ => None,
        }
    }

    /// Returns its one word, which heads its column.
    pub fn word(self) -> &'static str {
        match self {
            Policy::Best => "best",
            Policy::Prior => "prior",
            Policy::Visits => "visits",
        }
    }
}

/// An iteration that a depth-first search is within, or was stopped in: its results are not shown yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfinished {
    pub iteration: u8,
    /// How many of the root's moves it has searched.
    pub searched: usize,
    /// `None` if their number is not known.
    pub moves: Option<usize>,
    /// Whether an earlier iteration was finished; otherwise what this one has found is shown.
    pub is_first: bool,
}

/// Writes `depth 7 unfinished: 3 of 35 moves`.
impl fmt::Display for Unfinished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unfinished {
            iteration,
            searched,
            moves,
            ..
        } = self;
        write!(f, "depth {iteration} unfinished: {searched}")?;
        if let Some(moves) = moves {
            write!(f, " of {moves}")?;
        }
        let all = moves.unwrap_or(*searched);
        f.write_str(if all == 1 { " move" } else { " moves" })
    }
}

/// Returns the part that each of some numbers is of their sum, or `None`s if that is 0. Each number is read once: it may
/// grow meanwhile.
fn parts(numbers: impl Iterator<Item = f64>) -> impl Iterator<Item = Option<f32>> {
    let numbers: Vec<f64> = numbers.collect();
    let all: f64 = numbers.iter().sum();
    let part = move |n: f64| (all > 0.0).then(|| (n / all) as f32);
    numbers.into_iter().map(part)
}

impl Reader<'_> {
    /// Holds the root and its moves as they are until [`Tree::release`]: what is drawn together then shows the same moment of
    /// a best-first search that goes on. See [`Tree::hold`].
    pub fn hold(&self) {
        self.tree.release();
        self.tree.hold(self.best_move(Tree::ROOT));
    }

    /// Reads the root and its moves once.
    pub fn snapshot(&self) -> Snapshot {
        let moves = self.rows_best_first(Tree::ROOT);
        let best = self.best_move(Tree::ROOT);
        // The search may have changed its mind since the rows were ordered. A move of another program may have no row.
        let has_row = |best| moves.iter().any(|row| row.move_code == best);
        let first = moves.first().map(|row| row.move_code);
        let best = best.map(|best| first.filter(|_| has_row(best)).unwrap_or(best));
        let mut root = self.view(Tree::ROOT);
        if let (Some(first), Some(best)) = (moves.first(), best)
            && first.move_code == best
            && self.is_best_first()
            && !root.proof.is_exact()
        {
            // The root's proven bounds may say more than the move's value.
            let scale = self.scale();
            let (lower, upper) = (root.proof.lower, root.proof.upper);
            let worth = first.view.expected;
            let within = worth.map(|e| e.clamp(scale.expected(lower), scale.expected(upper)));
            root.expected = within.or(root.expected);
        }
        Snapshot {
            score: NodeValue::of(&root, self.scale()),
            belief: self.belief(Tree::ROOT),
            best,
            shares: self.shares(moves.iter().map(|row| &row.view)),
            unfinished: self.unfinished(),
            moves,
            root,
        }
    }

    /// Returns the parts that moves of one node have of what all of them have; they must be all of its moves, read at one
    /// moment.
    pub fn shares<'v>(&self, moves: impl Iterator<Item = &'v NodeView> + Clone) -> Vec<Shares> {
        let best_first = self.is_best_first();
        let work = parts(moves.clone().map(|view| self.nodes_below(view) as f64));
        let visits = parts(moves.clone().map(|view| f64::from(view.visits)));
        let is_chance = self.policy() == Some(Policy::Best);
        let best = parts(moves.map(|view| f64::from(view.policy.unwrap_or(0.0))));
        let all = best.zip(visits).zip(work);
        all.map(|((best, visits), work)| Shares {
            best: best.filter(|_| is_chance),
            visits: visits.filter(|_| best_first),
            work,
        })
        .collect()
    }

    /// Returns what the policies of this tree are; `None` if it has none.
    pub fn policy(&self) -> Option<Policy> {
        match self.searcher {
            GrownBy::Own(algorithm, _) => Policy::of(algorithm),
            GrownBy::External => Some(Policy::Prior),
        }
    }

    /// Returns the parts that the recorded moves of a node have, read at one moment; see [`Reader::shares`].
    pub fn shares_at(&self, parent: NodeId) -> Vec<(NodeId, Shares)> {
        let views = self.tree.children(parent).map(|id| self.tree.view(id));
        let views: Vec<NodeView> = views.collect();
        let shares = self.shares(views.iter());
        views.iter().map(|view| view.id).zip(shares).collect()
    }

    /// The nodes searched at and below a move, those of a visit that is not over included.
    pub(super) fn nodes_below(&self, view: &NodeView) -> u64 {
        if view.id.is_none() || self.tree.family() != Family::DepthFirst {
            return view.nodes;
        }
        let below = |child| self.tree.node(child).nodes();
        let searched: u64 = self.tree.children(view.id).map(below).sum();
        view.nodes.max(searched)
    }

    /// Returns the iteration that one of plyscope's depth-first searches has not finished, if any of the root's moves has
    /// been searched in it.
    pub fn unfinished(&self) -> Option<Unfinished> {
        let tree = self.tree;
        if tree.family() != Family::DepthFirst || self.searcher.algorithm().is_none() {
            return None;
        }
        let step = tree.last_step();
        let (least, whole) = step.unwrap_or((0, true));
        let iteration = |id: NodeId| tree.node(id).static_and_iteration().1;
        let searched = tree.children(Tree::ROOT).filter(|&id| {
            let node = tree.node(id);
            let is_move = node.move_code().is_move();
            let counts =
                is_move && node.visits() > 0 && !node.is_searched_again() && !node.fate().is_skip();
            counts && (iteration(id) > least || !whole && iteration(id) == least)
        });
        let searched: Vec<NodeId> = searched.collect();
        let latest = searched.iter().map(|&id| iteration(id)).max()?;
        let of_latest = searched.iter().filter(|&&id| iteration(id) == latest);
        Some(Unfinished {
            iteration: latest,
            searched: of_latest.count(),
            moves: self.move_count(Tree::ROOT),
            is_first: step.is_none(),
        })
    }
}
