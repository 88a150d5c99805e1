//! The table of algorithms with their options, as JSON.

use serde_json::{Value as Json, json};

use algorithms::ALGORITHMS;
use search::{AlgorithmInfo, OptionSpec, Range};
use tree::Family;

/// Returns every algorithm as an object.
pub fn all() -> Vec<Json> {
    ALGORITHMS.iter().map(|row| as_json(row)).collect()
}

/// Returns the name of a family.
pub fn family(family: Family) -> &'static str {
    match family {
        Family::DepthFirst => "depth-first",
        Family::BestFirst => "best-first",
    }
}

fn as_json(info: &AlgorithmInfo) -> Json {
    json!({
        "name": info.name,
        "summary": info.summary,
        "source": info.source,
        "family": family(info.family),
        "beliefs": info.beliefs,
        "options": info.options.iter().map(option_json).collect::<Vec<_>>(),
    })
}

fn option_json(option: &OptionSpec) -> Json {
    let range = match option.range {
        Range::Number { min, max } => json!({"type": "number", "min": min, "max": max}),
        Range::Integer { min, max } => json!({"type": "integer", "min": min, "max": max}),
        Range::Switch => json!({"type": "switch"}),
        Range::Choice(words) => json!({"type": "choice", "choices": words}),
        Range::Word { expects, .. } => json!({"type": "word", "expects": expects}),
    };
    json!({
        "key": option.key,
        "default": option.default,
        "range": range,
        "summary": option.summary,
    })
}
