//! How well forecasts agree with the outcomes: probability integral transform, coverage, and the continuous ranked
//! probability score.
//!
//! A belief has bins, but the truth is a point. The distribution function is taken as linear within a bin. A belief
//! with all its mass in a single bin is an atom at the centre of that bin; in chess so is certainty (the end bins, at
//! exactly -1 and +1). Where the distribution function jumps at the truth, the transform is not a number but a range
//! over which it counts as spread evenly, which is what a random draw within the range gives on average (Czado,
//! Gneiting and Held, *Predictive model assessment for count data*, 2009).
//!
//! In chess the two outermost bins on either side form one jump for the transform: beyond the last inner edge (about
//! ±1,190 centipawns) a belief cannot tell nearly certain from certain, and such a high score says little about the
//! difference either. The ranked probability score needs no such rule.

use super::reference::Line;
use super::{BINS, Density, Grid};

/// The central intervals whose coverage is reported.
pub const LEVELS: [f64; 3] = [0.5, 0.8, 0.9];
/// The number of cells in a histogram of transforms.
pub const CELLS: usize = 10;

/// A distribution function that is linear between its knots and may jump at them.
#[derive(Clone, Debug, PartialEq)]
pub struct Forecast {
    /// The knots in ascending order.
    knots: Vec<Knot>,
    /// All scores at least this far from 0 are the same to the transform.
    decided: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Knot {
    x: f64,
    /// P(X < x), P(X <= x).
    below: f64,
    up_to: f64,
}

/// Where the truth falls in a forecast: the range from P(X < truth) to P(X <= truth).
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Pit {
    pub low: f64,
    pub high: f64,
}

impl Forecast {
    /// Returns the forecast given by a belief on its grid.
    pub fn of(belief: &Density, grid: &Grid) -> Forecast {
        let decided = decided(grid);
        if let Some(bin) = belief.is_atom() {
            let point = Forecast::point(f64::from(grid.centres()[bin]));
            return Forecast { decided, ..point };
        }
        let mass = belief.0[..BINS].iter().map(|&p| f64::from(p));
        let edges: Vec<f64> = grid.edges().iter().map(|&e| f64::from(e)).collect();
        let mut knots = Forecast::linear(&edges, mass).knots;
        if grid.ends_certain() {
            // All the mass of an end bin is at its end.
            for (inner, end) in [(1, 0), (BINS - 1, BINS)] {
                let q = knots[inner].up_to;
                (knots[end].below, knots[end].up_to) = if end == 0 { (0.0, q) } else { (q, 1.0) };
            }
        }
        Forecast { knots, decided }
    }

    /// Returns the forecast given by masses on equally spaced bins.
    pub fn on(line: &Line, mass: &[f64]) -> Forecast {
        let edge = |bin: usize| line.lo + bin as f64 * line.width();
        let edges: Vec<f64> = (0..=line.bins).map(edge).collect();
        Forecast::linear(&edges, mass.iter().copied())
    }

    /// Returns a forecast with all its mass at one value, for an algorithm that has no beliefs.
    pub fn point(x: f64) -> Forecast {
        Forecast {
            knots: vec![Knot {
                x,
                below: 0.0,
                up_to: 1.0,
            }],
            decided: f64::INFINITY,
        }
    }

    /// Like [`Forecast::point`], for a value in chess, where nearly certain counts as certain for the transform.
    pub fn point_on(x: f64, grid: &Grid) -> Forecast {
        Forecast {
            decided: decided(grid),
            ..Forecast::point(x)
        }
    }

    /// Returns a forecast with equal mass at each of the given values in chess (at least one), in any order.
    pub fn empirical(mut values: Vec<f64>, grid: &Grid) -> Forecast {
        values.sort_by(f64::total_cmp);
        let n = values.len() as f64;
        let mut knots: Vec<Knot> = Vec::with_capacity(values.len());
        for (i, x) in values.into_iter().enumerate() {
            let up_to = (i + 1) as f64 / n;
            match knots.last_mut().filter(|last| last.x == x) {
                Some(last) => last.up_to = up_to,
                None => knots.push(Knot {
                    x,
                    below: i as f64 / n,
                    up_to,
                }),
            }
        }
        Forecast {
            knots,
            decided: decided(grid),
        }
    }

