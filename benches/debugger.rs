//! The cost of the debugger: a free run with and without it, stepping back from far, the time to stop, copies of trees
//! and tables.
//!
//! `cargo bench --bench debugger`, or one part with `-- free` (`-- free alpha-beta`, with `DEBUGGER_RUNS=41`), `--
//! back`, `-- stop` or `-- copy`; `DEBUGGER_NODES=300000` copies smaller trees, and `DEBUGGER_EVENT=1000000` steps back
//! from another event than 5,000,000.

use std::hint::black_box;
use std::time::{Duration, Instant};

use ::algorithms::{ALGORITHMS, Algorithm, Row};
use eval::HandCrafted;
use game::load::fen;
use game::{ChessPosition, Game, MoveCode, Score, Situation};
use search::common::table::{Entry, Tables};
use search::{Choices, Control, Free, Job, Limits, Start};
use session::{Config, Session, Subject};
use tree::{Bound, Tree};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const RUNS: usize = 7;
/// The bytes of a node and its belief.
const EACH: u64 = 64 + 128;

fn main() {
    let number = |name: &str, default| {
        let set = std::env::var(name).ok();
        set.and_then(|n| n.parse().ok()).unwrap_or(default)
    };
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let wants = |what: &str| {
        let named = |known: &&str| asked.iter().any(|a| a == *known);
        !["free", "back", "stop", "copy"].iter().any(named) || named(&what)
    };
    if wants("free") {
        let named = |row: &Row| asked.iter().any(|a| a == row.name);
        let some = ALGORITHMS.iter().any(named);
        free_runs(
            |row| !some || named(row),
            number("DEBUGGER_RUNS", RUNS as u64),
        );
    }
    if wants("back") {
        step_back_from(number("DEBUGGER_EVENT", 5_000_000));
    }
    if wants("stop") {
        stops();
    }
    if wants("copy") {
        copy_of_trees(number("DEBUGGER_NODES", 3_000_000));
        copy_of_tables();
    }
}

fn kiwipete() -> Situation<ChessPosition> {
    Situation::new(fen::parse(KIWIPETE).expect("a FEN").position)
}

/// The same search with a session's probe and with one that compiles to nothing, alternately.
fn free_runs(wanted: impl Fn(&Row) -> bool, runs: u64) {
    const NODES: u64 = 1_500_000;
    println!("a free run of {NODES} nodes: with the debugger / without, medians of {runs}");
    let limits = Limits {
        nodes: Some(NODES),
        ..Limits::default()
    };
    for row in ALGORITHMS.iter().filter(|row| wanted(row)) {
        let config = Config {
            limits,
            ..Config::new(row.algorithm)
        };
        let mut times = [const { Vec::new() }; 2];
        for _ in 0..runs {
            let mut session = Session::start_paused(Subject::from(kiwipete()), config.clone());
            session.resume();
            session.join();
            times[0].push(session.status().elapsed.as_secs_f64());
            drop(session);
            times[1].push(without_debugger(&config));
        }
        let [with, without] = times.map(|mut t| {
            t.sort_by(f64::total_cmp);
            NODES as f64 / t[t.len() / 2] / 1e6
        });
        println!(
            "  {:<16} {with:.3} / {without:.3} M nodes/s: {:+.1} %",
            row.name,
            100.0 * (with / without - 1.0)
        );
    }
}

fn without_debugger(config: &Config) -> f64 {
    let situation = kiwipete();
    let scale = situation.position.scale();
    let tree = Tree::new(config.algorithm.tree_spec(scale, config.memory, u16::MAX));
    let control = Control::new(config.limits, 1);
    let tables = Tables::new(config.table);
    let evaluator = HandCrafted::default();
    let job = Job {
        recorded: None,
        situation: &situation,
        evaluator: &evaluator,
        tree: &tree,
        tables: &tables,
        endgames: None,
        options: &config.options,
        control: &control,
        start: Start::default(),
        choices: &Choices::default(),
        seed: config.seed,
    };
    let begin = Instant::now();
    algorithms::run(config.algorithm, &job, 0, &mut Free);
    begin.elapsed().as_secs_f64()
}

/// Goes to a far event, and from there back by one, by some more, and by one again.
fn step_back_from(event: u64) {
    println!("stepping back from event {event}");
    for row in &ALGORITHMS {
        let config = Config::new(row.algorithm);
        let mut session = Session::start_paused(Subject::from(kiwipete()), config);
        let begin = Instant::now();
        session.go_to(event);
        settle(&mut session);
        let forth = begin.elapsed();
        let mut back = |count| {
            let begin = Instant::now();
            session.step_back(count);
            settle(&mut session);
            begin.elapsed()
        };
        let times = [1, 1, 1_000, 1].map(&mut back);
        println!(
            "  {:<16} there in {forth:.2?}; 1, 1, 1000, 1 back in {times:.2?}; tree {} MiB, copies {} MiB",
            row.name,
            session.tree().bytes() >> 20,
            session.bytes_of_copies() >> 20,
        );
    }
}

/// How long a search takes to end on request: running freely, and watched while it copies its tree.
fn stops() {
    const TIMES: u64 = 60;
    println!("the answer to a stop, {TIMES} times each, after 1 to 300 ms: median and worst");
    for row in &ALGORITHMS {
        for (name, watched) in [("free", false), ("watched", true)] {
            let mut times: Vec<f64> = (0..TIMES)
                .map(|i| {
                    let config = Config::new(row.algorithm);
                    let mut session = Session::start_paused(Subject::from(kiwipete()), config);
                    if watched {
                        session.go_to(u64::MAX);
                    } else {
                        session.resume();
                    }
                    std::thread::sleep(Duration::from_millis(1 + i * 37 % 300));
                    let begin = Instant::now();
                    session.stop();
                    session.join();
                    begin.elapsed().as_secs_f64()
                })
                .collect();
            times.sort_by(f64::total_cmp);
            println!(
                "  {:<16} {name:<8} {:>6.2} ms, {:>6.2} ms",
                row.name,
                1e3 * times[times.len() / 2],
                1e3 * times[times.len() - 1]
            );
        }
    }
}

fn settle(session: &mut Session) {
    session.tend();
    while session.is_stepping() {
        std::thread::sleep(Duration::from_micros(100));
        session.tend();
    }
    session.tend();
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

/// A search that has used up its budget or ended.
fn grown(algorithm: Algorithm, budget: u64) -> Session {
    let config = Config {
        memory: budget,
        ..Config::new(algorithm)
    };
    let session = Session::start(Subject::from(kiwipete()), config);
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
                .main()
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
