//! The nodes per second of probabilistic alpha-beta and of plain alpha-beta, with one thread and with two over one
//! table.

use ::algorithms::Algorithm;
use divan::{Bencher, counter::ItemsCount};
use eval::HandCrafted;
use game::{ChessPosition, Situation};
use search::common::table::Tables;
use search::{Choices, Control, Free, Job, Limits, Start, StopReason};
use shakmaty::{CastlingMode, Chess, fen::Fen};
use tree::Tree;

fn main() {
    divan::main();
}

const FEN: &str = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
const NODES: u64 = 400_000;

fn situation() -> Option<Situation<ChessPosition>> {
    let fen: Fen = FEN.parse().ok()?;
    let chess: Chess = fen.into_position(CastlingMode::Standard).ok()?;
    Some(Situation::new(ChessPosition::new(
        chess,
        CastlingMode::Standard,
    )))
}

/// One search of [`NODES`] nodes by all threads together; records down to ply `record`.
fn run(bencher: Bencher, algorithm: Algorithm, threads: usize, record: u16) {
    let Some(situation) = situation() else {
        return;
    };
    let options = algorithm.default_options();
    let scale = game::Scale::Logistic;
    bencher
        .counter(ItemsCount::new(NODES))
        .with_inputs(|| {
            let limits = Limits {
                nodes: Some(NODES),
                ..Limits::default()
            };
            let tree = Tree::new(algorithm.tree_spec(scale, 1 << 30, record));
            (tree, Tables::new(32 << 20), Control::new(limits, threads))
        })
        .bench_refs(|(tree, tables, control)| {
            let job = Job {
                recorded: None,
                situation: &situation,
                evaluator: &HandCrafted::default(),
                tree,
                tables,
                endgames: None,
                options: &options,
                control,
                start: Start::default(),
                choices: &Choices::default(),
                seed: 1,
            };
            std::thread::scope(|scope| {
                for thread in 1..threads {
                    let job = &job;
                    scope.spawn(move || algorithms::run(algorithm, job, thread, &mut Free));
                }
                algorithms::run(algorithm, &job, 0, &mut Free);
                job.control.stop(StopReason::Depth);
            });
        });
}

#[divan::bench(args = [1, 2], sample_count = 20)]
fn probabilistic(bencher: Bencher, threads: usize) {
    run(bencher, Algorithm::ProbAlphaBeta, threads, 0);
}

#[divan::bench(args = [1, 2], sample_count = 20)]
fn plain(bencher: Bencher, threads: usize) {
    run(bencher, Algorithm::AlphaBeta, threads, 0);
}

#[divan::bench(sample_count = 10)]
fn probabilistic_recorded(bencher: Bencher) {
    run(bencher, Algorithm::ProbAlphaBeta, 1, u16::MAX);
}
