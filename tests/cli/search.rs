//! `plyscope search` and `plyscope tree`, as run by a user or a script.

use crate::cli_support;

use cli_support::{file, plyscope, with_input};
use serde_json::Value;

const ALGORITHMS: [&str; 4] = ["alpha-beta", "prob-alpha-beta", "mcts", "distress"];
const TOY: &str = "max\nA\n  a1 3\n  a2 5\nB\n  b1 2\n  b2 9\n";
const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1";

fn search(arguments: &[&str]) -> Value {
    let all = [&["search", "--json", "--threads", "1"], arguments].concat();
    let mut lines = plyscope(&all).clean().json_lines();
    assert_eq!(lines.len(), 1);
    lines.remove(0)
}

fn keys(object: &Value) -> Vec<&str> {
    object
        .as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .collect()
}

#[test]
fn json_has_every_key_that_is_promised() {
    for algorithm in ALGORITHMS {
        let result = search(&["-a", algorithm, "--nodes", "3000"]);
        for key in [
            "version",
            "algorithm",
            "fen",
            "threads",
            "seed",
            "options",
            "nodes",
            "time_ms",
            "stopped_by",
            "best",
            "score",
            "belief",
            "pv",
            "moves",
            "fates",
        ] {
            assert!(keys(&result).contains(&key), "{algorithm}: {key}");
        }
        for key in ["expected", "cp", "mate", "lower", "upper"] {
            assert!(keys(&result["score"]).contains(&key), "{algorithm}: {key}");
        }
        assert_eq!(result["algorithm"], algorithm);
        assert_eq!(result["version"], 1);
        assert_eq!(result["stopped_by"], "nodes");
        assert_eq!(result["nodes"], 3000, "{algorithm}");
        let moves = result["moves"].as_array().expect("a list");
        assert_eq!(moves.len(), 20, "{algorithm}: every legal move");
        assert_eq!(moves[0]["uci"], result["best"]["uci"], "best first");
        assert_eq!(result["pv"][0], result["best"]["san"]);
        for m in moves {
            for key in [
                "uci", "san", "nodes", "visits", "policy", "expected", "sd", "cp", "lower",
                "upper", "mate", "fate", "pv", "pmf",
            ] {
                assert!(keys(m).contains(&key), "{algorithm}: moves {key}");
            }
        }
    }
}

#[test]
fn what_an_algorithm_does_not_have_is_null() {
    let result = search(&["-a", "alpha-beta", "--nodes", "3000"]);
    assert!(result["belief"].is_null());
    for m in result["moves"].as_array().expect("a list") {
        assert!(m["policy"].is_null() && m["sd"].is_null() && m["pmf"].is_null());
    }
    let result = search(&["-a", "mcts", "--nodes", "3000"]);
    assert_eq!(result["belief"]["kind"], "visits");
    let shares: f64 = result["moves"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|m| m["policy"].as_f64().expect("a share"))
        .sum();
    assert!((shares - 1.0).abs() < 0.01, "{shares}");
    let pmf = result["belief"]["pmf"].as_array().expect("a list");
    let edges = result["belief"]["edges"].as_array().expect("a list");
    assert_eq!(edges.len(), pmf.len() + 1);
    let mass: f64 = pmf.iter().filter_map(Value::as_f64).sum();
    assert!((mass - 1.0).abs() < 1e-3, "{mass}");
}

#[test]
fn one_thread_and_a_node_limit_give_the_same_result_twice() {
    for algorithm in ALGORITHMS {
        let run = || {
            let mut result = search(&["-a", algorithm, "--nodes", "5000", "--seed", "7"]);
            result["time_ms"] = Value::Null;
            result
        };
        assert_eq!(run(), run(), "{algorithm}");
    }
}

#[test]
fn a_mate_in_one_is_found_and_proven() {
    for algorithm in ["alpha-beta", "mcts"] {
        let result = search(&["-a", algorithm, "--fen", MATE_IN_ONE, "--nodes", "20000"]);
        assert_eq!(result["best"]["san"], "Rd8#", "{algorithm}");
        assert_eq!(result["score"]["mate"], 1, "{algorithm}");
        assert_eq!(result["score"]["mate_exact"], true, "{algorithm}");
        assert!(result["score"]["cp"].is_null());
        assert_eq!(result["score"]["lower"], 1.0);
        assert_eq!(result["stopped_by"], "solved", "{algorithm}");
    }
}

