//! The JSON of the experiment on the differences at both ends of playouts.

use schemars::JsonSchema;

use super::OpenInterval;
use crate::json::Version;

/// How the material at the end of a playout depends on that at the leaf where it began.
#[derive(JsonSchema)]
pub struct Playouts {
    version: Version,
    /// What the experiment asks.
    question: String,
    /// What its figures answer: one sentence with the numbers that decide it and the control, or what is missing for a verdict.
    verdict: String,
    /// Whether the figures decide the question.
    decided: bool,
    /// The name of the experiment.
    #[schemars(extend("const" = "playouts"))]
    experiment: String,
    /// Where the positions come from.
    source: String,
    /// Positions used.
    positions: usize,
    /// Positions played out so far.
    played: usize,
    /// Playouts of each length from each position.
    playouts: u32,
    /// Whether nothing is missing: false after Ctrl-C.
    complete: bool,
    /// By the greatest length of playouts, ascending.
    by_length: Vec<OfLength>,
    /// The length of the playouts of `by_end`.
    shown_length: u16,
    /// By the difference at the end, ascending.
    by_end: Vec<OfEnd>,
}

/// The playouts of one length.
#[derive(JsonSchema)]
struct OfLength {
    /// The greatest length, in plies.
    length: u16,
    /// Their number.
    playouts: usize,
    /// The slope of the difference at the end over that at the leaf; null where all leaves have the same.
    slope: Option<Figure>,
    /// The correlation of both; null where one of them is always the same.
    correlation: Option<Figure>,
    /// The standard deviation of the change, in centipawns.
    change: Figure,
    /// Of playouts from leaves where a side is ahead, the share that ends with it ahead; null without such leaves.
    kept: Option<Figure>,
}

/// The playouts with one group of differences at the end.
#[derive(JsonSchema)]
struct OfEnd {
    /// The lowest difference, in centipawns; null if there is none.
    from: Option<i32>,
    /// The end of the group, which does not belong to it; null if there is none.
    to: Option<i32>,
    /// Their number.
    playouts: usize,
    /// The mean difference at the leaf, in centipawns.
    leaf: Figure,
}

/// A figure with its 95 % interval by the bootstrap over the positions.
#[derive(JsonSchema)]
struct Figure {
    /// The figure.
    value: f64,
    /// Its interval; null for too few positions.
    interval: OpenInterval,
}
