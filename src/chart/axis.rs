//! Axes: the range of what they show, and where their ticks are.

/// The range of an axis with its ticks.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What it shows, with its unit.
    pub name: String,
    pub low: f64,
    pub high: f64,
    /// Whether equal distances are equal factors; both ends are then above 0.
    pub logarithmic: bool,
    /// The values that are written beside the axis.
    pub ticks: Vec<(f64, String)>,
}

impl Default for Axis {
    fn default() -> Axis {
        Axis::new(0.0, 1.0)
    }
}

impl Axis {
    /// Returns an axis without ticks.
    pub fn new(low: f64, high: f64) -> Axis {
        Axis {
            name: String::new(),
            low,
            high,
            logarithmic: false,
            ticks: Vec::new(),
        }
    }

    /// Returns an axis over these figures with about five ticks at round numbers, which `write` writes with so many
    /// decimals.
    pub fn over(
        figures: impl Iterator<Item = f64>,
        from_zero: bool,
        write: impl Fn(f64, usize) -> String,
    ) -> Axis {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for x in figures.filter(|x| x.is_finite()) {
            (low, high) = (low.min(x), high.max(x));
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        if from_zero {
            low = low.min(0.0);
        }
        let step = round_step(((high - low) / 5.0).max(1e-6));
        let (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
        let decimals = (-step.log10().floor()).clamp(0.0, 6.0) as usize;
        let ticks = rounds(low, high, step).map(|x| (x, write(x, decimals)));
        Axis::new(low, high).with(ticks.collect())
    }

    /// Returns an axis of expected scores (−1 to +1) that contains all these with some room beside them. Its ends are
    /// multiples of 0.1, so that it does not change while figures change a little.
    pub fn around(scores: impl Iterator<Item = f32>) -> Axis {
        let (low, high) = scores
            .filter(|e| e.is_finite())
            .fold((1.0f32, -1.0f32), |(l, h), e| (l.min(e), h.max(e)));
        if low > high {
            return Axis::new(-1.0, 1.0);
        }
        let room = 0.1 + 0.1 * (high - low);
        let tenths = |tenths: f32| f64::from(tenths / 10.0);
        Axis::new(
            tenths(((low - room) * 10.0).floor().max(-10.0)),
            tenths(((high + room) * 10.0).ceil().min(10.0)),
        )
    }

    /// Returns the same axis with these ticks.
    #[must_use]
    pub fn with(mut self, ticks: Vec<(f64, String)>) -> Axis {
        self.ticks = ticks;
        self
    }

    /// Returns the same axis with a name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Axis {
        self.name = name.into();
        self
    }

    /// Returns the place of a value on the axis: 0 at the low end, 1 at the high end. On a logarithmic one, what is below
    /// the low end is at it.
    pub fn share(&self, x: f64) -> f64 {
        match self.logarithmic {
            true => (x.max(self.low) / self.low).ln() / (self.high / self.low).ln().max(1e-9),
            false => (x - self.low) / (self.high - self.low).max(1e-12),
        }
    }

    /// Returns the value at a share of the axis.
    pub fn at(&self, share: f64) -> f64 {
        match self.logarithmic {
            true => self.low * (self.high / self.low).powf(share),
            false => self.low + share * (self.high - self.low),
        }
    }

    /// Whether a value is on the axis.
    pub fn holds(&self, x: f64) -> bool {
        (0.0..=1.0).contains(&self.share(x))
    }
}

/// Returns the smallest of 1, 2, 5, 10, … times a power of ten that is at least this step.
pub fn round_step(rough: f64) -> f64 {
    let power = 10f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|m| m * power);
    steps.into_iter().find(|s| *s >= rough).unwrap_or(rough)
}

/// Returns the multiples of a step from one value to another, ascending.
pub fn rounds(low: f64, high: f64, step: f64) -> impl Iterator<Item = f64> {
    // The ends may be such multiples themselves, except for rounding.
    let (first, last) = ((low / step - 1e-6).ceil(), (high / step + 1e-6).floor());
    (first as i64..=last as i64).map(move |i| i as f64 * step)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn over(figures: impl Iterator<Item = f64>, from_zero: bool) -> Axis {
        Axis::over(figures, from_zero, |x, decimals| format!("{x:.decimals$}"))
    }

    #[test]
    fn ticks_are_at_round_numbers() {
        let axis = over([0.03, 0.21].into_iter(), true);
        let ticks: Vec<&str> = axis.ticks.iter().map(|t| t.1.as_str()).collect();
        assert_eq!(ticks, ["0.00", "0.05", "0.10", "0.15", "0.20", "0.25"]);
        let plies = over((0..9).map(f64::from), false);
        assert_eq!(plies.ticks.last(), Some(&(8.0, "8".to_owned())));
        let none = over(std::iter::empty(), false);
        assert!((none.low, none.high) == (0.0, 1.0));
    }

    #[test]
    fn an_axis_holds_its_scores_and_is_never_empty() {
        let ends = |scores: &[f32]| {
            let axis = Axis::around(scores.iter().copied());
            ((axis.low * 10.0).round(), (axis.high * 10.0).round())
        };
        assert_eq!(ends(&[0.07, 0.02]), (-1.0, 2.0));
        assert_eq!(ends(&[-1.0, 1.0]), (-10.0, 10.0));
        assert_eq!(ends(&[f32::NAN]), (-10.0, 10.0));
        let (low, high) = ends(&[1.0]);
        assert!(low < high && high == 10.0);
    }

    #[test]
    fn places_and_values_are_each_other_s_inverse() {
        let mut axis = Axis::new(10.0, 1000.0);
        for logarithmic in [false, true] {
            axis.logarithmic = logarithmic;
            for x in [10.0, 55.0, 1000.0] {
                assert!((axis.at(axis.share(x)) - x).abs() < 1e-6);
            }
        }
        assert!(axis.share(100.0) == 0.5 && axis.share(3.0) == 0.0);
    }
}
