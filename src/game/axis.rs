//! The axis of a toy tree's values: its ends, the integer scores on it, and the points at which beliefs are kept.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::Score;

/// How a tree's values lie: e = value / range, and an integer score for each value, in the same order.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    range: f32,
    /// The decimals of the finest value.
    decimals: u8,
    steps: Steps,
    /// In expected score, ascending and above 0.
    points: [f32; Axis::POINTS],
    /// The name of the unit, and of the side from whose view values are shown.
    names: (&'static str, &'static str),
}

/// How a value becomes an integer score.
#[derive(Clone, Debug, PartialEq)]
enum Steps {
    /// So many steps to the unit.
    Even(f32),
    /// Where the values are too large and too fine for even steps: the sizes that occur, ascending, each so many steps
    /// above the one before; between them in proportion.
    Ranked { sizes: Vec<f32>, each: u16 },
    /// Where nobody knows how large values become: so many steps to the unit for the ordinary ones, and beyond them steps
    /// that grow with the value, so that there is one for each up to the range.
    Bent(f32),
}

/// The values that have even steps on a bent axis, in steps.
const EVEN: f32 = 20_000.0;

/// How many steps a factor of e takes beyond them, on an axis whose end is at so many even steps.
fn steps_per_e(end: f32) -> f32 {
    (f32::from(Score::LIMIT) - EVEN) / (end / EVEN).ln().max(1.0)
}

/// A number rounded to the four digits that a bent step tells apart.
fn four_digits(value: f32) -> f32 {
    let value = f64::from(value);
    let unit = 10_f64.powf(value.abs().log10().floor() - 3.0);
    ((value / unit).round() * unit) as f32
}

impl Axis {
    /// The points above 0 at which a belief keeps its mass; it has as many below, and 0.
    pub const POINTS: usize = if cfg!(feature = "fine") { 127 } else { 31 };

    /// Returns an axis with even steps and even points.
    pub fn even(per_unit: f32, range: f32) -> Axis {
        let bins = 2.0 * Axis::POINTS as f32 + 1.0;
        Axis {
            range,
            decimals: per_unit.log10().round() as u8,
            steps: Steps::Even(per_unit),
            points: std::array::from_fn(|i| 2.0 * (i + 1) as f32 / bins),
            names: Self::OF_FILES,
        }
    }

    /// Returns an axis for values of which only the step is known, whatever their size: `range` is the largest that may come.
    /// Those of up to 20,000 steps are told apart by each step, larger ones to a thousandth.
    pub fn boundless(per_unit: f32, range: f32) -> Axis {
        Axis {
            steps: Steps::Bent(per_unit),
            ..Axis::even(per_unit, range)
        }
    }

    /// Whether nobody knows how large values become: then nothing follows from their distance to the ends.
    pub fn is_boundless(&self) -> bool {
        matches!(self.steps, Steps::Bent(_))
    }

    /// Whether a score stands for its value only nearly.
    pub fn is_rounded(&self, score: Score) -> bool {
        self.is_boundless() && f32::from(score.raw()).abs() > EVEN
    }

    /// The largest value that each step tells apart, in the unit.
    pub fn even_to(&self) -> f32 {
        match self.steps {
            Steps::Bent(per_unit) => EVEN / per_unit,
            _ => self.range,
        }
    }

    /// What toy trees' files are in.
    const OF_FILES: (&'static str, &'static str) = ("file's unit", "Max");

    /// Returns the axis of a program's own unit, whose values are shown from the view of `side`, with so many decimals. The
    /// names are kept for as long as plyscope runs.
    #[must_use]
    pub fn named(self, unit: &str, side: &'static str, decimals: u8) -> Axis {
        static KEPT: Mutex<BTreeMap<String, &'static str>> = Mutex::new(BTreeMap::new());
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        let unit = *kept
            .entry(unit.to_owned())
            .or_insert_with(|| Box::leak(unit.to_owned().into_boxed_str()));
        Axis {
            names: (unit, side),
            decimals,
            ..self
        }
    }

