//! Singular extension.

use super::{Effect, Rule, RuleInfo};
use game::Score;
use search::common::table::Entry;
use search::{OptionSpec, Options, Range};
use tree::Bound;

/// Its row in the table of rules.
pub(super) const INFO: RuleInfo = RuleInfo {
    rule: Rule::SingularExtension,
    effect: Effect::Extends,
    summary: "only the table's move comes near its value: it is searched more deeply",
    options: OPTIONS,
};

const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        key: "singular-extension",
        default: "on",
        range: Range::Switch,
        summary: "search the table's move deeper where no other comes near its value",
    },
    OptionSpec {
        key: "singular-extension-depth",
        default: "7",
        range: Range::Integer { min: 4, max: 32 },
        summary: "least remaining depth at which that is tested",
    },
    OptionSpec {
        key: "singular-extension-margin",
        default: "3",
        range: Range::Integer { min: 0, max: 64 },
        summary: "centipawns a ply of depth that the others have to stay below",
    },
];

/// Singular extension: if no other move comes near the table's move, much depends on that one (Anantharaman, Campbell &
/// Hsu 1988; tested against a lowered bound as in Stockfish).
#[derive(Clone, Copy, Debug)]
pub struct SingularExtension {
    pub enabled: bool,
    pub min_depth: i32,
    /// By how many centipawns per ply of depth the others have to stay below the table's value.
    pub margin: i32,
}

impl SingularExtension {
    pub(super) fn from_options(options: &Options) -> Self {
        SingularExtension {
            enabled: options.switch("singular-extension"),
            min_depth: options.integer("singular-extension-depth") as i32,
            margin: options.integer("singular-extension-margin") as i32,
        }
    }

    /// The bound that the other moves have to stay below, where the table's entry for the move is good enough.
    pub fn bound(&self, depth: i32, entry: &Entry) -> Option<Score> {
        let known = matches!(entry.bound, Bound::Lower | Bound::Exact)
            && i32::from(entry.depth) >= depth - 3
            && !entry.value.is_decided();
        (self.enabled && depth >= self.min_depth && known)
            .then(|| Score::new(i32::from(entry.value.raw()) - self.margin * depth))
    }

    /// The remaining plies of the search of the other moves.
    pub fn depth(depth: i32) -> i32 {
        (depth - 1) / 2
    }
}
