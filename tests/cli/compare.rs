//! `plyscope compare`, as run by a user or a script.

use crate::cli_support;

use cli_support::{Run, file, plyscope, with_columns};
use serde_json::Value;

const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1";
const ATTACK: &str = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1";

fn compare(arguments: &[&str]) -> Run {
    plyscope(&[&["compare", "--nodes", "2k"], arguments].concat())
}

fn json(arguments: &[&str]) -> Vec<Value> {
    let run = compare(&[&["--json"], arguments].concat());
    run.clean().json_lines()
}

/// Without everything that depends on the machine's speed.
fn timeless(mut object: Value) -> Value {
    for column in object["columns"].as_array_mut().expect("columns") {
        column["cpu_ms"] = Value::Null;
        column["search"]["time_ms"] = Value::Null;
    }
    object
}

#[test]
fn without_a_choice_all_algorithms_compare() {
    let lines = json(&["--fen", ATTACK]);
    assert_eq!(lines.len(), 1);
    let object = &lines[0];
    assert_eq!(object["version"], 1);
    assert_eq!(object["fen"], ATTACK);
    assert_eq!(object["budget"]["nodes"], 2000);
    let columns = object["columns"].as_array().expect("columns");
    let names: Vec<&Value> = columns.iter().map(|c| &c["name"]).collect();
    assert_eq!(names, ["alpha-beta", "prob-alpha-beta", "mcts", "distress"]);
    for column in columns {
        let search = &column["search"];
        assert_eq!(search["algorithm"], column["name"]);
        assert_eq!(search["version"], 1);
        assert!(search["nodes"].as_u64().is_some_and(|n| n <= 2000));
        assert!(search["best"]["uci"].is_string());
        assert!(column["cpu_ms"].is_number() && column["trouble"].is_null());
    }
    let moves = object["moves"].as_array().expect("moves");
    let legal = columns[0]["search"]["moves"].as_array().map(Vec::len);
    assert_eq!(Some(moves.len()), legal, "every legal move");
    for row in moves {
        assert!(row["uci"].is_string() && row["san"].is_string());
        assert!(
            row["disagreement"]
                .as_f64()
                .is_some_and(|d| (0.0..=2.0).contains(&d))
        );
        let cells = row["columns"].as_array().expect("cells");
        assert_eq!(cells.len(), 4);
        assert!(cells.iter().all(|c| c["fate"].is_string()));
    }
    assert!(object["differences"].as_array().is_some_and(Vec::is_empty));
}

#[test]
fn the_table_agrees_with_the_columns() {
    let object = json(&["--fen", ATTACK, "-a", "mcts", "-a", "distress"]).remove(0);
    for (i, column) in object["columns"]
        .as_array()
        .expect("columns")
        .iter()
        .enumerate()
    {
        let first = object["moves"]
            .as_array()
            .expect("moves")
            .iter()
            .find(|row| row["columns"][i]["rank"] == 1)
            .expect("a best move");
        assert_eq!(first["uci"], column["search"]["best"]["uci"]);
    }
}

#[test]
fn the_same_comparison_is_the_same_whatever_the_cores() {
    let on = |cores: &str| {
        let lines = json(&["--cores", cores, "--fen", ATTACK, "--differences", "5"]);
        lines.into_iter().map(timeless).collect::<Vec<_>>()
    };
    assert_eq!(on("1"), on("2"));
}

#[test]
fn differences_are_judged_and_ranked_by_what_is_at_stake() {
    let columns = ["-a", "alpha-beta", "-a", "mcts", "--differences", "60"];
    let object = json(&[&columns[..], &["--fen", ATTACK]].concat()).remove(0);
    let found = object["differences"].as_array().expect("differences");
    let rank = |d: &Value| {
        let stake = d["stake"].as_f64().expect("a number");
        (d["flagged"] != true, -(stake * 1e4).round() as i64)
    };
    assert!(found.len() > 5 && found.is_sorted_by(|a, b| rank(a) <= rank(b)));
    for d in found {
        let (apart, joint) = (d["apart"].as_f64(), d["uncertainty"].as_f64());
        let beyond = apart.zip(joint).is_some_and(|(apart, joint)| apart > joint);
        assert_eq!(
            d["flagged"] == true,
            beyond || d["kind"] == "contradiction",
            "{d}"
        );
        if let (Some(apart), Some(joint), Some(sigmas)) = (apart, joint, d["sigmas"].as_f64()) {
            assert!((sigmas * joint - apart).abs() < 1e-4, "{d}");
        }
        assert!(d["stake"].as_f64().is_some_and(|s| s > 0.0) || d["instead"].is_null());
    }
    let moves = object["moves"].as_array().expect("moves");
    assert!(moves.iter().all(|row| row["flagged"].is_boolean()));
    let text = compare(&[&columns[..], &["--fen", ATTACK]].concat())
        .clean()
        .out;
    assert!(text.contains(" moves flagged (*): "), "{text}");
}

