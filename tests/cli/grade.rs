//! `plyscope grade`: the ready-made assignments with their skeletons, solutions of them in Python and C, and what is wrong in
//! solutions that are wrong in one place.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::cli_support::{Run, file, folder, plyscope};

const NAMES: [&str; 3] = ["minimax", "alpha-beta", "uct"];

/// What a student writes in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tongue {
    Python,
    C,
}

impl Tongue {
    const ALL: [Tongue; 2] = [Tongue::Python, Tongue::C];

    fn ending(self) -> &'static str {
        match self {
            Tongue::Python => "py",
            Tongue::C => "c",
        }
    }

    /// The lines between which the students write.
    fn marks(self) -> [&'static str; 2] {
        match self {
            Tongue::Python => [
                "# ---- your search ----\n",
                "# ---- end of your search ----\n",
            ],
            Tongue::C => [
                "/* ---- your search ---- */\n",
                "/* ---- end of your search ---- */\n",
            ],
        }
    }

    /// Whether its compiler or interpreter is installed; says so if not.
    pub fn is_here(self) -> bool {
        let program = match self {
            Tongue::Python => "python3",
            Tongue::C => "cc",
        };
        let found = Command::new(program).arg("--version").output().is_ok();
        if !found {
            println!("left out: {program} is not installed");
        }
        found
    }
}

/// The folder of a ready-made assignment, as `--new` writes it.
pub fn new(name: &str, place: &str) -> PathBuf {
    let folder = folder(&format!("grade-{name}-{place}"));
    let shown = folder.to_string_lossy();
    plyscope(&["grade", "--new", name, &shown]).clean();
    folder
}

/// The skeleton with a solution in it, or with nothing; every change is made exactly once.
pub fn source(
    folder: &Path,
    name: &str,
    tongue: Tongue,
    is_solved: bool,
    changes: &[(&str, &str)],
) -> String {
    let skeleton = fs::read_to_string(folder.join(format!("skeleton.{}", tongue.ending())));
    let skeleton = skeleton.expect("a skeleton");
    if !is_solved {
        return skeleton;
    }
    let solution = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(format!("tests/fixtures/grade/{name}.{}", tongue.ending()));
    let mut solution = fs::read_to_string(solution).expect("a solution");
    for (from, to) in changes {
        assert_eq!(
            solution.matches(from).count(),
            1,
            "{name}: {from}\n{solution}"
        );
        solution = solution.replace(from, to);
    }
    let [begin, end] = tongue.marks();
    let (before, rest) = skeleton.split_once(begin).expect("a mark");
    let (_, after) = rest.split_once(end).expect("a mark");
    format!("{before}{begin}{solution}{end}{after}")
}

/// Builds and runs a program that ends well, and returns the file beside it with its trace.
fn run(folder: &Path, source: &str, tongue: Tongue) -> PathBuf {
    let (trace, output) = run_to_any_end(folder, source, tongue);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && said.is_empty(),
        "{said}\n{source}"
    );
    trace
}

/// Builds and runs a program, which writes its trace to a file beside it.
pub fn run_to_any_end(folder: &Path, source: &str, tongue: Tongue) -> (PathBuf, Output) {
    let file = folder.join(format!("student.{}", tongue.ending()));
    fs::write(&file, source).expect("a file");
    let trace = folder.join("student.plytrace");
    let _ = fs::remove_file(&trace);
    let mut command = match tongue {
        Tongue::Python => {
            let mut command = Command::new("python3");
            command.arg(&file).env("PYTHONDONTWRITEBYTECODE", "1");
            command
        }
        Tongue::C => {
            let program = folder.join("student");
            let built = Command::new("cc")
                .args(["-Wall", "-Wextra", "-Werror", "-O1"])
                .arg(&file)
                .arg("-o")
                .arg(&program)
                .args(["-lpthread", "-lm"])
                .output();
            let built = built.expect("a compiler");
            assert!(
                built.status.success(),
                "{}",
                String::from_utf8_lossy(&built.stderr)
            );
            Command::new(program)
        }
    };
    let output = command
        .env("PLYSCOPE_TRACE", &trace)
        .output()
        .expect("it runs");
    (trace, output)
}

