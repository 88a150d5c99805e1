//! `plyscope lab plies` and `plyscope lab refutation`, as run by a user or a script.

use crate::cli_support;

use cli_support::{file, plyscope};
use serde_json::Value;

const FENS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\
    r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\n\
    8/5k2/5R2/3Np3/4P3/8/4K3/1r6 b - - 9 63\n\
    r1bq1rk1/pp2bppp/2n1pn2/2pp4/2PP4/1PN1PN2/PB2BPPP/R2Q1RK1 w - - 0 9\n";

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

/// Runs the experiment on few nodes, with further arguments.
fn plies(positions: &str, further: &[&str]) -> cli_support::Run {
    let usual = [
        "lab",
        "plies",
        positions,
        "--nodes",
        "4k",
        "--set",
        "leaf-expand=1",
        "--plies",
        "4",
        "--resamples",
        "50",
    ];
    plyscope(&[usual.as_slice(), further].concat())
}

const SHORT: [&str; 4] = ["--label-nodes", "200", "--label-times", "0"];

#[test]
fn beliefs_are_judged_ply_by_ply() {
    let positions = file("plies.fen", FENS);
    let run = plies(&positions, &SHORT).clean();
    for part in [
        "4 positions · distress, 4000 nodes each",
        "truth: alpha-beta, 0 times",
        "A  gumbel:2",
        "best-child",
        "Leaves by ply",
        "Over the plies 1 to",
        "Correlation of siblings' errors",
    ] {
        assert!(run.out.contains(part), "{part}\n{}", run.out);
    }
    run.harmless();
    let again = plies(
        &positions,
        &[SHORT.as_slice(), &["--threads", "2"]].concat(),
    );
    assert_eq!(run.out, again.clean().out, "the same with any threads");
    let ascii = plies(&positions, &[SHORT.as_slice(), &["--ascii"]].concat()).clean();
    assert!(ascii.out.is_ascii(), "{}", ascii.out);
    let json = plies(&positions, &[SHORT.as_slice(), &["--json"]].concat()).clean();
    let object = &json.json_lines()[0];
    assert_eq!(
        (&object["version"], &object["experiment"]),
        (&1.into(), &"plies".into())
    );
    assert_eq!(
        (&object["trees"], &object["unlabelled"]),
        (&4.into(), &0.into())
    );
    let back_ups = object["back_ups"].as_array().expect("back-ups");
    assert_eq!(back_ups.len(), 9);
    for back_up in back_ups {
        let by_ply = back_up["by_ply"].as_array().expect("plies");
        for ply in by_ply {
            let pit = ply["pit"].as_array().expect("a histogram");
            assert!((pit.iter().map(number).sum::<f64>() - 1.0).abs() < 1e-9);
            assert!(number(&ply["rmse"]) >= number(&ply["bias"]).abs());
            // All candidates are judged on the same draws.
            let first = &back_ups[0]["by_ply"][number(&ply["at"]) as usize];
            assert_eq!(ply["n"], first["n"]);
        }
    }
    assert_eq!(number(&back_ups[0]["crps_above_first"][1]["value"]), 0.0);
}

/// What is written can be read: the labels give the same figures again, up to their rounding to whole centipawns.
#[test]
fn labels_are_written_and_read() {
    let positions = file("plies-labels.fen", FENS);
    let (labels, csv, svg) = (
        file("plies.epd", ""),
        file("plies.csv", ""),
        file("plies.svg", ""),
    );
    let written = [
        "--json",
        "--write-labels",
        &labels,
        "--csv",
        &csv,
        "--svg",
        &svg,
    ];
    let run = plies(&positions, &[SHORT.as_slice(), &written].concat()).clean();
    let again = plies(&positions, &["--labels", &labels, "--json"]).clean();
    let (one, other) = (&run.json_lines()[0], &again.json_lines()[0]);
    assert_eq!(other["unlabelled"], 0);
    let crps = |object: &Value| number(&object["back_ups"][0]["by_ply"][1]["crps"]["value"]);
    assert!((crps(one) - crps(other)).abs() < 2e-3);
    let read = |path: &str| std::fs::read_to_string(path).expect("a file");
    let draws = read(&csv);
    let lines = draws.lines().count() - 1;
    assert!(
        lines > 0 && lines % 9 == 0,
        "{lines} lines for nine back-ups"
    );
    assert!(draws.lines().all(|l| l.split(',').count() == 12), "{draws}");
    let picture = read(&svg);
    assert!(picture.starts_with("<svg") && !picture.contains("NaN"));
    // A file that was cut off in a line is used up to there.
    let whole = read(&labels);
    let cut = file("plies-cut.epd", &whole[..whole.len() - 8]);
    let run = plies(&positions, &["--labels", &cut]);
    run.refused(1);
    assert!(
        run.err.contains("plies-cut.epd:") && run.err.contains("expected"),
        "{}",
        run.err
    );
}

