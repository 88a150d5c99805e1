//! Alpha-beta: negamax with principal variation search, iterative deepening, transposition table, quiescence,
//! killers and history, and per-move futility pruning, every decision a fate.
//!
//! `root` deepens, `node` says what a position is before its moves, `moves` searches them, `known` asks and fills the
//! transposition table.

mod known;
mod moves;
mod node;
mod root;
mod rules;

pub use rules::{OPTIONS, implied_skip};

use super::context::Context;
use super::deepening;
use super::futility::Futility;
use super::options::capture_rules;
use super::ordering::Memory;
use super::quiescence::Quiescence;
use super::table::Table;
use crate::eval::Evaluator;
use crate::game::{Game, MoveCode, Score};
use crate::search::{Job, Probe, Start};
use crate::tree::NodeId;

/// Runs one thread. Thread 0 records the tree and reports; the others deepen on the shared table. Answers where a next
/// run would begin.
pub fn run<'a, G: Game, E: Evaluator<G>, P: Probe>(
    job: &Job<'a, G, E>,
    thread: usize,
    probe: &'a mut P,
) -> Start {
    let mut search = AlphaBeta::new(job, thread, probe);
    let focus = search.focus(job);
    let depth = if deepening::ends_with_focus(job) {
        job.start.depth
    } else {
        search.deepen(job, thread)
    };
    Start {
        depth,
        best: search.root_best,
        score: search.root_score,
        midway: false,
        focus,
    }
}

/// Searches one node again with its recorded window and depth, and records what lies below: for a node whose
/// subtree the tree does not have (from the table, or visited when the budget was used up). `job.situation` is the
/// position *at the node*, `job.control` has limits of its own. What is recorded is marked as a re-search.
pub fn search_again<'a, G: Game, E: Evaluator<G>, P: Probe>(
    job: &Job<'a, G, E>,
    node: NodeId,
    probe: &'a mut P,
) {
    let Some(window) = job.tree.view(node).window else {
        return;
    };
    let mut search = AlphaBeta::new(job, 0, probe);
    search.again = node;
    search
        .context
        .record_again(job.tree.node(node).static_and_iteration().1);
    let place = Place {
        node,
        ply: job.tree.ply(node),
        depth: i32::from(window.depth),
    };
    let position = &job.situation.position;
    let state = job.evaluator.start(position);
    // Interrupted or not: what was recorded stands.
    let _ = search.search(place, position, state, window.alpha, window.beta);
}

struct AlphaBeta<'a, E, P> {
    /// The node of a re-search or a focus: what the table knows of it is not asked.
    again: NodeId,
    context: Context<'a, P>,
    evaluator: &'a E,
    table: Option<&'a Table>,
    futility: Futility,
    quiescence: Quiescence<'a, E>,
    /// `None`: moves are searched in the game's own order.
    memory: Option<Memory>,
    /// Where the run began on an earlier one's tree: the move to search first at the root, in its first iteration.
    first_move: MoveCode,
    root_best: MoveCode,
    root_score: Score,
}

/// A place in the search: where it is recorded, how deep it is, and what is still to do.
#[derive(Clone, Copy)]
struct Place {
    node: NodeId,
    ply: u16,
    depth: i32,
}

impl<'a, E, P: Probe> AlphaBeta<'a, E, P> {
    fn new<G: Game>(job: &Job<'a, G, E>, thread: usize, probe: &'a mut P) -> Self
    where
        E: Evaluator<G>,
    {
        // A finite toy tree is searched whole and in the file's order: its inner nodes have no value to prune by.
        let heuristics = job.situation.position.height().is_none();
        let options = job.options;
        let futility = if heuristics {
            Futility::from_options(options)
        } else {
            Futility::off()
        };
        AlphaBeta {
            again: NodeId::NONE,
            context: Context::new(job, thread, probe),
            evaluator: job.evaluator,
            table: (heuristics && options.switch("table")).then_some(&job.tables.main),
            futility,
            quiescence: Quiescence {
                evaluator: job.evaluator,
                rules: capture_rules(options),
            },
            memory: heuristics
                .then(|| Memory::new(options.switch("killers"), options.switch("history"))),
            first_move: job.first_best(),
            root_best: job.first_best(),
            root_score: job.start.score,
        }
    }
}
