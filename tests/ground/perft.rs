//! Compares leaf counts through the [`Game`] trait with published perft counts. Along the way, every incremental key is
//! compared with one computed from scratch.

use std::path::Path;

use game::{ChessPosition, Game as _};
use shakmaty::{CastlingMode, Chess, PositionError, fen::Fen};

/// Plays all moves and compares keys; the last ply is only counted.
fn perft(position: &ChessPosition, depth: u32) -> u64 {
    let moves = position.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    let mut nodes = 0;
    for m in moves {
        let mut child = position.clone();
        child.play(m);
        let fresh = ChessPosition::new(child.chess().clone(), child.castling_mode());
        assert_eq!(child.key(), fresh.key(), "{} {m:?}", position.fen());
        nodes += perft(&child, depth - 1);
    }
    nodes
}

fn position(fen: &str, mode: CastlingMode) -> ChessPosition {
    let fen: Fen = fen.parse().expect("a fixture's FEN");
    // Some positions of the suites cannot arise in a game (impossible checks, too much material), but their moves can
    // be counted.
    let chess = fen
        .into_position(mode)
        .or_else(PositionError::<Chess>::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .expect("a fixture's position");
    ChessPosition::new(chess, mode)
}

fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/perft");
    std::fs::read_to_string(path.join(name)).expect("the fixture")
}

/// Checks all depths with at most `limit` leaves and returns the number of counts compared.
fn check(fen: &str, counts: &[(u32, u64)], mode: CastlingMode, limit: u64) -> usize {
    let root = position(fen, mode);
    let mut checked = 0;
    for &(depth, nodes) in counts.iter().filter(|(_, nodes)| *nodes <= limit) {
        assert_eq!(perft(&root, depth), nodes, "{fen} at depth {depth}");
        checked += 1;
    }
    checked
}

/// Parses lines like `FEN ;D1 20 ;D2 400`.
fn check_suite(name: &str, mode: CastlingMode, limit: u64) -> usize {
    let mut checked = 0;
    for line in fixture(name).lines().filter(|line| !line.trim().is_empty()) {
        let mut parts = line.split(';');
        let fen = parts.next().expect("a position").trim();
        let counts: Vec<(u32, u64)> = parts
            .map(|part| {
                let (depth, nodes) = part.trim().split_once(' ').expect("depth and nodes");
                let depth = depth.trim_start_matches('D').parse().expect("a depth");
                (depth, nodes.trim().parse().expect("a count"))
            })
            .collect();
        checked += check(fen, &counts, mode, limit);
    }
    checked
}

#[test]
fn standard_positions() {
    assert!(check_suite("standard.epd", CastlingMode::Standard, 12_000_000) > 600);
}

#[test]
fn chess960_positions() {
    assert!(check_suite("fischer.epd", CastlingMode::Chess960, 2_500_000) > 900);
}

#[test]
fn tricky_positions() {
    let text = fixture("tricky.perft");
    let mut checked = 0;
    let mut fen = String::new();
    for line in text.lines() {
        let Some((word, rest)) = line.split_once(' ') else {
            continue;
        };
        match word {
            "epd" => fen = rest.to_owned(),
            "perft" => {
                let (depth, nodes) = rest.split_once(' ').expect("depth and nodes");
                let count = (
                    depth.parse().expect("depth"),
                    nodes.trim().parse().expect("nodes"),
                );
                // Some of the tricky positions are Chess960 positions; for the others it makes no difference.
                checked += check(&fen, &[count], CastlingMode::Chess960, 8_000_000);
            }
            _ => {}
        }
    }
    assert!(checked > 40, "only {checked} counts compared");
}
