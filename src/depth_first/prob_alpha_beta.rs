//! Probabilistic alpha-beta: alpha-beta on distributions, which cuts off when P(max >= beta) reaches a confidence
//! level.
//!
//! Source: *Probabilistic Alpha-Beta Search* (Bleeding Edge Machine, 2013), Equation 1: P(max > x) = P(F_1 > x) + P(F_1
//! < x) P(max_rest > x), that is, Q = prod q_i. It leaves open how a child that was itself cut off counts; see
//! [`Refuted`] for the three ways.
//!
//! What a cutoff claims: let the beliefs of the leaves be independent and right, and let the node's value be the
//! maximum over all its moves, searched to their depth with nothing cut off. Then P(value >= beta) is at least the
//! confidence. So of the cutoffs of any search, a share of at most 1 - confidence is wrong, in the sense that the value
//! drawn is below beta. With `refuted=bounded` this is a theorem, by induction over the bounds in
//! [`ProbValue`]; with the other two it fails near the root (`cargo run --release --features examples
//! --example cut_confidence` measures all three).
//!
//! With beliefs of no width, Q is a step at the running maximum, and this is alpha-beta without its pruning rules: the
//! same nodes in the same order, with the same windows and values. So whatever does not concern doubt is shared with
//! alpha-beta or done in the same way: the move order, quiescence, and the depth of windows in which only a short mate
//! matters.
//!
//! `root` runs the iterations and their windows, `node` decides what it can before a node's moves, `ends` values nodes
//! without moves to search, `moves` takes the maximum over the others, `table_probe` reads and fills the table,
//! and `audits` asks whether cuts were right.

mod audits;
mod ends;
mod explain;
mod moves;
mod node;
mod root;
mod table_probe;

use std::collections::BTreeSet;

use audits::Judge;

use super::choices;
use super::deepening::{self, Root};
use super::options::{capture_rules, memory_rules};
use super::prob_leaf::Leaves;
use super::prob_node::Refuted;
pub use super::prob_options::OPTIONS;
use super::prob_pen::BeliefPen;
use super::prob_value::ProbValue;
use super::prob_window::Bins;
use eval::Evaluator;
pub use explain::{Product, Step, product};
use game::{Game, Score};
use search::algorithm::{AlgorithmInfo, Goals, Implementation, Ranking};
use search::common::belief_table::BeliefTable;
use search::common::context::Context;
use search::common::ordering::Memory;
use search::common::played_line::PlayedLine;
use search::common::quiescence::Quiescence;
use search::explanation::{Explanation, Fitted, Reading};
use search::{Job, Options, Probe, Start};
use tree::{Family, NodeId, Tree};

/// The row of prob-alpha-beta in the table of algorithms.
pub enum Entry {}

impl Implementation for Entry {
    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "prob-alpha-beta",
        summary: "alpha-beta on distributions: cuts when P(max >= beta) reaches a confidence level",
        source: "Probabilistic Alpha-Beta Search (Bleeding Edge Machine, 2013), Equation 1",
        family: Family::DepthFirst,
        beliefs: true,
        ranking: Ranking::Value,
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

    fn apply_choices<G: Game, E: Evaluator<G>>(job: &Job<G, E>, changed: &BTreeSet<NodeId>) {
        choices::apply(job.tree, job.choices, changed);
    }

    fn explain(reading: &Reading, node: NodeId) -> Explanation {
        explain::explain(reading, node)
    }

    fn fitted(reading: &Reading) -> Option<Fitted> {
        explain::fitted(reading)
    }
}

pub fn default_options() -> Options {
    Entry::INFO.default_options()
}

struct ProbAlphaBeta<'a, E, P> {
    context: Context<'a, P>,
    tree: &'a Tree,
    evaluator: &'a E,
    table: Option<&'a BeliefTable>,
    quiescence: Quiescence<'a, E>,
    bins: Bins,
    leaves: Leaves,
    /// No leaf has any width, so every belief is a point. Then null windows decide: moves after the first are scouted,
    /// and the table is used in null windows only, as in alpha-beta.
    certain: bool,
    /// `None`: moves are searched in the order the game lists them.
    memory: Option<Memory>,
    line: PlayedLine,
    confidence: f32,
    refuted: Refuted,
    aspiration: bool,
    /// Whether every fail low at the root is searched again, or only a doubtful one.
    always_again: bool,
    pen: BeliefPen<'a>,
    root: Root,
    /// `None`: nothing is audited.
    judge: Option<Judge<'a, E>>,
    /// The root's belief after the previous iteration, around which the next window is placed.
    before: Option<ProbValue>,
}

impl<'a, E, P: Probe> ProbAlphaBeta<'a, E, P> {
    fn new<G: Game>(job: &Job<'a, G, E>, thread: usize, probe: &'a mut P) -> Self
    where
        E: Evaluator<G>,
    {
        let position = &job.situation.position;
        // A finite toy tree is searched completely and in the order of the file.
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
                static_values: None,
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
            judge: Judge::new(job, thread),
            before: None,
        };
        search.before = search.known_root(job);
        search
    }
}

/// A place in the search: where it is recorded, how deep it is, how many plies remain, and the window.
#[derive(Clone, Copy)]
struct NodeArguments {
    node: NodeId,
    ply: u16,
    depth: i32,
    /// The highest score that is reached elsewhere with confidence; `Score::MIN` if there is none.
    alpha: Score,
    /// The score from which on the other side has a better choice elsewhere; `Score::MAX` if there is none.
    beta: Score,
}

/// A probability in units of 1/65535.
fn as_u16(probability: f32) -> u16 {
    (probability * f32::from(u16::MAX)).round() as u16
}
