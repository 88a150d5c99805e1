//! One node of probabilistic alpha-beta: the maximum over the children so far, and what follows from it.

use super::prob_found::{AT_MOST_ANYTHING, Found, p_at_least};
use super::prob_window::Bins;
use crate::belief::{BINS, LANES, Running};
use crate::game::{MoveCode, Score};
use crate::search::depth_first::context::Visit;
use crate::search::{Estimate, Options};
use crate::tree::Bound;

/// Takes a point into the product: nothing lies below its bin any more.
pub(super) fn step(running: &mut Running, point: Score, bins: &Bins) {
    let bin = bin_of(point, bins);
    running.q[..bin].fill(0.0);
}

fn bin_of(point: Score, bins: &Bins) -> usize {
    bins.of(point).clamp(0, BINS as i32 - 1) as usize
}

/// How a child that was cut off counts in its parent's maximum. All three agree where no leaf has any width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refuted {
    /// Not at all against beta, for it may be worth as little as one likes; and with what it was worth when it was cut
    /// where an upper bound is asked for, for it is not worth more. What a cut says is then never more than what holds.
    Bounded,
    /// With what it was worth when it was cut, but at most alpha: sound against the node's own beta, not for its parent,
    /// which takes "at most alpha" for certain.
    Truncated,
    /// With what it was worth when it was cut: Equation 1 of the post on imperfect players as it stands. Each such child
    /// leaves up to 1 - confidence above alpha, and these leftovers pile up.
    Literal,
}

impl Refuted {
    /// The words of the option.
    pub const WORDS: [&str; 3] = ["bounded", "truncated", "literal"];

    /// By the option `refuted`.
    #[must_use]
    pub fn from_options(options: &Options) -> Refuted {
        match options.word("refuted") {
            "truncated" => Refuted::Truncated,
            "literal" => Refuted::Literal,
            _ => Refuted::Bounded,
        }
    }
}

