//! `plyscope trace`: what it prints, the range of events, and what it refuses.

use crate::cli_support;

use cli_support::{Run, bytes, file, plyscope};
use serde_json::Value;

const ALGORITHMS: [&str; 4] = ["alpha-beta", "prob-alpha-beta", "mcts", "distress"];
const TEXTBOOK: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/sample-positions/textbook.tree"
);

fn trace(arguments: &[&str]) -> Run {
    let small = ["trace", "--memory", "64M"];
    plyscope(&[&small, arguments].concat())
}

/// The lines of a run from the position after 1.e4 e5.
fn opening(algorithm: &str, arguments: &[&str]) -> Vec<Value> {
    let fixed = ["-a", algorithm, "--moves", "e4 e5", "--nodes", "1500"];
    trace(&[&fixed, arguments].concat()).clean().json_lines()
}

fn numbers(lines: &[Value]) -> Vec<u64> {
    let number = |l: &Value| l["n"].as_u64().expect("a number");
    lines.iter().map(number).collect()
}

#[test]
fn the_same_bytes_every_time_and_no_number_left_out() {
    for algorithm in ALGORITHMS {
        let arguments = ["-a", algorithm, "--nodes", "1500", "--seed", "7"];
        let first = trace(&arguments).clean();
        assert_eq!(first.out, trace(&arguments).clean().out, "{algorithm}");
        let lines = first.json_lines();
        assert!(lines.len() > 100, "{algorithm}: {}", lines.len());
        let all: Vec<u64> = (1..=lines.len() as u64).collect();
        assert_eq!(numbers(&lines), all, "{algorithm}");
        assert_eq!(lines[0]["kind"], "iteration");
    }
}

#[test]
fn a_part_of_the_events_is_the_same_part_of_all() {
    for algorithm in ALGORITHMS {
        let all = opening(algorithm, &[]);
        let part = opening(algorithm, &["--from", "100", "--events", "25"]);
        assert_eq!(part[..], all[99..124], "{algorithm}");
        let end = opening(algorithm, &["--from", "100"]);
        assert_eq!(end[..], all[99..], "{algorithm}");
        let beyond = opening(algorithm, &["--from", "1M"]);
        assert!(beyond.is_empty(), "{algorithm}: {}", beyond[0]);
    }
}

#[test]
fn a_filter_leaves_out_what_it_does_not_fit() {
    let all = opening("alpha-beta", &[]);
    let filtered = opening("alpha-beta", &["--filter", "on cutoff,prune"]);
    let fits = |l: &&Value| l["kind"] == "cutoff" || l["kind"] == "prune";
    let expected: Vec<Value> = all.iter().filter(fits).cloned().collect();
    assert!(expected.len() > 10);
    assert_eq!(filtered, expected);
    // The limit counts events that are printed.
    let first = opening(
        "alpha-beta",
        &["--filter", "on cutoff,prune", "--events", "5"],
    );
    assert_eq!(first[..], expected[..5]);
}

#[test]
fn a_break_is_the_last_event_written() {
    for algorithm in ALGORITHMS {
        let all = opening(algorithm, &[]);
        let at = all.iter().position(|l| l["kind"] == "best-change");
        let at = at.expect("a best move");
        let broken = opening(algorithm, &["--break", "on best-change"]);
        assert_eq!(broken[..], all[..=at], "{algorithm}");
        let only = opening(
            algorithm,
            &["--break", "on best-change", "--filter", "on iteration"],
        );
        assert_eq!(only.last(), Some(&all[at]), "{algorithm}");
        assert!(
            only[..only.len() - 1]
                .iter()
                .all(|l| l["kind"] == "iteration")
        );
    }
}

/// What happened before `--from` is not reported again.
#[test]
fn a_break_looks_from_the_first_event_on() {
    let all = opening("mcts", &[]);
    let at_root = |kind: &str| all.iter().position(|l| l["kind"] == kind && l["node"] == 1);
    let evaluated = at_root("evaluate").expect("the root's value");
    let expanded = at_root("expand").expect("the root's children");
    assert!(evaluated + 2 < expanded);
    let break_at = ["--break", "changes root"];
    // The first value is a change, and so are the children.
    let broken = opening("mcts", &break_at);
    assert!(broken.len() <= evaluated + 2, "{}", broken.len());
    let from = (expanded - 1).to_string();
    let broken = opening(
        "mcts",
        &[&["--from", from.as_str()][..], &break_at].concat(),
    );
    assert_eq!(broken[..], all[expanded - 2..=expanded]);
}

