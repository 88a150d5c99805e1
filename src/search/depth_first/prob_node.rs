//! One node of probabilistic alpha-beta: the maximum over the children so far, and what follows from it.

use crate::belief::{BINS, Cdf, Grid, Running};
use crate::game::{MoveCode, Scale, Score};
use crate::tree::Bound;

/// Below and above every bin: an open window.
pub const OPEN_ALPHA: i32 = -1;
/// See [`OPEN_ALPHA`].
pub const OPEN_BETA: i32 = BINS as i32;

/// A bin as the other side sees it; open bounds stay open.
#[must_use]
pub fn negated_bin(bin: i32) -> i32 {
    BINS as i32 - 1 - bin
}

/// A bin as a window's edge in the tree: its centre's score, a mate for the ends of chess.
#[must_use]
pub fn bin_score(bin: i32, grid: &Grid, scale: Scale) -> Score {
    match usize::try_from(bin) {
        Err(_) => Score::MIN,
        Ok(BINS..) => Score::MAX,
        Ok(0) if grid.ends_certain() => Score::LOSS,
        Ok(bin) if grid.ends_certain() && bin == BINS - 1 => Score::WIN,
        Ok(bin) => scale.score(grid.centres()[bin]),
    }
}

/// What searching a node brought, from its side to move's view.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// The CDF of the node's value, in `f32`.
    pub q: [f32; BINS + 1],
    /// The mean expected score.
    pub mean: f32,
    /// The integer value where it rests on exact values alone (mates, draws, exact leaves).
    pub point: Option<Score>,
    /// `Lower`: cut off, the maximum is at least this; `Upper`: some child was, it is at most this; `Exact`: neither.
    pub bound: Bound,
    /// A lower bound that reaches beta with confidence: for its parent it is refuted, and its mean says nothing more.
    pub refuted: bool,
}

impl Found {
    #[must_use]
    pub fn new(belief: &Cdf, mean: f32, point: Option<Score>, bound: Bound) -> Found {
        Found {
            q: belief.to_f32(),
            mean,
            point,
            bound,
            refuted: false,
        }
    }

    /// The same, refuted if it is a lower bound and P(value >= beta) reaches the confidence.
    #[must_use]
    pub fn against(mut self, beta: i32, confidence: f32) -> Found {
        self.refuted = self.bound == Bound::Lower && self.p_at_least(beta) >= confidence;
        self
    }

    /// What its `score` is to its window: a bound by the cut or by alpha never reached, or by what is proven.
    #[must_use]
    pub fn window_bound(&self, score: Score, cut: bool, raised: bool) -> Bound {
        match self.bound {
            Bound::Exact => Bound::Exact,
            // Where a child was cut off a shorter win may hide there, or a sooner loss.
            _ if score.is_win() || cut => Bound::Lower,
            _ if score.is_loss() || !raised => Bound::Upper,
            _ => Bound::Exact,
        }
    }

    /// The integer score shown: the exact one, else the mean's.
    #[must_use]
    pub fn score(&self, scale: Scale) -> Score {
        self.point.unwrap_or_else(|| scale.score(self.mean))
    }

    /// P(value >= bin): 1 for bin 0 and below, 0 beyond the last.
    #[must_use]
    pub fn p_at_least(&self, bin: i32) -> f32 {
        match usize::try_from(bin) {
            Err(_) | Ok(0) => 1.0,
            Ok(BINS..) => 0.0,
            Ok(bin) => 1.0 - self.q[bin - 1],
        }
    }
}

/// The maximum over the children searched so far: Q = prod q_i (Equation 1 of the post).
#[derive(Clone, Debug)]
pub struct Maximum {
    pub running: Running,
    /// The move of the best mean among those not refuted (of all, if all are), and how good it is.
    pub best: MoveCode,
    best_worth: f32,
    /// The best exact value among children that were not cut off, and among those that were.
    point: Option<Score>,
    cut_point: Option<Score>,
    /// Every child so far has an exact value.
    all_points: bool,
    any_cut: bool,
    any_upper: bool,
}

impl Default for Maximum {
    fn default() -> Self {
        Maximum {
            running: Running::new(),
            best: MoveCode::NONE,
            best_worth: f32::NEG_INFINITY,
            point: None,
            cut_point: None,
            all_points: true,
            any_cut: false,
            any_upper: false,
        }
    }
}

/// A child's worth for its parent: its mean; beyond the means the sooner win and the later loss; below all others
/// those that were refuted, of which only a bound is known.
fn worth(child: &Found) -> f32 {
    const PLY: f32 = 1e-4;
    const REFUTED: f32 = 6.0;
    let worth = match child.point.map(Score::one_ply_up) {
        Some(s) if s.is_decided() => {
            let plies = f32::from(s.mate_plies().unwrap_or(0));
            if s.is_win() {
                2.0 - PLY * plies
            } else {
                -2.0 - PLY * plies
            }
        }
        _ => -child.mean,
    };
    if child.refuted {
        worth - REFUTED
    } else {
        worth
    }
}

