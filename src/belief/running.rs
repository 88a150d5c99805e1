//! The running product of the children's CDFs, used by probabilistic alpha-beta.

use super::{BINS, Cdf, Density, Grid, LANES};

/// Q = prod q_i over the children seen so far: the CDF of their maximum, in `f32`. Lane 63 stays 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Running {
    pub q: [f32; LANES],
}

impl Default for Running {
    fn default() -> Self {
        Running::new()
    }
}

impl Running {
    /// Returns the product over no children: the maximum of an empty set is below every bin.
    pub fn new() -> Running {
        Running { q: [1.0; LANES] }
    }

    /// Adds a child, in the node's own view.
    pub fn multiply(&mut self, child: &Cdf) {
        self.multiply_q(&child.to_f32());
    }

    /// Adds a child given as a CDF in `f32` (the first `BINS` lanes are read).
    pub fn multiply_q(&mut self, child: &[f32; LANES]) {
        for (q, c) in self.q[..BINS].iter_mut().zip(child) {
            let product = *q * c;
            // Products below 1e-20 only lead to denormals, which are slow.
            *q = if product < 1e-20 { 0.0 } else { product };
        }
    }

    /// Returns P(max >= bin); this is 1 for bin 0.
    pub fn p_at_least(&self, bin: usize) -> f32 {
        match bin {
            0 => 1.0,
            b if b >= BINS => 0.0,
            b => 1.0 - self.q[b - 1],
        }
    }

    /// Returns the highest bin with P(max >= bin) >= `confidence`, or 0 if there is none.
    pub fn highest_bin(&self, confidence: f32) -> usize {
        // q ascends, so P(max >= bin) descends.
        self.q[..BINS - 1].partition_point(|&q| 1.0 - q >= confidence)
    }

    /// Returns the belief of the maximum from the other side's view, as a CDF in `f32`.
    pub fn negated_q(&self) -> [f32; LANES] {
        let mut out = [1.0; LANES];
        let mirrored = self.q[..BINS - 1].iter().rev();
        for (o, q) in out.iter_mut().zip(mirrored) {
            *o = 1.0 - q;
        }
        out
    }

    /// Returns the masses of the maximum. Before the first child all mass is in the first bin.
    pub fn density(&self) -> Density {
        let mut mass = [0.0; LANES];
        let mut before = 0.0;
        for (m, &q) in mass[..BINS].iter_mut().zip(&self.q) {
            *m = q - before;
            before = q;
        }
        Density(mass)
    }

    pub fn cdf(&self) -> Cdf {
        Cdf::from_f32(&self.q)
    }

    /// The mean expected score of the maximum.
    pub fn mean(&self, grid: &Grid) -> f32 {
        self.density().mean(grid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atoms_are_plain_maxima() {
        let mut best = Running::new();
        assert_eq!((best.highest_bin(0.9), best.p_at_least(1)), (0, 0.0));
        for (bin, max) in [(20, 20), (7, 20), (41, 41), (0, 41), (62, 62)] {
            best.multiply(&Cdf::atom(bin));
            for confidence in [0.01, 0.5, 0.99] {
                assert_eq!(best.highest_bin(confidence), max);
            }
            assert_eq!((best.p_at_least(max), best.p_at_least(max + 1)), (1.0, 0.0));
            assert_eq!(best.cdf(), Cdf::atom(max));
            assert_eq!(best.density(), Density::atom(max));
        }
    }

    #[test]
    fn highest_bin_is_the_last_that_is_certain_enough() {
        let grid = Grid::sinh();
        let mut running = Running::new();
        for mean in [-0.4, 0.1, 0.3] {
            running.multiply(&Density::logistic(&grid, mean, 0.3).cdf());
            for confidence in [0.3, 0.5, 0.9, 0.99] {
                let bin = running.highest_bin(confidence);
                assert!(running.p_at_least(bin) >= confidence);
                assert!(running.p_at_least(bin + 1) < confidence);
            }
        }
        let twice = Running {
            q: running.negated_q(),
        }
        .negated_q();
        for (a, b) in twice.iter().zip(&running.q) {
            assert!((a - b).abs() < 1e-6);
        }
    }
}