pub fn graded(folder: &Path, trace: &Path) -> (Run, Value) {
    let shown = |path: &Path| path.to_string_lossy().into_owned();
    let arguments = [
        "grade",
        "--assignment",
        &shown(folder),
        &shown(trace),
        "--json",
    ];
    let run = plyscope(&arguments);
    run.harmless();
    let json = run.json_lines().pop().expect("an object");
    (run, json)
}

#[test]
fn skeletons_run_and_are_told_that_nothing_was_searched() {
    for name in NAMES {
        for tongue in Tongue::ALL.into_iter().filter(|tongue| tongue.is_here()) {
            let folder = new(name, &format!("skeleton-{}", tongue.ending()));
            let trace = run(&folder, &source(&folder, name, tongue, false, &[]), tongue);
            let (run, json) = graded(&folder, &trace);
            assert_eq!((run.status, run.err.as_str()), (1, ""), "{name} {tongue:?}");
            assert_eq!(json["verdict"], "failed");
            assert_eq!(json["points"], 0.0);
            let first = json["first"]["sentence"].as_str().expect("a sentence");
            assert!(first.starts_with("Nothing was searched yet"), "{first}");
        }
    }
}

#[test]
fn solutions_get_all_points() {
    for name in NAMES {
        for tongue in Tongue::ALL.into_iter().filter(|tongue| tongue.is_here()) {
            let folder = new(name, &format!("solution-{}", tongue.ending()));
            let trace = run(&folder, &source(&folder, name, tongue, true, &[]), tongue);
            let (run, json) = graded(&folder, &trace);
            assert_eq!(
                (run.status, run.err.as_str()),
                (0, ""),
                "{name} {tongue:?}\n{json:#}"
            );
            assert_eq!(json["verdict"], "passed");
            assert_eq!(json["points"], json["of"]);
            assert!(json["first"].is_null());
            for check in json["checks"].as_array().expect("checks") {
                assert!(
                    check["checked"].as_u64() > Some(0),
                    "{name} {tongue:?}: {check:#}"
                );
            }
        }
    }
}

/// A solution that is wrong: the assignment, the change, the check that fails first, and how its sentence begins.
struct Wrong {
    name: &'static str,
    tongue: Tongue,
    changes: &'static [(&'static str, &'static str)],
    check: &'static str,
    sentence: &'static str,
}

const fn wrong(
    name: &'static str,
    tongue: Tongue,
    changes: &'static [(&'static str, &'static str)],
    check: &'static str,
    sentence: &'static str,
) -> Wrong {
    Wrong {
        name,
        tongue,
        changes,
        check,
        sentence,
    }
}

