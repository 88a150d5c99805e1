//! `plyscope lab truth`, as run by a user or a script.

use crate::cli_support;

use cli_support::{folder, plyscope};
use serde_json::Value;

fn truth(further: &[&str]) -> cli_support::Run {
    let base = [
        "lab",
        "truth",
        "--board",
        "3x3",
        "--no-progress",
        "--resamples",
        "20",
    ];
    plyscope(&[&base, further].concat())
}

#[test]
fn every_search_is_judged() {
    let run = truth(&["--every", "400", "--nodes", "60"]).clean();
    for part in [
        "Does any search prove what is not so?",
        "No search proved anything false in 12 of 4,520 positions",
        "truth · tic-tac-toe 3x3 · 12 of 4,520 positions · 60 nodes",
        "a sample: intervals at 95 %",
        "by column",
        "A  alpha-beta",
        "control",
        "moves left out and claims, by fate",
        "beta-cutoff",
        "distress: beliefs by ply below the root",
    ] {
        assert!(run.out.contains(part), "{part}\n{}", run.out);
    }
    run.harmless();
    let again = truth(&["--every", "400", "--nodes", "60", "--threads", "3"]).clean();
    assert_eq!(run.out, again.out, "threads do not matter");
    let ascii = truth(&["--every", "2000", "--nodes", "20", "--ascii"]).clean();
    assert!(ascii.out.is_ascii());
}

/// With all positions nothing is a sample; what is drawn follows the seed.
#[test]
fn all_positions_are_no_sample() {
    let pn = ["-a", "pn", "--nodes", "20", "--json"];
    let all = truth(&pn).clean().json_lines().remove(0);
    assert_eq!(
        (&all["all"], &all["searched"]),
        (&true.into(), &4_520.into())
    );
    // By a minimax in another language that looks at every sequence of moves.
    assert_eq!(all["results"], serde_json::json!([632, 1_052, 2_836]));
    let column = &all["columns"][0];
    assert_eq!(column["false_results"], 0);
    assert_eq!(column["first_false_proof"], Value::Null);
    assert!(
        column["proven"]["value"]
            .as_f64()
            .is_some_and(|share| share > 0.5)
    );
    assert_eq!(column["proven"]["interval"], Value::Null);
    let drawn = |seed| {
        let run = truth(&[&pn[..], &["--positions", "30", "--seed", seed]].concat());
        run.clean().json_lines().remove(0)
    };
    let one = drawn("1");
    assert_eq!((&one["all"], &one["searched"]), (&false.into(), &30.into()));
    assert!(one["columns"][0]["proven"]["interval"].is_array());
    assert_eq!(one, drawn("1"));
    assert_ne!(one["results"], drawn("2")["results"]);
}

#[test]
fn figures_are_written_as_values() {
    let path = folder("cli-lab-truth").join("truth.csv");
    let path = path.to_str().expect("a path");
    truth(&[
        "--every",
        "500",
        "--nodes",
        "50",
        "-a",
        "prob-alpha-beta",
        "-a",
        "mcts",
        "--csv",
        path,
    ])
    .clean();
    let text = std::fs::read_to_string(path).expect("written");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("column,figure,at,n,value,control"));
    for line in lines {
        assert_eq!(line.split(',').count(), 6, "{line}");
    }
    for part in [
        "prob-alpha-beta,crps,0,10,",
        "mcts,proven,root,10,",
        ",within 90 %,1,",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn what_cannot_be_judged_is_refused() {
    for (further, says) in [
        (
            &["--board", "7x6"][..],
            "expected 3x3 (tic-tac-toe), 4x4, 4x5 or 5x4",
        ),
        (&["--board", "4"], "expected 3x3"),
        (&["-a", "nobody"], "-a nobody"),
        (&["-a", "mcts:never=1"], "-a mcts:never=1"),
        (&["--every", "0"], "--every"),
        (&["--every", "2", "--positions", "3"], "cannot be used with"),
        (&["--nodes", "many"], "--nodes"),
    ] {
        let run = plyscope(&[&["lab", "truth"], further].concat());
        assert_eq!(run.status, 2, "{further:?}");
        assert!(run.err.contains(says), "{further:?}: {}", run.err);
        run.harmless();
    }
}
