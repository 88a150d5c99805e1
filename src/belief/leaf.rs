//! Beliefs of leaves, and a table that computes them fast.

use super::{BINS, Cdf, Density, Grid, LANES, ONE};

/// Returns the belief for a static evaluation: logistic in the logit around `location` with scale `tau` (sd = 1.814 tau),
/// clamped to the bins that do not mean certainty. `tau` <= 0 gives an atom.
#[must_use]
pub fn leaf(grid: &Grid, location: f32, tau: f32) -> Cdf {
    Density::logistic(grid, location, tau).cdf()
}

/// Computes leaf beliefs without an exponential per bin: P(X <= edge) = 1/(1 + e^(location/tau) e^(-edge/tau)), where the
/// second factor is tabulated for about 150 widths (39 KiB). The location is exact; the width is rounded by at most 1.6 %.
#[derive(Clone, Debug)]
pub struct LeafTable {
    rows: Vec<Row>,
}

#[derive(Clone, Debug)]
struct Row {
    tau: f32,
    /// e^(-edge/tau) at each bin's upper edge; infinite below the first inner bin, 0 from the last on.
    factor: [f32; LANES],
}

/// A width's leading bits select its row: the exponent and five bits of the mantissa, which makes 32 rows per octave.
const DROPPED_BITS: u32 = 23 - 5;

impl LeafTable {
    /// The narrowest and the widest scale in the table; others are clamped. (e^(8/.09375) still fits into `f32`.)
    pub const TAU: (f32, f32) = (0.093_75, 2.5);

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
                    (-edges[bin + 1] / f64::from(tau)).exp() as f32
                };
            }
            Row { tau, factor }
        };
        LeafTable {
            rows: (0..=Self::row(Self::TAU.1)).map(row).collect(),
        }
    }

    /// Returns the width in the middle of row `k`.
    fn width(k: usize) -> f32 {
        let leading = (Self::TAU.0.to_bits() >> DROPPED_BITS) + k as u32;
        f32::from_bits((leading << DROPPED_BITS) | (1 << (DROPPED_BITS - 1)))
    }

    /// Returns the width that [`LeafTable::get`] uses for `tau`.
    #[must_use]
    pub fn rounded_width(&self, tau: f32) -> f32 {
        self.rows[Self::row(tau)].tau
    }

    fn row(tau: f32) -> usize {
        // With this order of comparisons a NaN becomes the narrowest scale.
        let tau = tau.max(Self::TAU.0).min(Self::TAU.1);
        ((tau.to_bits() >> DROPPED_BITS) - (Self::TAU.0.to_bits() >> DROPPED_BITS)) as usize
    }

    /// Returns the belief of a leaf at `location` (logit, side to move) with scale `tau`: [`leaf`] with a rounded width.
    #[must_use]
    pub fn get(&self, location: f32, tau: f32) -> Cdf {
        let row = &self.rows[Self::row(tau)];
        let location = if location.is_nan() { 0.0 } else { location };
        let scale = (location / row.tau).clamp(-85.0, 85.0).exp();
        let mut lanes = [0; LANES];
        for (lane, factor) in lanes.iter_mut().zip(&row.factor) {
            let q = 1.0 / (1.0 + scale * factor);
            // Adding 2^23 leaves the rounded integer in the low bits. Unlike a cast, it is vectorised.
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
                        // One step of rounding, plus the `f32` rounding of e^(location/tau).
                        assert!(off <= 2, "{location} {tau} {bin}: {a} {b}");
                    }
                }
            }
            for tau in [0.1, 0.27, 0.6, 2.4] {
                assert!((table.rounded_width(tau) / tau - 1.0).abs() < 0.0157);
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
