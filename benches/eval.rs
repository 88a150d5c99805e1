//! The cost of the evaluations, hand-crafted and learned, one operation at a time.

use divan::{Bencher, black_box, counter::ItemsCount};
use eval::network::{Learned, Network};
use eval::{Evaluator, HandCrafted, LeafShape, Width};
use game::{ChessPosition, Game};
use shakmaty::{CastlingMode, Chess, Move, fen::Fen};

fn main() {
    divan::main();
}

const POSITIONS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

/// A position, the state of an evaluation there, and one of its legal moves.
type Case<E> = (ChessPosition, <E as Evaluator<ChessPosition>>::State, Move);

/// Every legal move of every position, with the state before it.
fn cases<E: Evaluator<ChessPosition>>(eval: &E) -> Vec<Case<E>> {
    POSITIONS
        .iter()
        .filter_map(|fen| {
            let fen: Fen = fen.parse().ok()?;
            let chess: Chess = fen.into_position(CastlingMode::Standard).ok()?;
            Some(ChessPosition::new(chess, CastlingMode::Standard))
        })
        .flat_map(|p| {
            let state = eval.start(&p);
            let moves = p.legal_moves();
            moves
                .into_iter()
                .map(move |m| (p.clone(), state.clone(), m))
        })
        .collect()
}

fn each<E: Evaluator<ChessPosition> + Default, T>(
    bencher: Bencher,
    f: impl Fn(&E, &ChessPosition, &E::State, Move) -> T + Sync,
) {
    let eval = E::default();
    let cases = cases(&eval);
    bencher.counter(ItemsCount::new(cases.len())).bench(|| {
        for (position, state, m) in &cases {
            black_box(f(&eval, position, state, *m));
        }
    });
}

#[divan::bench(types = [HandCrafted, Learned])]
fn start<E: Evaluator<ChessPosition> + Default>(bencher: Bencher) {
    each(bencher, |e: &E, p, _, _| e.start(p));
}

#[divan::bench(types = [HandCrafted, Learned])]
fn after<E: Evaluator<ChessPosition> + Default>(bencher: Bencher) {
    each(bencher, |e: &E, p, s, m| e.after(s, p, m));
}

#[divan::bench(types = [HandCrafted, Learned])]
fn value<E: Evaluator<ChessPosition> + Default>(bencher: Bencher) {
    each(bencher, |e: &E, p, s, _| e.value(s, p));
}

#[divan::bench]
fn gain(bencher: Bencher) {
    each(bencher, |e: &HandCrafted, p, s, m| e.gain(s, p, m));
}

#[divan::bench]
fn spread(bencher: Bencher) {
    each(bencher, |e: &HandCrafted, p, s, _| {
        e.spread(s, p, e.value(s, p))
    });
}

#[divan::bench(types = [HandCrafted, Learned], args = [None, Some(0.3)])]
fn belief<E: Evaluator<ChessPosition> + Default>(bencher: Bencher, width: Option<f32>) {
    let shape = LeafShape {
        width: width.map_or(Width::Fitted, Width::Fixed),
        bias: 0.0,
    };
    each(bencher, move |e: &E, p, s, _| {
        e.belief(s, p, e.value(s, p), &shape)
    });
}

/// The shares of all moves of a position, with the hidden layer that they are read from.
#[divan::bench]
fn policy(bencher: Bencher) {
    let network = Network::embedded();
    let cases: Vec<_> = cases(&HandCrafted::default())
        .into_iter()
        .map(|(p, _, _)| (network.start(p.chess()), p.legal_moves(), p))
        .collect();
    bencher.counter(ItemsCount::new(cases.len())).bench(|| {
        for (accumulators, moves, position) in &cases {
            let hidden = network.hidden(accumulators, position.chess());
            black_box(network.policy(&hidden, position, moves));
        }
    });
}

/// Reading a weights file.
#[divan::bench]
fn read() {
    let bytes: &[u8] = include_bytes!("../src/eval/network/weights.bin");
    black_box(Network::from_bytes(black_box(bytes))).expect("a network");
}
