//! Fits the belief that probabilistic alpha-beta reports for its root (`Curve::PROB_ALPHA_BETA` in
//! `src/eval/fitted/prob_alpha_beta.rs`): maximum likelihood over labelled positions, each searched with 10,000 nodes.
//!
//! `cargo run --release --features examples --example prob_report LABELS [POSITIONS] [SEED]` prints the constant. `plyscope lab calibration
//! OTHERS -a prob-alpha-beta -a prob-alpha-beta:calibrated=off` shows how it does on other labels.

use std::path::Path;

use algorithms::Algorithm;
use eval::fitted::{Curve, KNOTS};
use game::load::labels;
use lab::calibration::{Case, Plan, Reservoir, start};
use lab::kept::Kept;
use lab::report::Sample;
use session::Budget;
use session::Config;
use studies::compare::ColumnSpec;

const N: usize = KNOTS.len();
/// The parameters: shift, the location's knots except the first, the width's knots, phase, pawns.
const PARAMETERS: usize = 2 * N + 2;
type Parameters = [f64; PARAMETERS];
/// Truths beyond this logit, the last inner edge of the grid, are not distinguished.
const LIMIT: f64 = 8.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("expected a file of labels")?;
    let mut number = |default: u64| arguments.next().map_or(Ok(default), |n| n.parse::<u64>());
    let (positions, seed) = (number(6_000)?, number(2)?);
    let mut reservoir = Reservoir::new(positions as usize, seed);
    labels::read(Path::new(&file), |label| {
        if let Ok(label) = label {
            reservoir.offer(label);
        }
    })?;
    let base = Config {
        memory: 32 << 20,
        ..Config::new(Algorithm::ProbAlphaBeta)
    };
    let plan = Plan {
        cases: reservoir.finish().into_iter().map(Case::labelled).collect(),
        columns: vec![ColumnSpec::parse("prob-alpha-beta", &base)?],
        budget: Budget::Nodes(10_000),
        longer: None,
        at_a_time: std::env::var("THREADS").map_or(Ok(1), |n| n.parse())?,
    };
    let mut run = start(plan, Kept::default())?;
    run.join();
    let samples = run.findings().samples(0);
    let fitted = climb(&samples);
    println!(
        "{} positions, loss {:.4}",
        samples.len(),
        mean_loss(&fitted, &samples)
    );
    println!("{:#?}", curve(&fitted));
    Ok(())
}

fn curve(p: &Parameters) -> Curve {
    // Three digits are more than the data support.
    let round = |x: f64| ((x * 1e3).round() / 1e3) as f32;
    Curve {
        shift: round(p[0]),
        location: std::array::from_fn(|i| if i == 0 { 0.0 } else { round(p[i]) }),
        width: std::array::from_fn(|i| round(p[N + i])),
        of_phase: round(p[2 * N]),
        of_pawns: round(p[2 * N + 1]),
    }
}

fn mean_loss(p: &Parameters, samples: &[Sample]) -> f64 {
    samples.iter().map(|s| loss(p, s).0).sum::<f64>() / samples.len() as f64
}

/// Steps along the gradient, each parameter at its own pace (Kingma and Ba, *Adam*, 2015).
fn climb(samples: &[Sample]) -> Parameters {
    let mut at = [0.0; PARAMETERS];
    for (i, knot) in KNOTS.iter().enumerate().skip(1) {
        at[i] = f64::from(*knot);
    }
    at[N..2 * N].fill(-1.0);
    let (mut first, mut second) = ([0.0; PARAMETERS], [0.0; PARAMETERS]);
    for step in 1..=6_000 {
        let mut gradient = [0.0; PARAMETERS];
        for sample in samples {
            let (_, slope) = loss(&at, sample);
            for (sum, s) in gradient.iter_mut().zip(slope) {
                *sum += s / samples.len() as f64;
            }
        }
        let rate = 0.05 / f64::from(step).sqrt();
        for i in 0..PARAMETERS {
            first[i] = 0.9 * first[i] + 0.1 * gradient[i];
            second[i] = 0.999 * second[i] + 0.001 * gradient[i] * gradient[i];
            let mean = first[i] / (1.0 - 0.9f64.powi(step));
            let square: f64 = second[i] / (1.0 - 0.999f64.powi(step));
            at[i] -= rate * mean / (square.sqrt() + 1e-8);
        }
    }
    at
}

/// The negative logarithm of a sample's likelihood in the logit, and its gradient.
fn loss(p: &Parameters, sample: &Sample) -> (f64, Parameters) {
    let side = f64::from(1f32.copysign(sample.mean_logit));
    let (knot, share) = Curve::place(sample.mean_logit.abs());
    let share = f64::from(share);
    let sizes = |i: usize| if i == 0 { 0.0 } else { p[i] };
    let (phase, advanced) = (
        f64::from(sample.features.phase),
        f64::from(sample.features.advanced),
    );
    let location = p[0] + side * ((1.0 - share) * sizes(knot) + share * sizes(knot + 1));
    let log_width = (1.0 - share) * p[N + knot]
        + share * p[N + knot + 1]
        + p[2 * N] * phase
        + p[2 * N + 1] * advanced;
    let width = log_width.exp();
    let truth = (2.0 * sample.truth.clamp(-1.0 + 1e-9, 1.0 - 1e-9).atanh()).clamp(-LIMIT, LIMIT);
    // Derivatives with respect to the location and to the logarithm of the width.
    let (loss, by_location, by_width) = if truth.abs() >= LIMIT {
        // All that is known is that it lies beyond.
        let u = (LIMIT - truth.signum() * location) / width;
        let beyond = 1.0 / (1.0 + (-u).exp());
        (softplus(u), -truth.signum() * beyond / width, -u * beyond)
    } else {
        let d = (truth - location) / width;
        let pull = (d / 2.0).tanh();
        (
            softplus(d) + softplus(-d) + log_width,
            -pull / width,
            1.0 - d * pull,
        )
    };
    let mut gradient = [0.0; PARAMETERS];
    gradient[0] = by_location;
    for (i, weight) in [(knot, 1.0 - share), (knot + 1, share)] {
        if i > 0 {
            gradient[i] = by_location * side * weight;
        }
        gradient[N + i] = by_width * weight;
    }
    gradient[2 * N] = by_width * phase;
    gradient[2 * N + 1] = by_width * advanced;
    (loss, gradient)
}

/// ln(1 + e^x).
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}