    fn linear(edges: &[f64], mass: impl Iterator<Item = f64> + Clone) -> Forecast {
        let total: f64 = mass.clone().sum();
        let mut sum = 0.0;
        let mut knots = vec![knot(edges[0], 0.0)];
        for (x, p) in edges[1..].iter().zip(mass) {
            sum += p / total;
            knots.push(knot(*x, f64::min(sum, 1.0)));
        }
        if let Some(last) = knots.last_mut() {
            *last = knot(last.x, 1.0);
        }
        Forecast {
            knots,
            decided: f64::INFINITY,
        }
    }

    /// Returns P(X < x) and P(X <= x).
    fn at(&self, x: f64) -> (f64, f64) {
        let next = self.knots.partition_point(|k| k.x < x);
        let Some(above) = self.knots.get(next) else {
            return (1.0, 1.0);
        };
        if above.x == x {
            return (above.below, above.up_to);
        }
        let Some(under) = next.checked_sub(1).map(|i| self.knots[i]) else {
            return (0.0, 0.0);
        };
        let part = (x - under.x) / (above.x - under.x);
        let q = under.up_to + part * (above.below - under.up_to);
        (q, q)
    }

    /// Returns where the truth falls in the forecast.
    pub fn pit(&self, truth: f64) -> Pit {
        let (low, high) = if truth >= self.decided {
            (self.at(self.decided).0, 1.0)
        } else if truth <= -self.decided {
            (0.0, self.at(-self.decided).1)
        } else {
            self.at(truth)
        };
        Pit { low, high }
    }

    /// Returns the continuous ranked probability score, the integral of (F(x) - 1{x >= truth})^2, computed exactly. 0
    /// is best; for a point it is the distance to the truth.
    pub fn crps(&self, truth: f64) -> f64 {
        let (first, last) = (self.knots[0].x, self.knots[self.knots.len() - 1].x);
        let outside = (first - truth).max(0.0) + (truth - last).max(0.0);
        let pieces = self.knots.windows(2);
        let inside = pieces.map(|pair| {
            let (a, b) = (pair[0], pair[1]);
            let (from, to) = (a.up_to, b.below);
            if truth <= a.x {
                squares(b.x - a.x, from - 1.0, to - 1.0)
            } else if truth >= b.x {
                squares(b.x - a.x, from, to)
            } else {
                let q = from + (truth - a.x) / (b.x - a.x) * (to - from);
                squares(truth - a.x, from, q) + squares(b.x - truth, q - 1.0, to - 1.0)
            }
        });
        outside + inside.sum::<f64>()
    }
}

fn knot(x: f64, q: f64) -> Knot {
    Knot {
        x,
        below: q,
        up_to: q,
    }
}

/// Returns the distance from 0 beyond which a score counts as certain or nearly so.
fn decided(grid: &Grid) -> f64 {
    if grid.ends_certain() {
        f64::from(grid.edges()[BINS - 2])
    } else {
        f64::INFINITY
    }
}

/// Returns the integral of the square of a linear function that goes from `a` to `b` over `width`.
fn squares(width: f64, a: f64, b: f64) -> f64 {
    width * (a * a + a * b + b * b) / 3.0
}

impl Pit {
    /// Returns how much of the truth falls into the central interval of this level: 1 or 0, or a fraction if it falls
    /// on a jump.
    pub fn covered(self, level: f64) -> f64 {
        let tail = (1.0 - level) / 2.0;
        self.within(tail, 1.0 - tail)
    }

