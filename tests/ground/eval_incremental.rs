//! The state that is updated move by move equals the state computed from the position, whatever was played.

use eval::network::Learned;
use eval::terms::Term;
use eval::{Breakdown, Evaluator, HandCrafted};
use game::{ChessPosition, Game};
use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, Move, Position, fen::Fen};

const PROMOTIONS: &str = "1n1rr3/P6P/6k1/2pP4/4p1p1/8/p1p2P2/R1B1K1NR w KQ c6 0 1";

fn position(fen: &str, mode: CastlingMode) -> ChessPosition {
    let chess: Chess = fen
        .parse::<Fen>()
        .expect("a FEN")
        .into_position(mode)
        .expect("a legal position");
    ChessPosition::new(chess, mode)
}

/// A Chess960 start position: bishops on opposite colours, the king between the rooks.
fn chess960(light: usize, dark: usize, queen: usize, knights: (usize, usize)) -> ChessPosition {
    let mut rank = [' '; 8];
    rank[2 * light + 1] = 'b';
    rank[2 * dark] = 'b';
    let mut put = |nth: usize, piece: char| {
        let free: Vec<usize> = (0..8).filter(|&i| rank[i] == ' ').collect();
        rank[free[nth % free.len()]] = piece;
    };
    put(queen, 'q');
    put(knights.0, 'n');
    put(knights.1, 'n');
    for piece in ['r', 'k', 'r'] {
        put(0, piece);
    }
    let black: String = rank.iter().collect();
    let white = black.to_uppercase();
    let fen = format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1");
    position(&fen, CastlingMode::Chess960)
}

/// Only kings and rooks behind the pawns, so that castling is legal at once.
fn without_minor_pieces(start: &ChessPosition) -> ChessPosition {
    let mut setup = start.chess().to_setup(shakmaty::EnPassantMode::Legal);
    let board = &mut setup.board;
    for square in board.bishops() | board.knights() | board.queens() {
        board.discard_piece_at(square);
    }
    let chess = setup
        .position(CastlingMode::Chess960)
        .expect("a legal position");
    ChessPosition::new(chess, CastlingMode::Chess960)
}

/// Plays random moves, preferring castling, promotions and en passant, and compares the states of both evaluations after
/// each.
fn walk(position: ChessPosition, choices: &[u16]) -> Result<[bool; 3], TestCaseError> {
    walk_with(&HandCrafted::default(), position.clone(), choices)?;
    walk_with(&Learned::default(), position, choices)
}

fn walk_with<E: Evaluator<ChessPosition>>(
    eval: &E,
    mut position: ChessPosition,
    choices: &[u16],
) -> Result<[bool; 3], TestCaseError>
where
    E::State: PartialEq,
{
    let mut state = eval.start(&position);
    let mut seen = [false; 3];
    for &choice in choices {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let rare: Vec<Move> = moves
            .iter()
            .copied()
            .filter(|m| m.is_castle() || m.is_promotion() || m.is_en_passant())
            .collect();
        let from: &[Move] = if rare.is_empty() || choice % 4 == 0 {
            &moves
        } else {
            &rare
        };
        let m = from[usize::from(choice / 4) % from.len()];
        for (saw, is) in seen
            .iter_mut()
            .zip([m.is_castle(), m.is_promotion(), m.is_en_passant()])
        {
            *saw |= is;
        }
        let before = position.clone();
        // Whatever the state was that is written over.
        let mut over = eval.start(&position);
        eval.advance(&state, &before, m, &mut over);
        state = eval.after(&state, &before, m);
        prop_assert_eq!(over, state.clone());
        position.play(m);
        prop_assert_eq!(
            state.clone(),
            eval.start(&position),
            "after {} in {}",
            m,
            before.fen()
        );
    }
    Ok(seen)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn after_equals_start_in_random_games(
        light in 0usize..4, dark in 0usize..4, queen in 0usize..6, knights in (0usize..5, 0usize..4),
        choices in prop::collection::vec(any::<u16>(), 1..160),
    ) {
        walk(chess960(light, dark, queen, knights), &choices)?;
    }

    #[test]
    fn after_equals_start_when_castling(
        light in 0usize..4, dark in 0usize..4, queen in 0usize..6, knights in (0usize..5, 0usize..4),
        choices in prop::collection::vec(any::<u16>(), 1..20),
    ) {
        walk(without_minor_pieces(&chess960(light, dark, queen, knights)), &choices)?;
    }

    #[test]
    fn after_equals_start_among_promotions(choices in prop::collection::vec(any::<u16>(), 1..60)) {
        walk(position(PROMOTIONS, CastlingMode::Standard), &choices)?;
    }

    /// With the board mirrored and the colours exchanged, a position is worth the same to its side to move.
    #[test]
    fn both_colours_are_judged_alike(choices in prop::collection::vec(any::<u16>(), 1..120)) {
        let mut at = ChessPosition::default();
        for choice in choices {
            let moves = at.legal_moves();
            if moves.is_empty() {
                break;
            }
            at.play(moves[usize::from(choice) % moves.len()]);
        }
        let setup = at.chess().to_setup(shakmaty::EnPassantMode::Legal).into_mirrored();
        let mirrored = setup.position::<Chess>(CastlingMode::Standard).expect("as legal as before");
        let mirrored = ChessPosition::new(mirrored, CastlingMode::Standard);
        let (by_hand, learned) = (HandCrafted::default(), Learned::default());
        let values = |p: &ChessPosition| {
            (by_hand.value(&by_hand.start(p), p), learned.value(&learned.start(p), p))
        };
        prop_assert_eq!(values(&at), values(&mirrored));
    }
}

