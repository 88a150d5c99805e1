//! Alpha-beta: negamax with principal variation search, iterative deepening, aspiration windows, transposition table,
//! quiescence, move ordering, and rules that cut, skip, reduce and extend, every decision a fate.
//!
//! `root` deepens, `node` says what a position is before its moves, `moves` searches them, `skips` leaves some out, `known` asks and fills the
//! transposition table. `rules` are the decisions, `trials` the searches some of them ask for, `exact` the windows in
//! which there are no rules, `audits` the second thoughts.

mod audits;
mod explain;
pub(in crate::search) mod leaf;
mod moves;
mod node;
mod prob_cut;
mod root;
pub mod rules;
pub(super) mod short_mates;
mod skips;
pub(super) mod table_probe;
mod trials;

pub use rules::{OPTIONS, without_rules};

use super::deepening::{self, Root};
use super::options::{capture_rules, memory_rules};
use super::static_cache::StaticCache;
use crate::eval::Evaluator;
use crate::game::{Game, MoveCode, Scale, Score};
use crate::search::algorithm::{AlgorithmInfo, Goals, Implementation};
use crate::search::common::auditing::Auditor;
use crate::search::common::context::Context;
use crate::search::common::corrections::Corrections;
use crate::search::common::ordering::Memory;
use crate::search::common::played_line::PlayedLine;
use crate::search::common::quiescence::{CaptureRules, Quiescence};
use crate::search::common::table::Table;
use crate::search::explanation::{Explanation, Reading};
use crate::search::{Algorithm, Interrupt, Job, Options, Probe, Start};
use crate::tree::{Family, Fate, NodeId, NodeView};
use rules::Rules;

/// The row of alpha-beta in the table of algorithms.
pub(in crate::search) enum Entry {}

impl Implementation for Entry {
    const INFO: AlgorithmInfo = AlgorithmInfo {
        algorithm: Algorithm::AlphaBeta,
        name: "alpha-beta",
        summary: "negamax with iterative deepening, transposition table, quiescence and visible futility pruning",
        source: "Knuth & Moore 1975; futility margins: Qhapaq, Why a futility margin may be linear in depth",
        family: Family::DepthFirst,
        beliefs: false,
        options: OPTIONS,
        figures: &[],
        goals: Goals {
            nodes: Some(2.0e6),
            ..Goals::NONE
        },
    };

    fn run<'a, G: Game, E: Evaluator<G>, P: Probe>(
        job: &Job<'a, G, E>,
        thread: usize,
        probe: &'a mut P,
    ) -> Start {
        let context = Context::new(job, thread, probe);
        let mut search = AlphaBeta::new(job, job.options, context);
        deepening::run(&mut search, job, thread)
    }

    fn explain(reading: &Reading, node: NodeId) -> Explanation {
        explain::explain(reading, node)
    }

    fn correction(reading: &Reading, node: NodeId, static_value: Score) -> Option<(Score, i32)> {
        explain::correction(reading, node, static_value)
    }

    fn tells_improving(options: &Options, scale: Scale) -> bool {
        explain::tells_improving(options, scale)
    }

    const SEARCHES_AGAIN: bool = true;

    fn search_again<'a, G: Game, E: Evaluator<G>, P: Probe>(
        job: &Job<'a, G, E>,
        node: NodeId,
        probe: &'a mut P,
    ) {
        search_again(job, node, probe);
    }

    fn implied_skip<G: Game>(
        parent: &NodeView,
        position: &G,
        m: G::Move,
        options: &Options,
    ) -> Option<Fate> {
        rules::implied_skip(parent, position, m, options)
    }
}

