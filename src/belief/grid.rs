//! The grid: where the bins lie on the scale of the expected score.

use super::special::{expected, logit};
use super::{BINS, LANES, MIDDLE};

/// Bin edges and centres in expected score: `BINS + 1` edges from -1 to +1, symmetric about 0.
///
/// If `ends_certain` (chess), the two end bins stand for a certain loss and a certain win: their centres are exactly -1
/// and +1, and only a proof puts mass there.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    edges: [f32; LANES],
    centres: [f32; LANES],
    /// The distance from each centre to the next, 0 from the last one on.
    steps: [f64; LANES],
    own_edges: [f64; LANES],
    variable: Variable,
}

/// The variable in which a grid's leaves are normally distributed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variable {
    /// ln((1+e)/(1-e)); in chess, centipawns / 180.
    Logit,
    /// The expected score itself.
    Expected,
}

impl Grid {
    /// Returns the grid of chess: edges at the logits 8 sinh(3u)/sinh(3) with u uniform in -1..1, so that bins are
    /// narrow near 0 (.095 in the logit) and wide where the game is decided. The end edges are exactly ±1 and the end
    /// bins mean certainty.
    pub fn sinh() -> Grid {
        let at = |i: usize| {
            let u = 2.0 * i as f64 / BINS as f64 - 1.0;
            8.0 * (3.0 * u).sinh() / 3f64.sinh()
        };
        let mut own = symmetric(at);
        own[0] = f64::NEG_INFINITY;
        own[BINS] = f64::INFINITY;
        Grid::build(own, Variable::Logit)
    }

    /// Returns the grid of toy trees: edges uniform in the expected score, and end bins like any other.
    pub fn uniform() -> Grid {
        let own = symmetric(|i| 2.0 * i as f64 / BINS as f64 - 1.0);
        Grid::build(own, Variable::Expected)
    }

    /// Returns the grid [at points](Grid::at_points), and without them that of chess.
    pub fn of(points: Option<&[f32; MIDDLE]>) -> Grid {
        points.map_or_else(Grid::sinh, Grid::at_points)
    }

    /// Returns the grid whose bins have these centres: the points, which lie above 0 and ascend, the same below 0, and 0
    /// itself. An edge lies in the middle between two centres, so that the sum over the bins of a distribution is its
    /// mean by the midpoint rule, and an exact value at a centre is exact. End bins are like any other.
    pub fn at_points(points: &[f32; MIDDLE]) -> Grid {
        let mut centres = [0.0; LANES];
        for (i, &point) in points.iter().enumerate() {
            centres[MIDDLE + 1 + i] = point;
            centres[MIDDLE - 1 - i] = -point;
        }
        let own = symmetric(|i| match i {
            0 => -1.0,
            i => 0.5 * (f64::from(centres[i - 1]) + f64::from(centres[i])),
        });
        Grid {
            centres,
            steps: steps(&centres),
            ..Grid::build(own, Variable::Expected)
        }
    }

    fn build(own_edges: [f64; LANES], variable: Variable) -> Grid {
        let edges = own_edges.map(|x| match variable {
            Variable::Logit => expected(x) as f32,
            Variable::Expected => x as f32,
        });
        let mut centres = [0.0; LANES];
        for bin in 0..BINS {
            // This form is symmetric to the last bit, because (a + b)/2 commutes with negation.
            centres[bin] = 0.5 * (edges[bin] + edges[bin + 1]);
        }
        if variable == Variable::Logit {
            centres[0] = -1.0;
            centres[BINS - 1] = 1.0;
        }
        Grid {
            edges,
            centres,
            steps: steps(&centres),
            own_edges,
            variable,
        }
    }

    /// The `BINS + 1` edges in expected score, ascending from -1 to +1.
    pub fn edges(&self) -> &[f32; LANES] {
        &self.edges
    }

    /// Bin centres in expected score: the first `BINS` lanes; the last lane is 0.
    pub fn centres(&self) -> &[f32; LANES] {
        &self.centres
    }

    /// The distance from each bin's centre to the next, 0 in the last two lanes.
    pub(super) fn steps(&self) -> &[f64; LANES] {
        &self.steps
    }

    /// The edges in the grid's own variable (logit edges run from -inf to +inf).
    pub fn own_edges(&self) -> &[f64; LANES] {
        &self.own_edges
    }

