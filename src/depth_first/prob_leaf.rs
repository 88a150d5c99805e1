//! The belief that probabilistic alpha-beta places around a quiet value.

use belief::special::normal_cdf;
use belief::{Cdf, Grid, LANES, Resolution, leaf};
use eval::{Evaluator, LeafShape, Valued, Width};
use game::{Game, Scale, Score};
use search::Options;
use search::options::resolution;

/// The width of the belief around a leaf's value.
#[derive(Clone, Debug)]
pub struct Leaves {
    grid: Grid,
    scale: Scale,
    width: LeafWidth,
    /// The places at which beliefs lie.
    resolution: Resolution,
}

#[derive(Clone, Debug)]
enum LeafWidth {
    /// No width: plain alpha-beta on bins.
    Exact,
    /// Normal with this standard deviation in centipawns, computed in advance for values [`STEP`] apart.
    Normal { centipawns: f32, rows: Vec<Row> },
    /// The belief about the truth of a value by quiescence ([`Evaluator::searched`]); as the evaluator gives it where there is
    /// none.
    Searched,
    /// The width that the evaluation gives (in chess, the fitted formula; in toy trees, the spreads in the file).
    Evaluator,
}

/// A belief with its mean expected score.
type Row = (Cdf, f32);

/// The option's word for [`LeafWidth::Evaluator`].
const FITTED: &str = "fitted";
/// The option's word for [`LeafWidth::Searched`].
const SEARCHED: &str = "searched";
/// Beyond this many centipawns every belief lies in the last bin before certainty.
const REACH: i32 = 1440;
const STEP: i32 = 2;
/// How many standard deviations beyond a bin's edge quiescence need no longer know the exact value.
const MARGIN: f32 = 3.0;

/// Whether a word is a valid value of the option `width`.
pub fn is_width(text: &str) -> bool {
    matches!(text, FITTED | SEARCHED) || text.parse().is_ok_and(|w| (0.0..=1000.0).contains(&w))
}

impl Leaves {
    /// Reads the option `width`. Toy trees have their own spreads, which any width but 0 leaves as they are.
    pub fn new(grid: &Grid, scale: Scale, options: &Options) -> Self {
        let resolution = resolution(options, grid);
        let word = options.word("width");
        let width = match word.parse::<f32>() {
            Ok(centipawns) if centipawns <= 0.0 => LeafWidth::Exact,
            Ok(centipawns) if scale == Scale::Logistic => LeafWidth::Normal {
                centipawns,
                rows: rows(grid, centipawns, &resolution),
            },
            _ if word == SEARCHED => LeafWidth::Searched,
            _ => LeafWidth::Evaluator,
        };
        Leaves {
            grid: grid.clone(),
            scale,
            width,
            resolution,
        }
    }

    /// The belief around a value, with its mean, from the view of the side to move. Wins and losses are atoms.
    pub fn belief<G: Game, E: Evaluator<G>>(
        &self,
        evaluator: &E,
        state: &E::State,
        position: &G,
        value: Score,
    ) -> (Cdf, f32) {
        if value.is_decided() {
            let belief = self.atom(value);
            return (belief, belief.mean(&self.grid));
        }
        let with_mean = |belief: Cdf| {
            let belief = self.resolution.of(&belief);
            (belief, belief.mean(&self.grid))
        };
        match &self.width {
            LeafWidth::Exact => {
                let bin = self.grid.bin_inner(self.scale.expected(value));
                (Cdf::atom(bin), self.grid.centres()[bin])
            }
            LeafWidth::Normal { rows, .. } => {
                let value = i32::from(value.raw()).clamp(-REACH, REACH);
                rows[((value + REACH + STEP / 2) / STEP) as usize]
            }
            LeafWidth::Evaluator | LeafWidth::Searched => {
                let valued = Valued { value, depth: 0 };
                if matches!(self.width, LeafWidth::Searched)
                    && let Some((location, scale)) = evaluator.searched(state, position, &valued)
                {
                    return with_mean(leaf(&self.grid, location, scale));
                }
                let shape = LeafShape {
                    width: Width::Fitted,
                    bias: 0.0,
                };
                with_mean(evaluator.belief(state, position, value, &shape))
            }
        }
    }

