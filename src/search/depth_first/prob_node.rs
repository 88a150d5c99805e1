//! One node of probabilistic alpha-beta: the maximum over the children so far, and what follows from it.

use super::prob_window::Bins;
use crate::belief::{BINS, Cdf, LANES, Running};
use crate::game::{MoveCode, Score};
use crate::search::Estimate;
use crate::search::depth_first::context::Visit;
use crate::tree::Bound;

/// What searching a node brought, from its side to move's view.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// The CDF of the node's value, in `f32`.
    pub q: [f32; LANES],
    /// The mean expected score.
    pub mean: f32,
    /// The integer value where it rests on exact values alone (mates, draws, exact leaves); a bound as `bound` says.
    pub point: Option<Score>,
    /// `Lower`: cut off, the maximum is at least this; `Upper`: some child was, it is at most this; `Exact`: neither.
    pub bound: Bound,
    /// It reaches beta with confidence: for its parent the move is refuted, and what it is worth beyond that says nothing.
    pub refuted: bool,
}

impl Found {
    /// A belief with width.
    #[must_use]
    pub fn wide(belief: &Cdf, mean: f32, bound: Bound) -> Found {
        Found {
            q: belief.to_f32(),
            mean,
            point: None,
            bound,
            refuted: false,
        }
    }

    /// A value without doubt.
    #[must_use]
    pub fn certain(value: Score, bound: Bound, bins: &Bins) -> Found {
        let mut none = Running::new();
        step(&mut none, value, bins);
        Found {
            q: none.q,
            mean: bins.scale().expected(value),
            point: Some(value),
            bound,
            refuted: false,
        }
    }

    /// The same, refuted if P(value >= beta) reaches the confidence: a point by itself, a belief with width if it is a
    /// lower bound.
    #[must_use]
    pub fn against(mut self, beta: Score, confidence: f32, bins: &Bins) -> Found {
        let says_no_more = self.point.is_some() || self.bound == Bound::Lower;
        self.refuted = says_no_more && self.p_at_least(beta, bins) >= confidence;
        self
    }

    /// Whether it settles a window with confidence: reaches beta, stays at or below alpha, or is exact.
    #[must_use]
    pub fn decides(&self, alpha: Score, beta: Score, confidence: f32, bins: &Bins) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.p_at_least(beta, bins) >= confidence,
            Bound::Upper => 1.0 - self.p_above(alpha, bins) >= confidence,
            Bound::None => false,
        }
    }

    /// The integer score shown: the exact one, else the mean's.
    #[must_use]
    pub fn score(&self, bins: &Bins) -> Score {
        self.point.unwrap_or_else(|| bins.scale().score(self.mean))
    }

    /// P(value >= bound): of a point 0 or 1, by the integers; else for the bound's bin.
    #[must_use]
    pub fn p_at_least(&self, bound: Score, bins: &Bins) -> f32 {
        match self.point {
            Some(point) => f32::from(u8::from(point >= bound)),
            None => p_at_least(&self.q, bins.of(bound)),
        }
    }

    /// P(value > bound): of a point 0 or 1; else for the next bin.
    #[must_use]
    pub fn p_above(&self, bound: Score, bins: &Bins) -> f32 {
        match self.point {
            Some(point) => f32::from(u8::from(point > bound)),
            None => p_at_least(&self.q, bins.of(bound) + 1),
        }
    }
}

/// P(value >= bin): 1 for bin 0 and below, 0 beyond the last.
fn p_at_least(q: &[f32; LANES], bin: i32) -> f32 {
    match usize::try_from(bin) {
        Err(_) | Ok(0) => 1.0,
        Ok(BINS..) => 0.0,
        Ok(bin) => 1.0 - q[bin - 1],
    }
}

/// Takes a point into the product: nothing lies below its bin any more.
fn step(running: &mut Running, point: Score, bins: &Bins) {
    let bin = bins.of(point).clamp(0, BINS as i32 - 1) as usize;
    running.q[..bin].fill(0.0);
}

/// The maximum over the children searched so far: Q = prod q_i (Equation 1 of the post).
///
/// Children whose value is a point stand apart from the product, so that among them integers decide, not bins:
/// P(max >= b) is 1 where the best point reaches b, else it is the product's. Where every child is a point this is
/// alpha-beta.
#[derive(Clone, Debug)]
pub struct Maximum {
    /// The product over the children with width.
    wide: Running,
    /// The best value among the others.
    point: Option<Score>,
    /// The move of the best mean among those not refuted (of all, if all are), and how good it is.
    pub best: MoveCode,
    best_worth: Worth,
    any_wide: bool,
    any_cut: bool,
    any_upper: bool,
}

/// A child's worth for its parent: below all others those that were refuted, of which only a bound is known; then by the
/// mean; then by the integers, so that the sooner win and the later loss are preferred.
type Worth = (bool, f32, Score);

