//! `plyscope --plain`: words in, sentences out.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::cli_support::folder;
use serve::plain::{WORDS, Word};

const TEXTBOOK: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/sample-positions/textbook.tree"
);

/// What a script of words says, after the greeting.
fn said(arguments: &[&str], words: &[&str]) -> Vec<String> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_plyscope"))
        .args(["--plain", "--threads", "1"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    let text: String = words.iter().map(|word| format!("{word}\n")).collect();
    let writer = std::thread::spawn(move || {
        // A word may end it before the last one.
        let _ = input.write_all(text.as_bytes());
    });
    let run = child.wait_with_output().expect("it ends");
    writer.join().expect("written");
    assert!(run.status.success(), "{run:?}");
    assert!(run.stderr.is_empty(), "{run:?}");
    let text = String::from_utf8(run.stdout).expect("a text");
    assert!(text.is_ascii(), "{text}");
    let mut lines = text.lines().map(str::to_owned);
    let greeting = lines.next().expect("a greeting");
    assert!(
        greeting.starts_with("plyscope, line by line."),
        "{greeting}"
    );
    lines.collect()
}

fn contains(said: &[String], part: &str) {
    assert!(
        said.iter().any(|line| line.contains(part)),
        "{said:#?}, expected {part}"
    );
}

/// What one word says after others.
fn answer(arguments: &[&str], before: &[&str], word: &str) -> Vec<String> {
    let without = said(arguments, before).len();
    // The word itself is repeated.
    said(arguments, &[before, &[word]].concat())[without + 1..].to_vec()
}

#[test]
fn a_search_is_read_from_its_result_down_to_a_cutoff() {
    let words = [
        "board",
        "search depth 2",
        "moves",
        "go A",
        "here",
        "why",
        "up",
        "why not C",
        "go B",
        "go b2",
        "line",
        "top",
    ];
    insta::assert_snapshot!(said(&[TEXTBOOK], &words).join("\n"));
}

#[test]
fn a_board_is_said_piece_by_piece() {
    let board = answer(&["--moves", "e4 e5 Nf3"], &[], "board");
    let expected = [
        "White: king e1, queen d1, rooks a1 h1, bishops c1 f1, knights b1 f3, pawns a2 b2 c2 d2 f2 g2 h2 e4.",
        "Black: king e8, queen d8, rooks a8 h8, bishops c8 f8, knights b8 g8, pawns e5 a7 b7 c7 d7 f7 g7 h7.",
        "Black to move, 29 legal moves.",
    ];
    assert_eq!(board, expected);
    let file = folder("plain-board").join("go.sgf");
    std::fs::write(&file, "(;GM[1]FF[4]SZ[9]KM[7.5]AB[ee][ff]AW[dd])").expect("written");
    let board = answer(&[file.to_str().expect("a path")], &[], "board");
    let expected = [
        "White: D6.",
        "Black: F4 E5.",
        "Black to move, 79 legal moves.",
    ];
    assert_eq!(board, expected);
}

#[test]
fn the_debugger_goes_on_and_back_by_words() {
    let words = [
        "break on cutoff",
        "debug",
        "continue",
        "step 2",
        "step over",
        "back 3",
        "event 5",
        "event 0",
        "break",
        "break off",
        "continue",
        "continue",
    ];
    insta::assert_snapshot!(said(&[TEXTBOOK], &words).join("\n"));
}

#[test]
fn a_script_says_the_same_every_time() {
    let words = [
        "search distress 2k",
        "moves 3",
        "go 1",
        "why",
        "search mcts 3k",
        "result",
        "why 2",
    ];
    let once = said(&["--moves", "e4"], &words);
    assert_eq!(once, said(&["--moves", "e4"], &words));
    // Each line is a sentence.
    for line in once.iter().filter(|line| !line.starts_with("> ")) {
        assert!(line.ends_with(['.', ')', '?', ':']), "{line}");
        assert!(!line.contains("  ") && !line.contains(".."), "{line}");
    }
}

#[test]
fn what_cannot_be_done_is_said_in_a_sentence() {
    for (word, part) in [
        ("moves", "Nothing has been searched yet"),
        ("serch", "Did you mean search?"),
        ("zzz", "is no word here. Type help"),
        ("search fast", "\"fast\", expected an algorithm"),
        ("search depth 0", "expected a number from 1 to 200"),
        ("set", "have their defaults"),
        ("set nothing=1", "nothing"),
        ("play e5", "e5"),
        ("play", "expected moves"),
        ("fen 8/8", "8/8"),
        ("open nowhere.pgn", "nowhere.pgn"),
        ("open", "expected the name of a file"),
        ("break when", "xpected"),
        ("help moves", "moves [N | all]: says"),
    ] {
        let said = answer(&[], &[], word);
        assert!(!said.is_empty(), "{word}");
        contains(&said, part);
    }
    for (word, part) in [
        ("go Ke3", "Ke3"),
        ("go 99", "99"),
        ("go", "expected moves"),
        ("why Ke3", "expected a move here"),
        ("up", "This is the root"),
        ("continue", "The search has ended"),
        ("stop", "It does not run"),
        ("back x", "\"x\", expected a number from 1 on"),
        ("step sideways 2", "expected over or out"),
    ] {
        contains(&answer(&[], &["search 500"], word), part);
    }
}

#[test]
fn a_search_that_was_saved_and_a_trace_are_opened() {
    let trace = folder("plain-trace").join("x.plytrace");
    let run = Command::new(env!("CARGO_BIN_EXE_plyscope"))
        .args(["trace", "--format", "open", TEXTBOOK, "--depth", "2", "-o"])
        .arg(&trace)
        .output()
        .expect("it runs");
    assert!(run.status.success(), "{run:?}");
    let said = said(&[trace.to_str().expect("a path")], &["search", "moves"]);
    contains(&said, "which search reads");
    contains(&said, "read to its end");
    contains(&said, "1: A");
}

#[test]
fn every_word_is_explained_and_may_be_shortened() {
    let help = answer(&[], &[], "help");
    let words = help
        .iter()
        .skip(1)
        .map(|line| line.split([' ', ':']).next().expect("a word"));
    let words: Vec<&str> = words.collect();
    assert!(words.len() > 20, "{help:#?}");
    for word in &words {
        contains(&answer(&[], &[], &format!("help {word}")), word);
    }
    contains(&said(&[TEXTBOOK], &["s depth 2", "m 1"]), "1: A");
}

#[test]
fn a_very_long_line_and_bytes_of_no_text_do_no_harm() {
    let long = "x".repeat(100_000);
    contains(&said(&[], &[&long]), "too long");
    let said = answer(&[], &[], "\u{1b}[31mred\u{7}");
    contains(&said, "is no word here");
}

/// The page shows what is really said. `README=renew cargo test --test cli plain` updates it.
#[test]
fn the_page_shows_what_is_said() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src/plain.md");
    let text = std::fs::read_to_string(&path).expect("the page");
    let mut fresh: Vec<String> = Vec::new();
    let mut lines = text.lines().peekable();
    let mut talks = 0;
    while let Some(line) = lines.next() {
        fresh.push(line.to_owned());
        if line == "<!-- words -->" {
            fresh.extend(["| word | what it does |", "| --- | --- |"].map(str::to_owned));
            let row = |word: &Word| {
                let usage = word.usage().replace('|', "\\|");
                format!("| `{usage}` | {} |", word.summary)
            };
            fresh.extend(WORDS.iter().map(row));
            while lines.next_if(|line| line.starts_with('|')).is_some() {}
        }
        let Some(command) = line.strip_prefix("<!-- talk ") else {
            continue;
        };
        fresh.extend(lines.next().map(str::to_owned));
        let mut words = Vec::new();
        while let Some(line) = lines.next_if(|line| *line != "```") {
            words.extend(line.strip_prefix("> "));
        }
        let arguments = shell_words::split(command.trim_end_matches(" -->")).expect("words");
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        fresh.extend(said(&arguments, &words));
        talks += 1;
    }
    assert!(talks >= 2, "{talks}");
    let fresh = fresh.join("\n") + "\n";
    if std::env::var_os("README").is_some_and(|what| what == "renew") {
        std::fs::write(path, fresh).expect("the page is written");
        return;
    }
    assert_eq!(
        text, fresh,
        "README=renew cargo test --test cli plain updates it"
    );
}
