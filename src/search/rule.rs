//! The rules by which a depth-first search leaves out, reduces or extends what it could search.

use super::OptionSpec;
pub use super::depth_first::alpha_beta::rules::{RULES, Rule};
use crate::tree::{FATES, Fate};

/// What a rule does to the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The node is cut off before its moves are searched.
    CutsNode,
    /// A move is not searched.
    SkipsMove,
    /// A move, or a node, is searched less deeply.
    Reduces,
    /// A move is searched more deeply.
    Extends,
}

/// One row of the table of rules.
#[derive(Debug)]
pub struct RuleInfo {
    pub rule: Rule,
    /// The name in traces, breakpoints and JSON; the option that switches the rule, where it has one of its own, has
    /// the same name.
    pub name: &'static str,
    pub effect: Effect,
    /// A summary of one line.
    pub summary: &'static str,
    /// The option that switches the rule and has its name, and the rule's parameters.
    pub options: &'static [OptionSpec],
}

impl Rule {
    /// The rule's row in [`RULES`].
    pub fn info(self) -> &'static RuleInfo {
        &RULES[self as usize]
    }

    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// The index in [`FATES`] of the fate that the rule gives, if it gives one; what the rule prunes is counted under
    /// that fate.
    pub fn fate(self) -> Option<usize> {
        let name = Some(self.name());
        FATES.iter().position(|fate| fate.rule == name)
    }

    /// The forward-pruning rule that gives this fate.
    pub fn of(fate: Fate) -> Option<Rule> {
        let name = fate.info().rule?;
        let row = RULES.iter().find(|row| row.name == name);
        row.map(|row| row.rule)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_stands_in_the_enums_order() {
        for (i, row) in RULES.iter().enumerate() {
            assert_eq!(row.rule as usize, i);
        }
    }

    #[test]
    fn every_rule_that_a_fate_names_is_in_the_table() {
        for (kind, fate) in FATES.iter().enumerate() {
            if let Some(name) = fate.rule {
                let row = RULES.iter().find(|row| row.name == name);
                let rule = row.unwrap_or_else(|| panic!("{name}")).rule;
                assert_eq!(rule.fate(), Some(kind), "{name}");
            }
        }
        for row in &RULES {
            let prunes = matches!(row.effect, Effect::CutsNode | Effect::SkipsMove);
            assert_eq!(row.rule.fate().is_some(), prunes, "{}", row.name);
        }
    }
}