impl Default for Maximum {
    fn default() -> Self {
        Maximum {
            wide: Running::new(),
            point: None,
            best: MoveCode::NONE,
            best_worth: (false, f32::NEG_INFINITY, Score::MIN),
            any_wide: false,
            any_cut: false,
            any_upper: false,
        }
    }
}

impl Maximum {
    /// One more child, from its own view; whether its move is the best now.
    pub fn add(&mut self, m: MoveCode, child: &Found) -> bool {
        let point = child.point.map(Score::one_ply_up);
        if point.is_some() {
            self.point = self.point.max(point);
        } else {
            self.any_wide = true;
            // The child's CDF from this side's view.
            let child = child.q[..BINS - 1].iter().rev();
            for (q, child) in self.wide.q[..BINS - 1].iter_mut().zip(child) {
                let product = *q * (1.0 - child);
                // Below 1e-20 only denormals come, which are slow.
                *q = if product < 1e-20 { 0.0 } else { product };
            }
        }
        self.any_cut |= child.bound == Bound::Lower;
        self.any_upper |= child.bound == Bound::Upper;
        let worth = (!child.refuted, -child.mean, point.unwrap_or(Score::MIN));
        let better = self.best == MoveCode::NONE || worth > self.best_worth;
        if better {
            self.best_worth = worth;
            self.best = m;
        }
        better
    }

    /// Whether every child so far has an exact value.
    #[must_use]
    pub fn all_points(&self) -> bool {
        !self.any_wide
    }

    /// P(max >= bound); 0 before the first child.
    #[must_use]
    pub fn p_at_least(&self, bound: Score, bins: &Bins) -> f32 {
        if self.point.is_some_and(|point| point >= bound) {
            1.0
        } else if self.any_wide {
            p_at_least(&self.wide.q, bins.of(bound))
        } else {
            0.0
        }
    }

    /// The highest score that is reached with confidence: the best point, or the highest bin's. Open if there is none.
    #[must_use]
    pub fn reached(&self, confidence: f32, bins: &Bins) -> Score {
        let wide = match self.wide.highest_bin(confidence) {
            // Every value is at least in the lowest bin.
            0 => Score::MIN,
            bin => bins.alpha(bin as i32),
        };
        self.point.map_or(wide, |point| point.max(wide))
    }

    /// The best of the children that are points; a draw where there are none.
    #[must_use]
    pub fn point_or_draw(&self) -> Score {
        self.point.unwrap_or(Score::DRAW)
    }

    /// The product over all children.
    #[must_use]
    pub fn product(&self, bins: &Bins) -> Running {
        let mut all = self.wide;
        if let Some(point) = self.point {
            step(&mut all, point, bins);
        }
        all
    }

    /// What the maximum so far is expected to be.
    #[must_use]
    pub fn estimate(&self, bins: &Bins) -> Estimate {
        match self.point {
            Some(point) if self.all_points() => Estimate {
                mean: bins.scale().expected(point),
                sd: Some(0.0),
            },
            _ => {
                let density = self.product(bins).density();
                Estimate {
                    mean: density.mean(bins.grid()),
                    sd: Some(density.sd(bins.grid())),
                }
            }
        }
    }

    /// What the node is worth; `cut` if moves were left out because beta was reached with confidence.
    #[must_use]
    pub fn found(&self, visit: &Visit, cut: bool, bins: &Bins) -> Found {
        if let Some(point) = self.point
            && (self.all_points() || point.is_win())
        {
            let bound = if self.all_points() {
                visit.bound_of(point)
            } else {
                self.bound(cut)
            };
            return Found {
                refuted: cut,
                ..Found::certain(point, bound, bins)
            };
        }
        let all = self.product(bins);
        Found {
            q: all.q,
            mean: all.mean(bins.grid()),
            point: None,
            bound: self.bound(cut),
            refuted: cut,
        }
    }

    fn bound(&self, cut: bool) -> Bound {
        if cut {
            Bound::Lower
        } else if self.any_cut {
            Bound::Upper
        } else if self.any_upper {
            Bound::Lower
        } else {
            Bound::Exact
        }
    }

