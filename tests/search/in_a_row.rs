//! Tic-tac-toe and Connect Four: their rules against published counts, and what every algorithm finds against the exact results of
//! a solver that shares nothing with the searches but the rules.

use algorithms::{ALGORITHMS, Algorithm};
use common::claims::config;
use game::{Ending, Game, Score, Situation, load, perft};
use games::in_a_row::solver::Solver;
use games::in_a_row::{CONNECT_FOUR, InARow, Rules};
use games::{Document, GameTree, samples};
use proptest::prelude::*;
use search::AnyPosition;
use session::{Session, Subject};
use std::collections::HashSet;

fn connect_four(width: u8, height: u8) -> Rules {
    Rules::connect_four(width, height).expect("a board")
}

fn after(rules: Rules, moves: &str) -> InARow {
    let start = Situation::new(InARow::new(rules));
    InARow::read_moves(&start, moves, false)
        .expect("moves")
        .0
        .position
}

/// The numbers of games and of positions of tic-tac-toe are those that anybody can look up: 255,168 games, 5,478 positions (both
/// sides' turns, the empty board included). OEIS A212693: the positions of Connect Four after each stone; its sequences of moves
/// are 7^n as long as no column can be full and no game over.
#[test]
fn counts_are_the_published_ones() {
    fn games(position: &InARow, seen: &mut HashSet<u64>) -> u64 {
        seen.insert(position.key());
        if position.ending(position.has_moves()).is_some() {
            return 1;
        }
        let moves = position.legal_moves().into_iter();
        moves
            .map(|m| {
                let mut next = *position;
                next.play(m);
                games(&next, seen)
            })
            .sum()
    }
    let mut seen = HashSet::new();
    let all = games(&InARow::new(Rules::TIC_TAC_TOE), &mut seen);
    assert_eq!((all, seen.len()), (255_168, 5_478));
    let start = InARow::new(Rules::CONNECT_FOUR);
    let leaves: Vec<u64> = (1..=7)
        .filter_map(|depth| perft(&start, depth, &|| true))
        .collect();
    assert_eq!(leaves, [7, 49, 343, 2_401, 16_807, 117_649, 823_536]);
    let mut positions = HashSet::from([start.key()]);
    let mut front = vec![start];
    for expected in [7, 49, 238, 1_120, 4_263, 16_422, 54_859, 184_275] {
        let mut next = Vec::new();
        for position in &front {
            for m in position.legal_moves() {
                let mut later = *position;
                later.play(m);
                if positions.insert(later.key()) {
                    next.push(later);
                }
            }
        }
        assert_eq!(next.len(), expected);
        front = next;
    }
}

#[test]
fn rows_end_the_game() {
    let connect = after(Rules::CONNECT_FOUR, "4 4 4 4 4 4 3 3 2 2 1");
    assert_eq!(connect.ending(false), Some(Ending::Lost));
    assert!(connect.legal_moves().is_empty());
    for (rules, moves, ending, verdict) in [
        (
            Rules::CONNECT_FOUR,
            "1 2 2 3 3 4 3 4 4 7 4",
            Some(Ending::Lost),
            "Yellow has four in a row",
        ),
        (
            Rules::TIC_TAC_TOE,
            "a1 a2 b1 b2 c1",
            Some(Ending::Lost),
            "X has three in a row",
        ),
        (
            Rules::TIC_TAC_TOE,
            "a1 b1 b2 c3 c2 a2 a3 c1 b3",
            Some(Ending::Drawn),
            "drawn, with a full board",
        ),
    ] {
        let Ok((end, _)) = InARow::read_moves(&Situation::new(InARow::new(rules)), moves, false)
        else {
            panic!("{moves}");
        };
        let found = end.position.ending(end.position.has_moves());
        assert_eq!(
            found.is_some_and(Ending::is_lost),
            ending.is_some_and(Ending::is_lost),
            "{moves}"
        );
        assert_eq!(end.position.verdict().as_deref(), Some(verdict), "{moves}");
    }
}

