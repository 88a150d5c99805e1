//! Measures how often cutoffs of probabilistic alpha-beta are wrong, and what they save: random toy trees, three ways
//! of counting a cut-off child, and alpha-beta on the same trees. `cargo run --release --features examples --example cut_confidence
//! [TREES]` (trees of each kind, by default 300).

#[path = "cut_confidence/experiment.rs"]
mod experiment;

use algorithms::Algorithm;
use experiment::{Kind, Tally, searched};
use studies::suite::statistics::wilson;

const KINDS: &[Kind] = &[
    kind(&[25, 6], 1.0, 0.0),
    kind(&[3, 25, 6], 1.0, 0.0),
    kind(&[3, 25, 6], 0.5, 0.3),
    kind(&[2, 30, 2], 1.0, 0.0),
    kind(&[8, 8, 8], 0.3, 0.0),
    kind(&[8, 8, 8], 1.0, 0.3),
    kind(&[4, 4, 4, 4, 4], 0.3, 0.3),
    kind(&[2, 2, 2, 2, 2, 2, 2, 2], 1.0, 0.0),
];

const fn kind(shape: &'static [usize], spread: f32, exact: f64) -> Kind {
    Kind {
        shape,
        spread,
        exact,
    }
}

/// A share in per cent with its 95 % interval (Wilson).
fn share(hits: usize, n: usize) -> String {
    let Some((low, high)) = wilson(hits, n) else {
        return format!("{:>26}", "no cut");
    };
    let percent = 100.0 * hits as f64 / n as f64;
    format!(
        "{percent:6.2} % [{:5.2}, {:5.2}]",
        100.0 * low,
        100.0 * high
    )
}

fn main() {
    let trees: u64 = std::env::args()
        .nth(1)
        .and_then(|n| n.parse().ok())
        .unwrap_or(300);
    let samples: Vec<_> = KINDS
        .iter()
        .flat_map(|kind| (0..trees).map(move |i| kind.draw(i)))
        .collect();
    let all = samples.len();
    let leaves = |n: usize| n as f64 / all as f64;
    let plain: usize = samples
        .iter()
        .map(|s| searched(s, Algorithm::AlphaBeta, &[]).leaves)
        .sum();
    println!(
        "{all} random trees, {} kinds; alpha-beta sees {:.1} leaves a tree",
        KINDS.len(),
        leaves(plain)
    );
    println!(
        "below: cuts of nodes whose whole belief reaches beta less surely than the confidence"
    );
    println!(
        "wrong: cuts of nodes whose drawn truth is below beta; the claim is at most 1 - confidence"
    );
    println!("resting: of these, the cuts of nodes some of whose children were cut off\n");
    println!(
        "{:<10} {:<10} {:>7}  {:<24} {:<24} {:<10} {:<24} {:<24} {:>7} {:>6}",
        "confidence",
        "refuted",
        "cuts",
        "below",
        "wrong",
        "overstated",
        "below, resting",
        "wrong, resting",
        "leaves",
        "times"
    );
    for confidence in ["0.7", "0.9", "0.975"] {
        let level: f64 = confidence.parse().unwrap_or(0.9);
        for rule in ["bounded", "truncated", "literal"] {
            let (mut every, mut resting, mut seen) = (Tally::default(), Tally::default(), 0);
            for sample in &samples {
                let options = [("confidence", confidence), ("refuted", rule)];
                let found = searched(sample, Algorithm::ProbAlphaBeta, &options);
                seen += found.leaves;
                for cut in &found.cuts {
                    every.add(cut, level);
                    if cut.rests {
                        resting.add(cut, level);
                    }
                }
            }
            println!(
                "{confidence:<10} {rule:<10} {:>7}  {:<24} {:<24} {:<10} {:<24} {:<24} {:>7.1} {:>6.2}",
                every.cuts,
                share(every.below, every.cuts),
                share(every.wrong, every.cuts),
                every.overstated,
                share(resting.below, resting.cuts),
                share(resting.wrong, resting.cuts),
                leaves(seen),
                seen as f64 / plain as f64,
            );
        }
    }
}
