//! The rules of quiescence, which applies them itself; see
//! [`CaptureRules`](search::common::quiescence::CaptureRules).

use super::{Effect, Rule, RuleInfo};
use crate::options as shared;

pub(super) const DELTA_PRUNING: RuleInfo = RuleInfo {
    rule: Rule::DeltaPruning,
    effect: Effect::SkipsMove,
    summary: "quiescence: a capture that does not lift the static value to alpha",
    options: &[
        shared::DELTA_PRUNING,
        shared::DELTA_MARGIN,
        shared::DELTA_FORMULA,
    ],
};

pub(super) const LOSING_CAPTURES: RuleInfo = RuleInfo {
    rule: Rule::LosingCaptures,
    effect: Effect::SkipsMove,
    summary: "quiescence: a capture that loses material by static exchange",
    options: &[shared::LOSING_CAPTURES],
};
