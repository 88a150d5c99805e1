//! The options that both depth-first algorithms share.

use search::common::ordering::MemoryRules;
use search::common::quiescence::CaptureRules;
use search::{OptionSpec, Options, Range};

pub(super) const DELTA_MARGIN: OptionSpec = OptionSpec {
    key: "delta-margin",
    default: "180",
    range: Range::Integer { min: 0, max: 2000 },
    summary: "delta pruning skips a capture if static value + gain + this is not above alpha (centipawns)",
};

pub(super) const DELTA_PRUNING: OptionSpec = OptionSpec {
    key: "delta-pruning",
    default: "on",
    range: Range::Switch,
    summary: "quiescence skips captures that can't lift the static value to alpha",
};

pub(super) const LOSING_CAPTURES: OptionSpec = OptionSpec {
    key: "losing-captures",
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

pub(super) const COUNTER_MOVES: OptionSpec = OptionSpec {
    key: "counter-moves",
    default: "on",
    range: Range::Switch,
    summary: "order by the quiet move that answered the opponent's last move before",
};

pub(super) const CONTINUATION_HISTORY: OptionSpec = OptionSpec {
    key: "continuation-history",
    default: "on",
    range: Range::Switch,
    summary: "order late moves by how they did after the last two moves",
};

/// The memories of move ordering that the options select.
pub(super) fn memory_rules(options: &Options) -> MemoryRules {
    MemoryRules {
        killers: options.switch("killers"),
        counter_moves: options.switch("counter-moves"),
        history: options.switch("history"),
        continuation_history: options.switch("continuation-history"),
    }
}

/// The rules of quiescence that the options select.
pub(super) fn capture_rules(options: &Options) -> CaptureRules {
    CaptureRules {
        delta_pruning: options
            .switch("delta-pruning")
            .then(|| options.integer("delta-margin") as i32),
        losing_captures: options.switch("losing-captures"),
        checks: false,
        blind: false,
    }
}
