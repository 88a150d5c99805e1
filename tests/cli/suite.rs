//! `plyscope suite`, as run by a user or a script.

use crate::cli_support;

use cli_support::{Run, file, plyscope, with_columns, with_input};
use serde_json::Value;

/// The first five positions of Win at Chess.
const WAC: &str = "\
2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id \"WAC.001\";
8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - bm Rxb2; id \"WAC.002\";
5rk1/1ppb3p/p1pb4/6q1/3P1p1r/2P1R2P/PP1BQ1P1/5RKN w - - bm Rg3; id \"WAC.003\";
r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - bm Qxh7+; id \"WAC.004\";
5k2/6pp/p1qN4/1p1p4/3P4/2PKP2Q/PP3r2/3R4 b - - bm Qc4+; id \"WAC.005\";
";
const MATES: &str = "\
6k1/5ppp/8/8/8/8/8/K2R4 w - - dm 1; id \"one\";
7k/8/5K2/8/8/8/8/1R6 w - - dm 2; id \"two\";
6k1/5ppp/8/8/8/8/8/K2R4 w - - am Rd8; id \"avoid the mate\";
";

fn suite(path: &str, arguments: &[&str]) -> Run {
    let budget: &[&str] = match arguments.contains(&"--nodes") {
        true => &[],
        false => &["--nodes", "2k"],
    };
    plyscope(&[&["suite", path], budget, arguments].concat())
}

fn json(path: &str, arguments: &[&str]) -> Value {
    let run = suite(path, &[&["--json"], arguments].concat()).clean();
    let mut lines = run.json_lines();
    assert_eq!(lines.len(), 1);
    lines.remove(0)
}

/// Without everything that depends on the machine's speed.
fn timeless(value: &mut Value) {
    match value {
        Value::Object(map) => {
            for key in ["cpu_ms", "kept_cpu_ms"] {
                map.remove(key);
            }
            map.values_mut().for_each(timeless);
        }
        Value::Array(list) => list.iter_mut().for_each(timeless),
        _ => {}
    }
}

fn same(mut a: Value, mut b: Value) {
    timeless(&mut a);
    timeless(&mut b);
    assert_eq!(a, b);
}

#[test]
fn columns_and_pairs_agree_with_the_positions() {
    let path = file("wac.epd", WAC);
    let whole = json(&path, &[]);
    assert_eq!(
        (&whole["finished"], &whole["complete"]),
        (&5.into(), &true.into())
    );
    let positions = whole["positions"].as_array().expect("positions");
    let solved = |column: usize, position: &Value| -> bool {
        position["columns"][column]["solved"]
            .as_bool()
            .expect("judged")
    };
    let columns = whole["columns"].as_array().expect("columns");
    assert_eq!(columns.len(), 4);
    let mut any = 0;
    for (i, column) in columns.iter().enumerate() {
        let count = positions.iter().filter(|p| solved(i, p)).count();
        any += count;
        assert_eq!(
            (&column["solved"], &column["tried"]),
            (&count.into(), &5.into())
        );
        let low = column["interval"][0].as_f64().expect("a number");
        let high = column["interval"][1].as_f64().expect("a number");
        assert!(low <= count as f64 / 5.0 && count as f64 / 5.0 <= high);
    }
    assert!(any > 4, "some are solved with 2,000 nodes: {any}");
    let pairs = whole["pairs"].as_array().expect("pairs");
    assert_eq!(pairs.len(), 6);
    let only: Vec<&Value> = positions
        .iter()
        .filter(|p| solved(0, p) && !solved(3, p))
        .map(|p| &p["title"])
        .collect();
    assert_eq!(pairs[2]["b"], "distress");
    assert_eq!(
        pairs[2]["only_a"]
            .as_array()
            .expect("titles")
            .iter()
            .collect::<Vec<_>>(),
        only
    );
    for position in positions {
        for outcome in position["columns"].as_array().expect("columns") {
            assert!(outcome["nodes"].as_u64().is_some_and(|n| n <= 2_000));
            let kept = &outcome["kept"];
            assert_eq!(kept.is_null(), outcome["solved"] == false);
            if !kept.is_null() {
                assert!(kept["nodes"].as_u64() <= outcome["nodes"].as_u64());
            }
        }
    }
}

#[test]
fn a_suite_comes_out_the_same_every_time_on_any_number_of_cores() {
    let path = file("same.epd", WAC);
    same(
        json(&path, &["--cores", "1"]),
        json(&path, &["--cores", "3"]),
    );
}

