//! What is done with a leaf, by somebody's formulas: how urgent it is, and how deeply it is searched before it is expanded.

use formula::{Column, Formula, Name, Scope, Sheet, Unit};
use search::{FormulaRange, OptionSpec, Options, Range};
use std::cell::{Cell, RefCell};

const AUTO: &str = "auto";

pub(super) const URGENCY: OptionSpec = OptionSpec {
    key: "leaf-urgency",
    default: AUTO,
    range: Range::Formula(&URGENCIES),
    summary: "how urgent a leaf is by itself, where the allocation goes by criticality: auto (its spread over the root of what its next visit costs, see price), or a formula, 0 or more (auto where it has no finite value)",
};

pub(super) const DEPTH: OptionSpec = OptionSpec {
    key: "expand-depth",
    default: AUTO,
    range: Range::Formula(&DEPTHS),
    summary: "to how many plies a leaf is searched, a ply a visit, before it is expanded: auto (by leaf-expand, leaf-deepest and its criticality), or a formula, cut to whole plies from 0 to 12 (auto where it has no finite value; leaf search)",
};

const FORMULAS: FormulaRange = FormulaRange {
    is_word: |text| text == AUTO,
    words: AUTO,
    scope: Scope {
        names: &[],
        each: &[],
        result: Unit::NONE,
    },
    is_condition: false,
    check: |_| Ok(()),
    written: |_| None,
};

static URGENCIES: FormulaRange = FormulaRange {
    scope: Scope {
        names: &[
            Name {
                name: "sd",
                unit: Unit::NONE,
                summary: "standard deviation of the leaf's belief, in expected score",
            },
            Name {
                name: "price",
                unit: Unit::NONE,
                summary: "nodes that its next visit is likely to cost",
            },
        ],
        each: &[],
        result: Unit::NONE,
    },
    written: |_| Some("sd/sqrt(price)".to_owned()),
    ..FORMULAS
};

static DEPTHS: FormulaRange = FormulaRange {
    scope: Scope {
        names: &[
            Name {
                name: "criticality",
                unit: Unit::NONE,
                summary: "product of the policies on the way to the leaf, from 0 to 1",
            },
            Name {
                name: "ply",
                unit: Unit::PLIES,
                summary: "plies from the root",
            },
            Name {
                name: "nodes",
                unit: Unit::NONE,
                summary: "nodes of the search at that moment, 1 or more",
            },
        ],
        each: &[],
        result: Unit::PLIES,
    },
    written: |_| Some("min(3 + max(0, log(0.1/criticality)/log(4)), 8)".to_owned()),
    ..FORMULAS
};

/// The formulas that options ask for.
#[derive(Debug)]
pub(super) struct LeafFormulas {
    urgency: Option<Formula>,
    depth: Option<Formula>,
    sheet: RefCell<Sheet>,
    undefined: Cell<u64>,
}

impl LeafFormulas {
    pub fn new(options: &Options) -> LeafFormulas {
        let of = |key: &str, range: &FormulaRange| {
            let text = options.word(key);
            (text != AUTO).then(|| range.of(text))
        };
        LeafFormulas {
            urgency: of(URGENCY.key, &URGENCIES),
            depth: of(DEPTH.key, &DEPTHS),
            sheet: RefCell::default(),
            undefined: Cell::new(0),
        }
    }

    /// Whether urgency goes by a formula.
    pub fn say_urgency(&self) -> bool {
        self.urgency.is_some()
    }

    /// The urgency of a leaf by the formula, if there is one and it has a value.
    #[inline]
    pub fn urgency(&self, sd: f32, price: f32) -> Option<f32> {
        let formula = self.urgency.as_ref()?;
        let urgency = self.value(formula, [sd, price])?;
        Some(urgency.max(0.0))
    }

    /// The plies to which a leaf is searched by the formula, if there is one and it has a value.
    #[inline]
    pub fn depth(&self, criticality: f32, ply: usize, nodes: u64) -> Option<u8> {
        let formula = self.depth.as_ref()?;
        let depth = self.value(formula, [criticality, ply as f32, nodes.max(1) as f32])?;
        Some(depth.clamp(0.0, 12.0) as u8)
    }

    /// How often a formula had no finite value since this was asked last.
    pub fn take_undefined(&self) -> u64 {
        self.undefined.take()
    }

    fn value<const N: usize>(&self, formula: &Formula, numbers: [f32; N]) -> Option<f32> {
        let sheet = &mut self.sheet.borrow_mut();
        let value = formula.values(1, &numbers.map(Column::Same), sheet)[0];
        if value.is_nan() {
            self.undefined.set(self.undefined.get() + 1);
            return None;
        }
        Some(value)
    }
}
