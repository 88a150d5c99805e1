//! The precursors as back-ups in a search that keeps distributions. A child's belief is read as four numbers or as
//! three points, these are backed up by their own formulas, and the result is written as a distribution again. A search
//! keeps the numbers beside the distribution ([`Numbers`]), so that only the numbers of leaves are read from a
//! distribution. Meant for teaching: a thousand times slower than a back-up of distributions.
//!
//! All values are expected scores. A written distribution has no mass in the bins that mean certainty.

use super::precursors::{Svfc, ThreePoint};
use super::special::{normal_cdf, normal_pdf};
use super::{BINS, Cdf, Form, Grid, LANES, Numbers};

/// An outcome more than this many standard deviations away from s counts as fortuitous or catastrophic (f and c).
pub const FAR: f64 = 2.0;

/// A belief with a smaller variance is treated as a point.
const LEAST_VARIANCE: f64 = 1e-9;

/// The positions of the bins: their edges (one more than there are bins) and their centres, ascending.
pub(super) struct Places {
    pub edges: Vec<f64>,
    pub centres: Vec<f64>,
}

impl Places {
    fn of(grid: &Grid) -> Places {
        let numbers = |x: &[f32]| x.iter().map(|&x| f64::from(x)).collect();
        Places {
            edges: numbers(&grid.edges()[..]),
            centres: numbers(&grid.centres()[..BINS]),
        }
    }

    /// Returns the mass below `x`, taking the mass as spread evenly within each bin.
    fn below(&self, mass: &[f64], x: f64) -> f64 {
        let bins = mass.iter().zip(self.edges.windows(2));
        let part = |(p, e): (&f64, &[f64])| p * ((x - e[0]) / (e[1] - e[0])).clamp(0.0, 1.0);
        bins.map(part).sum()
    }

    /// Returns the point with a share `p` of the mass below it. If one bin holds all the mass, it is the centre of that
    /// bin.
    fn quantile(&self, mass: &[f64], p: f64) -> f64 {
        let mut below = 0.0;
        for (bin, &m) in mass.iter().enumerate() {
            if m >= 1.0 - 1e-12 {
                return self.centres[bin];
            }
            if m > 0.0 && below + m >= p {
                let (lo, hi) = (self.edges[bin], self.edges[bin + 1]);
                return lo + (p - below) / m * (hi - lo);
            }
            below += m;
        }
        self.edges.last().copied().unwrap_or_default()
    }
}

fn masses(belief: &Cdf) -> Vec<f64> {
    let steps = belief.0[..BINS].iter();
    let q: Vec<f64> = steps
        .map(|&c| f64::from(c) / f64::from(super::ONE))
        .collect();
    super::reference::differences(&q)
}

impl Svfc {
    /// Reads the mean and variance of a belief, and the mass more than [`FAR`] standard deviations above and below the
    /// mean (spread evenly within a bin). A point has f = c = 0, a normal distribution f = c = .02275.
    pub fn of(belief: &Cdf, grid: &Grid) -> Svfc {
        Svfc::read(&masses(belief), &Places::of(grid))
    }

    pub(super) fn read(mass: &[f64], places: &Places) -> Svfc {
        let mean = |f: &dyn Fn(f64) -> f64| -> f64 {
            mass.iter()
                .zip(&places.centres)
                .map(|(p, c)| p * f(*c))
                .sum()
        };
        let s = mean(&|x| x);
        let v = mean(&|x| (x - s).powi(2));
        if v < LEAST_VARIANCE {
            return Svfc {
                s,
                v: 0.0,
                f: 0.0,
                c: 0.0,
            };
        }
        let far = FAR * v.sqrt();
        Svfc {
            s,
            v,
            f: 1.0 - places.below(mass, s + far),
            c: places.below(mass, s - far),
        }
    }