#[test]
fn mates_count_by_their_length_and_moves_can_be_avoided() {
    let path = file("mates.epd", MATES);
    let whole = json(&path, &["-a", "alpha-beta", "-a", "mcts", "--nodes", "20k"]);
    for column in 0..2 {
        let of = |i: usize| &whole["positions"][i]["columns"][column];
        assert_eq!(
            (&of(0)["solved"], &of(0)["mate"]),
            (&true.into(), &1.into())
        );
        assert_eq!(
            (&of(1)["solved"], &of(1)["mate"]),
            (&true.into(), &2.into())
        );
        assert_eq!(of(2)["solved"], false, "the mate is what is to be avoided");
    }
    assert_eq!(whole["positions"][1]["task"], "dm");
    assert_eq!(whole["positions"][2]["task"], "am");
    // A mate that is too long does not count.
    let path = file(
        "short.epd",
        "7k/8/5K2/8/8/8/8/1R6 w - - dm 1; id \"two\";\n",
    );
    let whole = json(&path, &["-a", "alpha-beta", "--nodes", "20k"]);
    assert_eq!(whole["columns"][0]["solved"], 0);
}

#[test]
fn points_are_counted() {
    let path = file(
        "points.epd",
        "6k1/5ppp/8/8/8/8/8/K2R4 w - - c0 \"Rd8=10, Rd7=3\"; id \"a\";\n\
         6k1/5ppp/8/8/8/8/8/K2R4 w - - c0 \"Rd7=4\"; id \"b\";\n",
    );
    let whole = json(&path, &["-a", "alpha-beta", "-a", "mcts"]);
    for column in whole["columns"].as_array().expect("columns") {
        assert_eq!(
            (&column["points"], &column["possible"]),
            (&10.into(), &14.into())
        );
        assert_eq!(
            (&column["tried"], &column["interval"]),
            (&0.into(), &Value::Null)
        );
    }
    assert_eq!(whole["pairs"][0]["points"]["mean"], 0.0);
    let text = suite(&path, &["-a", "alpha-beta", "-a", "mcts"])
        .clean()
        .out;
    assert!(text.contains("10/14"), "{text}");
}

#[test]
fn what_has_no_task_is_named() {
    let path = file(
        "partly.epd",
        format!("{WAC}4k3/8/8/8/8/8/4P3/4K3 w - - id \"nothing asked\";\n"),
    );
    let whole = json(&path, &["-a", "alpha-beta"]);
    assert_eq!(whole["not_tried"][0], "nothing asked");
    assert_eq!(whole["wanted"], 5);
    let text = suite(&path, &["-a", "alpha-beta"]).clean().out;
    assert!(
        text.contains("not tried") && text.contains("nothing asked"),
        "{text}"
    );
}

#[test]
fn the_text_keeps_to_the_terminal() {
    let path = file("narrow.epd", WAC);
    let arguments = ["suite", &path, "--nodes", "2k", "--ascii"];
    let run = with_columns("80", &arguments).clean();
    assert!(run.out.is_ascii());
    for line in run.out.lines() {
        assert!(line.len() <= 80, "{line}");
    }
    for part in [
        "A  alpha-beta",
        "D  distress",
        "95 %",
        "A and D: both",
        "p = ",
    ] {
        assert!(run.out.contains(part), "{part}: {}", run.out);
    }
    let run = with_columns("80", &[&arguments[..], &["--verbose"]].concat()).clean();
    let told = run.out.lines().filter(|l| l.starts_with("WAC.00")).count();
    assert_eq!(told, 5, "{}", run.out);
}

#[test]
fn csv_reads_back() {
    let path = file("csv.epd", WAC);
    let run = suite(&path, &["--csv", "-a", "alpha-beta", "-a", "mcts"]).clean();
    let mut reader = csv::Reader::from_reader(run.out.as_bytes());
    let heads = reader.headers().expect("a head").clone();
    let at = |name: &str| heads.iter().position(|h| h == name).expect(name);
    let rows: Vec<_> = reader.records().map(|r| r.expect("a row")).collect();
    assert_eq!(rows.len(), 10);
    assert_eq!(&rows[2][at("title")], "WAC.002");
    assert_eq!(&rows[3][at("column")], "mcts");
    for row in &rows {
        let solved: bool = row[at("solved")].parse().expect("yes or no");
        assert_eq!(solved, !row[at("kept_nodes")].is_empty());
        assert!(row[at("nodes")].parse::<u64>().is_ok());
    }
}

