//! The control of a calibration: a value combined with nothing but how far such values are usually off.
//!
//! A belief is worth its bins only if it says more than a number with an error bar. The control therefore gives each
//! column's value the errors of other positions where its value was about as large: a distribution made without the
//! column's own.

use std::ops::Range;

use super::figures::Judged;
use belief::Grid;
use belief::score::Forecast;

/// The number of parts into which the positions are divided: each is judged by the errors of the others. The parts
/// follow the order of the file, because successive lines often come from one game and are alike.
const PARTS: usize = 10;
/// The number of classes by the value's size, equally full.
const SIXTHS: usize = 6;
/// Fewer errors than this in a class are not enough for a distribution.
const LEAST: usize = 10;

/// Judges values combined with the errors of other positions. There is one entry per pair of (value, truth), both
/// expected scores from the same view. Returns `None` if there are too few positions.
///
/// Each position's distribution consists of its value and the errors (truth minus value) of the positions in other
/// tenths of the file whose values are in the same sixth by size. Values below 0 are seen from the other side, so that
/// an error towards 0 counts as one whatever the sign of the value. Results beyond a win or a loss count as a win or a
/// loss.
pub fn judge(pairs: &[(f64, f64)]) -> Option<Vec<Judged>> {
    if pairs.len() < PARTS * SIXTHS {
        return None;
    }
    let grid = Grid::sinh();
    let mut judged = Vec::with_capacity(pairs.len());
    for part in 0..PARTS {
        let own = pairs.len() * part / PARTS..pairs.len() * (part + 1) / PARTS;
        let errors = Errors::of(pairs, &own)?;
        for &(value, truth) in &pairs[own] {
            let outcomes = errors.about(value);
            let mean = outcomes.iter().sum::<f64>() / outcomes.len() as f64;
            let forecast = Forecast::empirical(outcomes, &grid);
            judged.push(Judged {
                pit: forecast.pit(truth),
                crps: forecast.crps(truth),
                error: mean - truth,
            });
        }
    }
    Some(judged)
}

/// The errors of all positions except one part.
struct Errors {
    /// The sizes at which a class ends, ascending; the last class has no end.
    ends: [f64; SIXTHS - 1],
    /// Truth minus value, from the view of the side that the value favours.
    classes: [Vec<f64>; SIXTHS],
}

impl Errors {
    fn of(pairs: &[(f64, f64)], but: &Range<usize>) -> Option<Errors> {
        let others = || pairs[..but.start].iter().chain(&pairs[but.end..]);
        let mut sizes: Vec<f64> = others().map(|(value, _)| value.abs()).collect();
        sizes.sort_by(f64::total_cmp);
        let mut errors = Errors {
            ends: std::array::from_fn(|i| sizes[(i + 1) * sizes.len() / SIXTHS]),
            classes: Default::default(),
        };
        for &(value, truth) in others() {
            let class = errors.class(value);
            errors.classes[class].push((truth - value) * side(value));
        }
        // Equal values may leave a class empty; nothing is then known about other values that fall into it.
        let enough = errors
            .classes
            .iter()
            .all(|c| c.is_empty() || c.len() >= LEAST);
        enough.then_some(errors)
    }

    fn class(&self, value: f64) -> usize {
        self.ends.partition_point(|end| *end <= value.abs())
    }

    /// Returns the value combined with each error of its class.
    fn about(&self, value: f64) -> Vec<f64> {
        let class = self.class(value);
        // Uses the nearest class that has any errors.
        let filled = (0..SIXTHS).filter(|&c| !self.classes[c].is_empty());
        let nearest = filled.min_by_key(|c| c.abs_diff(class)).unwrap_or(class);
        self.classes[nearest]
            .iter()
            .map(|error| (value + error * side(value)).clamp(-1.0, 1.0))
            .collect()
    }
}

/// Returns the side that a value favours: 1, or -1 below 0.
fn side(value: f64) -> f64 {
    if value < 0.0 { -1.0 } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;

    /// Draws values and truths; the size of the error grows with that of the value.
    fn drawn(n: usize, seed: u64) -> Vec<(f64, f64)> {
        let mut rng = Rng::with_seed(seed);
        let mut one = || {
            let value = 1.6 * rng.f64() - 0.8;
            let error = (0.05 + 0.2 * value.abs()) * (2.0 * rng.f64() - 1.0);
            (value, value + error)
        };
        (0..n).map(|_| one()).collect()
    }

    /// For an error uniform between -w and +w the score is w/3 on average, and the intervals cover what they claim.
    #[test]
    fn it_knows_the_width_of_the_errors() {
        let pairs = drawn(6_000, 3);
        let judged = judge(&pairs).expect("enough");
        assert_eq!(judged.len(), pairs.len());
        let n = judged.len() as f64;
        let crps = judged.iter().map(|j| j.crps).sum::<f64>() / n;
        let width = |(value, _): &(f64, f64)| (0.05 + 0.2 * value.abs()) / 3.0;
        let known = pairs.iter().map(width).sum::<f64>() / n;
        assert!(crps > known && crps < 1.03 * known, "{crps} {known}");
        for level in [0.5, 0.8, 0.9] {
            let share = judged.iter().map(|j| j.pit.covered(level)).sum::<f64>() / n;
            assert!((share - level).abs() < 0.02, "{share} of {level}");
        }
    }

    /// A position's own truth, and the truths of its tenth of the file, do not affect its distribution.
    #[test]
    fn no_position_judges_itself() {
        let pairs = drawn(600, 4);
        let before = judge(&pairs).expect("enough");
        let mut changed = pairs.clone();
        for pair in &mut changed[120..180] {
            pair.1 = -pair.1;
        }
        let after = judge(&changed).expect("enough");
        for i in 0..pairs.len() {
            let centre = |j: &Judged, pair: (f64, f64)| j.error + pair.1;
            let (was, is) = (centre(&before[i], pairs[i]), centre(&after[i], changed[i]));
            if (120..180).contains(&i) {
                assert!((was - is).abs() < 1e-12);
            }
        }
        assert!(before[0] != after[0] || before[1] != after[1]);
        assert!(judge(&pairs[..59]).is_none());
    }

    /// Everything is the same when seen from the other side.
    #[test]
    fn both_sides_are_judged_alike() {
        let pairs = drawn(300, 5);
        let turned: Vec<(f64, f64)> = pairs.iter().map(|(v, t)| (-v, -t)).collect();
        let (one, other) = (
            judge(&pairs).expect("enough"),
            judge(&turned).expect("enough"),
        );
        for (a, b) in one.iter().zip(&other) {
            assert!((a.crps - b.crps).abs() < 1e-9 && (a.error + b.error).abs() < 1e-9);
        }
    }

    /// If all values are the same, one class has all errors.
    #[test]
    fn equal_values_are_one_class() {
        let pairs: Vec<(f64, f64)> = (0..100).map(|i| (0.2, f64::from(i) / 100.0)).collect();
        let judged = judge(&pairs).expect("enough");
        assert!(judged.iter().all(|j| j.crps > 0.0 && j.crps < 0.6));
    }
}
