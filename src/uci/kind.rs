//! How UCI announces an option: its type, its default and its range.

use std::fmt;

use search::{OptionSpec, Range, Value};

/// An option's type in UCI, with its default value.
pub(super) enum Kind {
    Check(bool),
    Spin {
        value: u64,
        min: u64,
        max: u64,
    },
    Combo {
        value: String,
        words: Vec<&'static str>,
    },
    Text(String),
    Button,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Check(value) => write!(f, "type check default {value}"),
            Kind::Spin { value, min, max } => {
                write!(f, "type spin default {value} min {min} max {max}")
            }
            Kind::Combo { value, words } => {
                write!(f, "type combo default {value}")?;
                words.iter().try_for_each(|word| write!(f, " var {word}"))
            }
            Kind::Text(value) => write!(f, "type string default {value}"),
            Kind::Button => f.write_str("type button"),
        }
    }
}

impl Kind {
    /// UCI has only whole numbers, so fractions are sent as strings.
    pub fn of(spec: &OptionSpec, value: &Value) -> Kind {
        match (spec.range, value) {
            (Range::Integer { min, max }, Value::Integer(value)) if min >= 0 => Kind::Spin {
                value: value.unsigned_abs(),
                min: min.unsigned_abs(),
                max: max.unsigned_abs(),
            },
            (_, Value::Switch(value)) => Kind::Check(*value),
            (Range::Choice(words), value) => Kind::Combo {
                value: value.to_string(),
                words: words.to_vec(),
            },
            (_, value) => Kind::Text(value.to_string()),
        }
    }
}
