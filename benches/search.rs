//! Alpha-beta in a real session, with the whole tree recorded and with only its first ply.

use algorithms::Algorithm;
use divan::{Bencher, counter::ItemsCount};
use game::Situation;
use game::load::fen;
use search::Limits;
use session::{Config, Session, Subject};

fn main() {
    divan::main();
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const NODES: u64 = 500_000;

fn session(text: &str, record_plies: u16) -> Session {
    let position = fen::parse(text).expect("a FEN").position;
    let config = Config {
        limits: Limits {
            nodes: Some(NODES),
            ..Limits::default()
        },
        record_plies,
        ..Config::new(Algorithm::AlphaBeta)
    };
    Session::start(Subject::from(Situation::new(position)), config)
}

fn search(bencher: Bencher, text: &str, record_plies: u16) {
    bencher
        .counter(ItemsCount::new(NODES))
        .bench(|| session(text, record_plies).join());
}

#[divan::bench(sample_count = 9, sample_size = 1)]
fn start_recorded(bencher: Bencher) {
    search(bencher, START, u16::MAX);
}

#[divan::bench(sample_count = 9, sample_size = 1)]
fn start_unrecorded(bencher: Bencher) {
    search(bencher, START, 1);
}

#[divan::bench(sample_count = 9, sample_size = 1)]
fn kiwipete_recorded(bencher: Bencher) {
    search(bencher, KIWIPETE, u16::MAX);
}

#[divan::bench(sample_count = 9, sample_size = 1)]
fn kiwipete_unrecorded(bencher: Bencher) {
    search(bencher, KIWIPETE, 1);
}
