//! A belief as probability masses per bin, the form for calculating and drawing.

use super::special::{logistic_cdf, normal_cdf};
use super::{BINS, Cdf, Grid, LANES};

/// Probability masses per bin, which sum to 1 within rounding. Lane 63 is zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Density(pub [f32; LANES]);

impl Density {
    /// Returns a belief with all its mass in one bin (the last bin if `bin` is out of range).
    pub fn atom(bin: usize) -> Density {
        let mut mass = [0.0; LANES];
        mass[bin.min(BINS - 1)] = 1.0;
        Density(mass)
    }

    /// Returns equal mass in every bin, including the certain ones: no knowledge at all.
    pub fn uniform() -> Density {
        let mut mass = [1.0 / BINS as f32; LANES];
        mass[BINS] = 0.0;
        Density(mass)
    }

    /// Returns a normal distribution in the grid's own variable (the logit for chess, the expected score for toy
    /// trees), with `mean` and `sd` in that variable. The mass outside the inner bins is put into the outermost of
    /// them. `sd` <= 0 gives an atom.
    pub fn normal(grid: &Grid, mean: f32, sd: f32) -> Density {
        Self::spread(grid, grid.own_edges(), mean, sd, normal_cdf)
    }

    /// Returns a normal distribution in the expected score, on any grid.
    pub fn normal_expected(grid: &Grid, mean: f32, sd: f32) -> Density {
        Self::spread(grid, &grid.edges().map(f64::from), mean, sd, normal_cdf)
    }

    /// Returns an even distribution between two expected scores; an atom where they are the same.
    pub fn interval(grid: &Grid, lower: f32, upper: f32) -> Density {
        let (lower, upper) = (lower.clamp(-1.0, 1.0), upper.clamp(-1.0, 1.0));
        if upper - lower < 1e-6 {
            return Density::atom(grid.bin_inner(0.5 * (lower + upper)));
        }
        let edges = grid.edges();
        let (first, last) = (grid.bin_inner(lower), grid.bin_inner(upper));
        let mut mass = [0.0; LANES];
        for (bin, p) in mass.iter_mut().enumerate().take(last + 1).skip(first) {
            let from = if bin == first { lower } else { edges[bin] };
            let to = if bin == last { upper } else { edges[bin + 1] };
            *p = (to - from).max(0.0) / (upper - lower);
        }
        Density(mass)
    }

    /// Returns a normal distribution in the logit, on any grid. Mean and standard deviation are logits.
    pub fn normal_logit(grid: &Grid, mean_logit: f32, sd: f32) -> Density {
        Self::spread(grid, &grid.logit_edges(), mean_logit, sd, normal_cdf)
    }

    /// Returns a logistic distribution in the logit with scale `tau` (sd = 1.814 tau), on any grid.
    pub fn logistic(grid: &Grid, mean_logit: f32, tau: f32) -> Density {
        Self::spread(grid, &grid.logit_edges(), mean_logit, tau, logistic_cdf)
    }

    /// Like [`Density::logistic`], but the mass outside the inner bins goes into the bins of certainty. A forecast
    /// needs this, because a game may really end in one of them.
    pub fn forecast(grid: &Grid, mean_logit: f32, tau: f32) -> Density {
        let edges = grid.logit_edges();
        let (location, tau) = (f64::from(mean_logit), f64::from(tau));
        let upper = |bin: usize| match bin {
            b if b + 1 == BINS => 1.0,
            b => logistic_cdf((edges[b + 1] - location) / tau),
        };
        let mut mass = [0.0; LANES];
        let mut before = 0.0;
        for (bin, p) in mass[..BINS].iter_mut().enumerate() {
            let q = upper(bin);
            *p = (q - before) as f32;
            before = q;
        }
        Density(mass)
    }

    fn spread(
        grid: &Grid,
        edges: &[f64; LANES],
        location: f32,
        scale: f32,
        cdf: fn(f64) -> f64,
    ) -> Density {
        let (first, last) = grid.inner();
        let location = if location.is_nan() {
            0.0
        } else {
            f64::from(location)
        };
        if scale.is_nan() || scale <= 0.0 {
            let below = edges[1..BINS].partition_point(|&x| x <= location);
            return Self::atom(below.clamp(first, last));
        }
        let mut mass = [0.0; LANES];
        let mut before = 0.0;
        for bin in first..=last {
            let q = if bin == last {
                1.0
            } else {
                cdf((edges[bin + 1] - location) / f64::from(scale))
            };
            let p = q - before;
            // Masses this small have no effect but cost time as denormals.
            mass[bin] = if p < 1e-12 { 0.0 } else { p as f32 };
            before = q;
        }
        Density(mass)
    }

