//! Check extension.

use super::{Effect, Rule, RuleInfo};
use search::{OptionSpec, Options, Range};

/// Its row in the table of rules.
pub(super) const INFO: RuleInfo = RuleInfo {
    rule: Rule::CheckExtension,
    effect: Effect::Extends,
    summary: "a check that loses nothing is searched a ply deeper",
    options: OPTIONS,
};

const OPTIONS: &[OptionSpec] = &[OptionSpec {
    key: "check-extension",
    default: "on",
    range: Range::Switch,
    summary: "search checks that lose nothing a ply deeper",
}];

/// Check extension: a check that loses nothing by exchange is searched a ply deeper.
#[derive(Clone, Copy, Debug)]
pub struct CheckExtension {
    pub enabled: bool,
}

impl CheckExtension {
    pub(super) fn from_options(options: &Options) -> Self {
        CheckExtension {
            enabled: options.switch("check-extension"),
        }
    }
}
