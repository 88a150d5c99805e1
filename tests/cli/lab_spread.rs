//! `plyscope lab spread` and `plyscope lab calibration`, as run by a user or a script.

use crate::cli_support;

use cli_support::{file, plyscope};
use common::data;
use serde_json::Value;

const GAME: &str =
    "[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 *\n";
const LABELS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/sample-positions/labels/sample.tsv"
);

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

#[test]
fn spread_by_nodes_and_by_ply() {
    let game = file("spread.pgn", GAME);
    let arguments = [
        "lab",
        "spread",
        &game,
        "--positions",
        "2",
        "--nodes",
        "8k",
        "--backup",
        "r-pick",
        "--backup",
        "r-opt",
    ];
    let run = plyscope(&arguments).clean();
    for part in [
        "2 positions · distress, 8000 nodes each",
        "by nodes",
        "A  r-pick",
        "B  r-opt",
        "By ply",
    ] {
        assert!(run.out.contains(part), "{part}\n{}", run.out);
    }
    run.harmless();
    let json = plyscope(&[arguments.as_slice(), &["--json"]].concat()).clean();
    let object = &json.json_lines()[0];
    assert_eq!(object["version"], 1);
    assert_eq!(
        (&object["experiment"], &object["trees"]),
        (&"spread".into(), &"chess".into())
    );
    assert_eq!(object["nodes"], serde_json::json!([1000, 2000, 4000, 8000]));
    assert_eq!(
        (&object["searched"], &object["complete"]),
        (&2.into(), &true.into())
    );
    let rules = object["rules"].as_array().expect("rules");
    let last = |rule: usize| number(&rules[rule]["by_nodes"][3]["sd"]);
    assert!(last(1) < last(0), "r_opt is the narrower one");
    assert_eq!(rules[0]["backup"], "r-pick");
    assert_eq!(rules[0]["by_ply"][0]["expanded"], rules[0]["by_nodes"][3]);
    assert_eq!(rules[0]["moved"].as_array().map(Vec::len), Some(3));
    let ascii = plyscope(&[arguments.as_slice(), &["--ascii"]].concat()).clean();
    assert!(ascii.out.is_ascii(), "{}", ascii.out);
}

#[test]
fn toy_trees_collapse_and_diffuse() {
    let arguments = [
        "lab",
        "spread",
        "--toy",
        "--branching",
        "4",
        "--depth",
        "4",
        "--population",
        "40",
        "--backup",
        "r-opt",
        "--backup",
        "r-pick",
    ];
    let run = plyscope(&arguments).clean();
    for part in [
        "toy trees · 4 moves",
        "Sd of the belief by depth",
        "over the oracle's",
    ] {
        assert!(run.out.contains(part), "{part}\n{}", run.out);
    }
    assert_eq!(run.out, plyscope(&arguments).clean().out);
    let json = plyscope(&[arguments.as_slice(), &["--json"]].concat()).clean();
    let object = &json.json_lines()[0];
    assert_eq!(
        (&object["trees"], &object["branching"]),
        (&"toy".into(), &4.into())
    );
    let at = |rule: usize, depth: usize| number(&object["rules"][rule]["by_depth"][depth]["sd"]);
    assert!(at(0, 3) < at(0, 0) && at(1, 3) > at(1, 0));
    assert_eq!(object["oracle"].as_array().map(Vec::len), Some(4));
    let relative = number(&object["rules"][0]["by_depth"][3]["relative"]);
    assert!(relative > 1.0, "{relative}");
}

