//! The options that both depth-first algorithms have.

use super::quiescence::CaptureRules;
use crate::search::{OptionSpec, Options, Range};

pub(super) const DELTA_MARGIN: OptionSpec = OptionSpec {
    key: "delta-margin",
    default: "180",
    range: Range::Integer { min: 0, max: 2000 },
    summary: "quiescence skips a capture if static value + gain + this is not above alpha (centipawns)",
};

pub(super) const SEE: OptionSpec = OptionSpec {
    key: "see",
    default: "on",
    range: Range::Switch,
    summary: "quiescence skips captures that lose material by static exchange",
};

pub(super) const TABLE: OptionSpec = OptionSpec {
    key: "table",
    default: "on",
    range: Range::Switch,
    summary: "use the transposition table",
};

pub(super) const KILLERS: OptionSpec = OptionSpec {
    key: "killers",
    default: "on",
    range: Range::Switch,
    summary: "order by killer moves",
};

pub(super) const HISTORY: OptionSpec = OptionSpec {
    key: "history",
    default: "on",
    range: Range::Switch,
    summary: "order late moves by history",
};

/// The rules of quiescence that the options ask for.
pub(super) fn capture_rules(options: &Options) -> CaptureRules {
    CaptureRules {
        delta_margin: options.integer("delta-margin") as i32,
        see: options.switch("see"),
    }
}
