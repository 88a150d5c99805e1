//! Beliefs of leaves, and a table that computes them fast.

use super::{BINS, Cdf, Density, Grid, LANES, ONE};

/// Returns the belief for a static evaluation: logistic in the logit around `location` with scale `tau` (sd = 1.814 tau),
/// clamped to the bins that do not mean certainty. `tau` <= 0 gives an atom.
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
    pub fn rounded_width(&self, tau: f32) -> f32 {
        self.rows[Self::row(tau)].tau
    }

    fn row(tau: f32) -> usize {
        // With this order of comparisons a NaN becomes the narrowest scale.
        let tau = tau.max(Self::TAU.0).min(Self::TAU.1);
        ((tau.to_bits() >> DROPPED_BITS) - (Self::TAU.0.to_bits() >> DROPPED_BITS)) as usize
    }

    /// Returns the belief of a leaf at `location` (logit, side to move) with scale `tau`: [`leaf`] with a rounded width.
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

/// What a search of a leaf has said of its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The value itself.
    Exact,
    /// It is at most this.
    AtMost,
    /// It is at least this.
    AtLeast,
}

impl Answer {
    /// Returns the same answer from the other side's point of view.
    #[must_use]
    pub fn negated(self) -> Answer {
        match self {
            Answer::Exact => Answer::Exact,
            Answer::AtMost => Answer::AtLeast,
            Answer::AtLeast => Answer::AtMost,
        }
    }
}

/// The belief of a leaf that a search of some plies has valued: two logistic distributions in the logit about one
/// location, a narrow one that sharpens with the depth and, with a small weight, a wide one for what the search overlooks.
///
/// If the search has said only that the value is *at most* something, the location moves down and everything below it
/// is stretched; *at least* is the mirror image.
///
/// The constants are errors against a deeper search of the same evaluation, relative to the best sibling, and not against
/// the truth: what a parent's back-up needs to know is whether a move that is behind may overtake.
#[derive(Clone, Debug)]
pub struct SearchedLeaf {
    /// The logit of each bin's upper edge, for the inner bins.
    edges: [f32; LANES],
    inner: (usize, usize),
    /// The scale of the narrow distribution at any depth; `None`: it sharpens with the depth.
    scale: Option<f32>,
}

impl SearchedLeaf {
    /// The scale of the narrow distribution by depth, in logits: 32, 27, 24, 21, 16, 14 and 12 centipawns times .8.
    pub const SCALE: [f32; 7] = [0.144, 0.12, 0.108, 0.092, 0.072, 0.06, 0.052];
    /// The weight of the wide distribution by depth, relative to that at depth 0.
    pub const TAIL: [f32; 7] = [1.0, 0.7, 0.5, 0.35, 0.25, 0.2, 0.15];
    /// The scale of the wide distribution, in logits.
    pub const WIDE: f32 = 1.2;
    /// How far a bound moves the location, in logits: 27 centipawns.
    pub const SHIFT: f32 = 0.15;
    /// What the scales of the narrow and of the wide distribution are multiplied by on the open side of a bound.
    pub const STRETCH: (f32, f32) = (3.0, 1.5);

    /// With `scale` the narrow distribution does not sharpen with the depth.
    pub fn new(grid: &Grid, scale: Option<f32>) -> SearchedLeaf {
        let mut edges = [0.0; LANES];
        let own = grid.logit_edges();
        let inner = grid.inner();
        for bin in inner.0..inner.1 {
            edges[bin] = own[bin + 1] as f32;
        }
        SearchedLeaf {
            edges,
            inner,
            scale,
        }
    }

    /// Returns the belief of a leaf that a search of `depth` plies values at `location` (logit), or bounds by it. Nothing
    /// of it is certain. The narrow distribution's scale is multiplied by `factor`, and `tails` is the weight of the wide one at
    /// depth 0.
    pub fn get(&self, location: f32, answer: Answer, depth: u8, factor: f32, tails: f32) -> Cdf {
        let place = usize::from(depth).min(6);
        let scale = self.scale.unwrap_or(Self::SCALE[place]);
        self.of_scale(location, answer, depth, factor * scale, tails)
    }

