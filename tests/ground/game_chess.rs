//! Compares our move generators with shakmaty's full list and with playing the moves, on random games and small trees.

use game::chess::see::{exchange_value, see_ge};
use game::{ChessKnowledge as _, ChessPosition, Game, Listed, MoveCode, Moves};
use proptest::prelude::*;
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, Move, Position as _, Role, Square, fen::Fen,
};

/// Start positions rich in difficult cases: castling, promotions, en passant, pins, Chess960.
const STARTS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w EAea - 0 1",
    "8/8/1k6/8/2pP4/8/5BK1/8 b - d3 0 1",
    "8/8/4k3/K1Pp3r/8/8/8/8 w - d6 0 1",
    "1r2k3/P1P5/8/4pP2/3K4/8/p1p5/1B6 w - e6 0 1",
];

/// Chess960 start positions with their perft counts.
const CHESS960: &str = include_str!("../fixtures/perft/fischer.epd");

fn position(fen: &str) -> ChessPosition {
    let fen: Fen = fen.parse().expect("FEN");
    let mode = CastlingMode::detect(fen.as_setup());
    let chess: Chess = fen.into_position(mode).expect("legal");
    ChessPosition::new(chess, mode)
}

fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<String> {
    let mut all: Vec<String> = moves.into_iter().map(|m| format!("{m:?}")).collect();
    all.sort();
    all
}

type List = Moves<Listed>;

/// The moves that are left out are those that are neither noisy nor give check, whichever is kept.
fn check_most(p: &ChessPosition, all: &List) {
    let checks = p.checks();
    let every_third = all.iter().step_by(3).map(|listed| listed.code());
    for kept in every_third.chain([MoveCode::NONE]) {
        let takes = |listed: &Listed| {
            let m = p.listed(*listed);
            p.is_noisy(m) || p.gives_check(m) || listed.code() == kept
        };
        let expected: Vec<Listed> = all.iter().copied().filter(takes).collect();
        let mut most = List::new();
        let left_out = p.list_most(&checks, kept, &mut most);
        assert_eq!(most.as_slice(), expected, "{} {kept:?}", p.fen());
        assert_eq!(left_out, all.len() - expected.len(), "{}", p.fen());
    }
}

fn check_generators(p: &ChessPosition) {
    let legal = p.legal_moves();
    let mut list = List::new();
    p.list(&mut list);
    let listed: Vec<Move> = list.iter().map(|&listed| p.listed(listed)).collect();
    assert_eq!(listed, legal.as_slice(), "list: {}", p.fen());
    assert_eq!(p.has_moves(), !legal.is_empty(), "{}", p.fen());
    for (&listed, &m) in list.iter().zip(&legal) {
        assert_eq!(listed, p.note(m), "{} {m:?}", p.fen());
        assert_eq!(listed.code(), p.encode(m), "{} {m:?}", p.fen());
        assert_eq!(
            p.listed_gives_check(&p.checks(), listed),
            p.gives_check(m),
            "{} {m:?}",
            p.fen()
        );
    }
    let expected = sorted(
        legal
            .iter()
            .copied()
            .filter(|&m| p.is_check() || p.is_noisy(m)),
    );
    let moves = |list: List| list.into_iter().map(|listed| p.listed(listed));
    let mut noisy = List::new();
    p.list_noisy(&mut noisy);
    assert_eq!(sorted(moves(noisy)), expected, "noisy: {}", p.fen());
    let checks = p.checks();
    check_null_move(p);
    if !p.is_check() {
        let quiet_check = |m: &Move| !p.is_noisy(*m) && p.gives_check(*m);
        let plain = |m: &Move| !m.is_castle() && m.promotion().is_none();
        let expected = sorted(legal.iter().copied().filter(quiet_check).filter(plain));
        let mut quiet_checks = List::new();
        p.list_quiet_checks(&mut quiet_checks);
        assert_eq!(sorted(moves(quiet_checks)), expected, "checks: {}", p.fen());
    }
    check_most(p, &list);
    for code in (0..=u16::MAX).step_by(7).map(MoveCode) {
        let legal = legal.iter().copied().find(|&m| p.encode(m) == code);
        assert!(
            p.decode_quickly(code).is_none_or(|m| Some(m) == legal),
            "{} {code:?}",
            p.fen()
        );
    }
    for &m in &legal {
        let found = p.decode_quickly(p.encode(m));
        let plain = m.promotion().is_none() && !m.is_castle() && !m.is_en_passant();
        let expected = (plain && !p.is_check()).then_some(m);
        assert_eq!(found, expected, "{} {m:?}", p.fen());
    }
    for m in legal {
        let mut child = p.clone();
        child.play(m);
        assert_eq!(
            p.gives_check(m),
            child.chess().is_check(),
            "check: {} {m:?}",
            p.fen()
        );
        assert_eq!(
            p.gives_check_by(&checks, m),
            p.gives_check(m),
            "checks: {} {m:?}",
            p.fen()
        );
        let fresh = ChessPosition::new(child.chess().clone(), child.castling_mode());
        assert_eq!(child.key(), fresh.key(), "key: {} {m:?}", p.fen());
        let value = brute_exchange(p.chess(), m);
        for threshold in [value - 1, value, value + 1, -100, 0, 1, 100, 320] {
            assert_eq!(
                see_ge(p.chess(), m, threshold),
                value >= threshold,
                "exchange worth {value}, asked {threshold}: {} {m:?}",
                p.fen()
            );
        }
    }
}

