//! Writing games back: exactly the requested annotations are added, and every existing byte is kept.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use common::data;
use game::load::pgn::annotation::Evaluation;
use game::load::pgn::{Annotation, Existing, Games};
use game::load::{GameNode, GameTree};
use game::{Game as _, MoveCode, notation};
use proptest::prelude::*;

fn games(text: impl AsRef<[u8]>) -> Games {
    Games::new(text.as_ref().to_vec())
}

fn evaluated(node: usize, centipawns: i32) -> Annotation {
    Annotation {
        node,
        evaluation: Some((Evaluation::Centipawns(centipawns), Some(18))),
        ..Annotation::default()
    }
}

fn marked(node: usize, nag: u8) -> Annotation {
    Annotation {
        node,
        nag: Some(nag),
        ..Annotation::default()
    }
}

/// A variation in place of the move of `node`.
fn varied(text: &str, node: usize, line: &str) -> Annotation {
    let tree = games(text).game(0).expect("a game");
    let parent = tree.nodes[node].parent.expect("a move");
    let before = tree.situation_of(parent);
    let (_, moves) = notation::play_moves(&before, line).expect("legal");
    let codes = moves.into_iter().map(|m| before.position.encode(m));
    Annotation {
        node,
        variation: codes.collect(),
        remark: Some("alpha-beta: {0.31}".to_owned()),
        ..Annotation::default()
    }
}

fn written(text: &str, annotations: &[Annotation]) -> String {
    let bytes = games(text).annotated(0, annotations, Existing::Keep);
    String::from_utf8(bytes.expect(text)).expect("text")
}

#[test]
fn evaluations_go_into_the_comment_that_is_there() {
    for (text, expected) in [
        ("1. e4 e5 *", "1. e4 { [%eval 0.31,18] } 1... e5 *"),
        ("1. e4 1... e5 *", "1. e4 { [%eval 0.31,18] } 1... e5 *"),
        ("1. e4! e5", "1. e4! { [%eval 0.31,18] } 1... e5"),
        ("1. e4 $1 $14 *", "1. e4 $1 $14 { [%eval 0.31,18] } *"),
        ("1. e4 +/= {x} *", "1. e4 +/= {[%eval 0.31,18] x} *"),
        ("1. e4 {good} e5", "1. e4 {[%eval 0.31,18] good} e5"),
        (
            "1. e4 { [%clk 0:03:00] } e5",
            "1. e4 { [%eval 0.31,18] [%clk 0:03:00] } e5",
        ),
        ("1. e4{}e5", "1. e4{[%eval 0.31,18] }e5"),
        (
            "1. e4 (1. d4 {q}) {later} e5",
            "1. e4 (1. d4 {q}) {[%eval 0.31,18] later} e5",
        ),
        (
            "1. e4 ; king's pawn\n e5 *",
            "1. e4 { [%eval 0.31,18] } ; king's pawn\n 1... e5 *",
        ),
        ("e4 (d4) e5", "e4 { [%eval 0.31,18] } (d4) 1... e5"),
        ("1.e4", "1.e4 { [%eval 0.31,18] }"),
        // What cannot be read is ignored; what can be read is kept.
        ("1. e4 {[%eval ?]}", "1. e4 {[%eval 0.31,18] [%eval ?]}"),
        ("1. e4 {a} {[%eval #3]} e5", "1. e4 {a} {[%eval #3]} e5"),
    ] {
        assert_eq!(written(text, &[evaluated(1, 31)]), expected, "{text}");
    }
}

#[test]
fn evaluations_are_replaced_where_that_is_wanted() {
    for (text, expected) in [
        (
            "1. e4 {a [%eval 0.2] b} e5",
            "1. e4 {a [%eval -0.05,18] b} e5",
        ),
        (
            "1. e4 {a} {b [%eval #3,20]} e5",
            "1. e4 {a} {b [%eval -0.05,18]} e5",
        ),
        ("1. e4 {[%eval ?]}", "1. e4 {[%eval -0.05,18]}"),
        ("1. e4 {a} e5", "1. e4 {[%eval -0.05,18] a} e5"),
    ] {
        let bytes = games(text).annotated(0, &[evaluated(1, -5)], Existing::Replace);
        assert_eq!(bytes.expect(text), expected.as_bytes());
    }
}