#[test]
fn a_finished_game_has_no_best_move() {
    let stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    let result = search(&["--fen", stalemate]);
    assert!(result["best"].is_null());
    assert_eq!(result["moves"].as_array().map(Vec::len), Some(0));
    let text = plyscope(&["search", "--fen", stalemate]).clean().out;
    assert!(text.contains("the game is over"), "{text}");
    // Games whose rules count points, or rows, say who has won.
    for (name, content, told) in [
        (
            "end.sgf",
            "(;GM[1]SZ[5]KM[0.5];B[cc];W[];B[])",
            "the game is over: Black wins by 24.5 points",
        ),
        (
            "end.c4",
            "connect4 1 2 1 2 1 2 1",
            "the game is over: Yellow has four in a row",
        ),
        (
            "end.ttt",
            "tictactoe a1 b1 a2 b2 c3 b3",
            "the game is over: O has three in a row",
        ),
    ] {
        let text = plyscope(&["search", &file(name, content)]).clean().out;
        assert!(text.contains(told), "{text}");
    }
}

#[test]
fn a_toy_tree_is_solved_in_its_own_unit() {
    let path = file("toy.tree", TOY);
    let result = search(&["-a", "alpha-beta", &path]);
    assert!(result["fen"].is_null());
    assert_eq!(result["best"]["san"], "A");
    assert_eq!(result["score"]["value"], 3.0);
    assert!(result["score"]["cp"].is_null());
    assert_eq!(result["stopped_by"], "solved");
}

/// Golden values for Figure 1 of *Probabilistic Alpha-Beta Search* (2013) with sigma 1: root 1.5663, C 1.1873, D .9260,
/// within the precision of the bins.
#[test]
fn figure_1_has_its_published_means() {
    let path = format!(
        "{}/sample-positions/figure1.tree",
        env!("CARGO_MANIFEST_DIR")
    );
    let result = search(&["-a", "prob-alpha-beta", &path]);
    let near = |value: &Value, golden: f64| {
        let value = value.as_f64().expect("a number");
        assert!((value - golden).abs() < 0.03, "{value} for {golden}");
    };
    // The root's score is that of its move; the belief about it is the maximum of both.
    assert_eq!(result["best"]["san"], "C");
    near(&result["score"]["value"], 1.1873);
    let number = |value: &Value| value.as_f64().expect("a number");
    let range = number(&result["score"]["value"]) / number(&result["score"]["expected"]);
    let mean = range * number(&result["belief"]["mean"]);
    assert!((mean - 1.5663).abs() < 0.03, "{mean}");
    for m in result["moves"].as_array().expect("a list") {
        let golden = if m["san"] == "C" { 1.1873 } else { 0.9260 };
        near(&m["value"], golden);
    }
}

#[test]
fn the_smallest_limits_are_no_trouble() {
    for algorithm in ALGORITHMS {
        for limit in [["--nodes", "1"], ["--time", "0s"], ["--depth", "1"]] {
            let result = search(&["-a", algorithm, limit[0], limit[1]]);
            let moves = result["moves"].as_array().expect("a list");
            assert_eq!(moves.len(), 20, "{algorithm} {limit:?}");
        }
    }
}

#[test]
fn several_positions_give_a_line_each_in_order() {
    let suite =
        format!("{MATE_IN_ONE}; id \"one\";\n8/8/8/8/8/4k3/8/4K2R w K - 0 1; id \"two\";\n");
    let path = file("suite.epd", &suite);
    let run = plyscope(&["search", &path, "--json", "--nodes", "500"]).clean();
    let titles: Vec<_> = run
        .json_lines()
        .iter()
        .map(|r| r["title"].clone())
        .collect();
    assert_eq!(titles, ["one", "two"]);
    let piped = with_input(
        &["search", "-", "--json", "--nodes", "500"],
        suite.as_bytes(),
    );
    assert_eq!(piped.clean().json_lines().len(), 2);
}

#[test]
fn a_bad_line_is_reported_and_the_others_are_searched() {
    let path = file("mixed.epd", format!("{MATE_IN_ONE};\nnonsense/8 w - -\n"));
    let run = plyscope(&["search", &path, "--json", "--nodes", "100"]);
    assert_eq!(run.json_lines().len(), 1);
    run.refused(1);
    assert!(run.err.contains("mixed.epd:2:"), "{}", run.err);
}

#[test]
fn moves_are_played_first() {
    let result = search(&["--moves", "e4 e7e5 Nf3", "--nodes", "500"]);
    let fen = result["fen"].as_str().expect("a FEN");
    assert!(fen.starts_with("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/"), "{fen}");
    let run = plyscope(&["search", "--moves", "e4 Ke3", "--nodes", "500"]);
    run.refused(1);
    assert!(run.err.contains("Ke3"), "{}", run.err);
}

#[test]
fn a_game_is_searched_at_its_end_or_where_one_says() {
    let path = file(
        "game.pgn",
        "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n",
    );
    let end = search(&[&path, "--nodes", "200"]);
    assert!(end["fen"].as_str().expect("a FEN").contains("2n5"));
    let first = search(&[&path, "--nodes", "200", "--ply", "1"]);
    assert!(first["fen"].as_str().expect("a FEN").contains("4P3"));
}

