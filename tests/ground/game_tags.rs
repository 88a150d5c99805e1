//! Tags in broken forms and what stands beside them: they are read as far as they can be understood, with a warning, and
//! never divide a game or lose its start position.

use std::collections::BTreeMap;

use game::load::GameTree;
use game::load::pgn::annotation::Evaluation;
use game::load::pgn::{Annotation, Existing, Games};
use games::{Document, Entry};

const START: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

/// The entries of a file, or why one cannot be opened.
fn entries(text: &str) -> Vec<Result<Entry, String>> {
    let document = Document::from_bytes("games.pgn", text.as_bytes().to_vec()).expect(text);
    let entries = document.entries();
    entries.map(|e| e.map_err(|e| e.to_string())).collect()
}

fn game(entry: &Result<Entry, String>) -> &GameTree<search::AnyPosition> {
    entry.as_ref().expect("an entry").game().expect("a game")
}

/// The games of a file after an evaluation was written into the last move of each, as `plyscope review -o` does.
fn rewritten(text: &str) -> String {
    let games = Games::new(text.as_bytes().to_vec());
    let written = (0..games.len()).map(|i| {
        let tree = games.game(i).expect(text);
        let annotation = Annotation {
            node: tree.nodes.len() - 1,
            evaluation: Some((Evaluation::Centipawns(31), None)),
            ..Annotation::default()
        };
        let text = games
            .annotated(i, &[annotation], Existing::Keep)
            .expect(text);
        String::from_utf8(games.separate(i, text)).expect("text")
    });
    written.collect()
}

/// A line; the name and the value of the tag on it, and parts of the warnings about it.
type Broken = (
    &'static str,
    &'static str,
    &'static str,
    &'static [&'static str],
);

const TAGS: &[Broken] = &[
    ("[WhiteElo \"2400\"]", "WhiteElo", "2400", &[]),
    ("[WhiteElo 2400]", "WhiteElo", "2400", &["[WhiteElo 2400]"]),
    ("[WhiteElo '2400']", "WhiteElo", "2400", &["'2400'"]),
    ("[WhiteElo “2400”]", "WhiteElo", "2400", &["“2400”"]),
    ("[WhiteElo „2400“]", "WhiteElo", "2400", &["„2400“"]),
    ("[WhiteElo ‘2400’]", "WhiteElo", "2400", &["‘2400’"]),
    ("[WhiteElo «2400»]", "WhiteElo", "2400", &["«2400»"]),
    ("[WhiteElo \"2400”]", "WhiteElo", "2400", &["2400”"]),
    ("[WhiteElo]", "WhiteElo", "", &["[WhiteElo]"]),
    ("[WhiteElo ]", "WhiteElo", "", &["[WhiteElo ]"]),
    ("[WhiteElo \"\"]", "WhiteElo", "", &[]),
    ("[WhiteElo \"2400]", "WhiteElo", "2400", &["\"2400]"]),
    ("[WhiteElo 2400\"]", "WhiteElo", "2400", &["2400\"]"]),
    ("[WhiteElo \"2400\"", "WhiteElo", "2400", &["\"2400\""]),
    ("[WhiteElo \"2400", "WhiteElo", "2400", &["\"2400"]),
    (
        "WhiteElo \"2400\"]",
        "WhiteElo",
        "2400",
        &["WhiteElo \"2400\"]"],
    ),
    ("[WhiteElo: \"2400\"]", "WhiteElo", "2400", &["WhiteElo:"]),
    ("[whiteelo \"2400\"]", "whiteelo", "2400", &["[whiteelo"]),
    ("[WhiteElo \"2400\"] ; a remark", "WhiteElo", "2400", &[]),
    ("[WhiteElo \"2400\"] {a remark}", "WhiteElo", "2400", &[]),
    (
        "[WhiteElo \"2400\"] {a remark\nof two lines}",
        "WhiteElo",
        "2400",
        &[],
    ),
    (
        "[WhiteElo \"2400\"] a remark",
        "WhiteElo",
        "2400",
        &["a remark"],
    ),
    ("[WhiteElo \"2400\"] [Black \"b\"]", "WhiteElo", "2400", &[]),
    (
        "[WhiteElo \"2400\" [Black \"b\"]",
        "WhiteElo",
        "2400",
        &["\"2400\""],
    ),
    ("\n[WhiteElo \"2400\"]\n", "WhiteElo", "2400", &[]),
    (
        "[White \"Nick \"The Ant\" X\"]",
        "White",
        "Nick \"The Ant\" X",
        &["The Ant"],
    ),
    (
        "A remark\n[WhiteElo \"2400\"]",
        "WhiteElo",
        "2400",
        &["A remark"],
    ),
];

