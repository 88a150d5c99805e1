//! What probabilistic alpha-beta knows about a node that was searched: a belief, and the bounds on it that a cutoff may
//! rest on.

use super::prob_window::Bins;
use belief::{BINS, Cdf, LANES, Running};
use game::Score;
use tree::Bound;

/// Multiplies a point into the product: nothing remains below its bin.
pub(super) fn step(running: &mut Running, point: Score, bins: &Bins) {
    running.q[..bins.nearest(point)].fill(0.0);
}

/// The result of searching a node, from the view of its side to move.
///
/// Let F be the CDF of the node's value if all its moves were searched to the depth, with nothing cut off. The search
/// does not know F where it cut something off below, but F lies between two CDFs that it does know: `most` <= F <=
/// `least` in every bin. A cutoff rests on these bounds and so is never less certain than it claims.
#[derive(Clone, Copy, Debug)]
pub struct ProbValue {
    /// The belief that is displayed and that orders moves, as a CDF in `f32`. It lies between the bounds, and is F
    /// itself where nothing was cut off.
    pub q: [f32; LANES],
    /// The CDF of a value that the node's is at least as high as: P(value >= x) is no less than this CDF says. 1
    /// everywhere where nothing is known.
    pub least: [f32; LANES],
    /// The CDF of a value that the node's is at most as high as. Where nothing is known, because moves were left out,
    /// it is 0 in all bins but the last.
    pub most: [f32; LANES],
    /// The mean expected score of the belief.
    pub mean: f32,
    /// The integer value where it rests on exact values alone (mates, draws, exact leaves); a bound as `bound` says.
    pub point: Option<Score>,
    /// The value to report instead of that of the mean, which the bins round: at the root that of its best move, at a
    /// leaf the evaluation.
    pub named: Option<Score>,
    /// `Lower`: the node was cut off, so the maximum is at least this. `Upper`: some child was cut off, so it is at
    /// most this. `Exact`: neither.
    pub bound: Bound,
    /// The node reaches beta with confidence: for its parent the move is refuted, and what it is worth beyond that says
    /// nothing.
    pub refuted: bool,
}

/// The `least` of a node about which nothing is known.
const AT_LEAST_NOTHING: [f32; LANES] = [1.0; LANES];

/// The `most` of a node about which nothing is known.
pub(super) const AT_MOST_ANYTHING: [f32; LANES] = {
    let mut q = [0.0; LANES];
    q[BINS - 1] = 1.0;
    q[BINS] = 1.0;
    q
};

impl ProbValue {
    /// A belief with width, which is a bound as `bound` says, and the value to report for it.
    #[inline]
    pub fn wide(belief: &Cdf, mean: f32, bound: Bound, named: Option<Score>) -> ProbValue {
        let q = belief.to_f32();
        ProbValue {
            q,
            least: match bound {
                Bound::Upper => AT_LEAST_NOTHING,
                _ => q,
            },
            most: match bound {
                Bound::Lower => AT_MOST_ANYTHING,
                _ => q,
            },
            mean,
            point: None,
            named,
            bound,
            refuted: false,
        }
    }

    /// A value without doubt.
    pub fn certain(value: Score, bound: Bound, bins: &Bins) -> ProbValue {
        let mut none = Running::new();
        step(&mut none, value, bins);
        ProbValue {
            q: none.q,
            least: none.q,
            most: none.q,
            mean: bins.scale().expected(value),
            point: Some(value),
            named: None,
            bound,
            refuted: false,
        }
    }

    /// The same value, refuted if P(value >= beta) reaches the confidence. A point decides that by itself, a belief
    /// with width only if it is a lower bound.
    #[inline]
    pub fn against(mut self, beta: Score, confidence: f32, bins: &Bins) -> ProbValue {
        let says_no_more = self.point.is_some() || self.bound == Bound::Lower;
        self.refuted = says_no_more && self.p_at_least(beta, bins) >= confidence;
        self
    }

    /// Whether the value settles a window with confidence: it reaches beta, stays at or below alpha, or is exact.
    pub fn decides(&self, alpha: Score, beta: Score, confidence: f32, bins: &Bins) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.p_at_least(beta, bins) >= confidence,
            Bound::Upper => self.p_at_most(alpha, bins) >= confidence,
            Bound::None => false,
        }
    }

    /// The belief that is displayed.
    pub fn shown(&self, bins: &Bins) -> Cdf {
        self.rounded(&self.q, bins)
    }

    /// The CDF of the bound that `bound` names, which is what the table stores.
    pub fn bounding(&self, bins: &Bins) -> Cdf {
        let q = match self.bound {
            Bound::Lower => &self.least,
            Bound::Upper => &self.most,
            _ => &self.q,
        };
        self.rounded(q, bins)
    }

    fn rounded(&self, q: &[f32; LANES], bins: &Bins) -> Cdf {
        match self.point {
            Some(point) => Cdf::atom(bins.nearest(point)),
            None => Cdf::from_f32(q),
        }
    }

    /// The integer score to display: the exact one, otherwise the named one, otherwise that of the mean.
    pub fn score(&self, bins: &Bins) -> Score {
        let known = self.point.or(self.named);
        known.unwrap_or_else(|| bins.scale().score(self.mean))
    }

    /// A lower bound on P(value >= bound): 0 or 1 for a point, decided by integers; otherwise the mass of the bins
    /// entirely at or above the bound.
    pub fn p_at_least(&self, bound: Score, bins: &Bins) -> f32 {
        match self.point {
            Some(point) => f32::from(u8::from(point >= bound)),
            None => p_at_least(&self.least, bins.reaching(bound)),
        }
    }

    /// A lower bound on P(value > bound): 0 or 1 for a point; otherwise the mass of the bins above the bound's.
    pub fn p_above(&self, bound: Score, bins: &Bins) -> f32 {
        match self.point {
            Some(point) => f32::from(u8::from(point > bound)),
            None => p_at_least(&self.least, bins.of(bound) + 1),
        }
    }

    /// A lower bound on P(value <= bound): 0 or 1 for a point; otherwise the mass of the bins entirely at or below the
    /// bound.
    pub fn p_at_most(&self, bound: Score, bins: &Bins) -> f32 {
        match self.point {
            Some(point) => f32::from(u8::from(point <= bound)),
            None => 1.0 - p_at_least(&self.most, bins.within(bound) + 1),
        }
    }
}

/// P(value >= bin): 1 for bin 0 and below, 0 beyond the last bin.
pub(super) fn p_at_least(q: &[f32; LANES], bin: i32) -> f32 {
    match usize::try_from(bin) {
        Err(_) | Ok(0) => 1.0,
        Ok(BINS..) => 0.0,
        Ok(bin) => 1.0 - q[bin - 1],
    }
}