const WRONG: [Wrong; 33] = [
    // The sign.
    wrong(
        "minimax",
        Tongue::Python,
        &[("value = -search", "value = search")],
        "values",
        "The node after b3 a2 c2 a1 was left with −1, its best move, b1, makes it 1",
    ),
    wrong(
        "minimax",
        Tongue::C,
        &[("int value = -search", "int value = search")],
        "values",
        "The node after b3 a2 c2 a1 was left with −1, its best move, b1, makes it 1",
    ),
    // Missing leaves.
    wrong(
        "minimax",
        Tongue::Python,
        &[("for cell in moves(board):", "for cell in moves(board)[:4]:")],
        "complete",
        "At the root, the search did not look at b1 although nothing had cut off what is left: no value can cut off anything there",
    ),
    wrong(
        "minimax",
        Tongue::C,
        &[(
            "if (board[next]) continue",
            "if (board[next] || next == 7) continue",
        )],
        "complete",
        "After b3 a2 c2 a1, the search looked at no move, although there is 1 move and the game goes on",
    ),
    // A loss that counts as a win.
    wrong(
        "minimax",
        Tongue::Python,
        &[("best = -1\n", "best = 1\n")],
        "leaf-values",
        "The node after b3 a2 c2 a1 b1 is worth −1 by the game, the search gave it 1",
    ),
    // A lost game that goes on.
    wrong(
        "minimax",
        Tongue::Python,
        &[("if has_won(board, -side):", "if False:")],
        "leaves",
        "The node after b3 a2 c2 a1 b1 is worth −1 by the game, the search gave it 0",
    ),
    // Too early an end.
    wrong(
        "minimax",
        Tongue::Python,
        &[("elif not moves(board):", "elif ply == 2:")],
        "leaves",
        "After b3 a2, the search looked at no move, although there are 3 moves and the game goes on",
    ),
    // The last value instead of the greatest.
    wrong(
        "minimax",
        Tongue::C,
        &[("if (value > best) {", "if (value > best || next == 6) {")],
        "values",
        "The node after a2 b3 b1 was left with −1, its best move, c2, makes it 1",
    ),
    // A move that is searched twice, and one that is not legal.
    wrong(
        "minimax",
        Tongue::Python,
        &[(
            "for cell in moves(board):",
            "for cell in moves(board) + moves(board)[:1]:",
        )],
        "moves",
        "After b3 a2 c2 a1, the search looked at b1 a second time",
    ),
    wrong(
        "minimax",
        Tongue::Python,
        &[("CELLS[cell])", "CELLS[(cell + 1) % 9])")],
        "moves",
        "At the root, the search made the move \"c3\", which the position does not have; legal: ",
    ),
    // The wrong best move, and the wrong value.
    wrong(
        "minimax",
        Tongue::Python,
        &[("if ply == 0:", "if ply == 0 and best_move is None:")],
        "answer",
        "The search answered the move b3, right is c2",
    ),
    // No cut.
    wrong(
        "alpha-beta",
        Tongue::Python,
        &[("if best >= beta:", "if False:")],
        "cuts",
        "After a a2 a22, the search looked at a222 although a221 had already cut it off: its value −3 is beyond the bound −4",
    ),
    wrong(
        "alpha-beta",
        Tongue::C,
        &[("if (best >= beta) break;", "")],
        "cuts",
        "After a a2 a22, the search looked at a222 although a221 had already cut it off: its value −3 is beyond the bound −4",
    ),
    // A cut at the wrong bound.
    wrong(
        "alpha-beta",
        Tongue::Python,
        &[("if best >= beta:", "if best > beta:")],
        "cuts",
        "After b b1 b12, the search looked at b122 although b121 had already cut it off: its value −4 reaches the bound −4",
    ),
    wrong(
        "alpha-beta",
        Tongue::C,
        &[("if (best >= beta) break;", "if (best > beta) break;")],
        "cuts",
        "After b b1 b12, the search looked at b122 although b121 had already cut it off: its value −4 reaches the bound −4",
    ),
    wrong(
        "alpha-beta",
        Tongue::Python,
        &[("if best >= beta:", "if best >= beta - 1:")],
        "complete",
        "After a a1 a12, the search did not look at a122 although nothing had cut off what is left: the best value was −5 and the bound −4",
    ),
    wrong(
        "alpha-beta",
        Tongue::C,
        &[("if (best >= beta) break;", "if (best >= alpha) break;")],
        "complete",
        "After a a1 a11, the search did not look at a112 although nothing had cut off what is left: no value can cut off anything there",
    ),
    // A window that is not turned round, or not narrowed.
    wrong(
        "alpha-beta",
        Tongue::Python,
        &[("-beta, -max(alpha, best), name", "alpha, beta, name")],
        "windows",
        "The node after a a1 a11 a112 was entered with the window (−∞, +∞), the right one is (−∞, 4)",
    ),
    wrong(
        "alpha-beta",
        Tongue::Python,
        &[("-beta, -max(alpha, best), name", "-beta, -alpha, name")],
        "windows",
        "The node after a a1 a11 a112 was entered with the window (−∞, +∞), the right one is (−∞, 4)",
    ),
    // The ends of the window swapped, which is told as it is.
    wrong(
        "alpha-beta",
        Tongue::Python,
        &[("-beta, -max(alpha, best), name", "-alpha, -beta, name")],
        "windows",
        "The node after a was entered with the window (+∞, −∞), the right one is (−∞, +∞)",
    ),
    wrong(
        "alpha-beta",
        Tongue::C,
        &[("-beta, -(alpha > best ? alpha : best)", "-alpha, -beta")],
        "windows",
        "The node after a was entered with the window (+∞, −∞), the right one is (−∞, +∞)",
    ),
    // Max's values at Min's leaves.
    wrong(
        "alpha-beta",
        Tongue::C,
        &[("best = side * at->value", "best = at->value")],
        "leaf-values",
        "The node after a a1 a13 is worth −3 by the game, the search gave it 3",
    ),
    // A later move that only seems as good, since it was cut off.
    wrong(
        "alpha-beta",
        Tongue::C,
        &[("if (value > best) {", "if (value >= best) {")],
        "answer",
        "The search answered the move c, right is a",
    ),
    // The constant, the sign of the mean, unvisited moves, visits, and the side that the result is for.
    wrong(
        "uct",
        Tongue::Python,
        &[("-c.total / c.visits + C *", "-c.total / c.visits + 1.2 *")],
        "selection",
        "At the root, simulation 27 chose c2 with UCT value",
    ),
    wrong(
        "uct",
        Tongue::C,
        &[("uct = -nodes[i].total", "uct = nodes[i].total")],
        "selection",
        "At the root, simulation ",
    ),
    wrong(
        "uct",
        Tongue::C,
        &[("double uct = 1e6 - i;", "double uct = 0.5;")],
        "selection",
        "At the root, simulation ",
    ),
    wrong(
        "uct",
        Tongue::Python,
        &[
            ("if child.visits == 0]", "if child.visits == 0][:0]"),
            (
                "math.log(node.visits) / c.visits)",
                "math.log(node.visits) / (c.visits or 9e9))",
            ),
            (
                "-c.total / c.visits + C",
                "-c.total / (c.visits or 9e9) + C",
            ),
        ],
        "selection",
        "At the root, simulation 3 chose c3 although a2 was not visited yet",
    ),
    wrong(
        "uct",
        Tongue::Python,
        &[("node.visits += 1", "node.visits += 1 + (node is root)")],
        "visits",
        "At the root, simulation ",
    ),
    wrong(
        "uct",
        Tongue::Python,
        &[(
            "node.total += value",
            "node.total += value * (node is not root)",
        )],
        "means",
        "The root was told to have the mean value 0, but that of what was backed up is ",
    ),
    wrong(
        "uct",
        Tongue::C,
        &[(
            "nodes[node].total += value;\n        value = -value;",
            "nodes[node].total += value;",
        )],
        "means",
        "At the root, simulation ",
    ),
    wrong(
        "uct",
        Tongue::Python,
        &[(
            "value = result(board, leaf.side)",
            "value = result(board, -leaf.side) * 2",
        )],
        "leaf-values",
        "After b3, a simulation ended with −2, but a playout from there ends with one of −1 0 1",
    ),
    // A result that the game can have, but from the other side's view.
    wrong(
        "uct",
        Tongue::Python,
        &[(
            "value = result(board, leaf.side)",
            "value = result(board, -leaf.side if moves(leaf.board) else leaf.side)",
        )],
        "leaf-values",
        "After ",
    ),
    // A node that never gets children, and a simulation that ends too early.
    wrong(
        "uct",
        Tongue::Python,
        &[("if (leaf.visits or leaf is root)", "if (leaf is root)")],
        "simulations",
        "After c3, 3 simulations ended, and the node got no children",
    ),
];

