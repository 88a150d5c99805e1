//! Games: the tree with its variations and annotations, problems with their places, and files as they occur in
//! practice.

use std::path::Path;

use common::data;
use game::load::GameTree;
use game::load::pgn::{Games, index};
use game::{Game, MoveCode, notation};
use games::Document;
use search::Subject;
use shakmaty::CastlingMode;

fn game(text: &str) -> GameTree {
    let games = Games::new(text.as_bytes().to_vec());
    assert_eq!(games.len(), 1, "{text}");
    games.game(0).expect("a game")
}

fn main_line<G: Game>(game: &GameTree<G>) -> String {
    let line = game.main_line();
    let moves: Vec<String> = line.iter().skip(1).map(|&n| game.numbered(n)).collect();
    moves.join(" ")
}

#[test]
fn variations_comments_and_signs_stand_where_they_belong() {
    let game = game(
        "[Event \"x\"]\n\n{before} 1. e4! {best by test} e5 (1... c5 2. Nf3 (2. c3 {Alapin}) 2... d6) \
         ({French} 1... e6 $14 2. d4) 2. Nf3 {[%clk 0:01:00] [%eval 0.25]} Nc6 1-0",
    );
    assert_eq!(main_line(&game), "1.e4 1...e5 2.Nf3 2...Nc6");
    assert_eq!(game.nodes[0].comments, ["before"]);
    let e4 = &game.nodes[1];
    assert_eq!(
        (e4.nags.as_slice(), e4.comments.as_slice()),
        ([1].as_slice(), ["best by test".to_owned()].as_slice())
    );
    let replies: Vec<&str> = e4
        .children
        .iter()
        .map(|&c| game.nodes[c].san.as_str())
        .collect();
    assert_eq!(replies, ["e5", "c5", "e6"]);
    let french = &game.nodes[e4.children[2]];
    assert_eq!(french.comments_before, ["French"]);
    assert_eq!(french.nags, [14]);
    let sicilian = &game.nodes[e4.children[1]];
    let second: Vec<&str> = sicilian
        .children
        .iter()
        .map(|&c| game.nodes[c].san.as_str())
        .collect();
    assert_eq!(second, ["Nf3", "c3"]);
    assert_eq!(game.nodes[sicilian.children[1]].comments, ["Alapin"]);
    let knight = game.main_line()[3];
    assert_eq!(game.nodes[knight].comments, ["[%clk 0:01:00] [%eval 0.25]"]);
    assert_eq!(game.outcome.as_deref(), Some("1-0"));
    assert!(game.problems.is_empty());
}

#[test]
fn situations_carry_the_game_before_them() {
    let game = game("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *");
    let end = game.situation_at(99);
    assert_eq!(end.history.len(), 8);
    let repeated = end
        .history
        .repetitions(end.position.key(), end.position.reversible_plies());
    assert_eq!((repeated.times, repeated.plies_back), (2, 4));
    assert_eq!(game.situation_at(0).history.len(), 0);
    assert_eq!(
        game.situation_at(3).position.fen(),
        "rnbqkb1r/pppppppp/5n2/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 3 2"
    );
}

#[test]
fn null_moves_pass_and_begin_the_history_anew() {
    let game = game("1. e4 -- 2. d4 Z0 3. c4 *");
    assert_eq!(main_line(&game), "1.e4 1...-- 2.d4 2...-- 3.c4");
    let end = game.situation_at(5);
    assert!(
        end.position
            .fen()
            .starts_with("rnbqkbnr/pppppppp/8/8/2PPP3/8/PP3PPP/RNBQKBNR b")
    );
    assert_eq!(end.history.len(), 1);
}

