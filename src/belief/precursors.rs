//! The two representations of a belief that the DISTRESS essay tried before distributions, for teaching: four numbers
//! (s, v, f, c) and three points. Scores are in any unit, in `f64`; children are in the parent's view.

use super::gaussian::Gaussian;
use super::special::normal_cdf;

/// The four numbers of a belief: the expected score, its variance, and the probabilities of being fortuitously better
/// and catastrophically worse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Svfc {
    pub s: f64,
    pub v: f64,
    pub f: f64,
    pub c: f64,
}

impl Svfc {
    /// Returns the numbers from the other side's view. There f and c change places: one side's catastrophe is the
    /// other's fortune.
    #[must_use]
    pub fn negated(self) -> Svfc {
        Svfc {
            s: -self.s,
            v: self.v,
            f: self.c,
            c: self.f,
        }
    }

    /// Returns the node's numbers and the probability that each child is played. `blend` weighs the best child against
    /// the picked one, for f and for c. `None` without children.
    ///
    /// A bad move's c enters the product of all c. This is the defect for which the DISTRESS essay abandoned this form.
    pub fn back_up(children: &[Svfc], blend: (f64, f64)) -> Option<(Svfc, Vec<f64>)> {
        let played = Self::best_probabilities(children);
        Some((Self::combine(children, &played, blend)?, played))
    }

    /// Returns the node's numbers if the probabilities with which the children are played are known.
    pub fn combine(children: &[Svfc], played: &[f64], blend: (f64, f64)) -> Option<Svfc> {
        if let [] | [_] = children {
            // A lone child's numbers are the node's, without any rounding.
            return children.first().copied();
        }
        let mean = |g: fn(&Svfc) -> f64| -> f64 {
            children.iter().zip(played).map(|(k, p)| p * g(k)).sum()
        };
        let s = mean(|k| k.s);
        let f_best = 1.0 - children.iter().map(|k| 1.0 - k.f).product::<f64>();
        let c_best = children.iter().map(|k| k.c).product::<f64>();
        Some(Svfc {
            s,
            v: (mean(|k| k.v + k.s * k.s) - s * s).max(0.0),
            f: blend.0 * f_best + (1.0 - blend.0) * mean(|k| k.f),
            c: blend.1 * c_best + (1.0 - blend.1) * mean(|k| k.c),
        })
    }

    /// Returns the probability of each child being the largest, treating them as independent and normal. The sum runs
    /// over 1,600 slices (its error is below 1e-5 unless one child is a hundred times narrower than another).
    pub fn best_probabilities(children: &[Svfc]) -> Vec<f64> {
        Self::largest(children, |k, sd, x| normal_cdf((x - k.s) / sd))
    }

    /// Like [`Svfc::best_probabilities`], but for the distributions of [`Svfc::cdf`], whose tails hold f and c.
    pub fn best_probabilities_with_tails(children: &[Svfc]) -> Vec<f64> {
        Self::largest(children, |k, sd, x| {
            let wide = Svfc { v: sd * sd, ..*k };
            wide.cdf(x)
        })
    }

