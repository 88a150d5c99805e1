//! The algorithms, in two families over one tree, and what they share: the table of algorithms, options, limits,
//! events.

mod aim;
mod algorithm;
mod any_job;
mod apply_choices;
pub mod audit;
pub mod best_first;
pub mod choices;
pub mod common;
pub mod control;
pub mod depth_first;
pub mod endgame;
pub mod event;
pub mod explanation;
mod leaf_value;
pub mod options;
mod probe;
pub mod quantity;
pub mod rule;
mod subject;
mod watch;

use std::fmt;
use std::str::FromStr;

pub use best_first::reuse::{Reuse, move_on};

pub use aim::{Aim, AimInfo};
pub use algorithm::{AlgorithmInfo, Goals, Ranking};
pub use any_job::{AnyJob, Standing};
pub use apply_choices::apply_choices;
pub use audit::{AuditRow, AuditTable};
pub use choices::Choices;
pub use control::{
    Clock, Control, Cores, Decision, EndEarly, Interrupt, Iteration, Limits, StopReason, Totals,
    Worker,
};
pub use event::{EVENTS, Estimate, Event, EventKind};
pub use explanation::{Explanation, Fitted, NamedNumbers, Reading, Term, Viewpoint};
pub use options::{OptionError, OptionSpec, Options, Range, Value};
pub use probe::{AfterEvent, Free, LeafVisit, Probe, Record};

pub use depth_first::alpha_beta::rules::RULES;
pub use rule::{Effect, Rule, RuleInfo};
pub use subject::{AnyPosition, JobParts, Subject};
pub use watch::{Watched, Watcher};

use crate::eval::Evaluator;
use crate::game::{EndgameTables, Game, MoveCode, Scale, Score, Situation};
use crate::tree::{Family, Fate, NodeId, NodeView, Tree, TreeSpec};
use algorithm::Implementation;
use common::table::Tables;