    /// The name of the unit.
    pub fn unit(&self) -> &'static str {
        self.names.0
    }

    /// The name of the side from whose view values are shown.
    pub fn side(&self) -> &'static str {
        self.names.1
    }

    /// Returns an axis for these values, in a file's unit: with even steps where an integer score has room for the
    /// finest and the largest of them, and with a step for each where it has not. `None` if there are too many.
    pub fn of_values(values: impl Iterator<Item = f32>, range: f32) -> Option<Axis> {
        let mut sizes: Vec<f32> = values.map(f32::abs).filter(|&size| size > 0.0).collect();
        sizes.sort_by(f32::total_cmp);
        sizes.dedup();
        let finest = sizes.iter().map(|&size| decimals(size)).max().unwrap_or(0);
        let per_unit = 10_f32.powi(i32::from(finest));
        let largest = sizes.last().map_or(0.0, |&size| f64::from(size));
        if per_unit.is_finite() && largest * f64::from(per_unit) <= f64::from(Score::LIMIT) {
            return Some(Axis::even(per_unit, range));
        }
        if sizes.last().is_some_and(|&size| size < range) {
            sizes.push(range);
        }
        let each = u16::try_from(Score::LIMIT as usize / sizes.len()).ok()?;
        let steps = Steps::Ranked { sizes, each };
        (each > 0).then(|| Axis {
            decimals: finest,
            steps,
            ..Axis::even(1.0, range)
        })
    }

    /// Returns the axis with beliefs kept at these points, in expected score, ascending and above 0.
    pub fn with_points(self, points: [f32; Axis::POINTS]) -> Axis {
        Axis { points, ..self }
    }

    /// Half the width of the axis, in the file's unit.
    pub fn range(&self) -> f32 {
        self.range
    }

    /// Returns the expected score of a value.
    pub fn expected(&self, value: f64) -> f32 {
        (value / f64::from(self.range)).clamp(-1.0, 1.0) as f32
    }

    /// The points above 0 at which beliefs are kept, ascending, in expected score.
    pub fn points(&self) -> &[f32; Axis::POINTS] {
        &self.points
    }

    /// Returns the score nearest to a value.
    pub fn score(&self, value: f32) -> Score {
        let steps = match &self.steps {
            Steps::Even(per_unit) => value * per_unit,
            Steps::Bent(per_unit) => {
                let size = (value * per_unit).abs();
                let bent = || {
                    let steps = EVEN + (size / EVEN).ln() * steps_per_e(self.range * per_unit);
                    // Not the last even step, which stands for one value alone.
                    steps.max(EVEN + 1.0)
                };
                let steps = if size <= EVEN { size } else { bent() };
                steps.copysign(value)
            }
            Steps::Ranked { sizes, each } => {
                let size = value.abs();
                let above = sizes.partition_point(|&s| s < size);
                let below = above.checked_sub(1).map_or(0.0, |i| sizes[i]);
                let part = sizes
                    .get(above)
                    .map_or(0.0, |&s| (size - below) / (s - below));
                ((above as f32 + part) * f32::from(*each)).copysign(value)
            }
        };
        Score::new(steps.round() as i32)
    }

    /// Returns the value of a score, in the file's unit.
    pub fn value(&self, score: Score) -> f32 {
        match &self.steps {
            Steps::Even(per_unit) => f32::from(score.raw()) / per_unit,
            Steps::Bent(per_unit) => {
                let steps = f32::from(score.raw());
                let beyond = (steps.abs() - EVEN) / steps_per_e(self.range * per_unit);
                match beyond > 0.0 {
                    true => four_digits((EVEN * beyond.exp()).copysign(steps)) / per_unit,
                    false => steps / per_unit,
                }
            }
            Steps::Ranked { sizes, each } => {
                let (whole, rest) = (
                    score.raw().unsigned_abs() / each,
                    score.raw().unsigned_abs() % each,
                );
                let at = |rank: u16| match rank {
                    0 => 0.0,
                    rank => sizes[usize::from(rank).min(sizes.len()) - 1],
                };
                let (low, high) = (at(whole), at(whole + 1));
                let size = low + (high - low) * f32::from(rest) / f32::from(*each);
                if score < Score::DRAW { -size } else { size }
            }
        }
    }

    /// Returns the steps of the unit in a score.
    pub fn steps(&self, score: Score) -> i32 {
        match self.steps {
            Steps::Bent(per_unit) => (self.value(score) * per_unit).round() as i32,
            _ => score.raw().into(),
        }
    }

    /// The decimals of the file's finest value.
    pub fn decimals(&self) -> usize {
        self.decimals.into()
    }

    /// Keeps the axis for as long as the program runs, each but once: a scale is copied with every score that is shown.
    pub fn kept(self) -> &'static Axis {
        type Key = (Vec<u32>, (&'static str, &'static str));
        static KEPT: Mutex<BTreeMap<Key, &'static Axis>> = Mutex::new(BTreeMap::new());
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (self.to_words(), self.names);
        kept.entry(key).or_insert_with(|| Box::leak(Box::new(self)))
    }

    /// Returns the axis as numbers from which it can be made again.
    pub fn to_words(&self) -> Vec<u32> {
        let (each, steps) = match &self.steps {
            Steps::Even(per_unit) => (0, std::slice::from_ref(per_unit)),
            Steps::Ranked { sizes, each } => (u32::from(*each), &sizes[..]),
            Steps::Bent(per_unit) => (BENT, std::slice::from_ref(per_unit)),
        };
        let numbers = std::iter::once(&self.range)
            .chain(&self.points)
            .chain(steps);
        let words = numbers.map(|number| number.to_bits());
        [u32::from(self.decimals), each]
            .into_iter()
            .chain(words)
            .collect()
    }

    /// Whether both are the same but for their names.
    pub fn is_like(&self, other: &Axis) -> bool {
        self.to_words() == other.to_words()
    }

    /// Makes an axis from [`Axis::to_words`]. `None` if the numbers do not make one.
    pub fn from_words(words: &[u32]) -> Option<Axis> {
        let (&[decimals, each], words) = words.split_first_chunk()?;
        let mut numbers = words.iter().map(|&word| f32::from_bits(word));
        let range = numbers
            .next()
            .filter(|range| range.is_finite() && *range > 0.0)?;
        let mut points = [0.0; Axis::POINTS];
        for point in &mut points {
            *point = numbers.next()?;
        }
        let sizes: Vec<f32> = numbers.collect();
        let ascending = |list: &[f32]| {
            list.iter().all(|x| x.is_finite() && *x > 0.0) && list.windows(2).all(|w| w[0] < w[1])
        };
        let sound = !sizes.is_empty() && ascending(&points) && ascending(&sizes);
        let steps = match each {
            0 => Steps::Even(*sizes.first()?),
            BENT => Steps::Bent(*sizes.first()?),
            each => Steps::Ranked {
                sizes,
                each: u16::try_from(each).ok()?,
            },
        };
        let decimals = u8::try_from(decimals).ok()?;
        sound.then_some(Axis {
            range,
            decimals,
            steps,
            points,
            names: Self::OF_FILES,
        })
    }
}