#[test]
fn broken_tags_are_kept_with_a_warning() {
    for &(tag, name, value, warned) in TAGS {
        let text = format!(
            "[Event \"x\"]\n{tag}\n[FEN \"{START}\"]\n[Result \"*\"]\n\n1. e4 *\n\n[Event \"y\"]\n\n1. d4 *\n"
        );
        let read = entries(&text);
        assert_eq!(read.len(), 2, "{text}");
        let first = game(&read[0]);
        assert!(
            first.headers.contains(&(name.to_owned(), value.to_owned())),
            "{text}"
        );
        assert_eq!(first.start.fen().as_deref(), Some(START), "{text}");
        assert_eq!((first.plies(), game(&read[1]).plies()), (1, 1), "{text}");
        assert!(first.problems.is_empty(), "{text}: {:?}", first.problems);
        let warnings = &read[0].as_ref().expect("a game").warnings;
        assert_eq!(warnings.len(), warned.len(), "{text}: {warnings:?}");
        for (warning, part) in warnings.iter().zip(warned) {
            assert!(warning.starts_with("games.pgn:2: game 1: "), "{warning}");
            assert!(warning.contains(part), "{warning}");
        }
        assert!(read[1].as_ref().expect("a game").warnings.is_empty());
        // What is written reads back as the same games with the same tags.
        let again = entries(&rewritten(&text));
        assert_eq!(again.len(), 2, "{text}");
        for (before, after) in read.iter().zip(&again) {
            let (before, after) = (game(before), game(after));
            assert_eq!(before.headers, after.headers, "{text}");
            assert_eq!(before.start.fen(), after.start.fen(), "{text}");
            assert_eq!(before.plies(), after.plies(), "{text}");
        }
    }
}

#[test]
fn a_warning_says_how_a_tag_is_read() {
    let read = entries("[Event \"x\"]\n\n[WhiteElo 2400]\n\n1. e4 *\n");
    let warnings = &read[0].as_ref().expect("a game").warnings;
    assert_eq!(
        warnings,
        &["games.pgn:3: \"[WhiteElo 2400]\" is not a valid tag: read as [WhiteElo \"2400\"]"]
    );
    let read = entries("Paris, in the opera\n[Event \"x\"]\n\n1. e4 *\n");
    let warnings = &read[0].as_ref().expect("a game").warnings;
    assert_eq!(
        warnings,
        &["games.pgn:1: \"Paris, in the opera\" is neither a tag nor a move: ignored"]
    );
}

#[test]
fn what_stands_before_the_tags_belongs_to_the_game() {
    for (above, warnings) in [
        ("", 0),
        (";; list of two games\n\n", 0),
        ("; one\n; two\n", 0),
        ("{list of two games}\n", 0),
        ("{list\n\nof two games} ", 0),
        ("% exported by a program\n", 0),
        ("\u{feff}% exported by a program\n", 0),
        ("%\n%\n\n", 0),
        ("Two games\n", 1),
        ("Two games\nfrom Paris\n\n", 2),
        ("[two games]\n", 1),
    ] {
        for tags in [
            "[Event \"one\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n",
            "",
        ] {
            let text = format!("{above}{tags}1. e4 *\n\n;; second\n\n[Event \"two\"]\n\n1. d4 *\n");
            let read = entries(&text);
            assert_eq!(read.len(), 2, "{text}");
            assert_eq!(
                (game(&read[0]).plies(), game(&read[1]).plies()),
                (1, 1),
                "{text}"
            );
            assert_eq!(
                game(&read[0]).header("Event").is_some(),
                !tags.is_empty(),
                "{text}"
            );
            let first = read[0].as_ref().expect("a game");
            assert_eq!(
                first.warnings.len(),
                warnings,
                "{text}: {:?}",
                first.warnings
            );
            assert!(first.problems.is_empty(), "{text}: {:?}", first.problems);
            // A comment in braces is one of the game.
            let comment = game(&read[0]).nodes[0].text();
            assert_eq!(!comment.is_empty(), above.starts_with('{'), "{text}");
            let written = rewritten(&text);
            let again = entries(&written);
            assert_eq!(again.len(), 2, "{written}");
            assert_eq!(game(&again[0]).headers, game(&read[0]).headers, "{written}");
            assert!(
                written.contains(above.trim_matches(['\n', ' ', '\u{feff}'])),
                "{written}"
            );
            let games = Games::new(text.clone().into_bytes());
            let mut whole = Vec::new();
            games
                .write_with(&mut whole, &BTreeMap::new())
                .expect("written");
            assert_eq!(whole, text.into_bytes());
        }
    }
}

