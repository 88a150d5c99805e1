//! Bad input: one clear line, exit status 1, no panic, and no control characters sent to the terminal.

use crate::cli_support;

use std::path::Path;

use cli_support::{Run, file, plyscope, with_input};
use common::data;

#[test]
fn refused_input_says_where_and_what_was_expected() {
    for (name, content, part) in [
        ("empty.fen", "", "expected"),
        (
            "wrong.fen",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w - - 0 1\n",
            "wrong.fen:1:",
        ),
        ("wrong.tree", "max\nA\n  a1 x\n", "wrong.tree:3:"),
        ("sideways.tree", "sideways\nA 1\n", "sideways.tree:1:"),
        ("empty.pgn", "", "empty.pgn"),
        ("noise.txt", "what is this?\n", "noise.txt"),
    ] {
        let path = file(name, content);
        let run = plyscope(&["search", &path]);
        run.refused(1);
        assert!(run.err.contains(part), "{}", run.err);
        assert!(run.out.is_empty());
    }
    // Each line that is refused, whether another one is read or not.
    let lines = "connect4 44x\nconnect4 8\nconnect4 4 z\n";
    for (name, content) in [
        ("all.c4", lines.to_owned()),
        ("some.c4", format!("{lines}connect4 5x4 1\n")),
    ] {
        let run = plyscope(&["search", &file(name, &content), "--nodes", "100"]);
        assert_eq!((run.status, run.err.lines().count()), (1, 3), "{}", run.err);
        for part in [
            ":1:12: found \"x\", expected one of 1 2 3 4 5 6 7",
            ":2:10: found \"8\"",
            ":3:12: found \"z\"",
        ] {
            assert!(run.err.contains(&format!("{name}{part}")), "{}", run.err);
        }
    }
    let run = plyscope(&["search", "/no/such/file.fen"]);
    run.refused(1);
    let run = plyscope(&["search", env!("CARGO_MANIFEST_DIR")]);
    run.refused(1);
    let run = plyscope(&["search", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"]);
    run.refused(1);
}

#[test]
fn escape_characters_of_a_file_do_not_reach_the_terminal() {
    let games = file(
        "escape.pgn",
        "[White \"\u{1b}[2JEvil\"]\n[Black \"\u{9b}31m\"]\n\n1. e4 {\u{1b}]0;x\u{7}} Qz9 *\n",
    );
    let tree = file("escape.tree", "max\nA\u{1b}[31m 1\nB 2\n");
    let epd = file(
        "escape.epd",
        "8/8/8/8/8/4k3/8/4K2R w K - id \"\u{1b}[2J\";\n",
    );
    for path in [games, tree, epd] {
        for arguments in [
            &["search", &path, "--nodes", "100"][..],
            &["eval", &path],
            &["tree", &path, "--nodes", "100"],
        ] {
            plyscope(arguments).harmless();
        }
    }
    plyscope(&["search", "--fen", "\u{1b}[2J"]).harmless();
    plyscope(&["search", "--moves", "\u{1b}[2J"]).harmless();
    plyscope(&["search", "--set", "\u{1b}[2J=1"]).harmless();
    plyscope(&["search", "\u{1b}[2J.fen"]).harmless();
}

/// The position before an unreadable word is searched, and the exit status says that something was refused.
#[test]
fn words_that_are_not_read_are_told_and_the_status_is_1() {
    let text = "1. e4 e5 2. ♘f3 ♞c6 3. Lb5 a6 *\n";
    let path = file("words.pgn", text);
    let wide: Vec<u8> = format!("\u{feff}{text}")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let limits = ["--nodes", "200", "--json"];
    let mut fens = Vec::new();
    for (name, input) in [
        (path.as_str(), &b""[..]),
        ("-", text.as_bytes()),
        ("-", &wide),
    ] {
        let run = with_input(&[&["search", name][..], &limits].concat(), input);
        run.refused(1);
        assert!(
            run.err.contains(":1:24: found \"Lb5\" at move 3"),
            "{}",
            run.err
        );
        fens.push(run.json_lines()[0]["fen"].clone());
    }
    let after = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    assert_eq!(fens, [after; 3]);
    for command in ["tree", "trace", "eval", "compare"] {
        let run = plyscope(&[&[command, &path][..], &limits[..2]].concat());
        let known = if command == "eval" { 2 } else { 1 };
        assert_eq!(run.status, known, "{command}: {}", run.err);
    }
    plyscope(&["eval", &path]).refused(1);
    let run = plyscope(&["search", "--moves", "e4 e5 ♘f3 Sc6", "--nodes", "200"]);
    run.refused(1);
    assert!(run.err.contains("looks like German"), "{}", run.err);
}

/// What is read although it is not quite right is told on standard error, and is no failure.
#[test]
fn what_is_corrected_is_told_with_its_line() {
    let start = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    for (name, content, warning, fen) in [
        (
            "unquoted.pgn",
            format!("[Event \"x\"]\n[WhiteElo 2400]\n[FEN {start}]\n\n1. e4 *\n"),
            "unquoted.pgn:2: \"[WhiteElo 2400]\" is not a valid tag: read as [WhiteElo \"2400\"]",
            "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1",
        ),
        (
            "corner.fen",
            "r6k/8/8/8/8/8/8/4K3 b q - 0 1\n".to_owned(),
            "corner.fen:1: castling rights without king and rook on their home squares: ignored",
            "r6k/8/8/8/8/8/8/4K3 b - - 0 1",
        ),
        (
            "chess960.fen",
            "4k3/8/8/8/8/8/4P3/4KR2 w K - 0 1\n".to_owned(),
            "chess960.fen:1: castling rights with a king or rook on other squares than in standard",
            "4k3/8/8/8/8/8/4P3/4KR2 w K - 0 1",
        ),
        (
            "dash.epd",
            format!("{} - bm e4;\n", start.trim_end_matches(" 0 1")),
            "dash.epd:1: \"-\" in place of the half-move clock or the move number: ignored",
            start,
        ),
    ] {
        let run = plyscope(&["search", &file(name, content), "--nodes", "100", "--json"]);
        assert_eq!(run.status, 0, "{}", run.err);
        assert!(run.err.contains(warning), "{}", run.err);
        assert_eq!(run.json_lines()[0]["fen"], fen, "{name}");
    }
    let pasted = format!("[FEN \"{start}\"]");
    let run = plyscope(&["search", "--fen", &pasted, "--nodes", "100", "--json"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    assert_eq!(run.json_lines()[0]["fen"], start);
    // A start position that cannot be read is an error of its game, and the next game is read.
    let games = "[FEN 4k3/8/8/8/8/8/4P3/4K2 w - - 0 1]\n\n1. e4 *\n\n[Event \"2\"]\n\n1. d4 *\n";
    let run = plyscope(&[
        "search",
        &file("broken_start.pgn", games),
        "--nodes",
        "100",
        "--json",
    ]);
    run.refused(1);
    assert!(
        run.err
            .contains("broken_start.pgn:1: game 1: found 7 squares"),
        "{}",
        run.err
    );
    assert_eq!(run.json_lines().len(), 1);
}

/// What a review writes reads back as the same games with the same tags.
#[test]
fn a_review_of_broken_tags_writes_the_same_games() {
    let text = "; a list\n[Event \"x\"]\n[WhiteElo 2400]\n[FEN 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1]\n[Result \"*\"]\n\n1. e4 Kd7 *\n\n\
                Game two\n[Event 'y']\n\n1. d4+= *\n";
    let path = file("broken_tags.pgn", text);
    let out = file("broken_tags_reviewed.pgn", "");
    let review = ["--nodes", "100", "--json", "-o", &out];
    let run = plyscope(&[&["review", &path][..], &review].concat());
    assert_eq!(run.status, 0, "{}", run.err);
    let games = run.json_lines();
    assert_eq!(games.len(), 2);
    assert_eq!(games[0]["tags"]["WhiteElo"], "2400");
    assert_eq!(games[0]["start_fen"], "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    assert_eq!(games[0]["warnings"].as_array().map(Vec::len), Some(2));
    for warning in ["broken_tags.pgn:3: game 1: ", "broken_tags.pgn:4: game 1: "] {
        assert!(run.err.contains(warning), "{}", run.err);
    }
    let again = plyscope(&["review", &out, "--nodes", "100", "--json"]).json_lines();
    assert_eq!(again.len(), 2);
    for (before, after) in games.iter().zip(&again) {
        for same in ["tags", "start_fen", "result"] {
            assert_eq!(before[same], after[same], "{same}");
        }
        let moves = |game: &serde_json::Value| game["positions"].as_array().map(Vec::len);
        assert_eq!(moves(before), moves(after));
    }
}

fn sound(run: &Run, what: &str) {
    assert!(run.status == 0 || run.status == 1, "{what}: {run:?}");
    run.harmless();
    if run.status == 1 {
        assert!(run.err.contains("expected"), "{what}: {}", run.err);
    }
}

fn each_file(folder: &Path, f: &mut impl FnMut(&str)) {
    let mut entries: Vec<_> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|e| e.expect("an entry").path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            each_file(&path, f);
        } else {
            f(&path.to_string_lossy());
        }
    }
}

#[test]
fn bad_files_that_people_met_never_break_anything() {
    let Some(folder) = data("bad_input") else {
        return;
    };
    each_file(&folder, &mut |path| {
        sound(&plyscope(&["eval", path, "--json"]), path);
    });
}

#[test]
fn bad_fens_that_people_met_are_refused_or_read() {
    let Some(folder) = data("bad_input") else {
        return;
    };
    let mut seen = [0, 0];
    for (name, column) in [
        ("destruction-test.labelled.tsv", 1),
        ("forum_fens.tsv", 0),
        ("stockfish_issue_fens.tsv", 0),
    ] {
        let text = std::fs::read(folder.join(name)).expect("a file");
        let text = String::from_utf8_lossy(&text);
        for line in text.lines().skip(1) {
            let fen = line.split('\t').nth(column).unwrap_or_default();
            if fen.contains('\0') {
                continue;
            }
            let fen = format!("--fen={fen}");
            let run = plyscope(&["eval", &fen, "--json"]);
            sound(&run, &fen);
            seen[run.status as usize] += 1;
            if run.status == 1 {
                run.refused(1);
            }
        }
    }
    println!("{} read, {} refused", seen[0], seen[1]);
    assert!(seen[0] > 20 && seen[1] > 20, "{seen:?}");
}
