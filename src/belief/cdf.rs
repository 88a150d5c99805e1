//! A belief in the form in which it is stored: a CDF in 16-bit steps.

use super::{BINS, Density, Grid, LANES, ONE};

/// A CDF: P(X <= bin) in steps of 1/65535, non-decreasing; lane 62 is 65535. Lane 63 is not part of the belief: a tree
/// may keep a version number there, so everything here ignores it when reading and writes 0.
///
/// It is aligned to cache lines and fills two of them.
///
/// The CDF is stored rather than the density because its rounding errors (7.6e-6) do not add up over the bins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Cdf(pub [u16; LANES]);

const UNIT: f32 = 1.0 / ONE as f32;

impl Cdf {
    /// Returns a belief with all its mass in one bin (the last bin if `bin` is out of range).
    pub fn atom(bin: usize) -> Cdf {
        let mut lanes = [0; LANES];
        lanes[bin.min(BINS - 1)..BINS].fill(ONE);
        Cdf(lanes)
    }

    /// Rounds a non-decreasing CDF in 0..1 (the first `BINS` lanes are read), makes it monotone and ends it with 1.
    pub fn from_f32(q: &[f32; LANES]) -> Cdf {
        let mut lanes = [0; LANES];
        for (lane, &q) in lanes.iter_mut().zip(q) {
            // A NaN becomes 0 here, which keeps the CDF monotone.
            *lane = (q * f32::from(ONE) + 0.5).clamp(0.0, f32::from(ONE)) as u16;
        }
        let mut highest = 0;
        for lane in &mut lanes[..BINS - 1] {
            highest = highest.max(*lane);
            *lane = highest;
        }
        lanes[BINS - 1] = ONE;
        lanes[BINS] = 0;
        Cdf(lanes)
    }

    /// Returns P(X <= bin) as `f32`; lane 63 is 1.
    pub fn to_f32(&self) -> [f32; LANES] {
        let mut q = [0.0; LANES];
        for (q, &c) in q.iter_mut().zip(&self.0) {
            *q = f32::from(c) * UNIT;
        }
        q[BINS] = 1.0;
        q
    }

    pub fn density(&self) -> Density {
        let mut mass = [0.0; LANES];
        let mut before = 0;
        for (m, &c) in mass[..BINS].iter_mut().zip(&self.0) {
            *m = f32::from(c.saturating_sub(before)) * UNIT;
            before = c;
        }
        Density(mass)
    }

    /// Returns the same belief from the other side's view. This is exact: negating twice restores every bit.
    pub fn negated(&self) -> Cdf {
        let mut lanes = [0; LANES];
        let mirrored = self.0[..BINS - 1].iter().rev();
        for (lane, q) in lanes.iter_mut().zip(mirrored) {
            *lane = ONE - q;
        }
        lanes[BINS - 1] = ONE;
        Cdf(lanes)
    }

    /// The mean expected score. An atom's mean is exactly the centre of its bin.
    pub fn mean(&self, grid: &Grid) -> f32 {
        // Summation by parts, c_last - sum q(x) (c(x+1) - c(x)), in eight parallel sums.
        let mut sums = [0.0f64; 8];
        for (q, steps) in self.0.chunks_exact(8).zip(grid.steps().chunks_exact(8)) {
            for (sum, (&q, step)) in sums.iter_mut().zip(q.iter().zip(steps)) {
                *sum += f64::from(q) * step;
            }
        }
        let below: f64 = sums.iter().sum();
        (f64::from(grid.centres()[BINS - 1]) - below / f64::from(ONE)) as f32
    }

    /// The standard deviation of the expected score.
    pub fn sd(&self, grid: &Grid) -> f32 {
        self.density().sd(grid)
    }

    /// Returns a quantile; see [`Density::quantile`].
    pub fn quantile(&self, p: f32, grid: &Grid) -> f32 {
        self.density().quantile(p, grid)
    }

    /// Returns P(X >= bin): 1 for bin 0, and 0 beyond the last bin.
    pub fn p_at_least(&self, bin: usize) -> f32 {
        match bin {
            0 => 1.0,
            b if b >= BINS => 0.0,
            b => f32::from(ONE - self.0[b - 1]) * UNIT,
        }
    }

    /// Returns the bin that holds all the mass, if there is one.
    pub fn is_atom(&self) -> Option<usize> {
        let bin = self.0[..BINS].iter().position(|&c| c > 0)?;
        (self.0[bin] == ONE).then_some(bin)
    }

    /// Returns the distribution of the maximum of two independent beliefs.
    pub fn max(&self, other: &Cdf) -> Cdf {
        let mut lanes = [0; LANES];
        let pairs = self.0[..BINS].iter().zip(&other.0);
        for (lane, (&a, &b)) in lanes.iter_mut().zip(pairs) {
            let product = u32::from(a) * u32::from(b);
            *lane = ((product + u32::from(ONE) / 2) / u32::from(ONE)) as u16;
        }
        Cdf(lanes)
    }

