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
        "Does any of these values",
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
    let run = sweep(TACTICS, &[&usual[..], &["--judge", "points"]].concat());
    run.refused(1);
    assert!(run.err.contains("expected points in c0"), "{}", run.err);
    sweep(&file("sweep-empty.epd", ""), &usual).refused(1);
    sweep("no-such-file.epd", &usual).refused(1);
}