/// A null move is a pass, and so are the moves after it.
fn check_null_move(p: &ChessPosition) {
    let (Some(pass), Some(null)) = (p.pass(), p.null_move()) else {
        assert!(p.is_check() && p.null_move().is_none(), "{}", p.fen());
        return;
    };
    let compare = |a: &ChessPosition, b: &ChessPosition| {
        assert_eq!(a.chess(), b.chess(), "null move: {}", p.fen());
        assert_eq!(a.key(), b.key(), "null move: {}", p.fen());
        let clocks = [a, b].map(Game::reversible_plies);
        assert_eq!(clocks[0], clocks[1], "null move: {}", p.fen());
        assert_eq!(a.ending(true), b.ending(true), "null move: {}", p.fen());
    };
    compare(&pass, &null);
    for m in pass.legal_moves() {
        let (mut after_pass, mut after_null) = (pass.clone(), null.clone());
        after_pass.play(m);
        after_null.play(m);
        compare(&after_pass, &after_null);
        if let (Some(pass), Some(null)) = (after_pass.null_move(), after_null.null_move()) {
            compare(&pass, &null);
        }
    }
}

/// Plays the exchange on a board, piece by piece, by plain minimax with the option to stop.
fn brute_exchange(chess: &Chess, m: Move) -> i32 {
    let (Some(from), false) = (m.from(), m.is_castle()) else {
        return 0;
    };
    let mut board = chess.board().clone();
    let mut gain = m.capture().map_or(0, exchange_value);
    let role = m.promotion().unwrap_or(m.role());
    if m.is_promotion() {
        gain += exchange_value(role) - exchange_value(Role::Pawn);
    }
    if m.is_en_passant() {
        board.discard_piece_at(Square::from_coords(m.to().file(), from.rank()));
    }
    board.discard_piece_at(from);
    board.set_piece_at(m.to(), role.of(chess.turn()));
    gain - recapture(&board, m.to(), !chess.turn())
}

fn recapture(board: &Board, to: Square, side: Color) -> i32 {
    let attackers = board.attacks_to(to, side, board.occupied());
    let Some(from) = cheapest(board, attackers) else {
        return 0;
    };
    let piece = board.piece_at(from).expect("an attacker");
    let mut next = board.clone();
    let taken = next.role_at(to).expect("what stands there");
    next.discard_piece_at(from);
    next.set_piece_at(to, piece);
    if piece.role == Role::King && next.attacks_to(to, !side, next.occupied()).any() {
        return 0;
    }
    (exchange_value(taken) - recapture(&next, to, !side)).max(0)
}

fn cheapest(board: &Board, attackers: Bitboard) -> Option<Square> {
    attackers
        .into_iter()
        .min_by_key(|&square| board.role_at(square).map_or(0, exchange_value))
}

