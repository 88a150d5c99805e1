//! The belief about a leaf, for searches that keep a few numbers of it instead of a distribution.

use belief::special::{expected, logit, normal_quantile};
use belief::{Cdf, Density, Grid};
use eval::{Evaluator, Valued};
use game::{Game, Scale};

/// What is believed about a leaf, from the view of its side to move: in chess a logistic distribution of the logit, in a
/// toy tree a normal distribution of the expected score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeafBelief {
    scale: Scale,
    /// The median: a logit in chess, an expected score in a toy tree.
    location: f64,
    /// The scale of the logistic, or the standard deviation of the normal distribution; 0 where the value is exact.
    width: f64,
}

impl LeafBelief {
    /// The belief about a position to be searched further: by the fit to the truth of positions searched as deeply, where
    /// the evaluation has one, otherwise around the value with the evaluation's spread.
    pub fn of<G: Game, E: Evaluator<G>>(
        evaluator: &E,
        (state, position): (&E::State, &G),
        valued: &Valued,
        mean: f32,
    ) -> LeafBelief {
        let scale = position.scale();
        if valued.value.is_decided() {
            return LeafBelief::exact(scale, mean);
        }
        if let Some((location, width)) = evaluator.searched(state, position, valued) {
            return LeafBelief {
                scale,
                location: location.into(),
                width: width.into(),
            };
        }
        let width = evaluator.spread(state, position, valued.value).into();
        LeafBelief {
            scale,
            location: located(scale, mean),
            width,
        }
    }

    /// The belief about a value that is certain.
    pub fn exact(scale: Scale, mean: f32) -> LeafBelief {
        LeafBelief {
            scale,
            location: located(scale, mean),
            width: 0.0,
        }
    }

    /// The expected score below which the truth lies with this probability.
    pub fn quantile(&self, p: f64) -> f32 {
        let e = match self.scale {
            _ if self.width == 0.0 => return self.seen(self.location),
            Scale::Logistic => self.location + self.width * (p / (1.0 - p)).ln(),
            Scale::Linear(_) => self.location + self.width * normal_quantile(p),
        };
        self.seen(e)
    }

    /// The distribution on a grid.
    pub fn cdf(&self, grid: &Grid) -> Cdf {
        let (location, width) = (self.location as f32, self.width as f32);
        let density = match self.scale {
            _ if self.width == 0.0 => Density::atom(grid.bin_of(self.seen(self.location))),
            Scale::Logistic => Density::logistic(grid, location, width),
            Scale::Linear(_) => Density::normal(grid, location, width),
        };
        density.cdf()
    }

    /// The standard deviation of the expected score; `None` where the value is certain.
    pub fn sd(&self) -> Option<f32> {
        (self.width > 0.0).then(|| self.moments().1)
    }

    /// The mean and the standard deviation of the expected score.
    pub fn moments(&self) -> (f32, f32) {
        if self.width == 0.0 || matches!(self.scale, Scale::Linear(_)) {
            return (self.seen(self.location), self.width as f32);
        }
        // The means of equally likely slices, by the quantiles in their middle.
        const SLICES: u32 = 32;
        let slices = (0..SLICES).map(|i| {
            let p = (f64::from(i) + 0.5) / f64::from(SLICES);
            f64::from(self.quantile(p))
        });
        let (sum, squares) = slices.fold((0.0, 0.0), |(s, q), e| (s + e, q + e * e));
        let mean = sum / f64::from(SLICES);
        let variance = (squares / f64::from(SLICES) - mean * mean).max(0.0);
        (mean as f32, variance.sqrt() as f32)
    }

    /// The expected score at a place of the distribution's own variable.
    fn seen(&self, place: f64) -> f32 {
        match self.scale {
            Scale::Logistic => expected(place) as f32,
            Scale::Linear(_) => place as f32,
        }
    }
}

/// The place of an expected score in the distribution's own variable.
fn located(scale: Scale, mean: f32) -> f64 {
    match scale {
        Scale::Logistic => logit(f64::from(mean).clamp(-0.999_999, 0.999_999)),
        Scale::Linear(_) => mean.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_and_moments_of_both_kinds() {
        let linear = Scale::linear(1.0, 10.0);
        let normal = LeafBelief {
            scale: linear,
            location: 0.5,
            width: 0.1,
        };
        assert!((normal.quantile(0.9) - 0.628_155).abs() < 1e-5);
        assert!((normal.quantile(0.1) - 0.371_845).abs() < 1e-5);
        assert_eq!(normal.moments(), (0.5, 0.1));
        // A logistic around 0 with scale 1 in the logit: e = tanh(l / 2) = 2 p - 1 is uniform on [-1, 1].
        let chess = LeafBelief {
            scale: Scale::Logistic,
            location: 0.0,
            width: 1.0,
        };
        assert!((chess.quantile(0.9) - 0.8).abs() < 1e-6);
        let (mean, sd) = chess.moments();
        assert!(mean.abs() < 1e-6);
        assert!((sd - 3f32.sqrt().recip()).abs() < 1e-3, "{sd}");
        let exact = LeafBelief::exact(Scale::Logistic, 0.3);
        assert!((exact.quantile(0.9) - 0.3).abs() < 1e-6);
        assert_eq!(exact.moments().1, 0.0);
    }
}