impl Maximum {
    /// One more child, from its own view; the worth of the move, and whether it is the best now.
    pub fn add(&mut self, m: MoveCode, child: &Found) -> (f32, bool) {
        // Q times the child's CDF from this side's view.
        for (q, child) in self.running.q[..BINS - 1]
            .iter_mut()
            .zip(child.q[..BINS - 1].iter().rev())
        {
            let product = *q * (1.0 - child);
            // Below 1e-20 only denormals come, which are slow.
            *q = if product < 1e-20 { 0.0 } else { product };
        }
        let cut = child.bound == Bound::Lower;
        self.any_cut |= cut;
        self.any_upper |= child.bound == Bound::Upper;
        match child.point.map(Score::one_ply_up) {
            Some(point) if cut => self.cut_point = self.cut_point.max(Some(point)),
            Some(point) => self.point = self.point.max(Some(point)),
            None => self.all_points = false,
        }
        let worth = worth(child);
        let better = worth > self.best_worth;
        if better {
            self.best_worth = worth;
            self.best = m;
        }
        (worth, better)
    }

    /// P(max >= bin).
    #[must_use]
    pub fn p_at_least(&self, bin: i32) -> f32 {
        usize::try_from(bin).map_or(1.0, |bin| self.running.p_at_least(bin))
    }

    /// What the node is worth; `cut` if moves were left out because beta was reached with confidence.
    #[must_use]
    pub fn found(&self, cut: bool, grid: &Grid, scale: Scale) -> Found {
        let bound = if cut {
            Bound::Lower
        } else if self.any_cut {
            Bound::Upper
        } else if self.any_upper {
            Bound::Lower
        } else {
            Bound::Exact
        };
        Found {
            q: self.running.q,
            mean: self.running.mean(grid),
            point: self.exact_value(cut, grid, scale),
            bound,
            refuted: cut,
        }
    }

    /// The integer value of the maximum where exact values decide it.
    fn exact_value(&self, cut: bool, grid: &Grid, scale: Scale) -> Option<Score> {
        let bin = |s: Score| grid.bin_of(scale.expected(s));
        let best = match (self.point, self.cut_point) {
            // A child that was cut off is worth at most its point, which may exceed the truth within one bin.
            (Some(a), Some(b)) if bin(a) >= bin(b) => Some(a),
            (a, b) => a.max(b),
        }?;
        if best.is_win() {
            return Some(best);
        }
        // A loss is one only if every move loses.
        (self.all_points && !(cut && best.is_loss())).then_some(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::belief::Density;

    const SCALE: Scale = Scale::Linear {
        per_unit: 100.0,
        range: 6.3,
    };

    /// Normal with sd 1 on a grid whose bin edges lie at odd multiples of .1.
    fn normal(mean: f32) -> Found {
        let grid = Grid::uniform();
        let belief = Density::normal(&grid, mean / 6.3, 1.0 / 6.3).cdf();
        Found::new(&belief, belief.mean(&grid), None, Bound::Exact)
    }

    /// algorithms.md, D: three N(0,1) exceed 0 with .875; two have a maximum of mean .564190, sd .825645.
    #[test]
    fn golden_maxima_of_normals() {
        let grid = Grid::uniform();
        let mut max = Maximum::default();
        for (i, expected) in [0.5, 0.75, 0.875].into_iter().enumerate() {
            // Mean .1 is the upper edge of the middle bin; the child's view is the other side's.
            max.add(MoveCode(i as u16), &normal(-0.1));
            let p = max.p_at_least(grid.bin_of(0.15 / 6.3) as i32);
            assert!((p - expected).abs() < 1e-3, "{p} {expected}");
            if i == 1 {
                let mean = max.found(false, &grid, SCALE).mean * 6.3 - 0.1;
                assert!((mean - 0.564_190).abs() < 2e-3, "{mean}");
                // Sheppard: the bins' own width adds its square's twelfth.
                let sd = max.running.density().sd(&grid) * 6.3;
                assert!((sd - (0.825_645f32.powi(2) + 0.04 / 12.0).sqrt()).abs() < 2e-3);
            }
        }
    }

    #[test]
    fn bins_negate_and_open_windows_stay_open() {
        assert_eq!(negated_bin(OPEN_ALPHA), OPEN_BETA);
        assert_eq!(negated_bin(OPEN_BETA), OPEN_ALPHA);
        let (chess, scale) = (Grid::sinh(), Scale::Logistic);
        for bin in -1..=63 {
            let (a, b) = (
                bin_score(bin, &chess, scale),
                bin_score(negated_bin(bin), &chess, scale),
            );
            assert_eq!(a, -b);
        }
        assert!(bin_score(62, &chess, scale).is_win());
    }

    #[test]
    fn mates_keep_their_distance_and_no_loss_is_claimed_after_a_cut() {
        let (grid, scale) = (Grid::sinh(), Scale::Logistic);
        let exact = |s: Score| {
            let belief = Cdf::atom(grid.bin_of(scale.expected(s)));
            Found::new(&belief, belief.mean(&grid), Some(s), Bound::Exact)
        };
        let mut lost = Maximum::default();
        lost.add(MoveCode(1), &exact(Score::win_in(3)));
        lost.add(MoveCode(2), &exact(Score::win_in(5)));
        assert_eq!(
            (lost.best, lost.found(false, &grid, scale).point),
            (MoveCode(2), Some(Score::loss_in(6)))
        );
        assert_eq!(lost.found(true, &grid, scale).point, None);
        let mut won = lost;
        won.add(MoveCode(3), &exact(Score::loss_in(0)));
        won.add(MoveCode(4), &exact(Score::loss_in(2)));
        won.add(MoveCode(5), &normal(0.0));
        let found = won.found(false, &grid, scale);
        assert_eq!(
            (won.best, found.point),
            (MoveCode(3), Some(Score::win_in(1)))
        );
    }
}
