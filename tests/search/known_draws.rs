//! Draws that are known without tables: against solvers that share no code with them, in every search, and in games.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use algorithms::{ALGORITHMS, Algorithm};
use common::claims::{Judge, Tally, Truth, config as claims_config};
use common::clocked::Clocked;
use common::endgame::PawnEndgame;
use common::minors::{Men, Minors, Place};
use common::{chess, endgames};
use game::{
    ChessKnowledge as _, ChessPosition, Ending, Game, KnownDraw, Score, Side, Situation,
    TableResult,
};
use session::{Config, NodeValue, Session, Subject};
use shakmaty::{CastlingMode, Chess, Color, FromSetup, Piece, Position as _, Role, Setup, Square};
use tree::{Bound, Fate, Tree};

/// Draws of king and pawn against king. The first five are textbook positions.
const PAWN_DRAWS: [&str; 14] = [
    "8/8/2k5/8/2P5/2K5/8/8 w - - 0 1",
    "2k5/8/8/8/2P5/2K5/8/8 b - - 0 1",
    "8/k7/8/8/3P4/8/6K1/8 b - - 0 1",
    "8/8/8/4P2k/8/8/3K4/8 b - - 0 1",
    "2k5/8/2P5/K7/8/8/8/8 w - - 0 1",
    "4k3/4P3/3K4/8/8/8/8/8 w - - 0 1",
    "3k4/3P4/4K3/8/8/8/8/8 w - - 98 120",
    "k7/8/K7/P7/8/8/8/8 w - - 0 1",
    "8/8/8/8/7p/7k/8/7K w - - 0 1",
    "8/8/8/8/3k4/8/3P4/3K4 w - - 0 1",
    "8/8/8/3k4/8/8/4P3/4K3 b - - 12 40",
    "8/8/4k3/8/4K3/4P3/8/8 w - - 96 99",
    "8/8/8/4p3/4k3/8/8/4K3 w - - 0 1",
    "4k3/8/3PK3/8/8/8/8/8 w - - 0 1",
];

fn search(situation: &Situation<ChessPosition>, algorithm: Algorithm, nodes: u64) -> Session {
    let config = Config {
        limits: common::nodes(nodes),
        memory: 64 << 20,
        table: 1 << 20,
        ..Config::new(algorithm)
    };
    let mut session = Session::start(Subject::from(situation.clone()), config);
    session.join();
    session
}

fn expected(session: &Session) -> f32 {
    let value: NodeValue = session.summary().score;
    value.expected.expect("a value")
}

fn known(position: Chess) -> Option<KnownDraw> {
    ChessPosition::new(position, CastlingMode::Standard).known_draw()
}

fn is_over(position: &Chess) -> bool {
    position.legal_moves().is_empty() || position.is_insufficient_material()
}

/// The position with the colours exchanged.
fn turned(position: &Chess) -> Chess {
    let mut setup = Setup::empty();
    for (square, piece) in position.board() {
        let piece = Piece {
            color: !piece.color,
            role: piece.role,
        };
        setup.board.set_piece_at(square.flip_vertical(), piece);
    }
    setup.turn = !position.turn();
    Chess::from_setup(setup, CastlingMode::Standard).expect("a position")
}

static PAWN: LazyLock<PawnEndgame> = LazyLock::new(PawnEndgame::solve);

#[test]
fn every_position_of_king_and_pawn_is_known_as_a_solver_has_it() {
    let (mut won, mut drawn) = (0u32, 0u32);
    for (i, (position, wins)) in PAWN.all().enumerate() {
        let over = is_over(&position);
        let is_draw = !wins && !over;
        let turned = (i % 3 == 0).then(|| turned(&position));
        for position in [Some(position), turned].into_iter().flatten() {
            let draw = is_draw.then_some(KnownDraw::KingAndPawn);
            assert_eq!(known(position.clone()), draw, "{position:?}");
            let side = position.board().pawns() & position.board().white();
            let side = [Side::Black, Side::White][usize::from(side.any())];
            let by = ChessPosition::new(position, CastlingMode::Standard).won_by_pawn();
            assert_eq!(by, wins.then_some(side));
        }
        won += u32::from(wins);
        drawn += u32::from(is_draw);
    }
    println!("{won} won, {drawn} drawn");
    // Twice as many as with the pawn on one half of the board only.
    assert_eq!(won, 2 * 111_282);
    assert!(drawn > 100_000);
}