#[test]
fn the_textbooks_cutoff_by_hand() {
    let lines = trace(&[TEXTBOOK, "--depth", "2", "--break", "on cutoff"])
        .clean()
        .json_lines();
    let cut = lines.last().expect("a cutoff");
    assert_eq!(
        cut["text"],
        "B: cut off after 1 of 3 moves: b1 scored −2, at least beta −3 (Min's view)."
    );
    let plain = trace(&[TEXTBOOK, "--depth", "2", "--break", "on cutoff", "--ascii"]).clean();
    assert!(plain.out.is_ascii(), "{}", plain.out);
    assert!(plain.out.contains("b1 scored -2, at least beta -3"));
}

#[test]
fn a_wrong_command_line_says_what_was_expected() {
    for (arguments, named) in [
        (&["--filter", "on moonlight"][..], "--filter: column"),
        (&["--filter", ""], "--filter: column"),
        (&["--break", "when visits >"], "--break: column"),
        (&["--break", "at \"1.e5\""], "--break: column"),
        (&["--threads", "2"], "--threads: found 2, expected 1"),
    ] {
        let run = trace(arguments);
        assert!(run.refused(2).err.contains(named), "{arguments:?}: {run:?}");
        assert!(run.out.is_empty());
    }
    for arguments in [&["--from", "0"][..], &["--events", "few"]] {
        let run = trace(arguments);
        assert_eq!(run.status, 2, "{arguments:?}: {run:?}");
        run.harmless();
    }
    assert_eq!(
        trace(&["--threads", "1", "--events", "3"])
            .clean()
            .json_lines()
            .len(),
        3
    );
}

/// The leaf's search answers as the tree that asked it says, and its events are those of an alpha-beta below the leaf.
#[test]
fn the_search_of_a_leaf_answers_what_the_tree_was_told() {
    let asked = opening("distress", &["--filter", "on answer at d4"]);
    let told = asked.last().expect("an answer");
    let leaf = opening("distress", &["--leaf", "d4"]);
    assert_eq!(leaf[0]["kind"], "ask");
    let last = leaf.last().expect("an answer");
    assert_eq!(last["kind"], "answer");
    assert_eq!(
        (&last["value"], &last["bound"]),
        (&told["value"], &told["bound"])
    );
    assert!(leaf.iter().all(|event| event["line"][0] == "d4"));
    assert!(leaf.iter().any(|event| event["kind"] == "leave"));
    let part = opening(
        "distress",
        &["--leaf", "d4", "--from", "2", "--events", "2"],
    );
    assert_eq!(part[..], leaf[1..3]);
}

