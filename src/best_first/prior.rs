//! The prior over a node's moves before anything is searched: a softmax over their immediate gains.

use search::{OptionSpec, Options, Range};

/// How priors follow from the moves' gains.
#[derive(Clone, Debug)]
pub struct Prior {
    /// exp(-difference / temperature), indexed by how much smaller the gain is than the best move's.
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
        Prior {
            shares: (0..=LARGEST)
                .map(|below| (-(below as f64) / temperature).exp() as f32)
                .collect(),
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

    /// The unnormalised prior of a move whose gain is `below` the best one's; never so small that the sum of priors
    /// vanishes.
    #[inline]
    pub fn share(&self, below: u32) -> f32 {
        self.shares[(below as usize).min(LARGEST)]
    }
}

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