/// Positions with few empty cells, reached by random moves, in which nobody has won.
fn late(rules: Rules, empty: u32, count: usize) -> Vec<InARow> {
    let mut random = fastrand::Rng::with_seed(5);
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = InARow::new(rules);
        while position.stones() + empty < rules.cells()
            && let Some(m) = random.choice(position.legal_moves())
        {
            position.play(m);
        }
        if position.has_moves() {
            found.push(position);
        }
    }
    found
}

/// With nodes enough for the whole tree every algorithm finds the result.
#[test]
fn every_algorithm_finds_the_exact_result() {
    let mut solver = Solver::default();
    for (rules, empty, count) in [
        (Rules::TIC_TAC_TOE, 6, 6),
        (connect_four(4, 4), 10, 6),
        (connect_four(5, 4), 10, 4),
        (Rules::CONNECT_FOUR, 9, 6),
    ] {
        for position in late(rules, empty, count) {
            let truth = solver.solve(&position).sign();
            for row in &ALGORITHMS {
                let subject = Subject::of(Situation::new(position));
                let mut session = Session::start(subject, config(row.algorithm, 100_000, 1));
                session.join();
                let score = session.summary().score;
                // Conspiracy numbers end a search when no few leaves can change its value.
                if row.algorithm == Algorithm::Conspiracy && !score.proof.is_exact() {
                    continue;
                }
                let found = score.score.expect("a score").raw().signum();
                assert_eq!(
                    i32::from(found),
                    truth,
                    "{} {position:?}: {score:?}",
                    row.name
                );
            }
        }
    }
}

/// What a search of few nodes says is proven is so.
#[test]
fn no_proof_names_a_false_distance() {
    let mut solver = Solver::default();
    let rules = Rules::TIC_TAC_TOE;
    // X wins in 5 plies. The first of these was once said to be a win in 3: a move was cut off whose reply loses.
    for moves in ["b2 a2", "a3 b3", "b2 c2"] {
        let position = after(rules, moves);
        let plies = solver.solve(&position).plies(&position).expect("a win") as u16;
        assert_eq!(plies, 5, "{moves}");
        for row in &ALGORITHMS {
            for nodes in [100, 155, 300, 1_000] {
                let subject = Subject::of(Situation::new(position));
                let mut session = Session::start(subject, config(row.algorithm, nodes, 1));
                session.join();
                let proof = session.summary().score.proof;
                let truth = Score::win_in(plies);
                let holds = (proof.lower..=proof.upper).contains(&truth);
                assert!(holds, "{} {moves}, {nodes} nodes: {proof:?}", row.name);
            }
        }
    }
}

#[test]
fn no_proof_is_false() {
    let mut solver = Solver::default();
    for rules in [Rules::TIC_TAC_TOE, connect_four(4, 4), connect_four(5, 4)] {
        for empty in [9, 12, 14] {
            let empty = empty.min(rules.cells() - 1);
            for position in late(rules, empty, 6) {
                let truth = solver.solve(&position).sign();
                for row in &ALGORITHMS {
                    for nodes in [30, 300] {
                        let subject = Subject::of(Situation::new(position));
                        let mut session = Session::start(subject, config(row.algorithm, nodes, 1));
                        session.join();
                        let proof = session.summary().score.proof;
                        let what = format!("{} {position:?}: {proof:?}", row.name);
                        assert!(!proof.is_win() || truth == 1, "{what}");
                        assert!(!proof.is_loss() || truth == -1, "{what}");
                    }
                }
            }
        }
    }
}

/// Tic-tac-toe is drawn, as alpha-beta finds long before its last iteration.
#[test]
fn tic_tac_toe_is_solved_whole() {
    let subject = Subject::of(Situation::new(InARow::new(Rules::TIC_TAC_TOE)));
    let config = config(Algorithm::AlphaBeta, 1_000_000, 1);
    let mut session = Session::start(subject, config);
    session.join();
    let summary = session.summary();
    assert_eq!(summary.score.score.expect("a score").raw(), 0);
}