    /// Returns a normal distribution whose two tails beyond [`FAR`] standard deviations hold f and c instead of .02275
    /// each, shifted and stretched so that its mean and variance are s and v (before the mass outside the bins is put
    /// into the end bins).
    ///
    /// Mean and variance survive being written and read again. A large f or c does not: at most a fifth of the mass can
    /// lie two standard deviations out on one side, so it is read back smaller.
    pub fn belief(self, grid: &Grid) -> Cdf {
        if self.v < LEAST_VARIANCE {
            return Cdf::atom(grid.bin_of(self.s as f32));
        }
        write(grid, |x| self.cdf(x))
    }

    /// P(X <= x) of the distribution that [`Svfc::belief`] writes.
    pub fn cdf(self, x: f64) -> f64 {
        if self.v < LEAST_VARIANCE {
            return f64::from(u8::from(x >= self.s));
        }
        let (f, c) = (self.f.clamp(0.0, 1.0), self.c.clamp(0.0, 1.0));
        let middle = (1.0 - f - c).max(0.0);
        let tail = normal_cdf(-FAR);
        // E[Z | Z > 2], E[Z² | Z > 2] and E[Z² | |Z| < 2] of a standard normal Z.
        let mean = normal_pdf(FAR) / tail;
        let outer = 1.0 + FAR * mean;
        let inner = 1.0 - 2.0 * FAR * normal_pdf(FAR) / (1.0 - 2.0 * tail);
        let shift = (f - c) * mean;
        let variance = (f + c) * outer + middle * inner - shift * shift;
        let sd = (self.v / variance.max(1e-6)).sqrt();
        let centre = self.s - shift * sd;
        let z = (x - centre) / sd;
        if z < -FAR {
            c * normal_cdf(z) / tail
        } else if z > FAR {
            1.0 - f * normal_cdf(-z) / tail
        } else {
            c + middle * (normal_cdf(z) - tail) / (1.0 - 2.0 * tail)
        }
    }
}

impl ThreePoint {
    /// Reads the 5, 50 and 95 % points of a belief.
    pub fn of(belief: &Cdf, grid: &Grid) -> ThreePoint {
        ThreePoint::read(&masses(belief), &Places::of(grid))
    }

    pub(super) fn read(mass: &[f64], places: &Places) -> ThreePoint {
        let [left, middle, right] = [0.05, 0.5, 0.95].map(|p| places.quantile(mass, p));
        ThreePoint {
            middle,
            left: middle - left,
            right: right - middle,
        }
    }

    /// Returns the split normal distribution with these three points.
    pub fn belief(self, grid: &Grid) -> Cdf {
        if self.left.max(self.right) < LEAST_VARIANCE.sqrt() {
            return Cdf::atom(grid.bin_of(self.middle as f32));
        }
        write(grid, |x| self.cdf(x))
    }
}

/// Writes a distribution given by its CDF, evaluated at the upper edges of the bins, without mass in the bins that mean
/// certainty.
fn write(grid: &Grid, cdf: impl Fn(f64) -> f64) -> Cdf {
    let (first, last) = grid.inner();
    let mut q = [0.0; LANES];
    for (bin, q) in q[..BINS].iter_mut().enumerate().skip(first) {
        *q = if bin < last {
            cdf(f64::from(grid.edges()[bin + 1])).clamp(0.0, 1.0) as f32
        } else {
            1.0
        };
    }
    Cdf::from_f32(&q)
}

/// The result of a precursor's back-up of a node, for the inspector. The children are in the node's own view.
#[derive(Clone, Debug, PartialEq)]
pub enum Precursor {
    /// Four numbers per node. `blend` is β in the DISTRESS essay, for f and c, `played` holds the p(i) and `optimal`
    /// the b(i).
    Svfc {
        node: Svfc,
        children: Vec<Svfc>,
        played: Vec<f64>,
        optimal: Vec<f64>,
        blend: f32,
    },
    ThreePoint {
        node: ThreePoint,
        children: Vec<ThreePoint>,
    },
}