    /// What the `found` score is to its window: a bound by the cut or by alpha never reached, or by what is proven.
    #[must_use]
    pub fn window_bound(&self, found: &Found, score: Score, cut: bool, raised: bool) -> Bound {
        match found.bound {
            bound if self.all_points() => bound,
            Bound::Exact => Bound::Exact,
            // Where a child was cut off in doubt a shorter win may hide there, or a sooner loss.
            _ if score.is_win() || cut => Bound::Lower,
            _ if score.is_loss() || !raised => Bound::Upper,
            _ => Bound::Exact,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::belief::{Density, Grid};
    use crate::game::Scale;
    use crate::tree::NodeId;

    fn toy() -> Bins {
        let scale = Scale::Linear {
            per_unit: 100.0,
            range: 6.3,
        };
        Bins::new(&Grid::uniform(), scale)
    }

    fn chess() -> Bins {
        Bins::new(&Grid::sinh(), Scale::Logistic)
    }

    /// Normal with sd 1 on a grid whose bin edges lie at odd multiples of .1.
    fn normal(mean: f32) -> Found {
        let grid = Grid::uniform();
        let belief = Density::normal(&grid, mean / 6.3, 1.0 / 6.3).cdf();
        Found::wide(&belief, belief.mean(&grid), Bound::Exact)
    }

    fn visit(alpha: Score, beta: Score) -> Visit {
        Visit {
            node: NodeId::NONE,
            ply: 1,
            alpha,
            beta,
            depth: 1,
            on_choices: false,
            improving: false,
            nodes_before: 0,
        }
    }

    /// Three N(0,1) exceed 0 with .875; two have a maximum of mean .564190, sd .825645.
    #[test]
    fn golden_maxima_of_normals() {
        let bins = toy();
        let mut max = Maximum::default();
        for (i, expected) in [0.5, 0.75, 0.875].into_iter().enumerate() {
            // Mean .1 is the upper edge of the middle bin; the child's view is the other side's.
            max.add(MoveCode(i as u16), &normal(-0.1));
            let p = max.p_at_least(Score::new(15), &bins);
            assert!((p - expected).abs() < 1e-3, "{p} {expected}");
            if i == 1 {
                let Estimate { mean, sd } = max.estimate(&bins);
                assert!((mean * 6.3 - 0.1 - 0.564_190).abs() < 2e-3, "{mean}");
                // Sheppard: the bins' own width adds its square's twelfth.
                let sd = sd.expect("a spread") * 6.3;
                assert!((sd - (0.825_645f32.powi(2) + 0.04 / 12.0).sqrt()).abs() < 2e-3);
            }
        }
    }

    #[test]
    fn points_in_one_bin_are_told_apart() {
        let bins = chess();
        let mut max = Maximum::default();
        for (i, value) in [-1, 2, 1].into_iter().enumerate() {
            let child = Found::certain(Score::new(-value), Bound::Exact, &bins);
            max.add(MoveCode(i as u16), &child);
        }
        assert_eq!(bins.of(Score::new(-1)), bins.of(Score::new(2)));
        assert_eq!(max.best, MoveCode(1));
        assert_eq!(max.reached(0.9, &bins), Score::new(2));
        let p = |bound| max.p_at_least(Score::new(bound), &bins);
        assert_eq!((p(2), p(3)), (1.0, 0.0));
        let bound = |alpha, beta| {
            let at = visit(Score::new(alpha), Score::new(beta));
            max.found(&at, beta <= 2, &bins).bound
        };
        assert_eq!(
            (bound(1, 3), bound(2, 3), bound(0, 2)),
            (Bound::Exact, Bound::Upper, Bound::Lower)
        );
    }

    #[test]
    fn a_point_beside_doubt_counts_for_sure_up_to_itself() {
        let bins = toy();
        let mut max = Maximum::default();
        max.add(MoveCode(0), &normal(-0.1));
        max.add(
            MoveCode(1),
            &Found::certain(Score::new(7), Bound::Exact, &bins),
        );
        // From here the child's +.07 is -.07; bins .05 wide on either side of the normal's mean are the normal's.
        assert_eq!(max.p_at_least(Score::new(-7), &bins), 1.0);
        assert!((max.p_at_least(Score::new(15), &bins) - 0.5).abs() < 1e-3);
        let found = max.found(&visit(Score::MIN, Score::MAX), false, &bins);
        assert_eq!((found.point, found.bound), (None, Bound::Exact));
        assert_eq!(found.q[30], 0.0);
        assert!((found.q[31] - 0.5).abs() < 1e-3);
    }

    #[test]
    fn mates_keep_their_distance() {
        let bins = chess();
        let exact = |s: Score| Found::certain(s, Bound::Exact, &bins);
        let open = visit(Score::MIN, Score::MAX);
        let mut lost = Maximum::default();
        lost.add(MoveCode(1), &exact(Score::win_in(3)));
        lost.add(MoveCode(2), &exact(Score::win_in(5)));
        assert_eq!(
            (lost.best, lost.found(&open, false, &bins).point),
            (MoveCode(2), Some(Score::loss_in(6)))
        );
        let mut won = lost.clone();
        won.add(MoveCode(3), &exact(Score::loss_in(0)));
        won.add(MoveCode(4), &exact(Score::loss_in(2)));
        won.add(MoveCode(5), &normal(0.0));
        let found = won.found(&open, false, &bins);
        assert_eq!(
            (won.best, found.point),
            (MoveCode(3), Some(Score::win_in(1)))
        );
        // A loss is one only if every move loses.
        let mut unclear = lost;
        unclear.add(MoveCode(3), &normal(0.0));
        assert_eq!(unclear.found(&open, false, &bins).point, None);
    }
}
