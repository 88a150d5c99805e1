//! Models fitted to labelled positions, each with a note on how it was obtained: the width of a leaf's belief here, the
//! belief that DISTRESS reports for its root in [`Curved`].

mod report;

pub use report::Curved;

use shakmaty::{Board, Position, Role};

use super::hand_crafted::advanced_pawns;
use belief::{Density, Grid};
use game::ChessPosition;

/// A logistic distribution in the logit, centred on a linear function of a mean logit. It models how far the truth is
/// from a position's value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report {
    /// location = shift + slope m, where m is the mean logit of a root's own belief or the logit of a leaf's quiescence
    /// value.
    pub shift: f32,
    pub slope: f32,
    /// ln tau = w0 + w1 ln(1 + |m|) + w2 phase/24 + w3 min(advanced pawns, 4)/4.
    pub width: [f32; 4],
}

impl Report {
    /// The belief of a leaf whose quiescence value has the logit m, with `width=fitted`: a logistic around that value.
    ///
    /// Fitted by `plyscope lab calibration TRAINING --positions 20000 --fit-leaf`: maximum likelihood of the width
    /// over 9,291 positions. On 9,291 others: loss 1.351 (1.385 with the previous widths), CRPS .081, within 50/80/90
    /// %: 51/83/92 %.
    pub const LEAF: Report = Report {
        shift: 0.0,
        slope: 1.0,
        width: [-1.044, 0.668, -0.482, 0.301],
    };

    /// Returns location and scale in the logit.
    pub fn shape(&self, mean_logit: f32, features: &Features) -> (f32, f32) {
        let [constant, of_value, of_phase, of_pawns] = self.width;
        let log = constant
            + of_value * (1.0 + mean_logit.abs()).ln()
            + of_phase * features.phase
            + of_pawns * features.advanced;
        (self.shift + self.slope * mean_logit, log.exp())
    }

    /// Returns the belief about a position's value, from the side to move's view, given the mean logit of a search's
    /// belief.
    pub fn belief(&self, grid: &Grid, mean_logit: f32, features: &Features) -> Density {
        let (location, tau) = self.shape(mean_logit, features);
        Density::forecast(grid, location, tau)
    }
}

mod prob_alpha_beta;
mod rising;
mod searched;

pub use prob_alpha_beta::{Curve, KNOTS};
pub use searched::{Searched, SearchedFeatures};

/// The features, besides the value, on which the width depends.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Features {
    /// The phase by the pieces left: 1 at the start of a game, 0 with only kings and pawns.
    pub phase: f32,
    /// Pawns on their sixth or seventh rank, at most four, divided by four.
    pub advanced: f32,
}

impl Features {
    pub fn of(position: &ChessPosition) -> Features {
        let board = position.chess().board();
        let count = |role| board.by_role(role).count() as f32;
        let weight = count(Role::Knight)
            + count(Role::Bishop)
            + 2.0 * count(Role::Rook)
            + 4.0 * count(Role::Queen);
        Features {
            phase: (weight / 24.0).min(1.0),
            advanced: advanced(board),
        }
    }
}

fn advanced(board: &Board) -> f32 {
    advanced_pawns(board).min(4) as f32 / 4.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use belief::BINS;

    #[test]
    fn a_report_is_a_distribution_about_its_location() {
        let grid = Grid::sinh();
        let features = Features::of(&ChessPosition::default());
        assert_eq!(
            features,
            Features {
                phase: 1.0,
                advanced: 0.0
            }
        );
        for mean in [-6.0, -1.0, 0.0, 0.4, 3.0] {
            let report = Report::LEAF;
            let (location, tau) = report.shape(mean, &features);
            let belief = report.belief(&grid, mean, &features);
            let mass: f32 = belief.0[..BINS].iter().sum();
            assert!((mass - 1.0).abs() < 1e-5 && tau > 0.0);
            // Half of the mass is below the location.
            let bin = grid.bin_of((location / 2.0).tanh());
            let below: f32 = belief.0[..bin].iter().sum();
            assert!(below <= 0.5 + 1e-3 && below + belief.0[bin] >= 0.5 - 1e-3);
        }
        // A lost position may turn out to be a certain loss.
        assert!(Report::LEAF.belief(&grid, -6.0, &features).0[0] > 0.0);
    }

    #[test]
    fn the_width_by_hand() {
        let report = Report {
            shift: 0.1,
            slope: 0.5,
            width: [-1.0, 1.0, 0.5, 2.0],
        };
        let features = Features {
            phase: 0.5,
            advanced: 0.25,
        };
        let (location, tau) = report.shape(-1.0, &features);
        assert!((location + 0.4).abs() < 1e-6);
        // exp(-1 + ln 2 + .25 + .5)
        assert!((tau - 2.0 * (-0.25f32).exp()).abs() < 1e-5);
    }
}
