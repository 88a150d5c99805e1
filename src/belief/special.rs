//! Normal and logistic distribution functions, in `f64`.

use std::f64::consts::{PI, SQRT_2};

/// Returns the standard normal CDF. The absolute error is below 1e-15, and the relative error is below 1e-11 in the
/// lower tail down to -30.
pub fn normal_cdf(x: f64) -> f64 {
    if x.is_nan() {
        return f64::NAN;
    }
    if x > 0.0 {
        1.0 - upper_tail(x)
    } else {
        upper_tail(-x)
    }
}

/// The standard normal density.
pub fn normal_pdf(x: f64) -> f64 {
    (-0.5 * x * x).exp() / (2.0 * PI).sqrt()
}

/// Returns the standard normal quantile, the inverse of [`normal_cdf`]: infinite at 0 and 1.
pub fn normal_quantile(p: f64) -> f64 {
    if p <= 0.0 || p >= 1.0 {
        return if p <= 0.0 {
            f64::NEG_INFINITY
        } else {
            f64::INFINITY
        };
    }
    // By the symmetry only the lower half is searched, where the tail is known to full relative precision.
    let lower = p.min(1.0 - p);
    let (mut below, mut above) = (-38.0, 0.0);
    while above - below > 1e-13 {
        let middle = 0.5 * (below + above);
        if normal_cdf(middle) < lower {
            below = middle;
        } else {
            above = middle;
        }
    }
    above.copysign(p - 0.5)
}

/// Returns P(Z > x) for x >= 0: the series of erf near 0, the continued fraction of erfc beyond.
fn upper_tail(x: f64) -> f64 {
    let z = x / SQRT_2;
    if z > 27.0 {
        return 0.0;
    }
    if z < 2.5 {
        // erf z = 2/sqrt(pi) e^(-z^2) sum_n 2^n z^(2n+1) / (1 3 5 .. (2n+1)): all terms positive, no cancellation.
        let mut term = z;
        let mut sum = z;
        let mut n = 1.0;
        while term > 1e-17 * sum {
            term *= 2.0 * z * z / (2.0 * n + 1.0);
            sum += term;
            n += 1.0;
        }
        return 0.5 - (-z * z).exp() / PI.sqrt() * sum;
    }
    // erfc z = e^(-z^2)/sqrt(pi) / (z + (1/2)/(z + (2/2)/(z + (3/2)/(z + ..)))), from the inside out.
    let mut fraction = z;
    for k in (1..=120).rev() {
        fraction = z + 0.5 * f64::from(k) / fraction;
    }
    0.5 * (-z * z).exp() / PI.sqrt() / fraction
}

/// The standard logistic CDF, 1 / (1 + e^-x).
pub fn logistic_cdf(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The logit of an expected score: ln((1+e)/(1-e)), infinite at ±1.
pub fn logit(e: f64) -> f64 {
    2.0 * e.atanh()
}

/// The expected score of a logit: tanh(l/2).
pub fn expected(logit: f64) -> f64 {
    (0.5 * logit).tanh()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_quantiles_are_the_tabulated_ones() {
        for (p, z) in [
            (0.8, 0.841_621_233_6),
            (0.9, 1.281_551_565_5),
            (0.95, 1.644_853_626_9),
            (0.01, -2.326_347_874_0),
            (0.5, 0.0),
        ] {
            assert!((normal_quantile(p) - z).abs() < 1e-9, "{p}");
        }
        assert_eq!(normal_quantile(0.0), f64::NEG_INFINITY);
    }

    #[test]
    fn normal_cdf_has_the_tabulated_values() {
        for (x, p) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_542_9),
            (-1.959_963_984_540_054, 0.025),
            (3.0, 0.998_650_101_968_369_9),
            (-5.0, 2.866_515_718_791_939e-7),
            (-10.0, 7.619_853_024_160_527e-24),
        ] {
            let found = normal_cdf(x);
            assert!((found - p).abs() < 1e-11 * p, "{x}: {found} {p}");
        }
        assert_eq!(normal_cdf(f64::NEG_INFINITY), 0.0);
        assert_eq!(normal_cdf(f64::INFINITY), 1.0);
    }

    #[test]
    fn logit_and_expected_are_inverse() {
        for e in [-0.99, -0.5, 0.0, 0.3, 0.999] {
            assert!((expected(logit(e)) - e).abs() < 1e-12);
        }
    }
}
