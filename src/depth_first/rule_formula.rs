//! What rules count by: plies and moves, from the options of the rule or by a formula that somebody wrote.
//!
//! Formulas are computed once, before the search, for all depths and numbers that have a place in a table.

use formula::{Formula, Name, Scope, Unit};
use search::{FormulaRange, Options};

/// The word for what the other options of the rule say.
pub const AUTO: &str = "auto";

/// The deepest place of a table; what lies beyond it is as there.
pub const DEEPEST: usize = crate::MAX_DEPTH as usize;

// Plies and numbers of moves count alike here: their logarithms are multiplied, and moves are counted by plies.
const DEPTH: Name = Name {
    name: "depth",
    unit: Unit::Any,
    summary: "plies left, 1 or more",
};

/// What the formulas of rules have in common.
const COUNTS: FormulaRange = FormulaRange {
    is_word: |text| text == AUTO,
    words: AUTO,
    scope: Scope {
        names: &[DEPTH],
        each: &[],
        result: Unit::NONE,
    },
    is_condition: false,
    check: |formula| check(formula, &[]),
    written: |_| None,
};

/// Plies by which a late move is searched less deeply.
pub static REDUCTION: FormulaRange = FormulaRange {
    scope: Scope {
        names: &[
            DEPTH,
            Name {
                name: "number",
                unit: Unit::Any,
                summary: "moves searched before, 1 or more",
            },
        ],
        each: &[],
        result: Unit::PLIES,
    },
    check: |formula| check(formula, &[1, 2, 8, DEEPEST]),
    written: |_| Some("0.75 + log(depth)*log(number)/1.95".to_owned()),
    ..COUNTS
};

/// After how many moves quiet ones are skipped.
pub static COUNT: FormulaRange = FormulaRange {
    scope: Scope {
        names: &[
            DEPTH,
            Name {
                name: "improving",
                unit: Unit::NONE,
                summary: "1 if the static value is higher than two plies before, else 0",
            },
        ],
        each: &[],
        result: Unit::NONE,
    },
    check: |formula| check(formula, &[0, 1]),
    written: |_| Some("(4 + depth*depth)*(1 + improving)/2".to_owned()),
    ..COUNTS
};

/// Plies by which the search after a pass is shallower.
pub static PASS: FormulaRange = FormulaRange {
    scope: Scope {
        names: &[DEPTH],
        each: &[],
        result: Unit::PLIES,
    },
    written: |_| Some("3 + depth/3".to_owned()),
    ..COUNTS
};

/// The formula that an option asks for, unless it is [`AUTO`]; its table has checked the text.
pub fn of_option(options: &Options, key: &str, range: &FormulaRange) -> Option<Formula> {
    let text = options.word(key);
    (text != AUTO).then(|| range.of(text))
}

/// The value for these numbers, 0 to `most`.
pub fn value(formula: &Formula, numbers: &[f64], most: f64) -> f64 {
    formula.value(numbers).unwrap_or(0.0).clamp(0.0, most)
}

/// Refuses a formula that has no value of 0 or more at some depth; `others` are values of the second number, if there is one.
fn check(formula: &Formula, others: &[usize]) -> Result<(), String> {
    for depth in 1..=DEEPEST {
        for other in others.iter().chain(others.is_empty().then_some(&0)) {
            let found = match formula.value(&[depth as f64, *other as f64]) {
                Some(value) if value >= 0.0 => continue,
                Some(value) => format!("{value:.2}"),
                None => "no finite number".to_owned(),
            };
            let at = match others {
                [] => String::new(),
                _ => format!(" with {other}"),
            };
            return Err(format!(
                "found {found} at depth {depth}{at}, expected 0 or more"
            ));
        }
    }
    Ok(())
}