    /// Returns the probability of each child being the largest for any distribution function `cdf`, which is called
    /// with a child, a standard deviation of at least a millionth, and x.
    fn largest(children: &[Svfc], cdf: impl Fn(&Svfc, f64, f64) -> f64) -> Vec<f64> {
        const SLICES: usize = 1600;
        if children.is_empty() {
            return Vec::new();
        }
        // A point could fall between two slices, so it is treated as very narrow.
        let least = 1e-6;
        let sd: Vec<f64> = children
            .iter()
            .map(|k| k.v.max(0.0).sqrt().max(least))
            .collect();
        let ends = children.iter().zip(&sd);
        let lo = ends
            .clone()
            .map(|(k, d)| k.s - 8.0 * d)
            .fold(f64::INFINITY, f64::min);
        let hi = ends
            .map(|(k, d)| k.s + 8.0 * d)
            .fold(f64::NEG_INFINITY, f64::max);
        let width = (hi - lo) / SLICES as f64;
        let q = |i: usize, x: f64| cdf(&children[i], sd[i], x);
        let all = 0..children.len();
        let mut before: Vec<f64> = all.clone().map(|i| q(i, lo)).collect();
        let mut worth = vec![0.0; children.len()];
        for slice in 0..SLICES {
            let after: Vec<f64> = all
                .clone()
                .map(|i| q(i, lo + (slice + 1) as f64 * width))
                .collect();
            // Within a slice the best children share the mass in proportion to their rates, as in the back-up of
            // distributions.
            let mass = after.iter().product::<f64>() - before.iter().product::<f64>();
            let rate = |(a, b): (&f64, &f64)| if a > b { (a - b) / (a + b) } else { 0.0 };
            let rates: Vec<f64> = after.iter().zip(&before).map(rate).collect();
            let total: f64 = rates.iter().sum();
            if total > 0.0 {
                for (w, r) in worth.iter_mut().zip(&rates) {
                    *w += mass * r / total;
                }
            }
            before = after;
        }
        let total: f64 = worth.iter().sum();
        worth.iter().map(|w| w / total).collect()
    }
}

/// The median and its distances to the 5 % and 95 % points: two half normals joined at the median.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThreePoint {
    pub middle: f64,
    pub left: f64,
    pub right: f64,
}

/// The 95 % point of the standard normal distribution.
const Q95: f64 = 1.644_853_626_951_472_2;

impl ThreePoint {
    /// Returns the three points from the other side's view.
    #[must_use]
    pub fn negated(self) -> ThreePoint {
        ThreePoint {
            middle: -self.middle,
            left: self.right,
            right: self.left,
        }
    }

    /// Returns the three points of a normal distribution.
    pub fn normal(of: Gaussian) -> ThreePoint {
        let reach = Q95 * of.sd();
        ThreePoint {
            middle: of.mean,
            left: reach,
            right: reach,
        }
    }

    /// Returns the mean and the variance.
    pub fn moments(self) -> Gaussian {
        let (left, right) = (self.left / Q95, self.right / Q95);
        // Half of the mass lies on each side; the mean of half a normal distribution is √(2/π) away.
        let shift = (right - left) / std::f64::consts::TAU.sqrt();
        Gaussian {
            mean: self.middle + shift,
            variance: 0.5 * (left * left + right * right) - shift * shift,
        }
    }

    /// P(X <= x).
    pub fn cdf(self, x: f64) -> f64 {
        let off = x - self.middle;
        let reach = if off < 0.0 { self.left } else { self.right };
        if reach > 0.0 {
            normal_cdf(off / reach * Q95)
        } else {
            f64::from(u8::from(off >= 0.0))
        }
    }

