//! The algorithms, in two families over one tree, and what they share: the table of algorithms, options, limits,
//! events.

mod aim;
pub mod algorithm;
mod any_evaluator;
mod any_position;
pub mod audit;
pub mod choices;
pub mod common;
pub mod control;
pub mod endgame;
mod erased;
pub mod event;
pub mod explanation;
pub mod options;
mod probe;
pub mod quantity;
mod recorded;
mod reuse;
pub mod rule;
mod subject;
mod watch;

pub use aim::{Aim, AimInfo};
pub use algorithm::{AlgorithmInfo, Goals, Ranking};
pub use any_evaluator::AnyEvaluator;
pub use any_position::AnyPosition;
pub use audit::{AuditRow, AuditTable};
pub use choices::Choices;
pub use control::{
    Clock, Control, Cores, Decision, EndEarly, Interrupt, Iteration, Limits, RootLine, StopReason,
    Totals, Worker,
};
pub use event::{Budget, BudgetUnit, EVENTS, Estimate, Event, EventKind, Told};
pub use explanation::{Explanation, Fitted, NamedNumbers, Reading, Term, Viewpoint};
pub use options::{FormulaRange, OptionError, OptionSpec, Options, Range, Value};
pub use probe::{AfterEvent, Free, LeafVisit, Probe, Record};

pub use recorded::{Recorded, is_same_search};
pub use reuse::Reuse;
pub use rule::{Effect, Rule, RuleInfo};
pub use subject::Subject;
pub use watch::{Watched, Watcher};

use common::table::Tables;
use eval::Evaluator;
use game::{EndgameTables, Game, MoveCode, Score, Situation};
use tree::{NodeId, Tree};

/// What one search works on, shared by all its threads.
#[derive(Debug)]
pub struct Job<'a, G: Game, E: Evaluator<G>> {
    pub situation: &'a Situation<G>,
    pub evaluator: &'a E,
    pub tree: &'a Tree,
    /// The transposition tables of the depth-first family, and of the searches at leaves.
    pub tables: &'a Tables,
    /// The endgame tables in which positions are looked up.
    pub endgames: Option<&'a EndgameTables>,
    pub options: &'a Options,
    pub control: &'a Control,
    /// Where the run starts.
    pub start: Start,
    /// Moves that the user took out. Where they are not those of the run before, call `algorithms::apply_choices` first.
    pub choices: &'a Choices,
    pub seed: u64,
    /// Another program's search, where the job is to show that.
    pub recorded: Option<&'a dyn Recorded>,
}

impl<G: Game, E: Evaluator<G>> Job<'_, G, E> {
    /// The move that would be played when the run starts: never one that was taken out.
    pub fn first_best(&self) -> MoveCode {
        let best = self.start.best;
        if !self.choices.excludes(Tree::ROOT, best) {
            return best;
        }
        let known = self.tree.node(Tree::ROOT).fate().best();
        known
            .filter(|&m| !self.choices.excludes(Tree::ROOT, m))
            .unwrap_or(MoveCode::NONE)
    }
}

/// Where a run starts: from scratch, or where an earlier one over the same tree and tables ended (`algorithms::run` returns
/// that).
///
/// Single-threaded, the same start on the same tree and tables gives the same events and the same tree. Killers and
/// history of a depth-first search are not carried over: each run starts with an empty memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// Depth-first: the last finished iteration; the next one comes first. An interrupted iteration is started again,
    /// and a toy tree is searched again to its whole height.
    pub depth: u16,
    /// The move that would be played; `NONE` before anything is known.
    pub best: MoveCode,
    /// The move's value, from the view of the root's side to move.
    pub score: Score,
    /// The run continues in the middle of another one ([`Probe::clean_point`]), which has already reported its start.
    pub midway: bool,
    /// A node to search before anything else.
    pub focus: Option<Focus>,
}

impl Default for Start {
    fn default() -> Self {
        Start {
            depth: 0,
            best: MoveCode::NONE,
            score: Score::DRAW,
            midway: false,
            focus: None,
        }
    }
}

/// "Search this node more": the next `nodes` nodes go to one node, whatever the algorithm would choose.
///
/// Best-first: every descent takes the way to the node and continues freely below it. Its result is backed up to the
/// root as usual, so in MCTS the forced visits count as visits, in the means and for the move played. The focus ends
/// early where the node, or one on the way, is proven or has nothing left to search.
///
/// Depth-first: before the iterations, the node is searched by itself with an open window, starting one ply deeper than
/// before, until the nodes are used up. It is marked as searched again; the iterations profit through the table. Only
/// the main thread does that.
///
/// There is no focus on the root, on a node that is not in the tree, or on a move that was taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Focus {
    pub node: NodeId,
    pub nodes: u64,
}

/// A leaf of a best-first tree whose own search is to be seen, as it was at one visit.
#[derive(Clone, Copy, Debug)]
pub struct OpenedLeaf<'a> {
    pub node: NodeId,
    pub parent: NodeId,
    /// The moves from the root to the leaf.
    pub way: &'a [MoveCode],
    /// Plies of its search at that visit; every visit searches deeper.
    pub depth: u8,
    /// The last event that the tree has seen.
    pub until: u64,
    /// Where its search is recorded: an empty depth-first tree of the same root, of which the way to the leaf and what
    /// is below the leaf is grown.
    pub tree: &'a Tree,
    /// The switchboard of that search.
    pub control: &'a Control,
}
