//! Descriptive statistics of a set of changes, and fits through them.

use fastrand::Rng;
use serde::{Deserialize, Serialize};
use statrs::function::erf::erfc_inv;
use statrs::function::gamma::gamma_ur;

/// Returns the quantile at the share `p` of sorted figures, linear between neighbours. `None` if there are none.
pub fn quantile(sorted: &[f64], p: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let at = p.clamp(0.0, 1.0) * last as f64;
    let low = at.floor() as usize;
    let high = (low + 1).min(last);
    Some(sorted[low] + (at - low as f64) * (sorted[high] - sorted[low]))
}

/// Returns the mean and the standard deviation (over n - 1). The latter is `None` for fewer than two figures.
pub fn moments(figures: &[f64]) -> Option<(f64, Option<f64>)> {
    let n = figures.len() as f64;
    if figures.is_empty() {
        return None;
    }
    let mean = figures.iter().sum::<f64>() / n;
    let squares: f64 = figures.iter().map(|x| (x - mean).powi(2)).sum();
    let sd = (figures.len() > 1).then(|| (squares / (n - 1.0)).sqrt());
    Some((mean, sd))
}

/// Returns the standard deviation of the normal distribution whose middle half is as wide as that of these sorted
/// figures: 1.4826 times the median distance from the median.
pub fn robust_sd(sorted: &[f64]) -> Option<f64> {
    let middle = quantile(sorted, 0.5)?;
    let mut distances: Vec<f64> = sorted.iter().map(|x| (x - middle).abs()).collect();
    distances.sort_by(f64::total_cmp);
    Some(1.482_602_218_505_602 * quantile(&distances, 0.5)?)
}

/// Returns how many standard deviations from the mean a normal variable is with this probability at least.
pub fn two_sided(probability: f64) -> f64 {
    std::f64::consts::SQRT_2 * erfc_inv(probability)
}

/// A figure with its standard error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimated {
    pub value: f64,
    /// The error; `None` if there are too few points.
    pub error: Option<f64>,
}

/// Fits y = a x through 0 by least squares. Returns a, and the root mean square distance from the fit; `None` if
/// nothing determines it.
pub fn through_zero(points: &[(f64, f64)]) -> Option<(Estimated, f64)> {
    let xx: f64 = points.iter().map(|(x, _)| x * x).sum();
    if xx <= 0.0 {
        return None;
    }
    let a = points.iter().map(|(x, y)| x * y).sum::<f64>() / xx;
    let residual: f64 = points.iter().map(|(x, y)| (y - a * x).powi(2)).sum();
    let n = points.len() as f64;
    let error = (points.len() > 1).then(|| (residual / (n - 1.0) / xx).sqrt());
    Some((Estimated { value: a, error }, (residual / n).sqrt()))
}

/// Returns the exponent b of y = a x^b by least squares in the logarithms. Points without logarithms are left out.
pub fn exponent(points: &[(f64, f64)]) -> Option<Estimated> {
    let logs: Vec<(f64, f64)> = points
        .iter()
        .filter(|(x, y)| *x > 0.0 && *y > 0.0)
        .map(|(x, y)| (x.ln(), y.ln()))
        .collect();
    let n = logs.len() as f64;
    let mean_x = logs.iter().map(|p| p.0).sum::<f64>() / n;
    let mean_y = logs.iter().map(|p| p.1).sum::<f64>() / n;
    let xx: f64 = logs.iter().map(|p| (p.0 - mean_x).powi(2)).sum();
    if logs.len() < 2 || xx <= 0.0 {
        return None;
    }
    let xy: f64 = logs.iter().map(|p| (p.0 - mean_x) * (p.1 - mean_y)).sum();
    let value = xy / xx;
    let residual: f64 = logs
        .iter()
        .map(|p| (p.1 - mean_y - value * (p.0 - mean_x)).powi(2))
        .sum();
    let error = (logs.len() > 2).then(|| (residual / (n - 2.0) / xx).sqrt());
    Some(Estimated { value, error })
}

/// Returns the b of y = a e^(b x) by least squares in the logarithms of y. `None` unless there are two different x.
pub fn exponential_rate(points: &[(f64, f64)]) -> Option<f64> {
    let raised: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.exp(), *y)).collect();
    exponent(&raised).map(|b| b.value)
}

/// Returns the quantile regression through 0: the a for which y = a x minimises the sum of the distances, each weighted
/// by p if y lies above and by 1 - p otherwise. A share of 1 - p, weighted by x, then lies above. This is the
/// p-quantile of y/x weighted by x. Points with x <= 0 are ignored.
pub fn quantile_through_zero(points: impl Iterator<Item = (f64, f64)>, p: f64) -> Option<f64> {
    let mut slopes: Vec<(f64, f64)> = points
        .filter(|(x, _)| *x > 0.0)
        .map(|(x, y)| (y / x, x))
        .collect();
    slopes.sort_by(|a, b| a.0.total_cmp(&b.0));
    let wanted = p * slopes.iter().map(|s| s.1).sum::<f64>();
    let mut sum = 0.0;
    let found = slopes.iter().find(|(_, weight)| {
        sum += weight;
        sum >= wanted
    });
    found.or(slopes.last()).map(|s| s.0)
}

