//! Breakpoints at which a search can't stop: those that name only fates of rules that the search does not have, or that
//! are switched off.

use super::Breakpoint;
use super::condition::Condition;
use crate::Config;
use algorithms::ALGORITHMS;
use tree::{FATES, FateInfo};

/// What a search does with a rule.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rule {
    On,
    Off,
    /// It has no option of that name, so it never applies the rule.
    Absent,
}

fn rule(config: &Config, name: &str) -> Rule {
    let mut options = config.options.iter();
    match options.find(|(spec, _)| spec.key == name) {
        None => Rule::Absent,
        Some((_, value)) if value.to_string() == "off" => Rule::Off,
        Some(_) => Rule::On,
    }
}

impl Breakpoint {
    /// Returns why a search with this configuration never stops here, if that is certain.
    pub fn never_under(&self, config: &Config) -> Option<String> {
        let fates = fates_needed(&self.parsed.condition)?;
        let named: Vec<&FateInfo> = (0..FATES.len())
            .filter(|i| fates >> i & 1 == 1)
            .map(|i| &FATES[i])
            .collect();
        if !named.iter().all(|fate| fate.by_rule) {
            return None;
        }
        let found: Vec<Rule> = named.iter().map(|f| rule(config, f.name)).collect();
        if found.contains(&Rule::On) {
            return None;
        }
        let off = found.iter().position(|&r| r == Rule::Off);
        Some(match off {
            Some(at) => format!("{} is switched off (a)", named[at].name),
            None => {
                let has = |options: &search::Options| {
                    options
                        .iter()
                        .any(|(spec, _)| named.iter().any(|f| f.name == spec.key))
                };
                let others: Vec<&str> = ALGORITHMS
                    .iter()
                    .filter(|row| has(&row.algorithm.default_options()))
                    .map(|row| row.name)
                    .collect();
                let others = match others.split_last() {
                    Some((last, before)) if !before.is_empty() => {
                        format!("{} and {last}", before.join(", "))
                    }
                    _ => others.concat(),
                };
                format!(
                    "{} has no such rule, only {others} (a)",
                    config.algorithm.name(),
                )
            }
        })
    }
}

/// Returns the fates one of which an event must carry, one bit each; `None` if other events match too.
fn fates_needed(condition: &Condition) -> Option<u32> {
    match condition {
        Condition::On(kinds) => kinds.only_fates(),
        Condition::All(conditions) => conditions.iter().find_map(fates_needed),
        Condition::Any(conditions) => {
            let each = conditions.iter().map(fates_needed);
            each.reduce(|all, next| Some(all? | next?)).flatten()
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Subject;
    use algorithms::Algorithm;
    use game::{ChessPosition, Situation};

    fn never(text: &str, config: &Config) -> Option<String> {
        let subject = Subject::from(Situation::new(ChessPosition::default()));
        let breakpoint = Breakpoint::parse(text, &subject).expect("a breakpoint");
        breakpoint.never_under(config)
    }

    #[test]
    fn a_rule_that_a_search_lacks_is_told() {
        let distress = Config::new(Algorithm::Distress);
        let told = never("on futility", &distress);
        let expected =
            "distress has no such rule, only alpha-beta, prob-alpha-beta and uniform (a)";
        assert_eq!(told.as_deref(), Some(expected));
        let told = never("on move-futility", &distress);
        let expected = "distress has no such rule, only alpha-beta and uniform (a)";
        assert_eq!(told.as_deref(), Some(expected));
        let told = never("on delta-pruning at \"e4\"", &distress);
        let expected =
            "distress has no such rule, only alpha-beta, prob-alpha-beta and uniform (a)";
        assert_eq!(told.as_deref(), Some(expected));
        for may in [
            "on prune",
            "on cutoff",
            "on futility or on prove",
            "when visits > 3",
        ] {
            assert_eq!(never(may, &distress), None, "{may}");
        }
    }

    #[test]
    fn a_rule_that_is_switched_off_is_told() {
        let mut config = Config::new(Algorithm::AlphaBeta);
        assert_eq!(never("on futility", &config), None);
        config.options.set("futility", "off").expect("an option");
        let told = never("on move-futility", &config);
        assert_eq!(told.as_deref(), Some("futility is switched off (a)"));
        assert_eq!(never("on move-futility,razoring", &config), None);
        // A node may still be cut off by reverse futility.
        assert_eq!(never("on futility", &config), None);
    }
}
