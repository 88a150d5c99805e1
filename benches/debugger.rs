//! What the debugger's checkpoints cost: copying a real search's tree and its tables.
//!
//! `cargo bench --bench debugger`; `DEBUGGER_NODES=300000` for smaller trees. Best and median of several copies.

use std::hint::black_box;
use std::time::{Duration, Instant};

use plyscope::engine::{Config, Session};
use plyscope::game::load::fen;
use plyscope::game::{MoveCode, Score, Situation, Subject};
use plyscope::search::Algorithm;
use plyscope::search::depth_first::table::{Entry, Tables};
use plyscope::tree::Bound;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const RUNS: usize = 7;
/// Bytes of a node and its belief.
const EACH: u64 = 64 + 128;

fn main() {
    let nodes = std::env::var("DEBUGGER_NODES")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(3_000_000);
    copy_of_trees(nodes);
    copy_of_tables();
}

fn copy_of_trees(nodes: u64) {
    for algorithm in [Algorithm::Distress, Algorithm::AlphaBeta] {
        let session = grown(algorithm, nodes * EACH);
        let tree = session.tree();
        println!(
            "{algorithm}: a tree of {} nodes, {} MiB",
            tree.len(),
            tree.bytes() >> 20
        );
        report("copy", tree.bytes(), || (), |()| tree.copy());
        let copy = tree.copy();
        report(
            "difference",
            tree.bytes(),
            || (),
            |()| tree.difference(&copy),
        );
    }
}

/// A search that has used up its budget, or ended.
fn grown(algorithm: Algorithm, budget: u64) -> Session {
    let position = fen::parse(KIWIPETE).expect("a FEN").position;
    let config = Config {
        memory: budget,
        ..Config::new(algorithm)
    };
    let session = Session::start(Subject::Chess(Situation::new(position)), config);
    while !session.status().tree_full && !session.is_still() {
        std::thread::sleep(Duration::from_millis(5));
    }
    session.stop();
    while !session.is_still() {
        std::thread::sleep(Duration::from_millis(1));
    }
    session
}

fn copy_of_tables() {
    for filled in [0u32, 1, 100] {
        let tables = Tables::new(32 << 20);
        let entry = Entry {
            best: MoveCode::NONE,
            value: Score::DRAW,
            depth: 1,
            bound: Bound::Exact,
            static_value: None,
        };
        for i in 0..u64::from(filled) * (32 << 20) / 16 / 100 {
            tables
                .main
                .put(i.wrapping_mul(0x9e37_79b9_7f4a_7c15), entry);
        }
        println!("tables of 32 MiB each, the first filled to {filled} %");
        report("copy", 32 << 20, || (), |()| tables.copy());
        report("bytes", 32 << 20, || (), |()| tables.bytes());
    }
}

fn report<I, O>(name: &str, bytes: u64, prepare: impl Fn() -> I, work: impl Fn(I) -> O) {
    let mut times: Vec<f64> = (0..RUNS)
        .map(|_| {
            let input = prepare();
            let begin = Instant::now();
            let output = black_box(work(input));
            let time = begin.elapsed().as_secs_f64();
            drop(output);
            time
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let rate = |time: f64| bytes as f64 / 1e9 / time;
    println!(
        "  {name:<22} median {:>8.2} ms, {:>6.2} GB/s   best {:>8.2} ms, {:>6.2} GB/s",
        1e3 * times[RUNS / 2],
        rate(times[RUNS / 2]),
        1e3 * times[0],
        rate(times[0])
    );
}
