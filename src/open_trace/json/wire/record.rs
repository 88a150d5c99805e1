//! All other lines.

use schemars::JsonSchema;
use serde::Serialize;

use super::{BoundName, Num, Numbers, ReasonName, SideName, Words};

/// The records by their kinds.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(
    tag = "kind",
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case"
)]
pub(crate) enum What {
    /// A search begins.
    Search {
        /// The root as FEN, for chess.
        #[serde(skip_serializing_if = "Option::is_none")]
        fen: Option<String>,
        /// The root as text, for other games.
        #[serde(skip_serializing_if = "Option::is_none")]
        root: Option<String>,
        /// The moves that led from there to the root.
        #[serde(skip_serializing_if = "Option::is_none")]
        moves: Option<Vec<String>>,
        /// Who is to move at the root.
        #[serde(skip_serializing_if = "Option::is_none")]
        side: Option<SideName>,
        /// What the search is limited by.
        #[serde(skip_serializing_if = "Option::is_none")]
        limits: Option<Words>,
        /// The program's options.
        #[serde(skip_serializing_if = "Option::is_none")]
        options: Option<Words>,
        /// The seed of its random numbers.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(extend("type" = ["integer", "string", "null"]))]
        seed: Option<String>,
        /// How many threads search.
        #[serde(skip_serializing_if = "Option::is_none")]
        threads: Option<u32>,
    },
    /// An iteration begins.
    Iteration {
        /// Its depth, in the program's units.
        #[serde(skip_serializing_if = "Option::is_none")]
        depth: Option<i16>,
    },
    /// It is finished.
    IterationDone {
        /// The best move.
        #[serde(skip_serializing_if = "Option::is_none")]
        best: Option<String>,
        /// The root's value.
        #[serde(skip_serializing_if = "Option::is_none")]
        value: Option<Num>,
        /// Its depth, in the program's units.
        #[serde(skip_serializing_if = "Option::is_none")]
        depth: Option<i16>,
    },
    /// A window over the root: aspiration, MTD(f).
    Pass {
        /// Alpha; null if it is open.
        #[serde(skip_serializing_if = "Option::is_none")]
        alpha: Option<Option<Num>>,
        /// Beta; null if it is open.
        #[serde(skip_serializing_if = "Option::is_none")]
        beta: Option<Option<Num>>,
        /// Its depth, in the program's units.
        #[serde(skip_serializing_if = "Option::is_none")]
        depth: Option<i16>,
    },
    /// It is finished.
    PassDone {
        /// The root's value.
        #[serde(skip_serializing_if = "Option::is_none")]
        value: Option<Num>,
    },
    /// A node is entered.
    Enter {
        /// By this move; null at the root, and inside of a node where the same position is searched again.
        r#move: Option<String>,
        /// Alpha; null if it is open. Without alpha and beta the window is not known.
        #[serde(skip_serializing_if = "Option::is_none")]
        alpha: Option<Option<Num>>,
        /// Beta; null if it is open.
        #[serde(skip_serializing_if = "Option::is_none")]
        beta: Option<Option<Num>>,
        /// The depth to go, in the program's units.
        #[serde(skip_serializing_if = "Option::is_none")]
        depth: Option<i16>,
        /// The distance from the root.
        #[serde(skip_serializing_if = "Option::is_none")]
        ply: Option<u16>,
        /// Who is to move there, where it is not the other side.
        #[serde(skip_serializing_if = "Option::is_none")]
        side: Option<SideName>,
    },
    /// The node is left.
    Leave {
        /// Its value.
        #[serde(skip_serializing_if = "Option::is_none")]
        value: Option<Num>,
        /// What the value says of the true one; without it, it follows from the window.
        #[serde(skip_serializing_if = "Option::is_none")]
        bound: Option<BoundName>,
        /// The best move; without it, it follows from the children.
        #[serde(skip_serializing_if = "Option::is_none")]
        best: Option<String>,
        /// The nodes searched below, with this one.
        #[serde(skip_serializing_if = "Option::is_none")]
        nodes: Option<u64>,
    },
    /// A static value of the node.
    Evaluate {
        /// The value.
        value: Option<Num>,
        /// Its standard deviation.
        #[serde(skip_serializing_if = "Option::is_none")]
        sd: Option<Num>,
    },
    /// The static value competes with the moves.
    Stand {
        /// The value.
        value: Option<Num>,
    },
    /// The node's legal moves: their number or their names.
    Moves {
        /// Their number.
        #[serde(skip_serializing_if = "Option::is_none")]
        count: Option<u32>,
        /// Their names.
        #[serde(skip_serializing_if = "Option::is_none")]
        names: Option<Vec<String>>,
    },
    /// The reason for what the node is.
    Why {
        why: ReasonName,
        #[serde(flatten)]
        numbers: Numbers,
    },
    /// A move is not searched.
    Prune {
        /// The move; without one, all later moves to which the reason applies.
        #[serde(skip_serializing_if = "Option::is_none")]
        r#move: Option<String>,
        why: ReasonName,
        #[serde(flatten)]
        numbers: Numbers,
    },
    /// A rule searches below the node.
    Try {
        why: ReasonName,
        #[serde(flatten)]
        numbers: Numbers,
    },
    /// The rule's search is over.
    Tried {
        /// What it found.
        #[serde(skip_serializing_if = "Option::is_none")]
        value: Option<Num>,
    },
    /// The next node entered is searched less (below 0) or more deeply.
    DepthChange {
        /// By so much, in the program's units of depth.
        plies: i16,
        /// The reason.
        #[serde(skip_serializing_if = "Option::is_none")]
        why: Option<ReasonName>,
    },
    /// What a move was counted as, where that is not its negated value.
    BackUp {
        /// The move.
        #[serde(skip_serializing_if = "Option::is_none")]
        r#move: Option<String>,
        /// What it was counted as.
        worth: Option<Num>,
    },
    /// Nodes were left without `leave`.
    Unwind {
        /// How many remain open.
        open: u32,
    },
    /// A node gets children.
    Expand {
        /// The node; 0 is the root.
        node: u32,
        /// The number of the first child; those of the others follow.
        first: u32,
        /// The moves that lead to them.
        #[serde(skip_serializing_if = "Option::is_none")]
        moves: Option<Vec<String>>,
        /// Their priors, 0 to 1.
        #[serde(skip_serializing_if = "Option::is_none")]
        priors: Option<Vec<Option<Num>>>,
        /// Their values.
        #[serde(skip_serializing_if = "Option::is_none")]
        values: Option<Vec<Option<Num>>>,
    },
    /// A simulation ended at a node.
    Visit {
        /// The node; 0 is the root.
        node: u32,
        /// Its result, from the header's view.
        value: Option<Num>,
        /// How many visits it counts as; 1 without it.
        #[serde(skip_serializing_if = "Option::is_none")]
        weight: Option<u32>,
    },
    /// Absolute figures of a node.
    Update {
        /// The node; 0 is the root.
        node: u32,
        /// Its visits.
        #[serde(skip_serializing_if = "Option::is_none")]
        visits: Option<u64>,
        /// Its value.
        #[serde(skip_serializing_if = "Option::is_none")]
        value: Option<Num>,
        /// Its prior, 0 to 1.
        #[serde(skip_serializing_if = "Option::is_none")]
        prior: Option<Num>,
        /// The standard deviation of its value.
        #[serde(skip_serializing_if = "Option::is_none")]
        sd: Option<Num>,
        /// What the descent chose by.
        #[serde(skip_serializing_if = "Option::is_none")]
        urgency: Option<Num>,
        /// The nodes below, with this one, as the program counts them.
        #[serde(skip_serializing_if = "Option::is_none")]
        nodes: Option<u64>,
    },
    /// The following records are about a node.
    At {
        /// The node; 0 is the root.
        node: u32,
    },
    /// A move leads to a node that exists already.
    Edge {
        /// The node; 0 is the root.
        node: u32,
        /// The move.
        #[serde(skip_serializing_if = "Option::is_none")]
        r#move: Option<String>,
        /// The node it leads to.
        to: u32,
    },
    /// Proven bounds of a node.
    Prove {
        /// The node; 0 is the root.
        node: u32,
        /// Its value is at least this.
        #[serde(skip_serializing_if = "Option::is_none")]
        lower: Option<Num>,
        /// Its value is at most this.
        #[serde(skip_serializing_if = "Option::is_none")]
        upper: Option<Num>,
        /// The plies to the end of the game.
        #[serde(skip_serializing_if = "Option::is_none")]
        plies: Option<u16>,
    },
    /// The best move at the root changed.
    BestChange {
        /// The new one.
        to: Option<String>,
    },
    /// The search is over.
    End {
        /// The nodes searched, as the program counts them.
        #[serde(skip_serializing_if = "Option::is_none")]
        nodes: Option<u64>,
        /// The best move.
        #[serde(skip_serializing_if = "Option::is_none")]
        best: Option<String>,
        /// The root's value.
        #[serde(skip_serializing_if = "Option::is_none")]
        value: Option<Num>,
        /// What stopped it.
        #[serde(skip_serializing_if = "Option::is_none")]
        stopped_by: Option<String>,
    },
    /// The key of the node's position.
    Key {
        /// 64 bits in hexadecimal digits.
        #[schemars(regex(pattern = "^(0x)?[0-9a-fA-F]{1,16}$"))]
        key: String,
    },
    /// A text about the node.
    Note {
        /// The text.
        text: String,
    },
    /// The node's position, drawn as text.
    Render {
        /// Its lines, separated by line breaks.
        text: String,
    },
    /// Events that were left out.
    Skip {
        /// How many.
        events: u64,
        /// How many nodes were entered in them.
        #[serde(skip_serializing_if = "Option::is_none")]
        nodes: Option<u64>,
    },
    /// The number of the last event.
    Mark {
        /// The number.
        n: u64,
        /// The hash of all events up to there, in hexadecimal digits.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(regex(pattern = "^(0x)?[0-9a-fA-F]{1,16}$"))]
        hash: Option<String>,
        /// Whether the program waits for leave to go on.
        #[serde(skip_serializing_if = "Option::is_none")]
        waiting: Option<bool>,
    },
}
