//! `plyscope eval --with network`, `--policy`, `--pieces` and `--eval-file`.

use crate::cli_support::plyscope;

const OPENING: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const WEIGHTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/eval/network/weights.bin");

#[test]
fn shares_of_the_policy_sum_to_one_and_pieces_have_a_worth() {
    for with in ["hand", "network"] {
        let run = plyscope(&[
            "eval", "--fen", OPENING, "--with", with, "--policy", "--pieces", "--json",
        ])
        .clean();
        let found = &run.json_lines()[0];
        assert_eq!(found["with"], with);
        let policy = found["policy"].as_array().expect("moves");
        assert_eq!(policy.len(), 20);
        let shares: Vec<f64> = policy.iter().filter_map(|m| m["share"].as_f64()).collect();
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        assert!(shares.is_sorted_by(|a, b| a >= b));
        let pieces = found["pieces"].as_array().expect("pieces");
        assert_eq!(pieces.len(), 32);
        let worth = |square: &str| {
            let piece = pieces.iter().find(|p| p["square"] == square);
            piece.and_then(|p| p["worth"].as_i64())
        };
        assert!(worth("d8") > worth("a8") && worth("a8") > worth("a7"));
        assert_eq!(worth("e1"), None);
    }
}

#[test]
fn a_capture_that_wins_a_queen_is_likely() {
    let hanging = "rnb1kbnr/ppp1pppp/8/3q4/8/2N5/PPPP1PPP/R1BQKBNR w KQkq - 0 1";
    let run = plyscope(&[
        "eval", "--fen", hanging, "--with", "network", "--policy", "--json",
    ]);
    let found = &run.clean().json_lines()[0];
    assert_eq!(found["policy"][0]["san"], "Nxd5");
    assert!(found["policy"][0]["share"].as_f64() > Some(0.5));
    // The belief sees the capture; the value leaves it to quiescence.
    let mean = found["belief"]["mean"].as_f64().expect("a mean");
    let value = found["score"]["expected"].as_f64().expect("a value");
    assert!(mean > value + 0.2, "{mean} {value}");
}

#[test]
fn another_network_is_used_and_what_is_none_is_refused_in_one_line() {
    let folder = std::env::temp_dir().join(format!("plyscope-eval-file-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let eval = |file: &str| {
        plyscope(&[
            "eval",
            "--fen",
            OPENING,
            "--with",
            "network",
            "--json",
            "--eval-file",
            file,
        ])
    };
    let own = plyscope(&["eval", "--fen", OPENING, "--with", "network", "--json"])
        .clean()
        .out;
    assert_eq!(eval(WEIGHTS).clean().out, own);
    let weights = std::fs::read(WEIGHTS).expect("weights");
    let mut damaged = weights.clone();
    damaged[100_000] ^= 1;
    let cut = &weights[..weights.len() - 1];
    for (bytes, words) in [
        (&damaged[..], "damaged network"),
        (cut, "bytes, expected"),
        (b"PK\x03\x04 a zip", "not a network"),
        (b"", "not a network"),
    ] {
        let file = folder.join("some.bin");
        std::fs::write(&file, bytes).expect("a file");
        let run = eval(&file.to_string_lossy());
        assert_eq!(run.status, 1, "{run:?}");
        assert!(run.err.contains(words), "{run:?}");
        assert_eq!(run.err.lines().count(), 1, "{run:?}");
        assert!(run.out.is_empty(), "{run:?}");
    }
    eval("/nonexistent").refused(1);
    eval("/").refused(1);
}

/// Every algorithm searches with it, and finds something else than with the other one.
#[test]
fn every_algorithm_takes_it() {
    for algorithm in ["alpha-beta", "prob-alpha-beta", "mcts", "distress"] {
        let search = |eval: &str| {
            let set = format!("eval={eval}");
            let arguments = [
                "search",
                "--fen",
                OPENING,
                "-a",
                algorithm,
                "--set",
                &set,
                "--nodes",
                "3000",
                "--threads",
                "1",
                "--json",
            ];
            plyscope(&arguments).clean().json_lines()[0]["moves"].clone()
        };
        assert_eq!(search("network"), search("network"), "{algorithm}");
        assert_ne!(search("network"), search("hand"), "{algorithm}");
    }
}