    /// The belief for an exact score: a mate, a draw, or a toy tree's exact leaf.
    pub fn atom(&self, score: Score) -> Cdf {
        Cdf::atom(self.grid.bin_of(self.scale.expected(score)))
    }

    /// Whether no belief has any width: then every value is a point, and the search is plain alpha-beta.
    pub fn are_exact(&self) -> bool {
        matches!(self.width, LeafWidth::Exact)
    }

    /// The window for quiescence at a leaf with the given window: for values outside it, the belief is almost certainly
    /// below alpha or above beta, whatever the exact value is.
    pub fn quiet_window<G: Game, E: Evaluator<G>>(
        &self,
        evaluator: &E,
        state: &E::State,
        position: &G,
        alpha: Score,
        beta: Score,
    ) -> (Score, Score) {
        let margin = match &self.width {
            LeafWidth::Exact => return (alpha, beta),
            _ if self.scale != Scale::Logistic => return (Score::MIN, Score::MAX),
            LeafWidth::Normal { centipawns, .. } => MARGIN * centipawns,
            LeafWidth::Evaluator | LeafWidth::Searched => {
                let value = evaluator.value(state, position);
                let spread = evaluator.spread(state, position, value);
                MARGIN * SD_OF_LOGISTIC * Scale::CENTIPAWNS_A_LOGIT * spread
            }
        };
        // Mates and open ends stay, because no belief with width reaches them.
        let shifted = |bound: Score, by: i32| {
            if bound.raw().unsigned_abs() > Score::LIMIT as u16 {
                bound
            } else {
                Score::new(i32::from(bound.raw()) + by)
            }
        };
        let margin = margin.ceil() as i32;
        (shifted(alpha, -margin), shifted(beta, margin))
    }
}

/// pi / sqrt 3: the standard deviation of a logistic distribution of scale 1.
const SD_OF_LOGISTIC: f32 = 1.813_8;

fn rows(grid: &Grid, centipawns: f32, resolution: &Resolution) -> Vec<Row> {
    (-REACH..=REACH)
        .step_by(STEP as usize)
        .map(|value| {
            let belief = normal(grid, f64::from(value), f64::from(centipawns));
            let belief = resolution.of(&belief);
            (belief, belief.mean(grid))
        })
        .collect()
}

/// Normal in the logit, like [`belief::Density::normal_logit`], but faster where it is narrow.
fn normal(grid: &Grid, value: f64, centipawns: f64) -> Cdf {
    /// Beyond this many standard deviations a 16-bit CDF holds only 0 and 1.
    const FAR: f64 = 5.0;
    let (first, last) = grid.inner();
    let mut q = [1.0f32; LANES];
    for (bin, q) in q[..last].iter_mut().enumerate() {
        let z =
            (grid.own_edges()[bin + 1] * f64::from(Scale::CENTIPAWNS_A_LOGIT) - value) / centipawns;
        *q = if bin < first || z < -FAR {
            0.0
        } else if z > FAR {
            1.0
        } else {
            normal_cdf(z) as f32
        };
    }
    Cdf::from_f32(&q)
}

#[cfg(test)]
mod tests {
    use super::*;
    use belief::Density;

    #[test]
    fn the_prepared_rows_are_the_formulas() {
        let grid = Grid::sinh();
        for centipawns in [3.0f32, 20.0, 150.0, 1000.0] {
            for value in [-1440, -301, 0, 7, 420, 1440] {
                let fast = normal(&grid, f64::from(value), f64::from(centipawns));
                let mean = value as f32 / Scale::CENTIPAWNS_A_LOGIT;
                let sure =
                    Density::normal_logit(&grid, mean, centipawns / Scale::CENTIPAWNS_A_LOGIT)
                        .cdf();
                for (a, b) in fast.0.iter().zip(&sure.0) {
                    assert!(a.abs_diff(*b) <= 1, "{value} {centipawns}: {a} {b}");
                }
            }
        }
    }
}