#[test]
fn what_is_wrong_in_one_place_is_told_there() {
    let mut off = Vec::new();
    for (i, wrong) in WRONG.iter().enumerate() {
        if !wrong.tongue.is_here() {
            continue;
        }
        let Wrong { name, tongue, .. } = *wrong;
        let folder = new(name, &format!("wrong-{i}"));
        let source = source(&folder, name, tongue, true, wrong.changes);
        let (run, json) = graded(&folder, &run(&folder, &source, tongue));
        let first = json["first"]["sentence"].as_str().unwrap_or_default();
        let checks = json["checks"].as_array().expect("checks").iter();
        let failed = checks.filter(|check| check["passed"] == false);
        let failed: Vec<&str> = failed.filter_map(|check| check["name"].as_str()).collect();
        let is_told = failed.contains(&wrong.check) && first.starts_with(wrong.sentence);
        if run.status != 1 || json["verdict"] != "failed" || !is_told {
            off.push(format!("{i}: {:?}: {failed:?}\n    {first}", wrong.changes));
        }
    }
    assert!(off.is_empty(), "{}", off.join("\n"));
}

/// Returns a position as the command line takes it: a sample's path, or the position itself.
fn position(position: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    match position.ends_with(".tree") {
        true => root.join(position).to_string_lossy().into_owned(),
        false => position.to_owned(),
    }
}