#[test]
fn a_wrong_move_ends_its_line_and_is_reported_with_its_place() {
    let text = "[Event \"x\"]\n\n1. e4 e5 2. Nf3\nQz9 3. Bb5 *\n";
    let broken = game(text);
    assert_eq!(main_line(&broken), "1.e4 1...e5 2.Nf3");
    let problems: Vec<String> = broken.problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        problems,
        [
            "line 4, column 1: found \"Qz9\" at move 2, expected a legal move for Black (there are 29); the line ends before it"
        ]
    );
    // After a blank line among the moves.
    let broken = game("[Event \"x\"]\n\n1. e4 e5\n\n2. Nf3\n Qz9 *");
    assert_eq!(
        (broken.problems[0].line, broken.problems[0].column),
        (Some(6), Some(2))
    );
    // Well-formed but illegal, after umlauts on the same line.
    let broken = game("1. e4 {Müller} Ke6 2. Nf3 *");
    assert_eq!(
        (broken.problems[0].line, broken.problems[0].column),
        (Some(1), Some(16))
    );
    // In a variation; the main line continues.
    let broken = game("1. e4 e5 (1... Qz9 2. Nf3 (2. d4) 2... d5) 2. Nf3 (2. Kd8) 2... Nc6 *");
    assert_eq!(main_line(&broken), "1.e4 1...e5 2.Nf3 2...Nc6");
    assert_eq!(broken.problems.len(), 2);
    assert_eq!(broken.nodes.len(), 5);
    // No move is legal after mate.
    let broken = game("1. f3 e5 2. g4 Qh4# 3. a3 *");
    assert!(
        broken.problems[0]
            .to_string()
            .contains("no move: White has none here")
    );
}

#[test]
fn careless_spelling_is_understood() {
    for text in [
        "1.e2e4 e7-e5 2.Ng1f3 Nb8c6 3.Bb5 a6 4.Bc6 dc6 5.0-0",
        "1 e4 e5 2 Nf3 Nc6 3 Bb5 a6 4 Bxc6! dxc6 5 O-O +/- N e.p. = ",
        "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O",
    ] {
        let game = game(text);
        assert_eq!(game.plies(), 9, "{text}: {:?}", game.problems);
        assert!(game.problems.is_empty(), "{text}: {:?}", game.problems);
    }
    let promoted = game("[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8Q Kg6 2. Qb8 *");
    assert_eq!(main_line(&promoted), "1.a8=Q 1...Kg6 2.Qb8");
}

#[test]
fn chess960_games_castle_and_start_anywhere() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/pgn/cutechess-fischerrandom-1.pgn");
    let document = Document::open(&path).expect("the fixture");
    let entry = document.entry(0).expect("a game");
    let game = entry.game().expect("a game");
    assert_eq!(
        game.start.as_chess().expect("chess").castling_mode(),
        CastlingMode::Chess960
    );
    assert!(main_line(game).contains("9...O-O") && main_line(game).contains("21.O-O-O"));
    assert!(game.problems.is_empty());
    // A fragment in which Black moves first.
    let fragment =
        self::game("[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 17\"]\n\n17... Kd7 18. e4 Ke6 *");
    assert_eq!(main_line(&fragment), "17...Kd7 18.e4 18...Ke6");
}

#[test]
fn other_variants_and_illegal_starts_are_refused_and_the_others_open() {
    let text = "[Variant \"Crazyhouse\"]\n\n1. e4 *\n\n[Event \"2\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n*\n\n[Event \"3\"]\n\n1. d4 {open\n\n[Event \"4\"]\n\n1. c4 *\n";
    let document = Document::from_bytes("games.pgn", text.as_bytes().to_vec()).expect("a file");
    let results: Vec<String> = document
        .entries()
        .map(|entry| match entry {
            Ok(entry) => format!("{} plies", entry.plies()),
            Err(error) => error.to_string(),
        })
        .collect();
    assert_eq!(
        results,
        [
            "games.pgn:1: game 1: found the variant \"Crazyhouse\", expected standard chess or Chess960",
            "games.pgn:6: game 2: found an empty board, expected a king on each side",
            "games.pgn:10: game 3: found the end of the game, expected a \"}\" that closes the comment",
            "1 plies",
        ]
    );
}

#[test]
fn latin1_headers_and_escapes_are_text() {
    let bytes =
        b"[White \"M\xfcller\"]\n[Black \"A \\\"B\\\" \x1b[2J\"]\n\n1. e4 {sch\xf6n} *".to_vec();
    let document = Document::from_bytes("x.pgn", bytes).expect("a game");
    assert_eq!(document.title(0), "Müller – A \"B\" ␛[2J");
    let entry = document.entry(0).expect("a game");
    assert_eq!(entry.game().expect("a game").nodes[1].comments, ["schön"]);
}

