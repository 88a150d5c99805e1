//! Fits Go's evaluation to the results of games that searches play against themselves on 9×9, and shows how good it is on other
//! games, beside what knows nothing of the position (control) and beside more playouts.
//!
//! `cargo run --release --features examples --example go_fit [-- GAMES [PLAYOUTS]]`
//!
//! A game begins with four stones at random; both sides are `mcts` with PLAYOUTS playouts a move (400). A game ends with two
//! passes or after 120 moves; its result is what most of 64 playouts say then. Of each game (GAMES, 400) three positions are
//! taken, those of every second game to fit to.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use algorithms::Algorithm;
use belief::score::Forecast;
use belief::{Density, Grid};
use eval::Evaluator;
use game::{Game, Situation};
use games::go::{Counted, Go, Komi, PLAYOUTS, Play, Playouts, Weights};
use search::Limits;
use session::{Config, Session, Subject};

/// The moves after which a game is counted.
const LONGEST: usize = 120;
/// Positions that are taken of a game.
const TAKEN: usize = 3;
const NUMBERS: usize = 3;

/// A position with the result of its game for the side to move, -1 to 1.
struct Sample {
    counted: [f64; NUMBERS],
    /// The same by eight times as many playouts.
    better: [f64; NUMBERS],
    /// How a single playout ended, in points for the side to move.
    single: f64,
    truth: f64,
}

fn main() {
    let arguments: Vec<usize> = std::env::args()
        .skip(1)
        .map(|text| text.parse().expect("a number"))
        .collect();
    let games = arguments.first().copied().unwrap_or(400);
    let playouts = arguments.get(1).copied().unwrap_or(400) as u64;
    let samples = samples(games, playouts);
    let (mut fitted, mut others) = (Vec::new(), Vec::new());
    for (number, sample) in samples {
        match number % 2 {
            0 => fitted.push(sample),
            _ => others.push(sample),
        }
    }
    let few = |s: &Sample| s.counted;
    let many = |s: &Sample| s.better;
    let weights = regressed(&fitted, few);
    let by_many = regressed(&fitted, many);
    let grid = Grid::of(Go::new(9, Komi::USUAL).expect("a board").scale().points());
    let halves = || (1..=60).map(|i| f64::from(i) / 2.0);
    let pairs = halves().flat_map(|times| halves().map(move |scale| (times, scale)));
    let logistic = best(pairs, |(times, scale)| {
        crps(&fitted, &grid, |x| {
            Density::logistic(&grid, (times * logit(&weights, x)) as f32, scale as f32)
        })
    });
    let normal = best((1..=60).map(|i| f64::from(i) / 20.0), |spread| {
        crps(&fitted, &grid, |x| {
            Density::normal(&grid, expected(&weights, x) as f32, spread as f32)
        })
    });
    let share = fitted.iter().map(|s| s.truth).sum::<f64>() / fitted.len() as f64;
    println!(
        "{} positions to fit to, {} others; {playouts} playouts a move",
        fitted.len(),
        others.len()
    );
    println!(
        "  weights (logit, margin, to move) {weights:.3?}, logistic (times, scale) {logistic:?}, normal {normal}"
    );
    println!(
        "  on the others: loss {:.4} (all alike, control: {:.4}; {} playouts, fitted to: {:.4})",
        loss(&others, |s| expected(&weights, &few(s))),
        loss(&others, |_| share),
        8 * PLAYOUTS,
        loss(&others, |s| expected(&by_many, &many(s))),
    );
    println!(
        "  CRPS {:.4} (normal: {:.4}; results of the others as they are, control: {:.4})",
        crps(&others, &grid, |x| Density::logistic(
            &grid,
            (logistic.0 * logit(&weights, x)) as f32,
            logistic.1 as f32
        )),
        crps(&others, &grid, |x| Density::normal(
            &grid,
            expected(&weights, x) as f32,
            normal as f32
        )),
        climate(share, &others),
    );
    let scale = best((1..=200).map(f64::from), |k| {
        loss(&fitted, |s| (s.single / k / 2.0).tanh())
    });
    println!(
        "  P(win | difference of a playout) = 1/(1 + exp(-d/k)) with k = {scale} points; loss on the others {:.4}",
        loss(&others, |s| (s.single / scale / 2.0).tanh())
    );
    println!("  in use: {:?}", Weights::FITTED);
}

/// Plays the games on all cores; each sample with the number of its game.
fn samples(games: usize, playouts: u64) -> Vec<(usize, Sample)> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut samples = Vec::new();
        loop {
            let number = next.fetch_add(1, Relaxed);
            if number >= games {
                return samples;
            }
            samples.extend(
                played(number as u64, playouts)
                    .into_iter()
                    .map(|s| (number, s)),
            );
            if number.is_multiple_of(20) {
                eprintln!("{number} of {games} games");
            }
        }
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        let parts = threads.into_iter().map(|t| t.join().expect("no panic"));
        let mut all: Vec<(usize, Sample)> = parts.flatten().collect();
        all.sort_by_key(|(number, _)| *number);
        all
    })
}