#[test]
fn generators_agree_in_the_starts_and_their_small_trees() {
    for fen in STARTS {
        let root = position(fen);
        check_generators(&root);
        for m in root.legal_moves() {
            let mut child = root.clone();
            child.play(m);
            check_generators(&child);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn generators_agree_along_random_games(
        start in 0..STARTS.len(),
        choices in prop::collection::vec(any::<prop::sample::Index>(), 0..80),
    ) {
        let mut p = position(STARTS[start]);
        for choice in choices {
            check_generators(&p);
            let moves = p.legal_moves();
            if moves.is_empty() {
                break;
            }
            p.play(moves[choice.index(moves.len())]);
        }
    }

    #[test]
    fn keys_agree_along_random_chess960_games(
        line in any::<prop::sample::Index>(),
        choices in prop::collection::vec(any::<prop::sample::Index>(), 0..60),
    ) {
        let lines: Vec<&str> = CHESS960.lines().collect();
        let fen = lines[line.index(lines.len())].split(';').next().unwrap_or_default();
        let mut p = position(fen.trim());
        for choice in choices {
            check_generators(&p);
            let moves = p.legal_moves();
            if moves.is_empty() {
                break;
            }
            p.play(moves[choice.index(moves.len())]);
        }
    }
}

#[test]
fn known_exchanges() {
    // (position, move, worth)
    let cases = [
        // The pawn on e5 is not defended.
        (
            "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1",
            "e1e5",
            100,
        ),
        // Knight takes, then knight, rook, bishop, queen: two x-ray lines.
        (
            "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1",
            "d3e5",
            -220,
        ),
        // A defended rook for a rook.
        ("3rk3/8/8/8/8/8/8/3RK3 w - - 0 1", "d1d8", 0),
        // Promotion on an unattacked square, and on an attacked one.
        ("8/P7/8/8/8/8/8/k1K5 w - - 0 1", "a7a8q", 800),
        ("7r/P7/8/8/8/8/8/k1K5 w - - 0 1", "a7a8q", -100),
        // En passant, with nothing behind.
        ("8/8/1k6/8/2pP4/8/6K1/8 b - d3 0 1", "c4d3", 100),
        // A quiet move to an attacked square.
        ("4k3/8/2p5/8/8/4N3/8/4K3 w - - 0 1", "e3d5", -320),
        // The king must not capture a defended piece.
        ("4k3/8/8/8/8/2b5/1p6/K7 w - - 0 1", "a1a2", 0),
    ];
    for (fen, uci, worth) in cases {
        let p = position(fen);
        let m = p
            .legal_moves()
            .into_iter()
            .find(|&m| p.uci(m) == uci)
            .expect("a legal move");
        assert!(p.see_ge(m, worth), "{fen} {uci} is worth {worth}");
        assert!(!p.see_ge(m, worth + 1), "{fen} {uci} is worth only {worth}");
    }
}

#[test]
fn what_a_move_gains_at_once() {
    let p = position("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N w - - 0 1");
    let gain = |uci: &str| {
        let m = p.legal_moves().into_iter().find(|&m| p.uci(m) == uci);
        p.capture_gain(m.expect("a legal move"))
    };
    assert_eq!(gain("b7a8q"), 320 + 800);
    assert_eq!(gain("b7b8n"), 220);
    assert_eq!(gain("e2d3"), 0);
}

#[test]
fn checks_by_unusual_moves() {
    let cases = [
        // Castling: the rook checks.
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", true),
        ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", true),
        ("6k1/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", false),
        // En passant: both pawns leave the queen's line, or the pawn itself checks.
        ("8/8/8/Q2pP2k/8/8/8/4K3 w - d6 0 1", "e5d6", true),
        ("8/4k3/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", true),
        ("8/7k/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", false),
        // Promotion: a check through the square that the pawn leaves, and a promotion to a knight.
        ("8/4P3/8/8/4k3/8/8/K7 w - - 0 1", "e7e8q", true),
        ("8/4P3/8/5k2/8/8/8/K7 w - - 0 1", "e7e8b", false),
        ("8/4P3/3k4/8/8/8/8/K7 w - - 0 1", "e7e8n", true),
        // A discovered check by the king, and a piece that looks pinned but stays on its line.
        ("4k3/8/8/8/8/8/4K3/4R3 w - - 0 1", "e2d2", true),
        ("4k3/8/8/8/8/8/4K3/4R3 w - - 0 1", "e2e3", false),
        ("4k3/8/8/8/4N3/8/8/K3R3 w - - 0 1", "e4c5", true),
    ];
    for (fen, uci, check) in cases {
        let p = position(fen);
        let m = p.legal_moves().into_iter().find(|&m| p.uci(m) == uci);
        let m = m.expect(uci);
        assert_eq!(p.gives_check(m), check, "{fen} {uci}");
        let mut child = p.clone();
        child.play_keyless(m);
        assert_eq!(child.is_check(), check, "{fen} {uci}");
    }
}
