//! Mean, spread and mean logit of a stored belief in one pass.

use belief::{BINS, Cdf, Grid, LANES, ONE};

/// What the search reads off a belief.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Moments {
    /// Mean expected score.
    pub mean: f32,
    /// Standard deviation of the expected score.
    pub sd: f32,
    /// Mean in the grid's own variable: the logit in chess. By this moves are compared: it tells
    /// good from better where the expected score is near ±1.
    pub favour: f32,
}

/// The weights of the three sums, for one grid. By parts: E f = f_last - sum q(x) (f(x+1) - f(x)).
#[derive(Clone, Debug)]
pub(super) struct Weights {
    mean: [f32; LANES],
    square: [f32; LANES],
    favour: [f32; LANES],
    last: [f32; 3],
}

impl Weights {
    pub fn new(grid: &Grid) -> Weights {
        let centres = grid.centres();
        let edges = grid.own_edges();
        // The end bins mean certainty: one bin's width beyond the last finite edge.
        let own = |bin: usize| match bin {
            0 if edges[0].is_infinite() => 2.0 * edges[1] - edges[2],
            b if edges[b + 1].is_infinite() => 2.0 * edges[b] - edges[b - 1],
            b => 0.5 * (edges[b] + edges[b + 1]),
        };
        let steps = |f: &dyn Fn(usize) -> f64| {
            let mut weights = [0.0; LANES];
            for (bin, weight) in weights[..BINS - 1].iter_mut().enumerate() {
                *weight = ((f(bin + 1) - f(bin)) / f64::from(ONE)) as f32;
            }
            weights
        };
        let centre = |bin: usize| f64::from(centres[bin]);
        Weights {
            mean: steps(&centre),
            square: steps(&|bin| centre(bin).powi(2)),
            favour: steps(&own),
            last: [
                centres[BINS - 1],
                centres[BINS - 1].powi(2),
                own(BINS - 1) as f32,
            ],
        }
    }

    pub fn of(&self, belief: &Cdf) -> Moments {
        let q = belief.0.map(f32::from);
        let mean = self.last[0] - dot(&q, &self.mean);
        let square = self.last[1] - dot(&q, &self.square);
        let favour = self.last[2] - dot(&q, &self.favour);
        Moments {
            mean: mean.clamp(-1.0, 1.0),
            sd: (square - mean * mean).max(0.0).sqrt(),
            favour,
        }
    }
}

/// Eight running sums, so that the loop runs in vectors and adds in a fixed order.
#[inline]
fn dot(a: &[f32; LANES], b: &[f32; LANES]) -> f32 {
    let mut sums = [0.0f32; 8];
    for (a, b) in a.chunks_exact(8).zip(b.chunks_exact(8)) {
        for ((sum, x), y) in sums.iter_mut().zip(a).zip(b) {
            *sum += x * y;
        }
    }
    sums.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use belief::{MIDDLE, leaf};

    #[test]
    fn they_agree_with_the_beliefs_own() {
        for grid in [Grid::sinh(), Grid::uniform()] {
            let weights = Weights::new(&grid);
            for (location, tau) in [(0.0, 0.3), (1.2, 0.3), (-2.0, 0.6), (5.0, 0.2)] {
                let belief = leaf(&grid, location, tau);
                let moments = weights.of(&belief);
                assert!((moments.mean - belief.mean(&grid)).abs() < 1e-5);
                assert!((moments.sd - belief.sd(&grid)).abs() < 1e-3);
            }
            let draw = weights.of(&Cdf::atom(MIDDLE));
            assert!(draw.mean.abs() < 1e-6 && draw.favour.abs() < 1e-5 && draw.sd < 1e-3);
            assert!(
                (weights.of(&Cdf::atom(0)).favour + weights.of(&Cdf::atom(BINS - 1)).favour).abs()
                    < 1e-4
            );
        }
    }

    #[test]
    fn the_mean_logit_is_the_location() {
        let grid = Grid::sinh();
        let favour = Weights::new(&grid).of(&leaf(&grid, 0.7, 0.3)).favour;
        assert!((favour - 0.7).abs() < 0.01, "{favour}");
    }
}
