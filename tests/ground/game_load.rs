//! A snapshot of the verdict on each file that is wrong or nearly wrong: accepted (with which warnings) or refused
//! (with which message). Nothing may panic.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use common::data;
use game::Game as _;
use game::load::fen;
use games::{Document, FORMATS, Format};
use proptest::prelude::*;

fn fixtures(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(folder)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the fixtures")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    files
}

fn verdict(fen: &str) -> String {
    match fen::parse(fen) {
        Ok(read) => {
            // Whatever is accepted can be searched, because the lists hold all its moves.
            let position = &read.position;
            position.noisy_moves();
            let mut text = format!("accepted as {}", position.fen());
            for warning in &read.warnings {
                let _ = write!(text, "\n      warning: {warning}");
            }
            text
        }
        Err(error) => format!("refused: {error}"),
    }
}

fn table(name: &str, column: usize) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(fixtures("bad_input").join(name)).expect(name);
    let rows = text.lines().skip(1);
    rows.map(|row| row.split('\t').map(str::to_owned).collect::<Vec<_>>())
        .inspect(|row| assert!(row.len() > column))
        .collect()
}

#[test]
fn destruction_test() {
    let mut verdicts = String::new();
    for row in table("destruction-test.labelled.tsv", 3) {
        let verdict = verdict(&row[1]);
        let accepted = verdict.starts_with("accepted");
        if row[3] == "VALID" {
            assert!(accepted, "{verdict}");
        }
        for fatal in ["OPPOSITE_CHECK", "KING", "PAWNS_ON_BACKRANK"] {
            if row[3].contains(fatal) {
                assert!(!accepted, "{}: {verdict}", row[1]);
            }
        }
        let _ = writeln!(verdicts, "{} {}\n   {verdict}", row[0], row[1]);
    }
    insta::assert_snapshot!(verdicts);
}

#[test]
fn positions_from_forums_and_issues() {
    let mut verdicts = String::new();
    for row in table("forum_fens.tsv", 2)
        .into_iter()
        .chain(table("stockfish_issue_fens.tsv", 2))
    {
        let _ = writeln!(verdicts, "{} ({})\n   {}", row[0], row[2], verdict(&row[0]));
    }
    insta::assert_snapshot!(verdicts);
}

#[test]
fn fuzz_corpora() {
    let mut verdicts = String::new();
    for folder in ["chessops_fuzz_fen", "python-chess_fuzz"] {
        for path in files(&fixtures("bad_input").join(folder)) {
            let name = path.file_name().map(|n| n.to_string_lossy().into_owned());
            let text = std::fs::read_to_string(&path).expect("a fixture");
            let kind = match Format::of(FORMATS, "", text.as_bytes()).map(|format| format.extension)
            {
                Some("fen") => "Some(Fen)",
                Some("epd") => "Some(Epd)",
                Some("pgn") => "Some(Pgn)",
                Some(_) => "Some(Tree)",
                None => "None",
            };
            let _ = writeln!(verdicts, "{folder}/{} ({kind})", name.unwrap_or_default());
            match Document::from_bytes("corpus", text.into_bytes()) {
                Ok(document) => describe(&document, &mut verdicts),
                Err(error) => {
                    let _ = writeln!(verdicts, "   refused: {error}");
                }
            }
        }
    }
    insta::assert_snapshot!(verdicts);
}

#[test]
fn bad_lines_are_reported_and_the_others_open() {
    let path = fixtures("bad_input").join("grief-causers.epd");
    let bytes = std::fs::read(path).expect("the fixture");
    let document = Document::from_bytes("grief-causers.epd", bytes).expect("some lines are good");
    let mut text = String::new();
    describe(&document, &mut text);
    insta::assert_snapshot!(text);
}

#[test]
fn the_kind_is_known_by_name_or_content() {
    for (name, text, kind) in [
        ("x.PGN", "whatever", Some("PGN")),
        ("a/b.tree", "", Some("toy tree")),
        ("x.txt", "\u{feff}[Event \"x\"]\n", Some("PGN")),
        ("-", "1. e4 e5", Some("PGN")),
        ("-", "e4 e5 *", Some("PGN")),
        ("-", "{A comment} 1. e4", Some("PGN")),
        ("-", "# a tree\n\nmin # who\nA 1", Some("toy tree")),
        ("-", "# c\n4k3/8/8/8/8/8/8/4K3 w - - 0 1", Some("FEN")),
        ("-", "4k3/8/8/8/8/8/8/4K3 w - - bm Kd1;", Some("EPD")),
        ("-", "hello there", None),
        ("-", "", None),
    ] {
        let known = Format::of(FORMATS, name, text.as_bytes());
        assert_eq!(known.map(|format| format.name), kind, "{name} {text:?}");
    }
    let error = Document::from_bytes("standard input", b"hello there\n".to_vec());
    assert_eq!(
        error.expect_err("no kind").to_string(),
        "standard input: found \"hello there\", expected a FEN, an EPD, a PGN, a toy tree, a game of Connect Four, a game of tic-tac-toe, a Go game in SGF or a search trace"
    );
}

#[test]
fn comments_name_positions_and_files() {
    let text = "# The file\n# to try\n\n# First\n# look here\n4k3/8/8/8/8/8/8/4K3 w - -\n4k3/8/8/8/8/8/8/3QK3 w - - id \"Second\"; dm 9;\n";
    let document = Document::from_bytes("x.epd", text.as_bytes().to_vec()).expect("positions");
    assert_eq!(
        document.caption(),
        ("The file".to_owned(), Some("to try".to_owned()))
    );
    assert_eq!(document.title(0), "First");
    assert_eq!(document.line(1), Some(7));
    let second = document.entry(1).expect("it");
    assert_eq!(
        (second.title.as_str(), second.hint.as_deref()),
        ("Second", Some("mate in 9"))
    );
    assert!(document.entry(2).is_err());
}