impl Precursor {
    /// Combines the children's numbers, all of one kind, and their b(i), which three points do not have. Returns `None`
    /// without children.
    pub fn of(
        children: &[Numbers],
        optimal: Vec<f64>,
        form: &Form,
        blend: f32,
    ) -> Option<Precursor> {
        match children.first()? {
            Numbers::Svfc(_) => {
                let children = four(children);
                let played = form.played(&children, &optimal);
                let b = f64::from(blend);
                Some(Precursor::Svfc {
                    node: Svfc::combine(&children, &played, (b, b))?,
                    children,
                    played,
                    optimal,
                    blend,
                })
            }
            Numbers::ThreePoint(_) => {
                let three = |n: &Numbers| match n {
                    Numbers::ThreePoint(n) => Some(*n),
                    Numbers::Svfc(_) => None,
                };
                let children: Vec<ThreePoint> = children.iter().filter_map(three).collect();
                let node = ThreePoint::maximum(&children)?;
                Some(Precursor::ThreePoint { node, children })
            }
        }
    }

    /// The node's numbers.
    pub fn node(&self) -> Numbers {
        match self {
            Precursor::Svfc { node, .. } => Numbers::Svfc(*node),
            Precursor::ThreePoint { node, .. } => Numbers::ThreePoint(*node),
        }
    }
}

