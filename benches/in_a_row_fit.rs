//! Fits the evaluation of tic-tac-toe and Connect Four, and the belief about a position, to exact results, and shows how good they
//! are on other positions beside what knows nothing of the position (control).
//!
//! `cargo run --release --features examples --example in_a_row_fit`
//!
//! The positions come up by random moves, with as many stones as fall by chance; their results are those of the solver. The weights
//! are those of greatest likelihood in a logistic regression of the expected score; location and scale of the belief have the least
//! ranked probability score (CRPS).

use belief::score::Forecast;
use belief::{Density, Grid};
use game::Game;
use games::in_a_row::solver::Solver;
use games::in_a_row::{COUNTED, Counts, InARow, Rules, Weights, counts};

/// Positions of each kind, one half of which is fitted to.
const POSITIONS: usize = 3_000;
/// The fewest stones of a position of Connect Four.
const LEAST: u32 = 20;
const NUMBERS: usize = COUNTED + 1;

/// The differences of the counts and a 1; the result for the side to move, -1 to 1.
type Sample = ([f64; NUMBERS], f64);

fn main() {
    for (name, rules, least) in [
        ("tic-tac-toe", Rules::TIC_TAC_TOE, 1),
        ("Connect Four", Rules::CONNECT_FOUR, LEAST),
    ] {
        let samples = samples(rules, least);
        let (fitted, others) = samples.split_at(POSITIONS / 2);
        let weights = regressed(fitted);
        let (times, scale) = belief(fitted, &weights);
        println!(
            "{name}: {} positions, {} of them to fit",
            samples.len(),
            fitted.len()
        );
        println!("  weights {weights:.3?}, location times {times}, scale {scale}");
        let constant = fitted.iter().map(|s| s.1).sum::<f64>() / fitted.len() as f64;
        let in_use = Weights::of(rules);
        println!(
            "  on the others: loss {:.4} (all alike, control: {:.4}), CRPS {:.4} (results of the others as they are, control: {:.4})",
            loss(others, |x| expected(&weights, x)),
            loss(others, |_| constant),
            crps(others, &weights, times, scale),
            climate(fitted, others),
        );
        println!("  in use: {in_use:?}");
    }
}

fn samples(rules: Rules, least: u32) -> Vec<Sample> {
    let mut random = fastrand::Rng::with_seed(1);
    let mut solver = Solver::new(1 << 22);
    let mut samples = Vec::new();
    while samples.len() < POSITIONS {
        let stones = random.u32(least..rules.cells() - 1);
        let mut position = InARow::new(rules);
        while position.stones() < stones
            && let Some(m) = random.choice(position.legal_moves())
        {
            position.play(m);
        }
        if position.stones() == stones && position.has_moves() {
            let truth = f64::from(solver.solve(&position).sign());
            samples.push((numbers(&position), truth));
        }
    }
    samples
}

fn numbers(position: &InARow) -> [f64; NUMBERS] {
    let [own, other]: [Counts; 2] = counts(position);
    std::array::from_fn(|i| match i {
        i if i < COUNTED => f64::from(own[i] - other[i]),
        _ => 1.0,
    })
}

fn logit(weights: &[f64; NUMBERS], x: &[f64; NUMBERS]) -> f64 {
    weights.iter().zip(x).map(|(w, x)| w * x).sum()
}

fn expected(weights: &[f64; NUMBERS], x: &[f64; NUMBERS]) -> f64 {
    (logit(weights, x) / 2.0).tanh()
}

/// The mean negative logarithm of the likelihood of points between 0 and 1.
fn loss(samples: &[Sample], of: impl Fn(&[f64; NUMBERS]) -> f64) -> f64 {
    let each = samples.iter().map(|(x, truth)| {
        let (p, y) = ((1.0 + of(x)) / 2.0, (1.0 + truth) / 2.0);
        let p = p.clamp(1e-9, 1.0 - 1e-9);
        -(y * p.ln() + (1.0 - y) * (1.0 - p).ln())
    });
    each.sum::<f64>() / samples.len() as f64
}

/// Logistic regression by gradient descent, which is enough for six numbers.
fn regressed(samples: &[Sample]) -> [f64; NUMBERS] {
    let mut weights = [0.0; NUMBERS];
    for _ in 0..20_000 {
        let mut slope = [0.0; NUMBERS];
        for (x, truth) in samples {
            let error = (truth - expected(&weights, x)) / 2.0;
            for (slope, x) in slope.iter_mut().zip(x) {
                *slope += error * x / samples.len() as f64;
            }
        }
        for (weight, slope) in weights.iter_mut().zip(slope) {
            *weight += 0.05 * slope;
        }
    }
    weights
}

fn forecast(grid: &Grid, location: f64, scale: f64) -> Forecast {
    Forecast::of(
        &Density::logistic(grid, location as f32, scale as f32),
        grid,
    )
}

fn crps(samples: &[Sample], weights: &[f64; NUMBERS], times: f64, scale: f64) -> f64 {
    let grid = Grid::sinh();
    let each = samples
        .iter()
        .map(|(x, truth)| forecast(&grid, times * logit(weights, x), scale).crps(*truth));
    each.sum::<f64>() / samples.len() as f64
}

/// The same for the belief that the result is one of those of other positions.
fn climate(known: &[Sample], samples: &[Sample]) -> f64 {
    let share =
        |truth: f64| known.iter().filter(|s| s.1 == truth).count() as f64 / known.len() as f64;
    let (lost, drawn) = (share(-1.0), share(0.0));
    let each = samples.iter().map(|(_, truth)| {
        // The square of the difference of the distribution functions, from -1 to 0 and from 0 to 1.
        let step = |x: f64| f64::from(u8::from(*truth <= x));
        (lost - step(-1.0)).powi(2) + (lost + drawn - step(0.0)).powi(2)
    });
    each.sum::<f64>() / samples.len() as f64
}

fn belief(samples: &[Sample], weights: &[f64; NUMBERS]) -> (f64, f64) {
    let tried =
        (1..=32).flat_map(|t| (1..=32).map(move |s| (f64::from(t) / 4.0, f64::from(s) / 4.0)));
    let scored = tried.map(|(times, scale)| (crps(samples, weights, times, scale), times, scale));
    let best = scored.min_by(|a, b| a.0.total_cmp(&b.0)).expect("tried");
    (best.1, best.2)
}
