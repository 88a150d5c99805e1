//! `plyscope uci` as other programs use it: handshake, options, positions, and termination.

use crate::uci_support;

use algorithms::ALGORITHMS;
use uci_support::Server;

const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

#[test]
fn the_handshake_lists_every_option_with_a_default_that_can_be_set() {
    for row in &ALGORITHMS {
        let mut server = Server::of(row.name);
        server.send("uci");
        let lines = server.hear_until("uciok");
        assert!(lines[0].starts_with("id name plyscope ") && lines[0].contains(row.name));
        assert!(lines[1].starts_with("id author "));
        let options: Vec<&String> = lines.iter().filter(|l| l.starts_with("option ")).collect();
        for option in row.options {
            let name = format!("option name {} type ", option.key);
            assert!(options.iter().any(|l| l.starts_with(&name)), "{name}");
        }
        for name in [
            "Hash",
            "Threads",
            "MultiPV",
            "UCI_Chess960",
            "Move Overhead",
            "Clear Hash",
            "Algorithm",
            "Tree",
        ] {
            let begin = format!("option name {name} type ");
            assert_eq!(
                options.iter().filter(|l| l.starts_with(&begin)).count(),
                1,
                "{name}"
            );
        }
        for line in options {
            let (name, rest) = line["option name ".len()..]
                .split_once(" type ")
                .expect("a type");
            let mut words = rest.split(' ').skip_while(|w| *w != "default").skip(1);
            match words.next() {
                Some(default) => server.send(&format!("setoption name {name} value {default}")),
                None => server.send(&format!("setoption name {name}")),
            }
        }
        assert!(server.is_ready());
        server.quit();
    }
}

#[test]
fn options_of_any_case_are_set_and_bad_ones_are_told() {
    let mut server = Server::of("alpha-beta");
    for line in [
        "setoption name hash value 4",
        "setoption name MOVE OVERHEAD value 25",
        "setoption name Futility value false",
        "setoption name algorithm value DISTRESS",
        "setoption name width value 0.5",
        "setoption name Clear Hash",
    ] {
        server.send(line);
        assert!(server.is_ready(), "{line}");
    }
    for (line, said) in [
        (
            "setoption name Hash value lots",
            "Hash = \"lots\": expected a whole number from 1",
        ),
        ("setoption name Threads value 0", "Threads"),
        ("setoption name width value -7", "width = \"-7\": expected "),
        (
            "setoption name futility value true",
            "distress has no option \"futility\"",
        ),
        (
            "setoption name Algorithm value a-star",
            "expected alpha-beta | ",
        ),
        ("setoption", "has no option"),
        ("setoption name e2e4 value e2e4", "has no option"),
    ] {
        server.send(line);
        let answer = server.hear();
        let begin = "info string setoption: ";
        assert!(
            answer.starts_with(begin) && answer.contains(said),
            "{answer}"
        );
    }
    assert!(server.is_ready());
    server.send("uci");
    let lines = server.hear_until("uciok");
    assert!(
        lines
            .iter()
            .any(|l| l.starts_with("option name Algorithm type combo default distress "))
    );
    assert!(lines.contains(&"option name width type string default 0.5".to_owned()));
    server.go("go nodes 500");
    server.quit();
}

#[test]
fn what_is_not_understood_is_passed_over() {
    let mut server = Server::of("alpha-beta");
    server.send("");
    server.send("debug on");
    server.send("xyzzy isready");
    assert_eq!(server.hear(), "readyok");
    server.send("\u{1b}[2J e2e4 \u{202e}");
    let remark = server.hear();
    assert!(
        remark.starts_with("info string unknown command: "),
        "{remark}"
    );
    assert!(
        !remark.contains(|c: char| c.is_control() || c == '\u{202e}'),
        "{remark:?}"
    );
    server.send("stop");
    server.send("ponderhit");
    assert!(server.is_ready());
    server.send("position fen not/a/position");
    assert!(server.hear().starts_with("info string position fen: "));
    server.send("go depth many nodes 100");
    let answer = server.answer();
    assert_eq!(
        answer.remarks,
        ["go: \"depth many\", expected a whole number"]
    );
    server.quit();
}

#[test]
fn illegal_moves_are_told_and_the_game_stands_before_them() {
    let mut server = Server::of("alpha-beta");
    server.send("position startpos moves e2e4 e7e5 e4e5 g8f6");
    let remark = server.hear();
    assert!(remark.contains("move 3 \"e4e5\""), "{remark}");
    for text in ["e2e4", "e7e5"] {
        server.play(text);
    }
    server.go("go depth 2");
    server.quit();
}