/// Even with nine queens, or every piece promoted, the value stays within the range of an ordinary score.
#[test]
fn many_queens_are_an_ordinary_score() {
    let eval = HandCrafted::default();
    for (fen, least) in [
        ("QQQQQQQQ/Q7/8/8/8/8/5k2/K7 b - - 0 1", 5_000),
        ("1QQQQQQ1/Q5Q1/8/4Q3/8/8/8/K6k b - - 0 1", 5_000),
        ("qqqqqqqq/q7/8/8/8/8/7K/k7 w - - 0 1", 5_000),
    ] {
        let p = position(fen, CastlingMode::Standard);
        let value = eval.value(&eval.start(&p), &p);
        assert!(
            !value.is_decided() && value.raw() < -least,
            "{fen}: {value:?}"
        );
    }
}

/// The lines of the breakdown add up to the value, whoever is to move.
#[test]
fn the_breakdown_is_the_value() {
    let eval = HandCrafted::default();
    let mut at = ChessPosition::default();
    for choice in 0..200usize {
        let moves = at.legal_moves();
        if moves.is_empty() {
            break;
        }
        at.play(moves[(choice * 7919 + 3) % moves.len()]);
        let white = Breakdown::new(&at).value();
        let value = i32::from(eval.value(&eval.start(&at), &at).raw());
        let sign = at.chess().turn().fold_wb(1, -1);
        assert_eq!(white * sign, value, "{}", at.fen());
    }
}

/// Terms in positions where it is clear what they must count: (FEN, term, its row, White's count, Black's).
#[test]
fn terms_count_what_they_are_named_for() {
    let cases: &[(&str, Term, usize, i32, i32)] = &[
        (
            "4k3/8/8/8/8/8/PP5P/4K3 w - - 0 1",
            Term::IsolatedPawn,
            0,
            1,
            0,
        ),
        (
            "4k3/p1p5/8/8/P7/P7/8/4K3 w - - 0 1",
            Term::DoubledPawn,
            0,
            1,
            0,
        ),
        (
            "4k3/8/8/3P4/8/2p5/8/4K3 w - - 0 1",
            Term::PassedPawn,
            4,
            1,
            0,
        ),
        (
            "4k3/8/8/3P4/8/2p5/8/4K3 w - - 0 1",
            Term::PassedPawn,
            5,
            0,
            1,
        ),
        (
            "4k3/3p4/8/3P4/8/8/8/4K3 w - - 0 1",
            Term::PassedPawn,
            4,
            0,
            0,
        ),
        (
            "8/8/8/7P/8/8/8/k6K w - - 0 1",
            Term::UnstoppablePasser,
            0,
            1,
            0,
        ),
        (
            "8/8/5k2/7P/8/8/8/7K w - - 0 1",
            Term::UnstoppablePasser,
            0,
            0,
            0,
        ),
        (
            "4k3/8/8/8/8/8/8/N3K3 w - - 0 1",
            Term::KnightMobility,
            2,
            1,
            0,
        ),
        (
            "4k3/p7/8/8/8/8/7P/R3K2R w - - 0 1",
            Term::RookOnFile,
            0,
            1,
            0,
        ),
        (
            "4k3/p7/8/8/8/8/7P/1R2K3 w - - 0 1",
            Term::RookOnFile,
            1,
            1,
            0,
        ),
        ("4k3/8/8/3N4/4P3/8/8/4K3 w - - 0 1", Term::Outpost, 0, 1, 0),
        (
            "4k3/2p5/8/3N4/4P3/8/8/4K3 w - - 0 1",
            Term::Outpost,
            0,
            0,
            0,
        ),
        (
            "4k3/8/3n4/4P3/8/8/8/4K3 b - - 0 1",
            Term::PawnThreat,
            0,
            1,
            0,
        ),
        ("4k3/8/8/r7/8/8/8/4K2B w - - 0 1", Term::BishopPair, 0, 0, 0),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            Term::BishopPair,
            0,
            1,
            1,
        ),
        ("4k3/8/8/8/8/8/PPP5/1K6 w - - 0 1", Term::Shelter, 0, 3, 0),
    ];
    for &(fen, term, row, white, black) in cases {
        let counts = Breakdown::new(&position(fen, CastlingMode::Standard)).counts;
        let found = (counts[0].term(term)[row], counts[1].term(term)[row]);
        assert_eq!(found, (white, black), "{} in {fen}", term.name());
    }
}

/// Endgames without winning chances have a value near a draw, however much material one side is ahead.
#[test]
fn pawnless_endgames_are_drawish() {
    let eval = HandCrafted::default();
    for fen in [
        "8/8/4k3/8/8/3RK3/8/6b1 w - - 0 1",
        "8/8/4k3/8/8/3NK3/4N3/8 w - - 0 1",
        "8/4n3/4k3/8/8/3RK3/8/8 w - - 0 1",
    ] {
        let p = position(fen, CastlingMode::Standard);
        let value = eval.value(&eval.start(&p), &p).raw();
        assert!(value.abs() < 120, "{fen}: {value}");
    }
}

/// The random walks above do reach the special moves that they are meant to test.
#[test]
fn the_walks_castle_promote_and_take_en_passant() {
    let choices: Vec<u16> = (0..40).map(|i| i * 7 + 1).collect();
    let castled = (0..4).all(|i| {
        let start = without_minor_pieces(&chess960(i, 3 - i, i, (i, 1)));
        walk(start, &choices).expect("equal states")[0]
    });
    let promotions = position(PROMOTIONS, CastlingMode::Standard);
    let seen = walk(promotions, &choices).expect("equal states");
    assert!(castled && seen[1] && seen[2], "{castled} {seen:?}");
}
