//! `plyscope grade` on traces that stop too early, miss something, or tell something that cannot be compared.

use serde_json::Value;

use super::grade::{Tongue, graded, new, run_to_any_end, source};
use crate::cli_support::{Run, file, folder, plyscope};

/// The right alpha-beta search of the ready-made assignment, as lines of its trace.
fn right(name: &str) -> Vec<String> {
    let trace = folder(&format!("grade-faults-{name}")).join("right.plytrace");
    let shown = trace.to_string_lossy();
    plyscope(&["grade", "--ready", "alpha-beta", "--reference", &shown]).clean();
    let text = std::fs::read_to_string(&trace).expect("a trace");
    text.lines().map(str::to_owned).collect()
}

fn of(name: &str, lines: &[String]) -> String {
    file(
        &format!("grade-faults-{name}.plytrace"),
        lines.join("\n") + "\n",
    )
}

fn by(arguments: &[&str]) -> (Run, Value) {
    let run = plyscope(&[&["grade"], arguments, &["--json"]].concat());
    let json = run.json_lines().pop().expect("an object");
    (run, json)
}

fn by_ready(name: &str, trace: &str) -> Value {
    by(&["--ready", name, trace]).1
}

fn first(json: &Value) -> &str {
    json["first"]["sentence"].as_str().unwrap_or_default()
}

/// What a check found first.
fn of_check<'a>(json: &'a Value, name: &str) -> &'a str {
    let checks = json["checks"].as_array().expect("checks");
    let check = checks.iter().find(|check| check["name"] == name);
    let first = &check.expect("the check")["first"];
    first["sentence"].as_str().unwrap_or_default()
}

/// A program that ends inside its search leaves what it did up to there, and passes no check.
#[test]
fn a_crash_is_graded_as_far_as_the_search_went() {
    let crashes = [
        (
            Tongue::Python,
            "if best >= beta:",
            "if name == 'b1': raise ValueError(name)\n        if best >= beta:",
        ),
        (
            Tongue::Python,
            "if best >= beta:",
            "if name == 'b1': sys.exit(3)\n        if best >= beta:",
        ),
        (
            Tongue::Python,
            "if best >= beta:",
            "if name == 'b1': os.abort()\n        if best >= beta:",
        ),
        (
            Tongue::C,
            "if (best >= beta) break;",
            "if (at->first + i == 2) exit(3);\n        if (best >= beta) break;",
        ),
        (
            Tongue::C,
            "if (best >= beta) break;",
            "if (at->first + i == 2) abort();\n        if (best >= beta) break;",
        ),
    ];
    for (i, (tongue, from, to)) in crashes.into_iter().enumerate() {
        if !tongue.is_here() {
            continue;
        }
        let folder = new("alpha-beta", &format!("crash-{i}"));
        let mut source = source(&folder, "alpha-beta", tongue, true, &[(from, to)]);
        if tongue == Tongue::Python {
            source = format!("import os, sys\n{source}");
        }
        let (trace, output) = run_to_any_end(&folder, &source, tongue);
        assert!(!output.status.success(), "{to}");
        let (run, json) = graded(&folder, &trace);
        assert_eq!(
            (run.status, &json["points"]),
            (1, &0.0.into()),
            "{to}\n{json:#}"
        );
        assert!(
            first(&json).starts_with("The trace has no end: the program stopped"),
            "{to}\n{json:#}"
        );
        // Most of the search is there, in which nothing was wrong.
        assert!(
            json["counts"]["nodes"].as_u64() > Some(12),
            "{to}\n{json:#}"
        );
        for check in json["checks"].as_array().expect("checks").iter().skip(1) {
            let sentence = check["first"]["sentence"].as_str().unwrap_or_default();
            assert_eq!(
                (&check["passed"], &check["wrong"]),
                (&false.into(), &0.into())
            );
            assert!(
                sentence.starts_with("Nothing wrong was found, but the trace stops"),
                "{to}\n{check:#}"
            );
        }
    }
}

#[test]
fn what_stops_too_early_earns_nothing() {
    let right = right("cut");
    for lines in [3, 11, 40] {
        let json = by_ready("alpha-beta", &of("cut", &right[..lines]));
        assert_eq!(json["points"], 0.0, "{lines}");
        assert!(
            first(&json).starts_with("The trace has no end"),
            "{lines}: {}",
            first(&json)
        );
    }
    // The root was left, so that the search is whole. Only its end was not told.
    let json = by_ready("alpha-beta", &of("cut", &right[..right.len() - 2]));
    assert_eq!(
        first(&json),
        "The trace has no end: the program stopped before it had finished"
    );
    assert_eq!((&json["points"], &json["of"]), (&11.0.into(), &12.0.into()));
    assert!(of_check(&json, "answer").starts_with("The trace tells no best move"));
    let against = |trace: &str| {
        by(&[
            "--against",
            "alpha-beta",
            "--position",
            "sample-positions/assignments/alpha-beta/position.tree",
            trace,
        ])
    };
    let (run, json) = against(&of("cut", &right[..right.len() - 2]));
    assert_eq!(run.status, 0, "{json:#}");
    let (run, json) = against(&of("cut", &right[..20]));
    assert_eq!((run.status, &json["points"]), (1, &0.0.into()));
}

