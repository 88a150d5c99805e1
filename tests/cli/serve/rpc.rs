//! Searches that are driven over a pipe do what `plyscope trace`, `tree` and `search` show of the same searches.

use serde_json::{Value, json};

use super::client::Client;
use crate::cli_support::plyscope;

const ALGORITHMS: [&str; 4] = ["alpha-beta", "prob-alpha-beta", "mcts", "distress"];
const TEXTBOOK: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/sample-positions/textbook.tree"
);

/// The options of the other commands for the searches of [`opening`].
fn same<'a>(command: &'a str, algorithm: &'a str) -> Vec<&'a str> {
    let fixed = ["--memory", "64M", "--moves", "e4 e5", "--nodes", "1500"];
    [&[command, "-a", algorithm][..], &fixed].concat()
}

fn traced(algorithm: &str, more: &[&str]) -> Vec<Value> {
    let arguments = [same("trace", algorithm), more.to_vec()].concat();
    plyscope(&arguments).clean().json_lines()
}

/// A server with a search of the position after 1.e4 e5 that waits before its first event.
fn opening(algorithm: &str) -> Client {
    let mut client = Client::start(&[]);
    client.call("open", json!({"moves": "e4 e5"}));
    let start = json!({"algorithm": algorithm, "nodes": 1500, "paused": true});
    let stop = client.call("start", start);
    assert_eq!((&stop["state"], &stop["at"]), (&json!("paused"), &json!(0)));
    client
}

#[test]
fn steps_go_through_the_events_of_a_trace() {
    for algorithm in ALGORITHMS {
        let events = traced(algorithm, &[]);
        let mut client = opening(algorithm);
        let mut at = 0;
        for times in [1, 1, 1, 5, 1, 40, 1, 1, 200] {
            let stop = client.call("step", json!({"times": times}));
            at += times;
            assert_eq!(stop["reason"], "step", "{algorithm}");
            assert_eq!(stop["event"], events[at - 1], "{algorithm}");
        }
        for (method, parameters, to) in [
            ("back", json!({}), at - 1),
            ("back", json!({"events": 100}), at - 101),
            ("go_to", json!({"event": 7}), 7),
            ("go_to", json!({"event": 90}), 90),
            ("step", json!({}), 91),
        ] {
            let stop = client.call(method, parameters);
            assert_eq!(stop["event"], events[to - 1], "{algorithm} {method}");
            assert_eq!(stop["at"], to);
        }
        let log = client.call("events", json!({"from": 80, "count": 5}));
        let number = |v: &Value| v["n"].as_u64().expect("a number");
        let logged: Vec<u64> = log["events"]
            .as_array()
            .expect("events")
            .iter()
            .map(number)
            .collect();
        assert_eq!(logged, [80, 81, 82, 83, 84]);
        let stop = client.call("go_to", json!({"event": 0}));
        assert_eq!((&stop["at"], &stop["event"]), (&json!(0), &Value::Null));
    }
}

#[test]
fn a_breakpoint_stops_where_a_trace_breaks() {
    for (algorithm, text) in [
        ("alpha-beta", "on cutoff"),
        ("mcts", "on best-change when visits > 20"),
        ("distress", "changes \"d4\""),
    ] {
        let events = traced(algorithm, &["--break", text]);
        let last = events.last().expect("events");
        let mut client = opening(algorithm);
        let set = client.call("breakpoints", json!({"set": [text]}));
        assert_eq!(set[0]["number"], 1);
        let stop = client.call("run", json!({"wait": 60}));
        assert_eq!(stop["event"], *last, "{algorithm}");
        assert_eq!(
            (&stop["reason"], &stop["breakpoint"]),
            (&json!("breakpoint"), &json!(1))
        );
        // Past all breakpoints.
        let stop = client.call("run", json!({"freely": true, "wait": 60}));
        assert_eq!(stop["state"], "finished");
    }
}

