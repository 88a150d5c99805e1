//! How far the errors of siblings depend on each other.

use belief::{Cdf, Grid};

/// Siblings are classed by how far their means are apart, in units of their common spread; these are the upper ends.
pub const GAPS: [f64; 2] = [0.5, 1.5];
const CLASSES: usize = GAPS.len() + 1;
/// Moves that are less probable than this hardly affect a back-up, and are left out of its correlation.
const LEAST_SHARE: f32 = 0.01;

/// The intraclass correlation of siblings' errors by how close the siblings are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Correlation {
    /// By class of [`GAPS`], from -1 to 1.
    pub by_gap: [f64; CLASSES],
    /// The number of pairs of siblings in each class.
    pub pairs: [usize; CLASSES],
}

/// A child with a label: mean and spread of its belief, and the error (truth minus mean), all from its parent's view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sibling {
    pub mean: f64,
    pub sd: f64,
    pub error: f64,
}

fn class(gap: f64) -> usize {
    GAPS.partition_point(|end| *end <= gap)
}

/// Returns the distance of two means in units of their spreads.
fn gap(a: (f64, f64), b: (f64, f64)) -> f64 {
    let spread = a.1.hypot(b.1);
    if spread > 0.0 {
        (a.0 - b.0).abs() / spread
    } else {
        f64::INFINITY
    }
}

impl Correlation {
    /// Measures the correlation on families of labelled siblings: the mean product of two siblings' errors over their
    /// mean square, after the mean error of all has been taken off. A class without pairs has the correlation 0.
    pub fn of<'a>(families: impl Iterator<Item = &'a [Sibling]> + Clone) -> Correlation {
        let all = || families.clone().flatten();
        let n = all().count().max(1) as f64;
        let bias = all().map(|s| s.error).sum::<f64>() / n;
        let (mut products, mut squares) = ([0.0; CLASSES], [0.0; CLASSES]);
        let mut pairs = [0; CLASSES];
        for family in families.clone() {
            for (i, a) in family.iter().enumerate() {
                for b in &family[i + 1..] {
                    let class = class(gap((a.mean, a.sd), (b.mean, b.sd)));
                    let (x, y) = (a.error - bias, b.error - bias);
                    products[class] += x * y;
                    squares[class] += (x * x + y * y) / 2.0;
                    pairs[class] += 1;
                }
            }
        }
        let share = |class: usize| {
            let square: f64 = squares[class];
            if square > 0.0 {
                products[class] / square
            } else {
                0.0
            }
        };
        Correlation {
            by_gap: std::array::from_fn(share),
            pairs,
        }
    }

    /// Returns the correlation among the children of one node: the mean over pairs of moves, each weighted by the
    /// product of their shares of the policy. 0 for a lone move.
    pub fn among(&self, children: &[Cdf], policy: &[f32], grid: &Grid) -> f64 {
        let likely: Vec<(f64, (f64, f64))> = children
            .iter()
            .zip(policy)
            .filter(|(_, share)| **share >= LEAST_SHARE)
            .map(|(child, share)| {
                let moments = (f64::from(child.mean(grid)), f64::from(child.sd(grid)));
                (f64::from(*share), moments)
            })
            .collect();
        let (mut sum, mut weights) = (0.0, 0.0);
        for (i, (share, a)) in likely.iter().enumerate() {
            for (other, b) in &likely[i + 1..] {
                let weight = share * other;
                sum += weight * self.by_gap[class(gap(*a, *b))];
                weights += weight;
            }
        }
        if weights > 0.0 { sum / weights } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use belief::Density;

    fn sibling(mean: f64, error: f64) -> Sibling {
        Sibling {
            mean,
            sd: 0.1,
            error,
        }
    }

    /// Close siblings err alike and distant ones independently; by hand: 1 and 0.
    #[test]
    fn correlations_are_told_apart_by_the_gap() {
        let close = [
            [sibling(0.0, 0.2), sibling(0.01, 0.2)],
            [sibling(0.0, -0.2), sibling(0.01, -0.2)],
        ];
        let distant = [
            [sibling(0.0, 0.2), sibling(0.9, 0.2)],
            [sibling(0.0, 0.2), sibling(0.9, -0.2)],
            [sibling(0.0, -0.2), sibling(0.9, 0.2)],
            [sibling(0.0, -0.2), sibling(0.9, -0.2)],
        ];
        let families = close.iter().chain(&distant).map(<[Sibling; 2]>::as_slice);
        let found = Correlation::of(families);
        assert_eq!(found.pairs, [2, 0, 4]);
        assert!((found.by_gap[0] - 1.0).abs() < 1e-12 && found.by_gap[2].abs() < 1e-12);
        assert_eq!(found.by_gap[1], 0.0);
        assert_eq!(Correlation::of(std::iter::empty()), Correlation::default());
    }

    #[test]
    fn a_node_weighs_its_pairs_by_their_policy() {
        let grid = Grid::sinh();
        let child = |logit| Density::logistic(&grid, logit, 0.1).cdf();
        let correlation = Correlation {
            by_gap: [0.8, 0.4, 0.0],
            pairs: [1; 3],
        };
        let among = |logits: &[f32], policy: &[f32]| {
            let children: Vec<Cdf> = logits.iter().map(|l| child(*l)).collect();
            correlation.among(&children, policy, &grid)
        };
        assert!((among(&[0.0, 0.0], &[0.5, 0.5]) - 0.8).abs() < 1e-12);
        assert!(among(&[0.0, 3.0], &[0.9, 0.1]).abs() < 1e-12);
        // The pairs weigh .4 · .4 (close) and twice .4 · .2 (distant).
        let three = among(&[0.0, 0.0, 3.0], &[0.4, 0.4, 0.2]);
        assert!((three - 0.8 * 0.16 / 0.32).abs() < 1e-9, "{three}");
        assert_eq!(among(&[0.0], &[1.0]), 0.0);
    }
}
