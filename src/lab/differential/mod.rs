//! The Lab's experiment on point differential: every pair of weights at the two ends of the phase plays a match of
//! short games against playouts without it. This is the experiment that Brian Sheppard describes for the Go program
//! Pebbles (*MCTS and Point Differential*, Computer-go mailing list, July 2011), in chess.
//!
//! [`start`] plays in the background. [`Results`] contain what is known so far and are what the file stores. A game
//! depends on nothing but the settings, its cell and its number, so a stopped experiment can be continued, and the
//! results do not depend on the number of threads.

mod cell;
mod duel;
mod openings;
mod played;
mod results;
mod tournament;

pub use cell::{GridCell, GridCellError, SHARES, cells, parse_cells};
pub use openings::OPENINGS;
pub use played::{Played, PlayedError};
pub use results::{Outcome, Pair, Record, Results, ResultsError, Settings, Tally, elo};
pub use tournament::{Matches, Plan, start};

use algorithms::Algorithm;

/// The algorithm whose playouts are measured here.
pub const ALGORITHM: Algorithm = Algorithm::Mcts;