    /// Returns the fraction of the transform between `a` and `b`; `b` itself is included if it is 1.
    fn within(self, a: f64, b: f64) -> f64 {
        let width = self.high - self.low;
        if width > 1e-12 {
            ((self.high.min(b) - self.low.max(a)) / width).max(0.0)
        } else {
            let inside = a <= self.low && (self.low < b || b >= 1.0);
            f64::from(u8::from(inside))
        }
    }
}

/// Returns the distribution of the transforms over equal cells, as shares: flat if the forecasts are calibrated, a
/// valley if they are too narrow, a hill if they are too wide. All 0 if there are none.
pub fn histogram(pits: &[Pit]) -> [f64; CELLS] {
    let mut cells = [0.0; CELLS];
    for pit in pits {
        for (i, cell) in cells.iter_mut().enumerate() {
            let (a, b) = (i as f64, (i + 1) as f64);
            *cell += pit.within(a / CELLS as f64, b / CELLS as f64) / pits.len() as f64;
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const UNIT: Line = Line {
        lo: -1.0,
        hi: 1.0,
        bins: 63,
    };

    fn near(found: f64, golden: f64) {
        assert!((found - golden).abs() < 1e-6, "{found} for {golden}");
    }

    #[test]
    fn a_point_scores_its_distance() {
        near(Forecast::point(0.3).crps(-0.2), 0.5);
        near(Forecast::point(0.3).crps(0.3), 0.0);
        let grid = Grid::sinh();
        for (bin, x) in [(0, -1.0), (BINS / 2, 0.0), (BINS - 1, 1.0)] {
            near(
                Forecast::of(&Density::atom(bin), &grid).crps(0.25),
                (0.25f64 - x).abs(),
            );
        }
    }

    /// The known score of a uniform distribution over a width w is w (z^3 + (1-z)^3)/3 at the share z.
    #[test]
    fn the_uniform_distribution_has_the_known_scores() {
        let flat = Forecast::on(&UNIT, &[1.0 / 63.0; 63]);
        for (truth, golden) in [(0.0, 1.0 / 6.0), (0.5, 0.291_666_7), (1.0, 2.0 / 3.0)] {
            near(flat.crps(truth), golden);
            near(flat.crps(-truth), golden);
            near(flat.pit(truth).low, 0.5 + truth / 2.0);
        }
        near(flat.crps(3.0), 2.0 / 3.0 + 2.0);
    }

    /// The known score at the mean is sd (2 phi(0) - 1/sqrt(pi)), if the bins are fine enough.
    #[test]
    fn the_normal_distribution_has_the_known_score() {
        let line = Line {
            lo: -8.0,
            hi: 8.0,
            bins: 1601,
        };
        let forecast = Forecast::on(&line, &line.normal(0.0, 1.0));
        assert!((forecast.crps(0.0) - 0.233_695).abs() < 2e-5);
        // z (2 Phi(z) - 1) + 2 phi(z) - 1/sqrt(pi) at z = 1.5.
        assert!(
            (forecast.crps(1.5) - 0.994_436).abs() < 2e-4,
            "{}",
            forecast.crps(1.5)
        );
        assert!((forecast.pit(1.0).low - 0.841_345).abs() < 2e-5);
    }

    #[test]
    fn certainty_is_a_jump() {
        let grid = Grid::sinh();
        let mut half = Density::atom(BINS - 1);
        half.0[BINS - 1] = 0.5;
        half.0[BINS / 2] = 0.5;
        let forecast = Forecast::of(&half, &grid);
        // Half of the mass is in the draw's narrow bin and half at 1.
        let won = forecast.pit(1.0);
        near(won.low, 0.5);
        near(won.high, 1.0);
        near(won.covered(0.5), 0.5);
        near(won.covered(0.8), 0.8);
        assert!((forecast.crps(1.0) - 0.25).abs() < 1e-2);
        // Nearly certain is as good as certain for the transform; the score still counts the distance.
        let nearly = f64::from(grid.centres()[BINS - 2]);
        let narrow = Forecast::point_on(nearly, &grid);
        near(narrow.pit(1.0).covered(0.9), 0.9);
        near(narrow.crps(1.0), 1.0 - nearly);
        near(narrow.pit(0.9).covered(0.9), 0.0);
    }

    /// The score of equal masses x_1 … x_n is the mean distance from the truth minus half the mean distance between two
    /// of them.
    #[test]
    fn an_empirical_distribution_scores_by_its_distances() {
        let grid = Grid::sinh();
        let values = [0.3, -0.4, 0.3, 0.9, -1.0, 0.05];
        let forecast = Forecast::empirical(values.to_vec(), &grid);
        for truth in [-1.0, -0.7, 0.05, 0.1, 0.3, 0.95, 1.0] {
            let n = values.len() as f64;
            let far: f64 = values.iter().map(|x| (x - truth).abs()).sum();
            let pairs = values
                .iter()
                .flat_map(|a| values.iter().map(move |b| (a - b).abs()));
            near(
                forecast.crps(truth),
                far / n - pairs.sum::<f64>() / (2.0 * n * n),
            );
        }
        let tied = forecast.pit(0.3);
        near(tied.low, 0.5);
        near(tied.high, 5.0 / 6.0);
        near(forecast.pit(0.2).low, 0.5);
        assert_eq!(Forecast::empirical(vec![0.25], &grid).crps(-0.5), 0.75);
    }

    #[test]
    fn histograms_hold_everything() {
        let pits = [(0.0, 0.0), (1.0, 1.0), (0.05, 0.25), (0.5, 0.5)];
        let pits = pits.map(|(low, high)| Pit { low, high });
        let cells = histogram(&pits);
        near(cells.iter().sum(), 1.0);
        near(cells[0], 0.25 + 0.0625);
        near(cells[5], 0.25);
        near(cells[9], 0.25);
        assert_eq!(histogram(&[]), [0.0; CELLS]);
    }

    fn any_density() -> impl Strategy<Value = Density> {
        proptest::collection::vec(0.0f32..1.0, BINS).prop_map(|weights| {
            let total: f32 = weights.iter().sum::<f32>() + 1e-3;
            let mut density = Density::atom(0);
            density.0[0] = 1e-3 / total;
            for (mass, weight) in density.0[..BINS].iter_mut().zip(weights) {
                *mass += weight * weight / total;
            }
            let sum: f32 = density.0.iter().sum();
            Density(density.0.map(|p| p / sum))
        })
    }

    proptest! {
        #[test]
        fn both_sides_score_alike(density in any_density(), truth in -1.0f64..=1.0) {
            for grid in [Grid::sinh(), Grid::uniform()] {
                let one = Forecast::of(&density, &grid);
                let other = Forecast::of(&density.negated(), &grid);
                prop_assert!((one.crps(truth) - other.crps(-truth)).abs() < 1e-5);
                let (a, b) = (one.pit(truth), other.pit(-truth));
                prop_assert!((a.low + b.high - 1.0).abs() < 1e-5);
                for level in LEVELS {
                    prop_assert!((0.0..=1.0).contains(&a.covered(level)));
                }
            }
        }

        /// The score is at least 0 and at most the mean distance from the truth plus the width of a bin.
        #[test]
        fn scores_lie_between_nothing_and_the_mean_distance(
            density in any_density(),
            truth in -1.0f64..=1.0,
        ) {
            let grid = Grid::uniform();
            let forecast = Forecast::of(&density, &grid);
            let found = forecast.crps(truth);
            let distance: f64 = (0..BINS)
                .map(|b| f64::from(density.0[b]) * (f64::from(grid.centres()[b]) - truth).abs())
                .sum();
            prop_assert!(found >= 0.0 && found <= distance + 0.02, "{found} {distance}");
        }

        /// The score is proper: if truths are drawn from a forecast, no other forecast does better.
        #[test]
        fn honesty_pays(told in any_density(), other in any_density()) {
            let grid = Grid::uniform();
            let (own, rival) = (Forecast::of(&told, &grid), Forecast::of(&other, &grid));
            let expect = |f: &Forecast| -> f64 {
                // Four points per bin represent the evenly spread mass.
                (0..4 * BINS)
                    .map(|i| {
                        let truth = -1.0 + (i as f64 + 0.5) / (2.0 * BINS as f64);
                        f64::from(told.0[i / 4]) / 4.0 * f.crps(truth)
                    })
                    .sum()
            };
            prop_assert!(expect(&own) <= expect(&rival) + 1e-4);
        }
    }
}
