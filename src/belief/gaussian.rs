//! Normal distributions, and the largest of several.

use crate::special::{normal_cdf, normal_pdf, normal_quantile};

/// A mean and a variance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gaussian {
    pub mean: f64,
    pub variance: f64,
}

/// Slices of a numerical integral.
const SLICES: u32 = 64;

impl Gaussian {
    pub fn sd(self) -> f64 {
        self.variance.sqrt()
    }

    /// As the other side sees it.
    pub fn negated(self) -> Gaussian {
        Gaussian {
            mean: -self.mean,
            ..self
        }
    }

    /// The normal distribution with the moments of the larger of two that correlate like this (Clark 1961). Where the
    /// difference is certain, the larger one; the first of equals.
    pub fn max(self, other: Gaussian, correlation: f64) -> Gaussian {
        let common = correlation * (self.variance * other.variance).sqrt();
        let theta = (self.variance + other.variance - 2.0 * common)
            .max(0.0)
            .sqrt();
        if theta < 1e-12 {
            return if self.mean >= other.mean { self } else { other };
        }
        let alpha = (self.mean - other.mean) / theta;
        let (first, second, density) = (normal_cdf(alpha), normal_cdf(-alpha), normal_pdf(alpha));
        let mean = self.mean * first + other.mean * second + theta * density;
        // The second moment about the larger mean: of large means nothing but the differences matters.
        let (a, b) = (self.mean - mean, other.mean - mean);
        let square = (a * a + self.variance) * first
            + (b * b + other.variance) * second
            + (a + b) * theta * density;
        Gaussian {
            mean,
            variance: square.max(0.0),
        }
    }

    /// The largest of several, two at a time in their order.
    pub fn largest(all: &[Gaussian], correlation: f64) -> Option<Gaussian> {
        let pairs = all.iter().copied();
        pairs.reduce(|a, b| a.max(b, correlation))
    }

    /// The moments of the largest of several that are independent, by integrating the product of their distribution
    /// functions.
    pub fn largest_exactly(all: &[Gaussian]) -> Option<Gaussian> {
        let low = |g: &Gaussian| g.mean - 6.0 * g.sd();
        let high = |g: &Gaussian| g.mean + 6.0 * g.sd();
        // Below the best of the lower ends the product is 0.
        let from = all.iter().map(low).reduce(f64::max)?;
        let to = all.iter().map(high).reduce(f64::max)?;
        const STEPS: u32 = 256;
        let step = (to - from) / f64::from(STEPS);
        let below = |x: f64| -> f64 { all.iter().map(|g| g.below(x)).product() };
        // E X = to − ∫ F, and E (X − from)² = (to − from)² − 2 ∫ (x − from) F.
        let (mut area, mut moment) = (0.0, 0.0);
        for i in 0..STEPS {
            let t = (f64::from(i) + 0.5) * step;
            let q = below(from + t);
            area += q * step;
            moment += t * q * step;
        }
        let width = to - from;
        let mean = width - area;
        Some(Gaussian {
            mean: from + mean,
            variance: (width * width - 2.0 * moment - mean * mean).max(0.0),
        })
    }

    /// The probability of at most this value.
    fn below(self, x: f64) -> f64 {
        match self.variance > 0.0 {
            true => normal_cdf((x - self.mean) / self.sd()),
            false => f64::from(u8::from(x >= self.mean)),
        }
    }

    /// The probability that this one is at least as large as all the others, if they are independent.
    pub fn chance_to_be_largest(self, others: &[Gaussian]) -> f64 {
        let all_below = |x: f64| -> f64 { others.iter().map(|g| g.below(x)).product() };
        if self.variance == 0.0 {
            return all_below(self.mean);
        }
        let slice = |i: u32| {
            let p = (f64::from(i) + 0.5) / f64::from(SLICES);
            all_below(self.mean + self.sd() * normal_quantile(p))
        };
        (0..SLICES).map(slice).sum::<f64>() / f64::from(SLICES)
    }
}

/// What results tell about the share of the points: Beta(prior + won, prior + lost), in [0, 1].
pub fn beta(prior: f64, won: f64, lost: f64) -> Gaussian {
    let (a, b) = (prior + won, prior + lost);
    let all = a + b;
    Gaussian {
        mean: a / all,
        variance: a * b / (all * all * (all + 1.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STANDARD: Gaussian = Gaussian {
        mean: 0.0,
        variance: 1.0,
    };

    #[test]
    fn golden_moments_of_the_larger_of_two() {
        let found = STANDARD.max(STANDARD, 0.0);
        assert!((found.mean - 0.564_189_583_5).abs() < 1e-10);
        assert!((found.variance - 0.681_690_113_8).abs() < 1e-10);
        // Entirely correlated they are one and the same; opposed, it is the half-normal distribution.
        assert_eq!(STANDARD.max(STANDARD, 1.0), STANDARD);
        let opposed = STANDARD.max(STANDARD, -1.0);
        assert!((opposed.mean - (2.0 / std::f64::consts::PI).sqrt()).abs() < 1e-9);
        let sure = |mean| Gaussian {
            mean,
            variance: 0.0,
        };
        assert_eq!(sure(2.0).max(sure(3.0), 0.0), sure(3.0));
    }

    #[test]
    fn the_integral_has_the_same_moments() {
        for (a, b) in [
            ((0.0, 1.0), (0.0, 1.0)),
            ((0.3, 0.04), (0.1, 0.5)),
            ((0.3, 0.0), (0.1, 0.5)),
        ] {
            let [a, b] = [a, b].map(|(mean, variance)| Gaussian { mean, variance });
            let clark = a.max(b, 0.0);
            let exact = Gaussian::largest_exactly(&[a, b]).expect("two");
            assert!(
                (clark.mean - exact.mean).abs() < 2e-4,
                "{clark:?} {exact:?}"
            );
            assert!(
                (clark.variance - exact.variance).abs() < 5e-4,
                "{clark:?} {exact:?}"
            );
        }
    }

    #[test]
    fn chances_to_be_largest() {
        let half = STANDARD.chance_to_be_largest(&[STANDARD]);
        assert!((half - 0.5).abs() < 1e-9);
        let third = STANDARD.chance_to_be_largest(&[STANDARD, STANDARD]);
        assert!((third - 1.0 / 3.0).abs() < 1e-3);
        let sure = Gaussian {
            mean: 1.0,
            variance: 0.0,
        };
        assert!((sure.chance_to_be_largest(&[STANDARD]) - 0.841_344_746).abs() < 1e-6);
    }

    #[test]
    fn golden_beta() {
        let found = beta(1.0, 3.0, 1.0);
        assert!((found.mean - 2.0 / 3.0).abs() < 1e-12);
        assert!((found.sd() - 0.178_174).abs() < 1e-6);
    }
}