#[test]
fn a_leaf_that_cannot_be_opened_is_told() {
    let refusal = |arguments: &[&str], status, words: &str| {
        let run = trace(&[&["--nodes", "1500"], arguments].concat());
        assert!(run.refused(status).err.contains(words), "{run:?}");
    };
    refusal(&["-a", "distress", "--leaf", "e5"], 2, "a legal move");
    refusal(
        &["-a", "distress", "--leaf", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4"],
        1,
        "has reached",
    );
    refusal(&["-a", "distress", "--leaf", ""], 1, "below the root");
    refusal(&["-a", "mcts", "--leaf", "e4"], 1, "distress");
    refusal(
        &["-a", "distress", "--set", "leaf=static", "--leaf", "e4"],
        1,
        "leaf=search",
    );
}

/// `plyscope trace | head -1` ends the search, which has no limit of its own, without an error.
#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_ends_the_trace() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_plyscope"))
        .args(["trace", "--memory", "64M", "--events", "1000M"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn help_completions_and_manual_know_the_command() {
    let help = plyscope(&["trace", "--help"]).clean().out;
    for word in ["--from", "--events", "--filter", "--break", "2 seconds"] {
        assert!(help.contains(word), "{word}");
    }
    assert!(plyscope(&["--help"]).clean().out.contains("trace"));
    let bash = plyscope(&["completions", "bash"]).clean().out;
    assert!(bash.contains("plyscope__trace") || bash.contains("plyscope__subcmd__trace"));
    let man = plyscope(&["man", "trace"]).clean().out;
    assert!(man.contains("plyscope\\-trace"));
}

/// What the open trace of a search is read back as is in the tests of sessions; here it is one command's output and another's input.
#[test]
fn an_open_trace_is_printed_in_both_forms_and_read() {
    for algorithm in ["alpha-beta", "mcts"] {
        let search = ["-a", algorithm, "--moves", "e4 e5", "--nodes", "3000"];
        let lines = trace(&[&search[..], &["--format", "open"]].concat()).clean();
        let header: Value =
            serde_json::from_str(lines.out.lines().next().expect("a line")).expect("JSON");
        assert_eq!(header["plyscope-trace"], 1);
        assert!(
            header["engine"]
                .as_str()
                .expect("a name")
                .ends_with(algorithm)
        );
        let first = &file(&format!("own-{algorithm}.plytrace"), &lines.out);
        // The other form and back.
        let binary = bytes(&["trace", first, "--format", "open-binary"]);
        assert!(binary.starts_with(b"\x89PLYTR\r\n"));
        let other = &file(&format!("own-{algorithm}-binary.plytrace"), binary);
        let back = trace(&[other, "--format", "open"]).clean();
        let events = |out: &str| -> Vec<Value> {
            let lines = out
                .lines()
                .map(|line| serde_json::from_str(line).expect("JSON"));
            lines
                .filter(|line: &Value| line["kind"] != "mark")
                .collect()
        };
        let (told, again) = (events(&lines.out), events(&back.out));
        for (i, line) in told.iter().enumerate() {
            assert_eq!(again.get(i), Some(line), "{algorithm}, line {i}");
        }
        assert_eq!(again.len(), told.len());
        let found = |read| {
            plyscope(&["search", read, "--json"])
                .clean()
                .json_lines()
                .remove(0)
        };
        let own = plyscope(&[&["search", "--json"][..], &search].concat())
            .clean()
            .json_lines()
            .remove(0);
        for read in [first, other] {
            assert_eq!(found(read)["best"], own["best"], "{algorithm}");
        }
    }
}

#[test]
fn an_open_trace_is_whole() {
    for part in [
        &["--from", "7"][..],
        &["--filter", "on enter"],
        &["--leaf", "e4"],
    ] {
        let run = trace(&[&["--nodes", "100", "--format", "open"], part].concat());
        assert_eq!(run.status, 2, "{run:?}");
        assert!(run.err.contains("the whole search"), "{run:?}");
        run.harmless();
    }
    let run = trace(&["--events", "5", "--format", "open"]).clean();
    let kinds: Vec<Value> = run
        .json_lines()
        .iter()
        .skip(2)
        .map(|line| line["kind"].clone())
        .collect();
    assert_eq!(kinds[0], "iteration");
    assert_eq!(kinds[kinds.len() - 2..], ["end", "mark"]);
}

#[test]
fn an_audit_puts_plyscopes_own_search_beside() {
    let told = trace(&["--depth", "5", "--format", "open"]).clean();
    let audited = file("own.plytrace", told.out);
    let json = plyscope(&["audit", &audited, "--beside", "--json"])
        .clean()
        .json_lines()
        .remove(0);
    let searches = json["searches"].as_array().expect("searches");
    assert_eq!(searches.len(), 2, "{json}");
    let toy = trace(&[TEXTBOOK, "--format", "open"]).clean();
    let run = plyscope(&["audit", &file("own-toy.plytrace", toy.out), "--beside"]);
    assert!(
        run.err.contains("expected one whose rules plyscope knows"),
        "{run:?}"
    );
}

/// The threads of a recorded search are columns, beside plyscope's own search.
#[test]
fn the_threads_of_a_trace_are_compared() {
    let header = r#"{"plyscope-trace":1,"engine":"two","game":"chess","value":{"unit":"cp"}}"#;
    let search = |best: &str, value: i32, thread: u8| {
        format!(
            "{{\"kind\":\"enter\",\"move\":null,\"depth\":1,\"t\":{thread}}}\n\
             {{\"kind\":\"enter\",\"move\":\"{best}\",\"depth\":0,\"t\":{thread}}}\n\
             {{\"kind\":\"leave\",\"value\":{},\"t\":{thread}}}\n\
             {{\"kind\":\"leave\",\"value\":{value},\"t\":{thread}}}\n",
            -value
        )
    };
    let lines = [
        format!("{header}\n{{\"kind\":\"search\",\"fen\":\"startpos\"}}\n"),
        search("e2e4", 30, 0),
        search("d2d4", 25, 1),
    ];
    let read = file("two-threads.plytrace", lines.concat());
    let run = plyscope(&[
        "compare", &read, "--nodes", "2000", "--memory", "64M", "--json",
    ]);
    let all = run.clean().json_lines();
    assert_eq!(all.len(), 1, "one position for both threads");
    let columns = all[0]["columns"].as_array().expect("columns");
    let names: Vec<&str> = columns.iter().filter_map(|c| c["name"].as_str()).collect();
    assert_eq!(names, ["two", "two, thread 1", "alpha-beta"], "{}", all[0]);
    let named = plyscope(&["compare", &read, "-a", "mcts", "--nodes", "500", "--json"]);
    let columns = named.clean().json_lines()[0]["columns"].clone();
    assert_eq!(columns.as_array().map(Vec::len), Some(1));
}