#[test]
fn one_algorithm_may_stand_there_twice() {
    let columns = ["-a", "mcts", "-a", "mcts:exploration=3", "-a", "alpha-beta"];
    let object = json(&[&columns[..], &["--set", "expand-at=4"]].concat()).remove(0);
    let options = |i: usize| &object["columns"][i]["search"]["options"];
    assert_eq!(options(1)["exploration"], 3.0);
    assert_ne!(options(0)["exploration"], 3.0);
    // Present if known.
    assert_eq!(
        (&options(0)["expand-at"], &options(1)["expand-at"]),
        (&4.into(), &4.into())
    );
    assert!(options(2)["expand-at"].is_null());
    let names: Vec<&Value> = (0..3).map(|i| &object["columns"][i]["name"]).collect();
    assert_eq!(
        names,
        [
            "mcts:expand-at=4",
            "mcts:exploration=3,expand-at=4",
            "alpha-beta"
        ]
    );
    assert_ne!(
        object["columns"][0]["search"]["score"],
        object["columns"][1]["search"]["score"]
    );
}

#[test]
fn several_positions_are_compared_in_order() {
    let suite = file(
        "compare.epd",
        format!("{MATE_IN_ONE}; id \"one\";\n8/8/8/8/8/4k3/8/4K2R w K - 0 1; id \"two\";\n"),
    );
    let lines = json(&[&suite, "-a", "alpha-beta", "-a", "mcts"]);
    let titles: Vec<&Value> = lines.iter().map(|l| &l["title"]).collect();
    assert_eq!(titles, ["one", "two"]);
    // The same as if each had been searched alone.
    let alone = json(&["--fen", MATE_IN_ONE, "-a", "alpha-beta", "-a", "mcts"]);
    assert_eq!(
        timeless(lines[0].clone())["columns"],
        timeless(alone[0].clone())["columns"]
    );
    let game = file(
        "compare.pgn",
        "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 *\n",
    );
    let lines = json(&[&game, "-a", "alpha-beta"]);
    assert_eq!(lines.len(), 4);
    assert!(
        lines[3]["title"]
            .as_str()
            .is_some_and(|t| t.ends_with("ply 3"))
    );
    let lines = json(&[&game, "-a", "alpha-beta", "--ply", "1"]);
    assert_eq!(lines.len(), 1);
    assert!(lines[0]["fen"].as_str().is_some_and(|f| f.contains("4P3")));
}

#[test]
fn csv_reads_back() {
    let run = compare(&[
        "--fen",
        ATTACK,
        "--csv",
        "-a",
        "alpha-beta",
        "-a",
        "distress",
    ])
    .clean();
    let mut reader = csv::Reader::from_reader(run.out.as_bytes());
    let heads = reader.headers().expect("a head").clone();
    for head in [
        "column", "best_san", "expected", "nodes", "cpu_ms", "line", "trouble",
    ] {
        assert!(heads.iter().any(|h| h == head), "{head}");
    }
    let rows: Vec<_> = reader.records().map(|r| r.expect("a row")).collect();
    assert_eq!(rows.len(), 2);
    let at = |name: &str| heads.iter().position(|h| h == name).expect("a column");
    assert_eq!(&rows[0][at("column")], "alpha-beta");
    assert_eq!(&rows[1][at("column")], "distress");
    assert_eq!(&rows[0][at("nodes")], "2000");
    assert!(
        rows[1][at("sd")].parse::<f64>().is_ok(),
        "distress has a belief"
    );
    assert!(rows[0][at("sd")].is_empty(), "alpha-beta has none");
}

#[test]
fn a_table_keeps_to_the_terminal() {
    for (columns, arguments) in [
        ("80", &["-a", "alpha-beta", "-a", "distress"][..]),
        ("80", &[]),
        ("60", &["--all-moves", "--differences", "5"]),
        ("120", &["--ascii"]),
    ] {
        let arguments = [&["compare", "--fen", ATTACK, "--nodes", "2k"], arguments].concat();
        let run = with_columns(columns, &arguments).clean();
        let most: usize = columns.parse().expect("a number");
        for line in run.out.lines() {
            assert!(line.chars().count() <= most, "{columns}: {line}");
        }
    }
    let two = [
        "compare",
        "--nodes",
        "2k",
        "-a",
        "alpha-beta",
        "-a",
        "distress",
    ];
    let run = with_columns("80", &two).clean();
    let heads = run.out.lines().filter(|line| line.starts_with("move"));
    assert_eq!(
        heads.count(),
        1,
        "two columns stand side by side: {}",
        run.out
    );
}