#[test]
fn a_position_is_told_apart_from_the_same_one_with_its_game() {
    const START: &str = "7k/8/8/8/8/8/Q7/K7 w - - 0 1";
    // Back and forth twice and once halfway: Qa2+ then brings about a position for the third time.
    const MOVES: [&str; 10] = [
        "a2b2", "h8g8", "b2a2", "g8h8", "a2b2", "h8g8", "b2a2", "g8h8", "a2b2", "h8g8",
    ];
    for (algorithm, go) in [
        ("alpha-beta", "go depth 2 searchmoves b2a2"),
        ("prob-alpha-beta", "go depth 2 searchmoves b2a2"),
        ("mcts", "go nodes 300 searchmoves b2a2"),
        ("distress", "go nodes 300 searchmoves b2a2"),
    ] {
        let mut server = Server::of(algorithm);
        server.position("6k1/8/8/8/8/8/1Q6/K7 w - - 10 6", &[]);
        let fresh = server.go(go);
        assert!(
            fresh.last().score.starts_with("mate") || fresh.centipawns() > 200,
            "{fresh:?}"
        );
        server.position(START, &MOVES);
        let third = server.go(go);
        assert_eq!(third.centipawns(), 0, "{algorithm}: {third:?}");
        server.quit();
    }
}

#[test]
fn castling_is_written_as_the_other_program_wants_it() {
    let mut server = Server::of("alpha-beta");
    server.position(CASTLING, &[]);
    assert_eq!(server.go("go depth 1 searchmoves e1g1").best, "e1g1");
    server.send("setoption name UCI_Chess960 value true");
    server.send(&format!("position fen {CASTLING}"));
    server.send("go depth 1 searchmoves e1a1");
    let lines = server.hear_until("bestmove");
    assert!(lines.iter().any(|l| l.contains(" pv e1a1")), "{lines:?}");
    assert!(lines.last().is_some_and(|l| l.starts_with("bestmove e1a1")));
    server.send("setoption name UCI_Chess960 value false");
    // A Chess960 position is recognised by its castling rights, and is played in the same way.
    const NINE_SIXTY: &str = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1";
    server.position(NINE_SIXTY, &["e1g1", "e8b8"]);
    assert!(!server.go("go depth 3").best.is_empty());
    // Where nothing names it, that is told; a king in the corner has no castling rights.
    const ROOK_F1: &str = "position fen 4k3/8/8/8/8/8/4P3/4KR2 w K - 0 1";
    server.send(ROOK_F1);
    assert!(server.hear().ends_with(": read as Chess960"));
    server.send("position fen r6k/8/8/8/8/8/8/4K3 b q - 0 1");
    assert!(server.hear().ends_with("home squares: ignored"));
    server.send("setoption name UCI_Chess960 value true");
    server.send(ROOK_F1);
    assert!(server.is_ready());
    server.quit();
}

#[test]
fn a_game_that_is_over_has_no_move() {
    const MATED: &str = "R6k/6pp/8/8/8/8/8/K7 b - - 0 1";
    const STALEMATED: &str = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    let mut server = Server::of("mcts");
    for (place, score) in [(MATED, "mate 0"), (STALEMATED, "cp 0")] {
        server.position(place, &[]);
        server.send("go movetime 1000");
        let lines = server.hear_until("bestmove");
        assert_eq!(
            lines,
            [
                format!("info depth 0 score {score}"),
                "bestmove (none)".to_owned()
            ]
        );
        server.send("go infinite");
        assert!(server.is_ready());
        assert_eq!(server.go("stop").best, "(none)");
    }
    server.quit();
}

#[test]
fn quitting_in_a_search_says_nothing_more() {
    for algorithm in ["alpha-beta", "distress"] {
        let mut server = Server::of(algorithm);
        server.send("go infinite");
        server.hear();
        server.send("quit");
        let (status, rest) = server.end();
        assert_eq!(status, Some(0));
        assert!(rest.iter().all(|l| l.starts_with("info depth")), "{rest:?}");
    }
}

#[test]
fn the_inputs_end_lets_a_search_with_a_limit_finish_and_stops_the_others() {
    for go in ["go depth 4", "go infinite", "go"] {
        let mut server = Server::of("alpha-beta");
        server.send(go);
        let (status, rest) = server.end();
        assert_eq!(status, Some(0), "{go}");
        let answers = rest.iter().filter(|l| l.starts_with("bestmove")).count();
        assert_eq!(answers, 1, "{go}: {rest:?}");
        let finished = rest.iter().any(|l| l.starts_with("info depth 4 "));
        assert!(finished || go != "go depth 4", "{rest:?}");
    }
}

#[test]
fn nobody_listens_any_more() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_plyscope"))
        .args(["uci", "-a", "mcts", "--threads", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("an input");
    let mut out = BufReader::new(child.stdout.take().expect("an output"));
    writeln!(stdin, "isready").expect("it listens");
    let mut line = String::new();
    out.read_line(&mut line).expect("a line");
    assert_eq!(line, "readyok\n");
    drop(out);
    writeln!(stdin, "go infinite").expect("it listens");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
