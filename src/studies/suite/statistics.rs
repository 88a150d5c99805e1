//! The certainty of figures over a suite's positions.

/// The number of standard deviations that contain 95 % of a normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// An interval, as (from, to).
pub type Interval = (f64, f64);

/// Returns the 95 % interval of a share, given `hits` of `tries`, by Wilson's score. `None` without tries.
pub fn wilson(hits: usize, tries: usize) -> Option<Interval> {
    wilson_share(hits.min(tries) as f64 / tries as f64, tries as f64)
}

/// Returns the same interval for a share of `n` tries, where half hits are possible. `None` without tries.
pub fn wilson_share(share: f64, n: f64) -> Option<Interval> {
    wilson_at(Z, share, n)
}

/// Returns the same interval as wide as so many standard deviations.
pub fn wilson_at(z: f64, share: f64, n: f64) -> Option<Interval> {
    if n <= 0.0 {
        return None;
    }
    let denominator = 1.0 + z * z / n;
    let middle = (share + z * z / (2.0 * n)) / denominator;
    let half = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt() / denominator;
    Some(((middle - half).max(0.0), (middle + half).min(1.0)))
}

/// McNemar's exact test: returns the probability of a split at least as uneven as `a` against `b` if both sides are
/// equally likely (two-sided, binomial).
pub fn mcnemar(a: usize, b: usize) -> f64 {
    let n = a + b;
    // Uses logarithms, because two to the power of -n underflows when n is several thousand.
    let mut term = -(n as f64) * std::f64::consts::LN_2;
    let mut tail = 0.0;
    for k in 0..=a.min(b) {
        tail += term.exp();
        term += ((n - k) as f64 / (k + 1) as f64).ln();
    }
    (2.0 * tail).min(1.0)
}

/// Returns the middle figure, or the mean of the two in the middle. `None` if there are none.
pub fn median(figures: &[f64]) -> Option<f64> {
    let mut sorted = figures.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (low, high) = (sorted.len().checked_sub(1)? / 2, sorted.len() / 2);
    Some((sorted[low] + sorted[high]) / 2.0)
}

/// Returns the mean with its 95 % interval by the normal distribution; the interval is `None` for fewer than two
/// figures.
pub fn mean(figures: &[f64]) -> Option<(f64, Option<Interval>)> {
    let n = figures.len() as f64;
    if figures.is_empty() {
        return None;
    }
    let mean = figures.iter().sum::<f64>() / n;
    if figures.len() < 2 {
        return Some((mean, None));
    }
    let squares: f64 = figures.iter().map(|x| (x - mean).powi(2)).sum();
    let half = Z * (squares / (n - 1.0) / n).sqrt();
    Some((mean, Some((mean - half, mean + half))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn near(found: f64, golden: f64) {
        assert!((found - golden).abs() < 6e-4, "{found} for {golden}");
    }

    #[test]
    fn wilsons_intervals_are_the_published_ones() {
        for (hits, tries, low, high) in [
            (8, 10, 0.4902, 0.9433),
            (0, 10, 0.0, 0.2775),
            (10, 10, 0.7225, 1.0),
            (150, 300, 0.4437, 0.5563),
        ] {
            let (found_low, found_high) = wilson(hits, tries).expect("tried");
            near(found_low, low);
            near(found_high, high);
        }
        assert_eq!(wilson(0, 0), None);
    }

    #[test]
    fn the_exact_test_is_the_binomials() {
        near(mcnemar(0, 0), 1.0);
        near(mcnemar(0, 5), 0.0625);
        near(mcnemar(1, 9), 22.0 / 1024.0);
        near(mcnemar(5, 5), 1.0);
        // The tabulated value for 12 against 3.
        near(mcnemar(12, 3), 0.035_16);
        let many = mcnemar(2_000, 2_200);
        assert!((0.001..0.003).contains(&many), "{many}");
    }

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0]), Some(3.0));
        assert_eq!(median(&[9.0, 1.0, 3.0]), Some(3.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 9.0]), Some(3.0));
    }

    #[test]
    fn means_know_how_sure_they_are() {
        assert_eq!(mean(&[]), None);
        assert_eq!(mean(&[4.0]), Some((4.0, None)));
        let (found, interval) = mean(&[1.0, 2.0, 3.0, 4.0]).expect("figures");
        let (low, high) = interval.expect("several");
        near(found, 2.5);
        near(low, 2.5 - 1.96 * 1.290_99 / 2.0);
        near(high, 2.5 + 1.96 * 1.290_99 / 2.0);
    }

    proptest! {
        #[test]
        fn intervals_hold_the_share(tries in 1usize..2000, part in 0.0f64..=1.0) {
            let hits = (tries as f64 * part) as usize;
            let (low, high) = wilson(hits, tries).expect("tried");
            let share = hits as f64 / tries as f64;
            prop_assert!(low <= share + 1e-12 && share <= high + 1e-12);
        }

        #[test]
        fn the_exact_test_is_symmetric_and_a_probability(a in 0usize..500, b in 0usize..500) {
            let p = mcnemar(a, b);
            prop_assert!(p > 0.0 && p <= 1.0);
            prop_assert!((p - mcnemar(b, a)).abs() < 1e-12);
        }
    }
}