    /// Returns the belief about a move that nothing has looked at, in logits from its mover's view: `best` is what the best
    /// move looked at is worth, and `share` the move's share of the evaluation's policy. `refuted`: that best move is good
    /// enough to refute the position.
    ///
    /// The logit of the probability that the move beats the best one is a line in the logit of its share. Shares and depth-6
    /// alpha-beta values of 3,595 moves in 137 expansions of game positions gave the lines: where the position was refuted,
    /// moves with a share of 0.0006, 0.007, 0.032 and 0.14 beat the best one in 0.6, 4.6, 9.9 and 27 % of the cases.
    pub fn foreseen(&self, best: f32, share: f32, refuted: bool) -> Cdf {
        /// Slope of both lines.
        const SLOPE: f32 = 0.74;
        /// Light, however large the search: what would be overlooked is in the lines.
        const TAILS: f32 = 0.01;
        let (intercept, scale) = if refuted { (0.37, 0.19) } else { (1.3, 0.1) };
        // Beyond these logits all is as good as decided.
        let (best, share) = (best.clamp(-6.0, 6.0), share.clamp(1e-4, 0.9));
        let beats = intercept + SLOPE * (share / (1.0 - share)).ln();
        // What is far below does not matter, so the open side of a bound describes it well enough.
        let location = best + scale * beats + Self::SHIFT;
        self.of_scale(location, Answer::AtMost, 6, scale, TAILS)
    }

    /// Like [`SearchedLeaf::get`], with this scale for the narrow distribution.
    pub fn of_scale(
        &self,
        location: f32,
        answer: Answer,
        depth: u8,
        scale: f32,
        tails: f32,
    ) -> Cdf {
        let depth = usize::from(depth).min(6);
        let tail = tails * Self::TAIL[depth];
        let location = if location.is_nan() { 0.0 } else { location };
        let open = (
            1.0 / (scale * Self::STRETCH.0),
            1.0 / (Self::WIDE * Self::STRETCH.1),
        );
        let closed = (1.0 / scale, 1.0 / Self::WIDE);
        let (location, below, above) = match answer {
            Answer::Exact => (location, closed, closed),
            Answer::AtMost => (location - Self::SHIFT, open, closed),
            Answer::AtLeast => (location + Self::SHIFT, closed, open),
        };
        let mut lanes = [0; LANES];
        for (lane, edge) in lanes[self.inner.0..]
            .iter_mut()
            .zip(&self.edges[self.inner.0..self.inner.1])
        {
            let z = edge - location;
            let (narrow, wide) = if z < 0.0 { below } else { above };
            let q = (1.0 - tail) * logistic(z * narrow) + tail * logistic(z * wide);
            *lane = (q * f32::from(ONE) + 0.5) as u16;
        }
        lanes[self.inner.1..BINS].fill(ONE);
        Cdf(lanes)
    }
}