#[test]
fn marks_stand_behind_the_move_unless_it_has_one() {
    for (text, node, expected) in [
        ("1. e4 e5 *", 1, "1. e4 $4 e5 *"),
        ("1. e4{c}e5", 1, "1. e4 $4{c}e5"),
        ("1. e4 $14 (1. d4) e5", 1, "1. e4 $14 $4 (1. d4) e5"),
        ("1. e4?! e5", 1, "1. e4?! e5"),
        ("1. e4 {c} $2 e5", 1, "1. e4 {c} $2 e5"),
        ("1. e4 (1. d4) 1... e5;x", 3, "1. e4 (1. d4) 1... e5 $4;x"),
    ] {
        assert_eq!(written(text, &[marked(node, 4)]), expected, "{text}");
    }
}

#[test]
fn better_lines_become_variations() {
    for (text, node, line, expected) in [
        (
            "1. e4 e5 2. Nf3 *",
            2,
            "c5 Nf3",
            "1. e4 e5 ({ alpha-beta: (0.31) } 1...c5 2.Nf3) 2. Nf3 *",
        ),
        (
            "1. e4 e5 *",
            1,
            "d4",
            "1. e4 ({ alpha-beta: (0.31) } 1.d4) 1... e5 *",
        ),
        (
            "1. e4 {c} (1. c4 (1. b4)) $5 ; r\r\n e5 *",
            1,
            "d4",
            "1. e4 {c} (1. c4 (1. b4)) $5 ; r\r\n({ alpha-beta: (0.31) } 1.d4)  1... e5 *",
        ),
        (
            "1. e4 (1. c4 c5) e5 *",
            3,
            "c6",
            "1. e4 (1. c4 c5 ({ alpha-beta: (0.31) } 1...c6)) e5 *",
        ),
        (
            "1. e4 ; r",
            1,
            "d4",
            "1. e4 ; r\n({ alpha-beta: (0.31) } 1.d4)\n",
        ),
        // Part of a line that the game already has.
        (
            "1. e4 (1. d4 d5 2. c4) *",
            1,
            "d4 d5",
            "1. e4 (1. d4 d5 2. c4) *",
        ),
    ] {
        let annotation = varied(text, node, line);
        assert_eq!(written(text, &[annotation]), expected, "{text}");
    }
}

#[test]
fn all_at_once_stand_in_their_order() {
    let text = "1. e4 e5 2. Nf3 *";
    let all = Annotation {
        nag: Some(6),
        ..Annotation {
            evaluation: Some((Evaluation::Mate(-3), None)),
            ..varied(text, 1, "d4 d5")
        }
    };
    let once = written(text, std::slice::from_ref(&all));
    assert_eq!(
        once,
        "1. e4 $6 { [%eval #-3] } ({ alpha-beta: (0.31) } 1.d4 d5) 1... e5 2. Nf3 *"
    );
    assert_eq!(written(text, &[all.clone(), all.clone()]), once);
    assert_eq!(written(&once, &[all]), once);
}

#[test]
fn the_beginning_of_a_game_is_evaluated_before_its_first_move() {
    for (text, expected) in [
        (
            "[A \"\"]\n\n1. e4 *",
            "[A \"\"]\n\n{ [%eval 0.20,18] } 1. e4 *",
        ),
        // Without tags, a game is recognised by its first move number.
        ("e4 e5", "1. { [%eval 0.20,18] } e4 e5"),
        ("1.e4 e5", "1. { [%eval 0.20,18] } e4 e5"),
        ("{x} 1. e4", "{[%eval 0.20,18] x} 1. e4"),
        ("[A \"\"]\n", "[A \"\"]\n{ [%eval 0.20,18] }\n"),
        (
            "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 17\"]\n\nKd7 *",
            "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 17\"]\n\n{ [%eval 0.20,18] } 17... Kd7 *",
        ),
    ] {
        assert_eq!(written(text, &[evaluated(0, 20)]), expected);
    }
    // It is not a comment for people.
    let text = written("[Event \"Match\"]\n\n1. e4 *", &[evaluated(0, 20)]);
    let hint = games(text).game(0).expect("a game").hint();
    assert_eq!(hint.as_deref(), Some("Match"));
}