fn played(seed: u64, playouts: u64) -> Vec<Sample> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut game = Situation::new(Go::new(9, Komi::USUAL).expect("a board"));
    let mut positions = Vec::new();
    let mut opening = 4;
    while game.position.has_moves() && positions.len() < LONGEST {
        let m = match opening {
            0 => chosen(&game, playouts, random.u64(..)),
            _ => {
                opening -= 1;
                Play::at(random.u8(2..7), random.u8(2..7))
            }
        };
        if game.position.legal_moves().contains(&m) {
            game.play(m);
            positions.push(game.position.clone());
        }
    }
    let black_wins = |position: &Go| {
        let margin = Counted::of(position, 64).margin;
        let is_black = position.to_move() == games::go::Colour::Black;
        if is_black {
            f64::from(margin.signum())
        } else {
            -f64::from(margin.signum())
        }
    };
    let result = positions.last().map_or(0.0, black_wins);
    let mut taken = Vec::new();
    for _ in 0..TAKEN {
        let position = &positions[random.usize(..positions.len().min(80))];
        let is_black = position.to_move() == games::go::Colour::Black;
        let single = Playouts.play_out(position, &mut random, &mut || true);
        taken.push(Sample {
            counted: numbers(&Counted::of(position, PLAYOUTS)),
            better: numbers(&Counted::of(position, 8 * PLAYOUTS)),
            single: f64::from(single.expect("an end").difference) / 100.0,
            truth: if is_black { result } else { -result },
        });
    }
    taken
}

fn chosen(game: &Situation<Go>, playouts: u64, seed: u64) -> Play {
    let mut config = Config {
        limits: Limits {
            playouts: Some(playouts),
            ..Limits::default()
        },
        memory: 64 << 20,
        table: 1 << 18,
        threads: 1,
        seed,
        ..Config::new(Algorithm::Mcts)
    };
    config.options.set("leaf", "playouts").expect("an option");
    let mut session = Session::start(Subject::of(game.clone()), config);
    session.join();
    let best = session.best_to_play();
    best.and_then(|code| game.position.decode_known(code))
        .unwrap_or(Play::PASS)
}

fn numbers(counted: &Counted) -> [f64; NUMBERS] {
    [counted.logit.into(), counted.margin.into(), 1.0]
}

fn logit(weights: &[f64; NUMBERS], x: &[f64; NUMBERS]) -> f64 {
    weights.iter().zip(x).map(|(w, x)| w * x).sum()
}

fn expected(weights: &[f64; NUMBERS], x: &[f64; NUMBERS]) -> f64 {
    (logit(weights, x) / 2.0).tanh()
}

/// The mean negative logarithm of the likelihood of points between 0 and 1.
fn loss(samples: &[Sample], of: impl Fn(&Sample) -> f64) -> f64 {
    let each = samples.iter().map(|s| {
        let (p, y) = (f64::midpoint(1.0, of(s)), f64::midpoint(1.0, s.truth));
        let p = p.clamp(1e-9, 1.0 - 1e-9);
        -(y * p.ln() + (1.0 - y) * (1.0 - p).ln())
    });
    each.sum::<f64>() / samples.len() as f64
}

/// Logistic regression by gradient descent, which is enough for three numbers.
fn regressed(samples: &[Sample], of: impl Fn(&Sample) -> [f64; NUMBERS]) -> [f64; NUMBERS] {
    let mut weights = [0.0; NUMBERS];
    for _ in 0..20_000 {
        let mut slope = [0.0; NUMBERS];
        for sample in samples {
            let x = of(sample);
            let error = (sample.truth - expected(&weights, &x)) / 2.0;
            for (slope, x) in slope.iter_mut().zip(x) {
                *slope += error * x / samples.len() as f64;
            }
        }
        for (weight, slope) in weights.iter_mut().zip(slope) {
            *weight += 0.2 * slope;
        }
    }
    weights
}

fn crps(samples: &[Sample], grid: &Grid, belief: impl Fn(&[f64; NUMBERS]) -> Density) -> f64 {
    let each = samples
        .iter()
        .map(|s| Forecast::of(&belief(&s.counted), grid).crps(s.truth));
    each.sum::<f64>() / samples.len() as f64
}

/// The same for the belief that the side to move wins as often as in other positions.
fn climate(expected: f64, samples: &[Sample]) -> f64 {
    let lost = (1.0 - expected) / 2.0;
    let each = samples.iter().map(|s| {
        let step = f64::from(u8::from(s.truth < 1.0));
        2.0 * (lost - step).powi(2)
    });
    each.sum::<f64>() / samples.len() as f64
}

fn best<T: Copy>(all: impl Iterator<Item = T>, of: impl Fn(T) -> f64) -> T {
    all.min_by(|a, b| of(*a).total_cmp(&of(*b))).expect("some")
}
