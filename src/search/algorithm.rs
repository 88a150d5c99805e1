//! What an algorithm declares about itself: its row in the table of algorithms, and the questions the rest of the
//! program may put to it.

use super::{Algorithm, Job, OptionSpec, Options, Probe, Start};
use crate::eval::Evaluator;
use crate::game::Game;
use crate::tree::{Family, Fate, NodeId, NodeView};

/// One row of the table of algorithms.
#[derive(Debug)]
pub struct AlgorithmInfo {
    pub algorithm: Algorithm,
    /// As on the command line.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    pub source: &'static str,
    pub family: Family,
    /// Keeps a distribution at its nodes.
    pub beliefs: bool,
    pub options: &'static [OptionSpec],
    pub goals: Goals,
}

/// The speeds `plyscope bench` measures an algorithm against, on one core of a current server. `None`: no goal is set.
#[derive(Clone, Copy, Debug)]
pub struct Goals {
    /// Each measurement searches this many times the nodes that were asked for: long enough that starting threads and
    /// first touching memory do not count.
    pub length: u64,
    /// Nodes a second.
    pub nodes: Option<f64>,
    /// Best-first: steps down the tree a second.
    pub steps: Option<f64>,
    /// Best-first: back-ups a second.
    pub back_ups: Option<f64>,
    /// Nodes a second with two threads over those with one.
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

/// What the module of an algorithm supplies. Everything that has a default is something most algorithms have no answer to.
///
/// The functions are called through the table alone, which matches on [`Algorithm`]: a search runs without dynamic calls.
pub(in crate::search) trait Implementation {
    const INFO: AlgorithmInfo;

    /// Runs one thread: see [`super::run`].
    fn run<'a, G: Game, E: Evaluator<G>, P: Probe>(
        job: &Job<'a, G, E>,
        thread: usize,
        probe: &'a mut P,
    ) -> Start;

    /// Whether [`Implementation::search_again`] does anything.
    const SEARCHES_AGAIN: bool = false;

    /// Searches a node again whose subtree was not recorded: see [`super::search_again`].
    fn search_again<'a, G: Game, E: Evaluator<G>, P: Probe>(
        _job: &Job<'a, G, E>,
        _node: NodeId,
        _probe: &'a mut P,
    ) {
    }

    /// Why a move without a node of its own was skipped: see [`Algorithm::implied_skip`].
    fn implied_skip<G: Game>(
        _parent: &NodeView,
        _position: &G,
        _m: G::Move,
        _options: &Options,
    ) -> Option<Fate> {
        None
    }
}
