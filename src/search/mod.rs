//! The algorithms, in two families over one tree, and what they share: the table of algorithms, options,
//! limits, events.

pub mod audit;
pub mod best_first;
pub mod choices;
pub mod control;
pub mod depth_first;
pub mod endgame;
pub mod event;
pub mod options;
pub mod quantity;
pub mod rule;

use std::fmt;
use std::str::FromStr;

pub use best_first::reuse::{Reuse, move_on};

pub use audit::{AuditRow, AuditTable};
pub use choices::{Choices, apply as apply_choices};
pub use control::{
    Clock, Control, Cores, Decision, EndEarly, Interrupt, Iteration, Limits, StopReason, Totals,
    Worker,
};
pub use event::{EVENTS, Estimate, Event, EventKind, Free, Probe, Record, Verdict};
pub use options::{OptionError, OptionSpec, Options, Range, Value};

pub use rule::{Effect, RULES, Rule, RuleInfo};

use crate::eval::Evaluator;
use crate::game::{EndgameTables, Game, MoveCode, Scale, Score, Situation};
use crate::tree::{Family, NodeId, Tree, TreeSpec};
use depth_first::table::Tables;

/// The algorithms plyscope has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Algorithm {
    AlphaBeta,
    ProbAlphaBeta,
    Mcts,
    Distress,
}

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
}

/// The table of algorithms: screen, command line and tests read it.
pub static ALGORITHMS: [AlgorithmInfo; 4] = [
    AlgorithmInfo {
        algorithm: Algorithm::AlphaBeta,
        name: "alpha-beta",
        summary: "negamax with iterative deepening, transposition table, quiescence and visible futility pruning",
        source: "Knuth & Moore 1975; futility: the futility-margin post",
        family: Family::DepthFirst,
        beliefs: false,
        options: depth_first::alpha_beta::OPTIONS,
    },
    AlgorithmInfo {
        algorithm: Algorithm::ProbAlphaBeta,
        name: "prob-alpha-beta",
        summary: "alpha-beta on distributions: cuts when P(max >= beta) reaches a confidence level",
        source: "the post on imperfect players, Equation 1",
        family: Family::DepthFirst,
        beliefs: true,
        options: depth_first::prob_alpha_beta::OPTIONS,
    },
    AlgorithmInfo {
        algorithm: Algorithm::Mcts,
        name: "mcts",
        summary: "PUCT with certainty propagation: proven wins, draws and losses with exact distance",
        source: "the certainty-propagation issue of lc0; MCTS-Solver, Winands et al. 2008",
        family: Family::BestFirst,
        beliefs: false,
        options: best_first::mcts::OPTIONS,
    },
    AlgorithmInfo {
        algorithm: Algorithm::Distress,
        name: "distress",
        summary: "distribution-estimating search: backs up whole distributions, searches where it is critical",
        source: "the DISTRESS essay",
        family: Family::BestFirst,
        beliefs: true,
        options: best_first::distress::OPTIONS,
    },
];

impl Algorithm {
    /// The algorithm's row in [`ALGORITHMS`].
    #[must_use]
    pub fn info(self) -> &'static AlgorithmInfo {
        &ALGORITHMS[self as usize]
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        self.info().name
    }

    #[must_use]
    pub fn default_options(self) -> Options {
        Options::defaults(self.name(), self.info().options)
    }

    /// Whether what a search does depends on what its transposition tables know.
    #[must_use]
    pub fn asks_tables(self, options: &Options) -> bool {
        let info = self.info();
        let has_leaves = info.options.iter().any(|o| o.key == "leaf");
        info.family == Family::DepthFirst || has_leaves && options.word("leaf") == "search"
    }

    /// The tree this algorithm grows.
    #[must_use]
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

/// No algorithm has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown algorithm {0:?}, expected one of: alpha-beta, prob-alpha-beta, mcts, distress")]
pub struct UnknownAlgorithm(pub String);

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

/// What one search works on; all its threads share it.
#[derive(Debug)]
pub struct Job<'a, G: Game, E: Evaluator<G>> {
    pub algorithm: Algorithm,
    pub situation: &'a Situation<G>,
    pub evaluator: &'a E,
    pub tree: &'a Tree,
    /// The transposition tables of the depth-first family, and of the searches at leaves.
    pub tables: &'a Tables,
    /// Endgame tables to look positions up in.
    pub endgames: Option<&'a EndgameTables>,
    pub options: &'a Options,
    pub control: &'a Control,
    /// Where to begin.
    pub start: Start,
    /// Moves a person took out. Where they are not those of the run before, [`apply_choices`] comes first.
    pub choices: &'a Choices,
    pub seed: u64,
}

impl<G: Game, E: Evaluator<G>> Job<'_, G, E> {
    /// The move that would be played as the run begins: never one that is out.
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

/// Where a run begins: afresh, or where an earlier one over the same tree and tables left off ([`run`] returns that).
///
/// Single-threaded, the same start on the same tree and tables gives the same events and the same tree. Killers and
/// history of a depth-first search are not carried over: each run begins with an empty memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// Depth-first: the iteration finished last; the next one comes first. One that was interrupted begins again, and a
    /// toy tree is searched to its whole height again.
    pub depth: u16,
    /// The move that would be played; `NONE` before anything is known.
    pub best: MoveCode,
    /// Its value, the root's side to move.
    pub score: Score,
    /// In the middle of a run ([`Probe::clean_point`]), which has reported its beginning already.
    pub midway: bool,
    /// A node to be searched before anything else.
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
/// Best-first: every descent takes the way to the node and goes on freely below it; what it brings is backed up to the
/// root as ever, so in MCTS the forced visits count as visits, in the means and for the move played. The focus ends
/// early where the node, or one on the way, is proven or has nothing left to search.
///
/// Depth-first: before the iterations the node is searched by itself with an open window, one ply deeper than before
/// and deeper, until the nodes are used up, and marked as searched again; the table lets the iterations profit.
/// The main thread alone does that.
///
/// No focus: the root, a node that is not in the tree, a move that is out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Focus {
    pub node: NodeId,
    pub nodes: u64,
}

/// Runs one thread of a search until it is finished, solved or stopped; the reason is in `job.control`.
///
/// `thread` 0 is the main thread: with one thread the run is deterministic, event for event. Every thread calls
/// this with its own probe.
///
/// Answers where the next run over the same tree and tables would begin; thread 0's answer is the one that counts. When
/// all threads have returned a best-first tree is whole: no leaf is claimed, no visit is counted that was not made. In a
/// depth-first tree the nodes the search was stopped in say so ([`crate::tree::Fate::Interrupted`]) until it comes there
/// again.
pub fn run<G: Game, E: Evaluator<G>, P: Probe>(
    job: &Job<G, E>,
    thread: usize,
    probe: &mut P,
) -> Start {
    match job.algorithm {
        Algorithm::AlphaBeta => depth_first::alpha_beta::run(job, thread, probe),
        Algorithm::ProbAlphaBeta => depth_first::prob_alpha_beta::run(job, thread, probe),
        Algorithm::Mcts => best_first::mcts::run(job, thread, probe),
        Algorithm::Distress => best_first::distress::run(job, thread, probe),
    }
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
