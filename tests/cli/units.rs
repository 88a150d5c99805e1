//! One unit and one view in everything that is printed for readers, and what decided a fate in everything for programs.

use serde_json::Value;

use crate::cli_support::plyscope;

/// White to move, Black to move, and a mate for each.
const POSITIONS: [&str; 4] = [
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N1PN2/PP2BPPP/R2Q1RK1 b - - 0 9",
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
    "3r2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1",
];

fn out(arguments: &[&str]) -> String {
    plyscope(arguments).clean().out
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&out(arguments)).expect("JSON")
}

fn searched<'a>(command: &'a str, algorithm: &'a str, fen: &'a str) -> Vec<&'a str> {
    let mut all = vec![
        command,
        "-a",
        algorithm,
        "--fen",
        fen,
        "--nodes",
        "3000",
        "--threads",
        "1",
    ];
    if command == "tree" {
        all.extend(["--max-nodes", "150"]);
    }
    all
}

/// Calls `visit` with every node below one, its ply, in the order of the text.
fn below(node: &Value, ply: usize, visit: &mut impl FnMut(&Value, usize)) {
    for child in node["children"].as_array().expect("children") {
        visit(child, ply + 1);
        below(child, ply + 1, visit);
    }
}

/// What a value is seen as: its number if it is one, with a mate as a number far beyond.
fn read(text: &str) -> Option<f64> {
    let text = text.trim_start_matches(['≥', '≤', ' ']).replace('−', "-");
    let mate = text.strip_prefix("-#").map(|n| (n, -1.0));
    let mate = mate.or_else(|| text.strip_prefix('#').map(|n| (n, 1.0)));
    match (mate, text.as_str()) {
        (Some((moves, sign)), _) => moves.parse::<f64>().ok().map(|n| sign * (1000.0 - n)),
        (None, "win") => Some(1000.0),
        (None, "loss") => Some(-1000.0),
        (None, number) => number.parse().ok(),
    }
}

/// The sign of what is seen.
fn sign(x: f64) -> i32 {
    if x.abs() < 0.005 {
        0
    } else {
        x.signum() as i32
    }
}

/// A row of the text: its name, and its value.
fn rows(text: &str) -> Vec<(String, Option<f64>)> {
    let of_line = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let name = (*words.first()?).to_owned();
        let value = match words.get(1)? {
            &"≥" | &"≤" => words.get(2)?,
            value => *value,
        };
        Some((name, read(value)))
    };
    text.lines().skip(3).filter_map(of_line).collect()
}

/// The text has the numbers of JSON, in the unit and from the view that its first line names, at every ply.
#[test]
fn the_text_of_a_tree_has_the_numbers_of_json_from_one_view() {
    for (which, fen) in POSITIONS.iter().enumerate() {
        let black_at_root = which % 2 == 1;
        for algorithm in ["alpha-beta", "distress", "mcts"] {
            let base = searched("tree", algorithm, fen);
            let whole = json(&[&base[..], &["--format", "json"]].concat());
            for view in ["white", "root", "mover"] {
                let text = out(&[&base[..], &["--unit", "expected", "--view", view]].concat());
                let (mut told, mut compared) = (rows(&text).into_iter(), 0);
                below(&whole["root"], 0, &mut |node, ply| {
                    let (name, value) = told.next().expect("as many rows");
                    assert_eq!(name, node["move"]["san"].as_str().expect("a name"));
                    // JSON has the view of the side that plays the move.
                    let black_plays = black_at_root == (ply % 2 == 1);
                    let turned = match view {
                        "white" => black_plays,
                        "root" => ply % 2 == 0,
                        _ => false,
                    };
                    let expected = node["expected"]
                        .as_f64()
                        .map(|e| if turned { -e } else { e });
                    let (Some(value), Some(expected)) = (value, expected) else {
                        return;
                    };
                    compared += 1;
                    match value.abs() < 900.0 && expected.abs() < 1.0 {
                        true => assert!(
                            (value - expected).abs() < 0.0101,
                            "{name} {value} {expected}\n{text}"
                        ),
                        false => assert_eq!(sign(value), sign(expected), "{name} {value}"),
                    }
                });
                assert!(compared > 0, "{algorithm} {fen}");
            }
        }
    }
}

/// Every output for readers says in which unit and from whose view its values are; the default is that of the screen.
#[test]
fn every_output_names_its_unit_and_its_view() {
    let units = [
        ("pawns", "pawns"),
        ("expected", "expected score"),
        ("wdl", "win/draw/loss"),
    ];
    let views = [
        ("white", "White's view"),
        ("root", "root's view (Black)"),
        ("mover", "mover's view"),
    ];
    let fen = POSITIONS[1];
    let named = |arguments: &[&str], words: &str| {
        let text = out(arguments).replace('\n', " ").replace("&#39;", "'");
        assert!(text.contains(words), "{arguments:?}: {words}\n{text}");
    };
    let tree = searched("tree", "alpha-beta", fen);
    let search = searched("search", "distress", fen);
    let compare = [
        "compare",
        "-a",
        "alpha-beta",
        "-a",
        "mcts",
        "--fen",
        fen,
        "--nodes",
        "1000",
    ];
    for (unit, in_unit) in units {
        for (view, from) in views {
            let words = format!("{in_unit}, {from}");
            let asked = ["--unit", unit, "--view", view];
            for format in ["text", "dot", "svg", "html", "pgn"] {
                named(&[&tree[..], &["--format", format], &asked].concat(), &words);
            }
            named(&[&search[..], &asked].concat(), &words);
            named(&[&compare[..], &asked].concat(), &words);
        }
    }
    for arguments in [&tree[..], &search, &compare] {
        named(arguments, "pawns, White's view");
    }
    let toy = "sample-positions/textbook.tree";
    let run = plyscope(&["tree", toy, "--view", "mover", "--unit", "wdl"]);
    assert!(run.out.contains("file's unit, Max's view"), "{}", run.out);
}