/// Builds the table of algorithms from its rows, each the name of an algorithm and the module that implements it: the
/// enum, [`ALGORITHMS`], and `ask!`, which passes a question of [`Implementation`] to an algorithm's module.
macro_rules! algorithms {
    ($d:tt $($(#[$doc:meta])* $name:ident => $($module:ident)::+,)+) => {
        /// The algorithms that plyscope implements.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Algorithm {
            $($(#[$doc])* $name,)+
        }

        /// The table of algorithms, which the screen, the command line and the tests read.
        pub static ALGORITHMS: [AlgorithmInfo; [$(Algorithm::$name),+].len()] =
            [$(<$($module)::+::Entry as Implementation>::INFO),+];

        const _: () = {
            $(assert!(
                <$($module)::+::Entry as Implementation>::INFO.algorithm as usize
                    == Algorithm::$name as usize,
                "the row belongs to another algorithm"
            );)+
        };

        macro_rules! ask {
            ($d algorithm:expr, $d question:ident $d($d arguments:tt)?) => {
                match $d algorithm {
                    $($crate::search::Algorithm::$name => {
                        <$crate::search::$($module)::+::Entry as $crate::search::algorithm::Implementation>
                            ::$d question $d($d arguments)?
                    })+
                }
            };
        }
        pub(in crate::search) use ask;
    };
}

// To add an algorithm: add its folder, its `mod` in the family's mod.rs, and its row here.
algorithms! { $
    AlphaBeta => depth_first::alpha_beta,
    ProbAlphaBeta => depth_first::prob_alpha_beta,
    Mcts => best_first::mcts,
    Distress => best_first::distress,
    BestFirstMinimax => best_first::best_first_minimax,
    Uniform => depth_first::uniform,
    BStar => best_first::b_star,
    ProbBStar => best_first::prob_b_star,
    Conspiracy => best_first::conspiracy,
    Bpip => best_first::bpip,
    Pn => best_first::pn,
    BayesMcts => best_first::bayes_mcts,
}

impl Algorithm {
    /// The algorithm used when none was chosen.
    pub const DEFAULT: Algorithm = Algorithm::AlphaBeta;

    /// The algorithms that review a game side by side when none were chosen: one for each kind of value at a node, a
    /// bound, a mean and a distribution.
    pub const SIDE_BY_SIDE: [Algorithm; 3] =
        [Algorithm::AlphaBeta, Algorithm::Mcts, Algorithm::Distress];

    /// The algorithms that are compared when none were chosen: all that are no controls.
    pub const COMPARED: [Algorithm; 4] = [
        Algorithm::AlphaBeta,
        Algorithm::ProbAlphaBeta,
        Algorithm::Mcts,
        Algorithm::Distress,
    ];

    /// The algorithm that a comparison puts next to this one when none was chosen.
    pub fn rival(self) -> Algorithm {
        match self {
            Algorithm::Distress => Algorithm::AlphaBeta,
            _ => Algorithm::Distress,
        }
    }

    /// The algorithm's row in [`ALGORITHMS`].
    pub fn info(self) -> &'static AlgorithmInfo {
        &ALGORITHMS[self as usize]
    }

    pub fn name(self) -> &'static str {
        self.info().name
    }

    pub fn default_options(self) -> Options {
        Options::defaults(self.name(), self.info().options)
    }

    /// Whether the course of a search depends on the contents of its transposition tables.
    pub fn asks_tables(self, options: &Options) -> bool {
        let searches_leaves = self.has_option("leaf") && options.word("leaf") == "search";
        self.info().family == Family::DepthFirst || searches_leaves
    }

    fn has_option(self, key: &str) -> bool {
        self.info().options.iter().any(|o| o.key == key)
    }

    /// Whether a search keeps its tree when the game moves on ([`move_on`]).
    pub fn reuses_tree(self, options: &Options) -> bool {
        self.can_reuse_tree() && options.switch("tree-reuse")
    }

    fn can_reuse_tree(self) -> bool {
        self.has_option("tree-reuse")
    }

    /// Whether [`search_again`] can show what lies below a node whose subtree was not recorded.
    pub fn searches_again(self) -> bool {
        ask!(self, SEARCHES_AGAIN)
    }

    /// Whether the searches of this algorithm's leaves can be shown by [`open_leaf`].
    pub fn opens_leaves(self, options: &Options) -> bool {
        ask!(self, opens_leaves(options))
    }

    /// Why a legal move without a node of its own was skipped, where its parent's numbers imply that.
    pub fn implied_skip<G: Game>(
        self,
        parent: &NodeView,
        position: &G,
        m: G::Move,
        options: &Options,
    ) -> Option<Fate> {
        ask!(self, implied_skip(parent, position, m, options))
    }

    /// The tree this algorithm grows.
    pub fn tree_spec(self, scale: Scale, budget: u64, record_plies: u16) -> TreeSpec {
        TreeSpec {
            family: self.info().family,
            scale,
            beliefs: self.info().beliefs,
            budget,
            record_plies,
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error for a name that no algorithm has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown algorithm {0:?}, expected one of: {names}", names = names())]
pub struct UnknownAlgorithm(pub String);

/// The algorithms' names as a list for messages.
fn names() -> String {
    ALGORITHMS.each_ref().map(|a| a.name).join(", ")
}

impl FromStr for Algorithm {
    type Err = UnknownAlgorithm;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        ALGORITHMS
            .iter()
            .find(|a| a.name == s)
            .map(|a| a.algorithm)
            .ok_or_else(|| UnknownAlgorithm(s.to_string()))
    }
}

/// What one search works on, shared by all its threads.
#[derive(Debug)]
pub struct Job<'a, G: Game, E: Evaluator<G>> {
    pub algorithm: Algorithm,
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
    /// Moves that the user took out. Where they are not those of the run before, call [`apply_choices()`] first.
    pub choices: &'a Choices,
    pub seed: u64,
}

impl<G: Game, E: Evaluator<G>> Job<'_, G, E> {
    /// The move that would be played when the run starts: never one that was taken out.
    fn first_best(&self) -> MoveCode {
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

/// Where a run starts: from scratch, or where an earlier one over the same tree and tables ended ([`run`] returns
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

/// Runs one thread of a search until it is finished, solved or stopped; the reason is in `job.control`.
///
/// `thread` 0 is the main thread. With one thread the run is deterministic, event for event. Every thread calls this
/// with its own probe.
///
/// Returns where the next run over the same tree and tables would start; only the result of thread 0 counts. When all
/// threads have returned, a best-first tree is consistent: no leaf is claimed, and no visit is counted that was not
/// made. In a depth-first tree the nodes in which the search was stopped are marked
/// ([`crate::tree::Fate::Interrupted`]) until the search comes there again.
pub fn run<G: Game, E: Evaluator<G>, P: Probe>(
    job: &Job<G, E>,
    thread: usize,
    probe: &mut P,
) -> Start {
    ask!(job.algorithm, run(job, thread, probe))
}

/// Searches one node again with its recorded window and depth, and records what is below it, marked as a re-search.
/// This is for a node whose subtree is not in the tree, because its value came from the table or it was visited when
/// the budget was used up. `job.situation` is the position *at the node*, and `job.control` has its own limits. Does
/// nothing where [`Algorithm::searches_again`] returns false.
pub fn search_again<G: Game, E: Evaluator<G>, P: Probe>(
    job: &Job<G, E>,
    node: NodeId,
    probe: &mut P,
) {
    ask!(job.algorithm, search_again(job, node, probe));
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

/// Runs the search of one leaf again, records it in a tree of its own, and reports to `probe` what it does.
///
/// `job` is a single-threaded search on a tree and tables as they were at its beginning. It is run again, unseen, up to
/// that visit, because what a leaf's search does depends on the tables and histories of the moment: the search seen has
/// the value and the nodes that the tree tells. Does nothing where [`Algorithm::opens_leaves`] returns false. Records
/// nothing where the leaf was not searched at that visit, because the transposition table knew its value.
pub fn open_leaf<'a, G: Game, E: Evaluator<G>, P: Probe>(
    job: &Job<'a, G, E>,
    leaf: &OpenedLeaf<'a>,
    probe: &'a mut P,
) {
    ask!(job.algorithm, open_leaf(job, leaf, probe));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_stands_in_the_enums_order_and_its_defaults_parse() {
        for (i, row) in ALGORITHMS.iter().enumerate() {
            assert_eq!(row.algorithm as usize, i);
            assert_eq!(row.name.parse(), Ok(row.algorithm));
            let options = row.algorithm.default_options();
            assert_eq!(options.iter().count(), row.options.len());
        }
    }

    #[test]
    fn a_wrong_option_says_what_was_expected() {
        let mut options = Algorithm::AlphaBeta.default_options();
        let unknown = options.set_pair("fútility=on").unwrap_err().to_string();
        assert!(
            unknown.contains("expected one of") && unknown.contains("futility"),
            "{unknown}"
        );
        let value = options
            .set_pair("futility=perhaps")
            .unwrap_err()
            .to_string();
        assert!(
            value.contains("\"perhaps\"") && value.contains("on or off"),
            "{value}"
        );
    }
}