#[test]
fn odd_files_are_kept_as_they_are() {
    // HTML line breaks, carriage returns alone, Latin-1, null moves, castling with zeros, an escaped line, a damaged
    // end.
    let html = "[A \"x\"]<br /><br />1. e4 ; c<br /> e5 *<br />";
    assert_eq!(
        written(html, &[varied(html, 1, "d4")]),
        "[A \"x\"]<br /><br />1. e4 ; c<br />({ alpha-beta: (0.31) } 1.d4)  1... e5 *<br />"
    );
    let returns = "[A \"x\"]\r\r1. e4 ; c";
    assert_eq!(
        written(returns, &[varied(returns, 1, "d4")]),
        "[A \"x\"]\r\r1. e4 ; c\r({ alpha-beta: (0.31) } 1.d4)\r"
    );
    let latin = b"1. e4 {sch\xf6n} (1. d4) Qz9 {nie} 2. d4 *".to_vec();
    let bytes = games(&latin).annotated(0, &[evaluated(1, 31)], Existing::Keep);
    assert_eq!(
        bytes.expect("a game"),
        b"1. e4 {[%eval 0.31,18] sch\xf6n} (1. d4) Qz9 {nie} 2. d4 *"
    );
    let null = "1. e4 -- 2. d4 *";
    assert_eq!(
        written(null, &[evaluated(2, 31)]),
        "1. e4 -- { [%eval 0.31,18] } 2. d4 *"
    );
    let escape = "1. e4\n% {not read}\ne5 2. e2e3?? *";
    assert_eq!(
        written(escape, &[evaluated(1, 31), evaluated(2, 31)]),
        "1. e4 { [%eval 0.31,18] }\n% {not read}\n1... e5 { [%eval 0.31,18] } 2. e2e3?? *"
    );
    let zeros = "[FEN \"4k2r/8/8/8/8/8/8/4K3 b k - 0 9\"]\n\n0-0+ *";
    assert!(written(zeros, &[marked(1, 2)]).ends_with("0-0+ $2 *"));
}

#[test]
fn what_can_not_be_written_is_refused() {
    let text = "1. e4 e5 *";
    let refused = |annotation: Annotation| {
        let error = games(text).annotated(0, &[annotation], Existing::Keep);
        error.expect_err("nothing to write it at").to_string()
    };
    assert!(refused(evaluated(3, 1)).contains("expected a move of the game"));
    let illegal = Annotation {
        node: 2,
        ..varied(text, 1, "d4")
    };
    assert!(refused(illegal).contains("expected legal moves"));
    let before = Annotation {
        node: 0,
        ..varied(text, 1, "d4")
    };
    assert!(refused(before).contains("before the first move"));
    assert!(games(text).annotated(1, &[], Existing::Keep).is_err());
    // A number after a blank line would begin a new game.
    let two = "1. e4 ; c\n\ne5 *";
    let error = games(two).annotated(0, &[evaluated(1, 1)], Existing::Keep);
    assert!(
        error
            .expect_err("two games")
            .to_string()
            .contains("how this game is read")
    );
    // A number before the first move makes a later number stray, after which the line does not end.
    for text in [
        "-- -- 1. $1",
        "-- 2. {} $1",
        "e4({ a }2.--{ a }{ a }2.{ a }1.",
    ] {
        assert_eq!(check(text.as_bytes(), text), (0, 1), "{text}");
    }
    // A tag that would start a third game; the game consisting only of a tag may get its comment.
    let tagged = "e4\n\n--$11-0\n[Event \"x\"]\n\n";
    assert_eq!(check(tagged.as_bytes(), tagged), (1, 1));
    let tags = "[Event \"x\"]\n\n[Event \"y\"]\n\n1. e4 *\n";
    let (annotated, refused) = check(tags.as_bytes(), tags);
    assert!(annotated > 0 && refused == 0);
}

#[test]
fn a_file_is_written_with_some_of_its_games_replaced() {
    let text = "% mine\n[A \"1\"]\n\n1. e4 *\n\n[A \"2\"]\n\n1. d4 *\n\n\n[A \"3\"]\n\n1. c4 *\n";
    let path = std::env::temp_dir().join(format!("plyscope-write-{}.pgn", std::process::id()));
    fs::write(&path, text).expect("a file");
    let opened = Games::open(&path).expect("the file");
    let second = opened.annotated(1, &[evaluated(1, 31)], Existing::Keep);
    let replaced = BTreeMap::from([(1, second.expect("a game"))]);
    let mut out = Vec::new();
    opened.write_with(&mut out, &replaced).expect("written");
    let expected = text.replace("d4 *", "d4 { [%eval 0.31,18] } *");
    assert_eq!(String::from_utf8_lossy(&out), expected);
    // Writing to the file itself, after which it is no longer the one that was opened.
    opened.save(&path, &replaced).expect("saved");
    assert_eq!(fs::read_to_string(&path).expect("it"), expected);
    let error = opened.game(1).expect_err("another file");
    assert!(error.to_string().contains("changed on disk"), "{error}");
    assert!(opened.save(&path, &BTreeMap::new()).is_err());
    assert_eq!(fs::read_to_string(&path).expect("it"), expected);
    let again = Games::open(&path)
        .expect("the file")
        .game(1)
        .expect("a game");
    assert_eq!(again.nodes[1].evaluation_depth(), Some(18));
    let _ = fs::remove_file(&path);
}