/// What is seen at an event is the same however one came there.
#[test]
fn as_many_steps_back_as_forward_lead_to_the_same_node() {
    for algorithm in ALGORITHMS {
        let mut client = opening(algorithm);
        let mut seen = Vec::new();
        for steps in [30, 7, 1, 100, 63, 250] {
            let node = client.call("step", json!({"times": steps}))["event"]["node"].clone();
            let what = look(&mut client, &node);
            seen.push((steps, node, what));
        }
        while let Some((steps, node, what)) = seen.pop() {
            assert_eq!(look(&mut client, &node), what, "{algorithm}, {steps} steps");
            client.call("back", json!({"events": steps}));
        }
    }
}

/// Everything about a node and the root.
fn look(client: &mut Client, node: &Value) -> Vec<Value> {
    let here = json!({"node": node});
    vec![
        client.call("node", here.clone()),
        client.call("explain", here.clone()),
        client.call("rows", here),
        client.call("node", json!({})),
        client.call("rows", json!({"sort": "nodes"})),
    ]
}

#[test]
fn going_back_to_a_breakpoint_finds_the_last_one() {
    let mut client = opening("alpha-beta");
    client.call(
        "breakpoints",
        json!({"set": ["on cutoff", "on best-change"]}),
    );
    let mut stops = Vec::new();
    for _ in 0..6 {
        stops.push(client.call("run", json!({"wait": 60})));
    }
    let last = stops.pop().expect("a stop");
    client.call("step", json!({"times": 2}));
    let back = json!({"to_breakpoint": true});
    assert_eq!(client.call("back", back.clone())["at"], last["at"]);
    while let Some(before) = stops.pop() {
        let stop = client.call("back", back.clone());
        for field in ["at", "reason", "breakpoint", "event"] {
            assert_eq!(stop[field], before[field], "{field}");
        }
    }
    let stop = client.call("back", back);
    assert_eq!(
        (&stop["at"], &stop["reason"]),
        (&json!(0), &json!("beginning"))
    );
}

#[test]
fn a_finished_search_is_that_of_the_other_commands() {
    for algorithm in ALGORITHMS {
        let mut client = opening(algorithm);
        let stop = client.call("run", json!({"wait": 60}));
        assert_eq!(
            (&stop["state"], &stop["reason"]),
            (&json!("finished"), &json!("ended"))
        );
        let arguments = [same("search", algorithm), vec!["--json", "--threads", "1"]].concat();
        let mut whole = plyscope(&arguments).clean().json_lines().remove(0);
        let mut result = client.call("result", json!({}));
        for result in [&mut whole, &mut result] {
            result["time_ms"] = json!(0);
        }
        assert_eq!(result, whole, "{algorithm}");

        let arguments = [same("tree", algorithm), vec!["--threads", "1"]].concat();
        let json = [arguments.clone(), vec!["--format", "json"]].concat();
        let whole = plyscope(&json).clean();
        let written = client.call("export", json!({"format": "json"}));
        assert_eq!(written["text"], whole.out, "{algorithm}");
        let tree = &whole.json_lines()[0]["root"];
        let rows = client.call("rows", json!({}));
        let mut children = tree["children"].as_array().expect("rows").clone();
        let mut shown = rows["rows"].as_array().expect("rows").clone();
        for (child, row) in children.iter_mut().zip(&mut shown) {
            child.as_object_mut().expect("an object").remove("children");
            row.as_object_mut().expect("an object").remove("node");
        }
        assert_eq!(shown, children, "{algorithm}");
        for (name, figure) in client
            .call("node", json!({}))
            .as_object()
            .expect("an object")
        {
            if let Some(expected) = tree.get(name) {
                assert_eq!(figure, expected, "{algorithm}: {name}");
            }
        }
        for format in ["text", "dot", "svg", "html", "pgn"] {
            let other = [arguments.clone(), vec!["--format", format]].concat();
            let whole = plyscope(&other).clean().out;
            let written = client.call("export", json!({"format": format}));
            assert_eq!(written["text"], whole, "{algorithm} {format}");
        }
    }
}