/// Returns the entries that are four numbers.
pub fn four(numbers: &[Numbers]) -> Vec<Svfc> {
    let four = |n: &Numbers| match n {
        Numbers::Svfc(n) => Some(*n),
        Numbers::ThreePoint(_) => None,
    };
    numbers.iter().filter_map(four).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BackUp, Density, Rule, Ties};

    fn close(found: f64, expected: f64, within: f64) {
        assert!((found - expected).abs() < within, "{found} {expected}");
    }

    #[test]
    fn a_normal_distribution_has_the_tails_of_one() {
        let grid = Grid::uniform();
        let read = Svfc::of(&Density::normal(&grid, 0.1, 0.2).cdf(), &grid);
        close(read.s, 0.1, 1e-3);
        close(read.v.sqrt(), 0.2, 2e-3);
        close(read.f, 0.02275, 2e-3);
        close(read.c, 0.02275, 2e-3);
        let written = read.belief(&grid);
        let again = Svfc::of(&written, &grid);
        close(again.s, read.s, 1e-3);
        close(again.v.sqrt(), read.v.sqrt(), 4e-3);
    }

    /// Whatever the tails hold, the written distribution has mean s and variance v.
    #[test]
    fn four_numbers_are_written_with_their_mean_and_variance() {
        let grid = Grid::uniform();
        for (f, c) in [(0.0, 0.0), (0.2, 0.0), (0.02, 0.1), (0.6, 0.1), (0.0, 0.4)] {
            let numbers = Svfc {
                s: 0.05,
                v: 0.02,
                f,
                c,
            };
            let read = Svfc::of(&numbers.belief(&grid), &grid);
            close(read.s, numbers.s, 2e-3);
            close(read.v.sqrt(), numbers.v.sqrt(), 5e-3);
            let turned = Svfc::of(&numbers.belief(&grid).negated(), &grid);
            close(turned.f, read.c, 1e-4);
            close(turned.c, read.f, 1e-4);
        }
    }

    #[test]
    fn three_points_are_written_as_they_were_read() {
        let grid = Grid::uniform();
        let points = ThreePoint {
            middle: 0.1,
            left: 0.2,
            right: 0.5,
        };
        let read = ThreePoint::of(&points.belief(&grid), &grid);
        // The halves' densities differ, which the middle's bin evens out: a fifth of a bin.
        close(read.middle, points.middle, 7e-3);
        close(read.left, points.left, 9e-3);
        close(read.right, points.right, 9e-3);
    }

    #[test]
    fn certainty_stays_and_is_never_made() {
        for grid in [Grid::sinh(), Grid::uniform()] {
            for bin in [0, 20, 31, 62] {
                let atom = Cdf::atom(bin);
                assert_eq!(Svfc::of(&atom, &grid).belief(&grid), atom);
                assert_eq!(ThreePoint::of(&atom, &grid).belief(&grid), atom);
            }
        }
        let grid = Grid::sinh();
        let wide = Density::logistic(&grid, 3.0, 1.0).cdf();
        for rule in [Rule::Svfc(0.5), Rule::ThreePoint] {
            let mut policy = [0.0; 2];
            let out = BackUp::new(rule, Ties::Split).run(&[wide, wide], &mut policy);
            assert_eq!((out.0[0], out.density().0[BINS - 1]), (0, 0.0), "{rule}");
            assert!((policy[0] - 0.5).abs() < 1e-4);
        }
    }

    /// The back-up is the precursors' own formula and gives the same numbers.
    #[test]
    fn a_back_up_by_four_numbers_is_the_formula() {
        let grid = Grid::uniform();
        let child = |mean, sd| Density::normal(&grid, mean, sd).cdf();
        let children = [child(0.3, 0.2), child(0.1, 0.3), child(-0.2, 0.1)];
        let mut back_up = BackUp::new(Rule::Svfc(0.5), Ties::Split).on(&grid);
        let mut policy = [0.0; 3];
        let out = back_up.run(&children, &mut policy);
        // The s and v of the golden example, so its p(i) too.
        for (found, expected) in policy.iter().zip([0.70785, 0.28862, 0.00352]) {
            close(f64::from(*found), expected, 0.01);
        }
        let read = children.map(|c| Svfc::of(&c, &grid));
        let (node, played) = Svfc::back_up(&read, (0.5, 0.5)).expect("children");
        assert_eq!(out, node.belief(&grid));
        let detail = back_up.detail(&children);
        let Some(Precursor::Svfc {
            node: shown,
            played: shares,
            ..
        }) = detail.precursor
        else {
            panic!("four numbers");
        };
        assert_eq!((shown, shares), (node, played));
        assert_eq!((detail.result, detail.blend), (out, None));
    }

    /// The plain form in the Lab equals the one in the search.
    #[test]
    fn on_a_line_it_is_the_same() {
        use crate::reference::{self, Line};
        let grid = Grid::uniform();
        let line = Line {
            lo: -1.0,
            hi: 1.0,
            bins: BINS,
        };
        let children = [(0.3, 0.2), (0.1, 0.3), (-0.2, 0.1)]
            .map(|(mean, sd)| Density::normal(&grid, mean, sd).cdf());
        let plain: Vec<Vec<f64>> = children.iter().map(masses).collect();
        for rule in [Rule::Svfc(0.3), Rule::ThreePoint] {
            let mut policy = [0.0; 3];
            let out = BackUp::new(rule, Ties::Essay)
                .on(&grid)
                .run(&children, &mut policy);
            let (by_hand, shares) = line.back_up(rule, Ties::Essay, &plain);
            for (found, expected) in policy.iter().zip(shares) {
                close(f64::from(*found), expected, 1e-5);
            }
            for (found, expected) in out.to_f32().iter().zip(reference::cdf(&by_hand)) {
                close(f64::from(*found), expected, 2e-5);
            }
        }
    }

    /// The defect for which the four numbers were abandoned in the DISTRESS essay: a move so bad that it is never
    /// played makes the position look safe, because its own chance of being even worse is small.
    #[test]
    fn a_bad_move_takes_the_catastrophe_away() {
        let grid = Grid::uniform();
        let risky = Svfc {
            s: 0.3,
            v: 0.04,
            f: 0.02,
            c: 0.15,
        };
        let bad = Svfc {
            s: -0.6,
            v: 0.01,
            f: 0.02,
            c: 0.02,
        };
        let alone = Svfc::back_up(&[risky], (1.0, 1.0)).expect("a child").0;
        let (with, played) = Svfc::back_up(&[risky, bad], (1.0, 1.0)).expect("children");
        assert!(played[1] < 1e-4);
        assert!(with.c < 0.05 * alone.c, "{} {}", with.c, alone.c);
        let chance = |n: Svfc| 1.0 - n.belief(&grid).p_at_least(grid.bin_of(-0.15));
        assert!(
            chance(with) < 0.5 * chance(alone),
            "{} {}",
            chance(with),
            chance(alone)
        );
    }
}