/// plyscope's own searches, which share no code with the checks, pass them: minimax in any game, and in toy trees alpha-beta, which
/// is a plain one there.
#[test]
fn searches_of_plyscope_pass() {
    const TREES: [&str; 2] = [
        "sample-positions/textbook.tree",
        "sample-positions/sixteen-leaves.tree",
    ];
    let folder = folder("grade-own");
    let own = |file: &str, set: &str, depth: &str| {
        let trace = folder.join("own.plytrace").to_string_lossy().into_owned();
        let mut arguments = vec![
            "trace",
            file,
            "-a",
            "alpha-beta",
            "--set",
            set,
            "--set",
            "quiescence=off",
        ];
        arguments.extend(["--set", "table=off", "--format", "open", "-o", &trace]);
        if !depth.is_empty() {
            arguments.extend(["--depth", depth]);
        }
        plyscope(&arguments).clean();
        trace
    };
    let pass = |against: &str, root: &str, trace: &str, depth: &str| {
        let mut arguments = vec!["grade", "--against", against, "--position", root, trace];
        if !depth.is_empty() {
            arguments.extend(["--depth", depth]);
        }
        let run = plyscope(&arguments);
        assert!(run.err.is_empty(), "{}", run.err);
        (run.status, run.out)
    };
    for tree in TREES.map(position) {
        let (cut, whole) = ("cutoffs=on", "cutoffs=off");
        for (set, against, status) in [
            (cut, "alpha-beta", 0),
            (whole, "minimax", 0),
            (cut, "minimax", 1),
            (whole, "alpha-beta", 1),
        ] {
            let (is, out) = pass(against, &tree, &own(&tree, set, ""), "");
            assert_eq!(is, status, "{tree} {set} {against}\n{out}");
        }
    }
    for (name, line, depth) in [
        ("grade.ttt", "tictactoe x-o/-x-/--o", "5"),
        ("grade.c4", "connect4 5x4", "4"),
        (
            "grade.fen",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "2",
        ),
    ] {
        let trace = own(&file(name, line), "cutoffs=off", depth);
        let (is, out) = pass("minimax", line, &trace, depth);
        assert_eq!(is, 0, "{line}\n{out}");
    }
}

/// The reference that is written passes as what it is, and not as the other algorithm.
#[test]
fn references_pass() {
    let folder = folder("grade-reference");
    for root in [
        "sample-positions/textbook.tree",
        "tictactoe x-o/-x-/--o",
        "tictactoe x--/-o-/---",
    ] {
        let root = position(root);
        for against in ["minimax", "alpha-beta"] {
            let other = if against == "minimax" {
                "alpha-beta"
            } else {
                "minimax"
            };
            let trace = folder.join("own.plytrace").to_string_lossy().into_owned();
            let write = [
                "grade",
                "--against",
                against,
                "--position",
                &root,
                "--reference",
                &trace,
            ];
            plyscope(&write).clean();
            for (against, status) in [(against, 0), (other, 1)] {
                let run = plyscope(&["grade", "--against", against, "--position", &root, &trace]);
                assert_eq!(
                    (run.status, run.err.as_str()),
                    (status, ""),
                    "{root}\n{}",
                    run.out
                );
            }
        }
    }
}

const HEADER: &str = "{\"plyscope-trace\":1,\"engine\":\"e\",\"game\":\"tic-tac-toe\",\"value\":{\"unit\":\"points\"}}\n";
const SEARCH: &str = "{\"kind\":\"search\",\"root\":\"tictactoe x-o/-x-/--o\"}\n";