#[test]
fn the_text_has_columns_lines_and_moves() {
    let run = compare(&[
        "--fen",
        MATE_IN_ONE,
        "-a",
        "alpha-beta",
        "-a",
        "mcts",
        "--ascii",
    ])
    .clean();
    assert!(run.out.is_ascii());
    for part in [
        "A  alpha-beta",
        "B  mcts",
        "Rd8#",
        "#1",
        "\nmove",
        MATE_IN_ONE,
    ] {
        assert!(run.out.contains(part), "{part}: {}", run.out);
    }
}

#[test]
fn differences_name_line_kind_and_columns() {
    let object = json(&["--fen", ATTACK, "--differences", "4"]).remove(0);
    let listed = object["differences"].as_array().expect("a list");
    assert_eq!(listed.len(), 4);
    for one in listed {
        assert!(
            one["line"].as_str().is_some_and(|l| l.starts_with("1.")),
            "{one}"
        );
        assert!(one["kind"].is_string() && one["weight"].is_number() && one["text"].is_string());
    }
}

#[test]
fn a_toy_tree_is_compared_in_its_own_unit() {
    let toy = file(
        "compare.tree",
        "max\nA\n  a1 3\n  a2 5\nB\n  b1 2\n  b2 9\n",
    );
    let object = json(&[&toy, "-a", "alpha-beta", "-a", "distress"]).remove(0);
    assert!(object["fen"].is_null());
    assert_eq!(object["columns"][0]["search"]["score"]["value"], 3.0);
}

