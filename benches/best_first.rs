//! What a best-first search achieves per second in a real session (steps, playouts, back-ups, nodes), and two threads
//! compared with one.
//!
//! `cargo bench --bench best_first [-- NAME]`: each figure is the median of several runs; one thread and two take
//! turns, so that changes in the machine's load affect both. On Linux the figures are also given per second of
//! processor time, which other programs disturb less: two threads are as good as twice one if those figures agree.

use algorithms::Algorithm;
use game::{ChessPosition, Situation};
use session::{Config, Session, Status, Subject};
use shakmaty::{CastlingMode, Chess, fen::Fen};
use std::time::Duration;

const POSITIONS: [(&str, &str); 2] = [
    (
        "start",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ),
    (
        "kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    ),
];
const RUNS: usize = 5;
const TIME: Duration = Duration::from_secs(2);

fn main() {
    let wanted = std::env::args().nth(1).filter(|a| !a.starts_with('-'));
    for (algorithm, settings) in [
        (Algorithm::Mcts, &[("leaf", "static")][..]),
        (Algorithm::Mcts, &[("leaf", "quiescence")]),
        (Algorithm::Distress, &[("leaf", "static")]),
        (Algorithm::Distress, &[("leaf", "quiescence")]),
    ] {
        if wanted.as_deref().is_some_and(|w| w != algorithm.name()) {
            continue;
        }
        for (name, fen) in POSITIONS {
            let mut one = Vec::new();
            let mut two = Vec::new();
            for _ in 0..RUNS {
                one.push(run(algorithm, settings, fen, 1));
                two.push(run(algorithm, settings, fen, 2));
            }
            let (one, two) = (Rates::median(&one), Rates::median(&two));
            println!("{algorithm} {settings:?} {name}");
            println!("  1 thread   {one}");
            println!("  2 threads  {two}");
            println!(
                "  two over one: nodes {:.2}, playouts {:.2}, back-ups {:.2}",
                two.0[0] / one.0[0],
                two.0[1] / one.0[1],
                two.0[3] / one.0[3]
            );
            if one.0[5] > 0.0 {
                println!(
                    "  by processor time: 1 thread {:.0} k nodes/s, {:.2} M steps/s, {:.0} k back-ups/s; two over one: nodes {:.2}",
                    one.0[5] / 1e3,
                    one.0[6] / 1e6,
                    one.0[7] / 1e3,
                    2.0 * two.0[5] / one.0[5]
                );
            }
        }
    }
}

fn run(algorithm: Algorithm, settings: &[(&str, &str)], fen: &str, threads: usize) -> Rates {
    let fen: Fen = fen.parse().expect("a FEN");
    let chess: Chess = fen.into_position(CastlingMode::Standard).expect("legal");
    let position = ChessPosition::new(chess, CastlingMode::Standard);
    let mut config = Config::new(algorithm);
    config.threads = threads;
    config.limits.time = Some(TIME);
    for (key, value) in settings {
        config.options.set(key, value).expect("an option");
    }
    let before = processor_seconds();
    let mut session = Session::start(Subject::from(Situation::new(position)), config);
    session.join();
    let used = processor_seconds().zip(before).map(|(a, b)| a - b);
    Rates::of(&session.status(), used)
}

/// The processor time of this process so far, if the system provides it (in hundredths of a second).
fn processor_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let mut fields = stat.rsplit(')').next()?.split_whitespace().skip(11);
    let user: f64 = fields.next()?.parse().ok()?;
    let system: f64 = fields.next()?.parse().ok()?;
    Some((user + system) / 100.0)
}

/// Nodes, playouts, steps and back-ups per second, bytes of tree per playout; then nodes, steps and back-ups per second
/// of processor time (0 if unknown).
struct Rates([f64; 8]);

impl Rates {
    fn of(status: &Status, processor: Option<f64>) -> Rates {
        let seconds = status.elapsed.as_secs_f64();
        let totals = &status.totals;
        let rate = |count: u64| count as f64 / seconds;
        let used = |count: u64| processor.map_or(0.0, |s| count as f64 / s.max(1e-9));
        Rates([
            rate(totals.nodes),
            rate(totals.playouts),
            rate(totals.steps),
            rate(totals.back_ups),
            status.tree_bytes as f64 / totals.playouts.max(1) as f64,
            used(totals.nodes),
            used(totals.steps),
            used(totals.back_ups),
        ])
    }

    fn median(of: &[Rates]) -> Rates {
        Rates(std::array::from_fn(|i| {
            let mut values: Vec<f64> = of.iter().map(|r| r.0[i]).collect();
            values.sort_by(f64::total_cmp);
            values[values.len() / 2]
        }))
    }
}

impl std::fmt::Display for Rates {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [nodes, playouts, steps, back_ups, bytes, ..] = self.0;
        write!(
            f,
            "{:.2} M nodes/s, {:.0} k playouts/s, {:.2} M steps/s, {:.0} k back-ups/s, {bytes:.0} bytes a playout",
            nodes / 1e6,
            playouts / 1e3,
            steps / 1e6,
            back_ups / 1e3
        )
    }
}