#[test]
fn families_are_fitted_and_judged() {
    let positions = file("plies-fit.fen", FENS);
    let options = ["--backup", "r-opt", "--fit"];
    let run = plies(&positions, &[SHORT.as_slice(), &options].concat()).clean();
    for part in [
        "Fitted on 2 positions, judged on the other 2",
        "Parameters by spread",
        "Parameters by score",
        "constant:",
        "blend:",
        "the control",
    ] {
        assert!(run.out.contains(part), "{part}\n{}", run.out);
    }
}

#[test]
fn what_can_not_be_judged_is_refused_in_one_line() {
    let positions = file("plies-wrong.fen", FENS);
    for (wrong, says) in [
        (vec!["--backup", "best"], "--backup: unknown back-up rule"),
        (vec!["--backup", "svfc"], "--backup: found svfc"),
        (vec!["--backup", "blend:1"], "three numbers"),
        (vec!["--set", "backup=three-point"], "found three-point"),
        (vec!["--label", "minimax"], "--label minimax"),
        (vec!["--set", "width=9"], "width"),
        (vec!["--positions", "0"], "--positions"),
        (
            vec!["--labels", "x", "--label-nodes", "3"],
            "cannot be used with",
        ),
    ] {
        let run = plies(&positions, &wrong);
        assert_eq!(run.status, 2, "{wrong:?}: {}", run.err);
        assert!(run.err.contains(says), "{wrong:?}: {}", run.err);
        run.harmless();
    }
    let empty = file("plies-empty.fen", "");
    plies(&empty, &[]).refused(1);
    let tree = file("plies.tree", "max\na 1\nb 2\n");
    plies(&tree, &[]).refused(1);
    let run = plies(&positions, &["--labels", &empty]);
    run.refused(1);
    assert!(run.err.contains("found no label"), "{}", run.err);
    plies(&positions, &["--labels", "no-such-file.epd"]).refused(1);
}

#[test]
fn hidden_refutations_are_seen_and_given_up() {
    let arguments = [
        "lab",
        "refutation",
        "--trees",
        "4",
        "--nodes",
        "4k",
        "--hidden",
        "2",
        "--resamples",
        "50",
        "-a",
        "alpha-beta",
        "-a",
        "distress",
    ];
    let run = plyscope(&arguments).clean();
    for part in [
        "4 random trees · 8 moves · hidden for 2 plies",
        "A  alpha-beta",
        "B  distress",
        "control strayed",
    ] {
        assert!(run.out.contains(part), "{part}\n{}", run.out);
    }
    run.harmless();
    assert_eq!(run.out, plyscope(&arguments).clean().out);
    let svg = file("refutation.svg", "");
    let further = ["--json", "--svg", &svg];
    let json = plyscope(&[arguments.as_slice(), &further].concat()).clean();
    let object = &json.json_lines()[0];
    assert_eq!(
        (&object["experiment"], &object["searched"]),
        (&"refutation".into(), &4.into())
    );
    for column in object["columns"].as_array().expect("columns") {
        let share = number(&column["figures"]["sighted"]["value"]);
        assert!((0.0..=1.0).contains(&share));
    }
    let picture = std::fs::read_to_string(&svg).expect("a picture");
    assert!(picture.contains("alpha-beta") && !picture.contains("NaN"));
    for wrong in [["--trees", "0"], ["--branching", "1"], ["-a", "minimax"]] {
        let run = plyscope(&[["lab", "refutation"].as_slice(), &wrong].concat());
        assert_eq!(run.status, 2, "{wrong:?}: {}", run.err);
    }
}
