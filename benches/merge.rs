//! The merged tree of four columns with about eight million nodes together. `cargo bench --bench merge`.

use std::sync::OnceLock;

use algorithms::Algorithm;
use divan::Bencher;
use games::samples;
use search::Limits;
use session::{Config, Session};
use studies::compare::{Filter, Kind, KindSet, Merged, Order, Outline, Path, differences};

fn main() {
    divan::main();
}

/// The number of rows shown.
const OPEN: usize = 2_000;

fn sessions() -> &'static [Session] {
    static SESSIONS: OnceLock<Vec<Session>> = OnceLock::new();
    SESSIONS.get_or_init(|| {
        let columns = [
            (Algorithm::AlphaBeta, 4_000_000),
            (Algorithm::ProbAlphaBeta, 400_000),
            (Algorithm::Mcts, 400_000),
            (Algorithm::Distress, 600_000),
        ];
        columns
            .map(|(algorithm, nodes)| search(algorithm, nodes))
            .into()
    })
}

fn search(algorithm: Algorithm, nodes: u64) -> Session {
    let sample = samples::find("kiwipete.fen").expect("a sample");
    let entry = sample.open().and_then(|document| document.entry(0));
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let config = Config {
        limits,
        memory: 1 << 30,
        ..Config::new(algorithm)
    };
    let mut session = Session::start(entry.expect("it is readable").subject(), config);
    session.join();
    session
}

fn merged() -> Merged<'static> {
    let sessions = sessions();
    let readers = sessions.iter().map(|s| Some(s.reader())).collect();
    Merged::new(sessions[0].subject(), readers)
}

/// Opens nodes breadth-first, one in three.
fn outline(merged: &Merged) -> Outline {
    let mut outline = Outline::default();
    outline.refresh(merged, false);
    let mut at = 0;
    while let Some(path) = outline.path(at).filter(|_| outline.len() < OPEN) {
        outline.open(merged, &path);
        outline.refresh(merged, false);
        at += 3;
    }
    outline
}

#[divan::bench]
fn rows_of_the_root(bencher: Bencher) {
    let merged = merged();
    bencher.bench_local(|| merged.rows(&[]));
}

#[divan::bench(args = ["all", "differing"])]
fn refresh_2000_rows(bencher: Bencher, filter: &str) {
    let merged = merged();
    let mut outline = outline(&merged);
    if filter == "differing" {
        outline.set_filter(Filter::FLAGGED);
    }
    bencher.bench_local(|| {
        outline.touch();
        outline.refresh(&merged, false)
    });
}

#[divan::bench]
fn refresh_2000_rows_by_spread(bencher: Bencher) {
    let merged = merged();
    let mut outline = outline(&merged);
    outline.set_order(Order::Spread(2));
    bencher.bench_local(|| {
        outline.touch();
        outline.refresh(&merged, false)
    });
}

#[divan::bench]
fn a_screen_of_60_rows(bencher: Bencher) {
    let merged = merged();
    let outline = outline(&merged);
    let middle = outline.len() / 2;
    bencher.bench_local(|| outline.rows(&merged, middle..middle + 60));
}

/// A whole budget is used, because nothing is found.
#[divan::bench]
fn a_jump_that_finds_nothing(bencher: Bencher) {
    let merged = merged();
    let mut outline = Outline::default();
    outline.set_filter(Filter::Flagged(KindSet::from_iter([Kind::Contradiction])));
    bencher.bench_local(|| outline.jump(&merged, false));
}

#[divan::bench(args = [200, 1_000])]
fn list(bencher: Bencher, budget: usize) {
    let merged = merged();
    bencher.bench_local(|| {
        let listed = differences(&merged, KindSet::ALL, 50, budget);
        listed
            .listed
            .into_iter()
            .map(|l| l.path)
            .collect::<Vec<Path>>()
    });
}
