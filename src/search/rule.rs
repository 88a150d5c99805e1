//! The rules by which a depth-first search leaves out, reduces or extends what it could search: their names, and what is
//! known about each. What they do is alpha-beta's.

use super::OptionSpec;
use tree::{FATES, Fate, FateInfo};

macro_rules! rules {
    ($($Rule:ident = $name:literal,)+) => {
        /// The rules, in the order in which a node asks them; those that quiescence applies come last.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Rule {
            $($Rule,)+
        }

        impl Rule {
            pub const ALL: [Rule; [$($name),+].len()] = [$(Rule::$Rule),+];

            /// The name in traces, breakpoints and JSON; the option that switches the rule, where it has one of its own,
            /// and the fate that the rule gives, where it prunes, have the same name.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Rule::$Rule => $name,)+
                }
            }
        }
    };
}

rules! {
    InternalReduction = "internal-reduction",
    Razoring = "razoring",
    ReverseFutility = "reverse-futility",
    NullMove = "null-move",
    ProbCut = "prob-cut",
    SingularExtension = "singular-extension",
    MultiCut = "multi-cut",
    CheckExtension = "check-extension",
    Futility = "futility",
    LateMovePruning = "late-move-pruning",
    LosingMoves = "losing-moves",
    LateMoveReduction = "late-move-reduction",
    DeltaPruning = "delta-pruning",
    LosingCaptures = "losing-captures",
}

impl Rule {
    /// The index in [`FATES`] of the fate that the rule gives, if it gives one; what the rule prunes is counted under
    /// that fate.
    pub fn fate(self) -> Option<usize> {
        let own = |fate: &FateInfo| fate.by_rule && fate.name == self.name();
        FATES.iter().position(own)
    }

    /// The forward-pruning rule that gives this fate.
    pub fn of(fate: Fate) -> Option<Rule> {
        let info = fate.info();
        let given = Rule::ALL.into_iter().find(|rule| rule.name() == info.name);
        given.filter(|_| info.by_rule)
    }
}

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
    pub effect: Effect,
    /// A summary of one line.
    pub summary: &'static str,
    /// The option that switches the rule and has its name, and the rule's parameters.
    pub options: &'static [OptionSpec],
}

impl RuleInfo {
    /// See [`Rule::name`].
    pub fn name(&self) -> &'static str {
        self.rule.name()
    }
}
