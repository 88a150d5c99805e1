//! Fits beliefs to labelled positions: the belief that DISTRESS reports of its root, and that of a leaf.

use belief::Grid;
use belief::score::{Forecast, LEVELS};
use eval::Evaluation;
use eval::fitted::{Curved, Features, Report};

/// The root of one search, and the truth about it.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Sample {
    /// The mean of the root's own belief, or of the leaf's quiet value; for the side to move.
    pub mean_logit: f32,
    pub features: Features,
    /// The expected score for the side to move.
    pub truth: f64,
}

/// A report fitted to every second sample, and how well it and the present one do on the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fitted {
    pub report: Curved,
    /// The number of samples to which it was fitted.
    pub trained: usize,
    /// The number of samples by which it is judged.
    pub held_out: usize,
    pub now: Judgement,
    pub then: Judgement,
}

/// What is fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// The location and width of a searched root.
    Root,
    /// The width of a leaf's belief about its value.
    Leaf,
}

impl Aim {
    /// Returns the report in use.
    pub fn in_use(self) -> Curved {
        match self {
            Aim::Root => Curved::distress(Evaluation::default()),
            Aim::Leaf => Report::LEAF.into(),
        }
    }

    /// Returns the parameters that are fitted: for a leaf those of its linear width, for a root all.
    fn fitted(self) -> std::ops::Range<usize> {
        match self {
            Aim::Root => 0..PARAMETERS,
            Aim::Leaf => 2..6,
        }
    }
}

/// How well a report does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgement {
    /// The mean negative logarithm of the likelihood.
    pub loss: f64,
    pub crps: f64,
    /// The root mean square of mean minus truth.
    pub rmse: f64,
    /// The shares within the central interval of each of [`LEVELS`].
    pub coverage: [f64; LEVELS.len()],
}

/// Fewer samples than this are not enough.
const LEAST: usize = 40;
const STEPS: u32 = 4_000;
/// The rate of the first step; it decreases as one over the square root.
const RATE: f64 = 0.05;
/// Truths beyond this logit are not distinguished; it is the last inner edge of the grid.
const LIMIT: f64 = 8.0;
const PARAMETERS: usize = 8;
/// The order is: shift, slope, the four of the width, bend, swell.
type Parameters = [f64; PARAMETERS];

/// Fits by maximum likelihood. Returns `None` if there are too few samples.
pub fn fit(aim: Aim, samples: &[Sample]) -> Option<Fitted> {
    if samples.len() < LEAST {
        return None;
    }
    let part = |rest| {
        samples
            .iter()
            .skip(rest)
            .step_by(2)
            .copied()
            .collect::<Vec<_>>()
    };
    let (train, test) = (part(0), part(1));
    let report = to_report(&climb(aim, &train));
    Some(Fitted {
        report,
        trained: train.len(),
        held_out: test.len(),
        now: judge(&aim.in_use(), &test),
        then: judge(&report, &test),
    })
}

/// Judges how well a report does on samples.
pub fn judge(report: &Curved, samples: &[Sample]) -> Judgement {
    let grid = Grid::sinh();
    let n = samples.len().max(1) as f64;
    let mut judged = Judgement {
        loss: 0.0,
        crps: 0.0,
        rmse: 0.0,
        coverage: [0.0; LEVELS.len()],
    };
    let parameters = from_report(report);
    for sample in samples {
        let belief = report.belief(&grid, sample.mean_logit, &sample.features);
        let forecast = Forecast::of(&belief, &grid);
        judged.loss += loss(&parameters, sample).0 / n;
        judged.crps += forecast.crps(sample.truth) / n;
        judged.rmse += (f64::from(belief.mean(&grid)) - sample.truth).powi(2) / n;
        let pit = forecast.pit(sample.truth);
        for (share, level) in judged.coverage.iter_mut().zip(LEVELS) {
            *share += pit.covered(level) / n;
        }
    }
    judged.rmse = judged.rmse.sqrt();
    judged
}

fn from_report(report: &Curved) -> Parameters {
    let Report {
        shift,
        slope,
        width: [a, b, c, d],
    } = report.line;
    [shift, slope, a, b, c, d, report.bend, report.swell].map(f64::from)
}

fn to_report(p: &Parameters) -> Curved {
    // Three digits are more than the data determine.
    let [shift, slope, a, b, c, d, bend, swell] = p.map(|x| ((x * 1e3).round() / 1e3) as f32);
    Curved {
        line: Report {
            shift,
            slope,
            width: [a, b, c, d],
        },
        bend,
        swell,
    }
}

/// Follows the gradient, with a step size of its own for each parameter (Kingma & Ba 2015, Adam).
fn climb(aim: Aim, samples: &[Sample]) -> Parameters {
    let mut at = from_report(&aim.in_use());
    let (mut first, mut second) = ([0.0; PARAMETERS], [0.0; PARAMETERS]);
    for step in 1..=STEPS {
        let mut gradient = [0.0; PARAMETERS];
        for sample in samples {
            let (_, slope) = loss(&at, sample);
            for (sum, s) in gradient.iter_mut().zip(slope) {
                *sum += s / samples.len() as f64;
            }
        }
        let rate = RATE / f64::from(step).sqrt();
        for i in aim.fitted() {
            first[i] = 0.9 * first[i] + 0.1 * gradient[i];
            second[i] = 0.999 * second[i] + 0.001 * gradient[i] * gradient[i];
            let mean = first[i] / (1.0 - 0.9f64.powi(step as i32));
            let square: f64 = second[i] / (1.0 - 0.999f64.powi(step as i32));
            at[i] -= rate * mean / (square.sqrt() + 1e-8);
        }
    }
    at
}

