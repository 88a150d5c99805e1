//! Files larger than a block: found in the background and read game by game, with the same result as when read at once.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use game::load::LoadError;
use game::load::pgn::{Games, Query, index};
use games::{Document, Entry};

/// A file that is removed at the end of the test.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str, bytes: impl AsRef<[u8]>) -> Temporary {
        let name = format!("plyscope-large-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::write(&path, bytes).expect("a file for the test");
        Temporary(path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Games of different lengths, so that blocks end at all kinds of places in them.
fn many(count: usize, line_end: &str) -> String {
    let mut text = String::new();
    for i in 0..count {
        let _ = write!(
            text,
            "[Event \"Match {}\"]{line_end}[White \"Player {}\"]{line_end}[Black \"M\u{fc}ller\"]{line_end}\
             [Date \"{}.01.01\"]{line_end}[WhiteElo \"{}\"]{line_end}{line_end}1. e4 {{ {} }} e5{line_end}2. Nf3 \
             *{line_end}{line_end}",
            i / 100,
            i % 1_000,
            1_900 + i % 100,
            1_000 + i % 1_000,
            "words ".repeat(i % 40),
        );
    }
    text
}

fn spans(games: &Games) -> Vec<game::load::pgn::GameSpan> {
    (0..games.len()).filter_map(|i| games.span(i)).collect()
}

#[test]
fn a_large_file_is_indexed_as_a_whole_one_is() {
    let text = many(20_000, "\n");
    assert!(text.len() > 4_000_000);
    let file = Temporary::new("index.pgn", &text);
    let games = Games::open(&file.0).expect("the file");
    assert!(!games.is_empty(), "the first game is there at once");
    assert!(games.wait_for(15_000));
    assert!(!games.wait_for(20_000));
    games.wait_complete().expect("the whole file");
    assert!(games.is_complete());
    let length = text.len() as u64;
    assert_eq!(games.progress(), (length, length));
    assert_eq!(spans(&games), index(text.as_bytes()));
    for i in [0, 7_777, 19_999] {
        let summary = games.summary(i).expect("a game");
        assert_eq!(summary.white(), format!("Player {}", i % 1_000));
        assert_eq!(summary.black(), "M\u{fc}ller");
        assert_eq!(summary.event(), format!("Match {}", i / 100));
        assert_eq!(summary.white_elo(), Some(1_000 + (i % 1_000) as u16));
        assert_eq!((summary.black_elo(), summary.result()), (None, ""));
        let game = games.game(i).expect("a game");
        assert_eq!(game.title(), summary.title());
        assert_eq!(game.plies(), 3);
    }
    assert!(games.summary(20_000).is_none());
    let text = games.game(20_000).expect_err("no such game").to_string();
    assert!(text.contains("20001"), "{text}");
    // The list stays small, because names are not stored once per game.
    let each = games.memory() / games.len();
    assert!(each < 100, "{each} bytes a game");
    let found = games.matching(&Query::parse("\"player 77\" match 7"), 5_000..10_000);
    let expected: Vec<usize> = (5_000..10_000)
        .filter(|i| format!("{}", i % 1_000).starts_with("77"))
        .filter(|i| {
            format!("Match {} Player {} 19{:02}", i / 100, i % 1_000, i % 100).contains('7')
        })
        .collect();
    assert_eq!(found, expected);
    // Looked through part by part, each part once: the same games, in as many steps as there are parts.
    let query = Query::parse("\"player 77\" match 7");
    let (mut from, mut all, mut steps) = (0, Vec::new(), 0);
    while from < games.len() {
        let end = games.together(from);
        assert!(end > from);
        all.extend(games.matching(&query, from..end));
        (from, steps) = (end, steps + 1);
    }
    assert_eq!(games.together(from), from);
    assert_eq!(all, games.matching(&query, 0..games.len()));
    assert!(steps < 20, "{steps}");
}

#[test]
fn other_line_ends_are_found_across_blocks() {
    for line_end in ["\r", "\r\n", "<br />"] {
        let file = Temporary::new("ends.pgn", many(12_000, line_end));
        let games = Games::open(&file.0).expect("the file");
        games.wait_complete().expect("the whole file");
        assert_eq!(games.len(), 12_000, "{line_end:?}");
        for i in [0, 3_000, 11_999] {
            let game = games.game(i).expect("a game");
            assert_eq!((game.plies(), game.problems.len()), (3, 0), "{line_end:?}");
            assert_eq!(game.title(), games.summary(i).expect("it").title());
        }
    }
}

#[test]
fn all_entries_come_although_they_are_not_found_yet() {
    let file = Temporary::new("entries.pgn", many(12_000, "\n"));
    let document = Document::open(&file.0).expect("the file");
    let entries: Result<Vec<Entry>, LoadError> = document.entries().collect();
    let entries = entries.expect("games");
    assert_eq!(entries.len(), 12_000);
    assert_eq!(entries[11_999].title, document.title(11_999));
    assert_eq!(document.line(1), Some(10));
    assert!(document.is_complete() && document.wait_for(11_999));
}

#[test]
fn a_file_that_changes_is_not_read_as_if_it_had_not() {
    let file = Temporary::new("changes.pgn", many(12_000, "\n"));
    let document = Document::open(&file.0).expect("the file");
    let games = document.games().expect("games");
    games.wait_complete().expect("the whole file");
    let mut more = fs::OpenOptions::new()
        .append(true)
        .open(&file.0)
        .expect("the file");
    more.write_all(b"\n[Event \"x\"]\n\n1. d4 *\n")
        .expect("more");
    let error = document
        .entry(11_000)
        .expect_err("another file")
        .to_string();
    assert!(
        error.ends_with("the file has changed on disk and is being read again"),
        "{error}"
    );
    // The list can still be looked at meanwhile.
    assert!(!document.title(11_000).is_empty());
    fs::remove_file(&file.0).expect("it was there");
    let error = document.entry(11_000).expect_err("no file").to_string();
    assert!(error.contains("cannot be read"), "{error}");
}

#[test]
fn what_is_no_line_of_a_game_is_taken_in_pieces() {
    let long = format!(
        "1. e4 {{{}}} e5 *\n\n[Event \"2\"]\n\n1. d4 *\n",
        "x".repeat(6 << 20)
    );
    let games = Games::new(long.into_bytes());
    games.wait_complete().expect("all of it");
    assert_eq!(games.len(), 2);
    assert_eq!(games.game(0).expect("a game").plies(), 2);
    assert_eq!(games.game(1).expect("a game").plies(), 1);
    // Not a game at all, and without an end.
    let nothing = Games::new(vec![b' '; 5 << 20]);
    assert!(nothing.is_empty() && nothing.is_complete());
    let zeros = Document::from_bytes("zeros.pgn", vec![0; 5 << 20]);
    assert!(
        zeros
            .expect_err("no game")
            .to_string()
            .contains("zeros.pgn:1")
    );
    // More tags than are ever read.
    let tags = format!(
        "[Event \"x\"]\n{}\n1. e4 *\n",
        "[Note \"tag\"]\n".repeat(100_000)
    );
    let games = Games::new(tags.into_bytes());
    games.wait_complete().expect("all of it");
    assert_eq!(games.summary(0).expect("a game").event(), "x");
    assert_eq!(games.len(), 1);
}

#[test]
fn nobody_waits_for_what_is_dropped() {
    let file = Temporary::new("drop.pgn", many(20_000, "\n"));
    for _ in 0..20 {
        let games = Games::open(&file.0).expect("the file");
        assert!(!games.is_empty());
    }
    assert!(Games::open(&file.0.with_extension("none")).is_err());
    assert!(Document::open(&std::env::temp_dir()).is_err());
}
