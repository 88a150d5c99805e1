//! The belief that probabilistic alpha-beta reports for its root.

use super::Features;
use super::rising::logistic;
use belief::{Density, Grid};

/// The magnitudes of the logit at which a curve is given. It is linear in between and constant beyond the last.
pub const KNOTS: [f32; 8] = [0.0, 0.3, 0.7, 1.3, 2.1, 3.2, 4.5, 6.5];

/// A logistic in the logit whose location and width are curves over the magnitude of the root's value. The location has
/// to be a curve because searches of a few thousand nodes understate positions that are somewhat better than even and
/// overstate won ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// Added to the location: what it is worth to be the side to move.
    pub shift: f32,
    /// The magnitude of the location at the knots; 0 at the first.
    pub location: [f32; KNOTS.len()],
    /// The logarithm of the scale tau at the knots.
    pub width: [f32; KNOTS.len()],
    /// Added to the logarithm of the scale, multiplied by the phase and by the advanced pawns ([`Features`]).
    pub of_phase: f32,
    pub of_pawns: f32,
}

impl Curve {
    /// What prob-alpha-beta reports if its root's best move is worth the logit m, whatever width it gives its leaves:
    /// that width describes the error of quiescence search at a leaf, not the error of the search above it.
    ///
    /// Fitted by `cargo run --release --features examples --example prob_report TRAINING 10000 2` (10,000 nodes each, default options):
    /// maximum likelihood over 9,691 positions, where truths beyond the inner bins counted as lying beyond them.
    pub const PROB_ALPHA_BETA: Curve = Curve {
        shift: 0.0,
        location: [0.0, 0.324, 0.809, 1.534, 2.474, 3.242, 3.868, 6.717],
        width: [
            -1.551, -1.438, -1.236, -1.077, -1.302, -1.284, -1.199, 0.283,
        ],
        of_phase: -0.464,
        of_pawns: 0.493,
    };

    /// Returns the knot below a magnitude, and how far it is from there to the next one (0 to 1).
    pub fn place(size: f32) -> (usize, f32) {
        let last = KNOTS.len() - 1;
        let upper = KNOTS.partition_point(|&knot| knot <= size).clamp(1, last);
        let (low, high) = (KNOTS[upper - 1], KNOTS[upper]);
        (upper - 1, ((size - low) / (high - low)).clamp(0.0, 1.0))
    }

    /// Returns location and scale in the logit, from the side to move's view.
    pub fn shape(&self, logit: f32, features: &Features) -> (f32, f32) {
        let (knot, share) = Curve::place(logit.abs());
        let at = |curve: &[f32; KNOTS.len()]| curve[knot] + share * (curve[knot + 1] - curve[knot]);
        let log =
            at(&self.width) + self.of_phase * features.phase + self.of_pawns * features.advanced;
        (self.shift + at(&self.location).copysign(logit), log.exp())
    }

    /// Returns the belief about a position's value, from the side to move's view, if its search says `logit`. The width
    /// stops growing where the mean would fall otherwise: for most positions beyond 5.7, near the last knot.
    pub fn belief(&self, grid: &Grid, logit: f32, features: &Features) -> Density {
        logistic(grid, logit, |at| self.shape(at, features))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_by_hand() {
        let mut curve = Curve {
            shift: 0.1,
            location: KNOTS.map(|k| 2.0 * k),
            width: KNOTS.map(|k| -k),
            of_phase: 0.5,
            of_pawns: 2.0,
        };
        let features = Features {
            phase: 0.5,
            advanced: 0.25,
        };
        for logit in [-7.5f32, -1.0, 0.0, 0.3, 0.5, 4.0, 6.5] {
            let size = logit.abs().min(6.5);
            let (location, tau) = curve.shape(logit, &features);
            assert!(
                (location - 0.1 - (2.0 * size).copysign(logit)).abs() < 1e-5,
                "{logit}"
            );
            assert!((tau.ln() - (0.75 - size)).abs() < 1e-5, "{logit}");
        }
        // Between two knots only these two count, and no other.
        curve.location[3] = 100.0;
        assert!((curve.shape(0.5, &features).0 - 1.1).abs() < 1e-5);
        assert!((curve.shape(1.0, &features).0 - (0.1 + 0.5 * 101.4)).abs() < 1e-3);
    }

    #[test]
    fn what_is_reported_rises_with_the_value_and_is_a_distribution() {
        let grid = Grid::sinh();
        for phase in [0.0, 0.5, 1.0] {
            for advanced in [0.0, 0.25, 1.0] {
                let features = Features { phase, advanced };
                let means: Vec<f32> = (-240..=240)
                    .map(|i| {
                        let belief =
                            Curve::PROB_ALPHA_BETA.belief(&grid, i as f32 / 20.0, &features);
                        assert!((belief.0.iter().sum::<f32>() - 1.0).abs() < 1e-5);
                        belief.mean(&grid)
                    })
                    .collect();
                assert!(means.is_sorted(), "{features:?}: {means:?}");
                // At 0 only the shift remains.
                assert!(means[240].abs() < 0.1, "{}", means[240]);
            }
        }
    }

    /// Stopping the growth of the width changes nothing below 5.6 for typical positions.
    #[test]
    fn the_form_is_untouched_where_it_rises() {
        let grid = Grid::sinh();
        let features = Features {
            phase: 0.5,
            advanced: 0.25,
        };
        for step in -55..=55 {
            let logit = 0.1 * step as f32;
            let (location, tau) = Curve::PROB_ALPHA_BETA.shape(logit, &features);
            let form = Density::forecast(&grid, location, tau);
            let belief = Curve::PROB_ALPHA_BETA.belief(&grid, logit, &features);
            assert_eq!(belief.0, form.0, "{logit}");
        }
    }
}