/// Returns the negative logarithm of a sample's likelihood in the logit, and its gradient.
fn loss(parameters: &Parameters, sample: &Sample) -> (f64, Parameters) {
    let m = f64::from(sample.mean_logit);
    let size = m.abs().ln_1p();
    let [shift, slope, base, by_size, by_phase, by_pawns, bend, swell] = *parameters;
    let (phase, advanced) = (
        f64::from(sample.features.phase),
        f64::from(sample.features.advanced),
    );
    let location = shift + slope * m + bend * (m / 2.0).tanh();
    let log_width =
        base + by_size * size + by_phase * phase + by_pawns * advanced + swell * size * size;
    let (loss, [by_location, by_width]) = logistic_loss(location, log_width, sample.truth);
    (
        loss,
        [
            by_location,
            by_location * m,
            by_width,
            by_width * size,
            by_width * phase,
            by_width * advanced,
            by_location * (m / 2.0).tanh(),
            by_width * size * size,
        ],
    )
}

/// Returns the negative logarithm of a truth's likelihood under a logistic distribution in the logit, and its derivatives by
/// the location and by the logarithm of the width. The truth is an expected score; beyond [`LIMIT`] all that is known of it
/// is that it lies there.
pub(super) fn logistic_loss(location: f64, log_width: f64, truth: f64) -> (f64, [f64; 2]) {
    let width = log_width.exp();
    let truth = (2.0 * truth.clamp(-1.0 + 1e-9, 1.0 - 1e-9).atanh()).clamp(-LIMIT, LIMIT);
    if truth.abs() >= LIMIT {
        let side = truth.signum();
        let u = (LIMIT - side * location) / width;
        let share = 1.0 / (1.0 + (-u).exp());
        (softplus(u), [-side * share / width, -u * share])
    } else {
        let d = (truth - location) / width;
        let pull = (d / 2.0).tanh();
        let loss = softplus(d) + softplus(-d) + log_width;
        (loss, [-pull / width, 1.0 - d * pull])
    }
}

/// Returns ln(1 + e^x).
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;

    /// Draws truths from a report, at sizes up to 5 that are uniform in the variable over which the width is a curve.
    /// The ends of the curve are therefore known about as well as its middle.
    fn drawn(report: &Curved, n: usize) -> Vec<Sample> {
        let mut rng = Rng::with_seed(5);
        let mut one = || {
            let size = (6f32.ln() * rng.f32()).exp_m1();
            let mean_logit = if rng.bool() { size } else { -size };
            let features = Features {
                phase: rng.f32(),
                advanced: f32::from(rng.u8(0..5)) / 4.0,
            };
            let (location, tau) = report.shape(mean_logit, &features);
            let u = rng.f64().clamp(1e-9, 1.0 - 1e-9);
            let logit = f64::from(location) + f64::from(tau) * (u / (1.0 - u)).ln();
            Sample {
                mean_logit,
                features,
                truth: (logit / 2.0).tanh(),
            }
        };
        (0..n).map(|_| one()).collect()
    }

    #[test]
    fn what_the_truths_were_drawn_from_is_found_again() {
        let true_one = Curved {
            line: Report {
                shift: 0.1,
                slope: 0.5,
                width: [-0.9, 0.4, -0.2, 0.3],
            },
            bend: 1.2,
            swell: 0.2,
        };
        // Half of the samples are used for the fit. At m = 0 the logarithm of the width then has a standard error of
        // .035 to .04 (a sample contributes an information of 1.43), and the tolerance is four of these.
        let samples = drawn(&true_one, 12_000);
        let fitted = fit(Aim::Root, &samples).expect("enough samples");
        // Compares the curve rather than each number, because two of the parameters bend the same curve.
        for step in -8..=8 {
            for (phase, advanced) in [(0.0, 0.0), (1.0, 0.0), (0.5, 1.0)] {
                let features = Features { phase, advanced };
                let m = 0.5 * step as f32;
                let (location, tau) = true_one.shape(m, &features);
                let (found, width) = fitted.report.shape(m, &features);
                assert!((found - location).abs() < 0.15, "{m}: {:?}", fitted.report);
                assert!((width / tau).ln().abs() < 0.15, "{m}: {:?}", fitted.report);
            }
        }
        assert!(fitted.then.loss < fitted.now.loss);
        for (share, level) in fitted.then.coverage.iter().zip(LEVELS) {
            assert!((share - level).abs() < 0.03, "{share} of {level}");
        }
        assert!(fit(Aim::Root, &samples[..LEAST - 1]).is_none());
    }

    #[test]
    fn a_leaf_s_location_is_its_value() {
        let samples = drawn(&Report::LEAF.into(), 3_000);
        let fitted = fit(Aim::Leaf, &samples).expect("enough samples");
        let Curved { line, bend, swell } = fitted.report;
        assert_eq!((line.shift, line.slope, bend, swell), (0.0, 1.0, 0.0, 0.0));
        for (found, true_value) in line.width.iter().zip(Report::LEAF.width) {
            assert!((found - true_value).abs() < 0.15, "{:?}", fitted.report);
        }
    }

    #[test]
    fn the_gradient_is_the_slope() {
        let samples = drawn(&Curved::DISTRESS, 20);
        let beyond = Sample {
            truth: -1.0,
            ..samples[0]
        };
        for sample in samples.iter().chain([&beyond]) {
            let at = from_report(&Curved::DISTRESS);
            let (_, gradient) = loss(&at, sample);
            for i in 0..at.len() {
                let mut up = at;
                up[i] += 1e-5;
                let mut down = at;
                down[i] -= 1e-5;
                let slope = (loss(&up, sample).0 - loss(&down, sample).0) / 2e-5;
                assert!((slope - gradient[i]).abs() < 1e-4 * (1.0 + slope.abs()));
            }
        }
    }
}
