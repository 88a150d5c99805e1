//! The prior over a node's moves before anything is searched: a softmax over their immediate gains.

use formula::{Formula, Name, Scope, Unit};
use search::{FormulaRange, OptionSpec, Options, Range};

/// How priors follow from the moves' gains.
#[derive(Clone, Debug)]
pub struct Prior {
    /// What a move counts, indexed by how much smaller its gain is than the best move's.
    shares: Box<[f32]>,
    /// The part of the prior that is spread evenly.
    pub even: f32,
    /// Added to the gain of a move that gives check.
    pub check_gain: i32,
    /// Whether moves gain what brings them nearer to the mate; see
    /// [`Evaluator::moves_left`](eval::Evaluator::moves_left).
    pub counts_moves_left: bool,
}

/// Larger differences in gain count as this one.
const LARGEST: usize = 2047;

impl Prior {
    pub fn new(options: &Options) -> Prior {
        let temperature = options.number("temperature");
        let softmax = |below: f64| (-below / temperature).exp();
        let formula = options
            .has(PRIOR.key)
            .then(|| options.word(PRIOR.key))
            .filter(|text| *text != SOFTMAX)
            .map(|text| SHARES.of(text));
        let share = |below: usize| match &formula {
            // As an endless softmax: never 0, so that the sum of priors does not vanish.
            Some(formula) => share(formula, below as f64).max(f64::from(f32::MIN_POSITIVE)),
            None => softmax(below as f64),
        };
        Prior {
            shares: (0..=LARGEST).map(|below| share(below) as f32).collect(),
            even: options.number("even-prior") as f32,
            check_gain: options.integer("check-gain") as i32,
            counts_moves_left: false,
        }
    }

    /// The same for every move; what a move gains at once only orders them.
    pub fn order_only() -> Prior {
        Prior {
            shares: vec![1.0; LARGEST + 1].into(),
            even: 1.0,
            check_gain: 100,
            counts_moves_left: false,
        }
    }

    /// What is added to the gain of a move that gives check, or does not.
    #[inline]
    pub fn gain_of_check(&self, check: bool) -> i32 {
        if check { self.check_gain } else { 0 }
    }

    /// The unnormalised prior of a move whose gain is `below` the best one's; never so small that the sum of priors
    /// vanishes.
    #[inline]
    pub fn share(&self, below: u32) -> f32 {
        self.shares[(below as usize).min(LARGEST)]
    }
}

const SOFTMAX: &str = "softmax";

const SCOPE: Scope = Scope {
    names: &[Name {
        name: "below",
        unit: Unit::CENTIPAWNS,
        summary: "by how much a move gains less at once than the best one, from 0 to 2047, in the evaluation's unit",
    }],
    each: &[],
    result: Unit::NONE,
};

static SHARES: FormulaRange = FormulaRange {
    is_word: |text| text == SOFTMAX,
    words: SOFTMAX,
    scope: SCOPE,
    is_condition: false,
    check,
    written: |_| Some("exp(-below/150)".to_owned()),
};

fn share(formula: &Formula, below: f64) -> f64 {
    formula.value(&[below]).unwrap_or(0.0)
}

/// Refuses a formula that gives the best move nothing, or any move less than nothing or no number.
fn check(formula: &Formula) -> Result<(), String> {
    for below in 0..=LARGEST {
        let found = match formula.value(&[below as f64]) {
            Some(share) if share > 0.0 || share == 0.0 && below > 0 => continue,
            Some(share) => format!("{share:.3}"),
            None => "no finite number".to_owned(),
        };
        return Err(format!(
            "found {found} where below is {below}, expected 0 or more, and more than 0 for the best move"
        ));
    }
    Ok(())
}

/// The option for the form of the prior.
pub(super) const PRIOR: OptionSpec = OptionSpec {
    key: "prior",
    default: SOFTMAX,
    range: Range::Formula(&SHARES),
    summary: "what a move counts in the prior by how much less it gains at once than the best one: a softmax with the option temperature, or a formula",
};

/// The option for the temperature of the softmax.
pub(super) const TEMPERATURE: OptionSpec = OptionSpec {
    key: "temperature",
    default: "150",
    range: Range::Number {
        min: 1.0,
        max: 10000.0,
    },
    summary: "of the prior, a softmax over what a move gains at once, in the evaluation's unit",
};

/// The option for the even part of the prior, which keeps every move from starving.
pub(super) const EVEN_PRIOR: OptionSpec = OptionSpec {
    key: "even-prior",
    default: "0.25",
    range: Range::Number { min: 0.0, max: 1.0 },
    summary: "the part of the prior that all moves share evenly, so that a sacrifice is not starved",
};

/// The option for the gain of a check in the prior.
pub(super) const CHECK_GAIN: OptionSpec = OptionSpec {
    key: "check-gain",
    default: "100",
    range: Range::Integer {
        min: -1000,
        max: 1000,
    },
    summary: "what giving check adds to a move's gain in the prior, in the evaluation's unit",
};