/// What is no trace of the assignment, and how the message goes on after the name of the file.
#[test]
fn what_is_no_trace_of_the_assignment_is_refused() {
    let chess = HEADER.replace("tic-tac-toe", "chess");
    let best_first = HEADER.replace("\"value\"", "\"order\":\"best-first\",\"value\"");
    let other = SEARCH.replace("x-o/-x-/--o", "---/---/---");
    let contents: [(&str, String, &str); 11] = [
        (
            "empty",
            String::new(),
            "found nothing, expected a search trace",
        ),
        ("junk", "\u{0}\u{1}\u{2}ELF".repeat(999), "found \"␀␁␂ELF"),
        (
            "text",
            "Dear teacher,\nmy dog ate it.\n".into(),
            "found \"Dear teacher",
        ),
        (
            "cut",
            HEADER[..40].into(),
            "found a header that is cut off or not JSON, \"{\"plyscope-trace\":1,\"engine\":\"e\"",
        ),
        (
            "version",
            HEADER.replace(":1,", ":7,"),
            "found version 7 of the search trace, expected at most version 1",
        ),
        (
            "header",
            HEADER.into(),
            "found no search, expected a trace with a search",
        ),
        (
            "no-search",
            format!("{HEADER}{{\"kind\":\"enter\",\"move\":null}}\n"),
            "found enter at the beginning, expected a \"search\" record",
        ),
        (
            "chess",
            format!("{chess}{{\"kind\":\"search\",\"fen\":\"startpos\"}}\n"),
            "found a search of the game \"chess\", expected \"tictactoe x-o/-x-/--o\"",
        ),
        (
            "go",
            HEADER.replace("tic-tac-toe", "Go") + SEARCH,
            "found a search of the game \"Go\", expected",
        ),
        (
            "other",
            format!("{HEADER}{other}"),
            "found a search of \"tictactoe ---/---/---\", expected \"tictactoe x-o/-x-/--o\"",
        ),
        (
            "order",
            format!("{best_first}{SEARCH}"),
            "found a best-first search, expected minimax (depth-first)",
        ),
    ];
    for (name, content, expected) in contents {
        let trace = file(&format!("grade-{name}.plytrace"), content);
        let run = plyscope(&["grade", "--ready", "minimax", &trace, "--json"]);
        run.refused(1);
        assert!(
            run.err
                .starts_with(&format!("plyscope: {trace}: {expected}")),
            "{}",
            run.err
        );
        let json = &run.json_lines()[0];
        assert_eq!(json["verdict"], "refused");
        assert!(
            run.err.contains(json["reason"].as_str().expect("a reason")),
            "{json}"
        );
        assert!(json["points"].is_null() && json["first"].is_null());
    }
    let folder = folder("grade-folder").to_string_lossy().into_owned();
    for nothing in ["no-such-file.plytrace", &folder] {
        let run = plyscope(&["grade", "--ready", "minimax", nothing]);
        run.refused(1);
    }
}

#[test]
fn without_a_position_there_is_none() {
    let trace = file(
        "grade-nowhere.plytrace",
        HEADER.to_owned() + "{\"kind\":\"search\",\"root\":\"my board\"}\n",
    );
    let run = plyscope(&["grade", "--against", "minimax", &trace]);
    run.refused(1);
    assert!(
        run.err
            .contains("found the root \"my board\", expected a position"),
        "{}",
        run.err
    );
    let run = plyscope(&[
        "grade",
        "--against",
        "minimax",
        "--position",
        "tictactoe",
        &trace,
    ]);
    assert_eq!((run.status, run.err.as_str()), (1, ""), "{run:?}");
    assert!(run.out.contains("The trace has no end"), "{}", run.out);
}

/// A bad trace does not stop the others.
#[test]
fn every_trace_is_graded() {
    let empty = file("grade-none.plytrace", "");
    let cut = file(
        "grade-cut.plytrace",
        format!("{HEADER}{SEARCH}{{\"kind\":\"enter\",\"move\":null}}\n{{\"kind\":\"ent"),
    );
    let run = plyscope(&["grade", "--ready", "minimax", &empty, &cut, "--json"]);
    assert_eq!(run.status, 1);
    let verdicts: Vec<Value> = run
        .json_lines()
        .into_iter()
        .map(|json| json["verdict"].clone())
        .collect();
    assert_eq!(verdicts, ["refused", "failed"]);
    let first = run.json_lines()[1]["first"].clone();
    let first = first["sentence"].as_str().expect("a sentence");
    assert!(
        first.starts_with("The trace has no end: it stops in the middle of a record (line 4"),
        "{first}"
    );
    assert_eq!(run.json_lines()[1]["points"], 0.0);
    let run = plyscope(&["grade", "--ready", "minimax", &empty, &cut, "--junit", "-"]);
    assert!(
        run.out
            .contains("<testsuites name=\"Minimax\" tests=\"8\" failures=\"7\" errors=\"1\">"),
        "{}",
        run.out
    );
    assert!(
        run.out.contains("<error type=\"refused\" message=\""),
        "{}",
        run.out
    );
}

