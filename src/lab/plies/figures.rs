//! Figures of many beliefs, with bootstrap intervals: of one ply, and over several plies.

use serde::Serialize;

use crate::figures::Judged;
use crate::statistics::{Figure, Resamples, exponential_rate};
use belief::score::{CELLS, LEVELS, histogram};

/// The sums over draws.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sums {
    pub drawn: f64,
    sd: f64,
    /// The draws with a label; what follows is over these.
    pub labelled: f64,
    covered: [f64; LEVELS.len()],
    pub crps: f64,
    error: f64,
    square: f64,
    pit: [f64; CELLS],
}

impl Sums {
    pub fn add(&mut self, sd: f64, judged: Option<Judged>) {
        self.drawn += 1.0;
        self.sd += sd;
        let Some(judged) = judged else { return };
        self.labelled += 1.0;
        for (covered, level) in self.covered.iter_mut().zip(LEVELS) {
            *covered += judged.pit.covered(level);
        }
        self.crps += judged.crps;
        self.error += judged.error;
        self.square += judged.error * judged.error;
        for (cell, share) in self.pit.iter_mut().zip(histogram(&[judged.pit])) {
            *cell += share;
        }
    }

    fn add_all(&mut self, other: &Sums, weight: f64) {
        self.drawn += weight * other.drawn;
        self.sd += weight * other.sd;
        self.labelled += weight * other.labelled;
        for (a, b) in self.covered.iter_mut().zip(other.covered) {
            *a += weight * b;
        }
        self.crps += weight * other.crps;
        self.error += weight * other.error;
        self.square += weight * other.square;
        for (a, b) in self.pit.iter_mut().zip(other.pit) {
            *a += weight * b;
        }
    }

    fn sd(&self) -> Option<f64> {
        (self.drawn > 0.0).then(|| self.sd / self.drawn)
    }

    pub fn share(&self, sum: f64) -> Option<f64> {
        (self.labelled > 0.0).then(|| sum / self.labelled)
    }
}

/// The sums by tree, then by ply or height.
pub(super) type Table = Vec<Vec<Sums>>;

/// The figures of one ply, or of one number of back-ups.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlyFigures {
    pub at: usize,
    /// The number of draws with a label, and of trees they come from.
    pub n: usize,
    pub trees: usize,
    /// The mean standard deviation.
    pub sd: Figure,
    /// The root mean square of mean minus truth: the standard deviation that a calibrated belief would have.
    pub rmse: f64,
    /// The mean of mean minus truth.
    pub bias: f64,
    /// The share of truths within the central interval of each of [`LEVELS`].
    pub coverage: Option<[Figure; LEVELS.len()]>,
    pub crps: Option<Figure>,
    pub pit: [f64; CELLS],
    /// The greatest distance of the transform's distribution from the flat one, at the ends of its cells.
    pub distance: f64,
}

/// The figures over the plies from 1 on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Whole {
    /// The factor by which the mean standard deviation changes from one ply to the next: e^b of a straight line through
    /// the logarithms.
    pub growth: Figure,
    /// The greatest of the plies' mean standard deviations over the smallest.
    pub range: Figure,
    /// The mean distance of the coverage from what it should be, over plies and [`LEVELS`].
    pub miss: Figure,
    /// The mean score over the plies, each with the same weight.
    pub crps: Figure,
    /// The distribution of the transforms of all draws, as shares.
    pub pit: [f64; CELLS],
    /// The greatest distance of that distribution from the flat one, at the ends of its cells.
    pub distance: f64,
}

/// The spread counts as stable if its mean is the same at every ply up to this factor.
pub const STABLE: f64 = 1.25;
/// The coverage counts as held if it is off by no more than this on average.
pub const HELD: f64 = 0.05;

impl Whole {
    /// Whether the spread is stable over the plies.
    pub fn is_stable(&self) -> bool {
        self.range.value <= STABLE
    }

    /// Whether the intervals hold what they promise.
    pub fn is_held(&self) -> bool {
        self.miss.value <= HELD
    }
}

