//! The fit of k, and how much playouts are worth: labelled positions on standard input, a table on standard output.
//!
//! `zstdcat TRAINING | head -20000 | cargo run --release --features examples --example playout_fit`
//!
//! Each line is a label (FEN, `cp` or `mate`, value, …). Several playouts are played from each position. The figures
//! for each set of rules are microseconds per playout, plies, the share of playouts that ended decided, the correlation
//! of the mean outcome with the verdict, and k, the scale at which 1/(1+exp(-d/k)) of the playouts' differences best
//! predicts the verdicts (maximum likelihood of a logistic regression).

use std::io::BufRead;
use std::time::Instant;

use algorithms::Algorithm;
use best_first::mcts::playout_rules;
use eval::playout::{Measure, Player, PlayoutRules, playout_seed};
use eval::{Evaluator, HandCrafted};
use game::{ChessPosition, Scale, Score};
use shakmaty::{CastlingMode, fen::Fen};

const EACH: u32 = 4;

fn label(line: &str) -> Option<(ChessPosition, f64)> {
    let mut fields = line.split('\t');
    let fen: Fen = fields.next()?.parse().ok()?;
    let mate = fields.next()? == "mate";
    let value: i32 = fields.next()?.parse().ok()?;
    let chess = fen.into_position(CastlingMode::Standard).ok()?;
    let expected = if mate {
        value.signum() as f32
    } else {
        Scale::Logistic.expected(Score::new(value))
    };
    let position = ChessPosition::new(chess, CastlingMode::Standard);
    Some((position, f64::from(1.0 + expected) / 2.0))
}

/// Returns the k of greatest likelihood, by Newton's method in 1/k.
fn fitted(points: &[(f64, f64)]) -> f64 {
    let mut b = 1e-3;
    for _ in 0..50 {
        let (mut slope, mut curve) = (0.0, 0.0);
        for &(d, y) in points {
            let p = 1.0 / (1.0 + (-b * d).exp());
            slope += d * (y - p);
            curve += d * d * p * (1.0 - p);
        }
        b += slope / curve;
    }
    1.0 / b
}

fn correlation(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (x, y) = points
        .iter()
        .fold((0.0, 0.0), |(x, y), p| (x + p.0 / n, y + p.1 / n));
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for p in points {
        let (dx, dy) = (p.0 - x, p.1 - y);
        xx += dx * dx;
        yy += dy * dy;
        xy += dx * dy;
    }
    xy / (xx * yy).sqrt()
}

fn row(labels: &[(ChessPosition, f64)], rules: PlayoutRules) {
    let evaluator = HandCrafted::default();
    let mut player = Player::new(rules);
    let (mut outcomes, mut differences) = (Vec::new(), Vec::new());
    let (mut plies, mut decided) = (0.0, 0.0);
    let since = Instant::now();
    for (i, (position, verdict)) in labels.iter().enumerate() {
        let state = evaluator.start(position);
        let mut mean = 0.0;
        for number in 0..EACH {
            let seed = playout_seed(1, i as u32, number);
            let Ok(played) = player.play(&evaluator, position, &state, seed, || Ok::<(), ()>(()))
            else {
                continue;
            };
            mean += played.outcome / f64::from(EACH);
            plies += f64::from(played.plies);
            decided += f64::from(u8::from(played.outcome != 0.5));
            differences.push((f64::from(played.difference), *verdict));
        }
        outcomes.push((mean, *verdict));
    }
    let n = f64::from(EACH) * labels.len() as f64;
    println!(
        "length {:3} captures {:2} checks {:2} margin {:4} for {:2} {:?}: {:6.1} us {:5.1} plies decided {:.2} r(outcome) {:.3} r(d) {:.3} k {:.0}",
        rules.length,
        rules.capture,
        rules.check,
        rules.margin,
        rules.patience,
        rules.measure,
        since.elapsed().as_secs_f64() * 1e6 / n,
        plies / n,
        decided / n,
        correlation(&outcomes),
        correlation(&differences),
        fitted(&differences),
    );
}

fn main() {
    let lines = std::io::stdin().lock().lines().map_while(Result::ok);
    let labels: Vec<_> = lines.filter_map(|line| label(&line)).collect();
    println!("{} positions, {EACH} playouts each", labels.len());
    let mut options = Algorithm::Mcts.default_options();
    let rules = options.set("leaf", "playouts").ok();
    let Some(base) = rules.and_then(|()| playout_rules(&options)) else {
        return;
    };
    row(&labels, base);
    println!("the default's, then one option changed at a time");
    for length in [4, 8, 24, 40, 80] {
        row(&labels, PlayoutRules { length, ..base });
    }
    for capture in [1, 2, 4, 16, 64] {
        row(&labels, PlayoutRules { capture, ..base });
    }
    for check in [1, 4, 8] {
        row(&labels, PlayoutRules { check, ..base });
    }
    for margin in [0, 200, 500, 800] {
        row(&labels, PlayoutRules { margin, ..base });
    }
    for patience in [1, 4, 6] {
        row(&labels, PlayoutRules { patience, ..base });
    }
    let measure = Measure::Evaluation;
    row(&labels, PlayoutRules { measure, ..base });
}
