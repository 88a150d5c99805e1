//! `plyscope algorithms`: the table of algorithms with their options.

use std::io::Write;

use clap::Args;
use serde_json::{Value as Json, json};

use super::Failure;
use crate::search::{ALGORITHMS, AlgorithmInfo, OptionSpec, Range};
use crate::tree::Family;

/// List the algorithms with their options, defaults, ranges and sources.
#[derive(Args, Debug)]
pub struct Arguments {
    /// As a JSON array
    #[arg(long)]
    json: bool,
}

/// Prints the table.
///
/// # Errors
/// See [`Failure`].
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    if arguments.json {
        let rows: Vec<Json> = ALGORITHMS.iter().map(as_json).collect();
        serde_json::to_writer_pretty(&mut out, &rows)?;
        writeln!(out)?;
    } else {
        for (i, info) in ALGORITHMS.iter().enumerate() {
            if i > 0 {
                writeln!(out)?;
            }
            write_text(&mut out, info)?;
        }
    }
    out.flush()?;
    Ok(())
}

fn write_text(out: &mut impl Write, info: &AlgorithmInfo) -> std::io::Result<()> {
    writeln!(out, "{}: {}", info.name, info.summary)?;
    writeln!(out, "  {}, {}", family(info.family), belief(info))?;
    writeln!(out, "  source: {}", info.source)?;
    let widest = info
        .options
        .iter()
        .map(|o| o.key.len() + o.default.len() + 1);
    let width = widest.max().unwrap_or(0);
    for option in info.options {
        let pair = format!("{}={}", option.key, option.default);
        writeln!(out, "  --set {pair:width$}  {}", option.summary)?;
        writeln!(out, "        {:width$}  {}", "", option.range)?;
    }
    Ok(())
}

fn family(family: Family) -> &'static str {
    match family {
        Family::DepthFirst => "depth-first",
        Family::BestFirst => "best-first",
    }
}

fn belief(info: &AlgorithmInfo) -> &'static str {
    if info.beliefs {
        "keeps a distribution at its nodes"
    } else {
        "keeps a value at its nodes"
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
