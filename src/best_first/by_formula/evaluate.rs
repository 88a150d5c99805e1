//! What a new leaf is worth, by a formula.

use crate::leaf_belief::LeafBelief;
use formula::{Formula, Name, Scope, Unit};
use search::{FormulaRange, Options};
use std::cell::Cell;

/// The option `evaluate`.
pub static EVALUATE: FormulaRange = FormulaRange {
    is_word: |text| text == VALUE,
    words: VALUE,
    scope: Scope {
        names: &[
            Name {
                name: "value",
                unit: Unit::NONE,
                summary: "expected score of the side to move by the evaluation (leaf), from -1 to 1",
            },
            Name {
                name: "mean",
                unit: Unit::NONE,
                summary: "mean of the belief about the position, from -1 to 1",
            },
            Name {
                name: "sd",
                unit: Unit::NONE,
                summary: "standard deviation of the belief about the position",
            },
            Name {
                name: "ply",
                unit: Unit::PLIES,
                summary: "plies from the root",
            },
        ],
        each: &[],
        result: Unit::NONE,
    },
    is_condition: false,
    check: |_| Ok(()),
    written: |_| Some(VALUE.to_owned()),
};

/// The key of the option.
pub const KEY: &str = "evaluate";

/// The word for the evaluation as it is.
const VALUE: &str = "value";

/// Computes the value of a new leaf.
#[derive(Debug)]
pub struct Evaluate {
    formula: Formula,
    asks_belief: bool,
    undefined: Cell<u64>,
}

impl Evaluate {
    /// By the option's formula; `None` where it is the evaluation itself, or the algorithm has no such option.
    pub fn new(options: &Options) -> Option<Evaluate> {
        let text = options.has(KEY).then(|| options.word(KEY))?;
        (text != VALUE).then(|| {
            let formula = EVALUATE.of(text);
            Evaluate {
                asks_belief: formula.names(1) || formula.names(2),
                formula,
                undefined: Cell::new(0),
            }
        })
    }

    /// How often the formula had no finite value since this was asked last.
    pub fn take_undefined(&self) -> u64 {
        self.undefined.take()
    }

    /// The expected score, from −1 to 1; `value` where the formula has no finite value. `belief` is asked only for what the
    /// formula names.
    pub fn of(&self, value: f32, ply: usize, belief: impl FnOnce() -> LeafBelief) -> f32 {
        let (mean, sd) = match self.asks_belief {
            true => belief().moments(),
            false => (0.0, 0.0),
        };
        let numbers = [value.into(), mean.into(), sd.into(), ply as f64];
        match self.formula.value(&numbers) {
            Some(value) => value.clamp(-1.0, 1.0) as f32,
            None => {
                self.undefined.set(self.undefined.get() + 1);
                value
            }
        }
    }
}
