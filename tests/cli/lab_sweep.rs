//! `plyscope lab sweep`, as run by a user or a script.

use crate::cli_support;

use std::process::Command;

use cli_support::{Run, file, plyscope};
use serde_json::Value;

const TACTICS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/sample-positions/tactics.epd");
const LABELS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/sample-positions/labels/sample.tsv"
);

fn sweep(file: &str, further: &[&str]) -> Run {
    plyscope(&[&["lab", "sweep", file, "--nodes", "500"], further].concat())
}

fn json(file: &str, further: &[&str]) -> Value {
    let run = sweep(file, &[further, &["--json"]].concat()).clean();
    run.json_lines().remove(0)
}

fn mean(object: &Value, variant: usize) -> f64 {
    object["variants"][variant]["mean"]
        .as_f64()
        .expect("a mean")
}

/// What a sweep finds is what each variant finds by itself.
#[test]
fn a_variant_is_the_algorithm_with_its_options() {
    let swept = [
        "-a",
        "distress",
        "--set",
        "backup-us=1-exp(-k*H)",
        "--set",
        "ties=essay",
        "--over",
        "k=0.5,2",
    ];
    let found = json(TACTICS, &swept);
    assert_eq!(found["complete"], true);
    assert_eq!(found["algorithm"], "distress:ties=essay");
    assert_eq!(found["over"][0], "k=0.5,2");
    let alone = [
        "distress:ties=essay",
        "distress:ties=essay,backup-us=1-exp(-0.5*H)",
        "distress:ties=essay,backup-us=1-exp(-2*H)",
    ];
    for (i, column) in alone.iter().enumerate() {
        let run = plyscope(&["suite", TACTICS, "--nodes", "500", "-a", column, "--json"]).clean();
        let column = &run.json_lines()[0]["columns"][0];
        let share =
            column["solved"].as_f64().expect("solved") / column["tried"].as_f64().expect("tried");
        assert!((mean(&found, i) - share).abs() < 1e-9, "{column}");
    }
    let text = sweep(TACTICS, &swept).clean();
    for part in [
        "Does any value beat",
        "No verdict yet",
        "built-in",
        "k = 0.5",
        "on the other",
    ] {
        assert!(text.out.contains(part), "{part}\n{}", text.out);
    }
    text.harmless();
}

/// The score of a belief is that of the experiment on calibration.
#[test]
fn beliefs_are_judged_as_calibration_judges_them() {
    let labels = ["--positions", "20", "--seed", "3"];
    let over = [
        "--judge",
        "belief",
        "-a",
        "distress",
        "--over",
        "tails=0.01,0.1",
    ];
    let found = json(LABELS, &[&labels[..], &over].concat());
    let columns = [
        "-a",
        "distress",
        "-a",
        "distress:tails=0.1",
        "--nodes",
        "500",
        "--json",
    ];
    let run = plyscope(&[&["lab", "calibration", LABELS][..], &labels, &columns].concat()).clean();
    let calibration = &run.json_lines()[0];
    for (variant, column) in [(0, 0), (2, 1)] {
        let crps = calibration["columns"][column]["crps"]
            .as_f64()
            .expect("a CRPS");
        assert!(
            (mean(&found, variant) - crps).abs() < 1e-9,
            "{found} {calibration}"
        );
    }
}

/// Without a file: the built-in labels, the samples, or openings. A judge of each kind, and two parts that make a whole.
#[test]
fn every_judge_has_something_to_work_on() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cli-sweep-judges");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let base = ["lab", "sweep", "--positions", "4", "--json", "--nodes"];
    let mcts = ["-a", "mcts", "--over", "fpu=0.4,1"];
    let futility = [
        "-a",
        "alpha-beta",
        "--set",
        "futility-margin=k*depth",
        "--over",
        "k=50,200",
    ];
    for (judge, options, nodes, source) in [
        ("solved", &mcts[..], "300", "the built-in labels"),
        ("belief", &mcts, "300", "the built-in labels"),
        ("audit", &futility, "20000", "samples"),
        ("match", &mcts, "40", "the Lab's openings"),
    ] {
        let run = |further: &[&str]| {
            let judge = ["--judge", judge];
            let all = [&base[..], &[nodes], &judge, options, further].concat();
            plyscope(&all).clean().json_lines().remove(0)
        };
        let whole = run(&[]);
        assert_eq!(
            (&whole["source"], &whole["complete"]),
            (&source.into(), &true.into())
        );
        assert_eq!(whole["judge"], judge);
        let all = folder.join(format!("{judge}.all"));
        let mut text = Vec::new();
        for part in ["1/2", "2/2"] {
            let file = folder.join(format!("{judge}.part"));
            let _ = std::fs::remove_file(&file);
            run(&["--shard", part, "--resume", file.to_str().expect("a path")]);
            text.extend(std::fs::read(&file).expect("a record"));
        }
        std::fs::write(&all, text).expect("written");
        assert_eq!(
            run(&["--resume", all.to_str().expect("a path")]),
            whole,
            "{judge}"
        );
        let figures = whole["variants"].as_array().expect("variants");
        match judge {
            // As built in: the same figure.
            "match" => assert_eq!(figures[1]["mean"], 0.5),
            "audit" => assert_eq!(whole["rule"], "futility"),
            _ => assert_eq!(figures[0]["mean"], figures[1]["mean"]),
        }
    }
}