/// Stands for bent steps among an axis' words.
const BENT: u32 = 1 << 16;

/// Returns the decimal digits of the shortest text that represents a number.
fn decimals(value: f32) -> u8 {
    let text = value.to_string();
    // An f32 has 149 at the most.
    text.split_once('.')
        .map_or(0, |(_, digits)| digits.len() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_boundless_axis_tells_values_of_any_size_apart() {
        let axis = Axis::boundless(1.0, 2.0_f32.powi(31));
        for value in [0.0, 3.0, -17.0, 20_000.0] {
            assert_eq!(axis.value(axis.score(value)), value);
        }
        let mut last = axis.score(-2e9);
        let mut value = -2e9_f32;
        while value < 2e9 {
            // A bit more than a thousandth.
            value += (value.abs() * 0.0013).max(1.0);
            let score = axis.score(value);
            assert!(score > last && !score.is_decided(), "{value}");
            let back = axis.value(score);
            assert!(
                (back - value).abs() <= (1.2e-3 * value.abs()).max(0.5),
                "{value}: {back}"
            );
            assert_eq!(axis.score(back), score, "{value}");
            last = score;
        }
        assert_eq!(
            axis.value(axis.score(1_234_567.0)) % 1000.0,
            0.0,
            "four digits"
        );
        let again = Axis::from_words(&axis.to_words()).expect("an axis");
        assert_eq!(again, axis);
    }

    fn axis(values: &[f32], range: f32) -> Axis {
        Axis::of_values(values.iter().copied(), range).expect("an axis")
    }

    #[test]
    fn every_value_is_a_score_and_every_score_its_value() {
        let lists: [&[f32]; 5] = [
            &[1.0, -8.0, 0.25],
            &[0.0001, -8.0, 3.5],
            &[1e6, -1e6, 0.5, 0.25],
            &[123_456.0, 0.001, -77.0],
            &[1e-6, 2e-6],
        ];
        for values in lists {
            let range = values.iter().fold(0.0, |a: f32, v| a.max(v.abs())) * 1.5;
            let axis = axis(values, range);
            let mut sorted = values.to_vec();
            sorted.sort_by(f32::total_cmp);
            let scores: Vec<Score> = sorted.iter().map(|&v| axis.score(v)).collect();
            assert!(
                scores.windows(2).all(|w| w[0] < w[1]),
                "{values:?}: {scores:?}"
            );
            for (value, score) in sorted.iter().zip(scores) {
                assert_eq!(axis.value(score), *value, "{values:?}");
                assert_eq!(axis.score(-value), -score);
                assert!(!score.is_decided());
            }
            assert_eq!(axis.score(0.0), Score::DRAW);
            assert_eq!(Axis::from_words(&axis.to_words()), Some(axis));
        }
    }

    #[test]
    fn what_lies_between_is_in_proportion() {
        let axis = axis(&[0.0001, 8.0], 10.0);
        assert!((axis.value(axis.score(4.0)) - 4.0).abs() < 1e-3);
        assert!((axis.value(axis.score(9.0)) - 9.0).abs() < 1e-3);
        assert_eq!(axis.decimals(), 4);
    }

    #[test]
    fn an_axis_is_kept_once() {
        let twice = [1.0, 1.0].map(|_| axis(&[0.5], 4.0).kept());
        assert!(std::ptr::eq(twice[0], twice[1]));
    }

    #[test]
    fn damaged_words_make_no_axis() {
        let words = axis(&[0.5], 4.0).to_words();
        assert_eq!(Axis::from_words(&words[..20]), None);
        let mut worse = words.clone();
        worse[4] = f32::NAN.to_bits();
        assert_eq!(Axis::from_words(&worse), None);
    }
}
