//! The table of algorithms, and what each algorithm answers.

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use eval::Evaluator;
use game::{Game, MoveCode, Scale, Score};
use search::algorithm::{AlgorithmInfo, Implementation};
use search::explanation::{Explanation, Fitted, NamedNumbers, Reading, Term};
use search::{Choices, Job, OpenedLeaf, Options, Probe, Reuse, Start};
use tree::{Family, Fate, Node, NodeId, NodeView, Tree, TreeSpec};

/// Builds the table of algorithms from its rows, each the name of an algorithm and the type that implements it: the
/// enum, [`ALGORITHMS`], and `ask!`, which passes a question of [`Implementation`] to that type. What stands after `told:` are
/// searches of other programs, which nobody can choose: they are not in the table.
macro_rules! algorithms {
    ($d:tt $($name:ident => $module:ty,)+ ; told: $($told:ident => $told_by:ty,)+) => {
        /// The algorithms that plyscope implements, and those of other programs whose searches it reads.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Algorithm {
            $($name,)+
            $($told,)+
        }

        /// The table of algorithms, which the screen, the command line and the tests read.
        pub static ALGORITHMS: [Row; [$(Algorithm::$name),+].len()] = [$(Row {
            algorithm: Algorithm::$name,
            info: <$module as Implementation>::INFO,
        }),+];

        /// The rows of other programs' searches.
        static TOLD: [Row; [$(Algorithm::$told),+].len()] = [$(Row {
            algorithm: Algorithm::$told,
            info: <$told_by as Implementation>::INFO,
        }),+];

        macro_rules! ask {
            ($d algorithm:expr, $d question:ident $d($d arguments:tt)?) => {
                match $d algorithm {
                    $(Algorithm::$name => {
                        <$module as Implementation>::$d question $d($d arguments)?
                    })+
                    $(Algorithm::$told => {
                        <$told_by as Implementation>::$d question $d($d arguments)?
                    })+
                }
            };
        }
    };
}

// To add an algorithm: add its folder, its `mod` in the family's crate, and its row here.
algorithms! { $
    AlphaBeta => depth_first::alpha_beta::Entry,
    ProbAlphaBeta => depth_first::prob_alpha_beta::Entry,
    Mcts => best_first::mcts::Entry,
    Distress => best_first::distress::Entry,
    BestFirstMinimax => best_first::best_first_minimax::Entry,
    Uniform => depth_first::uniform::Entry,
    BStar => best_first::b_star::Entry,
    ProbBStar => best_first::prob_b_star::Entry,
    Conspiracy => best_first::conspiracy::Entry,
    Bpip => best_first::bpip::Entry,
    Pn => best_first::pn::Entry,
    BayesMcts => best_first::bayes_mcts::Entry,
    Formula => best_first::by_formula::Entry,
; told:
    TracedDepthFirst => traced::DepthFirst,
    TracedBestFirst => traced::BestFirst,
}

/// One row of the table of algorithms.
#[derive(Debug)]
pub struct Row {
    pub algorithm: Algorithm,
    info: AlgorithmInfo,
}

impl Deref for Row {
    type Target = AlgorithmInfo;

    fn deref(&self) -> &AlgorithmInfo {
        &self.info
    }
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
            Algorithm::Distress | Algorithm::TracedDepthFirst => Algorithm::AlphaBeta,
            Algorithm::TracedBestFirst => Algorithm::Mcts,
            _ => Algorithm::Distress,
        }
    }

    /// What the algorithm declares about itself: its row in [`ALGORITHMS`], unless it is another program's.
    pub fn info(self) -> &'static AlgorithmInfo {
        let at = self as usize;
        match at.checked_sub(ALGORITHMS.len()) {
            None => &ALGORITHMS[at].info,
            Some(at) => &TOLD[at].info,
        }
    }

    /// Whether the search is another program's, which plyscope only reads.
    pub fn is_told(self) -> bool {
        self as usize >= ALGORITHMS.len()
    }

    /// The algorithm that reads such a search of another program.
    pub fn reading(family: Family) -> Algorithm {
        match family {
            Family::DepthFirst => Algorithm::TracedDepthFirst,
            Family::BestFirst => Algorithm::TracedBestFirst,
        }
    }

    pub fn name(self) -> &'static str {
        self.info().name
    }

    pub fn default_options(self) -> Options {
        self.info().default_options()
    }

    /// Whether the course of a search depends on the contents of its transposition tables.
    pub fn asks_tables(self, options: &Options) -> bool {
        let searches_leaves = options.is("leaf", "search");
        self.info().family == Family::DepthFirst || searches_leaves
    }

    /// Whether a search keeps its tree when the game moves on ([`move_on`]).
    pub fn reuses_tree(self, options: &Options) -> bool {
        options.reuses_tree()
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
            // Of a foreign search, the side tables share it.
            budget: match self.is_told() {
                true => {
                    let node = size_of::<Node>() as u64;
                    budget / (node + Tree::TOLD_BYTES) * node
                }
                false => budget,
            },
            record_plies,
        }
    }
}

