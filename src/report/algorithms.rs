//! The table of algorithms with their options, as JSON.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::schema::FamilyName;
use algorithms::{ALGORITHMS, Row};
use search::{AlgorithmInfo, OptionSpec, Range};
use tree::Family;

/// An algorithm.
#[derive(Serialize, JsonSchema, Debug)]
pub struct AlgorithmJson {
    /// The name, as given to -a.
    name: &'static str,
    /// One line.
    summary: &'static str,
    /// Author, year and title.
    source: &'static str,
    #[schemars(with = "FamilyName")]
    family: &'static str,
    /// Whether it keeps a distribution at each node, not only a value.
    beliefs: bool,
    /// Its options.
    options: Vec<OptionJson>,
}

/// An option.
#[derive(Serialize, JsonSchema, Debug)]
struct OptionJson {
    /// The key, as given to --set.
    key: &'static str,
    /// The default, as written after --set key=.
    default: &'static str,
    range: RangeJson,
    /// One line.
    summary: &'static str,
}

/// What may be written.
#[derive(Serialize, JsonSchema, Debug)]
#[serde(tag = "type", rename_all = "lowercase")]
enum RangeJson {
    /// A number.
    Number {
        /// The smallest; null without one.
        #[schemars(with = "Option<f64>")]
        min: f64,
        /// The largest; null without one.
        #[schemars(with = "Option<f64>")]
        max: f64,
    },
    /// A whole number.
    Integer {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// On or off.
    Switch {},
    /// One of some words.
    Choice {
        /// The words.
        choices: &'static [&'static str],
    },
    /// Something else.
    Word {
        /// What, in words.
        expects: &'static str,
    },
    /// A formula, or a word that stands for one.
    Formula {
        /// The words.
        words: &'static str,
        /// What a formula can name.
        names: Vec<NameJson>,
        /// The unit of what it gives.
        unit: String,
        /// The default as a formula.
        default: Option<String>,
    },
}

/// A number that a formula can name.
#[derive(Serialize, JsonSchema, Debug)]
struct NameJson {
    /// The name.
    name: &'static str,
    /// Its unit.
    unit: String,
    /// What it is.
    summary: &'static str,
}

/// Returns every algorithm, its keys in alphabetical order.
pub fn all() -> Vec<Json> {
    let object = |row: &Row| json!(AlgorithmJson::from(&**row));
    ALGORITHMS.iter().map(object).collect()
}

/// Returns the name of a family.
pub fn family(family: Family) -> &'static str {
    match family {
        Family::DepthFirst => "depth-first",
        Family::BestFirst => "best-first",
    }
}

impl From<&AlgorithmInfo> for AlgorithmJson {
    fn from(info: &AlgorithmInfo) -> AlgorithmJson {
        AlgorithmJson {
            name: info.name,
            summary: info.summary,
            source: info.source,
            family: family(info.family),
            beliefs: info.beliefs,
            options: info.options.iter().map(OptionJson::from).collect(),
        }
    }
}

impl From<&formula::Name> for NameJson {
    fn from(name: &formula::Name) -> NameJson {
        NameJson {
            name: name.name,
            unit: name.unit.to_string(),
            summary: name.summary,
        }
    }
}

impl From<&OptionSpec> for OptionJson {
    fn from(option: &OptionSpec) -> OptionJson {
        let range = match option.range {
            Range::Number { min, max } => RangeJson::Number { min, max },
            Range::Integer { min, max } => RangeJson::Integer { min, max },
            Range::Switch => RangeJson::Switch {},
            Range::Choice(choices) => RangeJson::Choice { choices },
            Range::Word { expects, .. } => RangeJson::Word { expects },
            Range::Formula(range) => RangeJson::Formula {
                words: range.words,
                names: range.scope.names.iter().map(NameJson::from).collect(),
                unit: range.scope.result.to_string(),
                default: (range.written)(option.default),
            },
        };
        OptionJson {
            key: option.key,
            default: option.default,
            range,
            summary: option.summary,
        }
    }
}
