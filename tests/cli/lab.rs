//! `plyscope lab futility`, as run by a user or a script.

use crate::cli_support;

use cli_support::{file, plyscope};

const GAME: &str =
    "[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 *\n";

#[test]
fn changes_and_fits_are_printed() {
    let game = file("lab.pgn", GAME);
    let run = plyscope(&["lab", "futility", &game, "--depth", "3", "--positions", "6"]).clean();
    for part in [
        "6 positions · depth 3",
        "Change of score from the static value",
        "Change of score from quiescence",
        "linear:",
        "probability:",
        "beyond",
    ] {
        assert!(run.out.contains(part), "{part}\n{}", run.out);
    }
    assert!(!run.out.contains("Trials"));
    run.harmless();
    let again = plyscope(&["lab", "futility", &game, "--depth", "3", "--positions", "6"]).clean();
    assert_eq!(run.out, again.out);
    let ascii = plyscope(&[
        "lab",
        "futility",
        &game,
        "--depth",
        "2",
        "--positions",
        "3",
        "--ascii",
    ]);
    assert!(ascii.clean().out.is_ascii());
}

#[test]
fn json_has_the_trials_too() {
    let game = file("lab-json.pgn", GAME);
    let run = plyscope(&[
        "lab",
        "futility",
        &game,
        "--depth",
        "4",
        "--positions",
        "5",
        "--family",
        "root",
        "--family",
        "linear",
        "--audit",
        "4",
        "--json",
    ])
    .clean();
    let lines = run.json_lines();
    assert_eq!(lines.len(), 1);
    let object = &lines[0];
    assert_eq!(object["version"], 1);
    assert_eq!(object["experiment"], "futility");
    assert_eq!(object["rule"], "futility");
    assert_eq!(object["complete"], true);
    assert_eq!(object["measured"], 5);
    assert_eq!(object["audit"], 4);
    let depths = object["changes"][0]["depths"].as_array().expect("depths");
    assert_eq!(depths.len(), 4);
    assert_eq!(object["changes"][0]["from"], "static");
    // In the order in which they were named.
    let trials = object["trials"].as_array().expect("trials");
    let names: Vec<_> = trials.iter().map(|t| &t["family"]).collect();
    assert_eq!(names, ["root", "linear"]);
    for trial in trials {
        assert!(trial["nodes"].as_u64().is_some_and(|n| n > 0));
        for row in trial["rules"].as_array().expect("rules") {
            assert!(row["failed"].as_u64() <= row["tried"].as_u64());
            assert!(row["tried"].as_u64() <= row["pruned"].as_u64());
        }
    }
}

#[test]
fn a_margin_can_be_given_for_the_savings() {
    let game = file("lab-margin.pgn", GAME);
    let run = plyscope(&[
        "lab",
        "futility",
        &game,
        "--rule",
        "reverse-futility",
        "--depth",
        "3",
        "--positions",
        "3",
        "--family",
        "linear",
        "--audit",
        "4",
        "--margin",
        "root:100",
    ])
    .clean();
    assert!(
        run.out.contains("Trials of reverse-futility"),
        "{}",
        run.out
    );
}

#[test]
fn what_can_not_be_measured_is_refused() {
    let tree = file("lab.tree", "max\na 1\nb 2\n");
    plyscope(&["lab", "futility", &tree]).refused(1);
    plyscope(&["lab", "futility", "no-such-file.pgn"]).refused(1);
    let mated = file(
        "lab.fen",
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3\n",
    );
    plyscope(&["lab", "futility", &mated]).refused(1);
    for wrong in [
        ["--family", "cubic"],
        ["--margin", "linear"],
        ["--depth", "1"],
        ["--level", "0.9"],
        ["--set", "futility-depth=x"],
    ] {
        let run = plyscope(&[["lab", "futility", "--audit", "4"].as_slice(), &wrong].concat());
        assert_eq!(run.status, 2, "{wrong:?}: {}", run.err);
        run.harmless();
    }
}

/// A line through the scores at two depths, as text and as JSON with the same numbers.
#[test]
fn pairs_of_depths_are_fitted() {
    let game = file("lab-pairs.pgn", GAME);
    let ask = [
        "lab",
        "prob-cut",
        &game,
        "--depth",
        "4",
        "--positions",
        "12",
    ];
    let run = plyscope(&ask).clean();
    for part in ["12 positions", "deep", "sigma", "refused: a is not above 0"] {
        assert!(run.out.contains(part), "{part}\n{}", run.out);
    }
    run.harmless();
    let json = plyscope(&[&ask[..], &["--json"]].concat()).clean();
    let found: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
    let pairs = found["pairs"].as_array().expect("pairs");
    let depths: Vec<(u64, u64)> = pairs
        .iter()
        .map(|p| {
            (
                p["deep"].as_u64().unwrap_or(0),
                p["shallow"].as_u64().unwrap_or(0),
            )
        })
        .collect();
    assert_eq!(depths, [(3, 1), (4, 2)]);
    for pair in pairs {
        assert_eq!(
            pair["n"]
                .as_u64()
                .zip(pair["left_out"].as_u64())
                .map(|(n, l)| n + l),
            Some(12)
        );
        let (a, r) = (
            pair["a"].as_f64().expect("a"),
            pair["r"].as_f64().expect("r"),
        );
        assert_eq!(pair["usable"], a > 0.0 && r >= 0.8);
        assert!(run.out.contains(&format!("{a:.3}")), "{a}\n{}", run.out);
    }
}

/// The belief by depth, as text, as JSON and with what it was fitted to.
#[test]
fn values_are_judged_by_depth() {
    let labels = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/sample-positions/labels/sample.tsv"
    );
    let csv = file("lab-depths.csv", "");
    let ask = ["lab", "depths", labels, "--positions", "80", "--depth", "2"];
    let run = plyscope(&[&ask[..], &["--csv", &csv]].concat()).clean();
    for part in ["fitted to", "judged on", "one width", "location ["] {
        assert!(run.out.contains(part), "{part}\n{}", run.out);
    }
    run.harmless();
    let found = std::fs::read_to_string(&csv).expect("the file");
    let mut lines = found.lines();
    assert_eq!(
        lines.next(),
        Some("position,depth,value,before,mean,spread,phase,pending,truth")
    );
    let json = plyscope(&[&ask[..], &["--json"]].concat()).clean();
    let told: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
    let depths = told["depths"].as_array().expect("depths");
    assert_eq!(depths.len(), 3);
    let rows = |depth: &str| {
        lines
            .clone()
            .filter(|l| l.split(',').nth(1) == Some(depth))
            .count()
    };
    // Half of the positions are judged on; mates have no samples.
    for (depth, at) in ["0", "1", "2"].iter().zip(depths) {
        let judged = at["fitted"]["n"].as_u64().expect("n") as usize;
        assert!(
            judged > 30 && rows(depth) >= 2 * judged - 1,
            "{depth}: {judged}"
        );
        assert!(run.out.contains(&format!(
            "{:.4}",
            at["fitted"]["crps"].as_f64().expect("CRPS")
        )));
    }
}