/// What an algorithm says about its nodes.
impl Algorithm {
    /// The move that the algorithm itself names as the best at a node: the one that its fate names, or the one that
    /// proves the result. `None` where it names none.
    pub fn best_move(self, tree: &Tree, node: NodeId) -> Option<MoveCode> {
        ask!(self, best_move(tree, node))
    }

    /// Everything the algorithm can explain about a node in the tree, apart from the numbers that every node has.
    pub fn explain(self, reading: &Reading, node: NodeId) -> Explanation {
        ask!(self, explain(reading, node))
    }

    /// A number of the node by its name in [`AlgorithmInfo::figures`]; `None` where the node does not have it.
    pub fn figure(self, reading: &Reading, node: NodeId, name: &str) -> Option<f64> {
        ask!(self, figure(reading, node, name))
    }

    /// The figures by which the algorithm chooses where to go, which the tree shows as columns.
    pub fn columns(self) -> &'static [&'static str] {
        ask!(self, COLUMNS)
    }

    /// The numbers that a node keeps instead of a distribution, with their names in JSON, seen from the reading's
    /// viewpoint.
    pub fn kept(self, reading: &Reading, node: NodeId) -> Option<NamedNumbers> {
        ask!(self, kept(reading, node))
    }

    /// The ends of the interval that an evaluated node keeps instead of a distribution, as expected scores of its side to
    /// move. `None` where the algorithm keeps none.
    pub fn interval(self, tree: &Tree, node: NodeId) -> Option<(f32, f32)> {
        ask!(self, interval(tree, node))
    }

    /// The mean and the standard deviation of the normal distribution that an evaluated node keeps, as expected scores of its
    /// side to move. `None` where the algorithm keeps none.
    pub fn moments(self, tree: &Tree, node: NodeId) -> Option<(f32, f32)> {
        ask!(self, moments(tree, node))
    }

    /// The number of a node by which a descent chooses, or looks for what it can still search. `None` where the
    /// algorithm has no such number, and where nothing below the node can be searched.
    pub fn urgency(self, options: &Options, view: &NodeView) -> Option<Term> {
        ask!(self, urgency(options, view))
    }

    /// The belief about the root by a fit to how far such searches were off. `None` for algorithms without such a fit,
    /// for toy trees, and where something is proven about the root.
    pub fn fitted(self, reading: &Reading) -> Option<Fitted> {
        ask!(self, fitted(reading))
    }

    /// The evaluation of a node's position from the view of its side to move, and what the search added to it to obtain
    /// the static value. `None` where the algorithm does not correct evaluations, or where nothing was corrected.
    #[must_use]
    pub fn correction(
        self,
        reading: &Reading,
        node: NodeId,
        static_value: Score,
    ) -> Option<(Score, i32)> {
        ask!(self, correction(reading, node, static_value))
    }

    /// Whether the search distinguishes nodes at which the side to move is improving.
    pub fn tells_improving(self, options: &Options, scale: Scale) -> bool {
        ask!(self, tells_improving(options, scale))
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

/// Runs one thread of a search until it is finished, solved or stopped; the reason is in `job.control`.
///
/// `thread` 0 is the main thread. With one thread the run is deterministic, event for event. Every thread calls this
/// with its own probe.
///
/// Returns where the next run over the same tree and tables would start; only the result of thread 0 counts. When all
/// threads have returned, a best-first tree is consistent: no leaf is claimed, and no visit is counted that was not
/// made. In a depth-first tree the nodes in which the search was stopped are marked
/// ([`Fate::Interrupted`]) until the search comes there again.
pub fn run<G: Game, E: Evaluator<G>, P: Probe>(
    algorithm: Algorithm,
    job: &Job<G, E>,
    thread: usize,
    probe: &mut P,
) -> Start {
    ask!(algorithm, run(job, thread, probe))
}

/// Searches one node again with its recorded window and depth, and records what is below it, marked as a re-search.
/// This is for a node whose subtree is not in the tree, because its value came from the table or it was visited when
/// the budget was used up. `job.situation` is the position *at the node*, and `job.control` has its own limits. Does
/// nothing where [`Algorithm::searches_again`] returns false.
pub fn search_again<G: Game, E: Evaluator<G>, P: Probe>(
    algorithm: Algorithm,
    job: &Job<G, E>,
    node: NodeId,
    probe: &mut P,
) {
    ask!(algorithm, search_again(job, node, probe));
}

/// Runs the search of one leaf again, records it in a tree of its own, and reports to `probe` what it does.
///
/// `job` is a single-threaded search on a tree and tables as they were at its beginning. It is run again, unseen, up to
/// that visit, because what a leaf's search does depends on the tables and histories of the moment: the search seen has
/// the value and the nodes that the tree tells. Does nothing where [`Algorithm::opens_leaves`] returns false. Records
/// nothing where the leaf was not searched at that visit, because the transposition table knew its value.
pub fn open_leaf<'a, G: Game, E: Evaluator<G>, P: Probe>(
    algorithm: Algorithm,
    job: &Job<'a, G, E>,
    leaf: &OpenedLeaf<'a>,
    probe: &'a mut P,
) {
    ask!(algorithm, open_leaf(job, leaf, probe));
}