/// A simulation of UCT in tic-tac-toe.
const UCT: &str = "{\"plyscope-trace\":1,\"game\":\"tictactoe\",\"order\":\"best-first\",\"value\":{\"range\":[-1,1]}}\n{\"kind\":\"search\",\"root\":\"ROOT\"}\n";

fn uct(name: &str, root: &str, lines: &str) -> Value {
    let trace = file(
        &format!("grade-faults-uct-{name}.plytrace"),
        UCT.replace("ROOT", root) + lines,
    );
    by(&[
        "--against",
        "mcts",
        "--simulations",
        "400",
        &trace,
        "--limit",
        "20s",
    ])
    .1
}

#[test]
fn simulations_with_a_weight_are_counted_by_arithmetic() {
    let many = "{\"kind\":\"visit\",\"node\":1,\"value\":1,\"weight\":4000000000}\n".repeat(300);
    let json = uct(
        "weight",
        "tictactoe",
        &format!(
            "{{\"kind\":\"expand\",\"node\":0,\"first\":1,\"moves\":[\"a1\",\"b1\"]}}\n{many}{{\"kind\":\"update\",\"node\":1,\"visits\":1200000000000}}\n{{\"kind\":\"end\"}}\n"
        ),
    );
    assert_eq!(
        json["counts"]["simulations"], 1_200_000_000_000_u64,
        "{json:#}"
    );
    assert_eq!(of_check(&json, "visits"), "");
}

#[test]
fn a_result_that_no_playout_can_have_is_told() {
    // O is to move and can't win any more.
    let root = "tictactoe xoo/oxx/x--";
    for (value, expected) in [
        (
            1,
            "At the root, a simulation ended with 1, but a playout from there ends with one of −1 0",
        ),
        (0, ""),
        (-1, ""),
    ] {
        let json = uct(
            "result",
            root,
            &format!("{{\"kind\":\"visit\",\"node\":0,\"value\":{value}}}\n{{\"kind\":\"end\"}}\n"),
        );
        assert_eq!(of_check(&json, "leaf-values"), expected);
    }
}

#[test]
fn what_is_missing_in_a_best_first_trace_is_named_once() {
    let visit = "{\"kind\":\"visit\",\"node\":3,\"value\":1}\n{\"kind\":\"end\"}\n";
    let json = uct("lost", "tictactoe", visit);
    let expected = "1 simulation ended at nodes that the trace does not know, first at node 3";
    assert!(first(&json).starts_with(expected), "{json:#}");
    assert!(
        of_check(&json, "selection").starts_with(expected),
        "{json:#}"
    );
    let update = "{\"kind\":\"update\",\"node\":0,\"visits\":9,\"value\":0}\n{\"kind\":\"end\"}\n";
    let json = uct("figures", "tictactoe", update);
    assert!(
        first(&json).starts_with("The trace has the figures of nodes (update) but no simulation"),
        "{json:#}"
    );
    // The same for all checks is one line.
    let trace = file(
        "grade-faults-uct-text.plytrace",
        UCT.replace("ROOT", "tictactoe") + visit,
    );
    let run = plyscope(&["grade", "--against", "mcts", &trace]);
    assert_eq!(run.out.matches("ended at nodes").count(), 1, "{}", run.out);
    let json = uct(
        "cut",
        "tictactoe",
        "{\"kind\":\"visit\",\"node\":0,\"value\":1}\n",
    );
    assert_eq!(
        first(&json),
        "The trace has no end: the program stopped before it had finished"
    );
    assert!(
        of_check(&json, "simulations").starts_with("The search made 1 simulation, "),
        "{json:#}"
    );
    // The root alone was visited, so that no move can be the best.
    let json = uct(
        "answer",
        "tictactoe",
        "{\"kind\":\"visit\",\"node\":0,\"value\":1}\n{\"kind\":\"end\",\"best\":\"a1\"}\n",
    );
    assert_eq!(
        of_check(&json, "answer"),
        "The search answered the move a1, but no simulation went to a legal move of the root"
    );
}