/// The maximum over the children searched so far: Q = prod q_i (Equation 1 of the post on imperfect players).
///
/// Children whose value is a point stand apart from the product, so that among them integers decide, not bins:
/// P(max >= b) is 1 where the best point reaches b, else it is the product's. Where every child is a point this is
/// alpha-beta.
///
/// The bounds of the maximum's CDF ([`Found`]) are products too: `least` of the children's `most`, without those that
/// were cut off; `most` of the children's `least`, with them.
#[derive(Clone, Debug)]
pub struct Maximum {
    rule: Refuted,
    /// The product over the children with width, as it is shown.
    shown: Running,
    /// The bounds; not kept where the rule is not [`Refuted::Bounded`].
    least: Running,
    most: Running,
    /// The best value among the others.
    point: Option<Score>,
    /// The best among those of them that are worth no less than this.
    sure: Option<Score>,
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

impl Maximum {
    /// The maximum of no children yet.
    #[must_use]
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
            any_wide: false,
            any_cut: false,
            any_upper: false,
        }
    }

    /// One more child, from its own view, searched against `alpha`; whether its move is the best now.
    pub fn add(&mut self, m: MoveCode, child: &Found, alpha: Score, bins: &Bins) -> bool {
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
            // What lies above alpha goes to alpha: from its bin on the CDF is 1.
            let below = if cut { bin_of(alpha, bins) } else { all };
            multiply(&mut self.shown, &child.q, below);
            if self.rule == Refuted::Bounded {
                if !child.refuted {
                    multiply(&mut self.least, &child.most, all);
                }
                multiply(&mut self.most, &child.least, all);
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

    /// The product that counts against beta.
    fn counted(&self) -> &Running {
        match self.rule {
            Refuted::Bounded => &self.least,
            _ => &self.shown,
        }
    }

    /// P(max >= bound), as it counts for a cut; 0 before the first child.
    #[must_use]
    pub fn p_at_least(&self, bound: Score, bins: &Bins) -> f32 {
        if self.point.is_some_and(|point| point >= bound) {
            1.0
        } else if self.any_wide {
            p_at_least(&self.counted().q, bins.reaching(bound))
        } else {
            0.0
        }
    }

    /// The bin from which on mass counts as reaching beta: where an exact value does, beta's own.
    #[must_use]
    pub fn beta_bin(&self, beta: Score, bins: &Bins) -> i32 {
        match self.point {
            Some(point) if point >= beta => bins.of(beta),
            _ => bins.reaching(beta),
        }
    }

    /// The highest score that is reached with confidence: the best point, or the highest bin's. Open if there is none.
    #[must_use]
    pub fn reached(&self, confidence: f32, bins: &Bins) -> Score {
        let wide = match self.counted().highest_bin(confidence) {
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

    /// What the best move is worth by itself: its exact value, else the mean of its belief.
    #[must_use]
    pub fn best_value(&self, bins: &Bins) -> Score {
        let (_, mean, point) = self.best_worth;
        if point > Score::MIN {
            point
        } else {
            bins.scale().score(mean)
        }
    }

    /// The product over all children.
    #[must_use]
    pub fn product(&self, bins: &Bins) -> Running {
        with_point(self.shown, self.point, bins)
    }

    /// The mean of the product over all children. The best point counts with its own value, not with its bin's.
    fn mean(&self, product: &Running, bins: &Bins) -> f32 {
        let mean = product.mean(bins.grid());
        let Some(point) = self.point else {
            return mean;
        };
        let bin = bin_of(point, bins);
        // The children with width all lie in lower bins.
        let share = match bin {
            0 => 0.0,
            bin => self.shown.q[bin - 1],
        };
        let off = bins.scale().expected(point) - bins.grid().centres()[bin];
        mean + share * off
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
                let all = self.product(bins);
                Estimate {
                    mean: self.mean(&all, bins),
                    sd: Some(all.density().sd(bins.grid())),
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
        let bounded = self.rule == Refuted::Bounded;
        Found {
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

/// Takes a child's CDF, from its own view, into the lowest `lanes` bins of its parent's product.
fn multiply(product: &mut Running, child: &[f32; LANES], lanes: usize) {
    let child = child[..BINS - 1].iter().rev();
    for (q, child) in product.q[..lanes].iter_mut().zip(child) {
        let both = *q * (1.0 - child);
        // Below 1e-20 only denormals come, which are slow.
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
mod tests {
    use super::*;
    use crate::belief::{Cdf, Density, Grid};
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
        let belief = belief(mean);
        Found::wide(&belief, belief.mean(&Grid::uniform()), Bound::Exact)
    }

    fn belief(mean: f32) -> Cdf {
        Density::normal(&Grid::uniform(), mean / 6.3, 1.0 / 6.3).cdf()
    }

    fn add(max: &mut Maximum, m: u16, child: &Found, bins: &Bins) -> bool {
        max.add(MoveCode(m), child, Score::MIN, bins)
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
        let mut max = Maximum::new(Refuted::Bounded);
        for (i, expected) in [0.5, 0.75, 0.875].into_iter().enumerate() {
            // Mean .1 is the upper edge of the middle bin; the child's view is the other side's.
            add(&mut max, i as u16, &normal(-0.1), &bins);
            let p = max.p_at_least(Score::new(10), &bins);
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
        let mut max = Maximum::new(Refuted::Bounded);
        for (i, value) in [-1, 2, 1].into_iter().enumerate() {
            let child = Found::certain(Score::new(-value), Bound::Exact, &bins);
            add(&mut max, i as u16, &child, &bins);
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
        let mut max = Maximum::new(Refuted::Bounded);
        add(&mut max, 0, &normal(-0.1), &bins);
        add(
            &mut max,
            1,
            &Found::certain(Score::new(7), Bound::Exact, &bins),
            &bins,
        );
        // From here the child's +.07 is -.07; bins .05 wide on either side of the normal's mean are the normal's.
        assert_eq!(max.p_at_least(Score::new(-7), &bins), 1.0);
        assert!((max.p_at_least(Score::new(10), &bins) - 0.5).abs() < 1e-3);
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
        let mut lost = Maximum::new(Refuted::Bounded);
        add(&mut lost, 1, &exact(Score::win_in(3)), &bins);
        add(&mut lost, 2, &exact(Score::win_in(5)), &bins);
        assert_eq!(
            (lost.best, lost.found(&open, false, &bins).point),
            (MoveCode(2), Some(Score::loss_in(6)))
        );
        let mut won = lost.clone();
        add(&mut won, 3, &exact(Score::loss_in(0)), &bins);
        add(&mut won, 4, &exact(Score::loss_in(2)), &bins);
        add(&mut won, 5, &normal(0.0), &bins);
        let found = won.found(&open, false, &bins);
        assert_eq!(
            (won.best, found.point),
            (MoveCode(3), Some(Score::win_in(1)))
        );
        // A loss is one only if every move loses.
        let mut unclear = lost;
        add(&mut unclear, 3, &normal(0.0), &bins);
        assert_eq!(unclear.found(&open, false, &bins).point, None);
    }

    /// A move that was cut off although it may be worth more than alpha: what is left of that counts as the rule says.
    #[test]
    fn what_is_left_of_a_refuted_child() {
        let bins = toy();
        // From here N(-1.3, 1): P(worth >= .1) is .0808, P(worth >= -1.1) is .4207.
        let child = |refuted| Found {
            refuted,
            bound: Bound::Lower,
            ..Found::wide(&belief(1.3), 0.0, Bound::Lower)
        };
        let (alpha, beta) = (Score::new(-10), Score::new(10));
        let reaches = |rule| {
            let mut max = Maximum::new(rule);
            for i in 0..3 {
                max.add(MoveCode(i), &child(true), alpha, &bins);
            }
            let found = max.found(&visit(alpha, beta), false, &bins);
            let below = found.p_at_most(Score::new(-130), &bins);
            (
                max.p_at_least(beta, &bins),
                found.p_at_least(Score::new(-110), &bins),
                below,
            )
        };
        let close = |a: f32, b: f32| assert!((a - b).abs() < 2e-3, "{a} {b}");
        // Nothing is known from below; from above each is worth at most what it was, and so -1.3 with .5.
        let (at_beta, below_alpha, at_most) = reaches(Refuted::Bounded);
        assert_eq!((at_beta, below_alpha), (0.0, 0.0));
        close(at_most, 0.5f32.powi(3));
        let (at_beta, below_alpha, _) = reaches(Refuted::Truncated);
        assert_eq!(at_beta, 0.0);
        close(below_alpha, 1.0 - (1.0 - 0.4207f32).powi(3));
        let (at_beta, below_alpha, _) = reaches(Refuted::Literal);
        close(at_beta, 1.0 - (1.0 - 0.0808f32).powi(3));
        close(below_alpha, 1.0 - (1.0 - 0.4207f32).powi(3));
    }

    /// A child that was not cut off counts for what it is at least: the opposite bound of its own.
    #[test]
    fn bounds_change_places_from_child_to_parent() {
        let bins = toy();
        let child = Found {
            bound: Bound::Upper,
            least: belief(0.5).to_f32(),
            most: belief(1.5).to_f32(),
            ..Found::wide(&belief(1.0), 0.0, Bound::Exact)
        };
        let mut max = Maximum::new(Refuted::Bounded);
        add(&mut max, 0, &child, &bins);
        // Its value is at most N(1.5, 1): from here at least N(-1.5, 1), and at most N(-.5, 1).
        let found = max.found(&visit(Score::MIN, Score::MAX), false, &bins);
        let close = |a: f32, b: f32| assert!((a - b).abs() < 2e-3, "{a} {b}");
        close(found.p_at_least(Score::new(-150), &bins), 0.5);
        close(found.p_at_most(Score::new(-50), &bins), 0.5);
        // Moves left out may be worth anything.
        let cut = max.found(&visit(Score::MIN, Score::new(-190)), true, &bins);
        assert_eq!(cut.p_at_most(Score::new(600), &bins), 0.0);
    }

    /// The best point counts with its own value, not with its bin's centre.
    #[test]
    fn a_value_that_nothing_else_reaches_is_its_own_mean() {
        let bins = toy();
        let mut max = Maximum::new(Refuted::Bounded);
        add(&mut max, 0, &normal(5.9), &bins);
        let point = Found::certain(Score::new(-37), Bound::Exact, &bins);
        add(&mut max, 1, &point, &bins);
        let found = max.found(&visit(Score::MIN, Score::MAX), false, &bins);
        assert_eq!((found.point, found.score(&bins)), (None, Score::new(37)));
        assert_eq!(
            (max.best, max.best_value(&bins)),
            (MoveCode(1), Score::new(37))
        );
    }
}