#[test]
fn each_position_can_be_had_as_it_is_finished() {
    let path = file("each.epd", WAC);
    let run = suite(&path, &["--json", "--each", "-a", "alpha-beta"]).clean();
    let lines = run.json_lines();
    assert_eq!(lines.len(), 6);
    // In the order in which they are finished.
    let mut titles: Vec<_> = lines[..5]
        .iter()
        .map(|l| l["position"]["title"].to_string())
        .collect();
    titles.sort();
    assert_eq!(titles[0], "\"WAC.001\"");
    assert!(lines[5]["positions"].is_null());
    assert_eq!(lines[5]["finished"], 5);
    // Standard output and standard error contain only what was asked for.
    with_input(
        &["suite", "-", "-a", "alpha-beta", "--nodes", "100"],
        WAC.as_bytes(),
    )
    .clean();
}

#[test]
fn bad_input_is_refused() {
    let none = file("none.epd", "4k3/8/8/8/8/8/4P3/4K3 w - - id \"x\";\n");
    let game = file("game-suite.pgn", "[White \"A\"]\n\n1. e4 *\n");
    for path in ["/no/such/suite.epd", &none, &game, &file("void.epd", "")] {
        suite(path, &[]).refused(1);
    }
    let path = file("good.epd", WAC);
    for arguments in [
        &["-a", "minimax"][..],
        &["-a", "mcts:fly=1"],
        &["-a", ""],
        &["-a", "mcts", "--set", "nothing=1"],
        &["--depth", "3"],
    ] {
        suite(&path, arguments).refused(2);
    }
    for arguments in [
        &["--each"][..],
        &["--json", "--csv"],
        &["--verbose", "--json"],
    ] {
        assert_eq!(suite(&path, arguments).status, 2, "{arguments:?}");
    }
    // A line that cannot be read is reported; the others are searched.
    let mixed = file("mixed-suite.epd", format!("{WAC}nonsense/8 w - -\n"));
    let run = suite(&mixed, &["-a", "alpha-beta", "--json"]);
    assert_eq!(run.json_lines()[0]["finished"], 5);
    run.refused(1);
    assert!(run.err.contains("mixed-suite.epd:6:"), "{}", run.err);
}

#[test]
fn an_engine_in_trouble_is_not_counted_and_not_kept() {
    let path = file("trouble.epd", WAC);
    let record = fresh("trouble.jsonl");
    let arguments = [
        "-a",
        "alpha-beta",
        "--engine",
        "/no/such/engine",
        "--resume",
        &record,
    ];
    let run = suite(&path, &[&arguments[..], &["--json"]].concat());
    assert_eq!(run.status, 1);
    assert!(run.err.contains("engine"), "{}", run.err);
    let whole = &run.json_lines()[0];
    assert_eq!(
        (&whole["columns"][0]["tried"], &whole["columns"][1]["tried"]),
        (&5.into(), &0.into())
    );
    assert_eq!(whole["columns"][1]["troubles"], 5);
    assert_eq!(lines_of(&record), 1, "only the head");
}

/// Returns a path in the tests' folder where nothing exists.
fn fresh(name: &str) -> String {
    let path = file(name, "");
    std::fs::remove_file(&path).expect("it was there");
    path
}

fn lines_of(path: &str) -> usize {
    std::fs::read_to_string(path)
        .expect("a record")
        .lines()
        .count()
}

#[test]
fn a_record_is_gone_on_with() {
    let path = file("resume.epd", WAC);
    let record = fresh("resume.jsonl");
    let columns = ["-a", "alpha-beta", "-a", "distress"];
    let resumed = || json(&path, &[&columns[..], &["--resume", &record]].concat());
    let whole = json(&path, &columns);
    same(resumed(), whole.clone());
    assert_eq!(lines_of(&record), 6);
    // Cut off in the middle of a line; that position is searched again.
    let text = std::fs::read_to_string(&record).expect("a record");
    let third = text.match_indices('\n').nth(2).expect("lines").0;
    for cut in [third - 20, third, third + 1] {
        std::fs::write(&record, &text[..cut]).expect("written");
        same(resumed(), whole.clone());
        assert_eq!(lines_of(&record), 6, "cut at {cut}");
    }
    // Cut off in its header.
    std::fs::write(&record, &text[..30]).expect("written");
    same(resumed(), whole);
}