    /// Returns the independent maximum: the three points of the product of the CDFs. `None` without children.
    pub fn maximum(children: &[ThreePoint]) -> Option<ThreePoint> {
        if let [] | [_] = children {
            return children.first().copied();
        }
        let lowest = children
            .iter()
            .map(|k| k.middle - 5.0 * k.left)
            .fold(f64::INFINITY, f64::min);
        let highest = children
            .iter()
            .map(|k| k.middle + 5.0 * k.right)
            .fold(f64::NEG_INFINITY, f64::max);
        let quantile = |p: f64| {
            let (mut lo, mut hi) = (lowest, highest);
            for _ in 0..60 {
                let mid = 0.5 * (lo + hi);
                if children.iter().map(|k| k.cdf(mid)).product::<f64>() < p {
                    lo = mid;
                } else {
                    hi = mid;
                }
            }
            hi
        };
        let (left, middle, right) = (quantile(0.05), quantile(0.5), quantile(0.95));
        Some(ThreePoint {
            middle,
            left: middle - left,
            right: right - middle,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_numbers_of_the_golden_example() {
        let child = |s, v, f, c| Svfc { s, v, f, c };
        let children = [
            child(0.3, 0.04, 0.05, 0.1),
            child(0.1, 0.09, 0.2, 0.05),
            child(-0.2, 0.01, 0.01, 0.3),
        ];
        let at = |b| Svfc::back_up(&children, (b, b)).unwrap();
        let (node, played) = at(0.5);
        for (found, expected) in played.iter().zip([0.70785, 0.28862, 0.00352]) {
            assert!((found - expected).abs() < 1e-5, "{played:?}");
        }
        let close = |found: f64, expected: f64| {
            assert!((found - expected).abs() < 1e-6, "{found} {expected}")
        };
        close(node.c, 0.043_887);
        close(node.f, 0.170_376);
        close(at(0.0).0.c, 0.086_274);
        close(at(1.0).0.c, 0.0015);
        close(at(0.0).0.f, 0.093_153);
        close(at(1.0).0.f, 0.2476);
        assert_eq!(node.negated().negated(), node);
        assert_eq!((node.negated().f, node.negated().s), (node.c, -node.s));
        assert!(Svfc::back_up(&[], (0.5, 0.5)).is_none());
        let sure = [child(0.5, 0.0, 0.0, 0.0), child(-0.5, 0.0, 0.0, 0.0)];
        close(Svfc::best_probabilities(&sure)[0], 1.0);
    }

    #[test]
    fn three_points_have_moments() {
        let normal = Gaussian {
            mean: 0.3,
            variance: 0.25,
        };
        let found = ThreePoint::normal(normal).moments();
        assert!((found.mean - 0.3).abs() < 1e-12 && (found.variance - 0.25).abs() < 1e-12);
        // Two half normals by the midpoint rule, at the quantiles of each.
        let skewed = ThreePoint {
            middle: 0.5,
            left: Q95,
            right: 3.0 * Q95,
        };
        let n = 200_000;
        let at = |i: u32| {
            let z = crate::special::normal_quantile((f64::from(i) + 0.5) / f64::from(n));
            0.5 + if z < 0.0 { z } else { 3.0 * z }
        };
        let mean = (0..n).map(at).sum::<f64>() / f64::from(n);
        let square = (0..n).map(|i| (at(i) - mean).powi(2)).sum::<f64>() / f64::from(n);
        let found = skewed.moments();
        assert!((found.mean - mean).abs() < 1e-3, "{found:?} {mean}");
        assert!((found.variance - square).abs() < 1e-2, "{found:?} {square}");
    }

    #[test]
    fn three_points_of_a_maximum() {
        let standard = ThreePoint {
            middle: 0.0,
            left: Q95,
            right: Q95,
        };
        // The maximum of two standard normals satisfies Phi(x)^2 = p.
        let two = ThreePoint::maximum(&[standard; 2]).unwrap();
        for (x, p) in [
            (two.middle - two.left, 0.05f64),
            (two.middle, 0.5),
            (two.middle + two.right, 0.95),
        ] {
            assert!((normal_cdf(x) - p.sqrt()).abs() < 1e-9);
        }
        let skewed = ThreePoint {
            middle: 0.2,
            left: 0.1,
            right: 0.6,
        };
        assert_eq!(skewed.negated().negated(), skewed);
        assert!((skewed.cdf(0.8) - 0.95).abs() < 1e-9 && (skewed.cdf(0.1) - 0.05).abs() < 1e-9);
        assert_eq!(ThreePoint::maximum(&[skewed]), Some(skewed));
        assert_eq!(ThreePoint::maximum(&[]), None);
        let point = |middle| ThreePoint {
            middle,
            left: 0.0,
            right: 0.0,
        };
        let best = ThreePoint::maximum(&[point(1.0), point(3.0)]).unwrap();
        assert!((best.middle - 3.0).abs() < 1e-9 && best.left.abs() < 1e-9);
    }
}
