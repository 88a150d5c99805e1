//! `plyscope review`, as run by a user or a script.

use crate::cli_support;

use std::fs;
use std::time::Duration;

use algorithms::Algorithm;
use cli_support::{Run, file, plyscope, with_columns, with_input};
use game::load::pgn::{Existing, Games};
use serde_json::Value;
use session::{Budget, Config, Subject};
use studies::compare::ColumnSpec;
use studies::review::{Review, Wanted};

/// A game with comments, a clock, a variation and an evaluation, one with mistakes to the end, and one with a null move.
const GAMES: &str = "\
[Event \"Café\"]
[White \"Adams & Co. <x>\"]
[Black \"Torre\"]
[Result \"1-0\"]

1. e4 {best by test} e5 {[%clk 0:05:00]} 2. Nf3 (2. f4 exf4 $1) 2... f6 {[%eval 0.10]} 3. Nxe5 fxe5
4. Qh5+ Ke7 $4 5. Qxe5+ Kf7 6. Bc4+ d5 1-0

[White \"Fool\"]
[Black \"Scholar\"]
[Result \"0-1\"]

1. f3 e5 2. g4 Qh4# 0-1

[White \"Third\"]
[Black \"Fourth\"]
[Result \"*\"]

1. d4 d5 2. c4 dxc4 3. e4 Qxd4 *
";

fn review(path: &str, arguments: &[&str]) -> Run {
    let columns: &[&str] = match arguments.contains(&"-a") {
        true => &[],
        false => &["-a", "alpha-beta"],
    };
    let budget: &[&str] = match arguments.contains(&"--nodes") {
        true => &[],
        false => &["--nodes", "400"],
    };
    plyscope(&[&["review", path], columns, budget, arguments].concat())
}

/// Returns a path in the tests' folder where nothing exists.
fn fresh(name: &str) -> String {
    let path = file(name, "");
    fs::remove_file(&path).expect("it was there");
    path
}

fn read(path: &str) -> String {
    fs::read_to_string(path).expect("a file")
}

/// Without everything that depends on the machine's speed.
fn timeless(run: &Run) -> Vec<Value> {
    let mut lines = run.json_lines();
    for line in &mut lines {
        for column in line["columns"].as_array_mut().expect("columns") {
            column.as_object_mut().expect("a column").remove("cpu_ms");
        }
    }
    lines
}

/// Reviews a game as the workbench does and writes it back.
fn by_the_workbench(games: &Games, game: usize, existing: Existing) -> Vec<u8> {
    let tree = games.game(game).expect("a game");
    let line = tree.main_line();
    let positions = tree.situations_of(&line).map(Subject::from).collect();
    let column = ColumnSpec::parse("alpha-beta", &Config::new(Algorithm::AlphaBeta));
    let columns = vec![column.expect("a column")];
    let review = Review::start(positions, columns, Budget::Nodes(400), 1);
    while !review.is_complete() {
        std::thread::sleep(Duration::from_millis(1));
    }
    let annotations = review.annotations(0, &line, Wanted::default());
    assert!(!annotations.is_empty());
    let text = games.annotated(game, &annotations, existing);
    text.expect("annotated")
}

#[test]
fn games_come_back_as_the_workbench_writes_them() {
    let path = file("review.pgn", GAMES);
    let games = Games::new(GAMES.as_bytes().to_vec());
    for (option, existing) in [("keep", Existing::Keep), ("replace", Existing::Replace)] {
        let out = fresh("reviewed.pgn");
        review(&path, &["-o", &out, "--existing", option]).clean();
        let expected: Vec<u8> = (0..3)
            .flat_map(|game| games.separate(game, by_the_workbench(&games, game, existing)))
            .collect();
        assert_eq!(read(&out), String::from_utf8(expected).expect("UTF-8"));
    }
    let out = fresh("reviewed-again.pgn");
    review(&path, &["-o", &out, "--games", "1-2"]).clean();
    let text = read(&out);
    for part in [
        "best by test}",
        "[%clk 0:05:00]}",
        "(2. f4 exf4 $1)",
        "[%eval 0.10]",
        "2... f6 $6",
        "400 nodes",
        "[Event \"Café\"]",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("Third"));
}

#[test]
fn the_summary_says_what_each_side_lost() {
    let path = file("summary.pgn", GAMES);
    let run = review(&path, &["-a", "alpha-beta", "-a", "distress"]).clean();
    for part in [
        "1. Adams & Co. <x> – Torre, 1–0 · C40 ",
        " · 12 plies · 400 nodes each",
        "White  accuracy  ?!  ?  ??  Black",
        "A  alpha-beta",
        "B  distress",
        "largest disagreements",
        "apart (White's view).",
        "3 games",
    ] {
        assert!(run.out.contains(part), "{part}: {}", run.out);
    }
    let arguments = ["review", &path, "--nodes", "100", "--ascii", "--game", "2"];
    let run = with_columns("80", &arguments).clean();
    assert!(
        run.out.is_ascii() && run.out.starts_with("2. Fool"),
        "{}",
        run.out
    );
    let long = "distress:backup=frechet:.8,ties=essay";
    let arguments = ["review", &path, "--nodes", "50", "-a", "mcts", "-a", long];
    for line in with_columns("80", &arguments).clean().out.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    // - for a file means standard input, and for -o no file.
    let arguments = ["review", "-", "-a", "mcts", "--nodes", "50", "-o", "-"];
    let run = with_input(&arguments, GAMES.as_bytes()).clean();
    assert!(run.out.contains("A  mcts"), "{}", run.out);
}

#[test]
fn json_adds_up() {
    let path = file("json-review.pgn", GAMES);
    let run = review(&path, &["-a", "alpha-beta", "-a", "mcts", "--json"]).clean();
    let lines = run.json_lines();
    assert_eq!(lines.len(), 3);
    let game = &lines[0];
    assert_eq!((&game["version"], &game["number"]), (&1.into(), &1.into()));
    assert_eq!(game["tags"]["Black"], "Torre");
    assert_eq!((&game["line"], &lines[1]["line"]), (&1.into(), &9.into()));
    let positions = game["positions"].as_array().expect("positions");
    assert_eq!(positions.len(), 13);
    assert_eq!(positions[2]["played"]["san"], "Nf3");
    for (column, side) in [(0, "white"), (0, "black"), (1, "white"), (1, "black")] {
        let figures = &game["columns"][column][side];
        let of_side = positions.iter().filter(|p| p["side"] == side);
        let cells: Vec<&Value> = of_side.map(|p| &p["columns"][column]).collect();
        let count = |mark: &str| cells.iter().filter(|c| c["mark"] == mark).count();
        assert_eq!(figures["blunders"], count("blunder"), "{column} {side}");
        assert_eq!(figures["mistakes"], count("mistake"));
        assert_eq!(figures["inaccuracies"], count("inaccuracy"));
        let losses: Vec<f64> = cells.iter().filter_map(|c| c["loss"].as_f64()).collect();
        assert_eq!(figures["moves"], losses.len());
        let mean = losses.iter().sum::<f64>() / losses.len() as f64;
        let told = figures["mean_loss"].as_f64().expect("a number");
        assert!((told - mean).abs() < 1e-5, "{told} {mean}");
        let phases = ["opening", "middlegame", "endgame"].map(|p| &figures[p]["moves"]);
        let sum: u64 = phases.iter().filter_map(|n| n.as_u64()).sum();
        assert_eq!(figures["moves"], sum);
    }
    // Values are from White's view: Black mates in the second game.
    let mate = &lines[1]["positions"][3]["columns"][0];
    assert_eq!(
        (&mate["mate"], &mate["expected"]),
        (&(-1).into(), &(-1.0).into())
    );
    let over = &lines[1]["positions"][4]["columns"][0];
    assert_eq!((&over["mate"], &over["over"]), (&0.into(), &true.into()));
}

#[test]
fn threads_and_shards_change_nothing() {
    let path = file("shards.pgn", GAMES);
    let columns = ["-a", "alpha-beta", "-a", "distress", "--json"];
    let run = |name: &str, more: &[&str]| {
        let out = fresh(name);
        let run = review(&path, &[&columns[..], &["-o", &out], more].concat()).clean();
        (timeless(&run), read(&out))
    };
    let whole = run("one-thread.pgn", &["--threads", "1"]);
    assert_eq!(run("threads.pgn", &["--threads", "3"]), whole);
    let (mut lines, mut texts) = (Vec::new(), Vec::new());
    for part in ["3/3", "1/3", "2/3"] {
        let (of_part, text) = run("part.pgn", &["--shard", part]);
        assert_eq!(of_part.len(), 1);
        lines.extend(of_part);
        texts.push(text);
    }
    lines.sort_by_key(|line| line["number"].as_u64());
    assert_eq!(lines, whole.0);
    let games = Games::new(texts.concat().into_bytes());
    assert_eq!(games.len(), 3);
    texts.rotate_left(1);
    assert_eq!(texts.concat(), whole.1);
    // A part may have nothing to do.
    assert_eq!(
        run("none.pgn", &["--shard", "5/5"]),
        (Vec::new(), String::new())
    );
}

#[test]
fn the_page_is_whole_in_itself() {
    let path = file("page.pgn", GAMES);
    let page = fresh("page.html");
    review(&path, &["-a", "alpha-beta", "-a", "mcts", "--html", &page]).clean();
    let text = read(&page);
    assert!(text.starts_with("<!DOCTYPE html>") && text.ends_with("</html>\n"));
    assert_eq!(text.matches("<svg").count(), 3);
    assert_eq!(text.matches("<polyline").count(), 6);
    for part in [
        "Adams &amp; Co. &lt;x&gt; – Torre",
        "2...f6?!",
        "Better: 2...",
        "accuracy",
    ] {
        assert!(text.contains(part), "{part}");
    }
    let without_names = text.replace("http://www.w3.org/2000/svg", "");
    for part in ["<script", "http", "src=", "@import", "NaN"] {
        assert!(!without_names.contains(part), "{part}");
    }
}

#[test]
fn what_cannot_be_read_is_named_and_kept() {
    let bad = "\
[White \"good\"]

1. e4 e5 *

[White \"empty board\"]
[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]

1. e4 *

[White \"half\"]

1. e4 e5 2. Ke3 Nf6 *

[White \"no moves\"]
[Result \"*\"]

*
";
    let path = file("bad-review.pgn", bad);
    let out = fresh("bad-reviewed.pgn");
    let run = review(&path, &["-o", &out]);
    run.harmless();
    assert_eq!((run.status, run.err.lines().count()), (1, 2), "{}", run.err);
    assert!(run.err.contains("bad-review.pgn:6:") && run.err.contains("bad-review.pgn:12:"));
    assert!(run.out.contains("2. empty board") && run.out.contains("not read"));
    let text = read(&out);
    let kept =
        &bad[bad.find("[White \"empty").expect("it")..bad.find("[White \"half").expect("it")];
    assert!(text.contains(kept), "{text}");
    assert!(text.contains("2. Ke3 Nf6 *") && text.ends_with("\n\n*\n\n"));
    assert_eq!(text.matches("[%eval").count(), 4);
    let lines = review(&path, &["--json"]).json_lines();
    assert_eq!(lines.len(), 4);
    assert!(lines[1]["problems"][0].is_string() && lines[1]["positions"] == Value::Array(vec![]));
    // Another file of the same run is reviewed all the same.
    let good = file("good-review.pgn", GAMES);
    let run = review("/no/such/games.pgn", &[&good, "--json"]);
    assert_eq!(run.json_lines().len(), 3);
    run.refused(1);
    assert_eq!(run.json_lines()[0]["file"], good.as_str());
}

#[test]
fn without_a_game_there_is_one_clear_line() {
    let fen = file("position.fen", "8/8/8/4k3/8/8/4K3/8 w - - 0 1\n");
    for path in ["/no/such/games.pgn", &fen, &file("void.pgn", "")] {
        review(path, &[]).refused(1);
    }
    let path = file("usage.pgn", GAMES);
    for arguments in [
        &["--game", "4"][..],
        &["--judge", "B"],
        &["-o", &path],
        &["--html", &path],
        &["-a", "minimax"],
        &["--depth", "3"],
    ] {
        review(&path, arguments).refused(2);
    }
    for arguments in [
        &["--game", "0"][..],
        &["--games", "3-2"],
        &["--shard", "3/2"],
        &["--game", "1", "--games", "1-2"],
    ] {
        assert_eq!(review(&path, arguments).status, 2, "{arguments:?}");
    }
    let run = review(&path, &["-o", "/no/such/folder/out.pgn"]);
    assert_eq!((run.status, run.out.as_str()), (1, ""));
    assert!(run.err.contains("cannot be written"), "{}", run.err);
}

#[test]
fn an_engine_in_trouble_is_reported_once() {
    let path = file("trouble.pgn", GAMES);
    let arguments = ["-a", "alpha-beta", "--engine", "/no/such/engine", "--json"];
    let run = review(&path, &arguments);
    run.harmless();
    assert_eq!((run.status, run.err.lines().count()), (1, 1), "{}", run.err);
    let lines = run.json_lines();
    assert_eq!(lines.len(), 3);
    for line in lines {
        assert!(line["columns"][1]["trouble"].is_string());
        assert!(line["positions"][0]["columns"][0].is_object());
        assert!(line["positions"][0]["columns"][1].is_null());
    }
}

#[test]
fn a_record_is_gone_on_with() {
    let path = file("resume.pgn", GAMES);
    let record = fresh("review.jsonl");
    let columns = ["-a", "alpha-beta", "-a", "distress", "--json"];
    let run = |more: &[&str]| {
        let out = fresh("resumed.pgn");
        let run = review(&path, &[&columns[..], &["-o", &out], more].concat()).clean();
        (timeless(&run), read(&out))
    };
    let whole = run(&[]);
    let resumed = || run(&["--resume", &record]);
    let printed = || {
        let arguments = [&columns[..], &["--resume", &record]].concat();
        review(&path, &arguments).clean().out
    };
    // Times are those of the first run.
    let first = printed();
    assert_eq!(printed(), first);
    assert_eq!(resumed(), whole);
    let text = read(&record);
    let searches = text.lines().count();
    assert!(searches > 40, "{searches}");
    for keep in [1, 2, 10, searches - 1, searches] {
        let end = text.match_indices('\n').nth(keep - 1).expect("lines").0 + 1;
        for cut in [end, (end + 20).min(text.len())] {
            fs::write(&record, &text[..cut]).expect("written");
            assert_eq!(resumed(), whole, "{keep}");
            assert_eq!(read(&record).lines().count(), searches);
        }
    }
    for (more, part) in [
        (&["--seed", "2"][..], "seed 2"),
        (&["--nodes", "401"], "Nodes(401)"),
        (&["--games", "1-2"], "2 of them"),
        (&["-a", "mcts"], "mcts"),
    ] {
        let run = review(
            &path,
            &[&columns[..], &["--resume", &record], more].concat(),
        );
        run.refused(1);
        assert!(run.err.contains(part), "{}", run.err);
    }
    // A result of another position.
    let foreign = text.replacen("\"pv\":[\"e2e4\"", "\"pv\":[\"e7e5\"", 1);
    assert_ne!(foreign, text);
    fs::write(&record, foreign).expect("written");
    review(&path, &[&columns[..], &["--resume", &record]].concat()).refused(1);
}

#[test]
fn games_of_any_files_stay_apart() {
    let files = [
        ("apart-1.pgn", "[White \"tags only\"]\n[Result \"1-0\"]\n"),
        (
            "apart-2.pgn",
            "\u{feff}[Event \"mark\"]\r\n\r\n1. e4 e5 *\r\n",
        ),
        ("apart-3.pgn", "[Site \"returns\"]\r\r1. d4 d5 *\r"),
        ("apart-4.pgn", "[Variant \"Antichess\"]\n\n1. e3 b5 *"),
        ("apart-5.pgn", "[Black \"last\"]\n\n1. c4 1-0"),
    ];
    let paths: Vec<String> = files.map(|(name, text)| file(name, text)).into();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let out = fresh("apart.pgn");
    let run = review(paths[0], &[&paths[1..], &["-o", &out, "--json"]].concat());
    run.refused(1);
    assert!(run.err.contains("apart-4.pgn:1:"), "{}", run.err);
    let before = run.json_lines();
    assert_eq!(before.len(), 5);
    assert!(read(&out).contains("[Variant \"Antichess\"]\n\n1. e3 b5 *\n\n"));
    let after = review(&out, &["--json"]).json_lines();
    assert_eq!(after.len(), 5);
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(
            (&before["tags"], &before["result"]),
            (&after["tags"], &after["result"])
        );
        let played = |game: &Value| -> Vec<Value> {
            let positions = game["positions"].as_array().expect("positions");
            positions.iter().map(|p| p["played"].clone()).collect()
        };
        assert_eq!(played(before), played(after));
    }
}

/// Ctrl-C writes the games that are finished; continuing gives what an uninterrupted run gives.
#[cfg(unix)]
#[test]
fn an_interrupted_review_writes_what_is_finished() {
    use cli_support::interrupted;
    let many: String = (0..8).map(|_| format!("{GAMES}\n")).collect();
    let path = file("interrupted.pgn", many);
    let (record, out, page) = (
        fresh("interrupted-review.jsonl"),
        fresh("interrupted-out.pgn"),
        fresh("interrupted.html"),
    );
    let arguments = [
        "-a",
        "alpha-beta",
        "--nodes",
        "5k",
        "--threads",
        "1",
        "--json",
    ];
    let files = [
        "review", &path, "--resume", &record, "-o", &out, "--html", &page,
    ];
    let run = interrupted(&[&files[..], &arguments].concat(), || {
        fs::read_to_string(&record).is_ok_and(|t| t.lines().count() >= 24)
    });
    assert_eq!(run.status, 130);
    assert!(run.err.contains("of 24 games reviewed"), "{}", run.err);
    let finished = run.out.lines().count();
    assert!((1..24).contains(&finished), "{finished}");
    let games = Games::new(fs::read(&out).expect("the games"));
    assert_eq!(games.len(), finished);
    assert!(read(&page).ends_with("</html>\n"));
    let resumed = [&arguments[..], &["--resume", &record, "-o", &out]].concat();
    let resumed = timeless(&review(&path, &resumed).clean());
    assert_eq!(resumed.len(), 24);
    assert_eq!(resumed, timeless(&review(&path, &arguments).clean()));
    assert_eq!(Games::new(fs::read(&out).expect("the games")).len(), 24);
}

/// Reviews the first game of a file in another format than PGN and writes it; returns the run and what was written.
fn reviewed_and_written(name: &str, text: &str, arguments: &[&str]) -> (Run, String) {
    let (path, ending) = (
        file(name, text),
        name.rsplit('.').next().unwrap_or_default(),
    );
    let out = fresh(&format!("{name}-reviewed.{ending}"));
    let run = review(&path, &[&["-o", &out], arguments].concat()).clean();
    (run, read(&out))
}

/// A game of Connect Four in which Red looks away: its sides have their own names, its values their own unit, its marks and better
/// lines stand in the file, and what was in it is kept. Reviewed again, nothing comes twice.
#[test]
fn games_of_connect_four_are_reviewed_and_written() {
    let text =
        "# Two\n# Look.\nconnect4 4 4 3 {Two in a row.} 7 (5) 2 7 1\n# Drawn\nconnect4 5x4 3\n";
    let (run, written) = reviewed_and_written("review.c4", text, &["--nodes", "3000"]);
    for part in ["1. Two · 7 plies", "Yellow", "Red", "2. Drawn · 1 ply"] {
        assert!(run.out.contains(part), "{part}: {}", run.out);
    }
    for part in ["White", "opening", "middlegame"] {
        assert!(!run.out.contains(part), "{part}: {}", run.out);
    }
    assert!(
        written.starts_with("# Two\n# Look.\nconnect4 4"),
        "{written}"
    );
    assert!(written.contains("\n# Drawn\nconnect4 5x4 3"), "{written}");
    for part in [
        "3 {Two in a row.} {plyscope: ",
        "7?? {plyscope: +1.00 (Yellow wins in 2, depth 3)} (5) (",
        "{alpha-beta, 3000 nodes: ",
        "(Yellow's view, depth ",
    ] {
        assert!(written.contains(part), "{part}: {written}");
    }
    assert!(
        written
            .lines()
            .all(|line| line.matches('(').count() == line.matches(')').count())
    );
    let (_, again) = reviewed_and_written("review-again.c4", &written, &["--nodes", "3000"]);
    assert_eq!(again, written);
    let replace = ["--nodes", "3000", "--existing", "replace"];
    let (_, again) = reviewed_and_written("review-replaced.c4", &written, &replace);
    assert_eq!(again, written);
}

#[test]
fn what_connect_four_has_in_json_is_its_own() {
    let path = file("json.c4", "connect4 4 4 3 7 2 7 1\n");
    let page = fresh("json.html");
    let run = review(&path, &["--nodes", "3000", "--json", "--html", &page]).clean();
    let game = &run.json_lines()[0];
    let at = |ply: usize| &game["positions"][ply]["columns"][0];
    assert!(
        game["positions"]
            .as_array()
            .is_some_and(|all| all.len() == 8)
    );
    for position in game["positions"].as_array().expect("positions") {
        assert_eq!(position["phase"], Value::Null);
        assert_eq!(position["columns"][0]["cp"], Value::Null);
    }
    assert_eq!(
        (&at(3)["mark"], &at(4)["mate"]),
        (&"blunder".into(), &2.into())
    );
    // What a move loses is what the expected scores before and after it say.
    let expected = |ply: usize| at(ply)["expected"].as_f64().expect("a value");
    let loss = at(3)["loss"].as_f64().expect("a loss");
    assert!((loss - (expected(4) - expected(3))).abs() < 1e-5, "{loss}");
    assert_eq!(game["columns"][0]["white"]["opening"]["moves"], 0);
    let text = read(&page);
    assert!(
        text.contains("<th>Yellow loses</th>")
            && text.contains("Values and losses are of the expected score")
    );
    for part in ["White", "pawns", "centipawns", "mate"] {
        assert!(!text.contains(part), "{part}");
    }
}

/// Properties that plyscope has no use for stay, also a comment that is there, whose value can be replaced.
#[test]
fn games_of_go_are_reviewed_and_written() {
    let text = "(;GM[1]FF[4]CA[UTF-8]SZ[5]KM[24]PB[B. Lack]PW[W. Hite]KK[kept];B[cc]C[The middle.\nSecond line.];W[aa](;B[bb])(;B[cd]))\n";
    let arguments = ["-a", "mcts", "--nodes", "200"];
    let (run, written) = reviewed_and_written("review.sgf", text, &arguments);
    assert!(
        run.out.contains("White") && run.out.contains("Black"),
        "{}",
        run.out
    );
    for part in [
        "KK[kept]",
        "PB[B. Lack]",
        "C[The middle.\nSecond line.\n\nplyscope: ",
        "(White's view)]",
        ";B[cd]",
    ] {
        assert!(written.contains(part), "{part}: {written}");
    }
    let replace = [&arguments[..], &["--existing", "replace"]].concat();
    let (_, again) = reviewed_and_written("review-again.sgf", &written, &replace);
    assert_eq!(again, written);
    assert_eq!(written.matches("plyscope: ").count(), 3);
}

#[test]
fn files_of_two_games_are_reviewed_but_not_written_into_one() {
    let (chess, four) = (file("two.pgn", GAMES), file("two.c4", "connect4 4 4\n"));
    let run = review(&chess, &[&four, "--json"]).clean();
    assert_eq!(run.json_lines().len(), 4);
    let page = fresh("two.html");
    review(&chess, &[&four, "--html", &page]).clean();
    let text = read(&page);
    assert!(text.contains("Values are pawns") && text.contains("Values and losses are of"));
    let run = review(&chess, &[&four, "-o", &fresh("two-reviewed.pgn")]);
    run.refused(2);
    assert!(
        run.err.contains("found files of PGN and of Connect Four"),
        "{}",
        run.err
    );
}

#[test]
fn a_record_is_gone_on_with_in_other_games() {
    let path = file("record.c4", "connect4 4 4 3 7 2 7 1\nconnect4 4 5\n");
    let record = fresh("record-c4.jsonl");
    let whole = timeless(&review(&path, &["--json", "--resume", &record]).clean());
    let lines: Vec<String> = read(&record).lines().map(str::to_owned).collect();
    fs::write(&record, lines[..lines.len() / 2].join("\n") + "\n").expect("written");
    let resumed = review(&path, &["--json", "--resume", &record]).clean();
    assert_eq!(timeless(&resumed), whole);
}
