//! What can be wrong in a search, with its numbers. The sentences are made in `report::grade`.

use game::{Game as _, MoveCode};
use search::AnyPosition;

/// Returns the names of moves of a position.
pub(super) fn names<'a>(
    position: &AnyPosition,
    moves: impl IntoIterator<Item = &'a MoveCode>,
) -> Vec<String> {
    moves.into_iter().map(|&code| position.uci(code)).collect()
}

/// A move that a simulation could choose, from the view of the side that chooses.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    pub m: String,
    pub visits: u64,
    pub mean: f64,
    pub uct: f64,
}

/// Something that a search did otherwise than it should. Values are in the program's own unit and from its own view, as its
/// trace tells them; moves are names.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// No node was entered, or no simulation was made.
    Nothing,
    /// Something in the stream was not understood: what, how often and where.
    Troubled { what: String },
    /// The trace does not tell that the search is over. The place is that of the record in whose middle it stops.
    NoEnd { cut_at: Option<String> },
    /// The check found nothing wrong, but the trace stops before the search is over.
    CutShort,
    /// The search went on, or ended, with this many nodes open.
    Unfinished { open: usize },
    /// A leaf was not left before the next move was entered.
    NotLeft { next: String },
    /// A node was left although none was open.
    NoneOpen,
    /// A move was entered after the root was left.
    AfterRoot { m: String },
    /// The first node that was entered has a move, so the root was not entered.
    RootMove { m: String },
    /// Only figures of nodes were told, and no simulation.
    NoVisits,
    /// All simulations ended at nodes that were never told to exist.
    NotExpanded { visits: u64, node: u32 },
    /// A move that the position does not have.
    Illegal { m: String, legal: Vec<String> },
    /// A move that was searched already at this node.
    Twice { m: String },
    /// A move was searched although the game is over here.
    BeyondEnd { m: String },
    /// A move was searched below the depth that was asked for.
    TooDeep { m: String, depth: u32 },
    /// The node was left without a search of its moves, although the game goes on and the depth is not reached.
    StoppedShort { moves: usize, depth: Option<u32> },
    /// The last iteration was not of the depth that was asked for.
    WrongDepth { found: u32, expected: u32 },
    /// The node was left without a value.
    NoValue,
    /// The value of a leaf is not that of the game.
    LeafValue {
        told: f64,
        wanted: f64,
        /// Whether the game is over there; otherwise the value is that of an evaluation.
        is_over: bool,
    },
    /// The value of a node is not that of its best move.
    Value {
        told: f64,
        wanted: f64,
        best: String,
    },
    /// A move was searched although another one had cut it off.
    Uncut {
        m: String,
        by: String,
        worth: f64,
        bound: f64,
    },
    /// Moves were not searched although nothing had cut them off.
    LeftOut {
        moves: Vec<String>,
        /// What the best move was worth, and the bound that it had to reach; `None`: no value could cut anything off.
        cut: Option<(f64, f64)>,
    },
    /// A node was entered with another window than the one that follows. An infinite end is open.
    Window { told: [f64; 2], wanted: [f64; 2] },
    /// The trace does not have what the check looks at.
    NotTold { what: &'static str },
    /// The trace has what the check looks at, but nowhere could it be compared with anything.
    Unchecked {
        what: &'static str,
        why: &'static str,
    },
    /// The value of the root is not the right one.
    AnswerValue { told: f64, wanted: f64 },
    /// The best move is not one of the right ones.
    AnswerMove { told: String, right: Vec<String> },
    /// No simulation went to a legal move of the root, so that none can be the right answer.
    AnswerUnvisited { told: String },
    /// Another number of simulations than asked for.
    Simulations { found: u64, expected: u64 },
    /// A simulation ended at a node that had moves to choose from.
    EndedInside { simulation: u64 },
    /// Simulations ended at a node again and again, and it got no children.
    NeverExpanded { visits: u64 },
    /// The value of a playout is none that the game can have.
    Playout { told: f64, possible: Vec<f64> },
    /// A simulation chose a move that was visited before, while another one was not.
    Unvisited {
        simulation: u64,
        chosen: String,
        unvisited: String,
    },
    /// A simulation did not choose the move with the greatest UCT value.
    Chosen {
        simulation: u64,
        chosen: Choice,
        best: Choice,
        /// N, the visits of the node that chooses.
        visits: u64,
        constant: f64,
    },
    /// The visits that the program tells are not those that were counted.
    Visits { told: u64, counted: u64 },
    /// The mean value that the program tells is not that of what was backed up.
    Mean { told: f64, counted: f64 },
    /// The reference has no such move here.
    Extra { m: String },
    /// The reference searched a move that the search did not look at.
    Missing { m: String },
    /// The reference has another value.
    Differs { told: f64, reference: f64 },
    /// The reference has another number of visits.
    VisitsDiffer { told: u64, reference: u64 },
}
