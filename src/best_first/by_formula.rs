//! A best-first search that is nothing but three formulas: what a leaf is worth, which move is visited next, and what a node
//! is worth by its moves.
//!
//! New moves are looked at in one of two ways. One at a time, as in MCTS: a leaf gets its moves by their priors, and a visit
//! looks at one of them. Then the search is [`super::mcts`] with these formulas. Or all at once: an expansion evaluates every
//! move, as in best-first minimax, and the search is a [`Strategy`](super::driver::Strategy). `mcts` takes the formulas of its
//! choice and back-up from here too.

mod back_up;
mod evaluate;
mod explain;
mod lead;
mod moves;
mod select;
mod strategy;

use super::driver::Row;
use super::mcts;
use super::prior::{CHECK_GAIN, EVEN_PRIOR, PRIOR, TEMPERATURE};
use crate::reuse::TREE_REUSE;
use eval::Evaluator;
use game::{Game, MoveCode};
use search::algorithm::{AlgorithmInfo, Goals, Implementation, Ranking};
use search::endgame::{KNOWN_DRAWS, TABLE_MEN};
use search::explanation::{Explanation, Reading};
use search::options::EVAL;
use search::{Job, OptionSpec, Options, Probe, Range, Reuse, Start};
use std::collections::BTreeSet;
use strategy::ByFormula;
use tree::{Family, Node, NodeId, Tree};

pub use back_up::{BACK_UP, BackUp, KEY as BACK_UP_KEY, MEAN};
pub use evaluate::Evaluate;
pub use lead::Lead;
pub use select::{KEY as SELECT_KEY, SELECT, Select};

pub(super) use explain::explain;
pub(super) use moves::PriorOf;

const LOOK_AT: OptionSpec = OptionSpec {
    key: "look-at",
    default: "one",
    range: Range::Choice(&["one", ALL]),
    summary: "new moves are looked at one by one, a visit each, with priors by which they are ordered (one, as in MCTS; a leaf is expanded at its third visit), or an expansion evaluates them all (all, as in best-first minimax)",
};

const ALL: &str = "all";

const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        key: evaluate::KEY,
        default: "value",
        range: Range::Formula(&evaluate::EVALUATE),
        summary: "what a new leaf is worth to its side to move, cut to -1 to 1 (the evaluation where the formula has no finite value)",
    },
    OptionSpec {
        key: select::KEY,
        default: "puct",
        range: Range::Formula(&SELECT),
        summary: "the move with the highest score is visited next: PUCT, UCT (UCB1), in turn (uniform), or a formula of the move's numbers (PUCT where it has no finite value)",
    },
    OptionSpec {
        key: back_up::KEY,
        default: MEAN,
        range: Range::Formula(&BACK_UP),
        summary: "what a node is worth to its side to move by its moves, cut to -1 to 1: mean, the best move's value (minimax), or a formula in which sum, most and least take a number of each move (the mean where it has no finite value)",
    },
    LOOK_AT,
    OptionSpec {
        key: "fpu",
        default: "0.4",
        range: Range::Number { min: 0.0, max: 2.0 },
        summary: "Q of an unvisited move: its parent's value minus this times the root of the visited prior (look-at one)",
    },
    PRIOR,
    TEMPERATURE,
    EVEN_PRIOR,
    CHECK_GAIN,
    OptionSpec {
        key: "leaf",
        default: "static",
        range: Range::Choice(&["static", "quiescence"]),
        summary: "the evaluation of a leaf: its static value, or a quiescence search from it (its nodes count)",
    },
    TREE_REUSE,
    TABLE_MEN,
    KNOWN_DRAWS,
    EVAL,
];

/// Whether the options are those of a search that is nothing but formulas.
pub fn is_asked_by(options: &Options) -> bool {
    options.has(LOOK_AT.key)
}

/// Whether every move of an expanded node is evaluated at once.
fn looks_at_all(options: &Options) -> bool {
    options.is(LOOK_AT.key, ALL)
}

/// Where the priors of moves are kept that were evaluated at once: their share of the visits stands in the usual place.
fn first_prior(child: &Node) -> f32 {
    child.pair().0
}

/// How the tree that the options grow keeps its priors.
fn prior_of(options: &Options) -> PriorOf {
    match is_asked_by(options) && looks_at_all(options) {
        true => first_prior,
        false => Node::policy,
    }
}

/// The row of `formula` in the table of algorithms.
pub enum Entry {}

impl Implementation for Entry {
    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "formula",
        summary: "your own best-first search: what a leaf is worth, which move comes next, and what a node is worth, each by a formula",
        source: "three formulas; PUCT, UCT, best-first minimax and a search in turn are among what they can say",
        family: Family::BestFirst,
        beliefs: false,
        ranking: Ranking::Visits,
        options: OPTIONS,
        figures: &[],
        goals: Goals {
            two_threads: 1.0,
            ..Goals::NONE
        },
    };

    fn run<'a, G: Game, E: Evaluator<G>, P: Probe>(
        job: &Job<'a, G, E>,
        thread: usize,
        probe: &'a mut P,
    ) -> Start {
        match looks_at_all(job.options) {
            true => Row::<ByFormula>::run(job, thread, probe),
            false => mcts::Entry::run(job, thread, probe),
        }
    }

    fn best_move(tree: &Tree, node: NodeId) -> Option<MoveCode> {
        super::proofs::best_move(tree, node)
    }

    fn apply_choices<G: Game, E: Evaluator<G>>(job: &Job<G, E>, changed: &BTreeSet<NodeId>) {
        match looks_at_all(job.options) {
            true => Row::<ByFormula>::apply_choices(job, changed),
            false => mcts::Entry::apply_choices(job, changed),
        }
    }

    fn move_on<G: Game, E: Evaluator<G>>(job: &Job<G, E>, moves: &[MoveCode]) -> Option<Reuse> {
        match looks_at_all(job.options) {
            true => Row::<ByFormula>::move_on(job, moves),
            false => mcts::Entry::move_on(job, moves),
        }
    }

    fn explain(reading: &Reading, node: NodeId) -> Explanation {
        explain(reading, node)
    }
}
