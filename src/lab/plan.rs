//! Why an experiment cannot be carried out.

use algorithms::Algorithm;
use search::OptionError;
use session::NoThread;

/// Why a plan cannot be carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    #[error("found no chess position with legal moves, expected at least one")]
    NoPosition,
    #[error("found no labelled position, expected at least one")]
    NoCase,
    #[error("found no family, expected at least one")]
    NoFamily,
    #[error("found no back-up rule, expected at least one")]
    NoRule,
    #[error("found no column, expected at least one")]
    NoColumn,
    #[error("found no cell, expected at least one")]
    NoCell,
    #[error("found 0 playouts, expected at least one")]
    NoPlayout,
    #[error("found depth {0}, expected at least 2")]
    TooShallow(u16),
    /// The algorithm found, and the one expected.
    #[error("found {0}, expected {1}")]
    Algorithm(Algorithm, Algorithm),
    #[error("found an external engine, expected an algorithm: engines do not know these trees")]
    External,
    #[error("found {0} columns, expected two: the sides of the games")]
    NotTwo(usize),
    /// The name of the engine.
    #[error(
        "found the external engine {0:?}, expected an algorithm: engines show no tree to be kept and no belief"
    )]
    ExternalPlayer(String),
    #[error("found no budget, expected at least one")]
    NoBudget,
    /// The algorithm found.
    #[error(
        "found {0}, expected an algorithm that prunes by rules, such as alpha-beta: only their prunes can be audited"
    )]
    NoAudits(Algorithm),
    /// The budget found.
    #[error(
        "found a budget of {0} a move, expected nodes: games are played with as many nodes for each move"
    )]
    NodesOnly(String),
    /// The judge found.
    #[error("found {0}, expected a depth-first algorithm: its iterations say how deep a fall lies")]
    NoIterations(Algorithm),
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error(transparent)]
    Thread(#[from] NoThread),
}