/// Two knights, and one minor piece each.
const MINORS: [Men; 4] = {
    use Color::{Black, White};
    use Role::{Bishop, Knight};
    [
        [(White, Knight), (White, Knight)],
        [(White, Knight), (Black, Knight)],
        [(White, Bishop), (Black, Knight)],
        [(White, Bishop), (Black, Bishop)],
    ]
};

static SOLVED: LazyLock<Vec<Minors>> =
    LazyLock::new(|| MINORS.into_iter().map(Minors::solve).collect());

fn set(men: &[(Color, Role, Square)], turn: Color) -> Option<Chess> {
    let mut setup = Setup::empty();
    setup.turn = turn;
    for &(color, role, square) in men {
        if setup.board.piece_at(square).is_some() {
            return None;
        }
        setup.board.set_piece_at(square, Piece { color, role });
    }
    Chess::from_setup(setup, CastlingMode::Standard).ok()
}

fn position(minors: &Minors, place: Place) -> Option<Chess> {
    let [white, black, a, b] = place.squares;
    let [first, second] = minors.men;
    let men = [
        (Color::White, Role::King, white),
        (Color::Black, Role::King, black),
        (first.0, first.1, a),
        (second.0, second.1, b),
    ];
    set(&men, place.turn)
}

#[test]
fn bare_minor_pieces_are_draws_but_for_a_mate_at_hand() {
    for minors in SOLVED.iter() {
        println!(
            "{:?}: {} mated, {} mate at once, {} cannot prevent it",
            minors.men,
            minors.mated.len(),
            minors.mating.len(),
            minors.forced.len()
        );
        assert!(minors.mated.len() >= 16);
        assert!(minors.forced.is_empty(), "the rule would be wrong");
        let decided = minors.mated.iter().chain(&minors.mating);
        for &index in decided {
            let position = position(minors, Place::of(index)).expect("legal");
            assert_eq!(known(turned(&position)), None, "{position:?}");
            assert_eq!(known(position.clone()), None, "{position:?}");
        }
        let mut draws = 0;
        for place in (0..1 << 25).step_by(631).map(Place::of) {
            let Some(position) = position(minors, place) else {
                continue;
            };
            if is_over(&position) || minors.truth(&position) != Some(Score::DRAW) {
                continue;
            }
            let draw = match minors.men[0].0 == minors.men[1].0 {
                true => KnownDraw::TwoKnights,
                false => KnownDraw::MinorEach,
            };
            assert_eq!(known(position.clone()), Some(draw), "{position:?}");
            draws += 1;
        }
        assert!(draws > 10_000, "{draws}");
    }
}

/// Whether the lone king is on its corner or next to it.
fn is_in_corner(position: &Chess, corner: Square) -> bool {
    let king = position.board().king_of(Color::Black);
    king.is_some_and(|king| king.distance(corner) <= 1)
}

/// Proves by one step of induction that the king stays in its corner: whatever White plays, Black has a move after which
/// its king is still there and White has nothing but bishops of that colour and pawns of that file, or is stalemated.
fn stays(position: &Chess, corner: Square) {
    let holds = |position: &Chess| {
        let others = position.board().white()
            & !position.board().kings()
            & !position.board().bishops()
            & !position.board().pawns();
        is_in_corner(position, corner) && others.is_empty()
    };
    let after = |position: &Chess| {
        let moves = position.legal_moves().into_iter();
        let played = moves.map(|m| {
            let mut next = position.clone();
            next.play_unchecked(m);
            next
        });
        played.collect::<Vec<Chess>>()
    };
    if position.turn() == Color::Black {
        assert!(!position.is_checkmate(), "{position:?}");
        let moves = after(position);
        assert!(moves.is_empty() || moves.iter().any(holds), "{position:?}");
    } else {
        for next in after(position) {
            // A bishop that a pawn becomes controls the corner, but is captured there like any other piece.
            let replies = after(&next);
            assert!(is_in_corner(&next, corner) && !next.is_checkmate());
            assert!(
                replies.is_empty() || replies.iter().any(holds),
                "{position:?}"
            );
        }
    }
}