/// Sums a ply over all trees, each with its weight.
pub(super) fn total(table: &Table, at: usize, weights: Option<&[f64]>) -> Sums {
    let mut sums = Sums::default();
    for (tree, row) in table.iter().enumerate() {
        let weight = weights.map_or(1.0, |w| w[tree]);
        if weight > 0.0 && row[at].drawn > 0.0 {
            sums.add_all(&row[at], weight);
        }
    }
    sums
}

/// Returns the plies from 1 on that a quarter of the trees reach.
pub(super) fn reached(table: &Table) -> Vec<usize> {
    let plies = table.first().map_or(0, Vec::len);
    let trees = |ply: usize| table.iter().filter(|row| row[ply].labelled > 0.0).count();
    (1..plies)
        .filter(|&ply| 4 * trees(ply) >= table.len().max(1))
        .collect()
}

/// Returns the figures of each ply that has any.
pub(super) fn figures(table: &Table, resamples: &Resamples) -> Vec<PlyFigures> {
    let plies = table.first().map_or(0, Vec::len);
    let at = |at: usize| {
        let sums = total(table, at, None);
        let of = |read: &dyn Fn(&Sums) -> Option<f64>| {
            resamples.figure(|weights| read(&total(table, at, weights)))
        };
        let coverage = [0, 1, 2].map(|level| of(&|s: &Sums| s.share(s.covered[level])));
        let pit = sums.pit.map(|cell| sums.share(cell).unwrap_or(0.0));
        Some(PlyFigures {
            at,
            n: sums.labelled as usize,
            trees: table.iter().filter(|row| row[at].drawn > 0.0).count(),
            sd: of(&Sums::sd)?,
            rmse: sums.share(sums.square).unwrap_or(0.0).sqrt(),
            bias: sums.share(sums.error).unwrap_or(0.0),
            coverage: match coverage {
                [Some(a), Some(b), Some(c)] => Some([a, b, c]),
                _ => None,
            },
            crps: of(&|s: &Sums| s.share(s.crps)),
            distance: distance(&pit),
            pit,
        })
    };
    (0..plies).filter_map(at).collect()
}

/// Returns the greatest distance of a histogram's distribution function from the flat one (Kolmogorov's, at the ends of
/// the cells).
pub(super) fn distance(pit: &[f64; CELLS]) -> f64 {
    let mut sum = 0.0;
    let ends = pit.iter().enumerate().map(|(i, cell)| {
        sum += cell;
        f64::abs(sum - (i + 1) as f64 / CELLS as f64)
    });
    ends.fold(0.0, f64::max)
}

/// The figures over several plies for one weighting of the trees.
pub(super) struct Summed {
    pub growth: f64,
    pub range: f64,
    /// The variance of the logarithms of the plies' mean standard deviations.
    pub unevenness: f64,
    pub miss: f64,
    pub square_miss: f64,
    pub crps: f64,
    pub pit: [f64; CELLS],
}