#[cfg(unix)]
#[test]
fn what_has_no_end_is_given_up() {
    let pipe = folder("grade-pipe")
        .join("pipe")
        .to_string_lossy()
        .into_owned();
    let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
    assert!(made.success());
    // Nobody writes to it.
    let run = plyscope(&["grade", "--ready", "minimax", &pipe, "--limit", "100ms"]);
    run.refused(1);
    assert!(run.err.contains("found no end after"), "{}", run.err);
    let run = plyscope(&["grade", "--ready", "minimax", "/dev/zero"]);
    run.refused(1);
    for (option, amount, expected) in [
        ("--limit", "300ms", "found no end after"),
        ("--limit-size", "1M", "found more than 1 MiB"),
    ] {
        let line = "{\"kind\":\"evaluate\",\"value\":1}";
        let script = format!(
            "(printf '%s' '{HEADER}{SEARCH}'; yes '{line}') | \"$0\" grade --ready minimax - {option} {amount}"
        );
        let output = Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_plyscope")])
            .output();
        let output = output.expect("a shell");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(expected) && said.contains(option), "{said}");
    }
}

#[test]
fn what_is_wrong_in_an_assignment_is_told_with_its_line() {
    let trace = file("grade-any.plytrace", format!("{HEADER}{SEARCH}"));
    let good = "algorithm = \"minimax\"\nposition = \"tictactoe\"\n";
    for (text, expected) in [
        (
            "".to_owned(),
            ": found no algorithm, expected algorithm = one of minimax, alpha-beta, uct",
        ),
        (
            "algorithm = \"minmax\"".into(),
            ":1: found \"minmax\", expected one of minimax, alpha-beta, uct",
        ),
        (
            "algorithm = \"minimax\"".into(),
            ": found no position, expected position = a file",
        ),
        ("algorithm = ".into(), ":1: "),
        (
            good.replace("tictactoe", "chequers"),
            ":2: found position \"chequers\", which is neither",
        ),
        (
            good.to_owned() + "depth = -1",
            ":3: found depth = -1, expected a number from 1 to 200",
        ),
        (
            good.to_owned() + "dept = 3",
            ":3: found \"dept\", expected a field of an assignment: did you mean depth?",
        ),
        (
            good.to_owned() + "ties = \"maybe\"",
            ":3: found ties = \"maybe\", expected one of cut, search, either",
        ),
        (
            good.to_owned() + "leaves = \"material\"",
            ":3: found leaves = \"material\", expected own or zero",
        ),
        (
            good.to_owned() + "range = [1, -1]",
            ":3: found range = [1.0, -1.0], expected the least value and a greater one",
        ),
        (
            good.to_owned() + "[points]\ncuts = 2",
            ":4: found \"cuts\", expected a check of minimax: ",
        ),
        (
            good.to_owned() + "[points]\nvalues = \"two\"",
            ":4: found values = \"two\", expected a number of points",
        ),
        (
            good.to_owned() + "[points]",
            ":3: found no checks in [points], expected at least one of trace, moves, ",
        ),
        (
            good.to_owned() + "moves = \"b2 b2\"",
            ":3: found \"b2\", expected one of",
        ),
    ] {
        let path = file("grade-wrong.toml", &text);
        let run = plyscope(&["grade", "--assignment", &path, &trace]);
        assert_eq!(run.status, 1, "{text}");
        run.harmless();
        assert!(
            run.err.starts_with(&format!("plyscope: {path}{expected}")),
            "{text}\n{}",
            run.err
        );
    }
}

#[test]
fn a_folder_is_never_overwritten() {
    let folder = new("minimax", "twice");
    let kept = fs::read(folder.join("skeleton.py")).expect("a file");
    let run = plyscope(&["grade", "--new", "uct", &folder.to_string_lossy()]);
    assert_eq!(run.status, 1);
    assert!(run.err.contains("exists already"), "{}", run.err);
    assert_eq!(fs::read(folder.join("skeleton.py")).expect("a file"), kept);
    for arguments in [
        &["grade"][..],
        &["grade", "x.plytrace"],
        &["grade", "--against", "negamax", "x.plytrace"],
        &[
            "grade",
            "--ready",
            "minimax",
            "--against",
            "uct",
            "x.plytrace",
        ],
        &["grade", "--new", "maximin", "x"],
        &["grade", "--ready", "minimax", "--depth", "3", "x.plytrace"],
    ] {
        let run = plyscope(arguments);
        assert_eq!(run.status, 2, "{arguments:?}: {run:?}");
    }
}
