//! The lines of a stream as types: for writing, and for their JSON Schema.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

/// A number that is written as a whole one where it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Num(pub f64);

impl Serialize for Num {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let whole = self.0 as i64;
        if whole as f64 == self.0 && whole.unsigned_abs() < 1 << 53 {
            whole.serialize(to)
        } else {
            self.0.serialize(to)
        }
    }
}

impl JsonSchema for Num {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Num".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "number"})
    }
}

/// The numbers of a reason by their names.
#[derive(Debug, Default)]
pub(crate) struct Numbers(pub Vec<(String, Number)>);

/// A number of a reason; a move or a bound by its name.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Number {
    Number(Num),
    Name(String),
    Missing,
}

impl Serialize for Numbers {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(name, number)| (name, number)))
    }
}

impl JsonSchema for Numbers {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Numbers".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let number = json_schema!({
            "type": ["number", "string", "null"],
            "description": "A number of the reason, by its name; a move or a bound as text."
        });
        json_schema!({"type": "object", "additionalProperties": number})
    }
}

macro_rules! word {
    ($($(#[doc = $doc:literal])+ $Name:ident = $names:expr;)+) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, Serialize)]
        pub(crate) struct $Name(pub &'static str);

        impl JsonSchema for $Name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($Name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                let description = concat!($($doc),+).trim();
                json_schema!({"type": "string", "description": description, "enum": $names})
            }
        }
    )+};
}

word! {
    /// Whether the value is a lower bound, an upper bound or exact.
    BoundName = crate::Bound::ALL.map(crate::Bound::name);
    /// Who is to move: the first side (White, Max), the second one, or chance.
    SideName = crate::Side::ALL.map(crate::Side::name);
    /// In which order nodes are searched.
    OrderName = crate::Order::ALL.map(crate::Order::word);
    /// From whose side values are seen: that of the side to move at the node, of the side that moved there, of the side to
    /// move at the root, or of the first side.
    ViewName = crate::View::ALL.map(crate::View::word);
    /// From where the plies to a win are counted.
    DistanceName = crate::Distance::ALL.map(crate::Distance::word);
    /// Whether values outside the window are bounds (soft) or do not occur (hard).
    FailName = crate::Fail::ALL.map(crate::Fail::word);
    /// How the value of a visit reaches the nodes above.
    BackupName = crate::Backup::ALL.map(crate::Backup::word);
    /// What the reason is the reason for: a value known without a search, a node cut off before or by its moves, a move not
    /// searched, a rule's own search, or anything else.
    ClassName = crate::Class::ALL.map(crate::Class::word);
    /// The unit of a number.
    UnitName = crate::NumberUnit::ALL.map(crate::NumberUnit::word);
}

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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<ViewName>,
    /// At this value and beyond, an end of a window is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub infinite: Option<Num>,
    /// The value of a win on the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub win: Option<Num>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<DistanceName>,
    /// What a step of the binary form is in this unit; 1 without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<Num>,
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

/// The name of a reason, or its number if the header does not declare it.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum ReasonName {
    Name(String),
    Number(u8),
}

impl JsonSchema for ReasonName {
    fn schema_name() -> Cow<'static, str> {
        "ReasonName".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": ["string", "integer"], "description": "The name of a reason, or its number."})
    }
}

/// The limits or options of a search.
#[derive(Debug)]
pub(crate) enum Words {
    Text(String),
    Named(Vec<(String, String)>),
}

impl Serialize for Words {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Words::Text(text) => text.serialize(to),
            Words::Named(all) => to.collect_map(all.iter().map(|(name, value)| (name, value))),
        }
    }
}

impl JsonSchema for Words {
    fn schema_name() -> Cow<'static, str> {
        "Words".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": ["string", "object", "null"],
            "description": "A text, or names with values.",
            "additionalProperties": {"type": ["string", "number", "boolean", "null"]}
        })
    }
}

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
