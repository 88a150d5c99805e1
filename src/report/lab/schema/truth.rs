//! The JSON of the experiment on the truth.

use schemars::JsonSchema;

use super::OfLevels;
use crate::json::Version;
use crate::schema::FateName;

/// What searches of a small game prove, leave out and believe, judged by an exact solver.
#[derive(JsonSchema)]
pub struct Truth {
    version: Version,
    /// What the experiment asks.
    question: String,
    /// What its figures answer: one sentence with the numbers that decide it and the control, or what is missing for a verdict.
    verdict: String,
    /// Whether the figures decide the question.
    decided: bool,
    /// The name of the experiment.
    #[schemars(extend("const" = "truth"))]
    experiment: String,
    /// The board: columns by rows.
    board: String,
    /// The name of the game.
    game: String,
    /// The positions of the board with the game not over.
    of: u64,
    /// Positions asked for.
    positions: usize,
    /// Positions searched.
    searched: u64,
    /// Whether all positions of the board were searched, so that no figure is a sample.
    all: bool,
    /// Whether nothing is missing: false after Ctrl-C.
    complete: bool,
    /// The most nodes of each search.
    nodes: u64,
    /// Lost, drawn and won positions, for the side to move.
    results: [u64; 3],
    /// The share of positions in which a move at random keeps the result; null if none was searched.
    #[schemars(range(min = 0, max = 1))]
    kept_by_chance: Option<f64>,
    /// The continuous ranked probability score of the belief that a position has each result as often as all of them; null if none
    /// was searched.
    climate: Option<f64>,
    /// The searches, in the order of the command line.
    columns: Vec<TruthColumn>,
}

/// The searches of one column.
#[derive(JsonSchema)]
struct TruthColumn {
    /// The name of the column.
    name: String,
    /// The number of searches.
    searches: u64,
    /// The share that prove their root's result; null if there is none.
    proven: Option<Estimate>,
    /// The nodes of those that do; null if there is none.
    nodes_to_proof: Option<NodesToProof>,
    /// The share whose move keeps the result; null if there is none.
    keeps: Option<Estimate>,
    /// Nodes of all trees.
    nodes: u64,
    /// Nodes with proven bounds.
    bounds: u64,
    /// Nodes whose result is proven.
    results_proven: u64,
    /// Proven bounds that exclude the true result.
    false_results: u64,
    /// Proven bounds that have the true result, but exclude how soon it comes.
    false_distances: u64,
    /// The first of these, of a result if there is one; null if nothing false was proven.
    first_false_proof: Option<FalseProof>,
    /// Wins and losses that depth-first values say without a proof.
    said: u64,
    /// Those of them that are not so.
    said_falsely: u64,
    /// What fates left out and claim.
    fates: Vec<OfFate>,
    /// The beliefs by ply below the root; empty if the algorithm keeps none.
    plies: Vec<AtPly>,
}

/// A figure.
#[derive(JsonSchema)]
struct Estimate {
    /// Its value.
    value: f64,
    /// Its 95 % interval over resampled positions; null if all positions of the board were searched, or too few.
    interval: Option<[f64; 2]>,
}

/// Nodes of the searches that prove their root's result.
#[derive(JsonSchema)]
struct NodesToProof {
    /// Their mean.
    mean: f64,
    /// Their median.
    median: f64,
}

/// A proof that is false.
#[derive(JsonSchema)]
struct FalseProof {
    /// The root's position, as a line of a file.
    position: String,
    /// The moves from the root to the node.
    line: Vec<String>,
    /// The least that is proven, for the side to move at the node: `loss in 4`.
    lower: String,
    /// The most that is proven.
    upper: String,
    /// The truth.
    truth: String,
    /// Whether the result is false, and not only how soon it comes.
    of_result: bool,
}

/// What a fate left out and claims.
#[derive(JsonSchema)]
struct OfFate {
    /// The name of the fate.
    #[schemars(with = "FateName")]
    fate: String,
    /// Nodes at which it left out moves beside others that were searched.
    decisions: u64,
    /// Those moves.
    moves: u64,
    /// The share of these nodes at which the best move left out has a better result than the best one searched; null if there is
    /// none.
    lost: Option<Estimate>,
    /// That share if as many of the same moves are left out at random.
    lost_by_chance: Option<f64>,
    /// Claims that a node or a move is worth at least, or at most, a bound.
    claims: u64,
    /// The share of them with the result on the other side of the bound; null if there is none.
    r#false: Option<Estimate>,
    /// That share for nodes of the same tree and ply at random.
    false_by_chance: Option<f64>,
    /// Claims that the node's own proof implies.
    proven: u64,
}

/// The beliefs at one ply.
#[derive(JsonSchema)]
struct AtPly {
    /// Plies below the root.
    ply: usize,
    /// All of them.
    all: Beliefs,
    /// Those of nodes whose result is not proven.
    unproven: Beliefs,
}

/// Beliefs against results.
#[derive(JsonSchema)]
struct Beliefs {
    /// Their number.
    n: u64,
    /// Losses, draws and wins, for the side to move at each node.
    results: [u64; 3],
    /// Their mean continuous ranked probability score; null if there is none.
    crps: Option<Estimate>,
    /// That of the belief that each result comes as often as at this ply; null if there is none.
    control: Option<f64>,
    /// The shares of results within the central 50, 80 and 90 % of the belief, if each result stands for the expected scores nearest
    /// to it; null if there is none.
    coverage: Option<OfLevels<f64>>,
    /// The mean of the beliefs' means less the results; null if there is none.
    mean_less_result: Option<f64>,
}
