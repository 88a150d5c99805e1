//! Compares what the searches claim to be certain with the rules: a short form of `cargo run --release --features examples --example
//! claims`.

use std::collections::BTreeMap;

use algorithms::{ALGORITHMS, Algorithm};
use common::claims::{Judge, OPTIONS, Tally, ask_about, config, shuffled};
use common::clocked::Clocked;
use common::made::{Kind, made};
use common::outcome::Outcome;
use game::load::fen;
use game::{ChessPosition, Situation, notation};
use session::{Config, Session, Subject};
use shakmaty::{Chess, Position, fen::Fen};

fn position(text: &str) -> Situation<ChessPosition> {
    Situation::new(fen::parse(text).expect("a FEN").position)
}

fn after(text: &str, moves: &str) -> Situation<ChessPosition> {
    let (played, _) = notation::play_moves(&position(text), moves).expect("legal moves");
    played
}

/// Runs all algorithms, and fails with the false claims.
fn ask_all(judge: &mut Judge, nodes: &[u64], threads: usize) -> Tally {
    let mut all = Tally::default();
    for row in &ALGORITHMS {
        for &nodes in nodes {
            all.add(judge.ask(config(row.algorithm, nodes, threads)));
        }
    }
    assert!(all.wrong.is_empty(), "{}", all.wrong.join("\n"));
    all
}

/// Mates in one to three. In the first position iterations end between the mate and the root's new best move.
const MATES: [&str; 8] = [
    "5r1k/1pR5/p5pp/8/4bP2/1Q4P1/P2q3P/2R3K1 b - - 2 32",
    "8/6p1/5pk1/7R/B7/8/8/7K w - - 0 1",
    "1r2Rr2/3P1p1k/5Rpp/qp6/2pQ4/7P/5PPK/8 w - - 1 1",
    "5k1r/4npp1/p3p2p/3nP2P/3P3Q/3N4/qB2KPP1/2R5 w - - 1 1",
    "8/8/2p5/8/2P1p1Pp/1P2Pk1P/rpB1bP2/b2Q2K1 w - - 0 1",
    "r6k/1b2rp2/5q1p/1pppbP1Q/p3P1RR/P2P3P/B5P1/7K w - - 0 30",
    "r1b1k2N/pppp2pp/2n5/3Qp3/8/8/PPP4P/RNB1qBKn b q - 3 12",
    "1r5k/3b3p/3p3b/2qPp3/Pnp4P/Q1N5/8/K5RR b - - 0 1",
];

#[test]
fn mates_are_claimed_with_the_move_and_the_line_that_mate() {
    let mut all = Tally::default();
    for fen in MATES {
        let mut judge = Judge::new(position(fen), None);
        all.add(ask_all(
            &mut judge,
            &[40, 70, 120, 160, 240, 248, 256, 420, 1_000],
            1,
        ));
    }
    assert!(all.claims > 1_500 && all.exact > 60, "{all}");
}

#[test]
fn no_option_claims_what_is_not_so() {
    let mut judge = Judge::new(position(MATES[2]), None);
    for (algorithm, pairs) in OPTIONS {
        for nodes in [60, 500, 3_000] {
            let mut config = config(algorithm, nodes, 1);
            for pair in pairs {
                config.options.set_pair(pair).expect("an option");
            }
            let tally = judge.ask(config);
            assert!(tally.wrong.is_empty(), "{pairs:?}: {:?}", tally.wrong);
        }
    }
}

#[test]
fn several_threads_claim_nothing_that_is_not_so() {
    for fen in &MATES[..3] {
        let mut judge = Judge::new(position(fen), None);
        ask_all(&mut judge, &[500, 2_000], 4);
        ask_all(&mut judge, &[2_000], 16);
    }
}

#[test]
fn no_mate_is_claimed_that_the_fifty_move_rule_forestalls() {
    let clocked = Clocked::solve([]);
    // Mates in two that come one move too late, and in time.
    for (clock, drawn) in [(98, true), (97, false), (99, true)] {
        let fen = format!("k7/8/8/2K5/8/8/8/1Q6 w - - {clock} 80");
        let situation = position(&fen);
        let truth = clocked.truth(situation.position.chess());
        assert_eq!(truth.map(|t| t.is_win()), Some(!drawn), "{fen}");
        let mut judge = Judge::new(situation, Some(&clocked));
        let asked = ask_all(&mut judge, &[1_000, 20_000], 1);
        assert!(drawn || asked.exact > 0, "{fen}: {asked}");
    }
}

#[test]
fn no_mate_is_claimed_through_a_third_occurrence() {
    let repeated = after(
        "8/8/8/5Q2/8/8/k1K5/8 w - - 0 2",
        "c2d3 a2a1 d3c2 a1a2 c2d3 a2a1",
    );
    ask_all(&mut Judge::new(repeated, None), &[1_000, 20_000], 1);
    // The first two moves of a mate, played back and forth.
    for fen in &MATES[2..4] {
        let situation = position(fen);
        let mut session = Session::start(
            Subject::from(situation.clone()),
            config(Algorithm::Mcts, 5_000, 1),
        );
        session.join();
        let line: Vec<_> = session.summary().pv.iter().map(|m| m.code).collect();
        for times in 1..=2 {
            if let Some(history) = shuffled(&situation, &line, times) {
                ask_all(&mut Judge::new(history, None), &[250, 4_000], 1);
            }
        }
    }
}

