//! The rules by which a depth-first search leaves out, shortens or lengthens what it could search.

use crate::tree::Fate;

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

    /// The name of the fate that the rule gives, if it gives one: what is pruned by it is counted by that.
    #[must_use]
    pub const fn fate(self) -> Option<&'static str> {
        Some(match self {
            Rule::Razoring => "razoring",
            Rule::ReverseFutility => "reverse-futility",
            Rule::NullMove => "null-move",
            Rule::ProbCut => "prob-cut",
            Rule::MultiCut => "multi-cut",
            Rule::Futility => "futility",
            Rule::LateMovePruning => "late-move",
            Rule::LosingMoves => "losing-move",
            Rule::DeltaPruning => "delta-pruning",
            Rule::LosingCaptures => "losing-exchange",
            Rule::InternalReduction
            | Rule::SingularExtension
            | Rule::CheckExtension
            | Rule::LateMoveReduction => return None,
        })
    }

    /// The forward-pruning rule that gives this fate.
    #[must_use]
    pub const fn of(fate: Fate) -> Option<Rule> {
        Some(match fate {
            Fate::Razoring { .. } => Rule::Razoring,
            Fate::ReverseFutility { .. } => Rule::ReverseFutility,
            Fate::NullMove { .. } => Rule::NullMove,
            Fate::ProbCut { .. } => Rule::ProbCut,
            Fate::MultiCut { .. } => Rule::MultiCut,
            Fate::Futility { .. } => Rule::Futility,
            Fate::LateMove { .. } => Rule::LateMovePruning,
            Fate::LosingMove { .. } => Rule::LosingMoves,
            Fate::DeltaPruning { .. } => Rule::DeltaPruning,
            Fate::LosingExchange => Rule::LosingCaptures,
            _ => return None,
        })
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
    fn rules_know_their_fates() {
        let zero = crate::game::Score::DRAW;
        let some = [
            Fate::LosingExchange,
            Fate::LateMove {
                searched: 1,
                depth: 1,
            },
            Fate::LosingMove {
                threshold: -1,
                depth: 1,
            },
            Fate::MultiCut {
                value: zero,
                beta: zero,
                depth: 1,
            },
            Fate::DeltaPruning {
                static_value: zero,
                margin: 1,
                alpha: zero,
            },
        ];
        for fate in some {
            let rule = Rule::of(fate).expect("a rule");
            assert_eq!(rule.fate(), Some(fate.name()));
        }
        let named: Vec<&str> = RULES.iter().filter_map(|r| r.rule.fate()).collect();
        let pruning = crate::tree::FATE_FAMILIES[0];
        assert_eq!(named.len(), pruning.members.len());
        assert!(named.iter().all(|name| pruning.members.contains(name)));
    }
}
