//! What an algorithm declares about itself: its row in the table of algorithms, and its answers to the questions that
//! the rest of the program may ask.

use super::explanation::{Explanation, Fitted, NamedNumbers, Reading, Term};
use super::{Algorithm, Job, OpenedLeaf, OptionSpec, Options, Probe, Start, ask};
use crate::eval::Evaluator;
use crate::game::{Game, MoveCode, Scale, Score};
use crate::tree::{Family, Fate, NodeId, NodeView, Tree};

/// One row of the table of algorithms.
#[derive(Debug)]
pub struct AlgorithmInfo {
    pub algorithm: Algorithm,
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
    /// The names of the numbers that [`Algorithm::figure`] knows about its nodes; breakpoints and columns use these
    /// names.
    pub figures: &'static [&'static str],
    pub goals: Goals,
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
/// The functions are called only through the table, which matches on [`Algorithm`], so a search runs without dynamic
/// calls.
pub(in crate::search) trait Implementation {
    const INFO: AlgorithmInfo;

    /// Runs one thread; see [`super::run`].
    fn run<'a, G: Game, E: Evaluator<G>, P: Probe>(
        job: &Job<'a, G, E>,
        thread: usize,
        probe: &'a mut P,
    ) -> Start;

    /// See [`Algorithm::columns`].
    const COLUMNS: &'static [&'static str] = &[];

    /// Whether [`Implementation::search_again`] does anything.
    const SEARCHES_AGAIN: bool = false;

    /// Searches again a node whose subtree was not recorded; see [`super::search_again`].
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

    /// Searches a leaf once more and records that; see [`super::open_leaf`].
    fn open_leaf<'a, G: Game, E: Evaluator<G>, P: Probe>(
        _job: &Job<'a, G, E>,
        _leaf: &OpenedLeaf<'a>,
        _probe: &'a mut P,
    ) {
    }

    /// Why a move without a node of its own was skipped; see [`Algorithm::implied_skip`].
    fn implied_skip<G: Game>(
        _parent: &NodeView,
        _position: &G,
        _m: G::Move,
        _options: &Options,
    ) -> Option<Fate> {
        None
    }

    /// See [`Algorithm::best_move`].
    fn best_move(tree: &Tree, node: NodeId) -> Option<MoveCode> {
        tree.node(node).fate().best()
    }

    /// Best-first: called after the user took a move out or let it back in, and its node was marked. By default there
    /// is nothing to do.
    fn toggled(_tree: &Tree, _child: NodeId, _out: bool) {}

    /// Best-first: recomputes the nodes whose values rest on moves that were taken out or let back in, each after those
    /// below it.
    fn renew<G: Game, E: Evaluator<G>>(_job: &Job<G, E>, _nodes: &[NodeId]) {}

    /// Best-first: called after another node became the root, with the draws by repetition that hold no longer; see
    /// [`super::move_on`]. By default there is nothing to do.
    fn moved_on<G: Game, E: Evaluator<G>>(_job: &Job<G, E>, _two_folds: &[NodeId]) {}

    /// See [`Algorithm::explain`].
    fn explain(reading: &Reading, node: NodeId) -> Explanation;

    /// See [`Algorithm::figure`].
    fn figure(_reading: &Reading, _node: NodeId, _name: &str) -> Option<f64> {
        None
    }

    /// See [`Algorithm::kept`].
    fn kept(_reading: &Reading, _node: NodeId) -> Option<NamedNumbers> {
        None
    }

    /// See [`Algorithm::interval`].
    fn interval(_tree: &Tree, _node: NodeId) -> Option<(f32, f32)> {
        None
    }

    /// See [`Algorithm::moments`].
    fn moments(_tree: &Tree, _node: NodeId) -> Option<(f32, f32)> {
        None
    }

    /// See [`Algorithm::urgency`].
    fn urgency(_options: &Options, _view: &NodeView) -> Option<Term> {
        None
    }

    /// See [`Algorithm::fitted`].
    fn fitted(_reading: &Reading) -> Option<Fitted> {
        None
    }

    /// See [`Algorithm::correction`].
    fn correction(_reading: &Reading, _node: NodeId, _static_value: Score) -> Option<(Score, i32)> {
        None
    }

    /// See [`Algorithm::tells_improving`].
    fn tells_improving(_options: &Options, _scale: Scale) -> bool {
        false
    }
}

/// What an algorithm says about its nodes.
impl Algorithm {
    /// The move that the algorithm itself names as the best at a node: the one that its fate names, or the one that
    /// proves the result. `None` where it names none.
    pub fn best_move(self, tree: &Tree, node: NodeId) -> Option<MoveCode> {
        ask!(self, best_move(tree, node))
    }

    /// Everything the algorithm can explain about a node in the tree, apart from the numbers that every node has.
    pub fn explain(self, reading: &Reading, node: NodeId) -> Explanation {
        ask!(self, explain(reading, node))
    }

    /// A number of the node by its name in [`AlgorithmInfo::figures`]; `None` where the node does not have it.
    pub fn figure(self, reading: &Reading, node: NodeId, name: &str) -> Option<f64> {
        ask!(self, figure(reading, node, name))
    }

    /// The figures by which the algorithm chooses where to go, which the tree shows as columns.
    pub fn columns(self) -> &'static [&'static str] {
        ask!(self, COLUMNS)
    }

    /// The numbers that a node keeps instead of a distribution, with their names in JSON, seen from the reading's
    /// viewpoint.
    pub fn kept(self, reading: &Reading, node: NodeId) -> Option<NamedNumbers> {
        ask!(self, kept(reading, node))
    }

    /// The ends of the interval that an evaluated node keeps instead of a distribution, as expected scores of its side to
    /// move. `None` where the algorithm keeps none.
    pub fn interval(self, tree: &Tree, node: NodeId) -> Option<(f32, f32)> {
        ask!(self, interval(tree, node))
    }

    /// The mean and the standard deviation of the normal distribution that an evaluated node keeps, as expected scores of its
    /// side to move. `None` where the algorithm keeps none.
    pub fn moments(self, tree: &Tree, node: NodeId) -> Option<(f32, f32)> {
        ask!(self, moments(tree, node))
    }

    /// The number of a node by which a descent chooses, or looks for what it can still search. `None` where the
    /// algorithm has no such number, and where nothing below the node can be searched.
    pub fn urgency(self, options: &Options, view: &NodeView) -> Option<Term> {
        ask!(self, urgency(options, view))
    }

    /// The belief about the root by a fit to how far such searches were off. `None` for algorithms without such a fit,
    /// for toy trees, and where something is proven about the root.
    pub fn fitted(self, reading: &Reading) -> Option<Fitted> {
        ask!(self, fitted(reading))
    }

    /// The evaluation of a node's position from the view of its side to move, and what the search added to it to obtain
    /// the static value. `None` where the algorithm does not correct evaluations, or where nothing was corrected.
    #[must_use]
    pub fn correction(
        self,
        reading: &Reading,
        node: NodeId,
        static_value: Score,
    ) -> Option<(Score, i32)> {
        ask!(self, correction(reading, node, static_value))
    }

    /// Whether the search distinguishes nodes at which the side to move is improving.
    pub fn tells_improving(self, options: &Options, scale: Scale) -> bool {
        ask!(self, tells_improving(options, scale))
    }
}
