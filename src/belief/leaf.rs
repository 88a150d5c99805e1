//! Beliefs of leaves, and a table that makes them fast.

use super::{BINS, Cdf, Density, Grid, LANES, ONE};

/// The belief of a static evaluation: logistic in the logit around `location` with scale `tau` (sd = 1.814 tau),
/// clamped to the bins that don't mean certainty. `tau` <= 0 gives an atom.
#[must_use]
pub fn leaf(grid: &Grid, location: f32, tau: f32) -> Cdf {
    Density::logistic(grid, location, tau).cdf()
}

/// Leaf beliefs without exponentials per bin: P(X <= edge) = 1/(1 + e^(location/tau) e^(-edge/tau)), where the
/// second factor is kept for [`LeafTable::WIDTHS`] widths. The location is exact, the width rounded to the nearest
/// of the widths (within 1.3 %); 32 KiB.
#[derive(Clone, Debug)]
pub struct LeafTable {
    rows: Vec<Row>,
}

#[derive(Clone, Debug)]
struct Row {
    inverse_tau: f32,
    /// e^(-edge/tau) at each bin's upper edge; infinite below the first inner bin, 0 from the last on.
    factor: [f32; LANES],
}

impl LeafTable {
    pub const WIDTHS: usize = 128;
    /// Narrowest and widest scale kept; others are clamped. (e^(8/.1) is within `f32`.)
    pub const TAU: (f32, f32) = (0.1, 2.5);

    #[must_use]
    pub fn new(grid: &Grid) -> LeafTable {
        let edges = grid.logit_edges();
        let (first, last) = grid.inner();
        let row = |k: usize| {
            let tau = Self::width(k);
            let mut factor = [0.0f32; LANES];
            for bin in 0..last {
                factor[bin] = if bin < first {
                    f32::INFINITY
                } else {
                    (-edges[bin + 1] / tau).exp() as f32
                };
            }
            Row {
                inverse_tau: (1.0 / tau) as f32,
                factor,
            }
        };
        LeafTable {
            rows: (0..Self::WIDTHS).map(row).collect(),
        }
    }

    fn width(k: usize) -> f64 {
        let (lo, hi) = (f64::from(Self::TAU.0), f64::from(Self::TAU.1));
        lo * (hi / lo).powf(k as f64 / (Self::WIDTHS - 1) as f64)
    }

    /// The width that [`LeafTable::get`] uses for `tau`.
    #[must_use]
    pub fn rounded_width(&self, tau: f32) -> f32 {
        1.0 / self.rows[self.row(tau)].inverse_tau
    }

    fn row(&self, tau: f32) -> usize {
        let (lo, hi) = Self::TAU;
        let steps = (Self::WIDTHS - 1) as f32 / (hi / lo).ln();
        // Casting saturates, and makes NaN 0.
        (((tau / lo).ln() * steps + 0.5) as usize).min(Self::WIDTHS - 1)
    }

    /// The belief of a leaf at `location` (logit, side to move) with scale `tau`: [`leaf`] with the width rounded.
    #[must_use]
    pub fn get(&self, location: f32, tau: f32) -> Cdf {
        let row = &self.rows[self.row(tau)];
        let location = if location.is_nan() { 0.0 } else { location };
        let scale = (location * row.inverse_tau).clamp(-80.0, 80.0).exp();
        let mut lanes = [0; LANES];
        for (lane, factor) in lanes.iter_mut().zip(&row.factor) {
            let q = 1.0 / (1.0 + scale * factor);
            // Adding 2^23 leaves the rounded integer in the low bits, and vectorises where a cast does not.
            *lane = (q * f32::from(ONE) + 8_388_608.0).to_bits() as u16;
        }
        lanes[BINS] = 0;
        Cdf(lanes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_agrees_with_the_formula() {
        for grid in [Grid::sinh(), Grid::uniform()] {
            let table = LeafTable::new(&grid);
            for step in 0..=200 {
                let location = -10.0 + 0.1 * step as f32;
                for tau in [0.01, 0.1, 0.15, 0.3, 0.58, 1.0, 2.5, 9.0] {
                    let width = table.rounded_width(tau);
                    let (fast, exact) = (table.get(location, tau), leaf(&grid, location, width));
                    for (bin, (a, b)) in fast.0.iter().zip(&exact.0).enumerate() {
                        let off = (i32::from(*a) - i32::from(*b)).abs();
                        // One rounding step, and f32's rounding of e^(location/tau).
                        assert!(off <= 2, "{location} {tau} {bin}: {a} {b}");
                    }
                }
            }
            for tau in [0.1, 0.27, 0.6, 2.4] {
                assert!((table.rounded_width(tau) / tau - 1.0).abs() < 0.013);
            }
        }
    }

    #[test]
    fn a_static_leaf_is_never_certain() {
        let grid = Grid::sinh();
        let table = LeafTable::new(&grid);
        for location in [-1e9, -9.0, 0.0, 3.0, f32::INFINITY, f32::NAN] {
            for tau in [0.0, 0.2, 3.0, f32::NAN] {
                for cdf in [table.get(location, tau), leaf(&grid, location, tau)] {
                    assert_eq!((cdf.0[0], cdf.0[BINS - 2], cdf.0[BINS - 1]), (0, ONE, ONE));
                }
            }
        }
    }
}