/// Annotates every move with everything.
fn everything(tree: &GameTree) -> Vec<Annotation> {
    let about = |node: usize| {
        let evaluation = Evaluation::Centipawns(node as i32 * 7 - 300);
        Annotation {
            node,
            evaluation: Some((evaluation, node.is_multiple_of(2).then_some(18))),
            nag: node.is_multiple_of(3).then_some([2, 4, 6][node / 3 % 3]),
            variation: if node % 4 == 1 {
                better(tree, node)
            } else {
                Vec::new()
            },
            remark: (node % 8 == 1).then(|| "better – said \u{1b} an {engine}".to_owned()),
        }
    };
    (0..tree.nodes.len()).map(about).collect()
}

/// A line in place of a move that the game does not have yet.
fn better(tree: &GameTree, node: usize) -> Vec<MoveCode> {
    let Some(parent) = tree.nodes[node].parent else {
        return Vec::new();
    };
    let played: Vec<_> = tree.nodes[parent]
        .children
        .iter()
        .map(|&c| tree.nodes[c].m)
        .collect();
    let mut position = tree.situation_of(parent).position;
    let mut line = Vec::new();
    for ply in 0..3 {
        let moves = position.legal_moves();
        let Some(&m) = moves
            .iter()
            .find(|m| ply > 0 || !played.contains(&Some(position.encode(**m))))
        else {
            break;
        };
        line.push(position.encode(m));
        position.play(m);
    }
    line
}

fn has_mark(node: &GameNode) -> bool {
    node.nags.iter().any(|nag| (1..=6).contains(nag))
}

/// The trees differ by the annotations and nothing else.
fn assert_added(old: &GameTree, new: &GameTree, asked: &[Annotation], existing: Existing) {
    assert_eq!(old.headers, new.headers);
    assert_eq!(old.outcome, new.outcome);
    assert_eq!(old.problems.len(), new.problems.len());
    let mut pairs = vec![(0, 0)];
    while let Some((o, n)) = pairs.pop() {
        let (before, after, asked_here) = (&old.nodes[o], &new.nodes[n], &asked[o]);
        assert_eq!(before.san, after.san);
        assert_eq!(before.text(), after.text(), "{}", before.san);
        assert_eq!(before.clock(), after.clock());
        let kept = before.evaluation().filter(|_| existing == Existing::Keep);
        let wanted = asked_here.evaluation.expect("asked for everywhere");
        assert_eq!(
            after.evaluation(),
            kept.or(Some(wanted.0)),
            "{}",
            before.san
        );
        if kept.is_none() {
            assert_eq!(after.evaluation_depth(), wanted.1);
        }
        let mut nags = after.nags.clone();
        if let Some(nag) = asked_here.nag.filter(|_| o != 0 && !has_mark(before)) {
            let at = nags.iter().position(|n| *n == nag).expect("the mark");
            nags.remove(at);
        }
        assert_eq!(nags, before.nags);
        let (kept, added) = children(old, o, new, n);
        pairs.extend(before.children.iter().copied().zip(kept));
        let lines: Vec<Vec<MoveCode>> = added.iter().map(|&child| line(new, child)).collect();
        let children = before.children.iter();
        let wanted = children
            .map(|&c| &asked[c].variation)
            .filter(|v| !v.is_empty());
        // Variations at the same place are in the order of their moves in the text.
        let mut wanted: Vec<&Vec<MoveCode>> = wanted.collect();
        let mut found: Vec<&Vec<MoveCode>> = lines.iter().collect();
        wanted.sort_by_key(|line| format!("{line:?}"));
        wanted.dedup();
        found.sort_by_key(|line| format!("{line:?}"));
        assert_eq!(found, wanted);
    }
}

/// The children of the corresponding node: the existing ones in their old order, and the added ones. An added variation
/// comes after the existing ones, but before one that is never closed.
fn children(old: &GameTree, o: usize, new: &GameTree, n: usize) -> (Vec<usize>, Vec<usize>) {
    let mut added = new.nodes[n].children.clone();
    let mut kept = Vec::new();
    for &child in &old.nodes[o].children {
        let same = |&c: &usize| new.nodes[c].san == old.nodes[child].san;
        let at = added.iter().position(same).expect("a move that was there");
        kept.push(added.remove(at));
    }
    (kept, added)
}

/// The moves from a node on.
fn line(tree: &GameTree, node: usize) -> Vec<MoveCode> {
    let mut moves = Vec::new();
    let mut at = Some(node);
    while let Some(node) = at.map(|at| &tree.nodes[at]) {
        moves.extend(node.m);
        at = node.children.first().copied();
    }
    moves
}

