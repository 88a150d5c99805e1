//! Where a rule applies, by a condition that somebody wrote in place of the depths that the rule allows.

use super::NodeInputs;
use formula::{Formula, Name, Scope, Unit};
use search::{FormulaRange, Options, Range};
use std::cell::Cell;

/// The word for the depths of the rule's own option.
pub(super) const AUTO: &str = "auto";

const fn centipawns(name: &'static str, summary: &'static str) -> Name {
    Name {
        name,
        unit: Unit::CENTIPAWNS,
        summary,
    }
}

static WHEN: FormulaRange = FormulaRange {
    is_word: |text| text == AUTO,
    words: AUTO,
    scope: Scope {
        names: &[
            Name {
                name: "depth",
                unit: Unit::PLIES,
                summary: "plies left, 1 or more",
            },
            centipawns(
                "static",
                "static value, corrected, from the view of the side to move",
            ),
            centipawns("alpha", "lower end of the node's window"),
            centipawns("beta", "upper end of the node's window"),
            Name {
                name: "improving",
                unit: Unit::NONE,
                summary: "1 if the static value is higher than two plies before, else 0",
            },
        ],
        each: &[],
        result: Unit::NONE,
    },
    is_condition: true,
    check: |_| Ok(()),
    written: |_| None,
};

/// What an option for that takes.
pub(super) const RANGE: Range = Range::Formula(&WHEN);

/// Where a rule applies.
#[derive(Clone, Debug)]
pub struct When {
    condition: Option<Box<Formula>>,
    undefined: Cell<u64>,
}

impl When {
    pub(super) fn of_option(options: &Options, key: &str) -> When {
        let text = options.word(key);
        When {
            condition: (text != AUTO).then(|| Box::new(WHEN.of(text))),
            undefined: Cell::new(0),
        }
    }

    /// Whether the rule applies; `auto`: at the depths of its own option.
    #[inline]
    pub(super) fn holds(&self, seen: &NodeInputs, auto: bool) -> bool {
        match &self.condition {
            None => auto,
            Some(condition) => self.says(condition, seen).unwrap_or(auto),
        }
    }

    #[cold]
    #[inline(never)]
    fn says(&self, condition: &Formula, seen: &NodeInputs) -> Option<bool> {
        let numbers = [
            seen.depth.into(),
            seen.static_value.raw().into(),
            seen.alpha.raw().into(),
            seen.beta.raw().into(),
            u8::from(seen.improving).into(),
        ];
        let value = condition.value(&numbers);
        if value.is_none() {
            self.undefined.set(self.undefined.get() + 1);
        }
        value.map(|value| value > 0.0)
    }

    /// How often nobody could say since this was asked last.
    pub(super) fn take_undefined(&self) -> u64 {
        self.undefined.take()
    }
}
