//! The rules by which a depth-first search leaves out, shortens or lengthens what it could search.

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

/// The rules, in the order in which a node asks them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    InternalReduction,
    Razoring,
    ReverseFutility,
    NullMove,
    ProbCut,
    SingularExtension,
    MultiCut,
    CheckExtension,
    Futility,
    LateMovePruning,
    LosingMoves,
    LateMoveReduction,
    DeltaPruning,
    LosingCaptures,
}

/// One row of the table of rules.
#[derive(Debug)]
pub struct RuleInfo {
    pub rule: Rule,
    /// In trace, breakpoints and JSON, and the option that switches it where it has one of its own.
    pub name: &'static str,
    pub effect: Effect,
    /// One line.
    pub summary: &'static str,
}

/// The table of rules, in the order of [`Rule`].
pub static RULES: [RuleInfo; 14] = {
    const fn row(
        rule: Rule,
        name: &'static str,
        effect: Effect,
        summary: &'static str,
    ) -> RuleInfo {
        RuleInfo {
            rule,
            name,
            effect,
            summary,
        }
    }
    [
        row(
            Rule::InternalReduction,
            "internal-reduction",
            Effect::Reduces,
            "a node without a table move is searched a ply less deeply: the next visit has one",
        ),
        row(
            Rule::Razoring,
            "razoring",
            Effect::CutsNode,
            "static value + margin is not above alpha, nor is quiescence",
        ),
        row(
            Rule::ReverseFutility,
            "reverse-futility",
            Effect::CutsNode,
            "static value - margin reaches beta",
        ),
        row(
            Rule::NullMove,
            "null-move",
            Effect::CutsNode,
            "even passing reaches beta in a shallower search",
        ),
        row(
            Rule::ProbCut,
            "prob-cut",
            Effect::CutsNode,
            "a capture is far above beta in a shallow search",
        ),
        row(
            Rule::SingularExtension,
            "singular-extension",
            Effect::Extends,
            "only the table's move comes near its value: it is searched more deeply",
        ),
        row(
            Rule::MultiCut,
            "multi-cut",
            Effect::CutsNode,
            "without the table's move, and shallower, beta is reached too",
        ),
        row(
            Rule::CheckExtension,
            "check-extension",
            Effect::Extends,
            "a check that loses nothing is searched a ply deeper",
        ),
        row(
            Rule::Futility,
            "futility",
            Effect::SkipsMove,
            "a quiet move where static value + margin is not above alpha",
        ),
        row(
            Rule::LateMovePruning,
            "late-move-pruning",
            Effect::SkipsMove,
            "a quiet move after so many others in vain",
        ),
        row(
            Rule::LosingMoves,
            "losing-moves",
            Effect::SkipsMove,
            "a move that by static exchange loses more than the depth allows",
        ),
        row(
            Rule::LateMoveReduction,
            "late-move-reduction",
            Effect::Reduces,
            "a late move is searched less deeply, and again in full if it beats alpha",
        ),
        row(
            Rule::DeltaPruning,
            "delta-pruning",
            Effect::SkipsMove,
            "quiescence: a capture that does not lift the static value to alpha",
        ),
        row(
            Rule::LosingCaptures,
            "losing-captures",
            Effect::SkipsMove,
            "quiescence: a capture that loses material by static exchange",
        ),
    ]
};

impl Rule {
    /// The rule's row in [`RULES`].
    #[must_use]
    pub fn info(self) -> &'static RuleInfo {
        &RULES[self as usize]
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// Where the fate that the rule gives stands in [`FATES`], if it gives one: what is pruned by it is counted by that.
    #[must_use]
    pub fn fate(self) -> Option<usize> {
        let name = Some(self.name());
        FATES.iter().position(|fate| fate.rule == name)
    }

    /// The forward-pruning rule that gives this fate.
    #[must_use]
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