    /// Returns the belief moved by `by` in the grid's own variable (the logit for chess), with the mass of each bin spread
    /// evenly over it. What would leave the inner bins stays in the outermost of them; certain mass stays where it is.
    pub fn moved(&self, by: f32, grid: &Grid) -> Cdf {
        let by = f64::from(by);
        if by == 0.0 || by.is_nan() {
            return *self;
        }
        let edges = grid.own_edges();
        let (first, last) = grid.inner();
        let up_to = |edge: usize| edge.checked_sub(1).map_or(0, |bin| self.0[bin]);
        let mut lanes = self.0;
        lanes[BINS] = 0;
        let mut bin = first;
        for to in first..last {
            let from = (edges[to + 1] - by).clamp(edges[first], edges[last + 1]);
            while bin < last && edges[bin + 1] < from {
                bin += 1;
            }
            let (low, high) = (f64::from(up_to(bin)), f64::from(up_to(bin + 1)));
            let share = (from - edges[bin]) / (edges[bin + 1] - edges[bin]);
            lanes[to] = (low + share * (high - low) + 0.5) as u16;
        }
        Cdf(lanes)
    }

    /// Conditions the belief on lying in bins `lo..=hi`; see [`Density::clamp_to`].
    pub fn clamp_to(&self, lo: usize, hi: usize) -> Cdf {
        if lo == 0 && hi >= BINS - 1 {
            return *self;
        }
        let hi = hi.min(BINS - 1);
        let lo = lo.min(hi);
        let below = if lo == 0 { 0 } else { self.0[lo - 1] };
        let inside = self.0[hi].saturating_sub(below);
        if inside == 0 {
            let above = ONE - self.0[hi];
            return Self::atom(if below >= above { lo } else { hi });
        }
        let scale = f32::from(ONE) / f32::from(inside);
        let mut lanes = [0; LANES];
        for (lane, &q) in lanes[lo..hi].iter_mut().zip(&self.0[lo..hi]) {
            *lane = (f32::from(q.saturating_sub(below)) * scale + 0.5) as u16;
        }
        lanes[hi..BINS].fill(ONE);
        Cdf(lanes)
    }
}

impl From<&Density> for Cdf {
    fn from(density: &Density) -> Cdf {
        let total: f64 = density.0[..BINS].iter().map(|&p| f64::from(p)).sum();
        let scale = if total > 0.0 { 1.0 / total } else { 0.0 };
        let mut lanes = [0; LANES];
        let mut sum = 0.0;
        for (lane, &p) in lanes[..BINS].iter_mut().zip(&density.0) {
            sum += f64::from(p.max(0.0));
            *lane = (sum * scale * f64::from(ONE) + 0.5) as u16;
        }
        lanes[BINS - 1] = ONE;
        Cdf(lanes)
    }
}

impl From<Density> for Cdf {
    fn from(density: Density) -> Cdf {
        Cdf::from(&density)
    }
}

impl From<&Cdf> for Density {
    fn from(cdf: &Cdf) -> Density {
        cdf.density()
    }
}

impl From<Cdf> for Density {
    fn from(cdf: Cdf) -> Density {
        cdf.density()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moved_belief_has_its_mass_and_another_mean() {
        for grid in [Grid::sinh(), Grid::uniform()] {
            let belief = Density::normal(&grid, 0.1, 0.3).cdf();
            let (first, last) = grid.inner();
            for by in [-9.0, -0.5, -0.03, 0.0, 0.2, 0.4, 9.0] {
                let moved = belief.moved(by, &grid);
                assert!(moved.0[..BINS].is_sorted());
                assert_eq!((moved.0[last], moved.0[BINS]), (ONE, 0));
                // Small steps move the mean by as much in the variable itself.
                let expected = Density::normal(&grid, 0.1 + by, 0.3).mean(&grid);
                if by.abs() < 0.6 && grid.ends_certain() {
                    assert!((moved.mean(&grid) - expected).abs() < 2e-3, "{by}");
                }
            }
            assert_eq!(belief.moved(f32::NAN, &grid), belief);
            let all_up = belief.moved(99.0, &grid);
            assert_eq!(all_up.is_atom(), Some(last));
            assert_eq!(belief.moved(-99.0, &grid).is_atom(), Some(first));
        }
        // What is certain stays.
        let grid = Grid::sinh();
        let mut half = Cdf::atom(BINS - 1);
        half.0[..BINS - 1].fill(ONE / 2);
        assert_eq!(half.moved(1.0, &grid), half);
    }
}