    /// The edges as logits; the outer two are infinite.
    pub fn logit_edges(&self) -> [f64; LANES] {
        match self.variable {
            Variable::Logit => self.own_edges,
            Variable::Expected => self.own_edges.map(logit),
        }
    }

    /// Whether the end bins mean a certain loss and a certain win.
    pub fn ends_certain(&self) -> bool {
        self.variable == Variable::Logit
    }

    /// Returns the first and last bin that a belief without proof may use.
    pub fn inner(&self) -> (usize, usize) {
        if self.ends_certain() {
            (1, BINS - 2)
        } else {
            (0, BINS - 1)
        }
    }

    /// Returns the bin of an expected score (clamped to [-1, 1]). NaN counts as 0.
    pub fn bin_of(&self, e: f32) -> usize {
        let e = if e.is_nan() { 0.0 } else { e };
        // Counts the inner edges at or below |e| and mirrors the result below 0, so that bin_of(-e) = BINS-1 -
        // bin_of(e).
        let bin = self.edges[1..BINS].partition_point(|&edge| edge <= e.abs());
        if e < 0.0 { BINS - 1 - bin } else { bin }
    }

    /// Returns the bin of an evaluation: like [`Grid::bin_of`], but never a bin that means certainty.
    pub fn bin_inner(&self, e: f32) -> usize {
        let (first, last) = self.inner();
        self.bin_of(e).clamp(first, last)
    }
}

/// The distance from each centre to the next, 0 from the last one on.
fn steps(centres: &[f32; LANES]) -> [f64; LANES] {
    let mut steps = [0.0; LANES];
    for bin in 0..BINS - 1 {
        steps[bin] = f64::from(centres[bin + 1]) - f64::from(centres[bin]);
    }
    steps
}

fn symmetric(at: impl Fn(usize) -> f64) -> [f64; LANES] {
    let mut edges = [0.0; LANES];
    for i in 0..LANES / 2 {
        edges[i] = at(i);
        edges[BINS - i] = -edges[i];
    }
    edges
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cdf;

    #[test]
    fn points_are_centres_and_edges_lie_between_them() {
        // Three leaders close together, and one value far away.
        let points = std::array::from_fn(|i| match i {
            i if i == MIDDLE - 1 => 1.0,
            i => 0.01 + 0.001 * i as f32,
        });
        let grid = Grid::at_points(&points);
        for (i, &point) in points.iter().enumerate() {
            assert_eq!(grid.centres()[MIDDLE + 1 + i], point);
            for (e, bin) in [(point, MIDDLE + 1 + i), (-point, MIDDLE - 1 - i)] {
                assert_eq!(grid.bin_of(e), bin);
                assert_eq!(Cdf::atom(bin).mean(&grid), e);
            }
        }
        assert_eq!((grid.edges()[0], grid.edges()[BINS]), (-1.0, 1.0));
        let normal = crate::Density::normal(&grid, 0.025, 0.003).cdf();
        assert!((normal.mean(&grid) - 0.025).abs() < 1e-5);
    }

    #[test]
    fn both_grids_are_symmetric_and_ascending() {
        for grid in [Grid::sinh(), Grid::uniform()] {
            assert_eq!((grid.edges()[0], grid.edges()[BINS]), (-1.0, 1.0));
            assert!(grid.edges().windows(2).all(|w| w[0] < w[1]));
            assert!(grid.centres()[..BINS].windows(2).all(|w| w[0] < w[1]));
            for bin in 0..BINS {
                assert_eq!(grid.centres()[bin], -grid.centres()[BINS - 1 - bin]);
                assert_eq!(grid.bin_of(grid.centres()[bin]), bin);
            }
            assert_eq!(grid.bin_of(0.0), MIDDLE);
            assert_eq!((grid.bin_of(-1.0), grid.bin_of(1.0)), (0, BINS - 1));
            assert_eq!((grid.bin_of(-7.0), grid.bin_of(f32::NAN)), (0, MIDDLE));
        }
    }

    #[test]
    fn certainty_is_kept_for_proofs() {
        let chess = Grid::sinh();
        assert_eq!((chess.centres()[0], chess.centres()[BINS - 1]), (-1.0, 1.0));
        assert_eq!(chess.bin_inner(1.0), BINS - 2);
        assert_eq!(chess.bin_inner(-1.0), 1);
        assert_eq!(Grid::uniform().bin_inner(1.0), BINS - 1);
        assert!(Grid::uniform().centres()[0] > -1.0);
    }
}