/// The standard test suites open without a warning.
#[test]
fn suites_open_wholly() {
    for (name, positions) in [
        ("epd/wacnew.epd", 300),
        ("epd/eet.epd", 100),
        ("epd/pet.epd", 48),
        ("mates/sunfish_mate2.fen", 1),
        ("mates/sunfish_mate3.fen", 1),
        ("mates/sunfish_mate4.fen", 1),
        ("perft/standard.epd", 100),
        ("perft/fischer.epd", 960),
    ] {
        let Some(path) = data(name) else { continue };
        let document = Document::open(&path).expect(name);
        assert_eq!(document.problems, [], "{name}");
        assert!(document.len() >= positions, "{name}: {}", document.len());
        for entry in document.entries() {
            let entry = entry.expect(name);
            // One position of the perft suite is impossible, and is reported.
            let others = entry.warnings.iter().filter(|w| !w.contains("can't arise"));
            assert_eq!(others.count(), 0, "{:?}", entry.warnings);
        }
    }
}

fn describe(document: &Document, text: &mut String) {
    for problem in &document.problems {
        let _ = writeln!(text, "   refused: {problem}");
    }
    for (i, entry) in document.entries().enumerate() {
        match entry {
            Err(error) => {
                let _ = writeln!(text, "   {} refused: {error}", i + 1);
            }
            Ok(entry) => {
                let _ = write!(text, "   {} {}", i + 1, entry.title);
                if let Some(epd) = entry.epd() {
                    let _ = write!(text, ": {epd}");
                }
                let _ = writeln!(text);
                for warning in &entry.warnings {
                    let _ = writeln!(text, "      warning: {warning}");
                }
            }
        }
    }
}

#[test]
fn pgn_breakers() {
    let mut text = String::new();
    for folder in [fixtures("pgn"), fixtures("bad_input/chessops_fuzz_pgn")] {
        for path in files(&folder) {
            let name = path.file_name().map(|n| n.to_string_lossy().into_owned());
            let name = format!("{}.pgn", name.unwrap_or_default().trim_end_matches(".pgn"));
            let bytes = std::fs::read(&path).expect("a fixture");
            let _ = writeln!(text, "{name}");
            let document = match Document::from_bytes(&name, bytes) {
                Ok(document) => document,
                Err(error) => {
                    let _ = writeln!(text, "   refused: {error}");
                    continue;
                }
            };
            for (i, entry) in document.entries().enumerate() {
                match entry {
                    Err(error) => {
                        let _ = writeln!(text, "   {} refused: {error}", i + 1);
                    }
                    Ok(entry) => {
                        let game = entry.game().expect("a game");
                        let end = entry.subject_at(entry.plies()).chess();
                        let end = end.expect("a game is chess");
                        let _ = writeln!(
                            text,
                            "   {} {} | {} tags, {} plies, {} nodes, {} comments | {}",
                            i + 1,
                            entry.title,
                            game.headers.len(),
                            entry.plies(),
                            game.nodes.len(),
                            game.nodes
                                .iter()
                                .map(|n| n.comments.len() + n.comments_before.len())
                                .sum::<usize>(),
                            end.position.fen(),
                        );
                        for warning in &entry.warnings {
                            let _ = writeln!(text, "      {warning}");
                        }
                    }
                }
            }
        }
    }
    insta::assert_snapshot!(text);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Any bytes under any name are opened or refused, and all text that is shown is safe to print.
    #[test]
    fn nothing_panics(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        words in prop::collection::vec(
            prop::sample::select(vec![
                "[Event \"x\"]", "[FEN \"8/8\"]", "\n", "\n\n", "1.", "e4", "e5", "Nf3", "Qz9", "(", ")", "{", "}", ";",
                "$1", "!", "1-0", "*", "--", "0-0", "e7e8q", "%", "\u{1b}[2J", "max", "min", "  a 1", "± 2", "# c",
                "4k3/8/8/8/8/8/8/4K3", "w", "-", "KQkq", "bm", "\"", "id", "½-½", "\u{feff}",
            ]),
            0..60,
        ),
        name in prop::sample::select(vec!["a.pgn", "a.fen", "a.epd", "a.tree", "a.txt", "standard input"]),
        spaced in any::<bool>(),
    ) {
        let text = words.join(if spaced { " " } else { "" });
        for bytes in [bytes, text.into_bytes()] {
            match Document::from_bytes(name, bytes) {
                Err(error) => prop_assert!(!error.to_string().chars().any(char::is_control)),
                Ok(document) => {
                    prop_assert!(!document.is_empty());
                    for i in 0..document.len() {
                        prop_assert!(!document.title(i).chars().any(char::is_control));
                        match document.entry(i) {
                            Ok(entry) => {
                                prop_assert_eq!(&entry.title, &document.title(i));
                                prop_assert_eq!(entry.subjects().count(), entry.plies() as usize + 1);
                                let shown = entry.warnings.iter().chain(&entry.hint);
                                prop_assert!(!shown.flat_map(|t| t.chars()).any(char::is_control));
                            }
                            Err(error) => prop_assert!(!error.to_string().chars().any(char::is_control)),
                        }
                    }
                }
            }
        }
    }
}
