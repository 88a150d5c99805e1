//! The first line.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    BackupName, ClassName, DistanceName, FailName, Num, OrderName, TrialsName, UnitName, ViewName,
};

/// The first line of a stream.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "Header")]
pub(crate) struct HeaderLine {
    /// The version of the format.
    #[schemars(range(min = 1, max = 1))]
    pub plyscope_trace: u32,
    /// The program's name and version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// The game: `chess`, or any other name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// Depth-first without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<OrderName>,
    /// What the values mean.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<ValueLine>,
    /// The mean without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backup: Option<BackupName>,
    /// Below the rule without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trials: Option<TrialsName>,
    /// A ply in the program's units of depth; 1 without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 32767))]
    pub depth_step: Option<u16>,
    /// The reasons that the records name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasons: Option<Vec<ReasonLine>>,
    /// Whether the program listens to the control channel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control: Option<bool>,
}

/// What the values mean.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[schemars(rename = "Values")]
pub(crate) struct ValueLine {
    /// `cp` (centipawns), `win` (the probability of a win), `expected` (the expected score, −1 to 1), or any other name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The least and the greatest value. Only with it has a value in a unit of the program's own an expected score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<[Num; 2]>,
    /// Whose side values are seen from: the node's without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<ViewName>,
    /// At this value and beyond, an end of a window is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub infinite: Option<Num>,
    /// The value of a win on the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub win: Option<Num>,
    /// Where the plies to a win are counted from: the root without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<DistanceName>,
    /// What a step of the binary form is in this unit; 1 without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<Num>,
    /// What values outside the window say: they are bounds without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fail: Option<FailName>,
}

/// A reason that the program declares.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Reason")]
pub(crate) struct ReasonLine {
    /// Its number; without it, its place in the list, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 255))]
    pub n: Option<u8>,
    /// Its name.
    pub name: String,
    /// What it is the reason for: `info` without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<ClassName>,
    /// Its numbers: the name and the unit of each.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 8))]
    pub numbers: Option<Vec<(String, UnitName)>>,
    /// A sentence, in which `{name}` stands for a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}