/// A byte order mark or another wide space may come before any tag, as where files were joined.
#[test]
fn wide_spaces_before_a_tag_are_spaces() {
    for space in ["\u{feff}", " \u{feff} ", "\u{a0}", "\u{3000}\n"] {
        let text = format!("\n{space}[Event \"x\"]\n{space}[White \"w\"]\n\n{space}1. e4 e5 *\n");
        let read = game(&text);
        assert_eq!(main_line(&read), "1.e4 1...e5", "{text:?}");
        let games = Games::new(text.clone().into_bytes());
        assert_eq!(games.len(), 1, "{text:?}");
        let summary = games.summary(0).expect("its tags");
        assert_eq!(summary.white(), "w", "{text:?}");
        assert_eq!(read.header("White"), Some("w"), "{text:?}");
        assert_eq!(read.title(), summary.title(), "{text:?}");
    }
}

/// Files from many sources: every game opens or is refused with a reason, few have problems, and what was read can be
/// written as a line and read again.
#[test]
fn quotation_marks_in_a_tag_cost_no_move() {
    for (tag, white) in [
        (r#"[White "Nick "The Ant" X"]"#, r#"Nick "The Ant" X"#),
        (r#"[White "?"}"#, "?"),
        (r#"[White "a"128]"#, "a"),
        (r#"[White "a \"b\" c"]"#, r#"a "b" c"#),
    ] {
        let text = format!("\u{feff}{tag}\n[Black \"b\"]\n\n1. e4 e5 *\n");
        let read = game(&text);
        assert_eq!(main_line(&read), "1.e4 1...e5", "{tag}");
        assert_eq!(read.header("White"), Some(white));
        assert_eq!(read.header("Black"), Some("b"));
        let games = Games::new(text.into_bytes());
        let summary = games.summary(0).expect("its tags");
        assert_eq!(summary.white(), white);
    }
}

#[test]
fn real_files_are_read_wholly() {
    let Some(folder) = data("pgn") else { return };
    let (mut games, mut refused, mut problems) = (0, Vec::new(), Vec::new());
    for sub in std::fs::read_dir(&folder).expect("the folder").flatten() {
        let Ok(files) = std::fs::read_dir(sub.path()) else {
            continue;
        };
        for file in files.flatten() {
            let path = file.path();
            let document = match Document::open(&path) {
                Ok(document) => document,
                Err(error) => {
                    refused.push(error.to_string());
                    continue;
                }
            };
            for i in 0..document.len() {
                games += 1;
                match document.entry(i) {
                    Err(error) => refused.push(error.to_string()),
                    Ok(entry) => {
                        problems.extend(entry.problems.iter().map(ToString::to_string));
                        assert_eq!(text::sanitise(&entry.title), entry.title);
                        let game = entry.game().expect("a game");
                        let line = game.main_line();
                        let moves: Option<Vec<_>> =
                            line.iter().skip(1).map(|&n| game.nodes[n].m).collect();
                        // A line without null moves can be written and read again.
                        if let Some(moves) = moves {
                            let start = game.situation_at(0);
                            let start = Subject::from(start).chess().expect("chess");
                            let mut played = start.clone();
                            let decoded = |&code: &MoveCode| {
                                let m = played.position.decode(code).expect("a move");
                                played.play(m);
                                m
                            };
                            let moves: Vec<_> = moves.iter().map(decoded).collect();
                            let text = notation::line_text(&start.position, &moves);
                            let (end, again) =
                                notation::play_moves(&start, &text).expect("the same line");
                            assert_eq!(again, moves);
                            assert_eq!(
                                end.position.key(),
                                game.situation_at(u32::MAX).position.key()
                            );
                        }
                    }
                }
            }
        }
    }
    println!("{games} games; refused: {refused:#?}; problems: {problems:#?}");
    assert!(games > 1_900, "only {games} games");
    let others = refused
        .iter()
        .filter(|r| !r.contains("the variant"))
        .count();
    assert!(others <= 3, "{refused:#?}");
    assert!(problems.len() <= 20, "{problems:#?}");
}

/// As many games are found as there are events, in the file and in its bytes.
#[test]
fn a_file_of_a_megabyte_is_indexed() {
    let Some(folder) = data("pgn") else { return };
    let path = folder.join("lichess/lichess_db_1000k.pgn");
    let bytes = std::fs::read(&path).expect("the file");
    let events = bytes.windows(8).filter(|w| w == b"[Event \"").count();
    let spans = index(&bytes);
    assert_eq!(spans.len(), events);
    let games = Games::open(&path).expect("the file");
    games.wait_complete().expect("the whole of it");
    let found: Vec<_> = (0..games.len()).filter_map(|i| games.span(i)).collect();
    assert_eq!(found, spans);
}