#[test]
fn options_are_set_and_shown() {
    let result = search(&["--set", "futility=off", "--nodes", "500"]);
    assert_eq!(result["options"]["futility"], false);
    assert!(result["fates"]["futility"].is_null());
    for (pair, part) in [
        ("futility=perhaps", "on or off"),
        ("nothing=1", "expected one of"),
        ("futility", "KEY=VALUE"),
    ] {
        let run = plyscope(&["search", "--set", pair]);
        run.refused(2);
        assert!(run.err.contains(part), "{}", run.err);
    }
}

#[test]
fn time_and_depth_are_limits() {
    let result = search(&["--depth", "3"]);
    assert_eq!(result["stopped_by"], "depth");
    assert_eq!(result["depth"], 3);
    let result = search(&["--time", "50ms"]);
    assert_eq!(result["stopped_by"], "time");
    assert!(result["time_ms"].as_u64().expect("a number") < 2_000);
}

#[test]
fn the_text_names_the_best_move_and_every_move() {
    let run = plyscope(&["search", "--nodes", "3000", "--ascii"]).clean();
    assert!(run.out.is_ascii());
    let lines: Vec<&str> = run.out.lines().collect();
    assert!(lines[0].starts_with("alpha-beta | depth"), "{}", lines[0]);
    assert_eq!(lines[1], "values: pawns, White's view");
    assert!(lines[2].starts_with("best  "), "{}", lines[2]);
    assert!(lines[3].starts_with("line  "), "{}", lines[3]);
    assert_eq!(lines.len(), 5 + 1 + 20);
}

fn count(node: &Value) -> usize {
    let children = node["children"].as_array().expect("a list");
    children.len() + children.iter().map(count).sum::<usize>()
}

#[test]
fn a_tree_as_json_keeps_to_its_limits_and_gives_reasons() {
    for algorithm in ALGORITHMS {
        let run = plyscope(&[
            "tree",
            "-a",
            algorithm,
            "--nodes",
            "5000",
            "--format",
            "json",
            "--max-nodes",
            "150",
            "--threads",
            "1",
        ])
        .clean();
        let json = &run.json_lines()[0];
        let written = count(&json["root"]);
        assert_eq!(json["written"], written);
        assert!((20..=150).contains(&written), "{algorithm}: {written}");
        for child in json["root"]["children"].as_array().expect("a list") {
            assert!(!child["why"].as_str().expect("a reason").is_empty());
            assert!(child["move"]["uci"].is_string());
        }
    }
}

#[test]
fn a_tree_can_begin_further_down_and_stop_early() {
    let run = plyscope(&[
        "tree",
        "--depth",
        "5",
        "--set",
        "eval=hand",
        "--from",
        "e4",
        "--max-ply",
        "1",
        "--format",
        "json",
    ])
    .clean();
    let json = &run.json_lines()[0];
    assert_eq!(count(&json["root"]), 20);
    assert_eq!(json["from"], "e4");
    let run = plyscope(&["tree", "--depth", "2", "--from", "e5"]);
    assert_eq!(run.status, 1);
    assert!(run.err.contains("\"e5\" is not legal"), "{}", run.err);
}

#[test]
fn a_tree_as_text_is_indented_and_names_the_fates() {
    let run = plyscope(&["tree", "--depth", "4", "--max-nodes", "100", "--ascii"]).clean();
    assert!(run.out.is_ascii());
    assert!(run.out.contains("\n  "), "{}", run.out);
    assert!(run.out.contains(" refutes: <= "), "{}", run.out);
    assert!(run.out.lines().count() <= 101);
}

/// Where the next node on the way to the leaf that is worth most is proven meanwhile, the descent goes elsewhere, and what is
/// left of the way means nothing there.
fn goes_on(fen: &str, nodes: &str) {
    let arguments = ["search", "-a", "distress", "--set", "allocation=mgss"];
    let rest = ["--fen", fen, "--nodes", nodes, "--threads", "1"];
    plyscope(&[&arguments[..], &rest].concat()).clean();
}

#[test]
fn a_descent_that_has_left_its_way_goes_on() {
    goes_on(
        "r3q1kr/ppp5/3p2pQ/8/3PP1b1/5R2/PPP3P1/5RK1 w - - 0 1",
        "20000",
    );
}

#[test]
fn a_descent_that_has_left_its_way_goes_on_in_an_endgame() {
    // Each step looks at the whole tree.
    goes_on("1k6/5RP1/1P6/1K6/6r1/8/8/8 w - - 0 1", "12000");
}