/// A text between games belongs to the one after it; a tag may be lost in neither.
#[test]
fn a_text_between_games_divides_nothing() {
    let text =
        "[Event \"1\"]\n\n1. e4 *\n\nGame two\n[Event \"2\"]\n\n1. d4 *\n\nGame three\n\n1. c4 *\n";
    let read = entries(text);
    let plies: Vec<u32> = read.iter().map(|e| game(e).plies()).collect();
    assert_eq!(plies, [1, 1, 1]);
    let warned: Vec<usize> = read
        .iter()
        .map(|e| e.as_ref().expect("a game").warnings.len())
        .collect();
    assert_eq!(warned, [0, 1, 1]);
    assert_eq!(game(&read[1]).header("Event"), Some("2"));
}

#[test]
fn a_start_position_is_read_or_refused_and_never_replaced() {
    let with = |tag: &str| {
        entries(&format!(
            "[Event \"1\"]\n{tag}\n\n1. e4 *\n\n[Event \"2\"]\n\n1. d4 *\n"
        ))
    };
    for tag in [
        format!("[FEN \"{START}\"]"),
        format!("[FEN {START}]"),
        format!("[FEN '{START}']"),
        format!("[FEN “{START}”]"),
        format!("[FEN \"{START}]"),
        format!("[FEN {START}\"]"),
        format!("[FEN \"{START}\""),
        format!("[FEN {START}"),
        format!("[fen \"{START}\"]"),
        format!("[Fen: \"{START}\"]"),
        format!("FEN \"{START}\"]"),
        format!("[FEN \"{START}\"] ; the end"),
        format!("[SetUp \"1\"] [FEN \"{START}\"]"),
        format!("{{the end}} [FEN \"{START}\"]"),
    ] {
        let read = with(&tag);
        assert_eq!(read.len(), 2, "{tag}");
        assert_eq!(game(&read[0]).start.fen().as_deref(), Some(START), "{tag}");
        assert_eq!(
            (game(&read[0]).plies(), game(&read[1]).plies()),
            (1, 1),
            "{tag}"
        );
    }
    for (tag, found) in [
        ("[FEN \"\"]", "nothing"),
        ("[FEN]", "nothing"),
        ("[FEN", "nothing"),
        ("[FEN nonsense]", "\"o\""),
        (
            "[fen 4k3/8/8/8/8/8/4P3/4K2 w - - 0 1]",
            "7 squares (\"4K2\")",
        ),
    ] {
        let read = with(tag);
        assert_eq!(read.len(), 2, "{tag}");
        let error = read[0].as_ref().expect_err(tag);
        let expected = format!("games.pgn:2: game 1: found {found}, expected ");
        assert!(error.starts_with(&expected), "{tag}: {error}");
        assert_eq!(game(&read[1]).plies(), 1, "{tag}");
    }
}

#[test]
fn what_is_corrected_in_a_start_position_is_told_with_its_line() {
    for (tags, warnings) in [
        (
            "[FEN \"4k3/8/8/8/8/8/8/4KR2 w K - 0 1\"]",
            vec!["read as Chess960"],
        ),
        (
            "[Variant \"Chess960\"]\n[FEN \"4k3/8/8/8/8/8/8/4KR2 w K - 0 1\"]",
            vec![],
        ),
        (
            "[variant chess960]\n[FEN \"4k3/8/8/8/8/8/8/4KR2 w K - 0 1\"]",
            vec!["[Variant \"chess960\"]"],
        ),
        ("[FEN \"4k3/8/8/8/8/8/8/4KR2 w F - 0 1\"]", vec![]),
        (
            "[FEN \"r6k/8/8/8/8/8/8/4K3 b q - 0 1\"]",
            vec!["home squares: ignored"],
        ),
        (
            "[FEN \"4k3/8/8/8/8/8/8/4K3 w - e6 0 1\"]",
            vec!["en passant square"],
        ),
    ] {
        let read = entries(&format!("[Event \"1\"]\n{tags}\n\n*\n"));
        let found = &read[0].as_ref().expect(tags).warnings;
        assert_eq!(found.len(), warnings.len(), "{found:?}");
        for (found, part) in found.iter().zip(warnings) {
            assert!(
                found.starts_with("games.pgn:2: ") && found.contains(part),
                "{found}"
            );
        }
    }
}