impl Summed {
    pub fn of(table: &Table, plies: &[usize], weights: Option<&[f64]>) -> Option<Summed> {
        let mut points = Vec::with_capacity(plies.len());
        let mut all = Sums::default();
        let (mut miss, mut square_miss, mut crps) = (0.0, 0.0, 0.0);
        for &ply in plies {
            let sums = total(table, ply, weights);
            points.push((ply as f64, sums.sd().filter(|sd| *sd > 0.0)?));
            for (covered, level) in sums.covered.iter().zip(LEVELS) {
                let off = sums.share(*covered)? - level;
                miss += off.abs();
                square_miss += off * off;
            }
            crps += sums.share(sums.crps)?;
            all.add_all(&sums, 1.0);
        }
        if points.len() < 2 {
            return None;
        }
        let n = points.len() as f64;
        let sds = || points.iter().map(|p| p.1);
        let mean_log = sds().map(f64::ln).sum::<f64>() / n;
        let levels = n * LEVELS.len() as f64;
        Some(Summed {
            growth: exponential_rate(&points)?.exp(),
            range: sds().fold(0.0, f64::max) / sds().fold(f64::INFINITY, f64::min),
            unevenness: sds().map(|sd| (sd.ln() - mean_log).powi(2)).sum::<f64>() / n,
            miss: miss / levels,
            square_miss: square_miss / levels,
            crps: crps / n,
            pit: all.pit.map(|cell| all.share(cell).unwrap_or(0.0)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use belief::score::Forecast;
    use belief::{Density, Grid};

    /// One tree whose ply p has the given standard deviation and transforms.
    fn table(plies: &[(f64, f64)]) -> Table {
        let row = plies.iter().map(|(sd, pit)| {
            let mut sums = Sums::default();
            let pit = belief::score::Pit {
                low: *pit,
                high: *pit,
            };
            sums.add(
                *sd,
                Some(Judged {
                    pit,
                    crps: 0.1,
                    error: -0.2,
                }),
            );
            sums
        });
        vec![row.collect()]
    }

    /// By hand: .1, .2, .4 double from ply to ply; their logarithms have the variance 2/3 ln² 2. The transforms .5, .9 and
    /// .01 lie within (50, 80, 90 %): all, none (.9 is the end of the 80 % interval, which is left out; the 90 % interval
    /// has it) and none.
    #[test]
    fn the_figures_over_plies_are_those_by_hand() {
        let table = table(&[(9.0, 0.5), (0.1, 0.5), (0.2, 0.9), (0.4, 0.01)]);
        assert_eq!(reached(&table), [1, 2, 3]);
        let summed = Summed::of(&table, &[1, 2, 3], None).expect("plies");
        let ln2 = std::f64::consts::LN_2;
        assert!((summed.growth - 2.0).abs() < 1e-9 && (summed.range - 4.0).abs() < 1e-9);
        assert!((summed.unevenness - ln2 * ln2 * 2.0 / 3.0).abs() < 1e-9);
        let off = [0.5, 0.2, 0.1, 0.5, 0.8, 0.1, 0.5, 0.8, 0.9];
        assert!(
            (summed.miss - off.iter().sum::<f64>() / 9.0).abs() < 1e-9,
            "{}",
            summed.miss
        );
        let squares: f64 = off.iter().map(|x| x * x).sum();
        assert!((summed.square_miss - squares / 9.0).abs() < 1e-9);
        assert!((summed.crps - 0.1).abs() < 1e-12);
        let resamples = Resamples::new(1, 20, 1);
        let ply = &figures(&table, &resamples)[1];
        assert_eq!((ply.n, ply.trees), (1, 1));
        assert!((ply.rmse - 0.2).abs() < 1e-12 && (ply.bias + 0.2).abs() < 1e-12);
        assert!((ply.distance - 0.5).abs() < 1e-12, "{}", ply.distance);
    }

    #[test]
    fn a_flat_histogram_is_at_no_distance() {
        assert!(distance(&[0.1; CELLS]) < 1e-12);
        let mut low = [0.0; CELLS];
        low[0] = 1.0;
        assert!((distance(&low) - 0.9).abs() < 1e-12);
    }

    /// Truths that are drawn from the very belief: its mean score is half of the mean distance of two draws, and the
    /// intervals cover what they promise. The values are those of a logistic distribution with scale .3 in the logit, by
    /// numerical integration (Python): E|X - X'| / 2 = .140611, standard deviation .250182.
    #[test]
    fn calibrated_beliefs_have_the_score_of_theory() {
        let grid = Grid::sinh();
        let belief = Density::logistic(&grid, 0.0, 0.3);
        let forecast = Forecast::of(&belief, &grid);
        let mut sums = Sums::default();
        for i in 0..4_000 {
            let share = (f64::from(i) + 0.5) / 4_000.0;
            let truth = (0.3 * (share / (1.0 - share)).ln() / 2.0).tanh();
            let judged = Judged {
                pit: forecast.pit(truth),
                crps: forecast.crps(truth),
                error: -truth,
            };
            sums.add(f64::from(belief.sd(&grid)), Some(judged));
        }
        for (covered, level) in sums.covered.iter().zip(LEVELS) {
            assert!((covered / 4_000.0 - level).abs() < 0.01, "{covered}");
        }
        assert!(
            (sums.crps / 4_000.0 - 0.140_611).abs() < 5e-4,
            "{}",
            sums.crps / 4_000.0
        );
        assert!(
            (sums.sd / 4_000.0 - 0.250_182).abs() < 2e-3,
            "{}",
            sums.sd / 4_000.0
        );
        assert!(distance(&sums.pit.map(|c| c / 4_000.0)) < 0.01);
    }
}
