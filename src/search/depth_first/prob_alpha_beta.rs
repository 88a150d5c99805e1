//! Probabilistic alpha-beta: alpha-beta on distributions, which cuts when P(max >= beta) reaches a confidence level.
//!
//! Source: *Probabilistic Alpha-Beta Search* (Bleeding Edge Machine, 2013), Equation 1: P(max > x) = P(F_1 > x) +
//! P(F_1 < x) P(max_rest > x), that is, Q = prod q_i. It leaves open how a child that was itself cut off counts; see
//! [`Refuted`] for the three ways.
//!
//! The claim of a cut: let the beliefs of the leaves be independent and right, and let the node's value be the maximum
//! over all its moves, searched to their depth with nothing cut off. Then P(value >= beta) is at least the confidence.
//! So of the cuts of any search at most a share 1 - confidence is wrong, in that the value drawn lies below beta. With
//! `refuted=bounded` this is a theorem, by induction over [`ProbValue`](super::prob_value::ProbValue)'s bounds; with the others it
//! fails near the root (`cargo run --release --example cut_confidence` measures all three).
//!
//! With
//! beliefs of no width Q is a step at the running maximum, and this is alpha-beta without its pruning rules: the same
//! nodes in the same order with the same windows and values. So what is not about doubt is shared with it, or done in
//! the same way: the order of the moves, quiescence, the depth of windows in which only a short mate matters.
//!
//! `root` makes the iterations and their windows, `node` says what a position is before its moves, `ends` what one
//! without moves to search is worth, `moves` takes the maximum over the others, `known` asks and fills the table.

mod ends;
mod explain;
mod moves;
mod node;
mod root;
mod table_probe;

use super::deepening::{self, Root};
use super::options::{capture_rules, memory_rules};
use super::prob_leaf::Leaves;
use super::prob_node::Refuted;
pub use super::prob_options::OPTIONS;
use super::prob_pen::BeliefPen;
use super::prob_value::ProbValue;
use super::prob_window::Bins;
use crate::eval::Evaluator;
use crate::game::{Game, Score};
use crate::search::algorithm::{AlgorithmInfo, Goals, Implementation};
use crate::search::common::belief_table::BeliefTable;
use crate::search::common::context::Context;
use crate::search::common::ordering::Memory;
use crate::search::common::played_line::PlayedLine;
use crate::search::common::quiescence::Quiescence;
use crate::search::explanation::{Explanation, Fitted, Reading};
use crate::search::{Algorithm, Job, Probe, Start};
use crate::tree::{Family, NodeId, Tree};
pub use explain::{Product, Step, product};

/// The row of prob-alpha-beta in the table of algorithms.
pub(in crate::search) enum Entry {}

impl Implementation for Entry {
    const INFO: AlgorithmInfo = AlgorithmInfo {
        algorithm: Algorithm::ProbAlphaBeta,
        name: "prob-alpha-beta",
        summary: "alpha-beta on distributions: cuts when P(max >= beta) reaches a confidence level",
        source: "Probabilistic Alpha-Beta Search (Bleeding Edge Machine, 2013), Equation 1",
        family: Family::DepthFirst,
        beliefs: true,
        options: OPTIONS,
        figures: &[],
        goals: Goals::NONE,
    };

    fn run<'a, G: Game, E: Evaluator<G>, P: Probe>(
        job: &Job<'a, G, E>,
        thread: usize,
        probe: &'a mut P,
    ) -> Start {
        deepening::run(&mut ProbAlphaBeta::new(job, thread, probe), job, thread)
    }

    fn explain(reading: &Reading, node: NodeId) -> Explanation {
        explain::explain(reading, node)
    }

    fn fitted(reading: &Reading) -> Option<Fitted> {
        explain::fitted(reading)
    }
}

struct ProbAlphaBeta<'a, E, P> {
    context: Context<'a, P>,
    tree: &'a Tree,
    evaluator: &'a E,
    table: Option<&'a BeliefTable>,
    quiescence: Quiescence<'a, E>,
    bins: Bins,
    leaves: Leaves,
    /// No leaf has any width, so that every belief is a point. Then a window of nothing decides: moves after the first
    /// are scouted, and the table is believed in such windows only, as in alpha-beta.
    certain: bool,
    /// `None`: moves are searched in the game's own order.
    memory: Option<Memory>,
    line: PlayedLine,
    confidence: f32,
    refuted: Refuted,
    aspiration: bool,
    /// Whether every fail low at the root is searched again, or only a doubtful one.
    always_again: bool,
    pen: BeliefPen<'a>,
    root: Root,
    /// The root's belief after the iteration before: the next window lies around it.
    before: Option<ProbValue>,
}

impl<'a, E, P: Probe> ProbAlphaBeta<'a, E, P> {
    fn new<G: Game>(job: &Job<'a, G, E>, thread: usize, probe: &'a mut P) -> Self
    where
        E: Evaluator<G>,
    {
        let position = &job.situation.position;
        // A finite toy tree is searched whole and in the file's order.
        let heuristics = position.height().is_none();
        let options = job.options;
        let leaves = Leaves::new(job.tree.grid(), job.tree.scale(), options);
        let mut search = ProbAlphaBeta {
            context: Context::new(job, thread, probe),
            tree: job.tree,
            evaluator: job.evaluator,
            table: options.switch("table").then(|| job.tables.beliefs()),
            quiescence: Quiescence {
                evaluator: job.evaluator,
                rules: capture_rules(options),
                corrections: None,
            },
            bins: Bins::new(job.tree.grid(), job.tree.scale()),
            certain: leaves.are_exact(),
            leaves,
            memory: heuristics.then(|| Memory::new(memory_rules(options))),
            line: PlayedLine::default(),
            confidence: options.number("confidence") as f32,
            refuted: Refuted::from_options(options),
            aspiration: heuristics && options.switch("aspiration"),
            always_again: options.word("fail-low") == "always",
            pen: BeliefPen::new(job.tree),
            root: Root::new(job),
            before: None,
        };
        search.before = search.known_root(job);
        search
    }
}

/// A place in the search: where it is recorded, how deep it is, what is still to do, and the window.
#[derive(Clone, Copy)]
struct NodeArguments {
    node: NodeId,
    ply: u16,
    depth: i32,
    /// The highest score that is reached elsewhere with confidence; `Score::MIN` if none.
    alpha: Score,
    /// The other side has a better choice elsewhere if this score is reached; `Score::MAX` if none.
    beta: Score,
}

/// A probability in 1/65535.
fn as_u16(probability: f32) -> u16 {
    (probability * f32::from(u16::MAX)).round() as u16
}