#[test]
fn a_king_in_the_corner_is_never_driven_out_by_rook_pawns_and_wrong_bishops() {
    let white = |role, square| (Color::White, role, square);
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for (corner, file) in [(Square::A8, 0), (Square::H8, 7)] {
        let pawn = |rank: u32| Square::new(rank * 8 + file);
        let bishops = Square::ALL
            .into_iter()
            .filter(|s| s.is_light() != corner.is_light());
        let kings = Square::ALL.into_iter().filter(|s| s.distance(corner) <= 1);
        for black in kings {
            for strong in Square::ALL {
                for turn in [Color::White, Color::Black] {
                    let mut ask = |more: &[(Color, Role, Square)], wanted: KnownDraw| {
                        let kings = [(Color::Black, Role::King, black), white(Role::King, strong)];
                        let Some(position) = set(&[&kings, more].concat(), turn) else {
                            return;
                        };
                        stays(&position, corner);
                        let draw = (!is_over(&position)).then_some(wanted);
                        assert_eq!(known(position.clone()), draw, "{position:?}");
                        assert_eq!(known(turned(&position)), draw, "{position:?}");
                        *counts.entry(wanted.words()).or_default() += 1;
                    };
                    for rank in 1..7 {
                        let first = white(Role::Pawn, pawn(rank));
                        for bishop in bishops.clone() {
                            let bishop = white(Role::Bishop, bishop);
                            ask(&[first, bishop], KnownDraw::WrongBishop);
                            if rank < 6 && (bishop.2.rank() as u32).is_multiple_of(3) {
                                let second = white(Role::Pawn, pawn(rank + 1));
                                ask(&[first, second, bishop], KnownDraw::WrongBishop);
                            }
                        }
                        for other in rank + 1..7 {
                            let second = white(Role::Pawn, pawn(other));
                            ask(&[first, second], KnownDraw::RookPawns);
                        }
                    }
                }
            }
        }
    }
    println!("{counts:?}");
    assert!(counts["wrong bishop"] > 50_000, "{counts:?}");
}

#[test]
fn what_looks_like_a_known_draw_and_is_none_is_searched() {
    for (fen, why) in [
        ("7k/8/8/8/8/4B3/7P/4K3 b - - 0 1", "the bishop controls h8"),
        ("7k/8/8/8/8/3B4/6P1/4K3 b - - 0 1", "no rook pawn"),
        ("7k/8/8/8/8/3B4/P6P/4K3 b - - 0 1", "two files"),
        (
            "8/8/5k2/8/8/3B4/7P/4K3 w - - 0 1",
            "the king is not in the corner",
        ),
        ("7k/8/8/8/8/3B1N2/7P/4K3 b - - 0 1", "a knight besides"),
        ("7k/7p/8/8/8/3B4/7P/4K3 b - - 0 1", "the king is not alone"),
        ("8/8/8/8/8/2k5/1R6/K7 w - - 0 1", "a rook"),
        ("8/8/8/3k4/8/8/8/KBN5 w - - 0 1", "bishop and knight"),
        ("8/8/8/3k4/8/8/8/KBB5 w - - 0 1", "two bishops"),
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", "won"),
        // Over by the rules: stalemate, the fifty moves, and too little material.
        ("k7/P7/K7/8/8/8/8/8 b - - 0 1", "stalemate"),
        ("8/8/2k5/8/2P5/2K5/8/8 w - - 100 120", "fifty moves"),
        ("8/8/2k5/8/8/2K5/8/5N2 w - - 0 1", "too little material"),
    ] {
        let situation = chess(fen);
        assert_eq!(situation.position.known_draw(), None, "{fen}: {why}");
    }
}

#[test]
fn every_search_knows_the_draws_of_king_and_pawn_and_keeps_them() {
    for fen in PAWN_DRAWS {
        let situation = chess(fen);
        assert!(situation.position.known_draw().is_some(), "{fen}");
        for row in &ALGORITHMS {
            let session = search(&situation, row.algorithm, 1_000);
            let e = expected(&session);
            assert!(e.abs() < 0.05, "{} {fen}: {e}", row.name);
            let best = session.best_to_play().expect("a move");
            let after = situation.position.after(best).expect("legal");
            let over = after.ending(!after.legal_moves().is_empty());
            let keeps = after.known_draw().is_some() || over.is_some_and(|e| !e.is_lost());
            assert!(keeps, "{} {fen}: {best:?}", row.name);
        }
    }
}