fn logistic(z: f32) -> f32 {
    1.0 / (1.0 + (-z).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: x = .3, edge at 0, z = -.3. Depth 3: .965/(1 + e^(.3/.092)) + .035/(1 + e^(.3/1.2)).
    #[test]
    fn a_searched_leaf_by_hand() {
        let grid = Grid::sinh();
        let leaves = SearchedLeaf::new(&grid, None);
        let own = grid.logit_edges();
        let narrow = |z: f64, tau: f64| 1.0 / (1.0 + (-z / tau).exp());
        for (answer, shift, below, above) in [
            (Answer::Exact, 0.0, (0.092, 1.2), (0.092, 1.2)),
            (Answer::AtMost, -0.15, (0.276, 1.8), (0.092, 1.2)),
            (Answer::AtLeast, 0.15, (0.092, 1.2), (0.276, 1.8)),
        ] {
            let found = leaves.get(0.3, answer, 3, 1.0, 0.1);
            for bin in 1..BINS - 2 {
                let z = own[bin + 1] - 0.3 - shift;
                let (tau, wide) = if z < 0.0 { below } else { above };
                let expected = 0.965 * narrow(z, tau) + 0.035 * narrow(z, wide);
                let off = f64::from(found.0[bin]) / f64::from(ONE) - expected;
                assert!(off.abs() < 2e-5, "{answer:?} {bin} {off}");
            }
        }
    }

    #[test]
    fn a_bound_of_a_searched_leaf_is_the_mirror_image_of_the_other() {
        let leaves = SearchedLeaf::new(&Grid::sinh(), None);
        for depth in 0..9 {
            for (location, answer) in [
                (0.4, Answer::Exact),
                (-1.0, Answer::AtMost),
                (6.0, Answer::AtLeast),
            ] {
                let one = leaves.get(location, answer, depth, 1.0, 0.1);
                let other = leaves
                    .get(-location, answer.negated(), depth, 1.0, 0.1)
                    .negated();
                for (a, b) in one.0.iter().zip(&other.0) {
                    assert!((i32::from(*a) - i32::from(*b)).abs() <= 2);
                }
                assert_eq!((one.0[0], one.0[BINS - 2]), (0, ONE), "nothing is certain");
            }
        }
    }

    #[test]
    fn a_searched_leaf_sharpens_with_depth_and_spreads_with_its_tails() {
        let grid = Grid::sinh();
        let sd = |scale, tails, depth| {
            let leaves = SearchedLeaf::new(&grid, scale);
            leaves.get(0.2, Answer::Exact, depth, 1.0, tails).sd(&grid)
        };
        assert!((0..6).all(|d| sd(None, 0.1, d + 1) < sd(None, 0.1, d)));
        assert!((0..7).all(|d| sd(None, 0.0, d) < sd(None, 0.1, d)));
        assert!((0..9).all(|d| sd(Some(0.092), 0.0, d) == sd(None, 0.0, 3)));
    }

    /// By hand: a share of .2 has the logit -1.3863, so .37 - .74 * 1.3863 = -.6559, and 1/(1 + e^.6559) = .3417; with the
    /// wide part, .9985 * .3417 + .0015/(1 + e^(.19 * .6559/1.2)) = .3419. Where nothing refutes,
    /// a share of .02 has -3.8918, 1.3 - 2.8799 = -1.5799: .1708, and .1712 with the wide part.
    #[test]
    fn a_foreseen_move_beats_the_best_one_as_often_as_its_share_says() {
        let grid = Grid::sinh();
        let leaves = SearchedLeaf::new(&grid, None);
        let edges = grid.logit_edges();
        for (refuted, share, beats) in [(true, 0.2, 0.3419), (false, 0.02, 0.1712)] {
            for bin in [20, BINS / 2, 40] {
                let belief = leaves.foreseen(edges[bin + 1] as f32, share, refuted);
                let above = 1.0 - f32::from(belief.0[bin]) / f32::from(ONE);
                assert!((above - beats).abs() < 2e-4, "{refuted} {bin} {above}");
            }
        }
        let mean = |share| leaves.foreseen(0.5, share, true).mean(&grid);
        assert!(mean(0.001) < mean(0.01) && mean(0.01) < mean(0.1));
        for share in [0.0, 1.0, f32::NAN] {
            assert!(mean(share).is_finite());
        }
    }

    #[test]
    fn the_table_agrees_with_the_formula() {
        for grid in [Grid::sinh(), Grid::uniform()] {
            let table = LeafTable::new(&grid);
            // Beyond that the narrowest widths have no place in finer bins.
            let reach = if BINS == 63 { 10.0 } else { 7.0 };
            for step in -100..=100 {
                let location = 0.01 * reach * step as f32;
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