#[test]
fn the_cause_comes_first() {
    let right = right("cause");
    let leaf = right
        .iter()
        .position(|line| line.contains("leave"))
        .expect("a leaf");
    let mut unleft = right.clone();
    unleft.remove(leaf);
    let json = by_ready("alpha-beta", &of("unleft", &unleft));
    assert!(
        first(&json)
            .starts_with("The node after a a1 a11 a111 was not left before a112 was entered"),
        "{json:#}"
    );
    // Nothing is entered after the node that was not left, so that only their number is known.
    let mut last = right.clone();
    let leave = last.iter().rposition(|line| line.contains("leave"));
    let leave = leave.expect("a leave");
    last.remove(leave - 3);
    let json = by_ready("alpha-beta", &of("last", &last));
    assert!(
        of_check(&json, "trace").contains("did not leave 1 node"),
        "{json:#}"
    );
    for (at, sentence) in [
        (
            leaf,
            "was entered after the root was left: a node before it was left twice",
        ),
        (leave, "A node was left although none was open"),
    ] {
        let mut twice = right.clone();
        twice.insert(at, right[at].clone());
        let json = by_ready("alpha-beta", &of("twice", &twice));
        assert!(of_check(&json, "trace").contains(sentence), "{json:#}");
    }
    let mut rootless = right.clone();
    rootless.remove(2);
    let json = by_ready("alpha-beta", &of("rootless", &rootless));
    assert_eq!(
        first(&json),
        "The first node that was entered has the move a; the root comes first and has no move"
    );
    // Windows that are all swapped, with that of the root.
    let swapped = |line: &String| match line.contains("\"enter\"") {
        true => line
            .replace("\"alpha\":null", "\"alpha\":2147483647")
            .replace("\"beta\":null", "\"beta\":-2147483647"),
        false => line.clone(),
    };
    let swapped: Vec<String> = right.iter().map(swapped).collect();
    let json = by_ready("alpha-beta", &of("swapped", &swapped));
    assert_eq!(
        first(&json),
        "The root was entered with the window (+∞, −∞), the right one is (−∞, +∞)"
    );
}

/// The right answers are legal moves, by their names in the game.
#[test]
fn the_right_answer_is_a_legal_move() {
    let named = |line: &String| {
        ["a", "b", "c"].iter().fold(line.clone(), |line, m| {
            line.replace(&format!("\"{m}\""), &format!("\"{}\"", m.to_uppercase()))
        })
    };
    let lines: Vec<String> = right("names").iter().map(named).collect();
    let json = by_ready("alpha-beta", &of("names", &lines));
    assert_eq!(
        of_check(&json, "answer"),
        "The search answered the move A, right is a"
    );
    assert_eq!(
        of_check(&json, "windows"),
        "No window could be checked: no legal move of the root was searched"
    );
}

/// Mate is told from material, and the reference passes its own assignment.
#[test]
fn the_reference_of_chess_passes() {
    let assignment = file(
        "grade-faults-chess.toml",
        "algorithm = \"alpha-beta\"\nposition = \"r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1\"\ndepth = 2\nleaves = \"material\"\n",
    );
    let trace = file("grade-faults-chess.plytrace", "");
    plyscope(&["grade", "--assignment", &assignment, "--reference", &trace]).clean();
    let (run, json) = by(&["--assignment", &assignment, &trace]);
    assert_eq!((run.status, &json["points"]), (0, &8.0.into()), "{json:#}");
    let text = std::fs::read_to_string(&trace).expect("a trace");
    assert!(text.starts_with("{\"plyscope-trace\":1,\"engine\":\"textbook alpha-beta\",\"game\":\"chess\",\"value\":{\"unit\":\"cp\",\"win\":30000}}"), "{text:.300}");
}

#[test]
fn searches_of_other_positions_are_not_compared() {
    let model = |name: &str, root: &str| {
        let trace = file(&format!("grade-faults-{name}.plytrace"), "");
        plyscope(&[
            "grade",
            "--against",
            "minimax",
            "--position",
            root,
            "--reference",
            &trace,
        ])
        .clean();
        trace
    };
    let (one, other) = (
        model("one", "tictactoe x-o/-x-/--o"),
        model("two", "tictactoe xoo/oxx/x--"),
    );
    let (run, json) = by(&["--against", &one, &other]);
    run.refused(1);
    let expected = format!(
        "{one}: found a search of \"tictactoe x-o/-x-/--o\", expected \"tictactoe xoo/oxx/x--\""
    );
    assert_eq!(json["reason"], expected.as_str());
    let best_first = file(
        "grade-faults-order.plytrace",
        UCT.replace("ROOT", "tictactoe x-o/-x-/--o"),
    );
    let (_, json) = by(&["--against", &one, &best_first]);
    let expected = format!(
        "{one}: found a depth-first search to compare with, expected a best-first one, like the search that is graded"
    );
    assert_eq!(json["reason"], expected.as_str());
}

/// On a terminal a refusal is said once.
#[cfg(unix)]
#[test]
fn a_refusal_is_said_once_on_a_terminal() {
    if !Tongue::Python.is_here() {
        return;
    }
    let trace = file("grade-faults-none.plytrace", "");
    let run = std::process::Command::new("python3")
        .args([
            "-c",
            "import pty, sys; pty.spawn(sys.argv[1:])",
            env!("CARGO_BIN_EXE_plyscope"),
            "grade",
            "--ready",
            "minimax",
            &trace,
        ])
        .output()
        .expect("a terminal");
    let said = String::from_utf8_lossy(&run.stdout);
    assert_eq!(said.matches("found nothing").count(), 1, "{said}");
}
