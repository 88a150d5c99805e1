//! One node of probabilistic alpha-beta: the maximum over the children so far, and what follows from it.

use super::prob_value::{AT_MOST_ANYTHING, ProbValue, p_at_least, step};
use super::prob_window::Bins;
use belief::{BINS, LANES, Running};
use game::{MoveCode, Score};
use search::common::context::Visit;
use search::{Estimate, Options};
use tree::Bound;

/// How a child that was cut off counts in its parent's maximum. All three ways agree where no leaf has any width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refuted {
    /// It does not count against beta at all, because it may be worth arbitrarily little. Where an upper bound is
    /// needed it counts with what it was worth when it was cut off, because it is not worth more. A cutoff then never
    /// claims more than what holds.
    Bounded,
    /// It counts with what it was worth when it was cut off, but at most alpha. That is sound against the node's own
    /// beta, but not for its parent, which takes "at most alpha" for certain.
    Truncated,
    /// It counts with what it was worth when it was cut off: Equation 1 of *Probabilistic Alpha-Beta Search* (2013),
    /// taken literally. Each such child leaves up to 1 - confidence above alpha, and these remainders add up.
    Literal,
}

impl Refuted {
    /// The values of the option `refuted`.
    pub const WORDS: [&str; 3] = ["bounded", "truncated", "literal"];

    /// Reads the option `refuted`.
    pub fn from_options(options: &Options) -> Refuted {
        match options.word("refuted") {
            "truncated" => Refuted::Truncated,
            "literal" => Refuted::Literal,
            _ => Refuted::Bounded,
        }
    }
}

/// The maximum over the children searched so far: Q = prod q_i (Equation 1 of *Probabilistic Alpha-Beta Search*, 2013).
///
/// Children whose value is a point are kept apart from the product, so that integers, not bins, decide among them:
/// P(max >= b) is 1 where the best point reaches b, and otherwise the product's. Where every child is a point this is
/// alpha-beta.
///
/// The bounds of the maximum's CDF ([`ProbValue`]) are products too: `least` is the product of the children's `most`
/// without those that were cut off, and `most` is the product of the children's `least` with them.
#[derive(Clone, Debug)]
pub struct Maximum {
    rule: Refuted,
    /// The product over the children with width, as it is displayed.
    shown: Running,
    /// The bounds. Under a rule other than [`Refuted::Bounded`], `least` is the product over the children that were not
    /// cut off, and `most` is not kept.
    least: Running,
    most: Running,
    /// The best value among the children that are points.
    point: Option<Score>,
    /// The best value among those of them that are worth no less than their point.
    sure: Option<Score>,
    /// The move with the best mean among those not refuted (among all, if all are refuted), and how good it is.
    pub best: MoveCode,
    best_worth: Worth,
    /// The score that the best move's own node shows, from this node's view.
    best_score: Score,
    any_wide: bool,
    any_cut: bool,
    any_upper: bool,
}

/// A child's worth for its parent. Refuted children, of which only a bound is known, rank below all others; then the
/// mean decides; then the integers, so that the sooner win and the later loss are preferred.
type Worth = (bool, f32, Score);

impl Maximum {
    /// The maximum over no children yet.
    pub fn new(rule: Refuted) -> Self {
        Maximum {
            rule,
            shown: Running::new(),
            least: Running::new(),
            most: Running::new(),
            point: None,
            sure: None,
            best: MoveCode::NONE,
            best_worth: (false, f32::NEG_INFINITY, Score::MIN),
            best_score: Score::MIN,
            any_wide: false,
            any_cut: false,
            any_upper: false,
        }
    }

    /// The maximum over a single child.
    pub fn of(rule: Refuted, child: (MoveCode, &ProbValue), alpha: Score, bins: &Bins) -> Self {
        let mut max = Maximum::new(rule);
        max.add(child.0, child.1, alpha, bins);
        max
    }

    /// Adds a child, from its own view, that was searched against `alpha`. Returns whether its move is now the best.
    pub fn add(&mut self, m: MoveCode, child: &ProbValue, alpha: Score, bins: &Bins) -> bool {
        let point = child.point.map(Score::one_ply_up);
        if point.is_some() {
            self.point = self.point.max(point);
            if child.bound != Bound::Lower {
                self.sure = self.sure.max(point);
            }
            if child.bound == Bound::Upper {
                self.most.q = AT_MOST_ANYTHING;
            }
        } else {
            self.any_wide = true;
            let all = BINS - 1;
            let cut = child.refuted && self.rule != Refuted::Literal;
            // What lies above alpha is moved to alpha: from its bin on, the CDF is 1.
            let below = if cut { bins.nearest(alpha) } else { all };
            multiply(&mut self.shown, &child.q, below);
            let bounded = self.rule == Refuted::Bounded;
            if !child.refuted {
                let floor = if bounded { &child.most } else { &child.q };
                multiply(&mut self.least, floor, all);
            }
            if bounded {
                multiply(&mut self.most, &child.least, all);
            }
        }
        self.any_cut |= child.bound == Bound::Lower;
        self.any_upper |= child.bound == Bound::Upper;
        let worth = (!child.refuted, -child.mean, point.unwrap_or(Score::MIN));
        let better = self.best == MoveCode::NONE || worth > self.best_worth;
        if better {
            self.best_worth = worth;
            self.best_score = child.score(bins).one_ply_up();
            self.best = m;
        }
        better
    }

    /// Whether the value of every child so far is a point.
    pub fn all_points(&self) -> bool {
        !self.any_wide
    }

