//! The cost of the hand-crafted evaluation, one operation at a time.

use divan::{Bencher, black_box, counter::ItemsCount};
use plyscope::eval::{Evaluator, HandCrafted, LeafShape, Width};
use plyscope::game::{ChessPosition, Game};
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

type State = <HandCrafted as Evaluator<ChessPosition>>::State;

/// Every legal move of every position, with the state before it.
fn moves(eval: &HandCrafted) -> Vec<(ChessPosition, State, Move)> {
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
            moves.into_iter().map(move |m| (p.clone(), state, m))
        })
        .collect()
}

fn each<T>(bencher: Bencher, f: impl Fn(&HandCrafted, &ChessPosition, State, Move) -> T + Sync) {
    let eval = HandCrafted::default();
    let moves = moves(&eval);
    bencher.counter(ItemsCount::new(moves.len())).bench(|| {
        for (position, state, m) in &moves {
            black_box(f(&eval, position, *state, *m));
        }
    });
}

#[divan::bench]
fn start(bencher: Bencher) {
    each(bencher, |e, p, _, _| e.start(p));
}

#[divan::bench]
fn after(bencher: Bencher) {
    each(bencher, |e, p, s, m| e.after(s, p, m));
}

#[divan::bench]
fn value(bencher: Bencher) {
    each(bencher, |e, p, s, _| e.value(s, p));
}

#[divan::bench]
fn gain(bencher: Bencher) {
    each(bencher, |e, p, s, m| e.gain(s, p, m));
}

#[divan::bench]
fn spread(bencher: Bencher) {
    each(bencher, |e, p, s, _| e.spread(s, p, e.value(s, p)));
}

#[divan::bench(args = [None, Some(0.3)])]
fn belief(bencher: Bencher, width: Option<f32>) {
    let shape = LeafShape {
        width: width.map_or(Width::Fitted, Width::Fixed),
        bias: 0.27,
    };
    each(bencher, move |e, p, s, _| {
        e.belief(s, p, e.value(s, p), &shape)
    });
}
