//! What games share whose truth is a result: expected scores in thousandths, and beliefs that lie near wins and losses.

use std::sync::LazyLock;

use belief::{Cdf, Density, Grid};
use eval::{LeafShape, Width};
use game::{Axis, Scale, Score};

/// Steps of a score to an expected score of 1.
const STEPS: f32 = 1_000.0;

/// No static value says that a game is decided.
const SUREST: f32 = 0.99;

/// The option `width` at which a belief is as wide as fitted, as in toy trees.
const UNCHANGED: f32 = 0.3;

/// Returns the axis of such scores, from the view of this side.
pub(super) fn axis(side: &'static str) -> &'static Axis {
    Axis::even(STEPS, 1.0)
        .named("expected score", side, 2)
        .kept()
}

/// Returns the score nearest to an expected score, short of a proven result.
#[inline]
pub(super) fn score(expected: f32) -> Score {
    Score::new((STEPS * expected.clamp(-SUREST, SUREST)) as i32)
}

/// The grid of all such axes.
static GRID: LazyLock<Grid> = LazyLock::new(|| Grid::of(Scale::Linear(axis("White")).points()));

/// How wide a belief about the result is, given the expected score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResultBelief {
    /// Location and scale of a logistic distribution in the logit: so many times the logit of the expected score, and this scale.
    pub times: f32,
    pub scale: f32,
    /// The standard deviation of a normal one around the expected score.
    pub spread: f32,
}

impl ResultBelief {
    /// Returns the belief about a leaf of this value. As fitted it is a logistic distribution in the logit, most of which can lie
    /// at both ends, since the truth is a win, a draw or a loss. If a width was asked for, it is a normal one in the expected score.
    pub(super) fn belief(&self, scale: Scale, value: Score, shape: &LeafShape) -> Cdf {
        let expected = scale.expected(value);
        if value.is_decided() {
            return Cdf::atom(GRID.bin_of(expected));
        }
        let belief = match shape.width {
            Width::Fitted => {
                let logit = 2.0 * expected.atanh() * self.times;
                Density::logistic(&GRID, logit, self.scale)
            }
            Width::Fixed(width) => {
                Density::normal(&GRID, expected, self.spread * width / UNCHANGED)
            }
        };
        belief.cdf()
    }
}
