//! The options that both depth-first algorithms share.

use super::rule_formula::{self, AUTO};
use formula::{Formula, Name, Scope, Unit};
use search::common::ordering::MemoryRules;
use search::common::quiescence::{CaptureRules, DeltaMargins};
use search::{FormulaRange, OptionSpec, Options, Range};

pub(super) const DELTA_MARGIN: OptionSpec = OptionSpec {
    key: "delta-margin",
    default: "180",
    range: Range::Integer { min: 0, max: 2000 },
    summary: "delta pruning skips a capture if static value + gain + this is not above alpha (centipawns)",
};

pub(super) const DELTA_FORMULA: OptionSpec = OptionSpec {
    key: "delta-pruning-margin",
    default: AUTO,
    range: Range::Formula(&DELTA),
    summary: "the margin of delta pruning: auto (delta-margin), or a formula of the plies since quiescence began",
};

const PLIES: Name = Name {
    name: "plies",
    unit: Unit::PLIES,
    summary: "plies since quiescence began, 0 or more",
};

/// The formulas of delta pruning.
static DELTA: FormulaRange = FormulaRange {
    is_word: |text| text == AUTO,
    words: AUTO,
    scope: Scope {
        names: &[PLIES],
        each: &[],
        result: Unit::CENTIPAWNS,
    },
    is_condition: false,
    check: check_delta,
    written: |_| Some("180".to_owned()),
};

/// Refuses a formula that gives no margin at some ply.
fn check_delta(formula: &Formula) -> Result<(), String> {
    for plies in 0..DeltaMargins::PLIES {
        let found = match formula.value(&[plies as f64]) {
            Some(margin) if margin >= 0.0 => continue,
            Some(margin) => format!("{margin:.0} centipawns"),
            None => "no finite number".to_owned(),
        };
        return Err(format!(
            "found {found} at ply {plies}, expected a margin of 0 or more"
        ));
    }
    Ok(())
}

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
            .then(|| delta_margins(options)),
        losing_captures: options.switch("losing-captures"),
        checks: false,
        blind: false,
    }
}

fn delta_margins(options: &Options) -> DeltaMargins {
    match rule_formula::of_option(options, DELTA_FORMULA.key, &DELTA) {
        Some(formula) => DeltaMargins::of(|plies| formula.value(&[plies as f64]).unwrap_or(0.0)),
        None => DeltaMargins::constant(options.integer(DELTA_MARGIN.key) as i16),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn margins(text: &str) -> Result<DeltaMargins, String> {
        static SPECS: [OptionSpec; 2] = [DELTA_MARGIN, DELTA_FORMULA];
        let mut options = Options::defaults("test", &SPECS);
        options
            .set(DELTA_FORMULA.key, text)
            .map_err(|e| e.to_string())?;
        Ok(delta_margins(&options))
    }

    #[test]
    fn delta_margins_may_depend_on_the_plies() {
        let built_in = (DELTA.written)(AUTO).expect("a formula");
        assert_eq!(margins(AUTO), margins(&built_in));
        let falling = margins("max(0, 200 - 30*plies)").expect("margins");
        assert_eq!(
            [0, -1, -6, -7, -15, -40].map(|depth| falling.at(depth)),
            [200, 170, 20, 0, 0, 0]
        );
        assert_eq!(
            CaptureRules::DEFAULT.delta_pruning,
            margins(AUTO).ok(),
            "the same in other algorithms"
        );
    }

    #[test]
    fn what_is_no_delta_margin_is_refused() {
        for (text, said) in [
            ("200 - 30*plies", "found -10 centipawns at ply 7"),
            ("plies", "in plies, expected centipawns"),
            ("100/plies", "found no finite number at ply 0"),
            ("180*depth", "found \"depth\""),
        ] {
            let error = margins(text).expect_err(text);
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