/// As in the book: parts run at once by `xargs`, their records one after another in a file.
#[test]
fn parts_of_a_sweep_merge() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cli-sweep");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let shared = format!("lab sweep {TACTICS} --nodes 500 -a mcts --over fpu=0,0.2");
    let script = format!(
        "seq 3 | xargs -P 3 -I K \"$P\" {shared} --shard K/3 --resume K.part -q && cat *.part > all"
    );
    let status = Command::new("sh")
        .args(["-c", &script])
        .env("P", env!("CARGO_BIN_EXE_plyscope"))
        .env("XDG_CONFIG_HOME", env!("CARGO_TARGET_TMPDIR"))
        .current_dir(&folder)
        .output()
        .expect("a shell");
    assert!(status.status.success(), "{status:?}");
    let all = folder.join("all");
    let options = ["-a", "mcts", "--over", "fpu=0,0.2"];
    let resumed = ["--resume", all.to_str().expect("a path")];
    let merged = json(TACTICS, &[&options[..], &resumed].concat());
    assert_eq!(merged["complete"], true);
    assert_eq!(merged, json(TACTICS, &options));
    // Another sweep's record is refused.
    let other = ["-a", "mcts", "--over", "fpu=0,0.3"];
    let refused = sweep(TACTICS, &[&other[..], &resumed].concat());
    refused.refused(1);
    let part = json(TACTICS, &[&options[..], &["--shard", "2/3"]].concat());
    assert!(part["wanted"].as_u64() < merged["wanted"].as_u64());
}

#[test]
fn what_cannot_be_swept_is_refused() {
    for (wrong, says) in [
        (&["--over", "k=1"][..], "found 0 algorithms"),
        (&["-a", "mcts", "--over", "k=1"], "unknown option \"k\""),
        (
            &["-a", "mcts", "--over", "fpu=1..0:1"],
            "expected NAME=FROM..TO:STEP",
        ),
        (
            &["-a", "mcts", "--over", "fpu=0..1:.001"],
            "expected NAME=FROM..TO:STEP",
        ),
        (
            &["-a", "mcts", "--over", "fpu=1", "--over", "fpu=2"],
            "twice",
        ),
        (
            &[
                "-a",
                "distress",
                "--set",
                "backup-us=1-exp(-k*Z)",
                "--over",
                "k=1",
            ],
            "found \"Z\"",
        ),
        (
            &["-a", "mcts", "--over", "fpu=0", "--judge", "luck"],
            "luck",
        ),
    ] {
        let run = sweep(TACTICS, wrong);
        assert_eq!(run.status, 2, "{wrong:?}: {}", run.err);
        assert!(run.err.contains(says), "{wrong:?}: {}", run.err);
        run.harmless();
    }
    let usual = ["-a", "mcts", "--over", "fpu=0"];
    for (judge, says) in [
        (
            "audit",
            "found mcts, expected an algorithm that prunes by rules",
        ),
        ("match", "found a FILE, expected none"),
    ] {
        let run = sweep(TACTICS, &[&usual[..], &["--judge", judge]].concat());
        assert_eq!(run.status, 2, "{judge}: {}", run.err);
        assert!(run.err.contains(says), "{judge}: {}", run.err);
    }
    let deep = ["lab", "sweep", "--judge", "match", "--depth", "3"];
    let run = plyscope(&[&deep[..], &usual].concat());
    assert!(run.err.contains("expected nodes"), "{}", run.err);
    let run = sweep(TACTICS, &[&usual[..], &["--judge", "points"]].concat());
    run.refused(1);
    assert!(run.err.contains("expected points in c0"), "{}", run.err);
    sweep(&file("sweep-empty.epd", ""), &usual).refused(1);
    sweep("no-such-file.epd", &usual).refused(1);
}
