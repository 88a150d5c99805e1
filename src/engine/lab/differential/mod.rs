//! The Lab's experiment on point differential: every pair of weights at the two ends of the phase, each in a match of
//! short games against playouts without it. This is the experiment that Brian Sheppard describes for the Go program Pebbles
//! (*MCTS and Point Differential*, Computer-go mailing list, July 2011), in chess.
//!
//! [`start`] plays in the background; [`Results`] are what is known so far, and what a file keeps. A game depends
//! on nothing but the settings, its cell and its number, so what is stopped can be gone on with, and any number of
//! threads finds the same.

mod cell;
mod duel;
mod openings;
mod results;
mod tournament;

pub use cell::{GridCell, GridCellError, SHARES, cells, parse_cells};
pub use openings::OPENINGS;
pub use results::{Outcome, Pair, Record, Results, ResultsError, Settings, Tally, elo};
pub use tournament::{Matches, Plan, PlanError, start};

use crate::search::Algorithm;

/// The algorithm whose playouts are measured here.
pub const ALGORITHM: Algorithm = Algorithm::Mcts;
