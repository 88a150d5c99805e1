//! Fits the evaluation of tic-tac-toe and Connect Four, and the belief about a position, to exact results, and shows how good they
//! are on other positions beside what knows nothing of the position (control).
//!
//! `cargo run --release --features examples --example in_a_row_fit`
//!
//! The positions come up by random moves, with as many stones as fall by chance; their results are those of the solver. The weights
//! are those of greatest likelihood in a logistic regression of the expected score; the shapes of beliefs have the least
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
        let grid = Grid::of(InARow::new(rules).scale().points());
        let normal = |spread: f64| Shape::Normal { spread };
        let logistic = |times: f64, scale: f64| Shape::Logistic { times, scale };
        let quarters = || (1..=32).map(|i| f64::from(i) / 4.0);
        let best = |shapes: Vec<Shape>| best(&grid, fitted, &weights, shapes);
        let normal = best((1..=60).map(|i| normal(f64::from(i) / 20.0)).collect());
        let pairs = quarters().flat_map(|t| quarters().map(move |s| logistic(t, s)));
        let logistic = best(pairs.collect());
        println!(
            "{name}: {} positions, {} of them to fit",
            samples.len(),
            fitted.len()
        );
        println!("  weights {weights:.3?}, {normal:?}, {logistic:?}");
        let constant = fitted.iter().map(|s| s.1).sum::<f64>() / fitted.len() as f64;
        let in_use = Weights::of(rules);
        println!(
            "  on the others: loss {:.4} (all alike, control: {:.4}), CRPS {:.4} (normal: {:.4}; results of the others as they are, control: {:.4})",
            loss(others, |x| expected(&weights, x)),
            loss(others, |_| constant),
            crps(&grid, others, &weights, logistic),
            crps(&grid, others, &weights, normal),
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

/// The shape of a belief around an expected score.
#[derive(Clone, Copy, Debug)]
enum Shape {
    /// Normal in the expected score.
    Normal { spread: f64 },
    /// Logistic in the logit, so many times from 0.
    Logistic { times: f64, scale: f64 },
}

fn crps(grid: &Grid, samples: &[Sample], weights: &[f64; NUMBERS], shape: Shape) -> f64 {
    let each = samples.iter().map(|(x, truth)| {
        let belief = match shape {
            Shape::Normal { spread } => {
                Density::normal(grid, expected(weights, x) as f32, spread as f32)
            }
            Shape::Logistic { times, scale } => {
                Density::logistic(grid, (times * logit(weights, x)) as f32, scale as f32)
            }
        };
        Forecast::of(&belief, grid).crps(*truth)
    });
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

fn best(grid: &Grid, samples: &[Sample], weights: &[f64; NUMBERS], shapes: Vec<Shape>) -> Shape {
    let scored = shapes
        .into_iter()
        .map(|shape| (crps(grid, samples, weights, shape), shape));
    scored.min_by(|a, b| a.0.total_cmp(&b.0)).expect("shapes").1
}
