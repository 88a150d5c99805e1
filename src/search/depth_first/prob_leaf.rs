//! The belief that probabilistic alpha-beta lays around a quiet value.

use crate::belief::{BINS, Cdf, Density, Grid};
use crate::eval::{Evaluator, LeafShape, Width};
use crate::game::{Game, Scale, Score};
use crate::search::Options;

/// How wide the belief around a leaf's value is.
#[derive(Clone, Debug)]
pub struct Leaves {
    grid: Grid,
    scale: Scale,
    width: LeafWidth,
}

#[derive(Clone, Debug)]
enum LeafWidth {
    /// No doubt: plain alpha-beta on bins.
    Exact,
    /// Normal with this standard deviation in centipawns, made beforehand for values [`STEP`] apart.
    Normal { centipawns: f32, rows: Vec<Cdf> },
    /// As the evaluation says (chess: the fitted formula; toy trees: the file's spreads).
    Evaluator,
}

/// The word for [`LeafWidth::Evaluator`].
const FITTED: &str = "fitted";
/// Beyond this many centipawns every belief lies in the last bin before certainty.
const REACH: i32 = 1440;
const STEP: i32 = 2;
/// Standard deviations beyond a bin's edge from which on quiescence need not know the exact value.
const MARGIN: f32 = 3.0;

/// Whether a word can be the option `width`.
pub fn is_width(text: &str) -> bool {
    text == FITTED || text.parse().is_ok_and(|w| (0.0..=1000.0).contains(&w))
}

impl Leaves {
    /// By the option `width`. Toy trees bring their own spreads: any width but 0 leaves them as they are.
    #[must_use]
    pub fn new(grid: &Grid, scale: Scale, options: &Options) -> Self {
        let word = options.word("width");
        let width = match word.parse::<f32>() {
            Ok(centipawns) if centipawns <= 0.0 => LeafWidth::Exact,
            Ok(centipawns) if scale == Scale::Logistic => LeafWidth::Normal {
                centipawns,
                rows: rows(grid, centipawns),
            },
            _ => LeafWidth::Evaluator,
        };
        Leaves {
            grid: grid.clone(),
            scale,
            width,
        }
    }

    /// The belief around a value, side to move. Wins and losses are atoms.
    pub fn belief<G: Game, E: Evaluator<G>>(
        &self,
        evaluator: &E,
        state: E::State,
        position: &G,
        value: Score,
    ) -> Cdf {
        if value.is_decided() {
            return self.atom(value);
        }
        match &self.width {
            LeafWidth::Exact => Cdf::atom(self.grid.bin_inner(self.scale.expected(value))),
            LeafWidth::Normal { rows, .. } => {
                let value = i32::from(value.raw()).clamp(-REACH, REACH);
                rows[((value + REACH + STEP / 2) / STEP) as usize]
            }
            LeafWidth::Evaluator => {
                let shape = LeafShape {
                    width: Width::Fitted,
                    bias: 0.0,
                };
                evaluator.belief(state, position, value, &shape)
            }
        }
    }

    /// An exact score: a mate, a draw, or a toy tree's exact leaf.
    #[must_use]
    pub fn atom(&self, score: Score) -> Cdf {
        Cdf::atom(self.grid.bin_of(self.scale.expected(score)))
    }

    /// The window for quiescence at a leaf with `alpha` and `beta` in bins: outside of it the belief would lie below
    /// alpha or above beta almost certainly, wherever exactly the value was.
    pub fn quiet_window<G: Game, E: Evaluator<G>>(
        &self,
        evaluator: &E,
        state: E::State,
        position: &G,
        alpha: i32,
        beta: i32,
    ) -> (Score, Score) {
        if self.scale != Scale::Logistic {
            return (Score::MIN, Score::MAX);
        }
        let margin = MARGIN
            * match &self.width {
                LeafWidth::Exact => 0.0,
                LeafWidth::Normal { centipawns, .. } => *centipawns,
                LeafWidth::Evaluator => {
                    let value = evaluator.value(state, position);
                    SD_OF_LOGISTIC * CP_PER_LOGIT * evaluator.spread(state, position, value)
                }
            };
        // The lowest centipawns that lie in bin `bin`: the end bins have none but mates.
        let lowest = |bin: i32| match usize::try_from(bin) {
            Ok(bin @ 2..BINS) if bin < BINS - 1 => {
                Some((self.grid.own_edges()[bin] as f32 * CP_PER_LOGIT).ceil())
            }
            _ => None,
        };
        let low = match (alpha, lowest(alpha + 1)) {
            (_, Some(cp)) => Score::new((cp - 1.0 - margin).floor() as i32),
            // Nothing but a win lies above.
            (a, None) if a >= BINS as i32 - 2 => Score::new(i32::from(Score::LIMIT)),
            _ => Score::MIN,
        };
        let high = match (beta, lowest(beta)) {
            (_, Some(cp)) => Score::new((cp + margin).ceil() as i32),
            // Everything but a loss lies in it or above.
            (b, None) if b <= 1 => Score::new(-i32::from(Score::LIMIT)),
            _ => Score::MAX,
        };
        // Where the margins meet the ends.
        if low < high {
            (low, high)
        } else {
            (Score::MIN, Score::MAX)
        }
    }
}

const CP_PER_LOGIT: f32 = Scale::CENTIPAWNS / 2.0;
/// pi / sqrt 3: the standard deviation of a logistic distribution of scale 1.
const SD_OF_LOGISTIC: f32 = 1.813_8;

fn rows(grid: &Grid, centipawns: f32) -> Vec<Cdf> {
    (-REACH..=REACH)
        .step_by(STEP as usize)
        .map(|value| {
            let mean = value as f32 / CP_PER_LOGIT;
            Density::normal_logit(grid, mean, centipawns / CP_PER_LOGIT).cdf()
        })
        .collect()
}
