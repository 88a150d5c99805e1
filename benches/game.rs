//! The cost of the rules in a search: lists, moves, checks and exchanges, over a fixed set of positions.

use divan::{Bencher, black_box, counter::ItemsCount};
use game::{ChessKnowledge as _, ChessPosition, Game};
use shakmaty::{CastlingMode, Chess, fen::Fen};

fn main() {
    divan::main();
}

const POSITIONS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P1B2/2NBPN2/PP3PPP/R2QK2R w KQ - 0 9",
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
];

fn positions() -> Vec<ChessPosition> {
    POSITIONS
        .iter()
        .filter_map(|fen| {
            let fen: Fen = fen.parse().ok()?;
            let chess: Chess = fen.into_position(CastlingMode::Standard).ok()?;
            Some(ChessPosition::new(chess, CastlingMode::Standard))
        })
        .collect()
}

/// All moves of all positions, with their position.
fn moves() -> Vec<(ChessPosition, <ChessPosition as Game>::Move)> {
    positions()
        .into_iter()
        .flat_map(|p| {
            let moves = p.legal_moves();
            moves.into_iter().map(move |m| (p.clone(), m))
        })
        .collect()
}

fn each_position(bencher: Bencher, look: impl Fn(&ChessPosition) -> usize + Sync) {
    let all = positions();
    bencher
        .counter(ItemsCount::new(all.len()))
        .bench(|| all.iter().map(|p| look(black_box(p))).sum::<usize>());
}

fn each_move(
    bencher: Bencher,
    look: impl Fn(&ChessPosition, <ChessPosition as Game>::Move) -> u64 + Sync,
) {
    let all = moves();
    bencher
        .counter(ItemsCount::new(all.len()))
        .bench(|| all.iter().map(|(p, m)| look(black_box(p), *m)).sum::<u64>());
}

#[divan::bench]
fn legal_list(bencher: Bencher) {
    each_position(bencher, |p| p.legal_moves().len());
}

#[divan::bench]
fn noisy_list(bencher: Bencher) {
    each_position(bencher, |p| p.noisy_moves().len());
}

/// The cost of the noisy list if the full one were filtered.
#[divan::bench]
fn noisy_by_filter(bencher: Bencher) {
    each_position(bencher, |p| {
        let mut moves = p.legal_moves();
        if !p.is_check() {
            moves.retain(|m| p.is_noisy(*m));
        }
        moves.len()
    });
}

#[divan::bench]
fn clone_and_play(bencher: Bencher) {
    each_move(bencher, |p, m| {
        let mut child = p.clone();
        child.play(m);
        child.key()
    });
}

#[divan::bench]
fn clone_and_play_keyless(bencher: Bencher) {
    each_move(bencher, |p, m| {
        let mut child = p.clone();
        child.play_keyless(m);
        u64::from(child.reversible_plies())
    });
}

#[divan::bench]
fn gives_check(bencher: Bencher) {
    each_move(bencher, |p, m| u64::from(p.gives_check(m)));
}

#[divan::bench]
fn exchange(bencher: Bencher) {
    each_move(bencher, |p, m| u64::from(p.see_ge(m, 0)));
}