/// Nothing was removed or reordered.
fn is_within(old: &[u8], new: &[u8]) -> bool {
    let mut rest = new.iter();
    old.iter().all(|byte| rest.any(|b| b == byte))
}

/// Holds for every file. Returns the numbers of games that were annotated, and of those that cannot be because the
/// annotations would start a new game.
fn check(bytes: &[u8], name: &str) -> (usize, usize) {
    let mut refused = 0;
    let original = games(bytes);
    let mut out = Vec::new();
    original
        .write_with(&mut out, &BTreeMap::new())
        .expect("written");
    assert_eq!(out, bytes, "{name}");
    let mut replaced = BTreeMap::new();
    for i in 0..original.len() {
        let Ok(old) = original.game(i) else { continue };
        let span = original.span(i).expect("it");
        let same = original.annotated(i, &[], Existing::Keep).expect(name);
        assert_eq!(same, &bytes[span.start..span.end], "{name}");
        let asked = everything(&old);
        let text = match original.annotated(i, &asked, Existing::Keep) {
            Ok(text) => text,
            Err(error) => {
                assert!(
                    error.to_string().contains("how this game is read"),
                    "{name}: {error}"
                );
                refused += 1;
                continue;
            }
        };
        assert!(is_within(&same, &text), "{name}");
        replaced.insert(i, text);
    }
    out.clear();
    original.write_with(&mut out, &replaced).expect("written");
    let annotated = games(&out);
    assert_eq!(annotated.len(), original.len(), "{name}");
    for (&i, text) in &replaced {
        let old = original.game(i).expect("it was read");
        let asked = everything(&old);
        let new = annotated.game(i).expect(name);
        assert_added(&old, &new, &asked, Existing::Keep);
        let alone = original
            .annotated(i, &asked, Existing::Replace)
            .expect(name);
        let alone = games(alone).game(0).expect(name);
        assert_added(&old, &alone, &asked, Existing::Replace);
        // Asking for the same annotations again adds nothing. The nodes have new numbers by then.
        let numbers = renumbered(&old, &new);
        let again: Vec<Annotation> = asked
            .into_iter()
            .map(|a| Annotation {
                node: numbers[a.node],
                ..a
            })
            .collect();
        let second = annotated.annotated(i, &again, Existing::Keep).expect(name);
        assert_eq!(
            String::from_utf8_lossy(&second),
            String::from_utf8_lossy(text),
            "{name}"
        );
    }
    (replaced.len(), refused)
}

/// Maps the nodes of the old game to those of the new one.
fn renumbered(old: &GameTree, new: &GameTree) -> Vec<usize> {
    let mut numbers = vec![0; old.nodes.len()];
    for (o, node) in old.nodes.iter().enumerate() {
        let (kept, _) = children(old, o, new, numbers[o]);
        for (&child, kept) in node.children.iter().zip(kept) {
            numbers[child] = kept;
        }
    }
    numbers
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_none_or(|e| e == "pgn") {
            found.push(path);
        }
    }
}

#[test]
fn the_files_of_many_hands_keep_every_byte() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    files(&root.join("tests/fixtures/pgn"), &mut found);
    files(
        &root.join("tests/fixtures/bad_input/chessops_fuzz_pgn"),
        &mut found,
    );
    assert!(found.len() > 30);
    if let Some(folder) = data("pgn") {
        files(&folder, &mut found);
    }
    let (mut count, mut refused) = (0, 0);
    for path in found {
        let mut bytes = fs::read(&path).expect("a file");
        // Of the large files, only a part.
        bytes.truncate(200_000);
        let (annotated, not) = check(&bytes, &path.to_string_lossy());
        count += annotated;
        refused += not;
    }
    println!("{count} games annotated, {refused} refused");
    assert!(count > 30 && refused == 0, "{refused} of {count} refused");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn whatever_stands_there_is_kept(
        words in prop::collection::vec(
            prop::sample::select(vec![
                "[Event \"x\"]\n\n", "\n", "\n\n", "1.", "1...", "2.", "e4", "e5", "Nf3", "d4", "d5", "c5", "Qz9", "(", ")", "{ a }",
                "{[%eval 0.2]}", "{[%clk 0:01:00]}", "{}", "; c\n", "$1", "$14", "$999", "!", "??", "1-0", "*", "--", "e2e4",
                "\n% esc\n", "+/-", "½-½", "é", "0-0",
            ]),
            0..40,
        ),
        spaced in any::<bool>(),
    ) {
        let text = words.join(if spaced { " " } else { "" });
        check(text.as_bytes(), &text);
        check(text.replace('\n', "<br />").as_bytes(), &text);
    }
}