/// The failures at one depth: `failed` of `tried`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tries {
    pub depth: f64,
    pub tried: f64,
    pub failed: f64,
}

/// Returns the slope b of the logistic regression ln odds = a + b depth by maximum likelihood. `None` if there is no
/// maximum: too few depths, no failures or nothing but failures, or failures only at one end.
pub fn log_odds_slope(tries: &[Tries]) -> Option<Estimated> {
    let tries: Vec<Tries> = tries.iter().filter(|t| t.tried > 0.0).copied().collect();
    let tried: f64 = tries.iter().map(|t| t.tried).sum();
    let failed: f64 = tries.iter().map(|t| t.failed).sum();
    if tries.len() < 2 || failed <= 0.0 || failed >= tried {
        return None;
    }
    let middle = tries.iter().map(|t| t.depth * t.tried).sum::<f64>() / tried;
    let mut a = (failed / (tried - failed)).ln();
    let mut b = 0.0;
    for _ in 0..100 {
        // A Newton step on the log likelihood, with depths counted from their middle.
        let (mut ga, mut gb, mut haa, mut hab, mut hbb) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for t in &tries {
            let x = t.depth - middle;
            let p = 1.0 / (1.0 + (-(a + b * x)).exp());
            let (g, w) = (t.failed - t.tried * p, t.tried * p * (1.0 - p));
            ga += g;
            gb += g * x;
            haa += w;
            hab += w * x;
            hbb += w * x * x;
        }
        let determinant = haa * hbb - hab * hab;
        if determinant.is_nan() || determinant <= 1e-12 * haa * hbb {
            return None;
        }
        let da = (hbb * ga - hab * gb) / determinant;
        let db = (haa * gb - hab * ga) / determinant;
        // The step is limited, because the steps overshoot from a distant start.
        let brake = (1.0 / da.abs().max(db.abs())).min(1.0);
        a += brake * da;
        b += brake * db;
        if b.abs() > 20.0 {
            return None;
        }
        if da.abs().max(db.abs()) < 1e-9 {
            let error = Some((haa / determinant).sqrt());
            return Some(Estimated { value: b, error });
        }
    }
    None
}

/// Returns the probability that shares differ at least this much between the depths if they are really all the same
/// (Pearson's chi-square test for homogeneity). `None` if nothing can differ.
pub fn homogeneity(tries: &[Tries]) -> Option<f64> {
    let tries: Vec<&Tries> = tries.iter().filter(|t| t.tried > 0.0).collect();
    let tried: f64 = tries.iter().map(|t| t.tried).sum();
    let failed: f64 = tries.iter().map(|t| t.failed).sum();
    if tries.len() < 2 || failed <= 0.0 || failed >= tried {
        return None;
    }
    let share = failed / tried;
    let distance =
        |t: &&Tries| (t.failed - t.tried * share).powi(2) / (t.tried * share * (1.0 - share));
    let chi_square: f64 = tries.iter().map(distance).sum();
    let freedom = (tries.len() - 1) as f64;
    // The function is not defined at 0, where all shares are the same.
    if chi_square <= 0.0 {
        return Some(1.0);
    }
    Some(gamma_ur(freedom / 2.0, chi_square / 2.0))
}

/// Samples of clusters (positions, seeds) drawn with replacement, for bootstrap intervals. All figures that use the same
/// resamples can be compared with each other.
#[derive(Clone, Debug)]
pub struct Resamples {
    /// By resample, how often each cluster was drawn.
    counts: Vec<Vec<f64>>,
}

impl Resamples {
    /// Draws `times` samples of `clusters` clusters each, reproducibly for a given seed.
    pub fn new(clusters: usize, times: usize, seed: u64) -> Resamples {
        let mut rng = Rng::with_seed(seed);
        let mut sample = || {
            let mut counts = vec![0.0; clusters];
            for _ in 0..clusters {
                counts[rng.usize(..clusters)] += 1.0;
            }
            counts
        };
        Resamples {
            counts: (0..times).map(|_| sample()).collect(),
        }
    }

