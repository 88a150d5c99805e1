//! The lines of a stream as types: for writing, and for their JSON Schema.

mod header;
mod record;

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

pub(crate) use header::{HeaderLine, ReasonLine, ValueLine};
pub(crate) use record::What;

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
    Told(Num),
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
    /// Where what a rule searches is shown: below the rule, or among the moves of its node.
    TrialsName = crate::Trials::ALL.map(crate::Trials::word);
    /// What the reason is the reason for: a value known without a search, a node cut off before or by its moves, a move not
    /// searched, a rule's own search, or anything else.
    ClassName = crate::Class::ALL.map(crate::Class::word);
    /// The unit of a number.
    UnitName = crate::NumberUnit::ALL.map(crate::NumberUnit::word);
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