#[test]
fn an_engine_in_trouble_is_a_message_and_the_others_go_on() {
    let run = compare(&["--engine", "/no/such/engine", "-a", "alpha-beta", "--json"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert_eq!(run.err.lines().count(), 1, "{}", run.err);
    assert!(run.err.contains("engine"), "{}", run.err);
    let object = &run.json_lines()[0];
    assert!(object["columns"][0]["search"]["best"]["uci"].is_string());
    assert!(object["columns"][1]["trouble"].is_string());
    let text = compare(&["--engine", "/no/such/engine", "-a", "alpha-beta"]);
    assert!(text.out.contains("TROUBLE"), "{}", text.out);
}

#[test]
fn a_wrong_command_line_says_what_was_expected() {
    for (arguments, part) in [
        (&["-a", ""][..], "unknown algorithm"),
        (&["-a", "minimax"], "expected one of"),
        (&["-a", "mcts:fly=1"], "expected one of"),
        (&["-a", "mcts:fpu"], "KEY=VALUE"),
        (&["-a", "mcts:fpu=often"], "expected"),
        (&["-a", "mcts", "--set", "futility=off"], "unknown option"),
        (&["-a", "mcts", "--set", "fpu"], "KEY=VALUE"),
        (&["--engine", ""], "expected"),
        (
            &[
                "-a",
                "alpha-beta",
                "-a",
                "prob-alpha-beta",
                "--set",
                "fpu=0",
            ],
            "unknown option",
        ),
        (&["--time", "1s"], "several budgets"),
        (&["-a", "mcts"].repeat(9), "1 to 8"),
    ] {
        let run = compare(arguments);
        run.refused(2);
        assert!(run.err.contains(part), "{arguments:?}: {}", run.err);
        assert!(run.out.is_empty());
    }
    plyscope(&["compare", "--time", "0s"]).refused(2);
    compare(&["/no/such/file.epd"]).refused(1);
}

/// An engine of the configuration that sends a trace is compared by the tree that the trace tells.
#[cfg(unix)]
#[test]
fn an_engine_that_sends_a_trace_is_a_column_with_its_tree() {
    if std::process::Command::new("python3")
        .arg("--version")
        .output()
        .is_err()
    {
        eprintln!("skipped: no Python");
        return;
    }
    let root = env!("CARGO_MANIFEST_DIR");
    let command = format!(
        "command = \"env PYTHONDONTWRITEBYTECODE=1 PYTHONPATH={root}/src/open_trace/emitters python3 {root}/tests/fixtures/open_trace/toy_uci.py\""
    );
    let silent = format!("command = \"{} uci\"", env!("CARGO_BIN_EXE_plyscope"));
    let config = format!(
        "[engines]\ntoy = {{ {command}, trace = true }}\nplain = {{ {command} }}\nsilent = {{ {silent}, trace = true }}\n"
    );
    let config = file("traced.toml", config);
    let run = |engine: &str| {
        let arguments = [
            "compare",
            "--config",
            &config,
            "--depth",
            "3",
            "--json",
            "--differences",
            "5",
        ];
        plyscope(&[&arguments[..], &["-a", "alpha-beta", "--engine", engine]].concat())
    };
    let futile = |run: &Run| {
        let object = run.json_lines().remove(0);
        let moves = object["moves"].as_array().expect("moves").clone();
        let h4 = moves
            .iter()
            .find(|row| row["uci"] == "h2h4")
            .expect("a row");
        let column = object["columns"][1].clone();
        assert!(
            column["trouble"].is_null() && column["search"]["best"]["uci"] == "e2e4",
            "{column}"
        );
        (h4["columns"][1].clone(), object)
    };
    let traced = run("toy").clean();
    let (h4, object) = futile(&traced);
    assert_eq!(h4["fate"], "futility");
    assert_eq!(object["columns"][1]["name"], "toy");
    assert_eq!(object["columns"][1]["search"]["nodes"], 8);
    let differences = object["differences"].as_array().expect("differences");
    assert!(
        differences
            .iter()
            .any(|d| d["text"].as_str().is_some_and(|text| text.contains("toy")))
    );
    // Without it there is only what UCI tells.
    let (h4, _) = futile(&run("plain").clean());
    assert_ne!(h4["fate"], "futility");
    // One that sends none is shown in that way too, and that is said.
    let silent = run("silent");
    assert_eq!(silent.status, 0, "{silent:?}");
    let expected = "silent: it has sent no trace: what it tells by UCI is shown";
    assert!(silent.err.contains(expected), "{}", silent.err);
    assert!(silent.json_lines()[0]["columns"][1]["search"]["best"]["uci"].is_string());
}

/// The lines of all parts are those of the whole.
#[test]
fn parts_share_the_positions() {
    let tactics = concat!(env!("CARGO_MANIFEST_DIR"), "/sample-positions/tactics.epd");
    let run = |further: &[&str]| {
        let columns = ["compare", tactics, "-a", "mcts", "--nodes", "100", "--json"];
        let lines = plyscope(&[&columns[..], further].concat())
            .clean()
            .json_lines();
        let what = |line: &Value| (line["number"].as_u64(), line["fen"].to_string());
        lines.iter().map(what).collect::<Vec<_>>()
    };
    let whole = run(&[]);
    let mut parts: Vec<_> = ["1/2", "2/2"]
        .iter()
        .flat_map(|k| run(&["--shard", k]))
        .collect();
    assert_ne!(parts, whole);
    parts.sort();
    assert_eq!(parts, whole);
}

/// What was printed is printed again, and only the rest is searched: the records of the parts, one after another, print the whole,
/// in every form.
#[test]
fn a_comparison_goes_on_from_its_record() {
    let tactics = concat!(env!("CARGO_MANIFEST_DIR"), "/sample-positions/tactics.epd");
    let folder = cli_support::folder("cli-compare-parts");
    let path = |name: &str| folder.join(name).display().to_string();
    let run = |form: &str, nodes: &str, further: &[&str]| {
        let columns = ["compare", tactics, "-a", "mcts", form, "--nodes", nodes];
        plyscope(&[&columns[..], further].concat())
    };
    for form in ["--json", "--csv", "--ascii"] {
        let (mut record, mut parts) = (String::new(), Vec::new());
        for shard in ["1/2", "2/2"] {
            let part = path(&format!("{form}-{}", &shard[..1]));
            let further = ["--shard", shard, "--resume", &part];
            let first = run(form, "100", &further).clean();
            // Its times are those of the record.
            assert_eq!(run(form, "100", &further).clean().out, first.out);
            record += &std::fs::read_to_string(&part).expect("a record");
            parts.push(first.out);
        }
        let all = path(&format!("{form}-all"));
        std::fs::write(&all, &record).expect("written");
        let whole = run(form, "100", &["--resume", &all]).clean().out;
        let sorted = |text: &str| {
            let lines = text.lines().filter(|line| !line.is_empty());
            let mut lines: Vec<String> = lines.map(str::to_owned).collect();
            lines.sort();
            lines.dedup();
            lines
        };
        assert_eq!(sorted(&whole), sorted(&parts.join("\n")), "{form}");
        // Cut off in the middle of a line, it goes on.
        let cut = record.len() - record.len() / 5;
        std::fs::write(&all, &record[..cut]).expect("written");
        let again = run(form, "100", &["--resume", &all]).clean().out;
        assert_eq!(again.lines().count(), whole.lines().count(), "{form}");
    }
    let other = run("--json", "200", &["--resume", &path("--json-all")]);
    other.refused(1);
    assert!(other.err.contains("budget Nodes(100)"), "{}", other.err);
}

/// A trace of alpha-beta on a toy tree, to this depth.
fn traced(tree: &str, depth: &str) -> String {
    let run = plyscope(&["trace", tree, "--depth", depth, "--format", "open"]);
    file(&format!("traced-{depth}.plytrace"), &run.clean().out)
}

#[test]
fn traces_are_columns() {
    let tree = file(
        "beside.tree",
        "max\nA\n  a1 3\n  a2 12\nB\n  b1 2\n  b2 4\n",
    );
    let [one, two] = ["1", "2"].map(|depth| traced(&tree, depth));
    let objects = |arguments: &[&str]| json(&[&[tree.as_str()], arguments].concat());
    let both = ["--trace", &one, "--trace", &two];
    let object = &objects(&both)[0];
    let columns = object["columns"].as_array().expect("columns");
    let names: Vec<&Value> = columns.iter().map(|c| &c["name"]).collect();
    let name = format!("plyscope {} alpha-beta", env!("CARGO_PKG_VERSION"));
    assert_eq!(names, [&name, &name]);
    // Rows of both are the same moves: A and B, in both trees.
    let moves = object["moves"].as_array().expect("moves");
    assert_eq!(moves.len(), 2, "{object:#}");
    for row in moves {
        let cells = row["columns"].as_array().expect("cells");
        assert!(
            cells.iter().all(|cell| cell["share"].as_f64() > Some(0.0)),
            "{row:#}"
        );
    }
    // Beside plyscope's own, which has to be asked for.
    let object = &objects(&["--trace", &two, "-a", "mcts"])[0];
    assert_eq!(object["columns"].as_array().map(Vec::len), Some(2));
    assert_eq!(object["columns"][0]["name"], "mcts");
}

#[test]
fn a_trace_of_another_position_is_no_column() {
    let of = |position: &str, name: &str| {
        let run = plyscope(&[
            "trace",
            &file(name, position),
            "--depth",
            "2",
            "--format",
            "open",
        ]);
        file(&format!("{name}.plytrace"), &run.clean().out)
    };
    let three = of("tictactoe x--/---/---\n", "three.ttt");
    let empty = file("empty.ttt", "tictactoe\n");
    let run = compare(&[&empty, "--trace", &three]);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(
        run.err
            .contains("found a search of \"tictactoe x--/---/---\", expected \"tictactoe"),
        "{run:?}"
    );
    let run = compare(&["--fen", ATTACK, "--trace", &three]);
    assert!(
        run.err.contains("found a search of the game \"tictactoe\""),
        "{run:?}"
    );
    let run = compare(&["sample-positions/tactics.epd", "--trace", &three]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.err.contains("expected one"), "{run:?}");
    let run = compare(&[&empty, "--trace", "nowhere.plytrace"]);
    assert!(
        run.err.contains("nowhere.plytrace: cannot be read"),
        "{run:?}"
    );
    // Its own search, with the board of its game, beside plyscope's.
    let object = &json(&[&three])[0];
    assert_eq!(object["fen"], "tictactoe x--/---/---");
    assert_eq!(object["columns"].as_array().map(Vec::len), Some(2));
}

/// In games without a width that was fitted by depth, a value is as unsure as a leaf, and a flagged row says of what kind its
/// difference is.
#[test]
fn values_of_other_games_are_not_certain() {
    let game = [
        "--fen",
        "connect4 4 4 4 4 3 2",
        "-a",
        "alpha-beta",
        "-a",
        "distress",
    ];
    let mut judged = 0;
    let object = json(&[&game[..], &["--differences", "60"]].concat()).remove(0);
    for difference in object["differences"].as_array().expect("differences") {
        if difference["kind"] == "value" && !difference.to_string().contains("proven") {
            assert!(
                difference["uncertainty"].as_f64() > Some(0.1),
                "{difference}"
            );
            judged += 1;
        }
    }
    assert!(judged > 0);
    let text = compare(&game).clean().out;
    let flagged = text.lines().filter(|line| line.contains("  *"));
    for line in flagged {
        let kind = line
            .split('*')
            .nth(1)
            .and_then(|rest| rest.chars().next())
            .expect("a kind");
        assert!(text.contains(&format!("\n*{kind}: ")), "{text}");
    }
    assert!(!text.contains("both certain"), "{text}");
}
