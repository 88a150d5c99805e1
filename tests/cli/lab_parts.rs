//! Experiments of the Lab in parts: the records of the parts, one after another, are the record of the whole.

use crate::cli_support;

use std::path::Path;

use cli_support::{Run, folder, plyscope};
use serde_json::Value;

const LABELS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/sample-positions/labels/sample.tsv"
);

/// Every experiment that works through units, small.
const EXPERIMENTS: [&[&str]; 15] = [
    &[
        "walks",
        "--positions",
        "5",
        "--plies",
        "4",
        "--walks",
        "2",
        "--nodes",
        "100",
        "--tree",
        "1",
    ],
    &[
        "calibration",
        LABELS,
        "--positions",
        "12",
        "-a",
        "distress",
        "-a",
        "mcts",
        "--nodes",
        "200",
    ],
    &[
        "refutation",
        "-a",
        "distress",
        "-a",
        "alpha-beta",
        "--trees",
        "4",
        "--nodes",
        "1000",
        "--resamples",
        "20",
    ],
    &[
        "losses",
        "-a",
        "mcts",
        "-a",
        "alpha-beta",
        "--games",
        "4",
        "--nodes",
        "30",
        "--judge-nodes",
        "200",
        "--resamples",
        "20",
    ],
    &["depths", LABELS, "--positions", "90", "--depth", "1"],
    &[
        "spread",
        "--positions",
        "4",
        "--nodes",
        "500",
        "--backup",
        "r-opt",
        "--backup",
        "gumbel:2",
    ],
    &[
        "spread",
        "--toy",
        "--depth",
        "2",
        "--population",
        "20",
        "--backup",
        "r-opt",
        "--backup",
        "r-pick",
    ],
    &[
        "plies",
        "--positions",
        "3",
        "--nodes",
        "2000",
        "--plies",
        "3",
        "--label-nodes",
        "200",
        "--label-times",
        "0",
        "--resamples",
        "20",
    ],
    &["prob-cut", "--positions", "8", "--depth", "4"],
    &["futility", "--positions", "8", "--depth", "3"],
    &["maximum", "--draws", "2"],
    &[
        "focus",
        "--positions",
        "4",
        "--nodes",
        "500",
        "--judge-nodes",
        "100",
    ],
    &["playouts", "--positions", "8", "--playouts", "2"],
    &[
        "cuts",
        "--positions",
        "4",
        "--nodes",
        "3000",
        "--resamples",
        "20",
    ],
    &[
        "truth",
        "--board",
        "3x3",
        "--every",
        "300",
        "--nodes",
        "100",
        "-a",
        "prob-alpha-beta",
        "-a",
        "mcts",
        "--resamples",
        "20",
    ],
];

fn lab(experiment: &[&str], further: &[&str]) -> Run {
    plyscope(&[&["lab"], experiment, &["--json", "--no-progress"], further].concat())
}

fn json(experiment: &[&str], further: &[&str]) -> Value {
    lab(experiment, further).clean().json_lines().remove(0)
}

fn shown(path: &Path) -> &str {
    path.to_str().expect("a path")
}

#[test]
fn parts_make_a_whole() {
    let folder = folder("cli-lab-parts");
    for experiment in EXPERIMENTS {
        let name = &experiment[..2]
            .concat()
            .replace(std::path::MAIN_SEPARATOR, "");
        let whole = json(experiment, &[]);
        assert_eq!(whole["complete"], true, "{name}");
        let mut record = Vec::new();
        for part in ["2/2", "1/2"] {
            let path = folder.join(format!("{name}.{}", &part[..1]));
            let found = lab(experiment, &["--shard", part, "--resume", shown(&path)]);
            // A part may have too little for a fit.
            if found.status == 0 {
                assert_eq!(found.json_lines()[0]["complete"], false, "{name}");
            }
            record.extend(std::fs::read(&path).expect("a record"));
        }
        let path = folder.join(name);
        std::fs::write(&path, &record).expect("written");
        assert_eq!(
            json(experiment, &["--resume", shown(&path)]),
            whole,
            "{name}"
        );
        // Nothing was looked for again, and nothing is there twice.
        assert_eq!(std::fs::read(&path).expect("a record"), record, "{name}");
        // What is there twice counts once, and where it was cut off, it goes on.
        let end = record.len() - record.len() / 5;
        let begin = record.len() / 2;
        let begin = begin
            + record[begin..]
                .iter()
                .take_while(|&&byte| byte != b'\n')
                .count();
        std::fs::write(&path, [&record[..=begin], &record[..end]].concat()).expect("written");
        assert_eq!(
            json(experiment, &["--resume", shown(&path)]),
            whole,
            "{name}"
        );
    }
}

#[test]
fn records_of_other_runs_are_refused() {
    let folder = folder("cli-lab-parts-refused");
    let path = folder.join("record");
    let walks = EXPERIMENTS[0];
    json(walks, &["--resume", shown(&path)]);
    for (other, further, says) in [
        (
            walks,
            ["--seed", "7"],
            "expected nodes 100 tree 1 seed 7 as in this run",
        ),
        (EXPERIMENTS[8], ["--within", "900"], "experiment walks"),
        (
            walks,
            ["--shard", "3/2"],
            "expected a part and the number of parts",
        ),
    ] {
        let refused = lab(other, &[&further[..], &["--resume", shown(&path)]].concat());
        assert_ne!(refused.status, 0, "{says}");
        assert!(refused.err.contains(says), "{}", refused.err);
        refused.harmless();
    }
    let text = std::fs::read_to_string(&path).expect("a record");
    let damaged = text.replacen("{\"number\":1", "{\"number\":9999", 1);
    for (content, says) in [
        (damaged.as_str(), "record:3: found"),
        ("something else\n", "a record of plyscope lab"),
    ] {
        std::fs::write(&path, content).expect("written");
        let refused = lab(walks, &["--resume", shown(&path)]);
        refused.refused(1);
        assert!(refused.err.contains(says), "{}", refused.err);
    }
    // A whole line of something else at the end is no line that was cut off.
    let other = text
        .lines()
        .next()
        .expect("a header")
        .replace("seed 1", "seed 2");
    std::fs::write(&path, format!("{text}{other}\n")).expect("written");
    lab(walks, &["--resume", shown(&path)]).refused(1);
    let trials = ["--shard", "1/2", "--audit", "4"];
    let refused = lab(EXPERIMENTS[9], &trials);
    assert_eq!(refused.status, 2);
    assert!(
        refused.err.contains("the trials need the measurements"),
        "{}",
        refused.err
    );
}