#[test]
fn columns_are_judged_by_labels() {
    let arguments = [
        "lab",
        "calibration",
        LABELS,
        "--positions",
        "12",
        "--nodes",
        "300",
        "-a",
        "distress",
        "-a",
        "alpha-beta",
    ];
    let run = plyscope(&arguments).clean();
    for part in [
        "12 of 526 labels",
        "A  distress",
        "B  alpha-beta",
        "PIT",
        "points:",
    ] {
        assert!(run.out.contains(part), "{part}\n{}", run.out);
    }
    run.harmless();
    let json = plyscope(&[arguments.as_slice(), &["--kind", "g", "--json"]].concat()).clean();
    let object = &json.json_lines()[0];
    assert_eq!(object["experiment"], "calibration");
    assert_eq!(
        (&object["kind"], &object["answered"]),
        (&"g".into(), &12.into())
    );
    assert!(object["labels"].as_u64().is_some_and(|n| n < 526));
    let columns = object["columns"].as_array().expect("columns");
    assert_eq!(columns.len(), 2);
    for column in columns {
        assert_eq!(column["n"], 12);
        let coverage = column["coverage"].as_array().expect("coverage");
        assert_eq!(coverage.len(), 3);
        for level in coverage {
            let (share, low) = (number(&level["share"]), number(&level["interval"][0]));
            assert!(low <= share && share <= number(&level["interval"][1]));
        }
        let pit = column["pit"].as_array().expect("a histogram");
        assert!((pit.iter().map(number).sum::<f64>() - 1.0).abs() < 1e-9);
        assert!(number(&column["rmse"]) >= number(&column["bias"]).abs());
        assert_eq!(column["agreement"]["n"], 12);
    }
    assert_eq!(columns[1]["points"], 12);
    let other = plyscope(&[arguments.as_slice(), &["--seed", "2"]].concat()).clean();
    assert_ne!(run.out, other.out, "another sample");
}

#[test]
fn epd_is_labelled_too_and_bad_lines_are_refused_where_they_are() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let mixed = file(
        "labels.epd",
        format!(
            "{start} ce 30; bm e4;\n{start} 0 1\tcp\tmuch\t0\t1000\t0\te2e4\tg\n{start} bm d4;\n"
        ),
    );
    let run = plyscope(&[
        "lab",
        "calibration",
        &mixed,
        "-a",
        "mcts",
        "--nodes",
        "100",
        "--json",
    ]);
    run.refused(1);
    assert!(
        run.err.contains("labels.epd:2: found \"much\""),
        "{}",
        run.err
    );
    let column = &run.json_lines()[0]["columns"][0];
    assert_eq!(
        (&column["n"], &column["agreement"]["n"]),
        (&1.into(), &2.into())
    );
    let empty = file("labels-empty.tsv", "");
    plyscope(&["lab", "calibration", &empty]).refused(1);
    plyscope(&["lab", "calibration", "no-such-file.tsv"]).refused(1);
    let broken = file("labels.tsv.zst", [0x28, 0xb5, 0x2f, 0xfd, 1, 2, 3]);
    plyscope(&["lab", "calibration", &broken]).refused(1);
}

/// The whole compressed file, if it is available.
#[test]
fn a_compressed_file_is_read() {
    let Some(folder) = data("labels") else { return };
    let labels = folder.join("test.tsv.zst").to_string_lossy().into_owned();
    let run = plyscope(&[
        "lab",
        "calibration",
        &labels,
        "-a",
        "distress",
        "--nodes",
        "200",
        "--positions",
        "5",
        "--json",
    ])
    .clean();
    let object = &run.json_lines()[0];
    assert_eq!(
        (&object["labels"], &object["answered"]),
        (&31_542.into(), &5.into())
    );
}

#[test]
fn what_can_not_be_done_is_refused() {
    for wrong in [
        vec!["spread", "--backup", "best"],
        vec!["spread", "--toy", "--backup", "best"],
        vec!["spread", "--toy", "--branching", "1"],
        vec!["spread", "--branching", "3"],
        vec!["spread", "--set", "width=9"],
        vec!["calibration", LABELS, "-a", "minimax"],
        vec!["calibration", LABELS, "--kind", "z"],
    ] {
        let run = plyscope(&[&["lab"], wrong.as_slice()].concat());
        assert_eq!(run.status, 2, "{wrong:?}: {}", run.err);
        run.harmless();
    }
    let tree = file("spread.tree", "max\na 1\nb 2\n");
    plyscope(&["lab", "spread", &tree]).refused(1);
}
