//! The rules by which a depth-first search leaves out, reduces or extends what it could search.

use super::OptionSpec;
pub use super::depth_first::alpha_beta::rules::{RULES, Rule};
use crate::tree::{FATES, Fate, FateInfo};

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
    /// The name in traces, breakpoints and JSON; the option that switches the rule, where it has one of its own, and the
    /// fate that the rule gives, where it prunes, have the same name.
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
        let own = |fate: &FateInfo| fate.by_rule && fate.name == self.name();
        FATES.iter().position(own)
    }

    /// The forward-pruning rule that gives this fate.
    pub fn of(fate: Fate) -> Option<Rule> {
        let info = fate.info();
        let given = RULES.iter().find(|row| row.name == info.name);
        given.filter(|_| info.by_rule).map(|row| row.rule)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_table_stands_in_the_enums_order() {
        for (i, row) in RULES.iter().enumerate() {
            assert_eq!(row.rule as usize, i);
        }
    }

    #[test]
    fn a_rule_that_prunes_and_its_fate_have_one_name() {
        let prunes = |row: &&RuleInfo| matches!(row.effect, Effect::CutsNode | Effect::SkipsMove);
        let rules: BTreeSet<&str> = RULES.iter().filter(prunes).map(|row| row.name).collect();
        let fates: BTreeSet<&str> = FATES.iter().filter(|f| f.by_rule).map(|f| f.name).collect();
        assert_eq!(rules, fates);
    }
}