fn read(text: &str) -> Result<Document, String> {
    Document::from_bytes("", text.into()).map_err(|e| e.to_string())
}

#[test]
fn files_read_back() {
    let text = "# Two\n# Look.\nconnect4 5x4 3 3 {A column.} (2 (1 5) 4) 32\nconnect4 445\ntictactoe x-o/---/--- b2";
    let document = read(text).expect("games");
    assert_eq!((document.format.name, document.len()), ("Connect Four", 2));
    assert!(
        document.problems[0].to_string().contains(":5:"),
        "{:?}",
        document.problems
    );
    let entry = document.entry(0).expect("a game");
    assert_eq!(
        (entry.title.as_str(), entry.hint.as_deref()),
        ("Two", Some("Look."))
    );
    let game = entry.game().expect("a game");
    assert_eq!(game.nodes.len(), 9);
    let end = entry.subject_at(99);
    assert_eq!(
        entry.names_of(&entry.line_through(0)),
        ["1. 3", "3", "2. 3", "2"]
    );
    let written = end.position.fen().expect("a text");
    assert_eq!(written, "connect4 -----/--x--/--o--/-ox--");
    let again = read(&written)
        .expect("the same")
        .entry(0)
        .expect("a position")
        .subject();
    assert_eq!(again.position.key(), end.position.key());
    let tic = read("tictactoe x-o/---/--- b2 a1").expect("a game");
    let end = tic.entry(0).expect("a game").subject_at(9);
    assert_eq!(end.position.fen().as_deref(), Some("tictactoe x-o/-x-/o--"));
}

/// What is written is read as it was: titles, the position at the beginning, glyphs, comments and variations of variations.
#[test]
fn files_are_written_as_they_were_read() {
    for text in [
        "connect4\n",
        "tictactoe b2 a1 c3\n",
        "# Two\n# Look.\nconnect4 5x4 {Begin.} 3 3! {A column.} (2 4 (1 5??) (4) 4) (1 1) 3?! 2\n",
        "#\n# No title.\nconnect4 -------/-------/-------/-------/---o---/---x--- {a/b} 4!? 4\n",
        "connect4 4 4\n# From a book.\n",
        "connect4 ----/----/oo-o/xxxx\n",
        "tictactoe xxx/xoo/xoo\n",
    ] {
        let document = read(text).expect("a game");
        let written = document.text_of(0).expect("a text");
        assert_eq!(String::from_utf8(written).as_deref(), Ok(text));
    }
}

/// Lines whose moves, variations, comments and glyphs are chosen by some numbers.
fn game_of(numbers: &[u16]) -> GameTree {
    const NAGS: [Option<u8>; 8] = [
        None,
        None,
        Some(1),
        Some(2),
        Some(3),
        Some(4),
        Some(5),
        Some(6),
    ];
    let rules = connect_four(5, 4);
    let mut game = load::GameTree::new(InARow::new(rules)).map(AnyPosition::of);
    for &number in numbers {
        let number = usize::from(number);
        let parent = number % game.nodes.len();
        let position = game.situation_of(parent).position;
        let moves = position.legal_moves();
        let Some(&m) = moves.get(number / 7 % moves.len().max(1)) else {
            continue;
        };
        if game.has_line(parent, &[m]) {
            continue;
        }
        let node = game.add(parent, Some(m), position.label(m));
        let texts = ["", "1 (2) {3} 4?!", "tictactoe", "# ä/b"];
        let text = texts[number / 64 % texts.len()];
        game.nodes[node].comments = [text]
            .into_iter()
            .filter(|t| !t.is_empty())
            .map(str::to_owned)
            .collect();
        game.nodes[node].nags = NAGS[number / 512 % NAGS.len()].into_iter().collect();
    }
    game
}

