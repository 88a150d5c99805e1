//! The belief that DISTRESS reports for its root.

use super::rising::logistic;
use super::{Features, Report};
use crate::Evaluation;
use belief::{Density, Grid};

/// A logistic in the logit, centred on a curve in the mean logit of a root's own belief. It models how far the truth is
/// from what a search says.
///
/// The curve is steep near 0 and flat far from it. In open positions a search's mean is nearer to 0 than the truth,
/// because its leaves' beliefs are wide and so is their mixture; in decided ones the labels reach the ends of the scale
/// and the search cannot. A line through both is wrong in the middle. The search's own spread is not used: with it the
/// held-out scores were worse, and it depends on the back-up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curved {
    pub line: Report,
    /// The coefficient of tanh(m/2), which is m as an expected score, in the location.
    pub bend: f32,
    /// The coefficient of ln(1 + |m|)^2 in the logarithm of the width.
    pub swell: f32,
}

impl From<Report> for Curved {
    fn from(line: Report) -> Curved {
        Curved {
            line,
            bend: 0.0,
            swell: 0.0,
        }
    }
}

impl Curved {
    /// Fitted by `plyscope lab calibration TRAINING --positions 12000 --seed 2 --fit-report` (10,000 nodes each,
    /// default options, eval=hand): maximum likelihood over 5,823 positions, where truths beyond the inner bins
    /// counted as lying beyond them. On 5,822 others: loss 1.012, CRPS .0528, root mean square error of the mean .120,
    /// within 50/80/90 %: 51/83/91 %.
    pub const DISTRESS: Curved = Curved {
        line: Report {
            shift: -0.044,
            slope: 0.544,
            width: [-1.004, -0.655, -0.542, 0.372],
        },
        bend: 1.578,
        swell: 0.614,
    };

    /// As [`Curved::DISTRESS`], with the evaluation by the network, on positions of games that the network was not trained
    /// on (`benches/network/held_out.py`): `plyscope lab calibration HELD-OUT --positions 12000 --seed 2 --fit-report -a
    /// distress` (10,000 nodes each, default options). On the half of them that it was not fitted to: loss .628, CRPS .0403,
    /// root mean square error of the mean .099, within 50/80/90 %: 55/82/92 %.
    pub const DISTRESS_NETWORK: Curved = Curved {
        line: Report {
            shift: -0.038,
            slope: 0.900,
            width: [-1.368, -1.087, -0.188, 0.773],
        },
        bend: 0.426,
        swell: 0.789,
    };

    /// As [`Curved::DISTRESS_NETWORK`], by the same command and on the same positions, with both evaluations (the default): on
    /// the half of them that it was not fitted to, loss .690, CRPS .0388, root mean square error of the mean .091, within
    /// 50/80/90 %: 53/82/91 %.
    pub const DISTRESS_BOTH: Curved = Curved {
        line: Report {
            shift: -0.023,
            slope: 0.672,
            width: [-1.293, -1.205, -0.304, 0.748],
        },
        bend: 1.147,
        swell: 0.883,
    };

    /// The one for trees that were evaluated so.
    pub fn distress(evaluation: Evaluation) -> Curved {
        match evaluation {
            Evaluation::HandCrafted => Curved::DISTRESS,
            Evaluation::Network => Curved::DISTRESS_NETWORK,
            Evaluation::Both => Curved::DISTRESS_BOTH,
        }
    }

    /// Returns location and scale in the logit.
    pub fn shape(&self, mean_logit: f32, features: &Features) -> (f32, f32) {
        let (location, tau) = self.line.shape(mean_logit, features);
        let size = (1.0 + mean_logit.abs()).ln();
        (
            location + self.bend * (mean_logit / 2.0).tanh(),
            tau * (self.swell * size * size).exp(),
        )
    }

    /// Returns the belief about a position's value, from the side to move's view, given the mean logit of a search's
    /// belief. The width stops growing where the mean would fall otherwise: in a middlegame with a few advanced pawns,
    /// beyond 6.5.
    pub fn belief(&self, grid: &Grid, mean_logit: f32, features: &Features) -> Density {
        logistic(grid, mean_logit, |at| self.shape(at, features))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use belief::BINS;

    const FEATURES: Features = Features {
        phase: 0.5,
        advanced: 0.25,
    };

    #[test]
    fn the_curve_by_hand() {
        let report = Curved {
            line: Report {
                shift: 0.1,
                slope: 0.5,
                width: [-1.0, 1.0, 0.5, 2.0],
            },
            bend: 2.0,
            swell: 0.5,
        };
        let (location, tau) = report.shape(-1.0, &FEATURES);
        // .1 - .5 - 2 tanh(1/2); exp(-1 + ln 2 + .25 + .5 + ln(2)^2 / 2)
        assert!((location + 0.4 + 0.924_234).abs() < 1e-5);
        assert!((tau - 2.0 * (-0.25f32 + 0.240_227).exp()).abs() < 1e-5);
        let straight = Curved::from(report.line);
        assert_eq!(
            straight.shape(-1.0, &FEATURES),
            report.line.shape(-1.0, &FEATURES)
        );
    }

    /// A higher score of the search never gives a lower mean in the report, whatever the features, and what is reported
    /// is a distribution.
    #[test]
    fn more_is_more() {
        let grid = Grid::sinh();
        for (report, phase) in [Curved::DISTRESS, Curved::DISTRESS_NETWORK]
            .into_iter()
            .flat_map(|report| [0.0, 0.5, 1.0].map(|phase| (report, phase)))
        {
            for advanced in [0.0, 0.25, 1.0] {
                let features = Features { phase, advanced };
                let mut before = -1.0;
                for step in -240..=240 {
                    let logit = 0.05 * step as f32;
                    let belief = report.belief(&grid, logit, &features);
                    let mass: f32 = belief.0[..BINS].iter().sum();
                    let mean = belief.mean(&grid);
                    assert!(
                        (mass - 1.0).abs() < 1e-5 && mean >= before,
                        "{features:?} {logit}: {mean} {before}"
                    );
                    before = mean;
                }
                assert!(before > 0.9, "{features:?} {before}");
            }
        }
    }

    /// Stopping the growth of the width changes nothing in the range that the samples cover, for typical positions.
    #[test]
    fn the_form_is_untouched_where_it_was_fitted() {
        let grid = Grid::sinh();
        for step in -60..=60 {
            let logit = 0.1 * step as f32;
            let (location, tau) = Curved::DISTRESS.shape(logit, &FEATURES);
            let form = Density::forecast(&grid, location, tau);
            assert_eq!(
                Curved::DISTRESS.belief(&grid, logit, &FEATURES).0,
                form.0,
                "{logit}"
            );
        }
    }
}