/// A spread stands in the unit of its value, and a percentage of games has none.
#[test]
fn spreads_are_in_the_unit_of_their_values() {
    let base = searched("tree", "distress", POSITIONS[0]);
    let whole = json(&[&base[..], &["--format", "json", "--max-ply", "1"]].concat());
    let of = |unit| {
        let text = out(&[&base[..], &["--max-ply", "1", "--unit", unit]].concat());
        let spread = |line: &str| {
            let after = line.split('±').nth(1)?;
            after.split_whitespace().next()?.parse::<f64>().ok()
        };
        text.lines().skip(3).map(spread).collect::<Vec<_>>()
    };
    let (expected, pawns) = (of("expected"), of("pawns"));
    let mut compared = 0;
    for (i, node) in whole["root"]["children"]
        .as_array()
        .expect("children")
        .iter()
        .enumerate()
    {
        let (Some(sd), Some(mean)) = (node["sd"].as_f64(), node["expected"].as_f64()) else {
            continue;
        };
        let (own, wide) = (expected[i].expect("a spread"), pawns[i].expect("a spread"));
        assert!((own - sd).abs() < 0.006, "{own} {sd}");
        // Half the distance between the scores one standard deviation to both sides.
        let score = |e: f64| 3.6 * e.clamp(-0.999, 0.999).atanh();
        let half = (score(mean + sd) - score(mean - sd)) / 2.0;
        assert!((wide - half).abs() < 0.05 + 0.02 * half, "{wide} {half}");
        compared += 1;
    }
    assert!(compared > 20);
    assert!(of("wdl").iter().all(Option::is_none));
}

/// JSON has all units in its fields, so it takes no unit and no view.
#[test]
fn what_has_its_own_units_takes_none() {
    let fen = POSITIONS[0];
    for (arguments, option) in [
        (
            &[
                "search", "--fen", fen, "--nodes", "100", "--json", "--unit", "pawns",
            ][..],
            "--unit",
        ),
        (
            &[
                "tree", "--fen", fen, "--nodes", "100", "--format", "json", "--view", "root",
            ],
            "--view",
        ),
        (
            &[
                "compare", "--fen", fen, "--nodes", "100", "--csv", "--view", "root",
            ],
            "--view",
        ),
    ] {
        let run = plyscope(arguments);
        assert_eq!(run.status, 2, "{arguments:?}: {}", run.err);
        assert!(run.err.contains(&format!("{option}: found")), "{}", run.err);
    }
}

/// A fate carries the numbers that decided it wherever JSON names it: `search`, `compare`, `tree`.
#[test]
fn a_fate_has_its_numbers_wherever_json_names_it() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let base = ["--fen", fen, "--depth", "5", "--threads", "1"];
    let decided = |node: &Value| {
        assert_eq!(node["fate"], node["decided"]["name"], "{node}");
        // Of a move that was not searched, from the view of the side that could have played it.
        let by = |name: &str| node["decided"][name].as_i64();
        match node["fate"].as_str() {
            Some("futility" | "delta-pruning") => {
                let number = |name| by(name).expect("a number");
                let shortfall = number("alpha") - number("static") - number("margin");
                assert_eq!(
                    by("shortfall"),
                    Some(shortfall).filter(|_| number("alpha") < 31_000)
                );
                assert!(shortfall >= 0, "{node}");
                1
            }
            Some("reverse-futility") => {
                let number = |name| by(name).expect("a number");
                assert_eq!(
                    by("excess"),
                    Some(number("static") - number("margin") - number("beta"))
                );
                1
            }
            _ => 0,
        }
    };
    let search = json(&[&["search", "--json"], &base[..]].concat());
    for row in search["moves"].as_array().expect("moves") {
        decided(row);
    }
    let best = &search["moves"][0]["decided"];
    assert!(best["searched"].is_u64(), "{best}");
    let compare = json(
        &[
            &["compare", "--json", "-a", "alpha-beta", "-a", "mcts"],
            &base[..2],
            &["--nodes", "2000"],
        ]
        .concat(),
    );
    for row in compare["moves"].as_array().expect("moves") {
        for cell in row["columns"].as_array().expect("cells") {
            decided(cell);
        }
    }
    let tree = json(
        &[
            &["tree", "--format", "json", "--max-nodes", "4000"],
            &base[..],
        ]
        .concat(),
    );
    let mut by_margin = 0;
    below(&tree["root"], 0, &mut |node, _| by_margin += decided(node));
    assert!(by_margin > 20, "{by_margin}");
}

/// A unit or a view that changes nothing is not passed over in silence.
#[test]
fn a_lens_without_effect_is_told() {
    let game = ["--fen", "connect4 4 4 4", "--nodes", "100"];
    for command in [&["search"][..], &["tree"], &["compare", "-a", "mcts"]] {
        let run = plyscope(&[command, &game, &["--view", "root", "--unit", "wdl"]].concat());
        assert_eq!((run.status, run.err.lines().count()), (0, 1), "{}", run.err);
        assert!(
            run.err.contains("--unit and --view without effect: this game's scores are always expected scores, from Yellow's view"),
            "{}",
            run.err
        );
        plyscope(&[command, &game].concat()).clean();
    }
}