#[test]
fn random_draws_are_known_at_once_and_wins_are_worth_much() {
    const SEARCHES: [Algorithm; 5] = [
        Algorithm::AlphaBeta,
        Algorithm::ProbAlphaBeta,
        Algorithm::Mcts,
        Algorithm::Distress,
        Algorithm::Pn,
    ];
    let all: Vec<(Chess, bool)> = PAWN.all().filter(|(p, _)| !is_over(p)).collect();
    let (won, drawn): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, wins)| *wins);
    let some = |of: &[(Chess, bool)], count: usize| {
        let step = |i: usize| of[i * 7_919 % of.len()].0.clone();
        (0..count).map(step).collect::<Vec<Chess>>()
    };
    let mut unclear = 0;
    for (positions, is_won) in [(some(&drawn, 40), false), (some(&won, 40), true)] {
        for position in positions {
            let position = ChessPosition::new(position, CastlingMode::Standard);
            let situation = Situation::new(position);
            for algorithm in SEARCHES {
                let session = search(&situation, algorithm, 1_000);
                let e = expected(&session);
                let of_white = match situation.position.turn() {
                    Side::White => e,
                    Side::Black => -e,
                };
                let fen = situation.position.fen();
                if is_won {
                    // A search that ends in the middle of an iteration may only know that it fell below the last one's value.
                    let open = session.summary().score.bound == Some(Bound::Upper);
                    assert!(of_white > 0.5 || open, "{algorithm} {fen}: {e}");
                    unclear += u32::from(open);
                } else {
                    assert!(e.abs() < 0.05, "{algorithm} {fen}: {e}");
                }
            }
        }
    }
    assert!(unclear < 8, "{unclear}");
}

/// Plays a won position against a search until a pawn has promoted to stay; returns the plies that takes.
fn promotes(fen: &str, algorithm: Algorithm) -> u32 {
    let mut situation = chess(fen);
    let mover = situation.position.turn();
    for ply in 0..100 {
        let board = situation.position.chess().board();
        if board.pawns().is_empty() {
            assert!(
                board.rooks_and_queens().any(),
                "{algorithm} {fen}: the pawn is lost"
            );
            return ply;
        }
        let ending = situation.position.ending(situation.position.has_moves());
        assert_eq!(
            ending,
            None,
            "{algorithm} {fen}: {}",
            situation.position.fen()
        );
        let is_mover = situation.position.turn() == mover;
        let defender = Algorithm::AlphaBeta;
        let who = if is_mover { algorithm } else { defender };
        let best = search(&situation, who, 1_000)
            .best_to_play()
            .expect("a move");
        assert!(situation.follow(best), "legal");
    }
    panic!("{algorithm} {fen}: no promotion");
}

#[test]
fn a_won_pawn_promotes() {
    for fen in [
        "8/8/1k6/8/8/1K6/1P6/8 w - - 0 1",
        "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1",
        "8/4k3/8/8/4K3/8/4P3/8 w - - 0 1",
        "7k/8/8/8/8/8/P7/K7 w - - 0 1",
        "8/3p4/8/3k4/8/8/3K4/8 b - - 0 1",
        "6k1/8/8/8/8/8/1PK5/8 w - - 0 1",
    ] {
        for algorithm in [
            Algorithm::AlphaBeta,
            Algorithm::ProbAlphaBeta,
            Algorithm::Mcts,
            Algorithm::Distress,
        ] {
            let plies = promotes(fen, algorithm);
            println!("{algorithm} {fen}: {plies} plies");
        }
    }
}