#[test]
fn rows_are_sorted_filtered_and_cut() {
    let mut client = opening("mcts");
    client.call("run", json!({"wait": 60}));
    let all = client.call("rows", json!({"sort": "visits"}));
    let visits = |rows: &Value| -> Vec<u64> {
        let rows = rows["rows"].as_array().expect("rows").iter();
        rows.map(|row| row["visits"].as_u64().expect("visits"))
            .collect()
    };
    let every = visits(&all);
    assert!(every.is_sorted_by(|a, b| a >= b) && every.len() > 20);
    let many = client.call("rows", json!({"sort": "visits", "filter": "visits > 30"}));
    let expected: Vec<u64> = every.iter().copied().filter(|v| *v > 30).collect();
    assert_eq!(visits(&many), expected);
    assert_eq!(many["total"], expected.len());
    let part = client.call("rows", json!({"sort": "visits", "offset": 3, "count": 2}));
    assert_eq!(visits(&part), every[3..5]);
    assert_eq!(part["total"], every.len());
    // A move and its node are the same.
    let first = &all["rows"][0];
    let line = client.call("node", json!({"line": [first["move"]["san"]]}));
    assert_eq!(line["node"], first["node"]);
    let measure = json!({"text": format!("visits of \"{}\"", first["move"]["san"].as_str().expect("a move"))});
    assert_eq!(client.call("measure", measure)["value"], every[0] as f64);
    let claim = client.call(
        "measure",
        json!({"text": "visits > 10", "line": first["move"]["san"]}),
    );
    assert_eq!(claim["holds"], true);
}

#[test]
fn a_move_that_was_never_searched_is_explained() {
    let mut client = Client::start(&[]);
    client.call("open", json!({"file": TEXTBOOK}));
    client.call("start", json!({"depth": 2, "wait": 60}));
    let node = client.call("node", json!({"line": "B b2"}));
    assert_eq!(
        (&node["node"], &node["fate"]),
        (&Value::Null, &json!("sibling-cutoff"))
    );
    let why = client.call("explain", json!({"line": "B b2"}));
    assert_eq!(why["why"], node["why"]);
    assert!(
        why["why"].as_str().expect("a sentence").contains("b1"),
        "{why}"
    );
    let answer = client.call("why_not", json!({"line": "C"}));
    assert_eq!(answer["question"], "why not C");
    assert_eq!((&answer["place"], &answer["of"]), (&json!(3), &json!(3)));
}

/// Runs on, and returns where the search stops: the answer says so if that was soon, else a notice does.
fn told(client: &mut Client, run: Value, notice: &str) -> Value {
    let stop = client.call("run", run);
    match stop["state"] == "running" {
        true => client.notice(notice)["params"].take(),
        false => stop,
    }
}

#[test]
fn the_client_is_told_what_it_subscribed_to() {
    let mut client = Client::start(&["-a", "mcts"]);
    client.call("open", json!({}));
    client.call("subscribe", json!({"progress": 50, "events": true}));
    client.call("start", json!({"nodes": 3000, "paused": true}));
    client.call("step", json!({"times": 5}));
    let mut numbers = Vec::new();
    while numbers.len() < 5 {
        let events = client.notice("events")["params"]["events"].clone();
        let number = |event: &Value| event["n"].as_u64().expect("a number");
        numbers.extend(events.as_array().expect("events").iter().map(number));
    }
    assert_eq!(numbers, [1, 2, 3, 4, 5]);
    client.call("breakpoints", json!({"set": ["on best-change"]}));
    let stop = told(&mut client, json!({}), "stopped");
    assert_eq!(stop["breakpoint"], 1);
    client.call("subscribe", json!({"events": false}));
    let ended = told(&mut client, json!({"freely": true}), "ended");
    assert_eq!(ended["stopped_by"], "nodes");
    let progress = client.notice("progress");
    assert!(
        !progress["params"]["points"]
            .as_array()
            .expect("points")
            .is_empty()
    );
    let all = client.call("progress", json!({}));
    let points = all["points"].as_array().expect("points");
    let nodes = |point: &Value| point["nodes"].as_u64().expect("nodes");
    assert!(points.iter().map(nodes).is_sorted());
    let later = client.call("progress", json!({"after": 3}));
    assert_eq!(later["points"].as_array().expect("points")[..], points[3..]);
}

