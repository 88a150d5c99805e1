//! What a network's file system or a broken disk answers in the middle: errors of reading, writing, syncing and renaming, calls that
//! take a few bytes or are interrupted, and a clock that jumps. `tests/fixtures/faults/faults.c` brings them about.
#![cfg(target_os = "linux")]

use std::fs;
use std::process::{Command, Output};

use crate::cli_support::{folder, plyscope};

const PROGRAM: &str = env!("CARGO_BIN_EXE_plyscope");
const SAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/sample-positions");

/// `EIO`, `ENOSPC`, `EDQUOT` and `ESTALE` with what the system calls them.
const ERRORS: [(&str, &str); 4] = [
    ("5", "Input/output error"),
    ("28", "No space left on device"),
    ("122", "quota exceeded"),
    ("116", "Stale file handle"),
];

fn with(faults: &[(&str, &str)], arguments: &[&str]) -> Output {
    let mut command = Command::new(PROGRAM);
    command
        .args(arguments)
        .env("LD_PRELOAD", common::faults::library());
    command.envs(faults.iter().copied());
    command.output().expect("it runs")
}

fn said(run: &Output) -> String {
    String::from_utf8_lossy(&run.stderr).into_owned()
}

fn sample(name: &str) -> String {
    format!("{SAMPLES}/{name}")
}

#[test]
fn a_result_that_cannot_be_written_leaves_the_old_one() {
    let folder = folder("late-writing");
    let file = folder.join("result.out");
    let name = file.to_str().expect("a path");
    for (call, after) in [
        ("write", "0"),
        ("write", "100"),
        ("fsync", "0"),
        ("rename", "0"),
    ] {
        for (number, words) in ERRORS {
            for command in [
                vec!["tree", "--nodes", "3000", "--format", "json", "-o", name],
                vec!["trace", "--nodes", "300", "-o", name],
                vec!["config", "-o", name],
            ] {
                fs::write(&file, "old").expect("a file");
                let faults = [
                    ("FAULT_CALL", call),
                    ("FAULT_ERRNO", number),
                    ("FAULT_AFTER", after),
                    ("FAULT_PATH", "late-writing/"),
                ];
                let run = with(&faults, &command);
                let said = said(&run);
                assert_eq!(run.status.code(), Some(1), "{call} {command:?}: {said}");
                assert!(
                    said.contains("result.out: ") && said.contains(words),
                    "{call} {command:?}: {said}"
                );
                assert_eq!(said.lines().count(), 1, "{said}");
                assert_eq!(
                    fs::read_to_string(&file).expect("the file"),
                    "old",
                    "{call}"
                );
                // Nothing is left beside it.
                assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1);
            }
        }
    }
}

#[test]
fn a_file_that_cannot_be_read_to_its_end_is_named() {
    let folder = folder("late-reading");
    let at = |name: &str| folder.join(name).to_str().expect("a path").to_owned();
    for name in ["opera-game.pgn", "textbook.tree", "go.sgf"] {
        fs::copy(sample(name), folder.join(name)).expect("a copy");
    }
    plyscope(&[
        "trace",
        &at("textbook.tree"),
        "--format",
        "open",
        "-o",
        &at("x.plytrace"),
    ])
    .clean();
    plyscope(&["config", "-o", &at("own.toml")]).clean();
    fs::write(
        folder.join("x.epd"),
        "8/8/8/8/8/4k3/4p3/4K3 w - - bm Kf1; id \"a\";\n",
    )
    .expect("a file");
    fs::write(folder.join("own.network"), [0; 10_000]).expect("a file");
    let (pgn, tree, sgf) = (at("opera-game.pgn"), at("textbook.tree"), at("go.sgf"));
    let (trace, own, epd, network) = (
        at("x.plytrace"),
        at("own.toml"),
        at("x.epd"),
        at("own.network"),
    );
    let commands: [&[&str]; 9] = [
        &["search", &pgn, "--nodes", "100"],
        &["search", &tree],
        &["search", &sgf, "--nodes", "100"],
        &["tree", &trace],
        &["audit", &trace],
        &["suite", &epd, "--nodes", "100"],
        &["search", "--config", &own, "--nodes", "100"],
        &["search", "--eval-file", &network, "--nodes", "100"],
        &["review", &pgn, "-a", "mcts", "--nodes", "100"],
    ];
    for command in commands {
        let file = command.iter().find_map(|word| word.strip_prefix(&at("")));
        let file = file.expect("a file of the folder");
        for after in ["0", "1"] {
            let faults = [
                ("FAULT_CALL", "read"),
                ("FAULT_ERRNO", "5"),
                ("FAULT_AFTER", after),
                ("FAULT_PATH", file),
            ];
            let run = with(&faults, command);
            let said = said(&run);
            // Of a search that another program sent, what came before counts.
            let status = match (command[0], after) {
                ("audit", "1") => 0,
                _ => 1,
            };
            let is_so = run.status.code() == Some(status);
            assert!(is_so, "{command:?} after {after}: {said}");
            assert!(
                said.contains(file) && said.contains("Input/output error"),
                "{command:?} after {after}: {said}"
            );
        }
    }
}

#[test]
fn calls_that_take_little_or_are_interrupted_change_nothing() {
    let (pgn, sgf) = (sample("opera-game.pgn"), sample("go.sgf"));
    let commands: [&[&str]; 3] = [
        &["tree", "--nodes", "1000", "--format", "json"],
        &["search", &pgn, "--nodes", "500", "--threads", "1", "--json"],
        &[
            "tree", &sgf, "-a", "mcts", "--nodes", "300", "--format", "sgf",
        ],
    ];
    for command in commands {
        let usual = plyscope(command).clean().out;
        let run = with(&[("FAULT_SHORT", "1")], command);
        assert!(run.status.success(), "{command:?}: {}", said(&run));
        let out = String::from_utf8(run.stdout).expect("a text");
        // The time that it takes is not the same.
        let timeless = |text: &str| match serde_json::from_str(text) {
            Ok(serde_json::Value::Object(mut object)) => {
                object.retain(|key, _| !key.ends_with("_ms") && key != "nodes_per_second");
                serde_json::Value::Object(object).to_string()
            }
            _ => text.to_owned(),
        };
        assert_eq!(timeless(&out), timeless(&usual), "{command:?}");
    }
}

#[test]
fn a_clock_that_jumps_ends_no_search_and_holds_none_up() {
    for jump in ["5", "100000", "3000000000"] {
        let begun = std::time::Instant::now();
        let run = with(
            &[("FAULT_CLOCK", jump)],
            &["search", "--time", "300ms", "--threads", "1"],
        );
        assert!(run.status.success(), "{}", said(&run));
        let out = String::from_utf8(run.stdout).expect("a text");
        assert!(out.contains("ended by time"), "{out}");
        // It took its time, and came back.
        assert!(begun.elapsed() >= std::time::Duration::from_millis(300));
        let nodes = with(
            &[("FAULT_CLOCK", jump)],
            &["search", "--nodes", "2000", "--threads", "1"],
        );
        assert!(String::from_utf8_lossy(&nodes.stdout).contains("ended by nodes"));
        let doctor = with(&[("FAULT_CLOCK", jump)], &["doctor", "--json"]);
        assert!(doctor.status.success(), "{}", said(&doctor));
    }
}
