//! What an algorithm declares about itself: its row in the table of algorithms, and its answers to the questions that
//! the rest of the program may ask.

use super::explanation::{Explanation, Fitted, NamedNumbers, Reading, Term};
use super::{Job, OpenedLeaf, OptionSpec, Options, Probe, Reuse, Start};
use std::collections::BTreeSet;

use eval::Evaluator;
use game::{Game, MoveCode, Scale, Score};
use tree::{Family, Fate, NodeId, NodeView, Tree};

/// One row of the table of algorithms.
#[derive(Debug)]
pub struct AlgorithmInfo {
    /// The name used on the command line.
    pub name: &'static str,
    /// A summary of one line.
    pub summary: &'static str,
    pub source: &'static str,
    pub family: Family,
    /// Whether the algorithm keeps a distribution at its nodes.
    pub beliefs: bool,
    pub ranking: Ranking,
    pub options: &'static [OptionSpec],
    /// The names of the numbers that [`Implementation::figure`] knows about its nodes; breakpoints and columns use these
    /// names.
    pub figures: &'static [&'static str],
    pub goals: Goals,
}

impl AlgorithmInfo {
    pub fn default_options(&self) -> Options {
        Options::defaults(self.name, self.options)
    }
}

/// The figure by which an algorithm prefers one searched move to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ranking {
    /// The move's value.
    Value,
    /// The number of visits to the move; its value where the visits are equal.
    Visits,
}

/// The speeds against which `plyscope bench` measures an algorithm, on one core of a current server. `None`: no goal is
/// set.
#[derive(Clone, Copy, Debug)]
pub struct Goals {
    /// Each measurement searches this many times the requested nodes: long enough for the start of threads and the
    /// first use of memory not to matter.
    pub length: u64,
    /// Nodes per second.
    pub nodes: Option<f64>,
    /// Best-first: steps down the tree per second.
    pub steps: Option<f64>,
    /// Best-first: back-ups per second.
    pub back_ups: Option<f64>,
    /// Nodes per second with two threads, divided by those with one.
    pub two_threads: f64,
}

impl Goals {
    pub const NONE: Goals = Goals {
        length: 10,
        nodes: None,
        steps: None,
        back_ups: None,
        two_threads: 1.8,
    };
}

/// What the module of an algorithm implements. A function has a default where most algorithms have nothing to answer.
///
/// The functions are called only through the table of algorithms, so a search runs without dynamic calls.
pub trait Implementation {
    const INFO: AlgorithmInfo;

    /// Runs one thread of a search until it is finished, solved or stopped, and returns where the next run over the same tree
    /// and tables would start.
    fn run<'a, G: Game, E: Evaluator<G>, P: Probe>(
        job: &Job<'a, G, E>,
        thread: usize,
        probe: &'a mut P,
    ) -> Start;

    /// The figures by which the algorithm chooses where to go, which the tree shows as columns.
    const COLUMNS: &'static [&'static str] = &[];

    /// Whether [`Implementation::search_again`] does anything.
    const SEARCHES_AGAIN: bool = false;

    /// Searches again a node whose subtree was not recorded; marks what is below it as a re-search.
    fn search_again<'a, G: Game, E: Evaluator<G>, P: Probe>(
        _job: &Job<'a, G, E>,
        _node: NodeId,
        _probe: &'a mut P,
    ) {
    }

    /// Whether [`Implementation::open_leaf`] does anything under these options.
    fn opens_leaves(_options: &Options) -> bool {
        false
    }

    /// Searches a leaf once more and records that.
    fn open_leaf<'a, G: Game, E: Evaluator<G>, P: Probe>(
        _job: &Job<'a, G, E>,
        _leaf: &OpenedLeaf<'a>,
        _probe: &'a mut P,
    ) {
    }

    /// Why a move without a node of its own was skipped; `None` where its parent's numbers do not imply it.
    fn implied_skip<G: Game>(
        _parent: &NodeView,
        _position: &G,
        _m: G::Move,
        _options: &Options,
    ) -> Option<Fate> {
        None
    }

    /// The move that the algorithm itself names as the best at a node: the one that its fate names, or the one that
    /// proves the result. `None` where it names none.
    fn best_move(tree: &Tree, node: NodeId) -> Option<MoveCode> {
        tree.fate(node).best()
    }

    /// Brings the tree in line with moves that the user took out or let back in at the nodes `changed`: takes out or lets
    /// in the children concerned, and recomputes what rests on them.
    fn apply_choices<G: Game, E: Evaluator<G>>(job: &Job<G, E>, changed: &BTreeSet<NodeId>);

    /// Goes on with the part of the tree below the position to which the game moved on. `None`, and nothing is changed,
    /// where nothing of it can be kept.
    fn move_on<G: Game, E: Evaluator<G>>(_job: &Job<G, E>, _moves: &[MoveCode]) -> Option<Reuse> {
        None
    }

    /// Everything the algorithm can explain about a node in the tree, apart from the numbers that every node has.
    fn explain(reading: &Reading, node: NodeId) -> Explanation;

    /// A number of the node by its name in [`AlgorithmInfo::figures`]; `None` where the node does not have it.
    fn figure(_reading: &Reading, _node: NodeId, _name: &str) -> Option<f64> {
        None
    }

    /// The numbers that a node keeps instead of a distribution, with their names in JSON, seen from the reading's
    /// viewpoint.
    fn kept(_reading: &Reading, _node: NodeId) -> Option<NamedNumbers> {
        None
    }

    /// The ends of the interval that an evaluated node keeps instead of a distribution, as expected scores of its side to
    /// move. `None` where the algorithm keeps none.
    fn interval(_tree: &Tree, _node: NodeId) -> Option<(f32, f32)> {
        None
    }

    /// The mean and the standard deviation of the normal distribution that an evaluated node keeps, as expected scores of its
    /// side to move. `None` where the algorithm keeps none.
    fn moments(_tree: &Tree, _node: NodeId) -> Option<(f32, f32)> {
        None
    }

    /// The number of a node by which a descent chooses, or looks for what it can still search. `None` where the
    /// algorithm has no such number, and where nothing below the node can be searched.
    fn urgency(_options: &Options, _view: &NodeView) -> Option<Term> {
        None
    }

    /// The belief about the root by a fit to how far such searches were off. `None` for algorithms without such a fit,
    /// for toy trees, and where something is proven about the root.
    fn fitted(_reading: &Reading) -> Option<Fitted> {
        None
    }

    /// The evaluation of a node's position from the view of its side to move, and what the search added to it to obtain
    /// the static value. `None` where the algorithm does not correct evaluations, or where nothing was corrected.
    fn correction(_reading: &Reading, _node: NodeId, _static_value: Score) -> Option<(Score, i32)> {
        None
    }

    /// Whether the search distinguishes nodes at which the side to move is improving.
    fn tells_improving(_options: &Options, _scale: Scale) -> bool {
        false
    }
}