#[test]
fn a_table_kept_from_move_to_move_claims_nothing_of_another_history() {
    // The first search fills the table without a history; in the second one the evasion is the third occurrence.
    let start = "8/8/8/5Q2/8/8/k1K5/8 w - - 0 2";
    for algorithm in [Algorithm::AlphaBeta, Algorithm::ProbAlphaBeta] {
        let first = Config {
            tables: Some(std::sync::Arc::new(search::common::table::Tables::new(
                1 << 20,
            ))),
            ..config(algorithm, 20_000, 1)
        };
        let mut session = Session::start(Subject::from(position(start)), first.clone());
        session.join();
        let repeated = after(start, "c2d3 a2a1 d3c2 a1a2 c2d3 a2a1");
        let tally = Judge::new(repeated, None).ask(first);
        assert!(tally.wrong.is_empty(), "{:?}", tally.wrong);
    }
}

#[test]
fn the_solver_with_a_clock_agrees_with_what_is_known() {
    let clocked = Clocked::solve([0, 4]);
    let truth = |text: &str| {
        let fen: Fen = text.parse().expect("a FEN");
        let position: Chess = fen
            .into_position(shakmaty::CastlingMode::Standard)
            .expect("a position");
        clocked.truth(&position).expect("a three-man ending")
    };
    // A king on the sixth rank in front of its pawn wins, whoever is to move; a rook's pawn never wins against a king
    // in its corner.
    assert!(truth("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1").is_win());
    assert!(truth("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1").is_loss());
    assert!(!truth("k7/8/K7/P7/8/8/8/8 w - - 0 1").is_win());
    // Every position is worth what its best move is worth, using shakmaty's moves and clock.
    let mut longest = 0;
    let mut counts = BTreeMap::new();
    let clocks = [0, 37, 71, 88, 96, 99];
    for square in 0..64u32 {
        for other in 0..64u32 {
            for rank in 1..7u32 {
                let mut setup = shakmaty::Setup::empty();
                let squares = [square, other, rank * 8].map(shakmaty::Square::new);
                if squares[0] == squares[1] || squares[0] == squares[2] || squares[1] == squares[2]
                {
                    continue;
                }
                for (at, (color, role)) in squares.into_iter().zip([
                    (shakmaty::Color::White, shakmaty::Role::King),
                    (shakmaty::Color::Black, shakmaty::Role::King),
                    (shakmaty::Color::White, shakmaty::Role::Pawn),
                ]) {
                    setup
                        .board
                        .set_piece_at(at, shakmaty::Piece { color, role });
                }
                setup.halfmoves = clocks[((square + other + rank) % 6) as usize];
                let made = <Chess as shakmaty::FromSetup>::from_setup(
                    setup,
                    shakmaty::CastlingMode::Standard,
                );
                let Ok(position) = made else {
                    continue;
                };
                if position.legal_moves().is_empty() {
                    continue;
                }
                let score = clocked.truth(&position).expect("solved");
                let best = position.legal_moves().into_iter().map(|m| {
                    let mut next = position.clone();
                    next.play_unchecked(m);
                    clocked.truth(&next).expect("solved").one_ply_up()
                });
                assert_eq!(Some(score), best.max(), "{position:?}");
                *counts.entry(score.is_win()).or_insert(0u32) += 1;
                longest = longest.max(score.mate_plies().unwrap_or(0));
            }
        }
    }
    assert!((21..=55).contains(&longest), "{longest} plies");
    assert!(
        counts[&true] > 5_000 && counts[&false] > 1_000,
        "{counts:?}"
    );
}

/// A few positions of each kind that the whole check makes: each is what its name says, and nothing that is claimed of it is
/// false.
#[test]
fn nothing_false_is_claimed_of_positions_of_any_kind() {
    let clocked = Clocked::solve([]);
    for kind in Kind::ALL {
        let mut all = Tally::default();
        for number in 0..2 {
            let situation = made(kind, 7, number);
            let board = situation.position.chess();
            let moves = board.legal_moves();
            let fits = match kind {
                Kind::Clocks => (90..100).contains(&board.halfmoves()),
                Kind::Repetitions => situation.history.len() >= 4,
                Kind::Underpromotions => moves.iter().any(|m| m.is_promotion()),
                Kind::EnPassant => moves.iter().any(|m| m.is_en_passant()),
                Kind::Castling | Kind::Chess960 => board.castles().any(),
                Kind::Stalemates => true,
            };
            assert!(fits, "{kind:?}: {}", situation.position.fen());
            for [one, two] in ask_about(kind, 7, number, Some(&clocked)) {
                all.add(one);
                all.add(two);
            }
        }
        assert!(all.wrong.is_empty(), "{kind:?}\n{}", all.wrong.join("\n"));
        assert!(all.claims > 60, "{kind:?}: {all}");
    }
}

/// Trying everything finds what the solver of three men knows, where that comes to an end.
#[test]
fn the_outcome_near_the_end_of_the_clock_is_the_solvers() {
    let clocked = Clocked::solve([]);
    let (mut decided, mut won) = (0, 0);
    for place in [
        "k7/8/1K6/8/8/8/8/7R",
        "k7/8/2K5/8/8/8/8/7R",
        "k7/8/8/2K5/8/8/8/1Q6",
        "8/8/8/8/8/k1K5/8/7R",
    ] {
        for clock in [94, 96, 97, 98, 99] {
            let fen = format!("{place} w - - {clock} 90");
            let situation = position(&fen);
            let truth = clocked.truth(situation.position.chess());
            // Without the solver's help.
            let mut outcome = Outcome::new(&situation, None);
            let mut mates = |side| outcome.mates(None, side, 1_000_000);
            assert_eq!(mates(shakmaty::Color::Black), Some(false), "{fen}");
            if let Some(mates) = mates(shakmaty::Color::White) {
                assert_eq!(Some(mates), truth.map(|t| t.is_win()), "{fen}");
                decided += 1;
                won += u32::from(mates);
            }
        }
    }
    assert!(decided >= 16 && won >= 4, "{decided} {won}");
}