#[test]
fn wrong_bishops_and_bare_minors_are_draws_in_every_search_and_a_mate_is_found() {
    for fen in [
        "7k/8/5K2/8/7P/3B4/8/8 w - - 0 1",
        "1k6/8/1K6/P7/8/4B3/8/8 w - - 90 120",
        "k7/8/1K6/P7/P7/8/8/8 w - - 0 1",
        "8/8/8/8/7p/2b3k1/8/6K1 w - - 0 1",
        "8/8/3k4/8/8/3K4/4N3/4N3 w - - 0 1",
        "8/5b2/3k4/8/8/3K4/4N3/8 b - - 99 120",
        "k7/2K5/8/1N6/8/8/8/n7 b - - 0 1",
        "8/8/3k4/5b2/8/3K4/4B3/8 w - - 3 1",
    ] {
        let situation = chess(fen);
        for row in &ALGORITHMS {
            let e = expected(&search(&situation, row.algorithm, 1_000));
            assert!(e.abs() < 0.05, "{} {fen}: {e}", row.name);
        }
    }
    let mut tried = 0;
    for minors in SOLVED.iter() {
        let mut mating: Vec<u32> = minors.mating.iter().copied().collect();
        mating.sort_unstable();
        for index in mating.into_iter().step_by(997).take(4) {
            let position = position(minors, Place::of(index)).expect("legal");
            let position = ChessPosition::new(position, CastlingMode::Standard);
            let situation = Situation::new(position);
            for row in &ALGORITHMS {
                let session = search(&situation, row.algorithm, 1_000);
                let fen = situation.position.fen();
                let best = session.best_to_play().expect("a move");
                let after = situation.position.after(best).expect("legal");
                let over = after.ending(!after.legal_moves().is_empty());
                assert_eq!(over, Some(Ending::Checkmate), "{} {fen}", row.name);
                tried += 1;
            }
        }
    }
    assert!(tried >= 60, "{tried}");
}

#[test]
fn the_tree_says_what_a_draw_rests_on_and_an_option_switches_it_off() {
    let situation = chess("2k5/8/8/8/2P5/2K5/8/8 b - - 0 1");
    let fates = |off: bool, algorithm| {
        let mut config = Config {
            limits: common::nodes(1_000),
            memory: 64 << 20,
            ..Config::new(algorithm)
        };
        if off {
            config
                .options
                .set_pair("known-draws=off")
                .expect("an option");
        }
        let mut session = Session::start(Subject::from(situation.clone()), config);
        session.join();
        let reader = session.reader();
        let rows = reader.rows(Tree::ROOT).into_iter();
        let drawn = rows.filter(|r| matches!(r.view.fate, Fate::KnownDraw { .. }));
        drawn
            .map(|r| report::why::why(&reader, &r))
            .collect::<Vec<String>>()
    };
    for row in &ALGORITHMS {
        let found = fates(false, row.algorithm);
        assert!(!found.is_empty(), "{}", row.name);
        assert_eq!(
            found[0],
            "Not searched: a known draw (king and pawn against king). Every position of these men is solved.",
            "{}",
            row.name
        );
        assert!(fates(true, row.algorithm).is_empty(), "{}", row.name);
    }
}

/// Asks all searches, and fails with the false claims.
fn ask_all(situation: Situation<ChessPosition>, known: &dyn Truth) -> Tally {
    let mut judge = Judge::new(situation, None).knowing(known);
    let mut all = Tally::default();
    for row in &ALGORITHMS {
        for nodes in [40, 1_000] {
            all.add(judge.ask(claims_config(row.algorithm, nodes, 1)));
        }
    }
    assert!(all.wrong.is_empty(), "{}", all.wrong.join("\n"));
    all
}

#[test]
fn no_search_claims_a_draw_that_is_none() {
    let mut all = Tally::default();
    let clocked = Clocked::solve([2]);
    let pawns = PAWN.all().filter(|(position, _)| {
        let pawn = position.board().pawns().first().expect("a pawn");
        u32::from(pawn.file()) == 2 && !is_over(position)
    });
    let pawns: Vec<Chess> = pawns.map(|(position, _)| position).collect();
    for i in 0..12 {
        let position = pawns[i * 7_919 % pawns.len()].clone();
        let mut setup = position.to_setup(shakmaty::EnPassantMode::Legal);
        setup.halfmoves = [0, 60, 95][i % 3];
        let position = Chess::from_setup(setup, CastlingMode::Standard).expect("legal");
        let position = ChessPosition::new(position, CastlingMode::Standard);
        all.add(ask_all(Situation::new(position), &clocked));
    }
    // Positions a ply or two from a mate, where a draw is nearest to being claimed wrongly.
    for minors in SOLVED.iter() {
        let mut mating: Vec<u32> = minors.mating.iter().copied().collect();
        mating.sort_unstable();
        for index in mating.into_iter().step_by(1_499).take(3) {
            let position = position(minors, Place::of(index)).expect("legal");
            let position = ChessPosition::new(position, CastlingMode::Standard);
            all.add(ask_all(Situation::new(position), &*SOLVED));
        }
    }
    println!("{all}");
    assert!(all.claims > 2_500, "{all}");
}