#[test]
fn a_record_of_another_run_is_refused() {
    let path = file("mismatch.epd", WAC);
    let record = fresh("mismatch.jsonl");
    let run = |path: &str, more: &[&str]| {
        suite(
            path,
            &[&["--resume", &record, "-a", "alpha-beta"], more].concat(),
        )
    };
    run(&path, &[]).clean();
    let other = file("other.epd", MATES);
    for (path, more, part) in [
        (&path, &["-a", "mcts"][..], "columns alpha-beta mcts"),
        (&path, &["--set", "futility=off"], "futility=off"),
        (&path, &["--seed", "2"], "seed 2"),
        (&path, &["--threads", "2"], "threads 2"),
        (&path, &["--memory", "64M"], "memory 67108864"),
        (&other, &[], "suite "),
    ] {
        let run = run(path, more);
        run.refused(1);
        assert!(run.err.contains(part), "{}", run.err);
        assert!(run.err.contains("mismatch.jsonl:1:"), "{}", run.err);
    }
    // The file was not modified.
    assert_eq!(lines_of(&record), 6);
    let text = std::fs::read_to_string(&record).expect("a record");
    let broken = text.replacen("\"number\":2", "\"number\":\"two\"", 1);
    std::fs::write(&record, &broken).expect("written");
    let refused = run(&path, &[]);
    refused.refused(1);
    assert!(refused.err.contains("mismatch.jsonl:"), "{}", refused.err);
    for foreign in ["my shopping list\n", "\n", "{}\n"] {
        std::fs::write(&record, foreign).expect("written");
        run(&path, &[]).refused(1);
        let kept = std::fs::read_to_string(&record).expect("a file");
        assert_eq!(kept, foreign);
    }
}

/// Ctrl-C prints the results so far; continuing gives the same results as an uninterrupted run.
#[cfg(unix)]
#[test]
fn an_interrupted_run_prints_and_can_go_on() {
    use cli_support::interrupted;
    // Enough work for a while on one core of any machine.
    let many: String = (0..6).map(|_| WAC).collect();
    let path = file("interrupted.epd", many);
    let record = fresh("interrupted.jsonl");
    let arguments = [
        "suite",
        &path,
        "-a",
        "alpha-beta",
        "-a",
        "mcts",
        "--nodes",
        "20k",
    ];
    let recorded = ["--cores", "1", "--json", "--resume", &record];
    let run = interrupted(&[&arguments[..], &recorded].concat(), || {
        std::fs::read_to_string(&record).is_ok_and(|t| t.lines().count() >= 3)
    });
    assert_eq!((run.status, run.err.as_str()), (130, ""));
    let part = run.json_lines().remove(0);
    assert_eq!(
        (&part["complete"], &part["wanted"]),
        (&false.into(), &30.into())
    );
    let finished = part["finished"].as_u64().expect("a number");
    assert!((2..30).contains(&finished), "{finished}");
    assert_eq!(lines_of(&record) as u64, finished + 1);
    let go_on = [&arguments[..], &["--json", "--resume", &record]].concat();
    let resumed = plyscope(&go_on).clean().json_lines().remove(0);
    let whole = plyscope(&[&arguments[..], &["--json"]].concat());
    same(resumed, whole.clean().json_lines().remove(0));
}

#[test]
fn parts_of_a_suite_merge_into_the_whole() {
    let path = file("shards.epd", WAC);
    let whole = json(&path, &["-a", "alpha-beta"]);
    let mut all = String::new();
    let mut seen = 0;
    for part in 1..=3 {
        let record = file(&format!("shard{part}.jsonl"), "");
        let shard = format!("{part}/3");
        let of_part = json(
            &path,
            &["-a", "alpha-beta", "--shard", &shard, "--resume", &record],
        );
        seen += of_part["finished"].as_u64().unwrap_or_default();
        all += &std::fs::read_to_string(&record).expect("a record");
    }
    assert_eq!(seen, 5, "each position once");
    let merged = file("shards-all.jsonl", &all);
    let mut together = json(&path, &["-a", "alpha-beta", "--resume", &merged]);
    let mut whole = whole;
    timeless(&mut whole);
    timeless(&mut together);
    assert_eq!(together, whole);
    let run = suite(&path, &["--shard", "4/3"]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("such as 2/8"), "{}", run.err);
}