    /// The mean expected score.
    pub fn mean(&self, grid: &Grid) -> f32 {
        self.moment(grid, f64::from) as f32
    }

    /// The standard deviation of the expected score, with each bin's mass taken at its centre.
    pub fn sd(&self, grid: &Grid) -> f32 {
        let mean = self.moment(grid, f64::from);
        let variance = self.moment(grid, |c| (f64::from(c) - mean).powi(2));
        variance.max(0.0).sqrt() as f32
    }

    fn moment(&self, grid: &Grid, f: impl Fn(f32) -> f64) -> f64 {
        let pairs = self.0[..BINS].iter().zip(grid.centres());
        pairs.map(|(&p, &c)| f64::from(p) * f(c)).sum()
    }

    /// Returns the same belief from the other side's view.
    pub fn negated(&self) -> Density {
        let mut mass = self.0;
        mass[..BINS].reverse();
        Density(mass)
    }

    /// Returns the stored form, in steps of 1/65535.
    pub fn cdf(&self) -> Cdf {
        Cdf::from(self)
    }

    /// Returns the score below which a share `p` of the mass lies, treating the mass as spread evenly within each bin.
    /// All quantiles of an atom are the centre of its bin.
    pub fn quantile(&self, p: f32, grid: &Grid) -> f32 {
        let mut below = 0.0f32;
        let total: f32 = self.0[..BINS].iter().sum();
        let wanted = p.clamp(0.0, 1.0) * total;
        let mut last = None;
        for bin in (0..BINS).filter(|&b| self.0[b] > 0.0) {
            last = Some(bin);
            if below + self.0[bin] >= wanted {
                let certain = grid.ends_certain() && (bin == 0 || bin == BINS - 1);
                if certain || self.0[bin] >= total {
                    return grid.centres()[bin];
                }
                let part = ((wanted - below) / self.0[bin]).clamp(0.0, 1.0);
                let (lo, hi) = (grid.edges()[bin], grid.edges()[bin + 1]);
                return lo + part * (hi - lo);
            }
            below += self.0[bin];
        }
        last.map_or(0.0, |bin| grid.centres()[bin])
    }

    /// Conditions the belief on lying in bins `lo..=hi`: cuts it and normalises it again. An atom remains an atom. An
    /// atom outside the range, or a belief without mass in it, becomes an atom at the nearer bound.
    pub fn clamp_to(&self, lo: usize, hi: usize) -> Density {
        let hi = hi.min(BINS - 1);
        let lo = lo.min(hi);
        let inside: f32 = self.0[lo..=hi].iter().sum();
        if inside <= 1e-12 {
            let below: f32 = self.0[..lo].iter().sum();
            let above: f32 = self.0[hi + 1..BINS].iter().sum();
            return Self::atom(if below >= above { lo } else { hi });
        }
        let mut mass = [0.0; LANES];
        for (m, p) in mass[lo..=hi].iter_mut().zip(&self.0[lo..=hi]) {
            *m = p / inside;
        }
        Density(mass)
    }

    /// Returns the mixture of several beliefs. The weights need not be normalised; `None` if none is positive.
    pub fn mixture(weights: &[f32], parts: &[Density]) -> Option<Density> {
        let mut mass = [0.0; LANES];
        let mut total = 0.0;
        for (&w, part) in weights.iter().zip(parts).filter(|&(&w, _)| w > 0.0) {
            total += w;
            for (m, p) in mass.iter_mut().zip(&part.0) {
                *m += w * p;
            }
        }
        (total > 0.0).then(|| Density(mass.map(|m| m / total)))
    }

    /// Returns the bin that holds all the mass, if there is one.
    pub fn is_atom(&self) -> Option<usize> {
        let mut bins = (0..BINS).filter(|&b| self.0[b] > 0.0);
        match (bins.next(), bins.next()) {
            (Some(bin), None) => Some(bin),
            _ => None,
        }
    }

    /// The Shannon entropy in nats: 0 for an atom, ln 63 for [`Density::uniform`].
    pub fn entropy(&self) -> f32 {
        entropy(&self.0[..BINS])
    }
}

/// The entropy in nats of shares that sum to 1.
pub fn entropy(shares: &[f32]) -> f32 {
    let nonzero = shares.iter().filter(|&&p| p > 0.0);
    -nonzero.map(|&p| p * p.ln()).sum::<f32>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_is_even_between_its_ends() {
        for grid in [Grid::uniform(), Grid::sinh()] {
            let even = Density::interval(&grid, -0.2, 0.6);
            assert!((even.0.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            assert!((even.mean(&grid) - 0.2).abs() < 0.02);
            assert!((even.quantile(0.05, &grid) + 0.16).abs() < 0.04);
            assert!(Density::interval(&grid, 0.3, 0.3).is_atom().is_some());
        }
    }
}