#[test]
fn calls_wait_for_those_before_them_but_not_for_ever() {
    let mut client = Client::start(&["-a", "mcts"]);
    client.call("open", json!({}));
    client.call("start", json!({}));
    let long = client.ask("wait", json!({"wait": 0.2}));
    let late = client.ask("node", json!({}));
    // This one is answered at once.
    let status = client.call("status", json!({}));
    assert_eq!(status["state"], "running");
    let stop = client.answer(long).expect("an answer");
    assert_eq!(
        (&stop["state"], &stop["reason"]),
        (&json!("running"), &Value::Null)
    );
    client.answer(late).expect("a node");
    let long = client.ask("wait", json!({"wait": 600}));
    let stop = client.ask("pause", json!({}));
    for id in [long, stop] {
        assert_eq!(client.answer(id).expect("a stop")["state"], "paused");
    }
    let step = client.call("step", json!({}));
    assert_eq!(step["reason"], "step");
}

#[test]
fn a_search_runs_to_a_number_of_nodes() {
    let mut client = opening("alpha-beta");
    client.call("breakpoints", json!({"set": ["on cutoff"]}));
    let stop = client.call("run", json!({"nodes": 500, "wait": 60}));
    assert_eq!(
        (&stop["state"], &stop["reason"]),
        (&json!("paused"), &json!("pause"))
    );
    let nodes = client.call("status", json!({}))["nodes"]
        .as_u64()
        .expect("nodes");
    assert!((500..1500).contains(&nodes), "{nodes}");
    let stop = client.call("run", json!({"wait": 60}));
    assert_eq!(stop["reason"], "breakpoint");
    let stop = client.call("run", json!({"freely": true, "wait": 60}));
    assert_eq!(stop["state"], "finished");
}

#[test]
fn several_sessions_are_kept_apart() {
    let mut client = Client::start(&[]);
    for (number, algorithm) in [(1, "alpha-beta"), (2, "mcts")] {
        assert_eq!(client.call("open", json!({}))["session"], number);
        client.call("start", json!({"algorithm": algorithm, "nodes": 1000}));
    }
    for (number, algorithm) in [(1, "alpha-beta"), (2, "mcts")] {
        client.call("wait", json!({"session": number}));
        let result = client.call("result", json!({"session": number}));
        assert_eq!(result["algorithm"], algorithm);
    }
    assert_eq!(
        client
            .call("sessions", json!({}))
            .as_array()
            .expect("two")
            .len(),
        2
    );
    client.call("start", json!({}));
    let waits = client.ask("wait", json!({}));
    let behind = client.ask("node", json!({}));
    let closed = client.ask("close", json!({}));
    for id in [waits, behind] {
        assert_eq!(client.answer(id).expect_err("gone")["code"], -32000);
    }
    client.answer(closed).expect("closed");
    assert_eq!(client.call("status", json!({}))["algorithm"], "alpha-beta");
    assert_eq!(client.refused("status", json!({"session": 2})).0, -32602);
}

/// Which event a search that ran freely has come to is known when it is paused, and not before.
#[test]
fn a_search_that_ran_freely_says_at_which_event_it_was_paused() {
    for algorithm in ["alpha-beta", "mcts"] {
        let mut client = Client::start(&["-a", algorithm]);
        client.call("open", json!({}));
        client.call("start", json!({"threads": 1}));
        assert_eq!(
            client.call("status", json!({}))["events"]["now"],
            Value::Null
        );
        let stop = client.call("pause", json!({"wait": 60}));
        assert_eq!(
            (&stop["state"], &stop["reason"]),
            (&json!("paused"), &json!("pause"))
        );
        let at = stop["at"].as_u64().expect("a number");
        assert!(at > 0, "{stop}");
        assert_eq!(client.call("status", json!({}))["events"]["now"], at);
        let next = client.call("step", json!({"wait": 60}));
        assert_eq!(
            (&next["at"], &next["event"]["n"]),
            (&json!(at + 1), &json!(at + 1))
        );
        // A script comes back to where it was.
        let back = client.call("go_to", json!({"event": at, "wait": 60}));
        assert_eq!((&back["at"], &back["event"]), (&json!(at), &stop["event"]));
    }
    let mut client = Client::start(&["-a", "alpha-beta"]);
    client.call("open", json!({}));
    client.call("start", json!({"threads": 2}));
    let stop = client.call("pause", json!({"wait": 60}));
    assert_eq!(
        (&stop["state"], &stop["at"]),
        (&json!("paused"), &Value::Null)
    );
}