    /// The product that counts against beta.
    fn counted(&self) -> &Running {
        match self.rule {
            Refuted::Bounded => &self.least,
            _ => &self.shown,
        }
    }

    /// P(max >= bound), as it counts for a cutoff; 0 before the first child.
    pub fn p_at_least(&self, bound: Score, bins: &Bins) -> f32 {
        if self.point.is_some_and(|point| point >= bound) {
            1.0
        } else if self.any_wide {
            p_at_least(&self.counted().q, bins.reaching(bound))
        } else {
            0.0
        }
    }

    /// The bin from which on mass counts as reaching beta: beta's own where a point reaches it.
    pub fn beta_bin(&self, beta: Score, bins: &Bins) -> i32 {
        match self.point {
            Some(point) if point >= beta => bins.of(beta),
            _ => bins.reaching(beta),
        }
    }

    /// The highest score that is reached with confidence: the best point, or that of the highest bin. Open if there is
    /// none.
    pub fn reached(&self, confidence: f32, bins: &Bins) -> Score {
        let wide = match self.counted().highest_bin(confidence) {
            // Every value is at least in the lowest bin.
            0 => Score::MIN,
            // A belief with width says nothing of what is decided: a win is more than it reaches.
            bin => bins.alpha(bin as i32).min(Score::new(Score::LIMIT.into())),
        };
        self.point.map_or(wide, |point| point.max(wide))
    }

    /// The best of the children that are points; a draw if there are none.
    pub fn point_or_draw(&self) -> Score {
        self.point.unwrap_or(Score::DRAW)
    }

    /// The score that the best move's own node shows.
    pub fn best_value(&self) -> Score {
        self.best_score
    }

    /// The product over all children.
    pub fn product(&self, bins: &Bins) -> Running {
        with_point(self.shown, self.point, bins)
    }

    /// The mean of the product over all children. The best point counts with its own value, not with that of its bin.
    fn mean(&self, product: &Running, bins: &Bins) -> f32 {
        let mean = product.mean(bins.grid());
        let Some(point) = self.point else {
            return mean;
        };
        let bin = bins.nearest(point);
        // The mass in its bin is worth exactly this, except for the children with width that also lie there. Those cut
        // off count as no more than alpha.
        let wide = match self.rule {
            Refuted::Literal => &self.shown.q,
            _ => &self.least.q,
        };
        let below = if bin == 0 { 0.0 } else { wide[bin - 1] };
        let share = if wide[bin] > 0.0 {
            below / wide[bin]
        } else {
            0.0
        };
        let off = bins.scale().expected(point) - bins.grid().centres()[bin];
        mean + product.q[bin] * share * off
    }

    /// The expected score of the maximum so far, with its spread.
    pub fn estimate(&self, bins: &Bins) -> Estimate {
        match self.point {
            Some(point) if self.all_points() => Estimate {
                mean: bins.scale().expected(point),
                sd: Some(0.0),
            },
            _ => {
                let all = self.product(bins);
                Estimate {
                    mean: self.mean(&all, bins),
                    sd: Some(all.density().sd(bins.grid())),
                }
            }
        }
    }

    /// What searching the node yielded; `cut` if moves were left out because beta was reached with confidence.
    pub fn found(&self, visit: &Visit, cut: bool, bins: &Bins) -> ProbValue {
        // Of a move that was cut off only the most that it can be worth is known, which may be a win that it is not.
        let decided = match self.all_points() {
            true => self.point,
            false => self.sure.filter(|point| point.is_win()),
        };
        if let Some(point) = decided {
            let bound = if self.all_points() {
                visit.bound_of(point)
            } else {
                self.bound(cut)
            };
            return ProbValue {
                refuted: cut,
                ..ProbValue::certain(point, bound, bins)
            };
        }
        let all = self.product(bins);
        let bounded = self.rule == Refuted::Bounded;
        ProbValue {
            q: all.q,
            least: if bounded {
                with_point(self.least, self.sure, bins).q
            } else {
                all.q
            },
            most: if bounded && cut {
                AT_MOST_ANYTHING
            } else if bounded {
                with_point(self.most, self.point, bins).q
            } else {
                all.q
            },
            mean: self.mean(&all, bins),
            point: None,
            named: None,
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

    /// How the `found` score relates to its window: it is a bound because of a cutoff, because alpha was never reached,
    /// or because of what is proven.
    pub fn window_bound(&self, found: &ProbValue, score: Score, cut: bool, raised: bool) -> Bound {
        match found.bound {
            bound if self.all_points() => bound,
            Bound::Exact => Bound::Exact,
            // A shorter win, or a sooner loss, may hide below a child that was cut off in doubt.
            _ if score.is_win() || cut => Bound::Lower,
            _ if score.is_loss() || !raised => Bound::Upper,
            _ => Bound::Exact,
        }
    }
}

/// Multiplies a child's CDF, from its own view, into the lowest `lanes` bins of its parent's product.
fn multiply(product: &mut Running, child: &[f32; LANES], lanes: usize) {
    let child = child[..BINS - 1].iter().rev();
    for (q, child) in product.q[..lanes].iter_mut().zip(child) {
        let both = *q * (1.0 - child);
        // Below 1e-20 only denormal numbers follow, which are slow.
        *q = if both < 1e-20 { 0.0 } else { both };
    }
}

fn with_point(mut product: Running, point: Option<Score>, bins: &Bins) -> Running {
    if let Some(point) = point {
        step(&mut product, point, bins);
    }
    product
}

#[cfg(test)]
mod tests;