/// Goes on with the part of the job's tree below the position to which the game moved on; the job's situation is the one
/// after `moves`. Call this between two runs only.
///
/// Returns `None`, and changes nothing, where the search knows nothing about the moves after that position (it was never
/// expanded, or the game is over there), where the position is in the endgame tables, which choose its moves before a
/// search starts, and where the algorithm does not reuse its tree.
pub fn move_on<G: Game, E: Evaluator<G>>(
    algorithm: Algorithm,
    job: &Job<G, E>,
    moves: &[MoveCode],
) -> Option<Reuse> {
    ask!(algorithm, move_on(job, moves))
}

/// Brings a tree in line with the choices of a run. Call it between the last run, which had the choices `before`, and
/// the run that `job` describes, whenever their choices differ; also before the first run.
///
/// Marks the nodes and moves concerned. What rested on moves that are now out, or ignored moves that are back in, is
/// recomputed up to the root: proofs, and in a best-first tree expected scores, beliefs and visits too. A move about
/// which nothing was known gets the fate [`Fate::Excluded`]; one that was searched keeps its numbers and its fate.
///
/// Returns where the run starts, given in `job.start` where the last one ended. A depth-first search starts again with
/// its first iteration: what was let back in is then found at the depth it needs, and the tables make up for the
/// repetition.
pub fn apply_choices<G: Game, E: Evaluator<G>>(
    algorithm: Algorithm,
    job: &Job<G, E>,
    before: &Choices,
) -> Start {
    let tree = job.tree;
    let changed = job.choices.differences(before);
    for id in before.nodes() {
        mark(tree, id, false);
    }
    for id in job.choices.nodes() {
        mark(tree, id, true);
    }
    ask!(algorithm, apply_choices(job, &changed));
    if changed.is_empty() {
        return job.start;
    }
    Start {
        depth: 0,
        best: job.first_best(),
        ..job.start
    }
}

/// Marks a node and its ancestors as resting on choices, or removes the marks.
fn mark(tree: &Tree, id: NodeId, narrowed: bool) {
    tree.node(id).set_narrowed(narrowed);
    for ancestor in tree.path(id).into_iter().rev().skip(1) {
        tree.node(ancestor).set_above_narrowed(narrowed);
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
