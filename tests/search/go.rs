//! Go: its rules against the counts of another program, and what every algorithm does with it.

use algorithms::ALGORITHMS;
use common::claims::config;
use game::{Ending, Game, Side, Situation, perft};
use games::go::{Go, Komi, Play};
use games::{Document, samples};
use session::{Session, Subject};

fn board(size: u8, komi: f64) -> Go {
    Go::new(size, Komi::of(komi).expect("a komi")).expect("a board")
}

fn after(start: Go, moves: &str) -> Go {
    let (end, _) = Go::read_moves(&Situation::new(start), moves, false).expect("moves");
    end.position
}

/// As OpenSpiel counts them (Lanctot and others, *OpenSpiel: A Framework for Reinforcement Learning in Games*, 2019), whose Go
/// has no suicide either. Its games end where a position repeats, so only as many plies are compared as cannot repeat one.
#[test]
fn moves_are_as_many_as_another_program_counts() {
    for (size, counts) in [
        (2, &[5, 21, 68, 156, 316, 604][..]),
        (3, &[10, 91, 738, 5_281, 33_384]),
        (5, &[26, 651, 15_650, 361_041]),
        (9, &[82, 6_643, 531_522]),
    ] {
        for (depth, count) in (1..).zip(counts) {
            let found = perft(&board(size, 7.5), depth, &|| true);
            assert_eq!(found, Some(*count), "{size}×{size}, {depth} plies");
        }
    }
}

#[test]
fn two_passes_end_the_game_and_area_counts() {
    let won = after(board(5, 0.5), "C3 pass pass");
    assert_eq!(won.turn(), Side::White);
    assert_eq!(won.ending(won.has_moves()), Some(Ending::Lost));
    assert!(won.legal_moves().is_empty());
    // 25 points for Black, less the komi.
    assert_eq!(won.half_points(), -49);
    let drawn = after(board(5, 25.0), "C3 pass pass");
    assert_eq!(drawn.ending(false), Some(Ending::Drawn));
    let lost = after(board(5, 7.5), "pass pass");
    assert_eq!(lost.turn(), Side::Black);
    assert_eq!(lost.ending(false), Some(Ending::Lost));
    let white = after(board(5, 7.5), "pass C3 pass pass");
    assert_eq!(
        (white.turn(), white.ending(false)),
        (Side::Black, Some(Ending::Lost))
    );
    let to_move = after(board(5, 7.5), "pass C3 A1 pass pass");
    assert_eq!(
        (to_move.turn(), to_move.ending(false)),
        (Side::White, Some(Ending::Won))
    );
}

/// A ko can't be taken back at once, nor by a move elsewhere that leaves the board as it was before.
#[test]
fn no_position_comes_up_twice() {
    let ko = after(board(5, 0.5), "B3 C3 A2 D2 B1 C1 C2 B2");
    // White has taken C2; taking B2 back would bring up the position before.
    let taken = ko.stones().count();
    assert_eq!(taken, 7);
    assert!(!ko.legal_moves().contains(&Play::at(2, 1)));
    let refused = Go::read_moves(&Situation::new(ko.clone()), "C2", false);
    assert!(
        refused
            .expect_err("superko")
            .to_string()
            .contains("superko")
    );
    // After a threat and its answer it may be taken.
    let later = after(ko, "E5 E4");
    assert!(later.legal_moves().contains(&Play::at(2, 1)));
}

#[test]
fn suicide_is_refused_with_a_reason() {
    let eye = after(board(5, 0.5), "A2 E5 B1");
    let refused = Go::read_moves(&Situation::new(eye), "A1", false);
    let told = refused.expect_err("suicide").to_string();
    assert!(told.contains("A1") && told.contains("suicide"), "{told}");
}

/// Black takes the last liberty of two stones, or loses them: a search of one or two plies can see that on 3×3.
#[test]
fn every_algorithm_searches_it_and_none_proves_what_is_not_so() {
    // White to move; by John Tromp's solution Black wins all of an empty 3×3 board, and here Black has the middle.
    let position = after(board(3, 8.5), "B2");
    for row in &ALGORITHMS {
        let subject = Subject::of(Situation::new(position.clone()));
        let mut session = Session::start(subject, config(row.algorithm, 6_000, 1));
        session.join();
        let proof = session.summary().score.proof;
        assert!(!proof.lower.is_win(), "{}: White has won", row.name);
        assert!(session.best_to_play().is_some(), "{}", row.name);
    }
}

#[test]
fn the_sample_is_a_game_that_all_faces_can_show() {
    let sample = samples::find("go").expect("a sample");
    let document: Document = sample.open().expect("a game");
    let entry = document.entry(0).expect("a game");
    assert!(entry.problems.is_empty() && entry.warnings.is_empty());
    assert!(entry.plies() > 8);
    let subject = entry.subject_at(entry.plies());
    let board = subject.position.board().expect("a board");
    assert_eq!(
        (board.cells.len(), board.columns.join("")),
        (9, "ABCDEFGHJ".to_owned())
    );
    let line = entry.line_through(0);
    assert_eq!(entry.names_of(&line)[..2], ["1.E5", "2.G5"]);
    assert_eq!(subject.position.side_name(subject.position.turn()), "Black");
}

#[test]
fn the_rules_tell_who_has_won_and_by_how_much() {
    for (komi, moves, told) in [
        (0.5, "C3 pass pass", Some("Black wins by 24.5 points")),
        (24.0, "C3 pass pass", Some("Black wins by 1 point")),
        (
            25.0,
            "C3 pass pass",
            Some("drawn, with the same number of points for both sides"),
        ),
        (7.5, "pass pass", Some("White wins by 7.5 points")),
        (7.5, "pass C3", None),
    ] {
        let verdict = after(board(5, komi), moves).verdict();
        assert_eq!(verdict.as_deref(), told, "{komi} {moves}");
    }
}