/// A game as the moves to each node with what is said of it, whatever the order of the nodes.
fn told(game: &GameTree) -> Vec<String> {
    let node = |n: usize| {
        let moves: Vec<&str> = game.moves_to(n).collect();
        let node = &game.nodes[n];
        let children: Vec<&str> = node
            .children
            .iter()
            .map(|c| game.nodes[*c].san.as_str())
            .collect();
        let comments = node.comments.join("|").replace('{', "(").replace('}', ")");
        format!("{moves:?} {comments:?} {:?} {children:?}", node.nags)
    };
    let mut all: Vec<String> = (0..game.nodes.len()).map(node).collect();
    all.sort();
    all
}

proptest! {
    #[test]
    fn any_game_is_read_as_it_was_written(numbers in prop::collection::vec(any::<u16>(), 0..60)) {
        let game = game_of(&numbers);
        let write = CONNECT_FOUR.write.expect("it can be written");
        let text = write(&game).expect("a game of Connect Four");
        let document = read(&text).expect("the same");
        let entry = document.entry(0).expect("a game");
        prop_assert_eq!(told(entry.game().expect("a game")), told(&game), "{}", text);
    }
}

/// Broken texts say what is wrong and where.
#[test]
fn what_is_broken_is_refused() {
    for (text, says) in [
        (
            "connect4 8",
            "1:10: found \"8\", expected one of 1 2 3 4 5 6 7",
        ),
        ("connect4 44x", "1:12: found \"x\""),
        ("connect4 4444444", "1:16: found \"4\""),
        ("connect4 1212121 3", "expected nothing: the game is over"),
        (
            "connect4 9x9",
            "1:10: found \"9x9\", expected a board of 4 to 8",
        ),
        ("connect4 0x0", "expected a board of 4 to 8"),
        ("connect4 255x255", "expected a board of 4 to 8"),
        (
            "connect4 ----/----/----/xo-",
            "expected 4 cells as in the first row",
        ),
        (
            "connect4 ----/----/x---/-ox-",
            "a stone above an empty cell",
        ),
        ("connect4 ----/----/----/xxx-", "3 stones of x and 0 of o"),
        ("connect4 ----/oooo/oxox/xxxx", "a row of the side to move"),
        (
            "connect4 ----/o---/ooox/xxxx",
            "a row that was complete before the last move",
        ),
        (
            "connect4 ----/----/ooo-/xxxx 4",
            "expected nothing: the game is over",
        ),
        ("connect4 ----/----/oooo/xxxo", "expected as many of both"),
        ("connect4 ----/----/----/zo--", "expected x, o or -"),
        ("connect4 4 {never ends", "a comment without an end"),
        ("connect4 4 (3", "a variation without an end"),
        (
            "connect4 (3)",
            "expected a variation behind the move that it replaces",
        ),
        ("connect4 4 )", "expected a variation that it ends"),
        (
            "connect4 4???",
            "1:11: found \"???\", expected one of ! ? !!",
        ),
        ("connect4 ! 4", "behind a move"),
        ("connect4 4 (? 3)", "1:13: found \"?\""),
        ("connect4 4 ?", "behind a move"),
        ("connect4 ä", "found \"ä\""),
        ("tictactoe d1", "found \"d1\", expected one of a1 a2"),
        (
            "tictactoe x--/--",
            "found a board of 3x2, expected 3 rows of 3 cells",
        ),
        ("tictactoe b2 b2", "found \"b2\""),
    ] {
        let said = read(text).expect_err(text);
        assert!(said.contains(says), "{text}: {said}");
    }
}

#[test]
fn samples_open_and_are_searched() {
    for name in ["tic-tac-toe.ttt", "connect-four.c4"] {
        let sample = samples::find(name).expect("a sample");
        let document = sample.open().expect("a document");
        assert!(document.problems.is_empty(), "{:?}", document.problems);
        for place in 0..document.len() {
            let entry = document.entry(place).expect("an entry");
            let subject = entry.subject_at(99);
            assert!(subject.position.has_moves(), "{}", entry.title);
        }
    }
}