    /// Returns the central 95 % interval of a figure over the resamples (Efron's percentile interval). `figure` is
    /// given the weight of each cluster. `None` if a twentieth of the resamples has no such figure.
    pub fn interval(&self, figure: impl Fn(&[f64]) -> Option<f64>) -> Option<(f64, f64)> {
        let known = self.counts.iter().filter_map(|counts| figure(counts));
        let mut known: Vec<f64> = known.filter(|x| x.is_finite()).collect();
        if known.len() * 20 < self.counts.len() * 19 {
            return None;
        }
        known.sort_by(f64::total_cmp);
        Some((quantile(&known, 0.025)?, quantile(&known, 0.975)?))
    }

    /// Returns the ratio of two sums over the clusters, each of which has a part of both; `None` if the second is 0. With 1 as
    /// the second part of each it is a mean.
    pub(super) fn ratio(&self, parts: &[(f64, f64)]) -> Option<Figure> {
        self.figure(|weights| {
            let (mut above, mut below) = (0.0, 0.0);
            for (i, part) in parts.iter().enumerate() {
                let weight = weights.map_or(1.0, |w| w[i]);
                above += weight * part.0;
                below += weight * part.1;
            }
            (below != 0.0).then(|| above / below)
        })
    }

    /// Returns a figure with its interval, if there is one. `read` is given the weight of each cluster; without weights all
    /// count once.
    pub(super) fn figure(&self, read: impl Fn(Option<&[f64]>) -> Option<f64>) -> Option<Figure> {
        Some(Figure {
            value: read(None)?,
            interval: self.interval(|weights| read(Some(weights))),
        })
    }
}

/// A figure with its 95 % interval by the bootstrap, which is missing if there are too few clusters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Infinite for a median if more than half of the cases never came so far.
    pub value: f64,
    pub interval: Option<(f64, f64)>,
}