/// See [`crate::search::search_again`].
fn search_again<'a, G: Game, E: Evaluator<G>, P: Probe>(
    job: &Job<'a, G, E>,
    node: NodeId,
    probe: &'a mut P,
) {
    let Some(window) = job.tree.view(node).window else {
        return;
    };
    let mut search = AlphaBeta::new(job, job.options, Context::new(job, 0, probe));
    search.root.again = node;
    search
        .context
        .record_again(job.tree.node(node).static_and_iteration().1);
    let place = NodeArguments {
        node,
        ply: job.tree.ply(node),
        depth: i32::from(window.depth),
        passed: job.tree.node(node).move_code() == MoveCode::PASS,
    };
    let position = &job.situation.position;
    let state = job.evaluator.start(position);
    // Interrupted or not: what was recorded stands.
    let _ = search.search(place, position, state, window.alpha, window.beta);
}

struct AlphaBeta<'a, E, P> {
    root: Root,
    context: Context<'a, P>,
    evaluator: &'a E,
    table: Option<&'a Table>,
    /// `None`: a toy tree, searched by plain alpha-beta and in the file's order, or minimax.
    rules: Option<Rules>,
    capture_rules: CaptureRules,
    static_values: StaticCache,
    corrections: Corrections,
    /// `None`: moves are searched in the game's own order.
    memory: Option<Memory>,
    line: PlayedLine,
    /// Below this ply no null move is tried: a cut by one is being verified.
    no_null_before: u16,
    /// What audits have instead of the search's memory and table, whichever is not in use.
    aside: Option<(Memory, &'a Table)>,
    /// The search was stopped among the root's moves: the best of those it had searched.
    root_so_far: Option<(Score, Fate)>,
    /// The root is searched to confirm a mate, not for its value.
    confirming: bool,
    /// Off: every move is searched with an open window, as minimax does.
    cutoffs: bool,
    aspiration: Option<i32>,
}

/// A place in the search: where it is recorded, how deep it is, and what is still to do.
#[derive(Clone, Copy)]
struct NodeArguments {
    node: NodeId,
    ply: u16,
    depth: i32,
    /// It was reached by a null move.
    passed: bool,
}

impl<'a, E, P: Probe> AlphaBeta<'a, E, P> {
    fn new<G: Game>(job: &Job<'a, G, E>, options: &Options, mut context: Context<'a, P>) -> Self
    where
        E: Evaluator<G>,
    {
        // A finite toy tree is searched whole and in the file's order: its inner nodes have no value to prune by.
        let heuristics = job.situation.position.height().is_none();
        let cutoffs = options.switch("cutoffs");
        let rules = (heuristics && cutoffs).then(|| Rules::from_options(options));
        let audit = options.integer("audit") as u64;
        if heuristics && audit > 0 {
            context.auditor = Some(Auditor::new(
                audit,
                job.seed + context.worker.index() as u64,
            ));
        }
        let memory = || Memory::new(memory_rules(options));
        AlphaBeta {
            root: Root::new(job),
            aside: context
                .auditor
                .is_some()
                .then(|| (memory(), job.tables.audit())),
            context,
            evaluator: job.evaluator,
            table: (heuristics && options.switch("table")).then(|| job.tables.main()),
            rules,
            capture_rules: CaptureRules {
                checks: options.switch("quiescence-checks"),
                blind: !options.switch("quiescence"),
                ..capture_rules(options)
            },
            static_values: StaticCache::default(),
            corrections: Corrections::new(heuristics && options.switch("correction-history")),
            memory: heuristics.then(memory),
            line: PlayedLine::default(),
            no_null_before: 0,
            root_so_far: None,
            confirming: false,
            cutoffs,
            aspiration: (heuristics && cutoffs && options.switch("aspiration"))
                .then(|| options.integer("aspiration-window") as i32),
        }
    }

    /// Quiescence at a node, entered and left there.
    fn quiesce<G: Game>(
        &mut self,
        place: NodeArguments,
        position: &G,
        state: E::State,
        alpha: Score,
        beta: Score,
    ) -> Result<Score, Interrupt>
    where
        E: Evaluator<G>,
    {
        let quiescence = Quiescence {
            evaluator: self.evaluator,
            rules: self.capture_rules,
            corrections: Some(&self.corrections),
        };
        let NodeArguments { node, ply, .. } = place;
        quiescence.search(
            &mut self.context,
            node,
            position,
            state,
            alpha,
            beta,
            ply,
            0,
        )
    }
}
