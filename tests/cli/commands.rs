//! The other commands, the exit statuses, and output that nobody reads.

use crate::cli_support;

use algorithms::ALGORITHMS;
use cli_support::{file, plyscope, with_input};
use serde_json::Value;

#[test]
fn help_and_version() {
    let help = plyscope(&["--help"]).clean().out;
    assert!(help.starts_with("Watch game-tree searches think"), "{help}");
    for word in [
        "search",
        "tree",
        "algorithms",
        "eval",
        "bench",
        "uci",
        "completions",
        "man",
        "Examples",
    ] {
        assert!(help.contains(word), "{word}");
    }
    assert!(
        plyscope(&["--version"])
            .clean()
            .out
            .starts_with("plyscope ")
    );
    for command in [
        "search",
        "tree",
        "eval",
        "uci",
        "bench",
        "completions",
        "man",
    ] {
        let help = plyscope(&[command, "--help"]).clean().out;
        assert!(help.contains("Usage:"), "{command}");
    }
    assert!(
        plyscope(&["search", "--help"])
            .clean()
            .out
            .contains("5 seconds")
    );
}

#[test]
fn a_wrong_command_line_is_status_2() {
    for arguments in [
        &["search", "--no-such-option"][..],
        &["search", "-a", "no-such-algorithm"],
        &["search", "--time", "soon"],
        &["search", "--nodes", "0"],
        &["search", "--threads", "0"],
        &["search", "--memory", "lots"],
        &["search", "--depth", "-1"],
        &["search", "x.fen", "--fen", "y"],
        &["tree", "--format", "origami"],
        &["completions", "nosuchshell"],
        &["man", "nosuchcommand"],
        &["--set", "nothing=1"],
    ] {
        let run = plyscope(arguments);
        assert_eq!(run.status, 2, "{arguments:?}: {run:?}");
        assert!(run.out.is_empty() && !run.err.is_empty(), "{arguments:?}");
        run.harmless();
    }
}

#[test]
fn algorithms_are_listed_with_their_options() {
    let text = plyscope(&["algorithms"]).clean().out;
    let json: Value =
        serde_json::from_str(&plyscope(&["algorithms", "--json"]).clean().out).expect("JSON");
    let rows = json.as_array().expect("a list");
    assert_eq!(rows.len(), ALGORITHMS.len());
    for row in rows {
        for key in ["name", "summary", "source", "family", "beliefs", "options"] {
            assert!(!row[key].is_null(), "{key}");
        }
        assert!(text.contains(row["name"].as_str().expect("a name")));
        for option in row["options"].as_array().expect("a list") {
            let pair = format!(
                "{}={}",
                option["key"].as_str().expect("a key"),
                option["default"].as_str().expect("a default")
            );
            assert!(text.contains(&pair), "{pair}");
            assert!(option["range"]["type"].is_string());
        }
    }
}

#[test]
fn eval_is_symmetric_and_gives_a_belief() {
    let of = |fen: &str| -> Value {
        let run = plyscope(&["eval", "--fen", fen, "--json"]).clean();
        run.json_lines().remove(0)
    };
    let white = of("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    let black = of("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1");
    let cp = |v: &Value| v["score"]["cp"].as_i64().expect("centipawns");
    assert!(cp(&white) > 0 && cp(&black) < 0, "{white} {black}");
    let pmf: Vec<f64> = white["belief"]["pmf"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(Value::as_f64)
        .collect();
    assert!((pmf.iter().sum::<f64>() - 1.0).abs() < 1e-3);
    assert!(white["belief"]["sd"].as_f64().expect("a number") > 0.0);
    assert_eq!(of("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")["ended"], true);
}

#[test]
fn eval_reads_every_position_of_a_file() {
    let games = file(
        "two.pgn",
        "[White \"A\"]\n\n1. e4 e5 *\n\n[White \"B\"]\n\n1. d4 *\n",
    );
    let run = plyscope(&["eval", &games, "--json"]).clean();
    assert_eq!(run.json_lines().len(), 3 + 2);
    let lines = "8/8/8/8/8/4k3/8/4K2R w K - 0 1\n8/8/8/8/8/4k3/8/4K2Q b - - 0 1\n";
    let run = with_input(&["eval", "-"], lines.as_bytes()).clean();
    assert_eq!(run.out.lines().count(), 2);
}

#[test]
fn bench_gives_one_signature_in_every_run() {
    let run = || {
        let arguments = [
            "bench",
            "--nodes",
            "300",
            "--runs",
            "1",
            "--one-thread",
            "--json",
        ];
        let lines = plyscope(&arguments).clean().json_lines();
        assert_eq!(lines.len(), ALGORITHMS.len());
        lines
            .iter()
            .map(|l| {
                (
                    l["algorithm"].clone(),
                    l["signature"].clone(),
                    l["nodes"].clone(),
                )
            })
            .collect::<Vec<_>>()
    };
    let found = run();
    assert_eq!(found, run());
    // Fixed values: a change that is not meant to affect searches must not change these.
    let lines = found
        .iter()
        .map(|(name, signature, nodes)| format!("{name} {signature} {nodes}"));
    insta::assert_snapshot!("bench_signatures", lines.collect::<Vec<_>>().join("\n"));
    let text = plyscope(&[
        "bench",
        "-a",
        "alpha-beta",
        "--nodes",
        "1000",
        "--runs",
        "1",
        "--one-thread",
        "--ascii",
    ])
    .clean()
    .out;
    assert!(text.is_ascii() && text.contains("2.00M/s"), "{text}");
}

#[test]
fn shells_get_completions_and_a_manual() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let text = plyscope(&["completions", shell]).clean().out;
        assert!(
            text.contains("plyscope") && text.contains("algorithm"),
            "{shell}"
        );
    }
    assert!(plyscope(&["man"]).clean().out.contains(".TH plyscope"));
    assert!(
        plyscope(&["man", "search"])
            .clean()
            .out
            .contains("plyscope\\-search")
    );
}

/// `plyscope algorithms | head -1` is not an error.
#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_failure() {
    use std::process::{Command, Stdio};
    let suite: String = "8/8/8/8/8/4k3/8/4K2R w K - 0 1\n".repeat(5_000);
    let path = file("many.fen", suite);
    let mut child = Command::new(env!("CARGO_BIN_EXE_plyscope"))
        .args(["eval", &path, "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

/// Ctrl-C ends the search and prints the results so far.
#[cfg(unix)]
#[test]
fn an_interrupted_search_still_prints_its_result() {
    let begin = std::time::Instant::now();
    let arguments = ["search", "--time", "60s", "--json"];
    let run = cli_support::interrupted(&arguments, || begin.elapsed().as_millis() > 700);
    assert_eq!(run.status, 130);
    let result = run.json_lines().remove(0);
    assert_eq!(result["stopped_by"], "user");
    assert!(result["time_ms"].as_u64().expect("a number") < 30_000);
    assert!(result["best"]["uci"].is_string());
}
