//! Alpha-beta: negamax with principal variation search, iterative deepening, aspiration windows, a transposition table,
//! quiescence, move ordering, and rules that cut, skip, reduce and extend. Every such decision is recorded as a fate.
//!
//! `root` searches the root within aspiration windows or by passes (`driver`), `node` decides what it can before a node's moves, `moves`
//! searches the moves, `sharing` divides them among threads, `skips` leaves some of them out, and `table_probe` reads and fills the transposition table.
//! `rules` makes the decisions, `trials` runs the searches that some of them ask for, `short_mates` finds the windows
//! in which no rule applies, and `audits` checks pruning after the fact.

mod audits;
mod driver;
mod explain;
pub mod leaf;
mod moves;
mod node;
mod passes;
mod prob_cut;
mod root;
pub mod rules;
mod sharing;
pub(super) mod short_mates;
mod site;
mod skips;
pub(super) mod table_probe;
mod trials;

pub use rules::{BELOW_ROOT, OPTIONS, without_rules};

use std::collections::BTreeSet;

use super::choices;
use super::deepening::{self, Root};
use super::lines::Lines;
use super::options::{capture_rules, memory_rules};
use driver::Driver;
use eval::Evaluator;
use game::{Game, MoveCode, Scale, Score};
use rules::Rules;
use search::algorithm::{AlgorithmInfo, Goals, Implementation, Ranking};
use search::common::auditor::Auditor;
use search::common::context::Context;
use search::common::corrections::Corrections;
use search::common::ordering::Memory;
use search::common::played_line::PlayedLine;
use search::common::quiescence::{CaptureRules, Quiescence};
use search::common::static_cache::StaticCache;
use search::common::team::Team;
use search::explanation::{Explanation, Reading};
use search::{Interrupt, Job, Options, Probe, Start};
use table_probe::Store;
use tree::{Family, Fate, NodeId, NodeView};

/// The row of alpha-beta in the table of algorithms.
pub enum Entry {}

impl Implementation for Entry {
    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "alpha-beta",
        summary: "negamax with iterative deepening, transposition table, quiescence and visible futility pruning",
        source: "Knuth & Moore 1975; futility margins: Qhapaq, Why a futility margin may be linear in depth",
        family: Family::DepthFirst,
        beliefs: false,
        ranking: Ranking::Value,
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
        run(job, thread, probe, RootWindows::Narrow)
    }

    fn apply_choices<G: Game, E: Evaluator<G>>(job: &Job<G, E>, changed: &BTreeSet<NodeId>) {
        choices::apply(job.tree, job.choices, changed);
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

pub fn default_options() -> Options {
    Entry::INFO.default_options()
}

/// The windows in which the root's moves are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootWindows {
    /// Each move has to beat those before it, within an aspiration window.
    Narrow,
    /// Each move is searched for its value, whatever the others are worth.
    Open,
}

/// Runs one thread; see [`Implementation::run`].
pub(super) fn run<'a, G: Game, E: Evaluator<G>, P: Probe>(
    job: &Job<'a, G, E>,
    thread: usize,
    probe: &'a mut P,
    root_windows: RootWindows,
) -> Start {
    let context = Context::new(job, thread, probe);
    let mut search = AlphaBeta::new(job, job.options, context).joining(job.control.team());
    if root_windows == RootWindows::Open {
        search.open_root = true;
        search.root.lines = Lines::all();
    }
    deepening::run(&mut search, job, thread)
}

/// See [`Implementation::search_again`].
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
    // Whether it was interrupted does not matter: what it recorded stays.
    let _ = search.search(place, position, &state, window.alpha, window.beta);
}

struct AlphaBeta<'a, E, P> {
    root: Root,
    context: Context<'a, P>,
    evaluator: &'a E,
    driver: Driver,
    table: Option<Store<'a>>,
    /// `None` for a toy tree, which is searched by plain alpha-beta in the order of the file, or by minimax.
    rules: Option<Rules>,
    capture_rules: CaptureRules,
    static_values: StaticCache,
    corrections: Corrections,
    /// `None`: moves are searched in the order the game lists them.
    memory: Option<Memory>,
    /// `None`: there are no other threads.
    team: Option<&'a Team>,
    line: PlayedLine,
    /// No null move is tried above this ply, because a null-move cutoff is being verified.
    no_null_before: u16,
    /// The memory and the table of the audits while the search uses its own, and the search's own during an audit.
    aside: Option<(Memory, Store<'a>)>,
    /// The best of the root's moves searched so far, in case the search is stopped among them.
    root_so_far: Option<(Score, Fate)>,
    /// How many moves the root has.
    root_moves: u8,
    /// The root is searched to confirm a mate and not for its value.
    confirming: bool,
    /// When off, every move is searched with an open window, as minimax does.
    cutoffs: bool,
    /// Every move of the root is searched with an open window and in full depth.
    open_root: bool,
    aspiration: Option<i32>,
}

/// A place in the search: where it is recorded, how deep it is, and how many plies remain.
#[derive(Clone, Copy)]
struct NodeArguments {
    node: NodeId,
    ply: u16,
    depth: i32,
    /// The node was reached by a null move.
    passed: bool,
}

impl<'a, E, P: Probe> AlphaBeta<'a, E, P> {
    fn new<G: Game>(job: &Job<'a, G, E>, options: &Options, mut context: Context<'a, P>) -> Self
    where
        E: Evaluator<G>,
    {
        // A finite toy tree is searched completely and in the order of the file: its inner nodes have no static value
        // to prune by.
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
        let driver = Driver::from_options(options, job.situation.position.scale());
        let table = match options.switch("table") {
            true if driver.makes_passes() => Some(Store::both(job.tables, !heuristics)),
            true if heuristics => Some(Store::single(job.tables.main())),
            _ => None,
        };
        AlphaBeta {
            root: Root::new(job),
            aside: context
                .auditor
                .is_some()
                .then(|| (memory(), Store::single(job.tables.audit()))),
            context,
            evaluator: job.evaluator,
            driver,
            table,
            rules,
            capture_rules: CaptureRules {
                checks: options.switch("quiescence-checks"),
                blind: !options.switch("quiescence"),
                ..capture_rules(options)
            },
            static_values: StaticCache::default(),
            corrections: Corrections::new(heuristics && options.switch("correction-history")),
            memory: heuristics.then(memory),
            team: None,
            line: PlayedLine::default(),
            no_null_before: 0,
            root_so_far: None,
            root_moves: 0,
            confirming: false,
            cutoffs,
            open_root: false,
            aspiration: driver::aspiration(options).filter(|_| heuristics && cutoffs),
        }
    }

    /// The same search as one of several threads.
    fn joining(self, team: Option<&'a Team>) -> Self {
        let Some(team) = team.filter(|_| self.memory.is_some()) else {
            return self;
        };
        AlphaBeta {
            memory: self.memory.map(|memory| memory.sharing(&team.histories)),
            corrections: self.corrections.sharing(&team.corrections),
            team: Some(team),
            ..self
        }
    }

    /// Runs quiescence at a node, which it enters and leaves itself.
    fn quiesce<G: Game>(
        &mut self,
        place: NodeArguments,
        position: &G,
        state: &E::State,
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
            static_values: self.memory.as_ref().map(|_| &self.static_values),
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
