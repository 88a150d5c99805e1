//! What may be learned about a leaf: a few point masses.

use crate::leaf_belief::LeafBelief;
use belief::special::normal_quantile;
use belief::{BINS, Cdf, Grid, LANES};
use game::Scale;
use search::Options;

/// How much of a leaf's truth is learned before the choice between its siblings.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Learned {
    /// All of it: the product rule on whole distributions.
    All,
    /// All of it with this probability, otherwise nothing.
    Revealed(f64),
    /// A share of the variance.
    Share(f64),
}

/// How a leaf's belief becomes point masses.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Opinions {
    points: usize,
    /// The points of a standard normal distribution, stretched to mean 0 and standard deviation 1.
    standard: Vec<f64>,
    learned: Learned,
}

/// A value with its probability.
pub(super) type Mass = (f64, f64);

impl Opinions {
    pub fn of(options: &Options, is_toy: bool) -> Opinions {
        let points = match options.word("points").parse() {
            Ok(points) => points,
            Err(_) if is_toy => 2,
            Err(_) => 10,
        };
        let share = options.number("information");
        let learned = match options.word("backup") {
            "revealed" => Learned::Revealed(share),
            "share" => Learned::Share(share),
            _ => Learned::All,
        };
        Opinions {
            points,
            standard: standard(points),
            learned,
        }
    }

    /// The masses of a normal distribution with this mean and standard deviation.
    pub fn normal(&self, mean: f64, sd: f64) -> Vec<Mass> {
        if sd == 0.0 {
            return vec![(mean, 1.0)];
        }
        let values = self.standard.iter().map(|z| mean + sd * z).collect();
        self.learn(mean, values)
    }

    /// The masses of the belief about a leaf, from the same view: in a toy tree those of its normal distribution, in chess
    /// the middles of equally likely slices.
    fn of_leaf(&self, scale: Scale, belief: &LeafBelief) -> Vec<Mass> {
        let (mean, sd) = belief.moments();
        if sd == 0.0 || matches!(scale, Scale::Linear(_)) {
            return self.normal(mean.into(), sd.into());
        }
        let all = self.points as f64;
        let slice = |i: usize| f64::from(belief.quantile((i as f64 + 0.5) / all));
        let values: Vec<f64> = (0..self.points).map(slice).collect();
        let mean = values.iter().sum::<f64>() / all;
        self.learn(mean, values)
    }

    fn learn(&self, mean: f64, mut values: Vec<f64>) -> Vec<Mass> {
        let mut each = 1.0 / values.len() as f64;
        let mut rest = 0.0;
        match self.learned {
            Learned::All => {}
            Learned::Share(share) => {
                for v in &mut values {
                    *v = mean + (*v - mean) * share.sqrt();
                }
            }
            Learned::Revealed(chance) => {
                each *= chance;
                rest = 1.0 - chance;
            }
        }
        let mut masses: Vec<Mass> = values.into_iter().map(|v| (v, each)).collect();
        if rest > 0.0 {
            masses.push((mean, rest));
        }
        masses
    }

    /// The masses of a leaf on the grid. Where there is no doubt, all of it is in one bin.
    pub fn on_grid(&self, scale: Scale, belief: &LeafBelief, grid: &Grid) -> Cdf {
        match belief.sd() {
            None => belief.cdf(grid),
            Some(_) => on_grid(&self.of_leaf(scale, belief), grid),
        }
    }
}

/// Each mass shared between the two nearest centres of bins, so that the mean stays what it is.
fn on_grid(masses: &[Mass], grid: &Grid) -> Cdf {
    let (first, last) = grid.inner();
    let centres = &grid.centres()[..BINS];
    let mut mass = [0.0; LANES];
    for &(value, p) in masses {
        let value = value as f32;
        let above = first + centres[first..=last].partition_point(|&c| c <= value);
        if above == first || above > last {
            mass[above.clamp(first, last)] += p;
            continue;
        }
        let (from, to) = (centres[above - 1], centres[above]);
        let part = f64::from((value - from) / (to - from));
        mass[above - 1] += p * (1.0 - part);
        mass[above] += p * part;
    }
    let mut sum = 0.0;
    let below = mass.map(|p| {
        sum += p;
        sum as f32
    });
    Cdf::from_f32(&below)
}

/// The middles of equally likely slices of the standard normal distribution, stretched to standard deviation 1.
fn standard(points: usize) -> Vec<f64> {
    let all = points as f64;
    let middles: Vec<f64> = (0..points)
        .map(|i| normal_quantile((i as f64 + 0.5) / all))
        .collect();
    let sd = (middles.iter().map(|z| z * z).sum::<f64>() / all).sqrt();
    middles.into_iter().map(|z| z / sd).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opinions(points: usize, learned: Learned) -> Opinions {
        Opinions {
            points,
            standard: standard(points),
            learned,
        }
    }

    #[test]
    fn two_points_lie_a_standard_deviation_from_the_mean() {
        let all = opinions(2, Learned::All);
        assert_eq!(all.normal(5.0, 2.0), [(3.0, 0.5), (7.0, 0.5)]);
        assert_eq!(all.normal(5.0, 0.0), [(5.0, 1.0)]);
        let share = opinions(2, Learned::Share(0.25));
        assert_eq!(share.normal(5.0, 2.0), [(4.0, 0.5), (6.0, 0.5)]);
        let revealed = opinions(2, Learned::Revealed(0.5));
        assert_eq!(
            revealed.normal(5.0, 2.0),
            [(3.0, 0.25), (7.0, 0.25), (5.0, 0.5)]
        );
        let many = opinions(10, Learned::All).normal(1.0, 2.0);
        let mean: f64 = many.iter().map(|(v, p)| v * p).sum();
        let variance: f64 = many.iter().map(|(v, p)| p * (v - mean).powi(2)).sum();
        assert!((mean - 1.0).abs() < 1e-12 && (variance - 4.0).abs() < 1e-9);
    }

    /// Wins with chances .6, .5 and .5, of which each is revealed with probability λ before the choice.
    #[test]
    fn golden_values_of_chances_that_may_be_revealed() {
        for (chance, golden) in [(0.0, 0.6), (0.25, 0.73125), (0.5, 0.825), (1.0, 0.9)] {
            let mut below = vec![(0.0, 1.0), (0.5, 1.0), (0.6, 1.0), (1.0, 1.0)];
            for p in [0.6, 0.5, 0.5] {
                // Win and loss aren't equally likely, so the masses are written out.
                let masses = [
                    (0.0, chance * (1.0 - p)),
                    (p, 1.0 - chance),
                    (1.0, chance * p),
                ];
                for (x, q) in &mut below {
                    let known = masses.iter().filter(|(v, _)| *v <= *x);
                    *q *= known.map(|(_, mass)| mass).sum::<f64>();
                }
            }
            let steps = below.windows(2);
            let mean: f64 = steps.map(|w| (1.0 - w[0].1) * (w[1].0 - w[0].0)).sum();
            assert!((mean - golden).abs() < 1e-12, "{chance}: {mean}");
        }
    }

    #[test]
    fn masses_on_the_grid_keep_their_mean() {
        for grid in [Grid::sinh(), Grid::uniform()] {
            for mean in [-0.7, 0.0, 0.123, 0.6] {
                let masses = opinions(10, Learned::All).normal(mean, 0.1);
                let cdf = on_grid(&masses, &grid);
                assert!((f64::from(cdf.mean(&grid)) - mean).abs() < 1e-4, "{mean}");
            }
        }
    }
}