impl Figure {
    /// Returns a rising function of it.
    pub(super) fn map(self, rising: impl Fn(f64) -> f64) -> Figure {
        Figure {
            value: rising(self.value),
            interval: self.interval.map(|(from, to)| (rising(from), rising(to))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn near(found: f64, golden: f64) {
        assert!(
            (found - golden).abs() < 1e-4 * (1.0 + golden.abs()),
            "{found} for {golden}"
        );
    }

    #[test]
    fn quantiles_lie_between_neighbours() {
        let sorted = [1.0, 2.0, 3.0, 5.0];
        let found: Vec<f64> = [0.0, 0.25, 0.5, 0.9, 1.0]
            .iter()
            .filter_map(|p| quantile(&sorted, *p))
            .collect();
        for (found, golden) in found.iter().zip([1.0, 1.75, 2.5, 4.4, 5.0]) {
            near(*found, golden);
        }
        assert_eq!(quantile(&[], 0.5), None);
    }

    #[test]
    fn spreads_are_the_textbooks() {
        let (mean, sd) = moments(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).expect("figures");
        near(mean, 5.0);
        near(sd.expect("several"), (32.0_f64 / 7.0).sqrt());
        // 1 1 2 2 4 6 9: the median is 2, and the distances are 0 0 1 1 2 4 7.
        near(
            robust_sd(&[1.0, 1.0, 2.0, 2.0, 4.0, 6.0, 9.0]).expect("figures"),
            1.4826,
        );
        assert_eq!(moments(&[1.0]), Some((1.0, None)));
    }

    #[test]
    fn lines_and_powers_are_found_with_their_errors() {
        let (slope, rms) = through_zero(&[(1.0, 2.1), (2.0, 3.9), (3.0, 6.0)]).expect("a fit");
        // By hand: 27.9 / 14; the residuals are .107143, -.085714, .021429.
        near(slope.value, 27.9 / 14.0);
        near(
            slope.error.expect("three"),
            (0.019_285_7_f64 / 2.0 / 14.0).sqrt(),
        );
        near(rms, (0.019_285_7_f64 / 3.0).sqrt());
        let curve: Vec<(f64, f64)> = (1..=8)
            .map(f64::from)
            .map(|d| (d, 3.0 * d.powf(0.7)))
            .collect();
        let found = exponent(&curve).expect("a fit");
        near(found.value, 0.7);
        let growing = [(1.0, 2.0), (2.0, 4.0), (3.0, 8.0)];
        near(exponential_rate(&growing).expect("a fit"), 2f64.ln());
        assert!(found.error.expect("eight") < 1e-9);
        assert_eq!(exponent(&curve[..1]), None);
    }

    #[test]
    fn odds_that_double_are_found() {
        // The odds 1/9, 2/9, 4/9, 8/9 are on the logistic curve itself.
        let tries: Vec<Tries> = (0..4)
            .map(|i| {
                let odds = 2.0_f64.powi(i) / 9.0;
                Tries {
                    depth: f64::from(i) + 1.0,
                    tried: 1000.0,
                    failed: 1000.0 * odds / (1.0 + odds),
                }
            })
            .collect();
        let slope = log_odds_slope(&tries).expect("a maximum");
        near(slope.value, std::f64::consts::LN_2);
        assert!((0.03..0.06).contains(&slope.error.expect("an error")));
        assert!(homogeneity(&tries).expect("shares") < 1e-9);
    }

    #[test]
    fn two_by_two_is_the_textbooks() {
        // 30 of 100 against 20 of 100: chi-square 2.6667, p .10247; ln odds ratio .53900.
        let tries = [(1.0, 20.0), (2.0, 30.0)].map(|(depth, failed)| Tries {
            depth,
            tried: 100.0,
            failed,
        });
        near(homogeneity(&tries).expect("shares"), 0.102_47);
        let slope = log_odds_slope(&tries).expect("a maximum");
        near(slope.value, (30.0 / 70.0 * 80.0 / 20.0_f64).ln());
        let error = (1.0 / 20.0 + 1.0 / 80.0 + 1.0 / 30.0 + 1.0 / 70.0_f64).sqrt();
        near(slope.error.expect("an error"), error);
    }

    #[test]
    fn equal_shares_differ_by_nothing() {
        let tries = [1.0, 2.0, 3.0].map(|depth| Tries {
            depth,
            tried: 100.0,
            failed: 1.0,
        });
        near(homogeneity(&tries).expect("shares"), 1.0);
        near(two_sided(0.05), 1.959_964);
        assert!(two_sided(0.05 / 25.0) > 3.0);
    }

    #[test]
    fn what_has_no_maximum_has_no_slope() {
        let at = |failed: [f64; 3]| {
            let depths = [1.0, 2.0, 3.0].into_iter().zip(failed);
            let tries: Vec<Tries> = depths
                .map(|(depth, failed)| Tries {
                    depth,
                    tried: 50.0,
                    failed,
                })
                .collect();
            log_odds_slope(&tries)
        };
        assert_eq!(at([0.0, 0.0, 0.0]), None);
        assert_eq!(at([50.0, 50.0, 50.0]), None);
        assert_eq!(at([0.0, 0.0, 50.0]), None);
        near(at([5.0, 5.0, 5.0]).expect("even").value, 0.0);
    }

    /// The interval of a mean is that of the normal distribution: ± 1.96 times the sd over the root of n, here over 400
    /// clusters, up to a tenth for the chance of the resamples.
    #[test]
    fn the_bootstrap_of_a_mean_is_the_textbooks() {
        let figures: Vec<f64> = (0..400)
            .map(|i| f64::from(i * 7919 % 400) / 400.0)
            .collect();
        let resamples = Resamples::new(figures.len(), 2_000, 3);
        let mean = |counts: &[f64]| {
            let sum: f64 = counts.iter().zip(&figures).map(|(c, x)| c * x).sum();
            Some(sum / counts.iter().sum::<f64>())
        };
        let (low, high) = resamples.interval(mean).expect("figures");
        let (middle, sd) = moments(&figures).expect("figures");
        let half = 1.96 * sd.expect("several") / 20.0;
        assert!((low - (middle - half)).abs() < 0.1 * half, "{low}");
        assert!((high - (middle + half)).abs() < 0.1 * half, "{high}");
        let again = Resamples::new(figures.len(), 2_000, 3);
        assert_eq!(again.interval(mean), Some((low, high)));
        assert_eq!(resamples.interval(|_| None), None);
    }

    proptest! {
        #[test]
        fn quantile_regression_leaves_its_share_above(
            points in prop::collection::vec((1u8..9, -500i32..500), 5..200),
            p in 0.5f64..0.99,
        ) {
            let points: Vec<(f64, f64)> =
                points.iter().map(|(x, y)| (f64::from(*x), f64::from(*y))).collect();
            let a = quantile_through_zero(points.iter().copied(), p).expect("points");
            let loss = |a: f64| -> f64 {
                let part = |(x, y): &(f64, f64)| {
                    let d = y - a * x;
                    if d > 0.0 { p * d } else { (p - 1.0) * d }
                };
                points.iter().map(part).sum()
            };
            let best = loss(a);
            for (x, y) in &points {
                prop_assert!(best <= loss(y / x) + 1e-6 * (1.0 + best));
            }
            let above: f64 = points.iter().filter(|(x, y)| y / x > a).map(|p| p.0).sum();
            let all: f64 = points.iter().map(|p| p.0).sum();
            prop_assert!(above <= (1.0 - p) * all + 1e-9);
        }

        #[test]
        fn quantiles_are_ordered(mut figures in prop::collection::vec(-1e3f64..1e3, 1..50), p in 0.0f64..1.0) {
            figures.sort_by(f64::total_cmp);
            let low = quantile(&figures, p * 0.9).expect("figures");
            let high = quantile(&figures, p).expect("figures");
            prop_assert!(low <= high + 1e-9);
        }
    }
}