/// With Syzygy tables at hand, every position that is claimed is asked of them.
#[test]
fn the_tables_agree_with_the_known_draws() {
    let Some(tables) = endgames() else { return };
    let mut numbers = 0x9e37_79b9_7f4a_7c15u64;
    let mut below = |n: u64| {
        numbers ^= numbers << 13;
        numbers ^= numbers >> 7;
        numbers ^= numbers << 17;
        (numbers % n) as u32
    };
    let (white, black) = (Color::White, Color::Black);
    let mut counts: BTreeMap<String, [u32; 2]> = BTreeMap::new();
    for _ in 0..400_000 {
        let file = [0, 7][below(2) as usize];
        let mut square = || Square::new(below(64));
        let kings = [(white, Role::King, square()), (black, Role::King, square())];
        let (a, b) = (square(), square());
        let rook_pawn = Square::new(a.rank() as u32 * 8 + file);
        let more = match below(6) {
            0 => vec![(white, Role::Pawn, a)],
            1 => vec![(white, Role::Pawn, rook_pawn), (white, Role::Bishop, b)],
            2 => vec![(white, Role::Knight, a), (white, Role::Knight, b)],
            3 => vec![(white, Role::Knight, a), (black, Role::Knight, b)],
            4 => vec![(white, Role::Bishop, a), (black, Role::Knight, b)],
            _ => vec![(white, Role::Bishop, a), (black, Role::Bishop, b)],
        };
        let turn = [white, black][below(2) as usize];
        let Some(position) = set(&[&kings[..], &more].concat(), turn) else {
            continue;
        };
        let position = ChessPosition::new(position, CastlingMode::Standard);
        let Some(hit) = position.look_up(&tables, false) else {
            continue;
        };
        let name = position.table_name().unwrap_or_default();
        let counted = counts.entry(name).or_default();
        match position.known_draw() {
            Some(_) => {
                assert_eq!(hit.result, TableResult::Draw, "{}", position.fen());
                counted[0] += 1;
            }
            None => counted[1] += u32::from(hit.result == TableResult::Draw),
        }
    }
    println!("known draws, and draws by the tables that are not known: {counts:?}");
    let kinds = ["KPvK", "KNNvK", "KNvKN", "KBvKN", "KBvKB"];
    for kind in kinds {
        assert!(
            counts[kind][0] > 1_000 && counts[kind][1] == 0,
            "{counts:?}"
        );
    }
    assert!(counts["KBPvK"][0] > 500, "{counts:?}");
}

/// With Syzygy tables at hand: on every other square the king can lose, so the corner is as large as it can be.
#[test]
fn the_corner_is_as_large_as_the_tables_allow() {
    let Some(tables) = endgames() else { return };
    let white = |role, square| (Color::White, role, square);
    let corner = Square::A8;
    let dark = || Square::ALL.into_iter().filter(|s| !s.is_light());
    let mut shares = BTreeMap::new();
    for black in Square::ALL {
        let (mut won, mut all) = (0u32, 0u32);
        for (i, strong) in Square::ALL.into_iter().enumerate() {
            for rank in 1..7u32 {
                for bishop in dark().skip((i + rank as usize) % 3).step_by(3) {
                    let men = [
                        (Color::Black, Role::King, black),
                        white(Role::King, strong),
                        white(Role::Pawn, Square::new(rank * 8)),
                        white(Role::Bishop, bishop),
                    ];
                    let turn = Color::from_white(bishop < strong);
                    let Some(position) = set(&men, turn) else {
                        continue;
                    };
                    let position = ChessPosition::new(position, CastlingMode::Standard);
                    if let Some(hit) = position.look_up(&tables, false) {
                        won += u32::from(hit.result.sign() != 0);
                        all += 1;
                    }
                }
            }
        }
        assert!(all > 100, "{black}");
        assert_eq!(
            won == 0,
            black.distance(corner) <= 1,
            "{black}: {won} of {all}"
        );
        shares.insert(black.to_string(), 100 * won / all);
    }
    println!("won positions by the lone king's square, in percent: {shares:?}");
}