/// Every sign behind a move, glued to it or apart, is its glyph.
#[test]
fn assessments_are_glyphs() {
    // White's move and Black's.
    for (sign, nags) in [
        ("=", [10, 10]),
        ("∞", [13, 13]),
        ("⩲", [14, 14]),
        ("+=", [14, 14]),
        ("+/=", [14, 14]),
        ("⩱", [15, 15]),
        ("=+", [15, 15]),
        ("=/+", [15, 15]),
        ("±", [16, 16]),
        ("+/-", [16, 16]),
        ("+/−", [16, 16]),
        ("∓", [17, 17]),
        ("-/+", [17, 17]),
        ("+-", [18, 18]),
        ("+−", [18, 18]),
        ("+–", [18, 18]),
        ("-+", [19, 19]),
        ("+--", [20, 20]),
        ("--+", [21, 21]),
        ("□", [7, 7]),
        ("N", [146, 146]),
        ("TN", [146, 146]),
        ("=/∞", [44, 45]),
        ("⟳", [32, 33]),
        ("↑", [36, 37]),
        ("→", [40, 41]),
        ("⇆", [132, 133]),
        ("⊕", [138, 139]),
        ("∆", [140, 140]),
        ("⌓", [142, 142]),
    ] {
        // Apart, this is a null move that gives check.
        let spaces = if sign == "--+" { &[""][..] } else { &["", " "] };
        for space in spaces {
            let text = format!("1. e4 e5 2. Nf3{space}{sign} Nc6{space}{sign} 3. Bb5 a6 *\n");
            let read = entries(&text);
            let game = game(&read[0]);
            assert!(game.problems.is_empty(), "{text}: {:?}", game.problems);
            assert_eq!(game.plies(), 6, "{text}");
            let line = game.main_line();
            let found = [3, 4].map(|ply| game.nodes[line[ply]].nags.clone());
            assert_eq!(found, nags.map(|nag| vec![nag]), "{text}");
        }
    }
}

#[test]
fn signs_are_told_from_checks_and_promotions() {
    for (fen, word, san, nags) in [
        (START, "e4!?⩲", "e4", &[5, 14][..]),
        (START, "e4⩲!?", "e4", &[14, 5]),
        (START, "e4N⩲", "e4", &[146, 14]),
        (START, "e2-e4±", "e4", &[16]),
        (START, "e2e4+=", "e4", &[14]),
        // A check: the plus is its sign.
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Rh8+=", "Rh8+", &[10]),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Rh8++-", "Rh8+", &[18]),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Rh8+-", "Rh8+", &[18]),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Rh7+=", "Rh7", &[14]),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O±", "O-O", &[16]),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "0-0+-", "O-O", &[18]),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8=Q+=", "a8=Q", &[14]),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8=Q=", "a8=Q", &[10]),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8N", "a8=N", &[]),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8NN", "a8=N", &[146]),
        ("8/4P2k/8/8/8/8/8/K7 w - - 0 1", "e8Q+-", "e8=Q", &[18]),
        ("7k/4P3/8/8/8/8/8/K7 w - - 0 1", "e8=Q+=", "e8=Q+", &[10]),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6e.p.", "exd6", &[]),
        (
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
            "exd6ep⩲",
            "exd6",
            &[14],
        ),
    ] {
        let text = format!("[FEN \"{fen}\"]\n\n1. {word} *\n");
        let read = entries(&text);
        let game = game(&read[0]);
        assert!(game.problems.is_empty(), "{word}: {:?}", game.problems);
        let last = game.nodes.last().expect("a node");
        assert_eq!(
            (last.san.as_str(), last.nags.as_slice()),
            (san, nags),
            "{word}"
        );
    }
    // Something else is no sign.
    for word in ["e4x", "e4+=x", "e4½", "e41-0", "e4%", "e4========="] {
        let read = entries(&format!("1. {word} e5 *\n"));
        let problem = match &read[0] {
            Ok(entry) => entry.problems.first().expect(word).to_string(),
            Err(error) => error.clone(),
        };
        assert!(problem.contains("expected a legal move"), "{problem}");
    }
}

#[test]
fn null_moves_are_read_in_every_form() {
    for pass in ["--", "Z0", "@@@@", "0000", "<>", "null", "pass", "Pass"] {
        let read = entries(&format!("1. e4 {pass} 2. d4 *\n"));
        let game = game(&read[0]);
        assert!(game.problems.is_empty(), "{pass}: {:?}", game.problems);
        let line = game.main_line().into_iter().skip(1);
        let names: Vec<&str> = line.map(|n| game.nodes[n].san.as_str()).collect();
        assert_eq!(names, ["e4", "--", "d4"], "{pass}");
        // Not in check.
        let read = entries(&format!("1. e4 f6 2. Qh5+ {pass} *\n"));
        assert_eq!(
            read[0].as_ref().expect("a game").problems.len(),
            1,
            "{pass}"
        );
    }
}
