//! `plyscope algorithms`: the table of algorithms with their options.

use std::io::Write;

use clap::Args;

use super::Failure;
use super::output;
use algorithms::{ALGORITHMS, RULES};
use report::algorithms::{all, family};
use search::{AlgorithmInfo, Effect, OptionSpec, Range, RuleInfo};

/// List the algorithms with their options, defaults, ranges and sources.
#[derive(Args, Debug)]
pub struct Arguments {
    /// Print a JSON array
    #[arg(long)]
    json: bool,
}

/// Prints the table.
///
/// # Errors
/// See [`Failure`].
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut out = output::stdout();
    if arguments.json {
        serde_json::to_writer_pretty(&mut out, &all())?;
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
    let widest = info.options.iter().map(|o| pair(o).len());
    let width = widest.max().unwrap_or(0);
    for (title, options) in grouped(info.options) {
        if let Some(title) = title {
            writeln!(out, "  {title}:")?;
        }
        for option in options {
            let (pair, range) = (pair(option), option.range.to_string());
            writeln!(out, "  --set {pair:width$}  {}", option.summary)?;
            if !matches!(option.range, Range::Switch) {
                writeln!(out, "        {:width$}  {range}", "")?;
            }
        }
    }
    Ok(())
}

fn pair(option: &OptionSpec) -> String {
    format!("{}={}", option.key, option.default)
}

/// Groups the options by what their rule does. Within a group they keep the order of the table, with each rule's
/// options together; options that belong to no such rule come last. There are no titles if there is only one group.
fn grouped(options: &[OptionSpec]) -> Vec<(Option<&'static str>, Vec<&OptionSpec>)> {
    let effect_of = |option: &OptionSpec| rule_of(option).map(|rule| rule.effect);
    let groups = EFFECTS.map(|(effect, title)| {
        let of_group = options.iter().filter(|o| effect_of(o) == effect);
        (Some(title), of_group.collect::<Vec<_>>())
    });
    let mut groups: Vec<_> = groups.into_iter().filter(|g| !g.1.is_empty()).collect();
    if let [(title, _)] = groups.as_mut_slice() {
        *title = None;
    }
    groups
}

const EFFECTS: [(Option<Effect>, &str); 5] = [
    (
        Some(Effect::CutsNode),
        "rules that cut off a node before searching its moves",
    ),
    (Some(Effect::SkipsMove), "rules that skip a move"),
    (Some(Effect::Reduces), "rules that reduce the depth"),
    (Some(Effect::Extends), "rules that extend the depth"),
    (None, "other options"),
];

/// Returns the rule that an option switches on or belongs to.
fn rule_of(option: &OptionSpec) -> Option<&'static RuleInfo> {
    let has = |rule: &&RuleInfo| rule.options.iter().any(|o| o.key == option.key);
    RULES.iter().find(has)
}

fn belief(info: &AlgorithmInfo) -> &'static str {
    if info.beliefs {
        "keeps a distribution at each node"
    } else {
        "keeps a value at each node"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_is_listed_once_and_rules_stand_together() {
        for info in &ALGORITHMS {
            let groups = grouped(info.options);
            let listed: Vec<&str> = groups.iter().flat_map(|g| &g.1).map(|o| o.key).collect();
            assert_eq!(listed.len(), info.options.len(), "{}", info.name);
            for option in info.options {
                assert!(listed.contains(&option.key), "{}", option.key);
            }
        }
        let options = ALGORITHMS[0].options;
        let rule = |key: &str| {
            let option = options.iter().find(|o| o.key == key).expect(key);
            rule_of(option).map(|rule| rule.name())
        };
        assert_eq!(rule("null-move-divisor"), Some("null-move"));
        assert_eq!(rule("delta-margin"), Some("delta-pruning"));
        assert_eq!(rule("futility-margin"), Some("futility"));
        assert_eq!(rule("history"), None);
    }
}
