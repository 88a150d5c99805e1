//! `plyscope serve --dap`, as an editor uses it.

use serde_json::{Value, json};

use super::client::Client;
use crate::cli_support::{file, plyscope};

const TEXTBOOK: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/sample-positions/textbook.tree"
);

/// An editor with a running adapter.
struct Editor {
    client: Client,
    seq: u64,
    events: Vec<Value>,
}

impl Editor {
    fn new() -> Editor {
        Editor {
            client: Client::with_framing(&["--dap"], true),
            seq: 0,
            events: Vec::new(),
        }
    }

    /// An editor that has launched a search and may set breakpoints.
    fn launched(arguments: Value) -> Editor {
        let mut editor = Editor::new();
        let initialize = json!({"adapterID": "plyscope", "linesStartAt1": true});
        let able = editor.request("initialize", initialize);
        for what in [
            "supportsStepBack",
            "supportsFunctionBreakpoints",
            "supportsConfigurationDoneRequest",
        ] {
            assert_eq!(able[what], true, "{able}");
        }
        editor.request("launch", arguments);
        editor.event("initialized");
        editor
    }

    fn send(&mut self, command: &str, arguments: Value) -> u64 {
        self.seq += 1;
        let seq = self.seq;
        self.client.say(&json!({
            "seq": seq, "type": "request", "command": command, "arguments": arguments,
        }));
        seq
    }

    fn answer(&mut self, seq: u64) -> Result<Value, String> {
        loop {
            let mut message = self.client.hear();
            match message["type"].as_str() {
                Some("event") => self.events.push(message),
                Some("response") => {
                    assert_eq!(message["request_seq"], seq, "{message}");
                    let body = message.get_mut("body").map_or(Value::Null, Value::take);
                    return match message["success"].as_bool().expect("success") {
                        true => Ok(body),
                        false => Err(message["message"].as_str().expect("a message").to_owned()),
                    };
                }
                _ => panic!("{message}"),
            }
        }
    }

    fn try_request(&mut self, command: &str, arguments: Value) -> Result<Value, String> {
        let seq = self.send(command, arguments);
        self.answer(seq)
    }

    fn request(&mut self, command: &str, arguments: Value) -> Value {
        self.try_request(command, arguments)
            .unwrap_or_else(|why| panic!("{command}: {why}"))
    }

    /// Waits for an event, and returns its body.
    fn event(&mut self, name: &str) -> Value {
        let is_it = |event: &Value| event["event"] == name;
        loop {
            if let Some(at) = self.events.iter().position(is_it) {
                return self.events.remove(at)["body"].take();
            }
            let message = self.client.hear();
            assert_eq!(message["type"], "event", "{message}");
            self.events.push(message);
        }
    }

    /// Sends a request after which the search stops again; returns where.
    fn go(&mut self, command: &str) -> Value {
        self.request(command, json!({"threadId": 1}));
        let stopped = self.event("stopped");
        assert_eq!(
            (&stopped["threadId"], &stopped["allThreadsStopped"]),
            (&json!(1), &json!(true))
        );
        stopped
    }

    /// The names of the frames with their lines, innermost first.
    fn stack(&mut self) -> Vec<(String, u64)> {
        let stack = self.request("stackTrace", json!({"threadId": 1}));
        let frames = stack["stackFrames"].as_array().expect("frames").iter();
        let frame = |frame: &Value| {
            let name = frame["name"].as_str().expect("a name").to_owned();
            (name, frame["line"].as_u64().expect("a line"))
        };
        frames.map(frame).collect()
    }

    /// What is in a scope of the innermost frame.
    fn scope(&mut self, name: &str) -> Vec<Value> {
        let stack = self.request("stackTrace", json!({"threadId": 1, "levels": 1}));
        let frame = stack["stackFrames"][0]["id"].clone();
        let scopes = self.request("scopes", json!({"frameId": frame}));
        let scopes = scopes["scopes"].as_array().expect("scopes").clone();
        let scope = scopes.iter().find(|s| s["name"] == name).expect(name);
        self.open(&scope["variablesReference"])
    }

    fn open(&mut self, reference: &Value) -> Vec<Value> {
        let opened = self.request("variables", json!({"variablesReference": reference}));
        opened["variables"].as_array().expect("variables").clone()
    }

    fn disconnect(mut self) {
        self.request("disconnect", json!({}));
        assert_eq!(self.client.end().0, Some(0));
    }
}

/// The value of a variable.
fn value<'a>(variables: &'a [Value], name: &str) -> &'a str {
    let found = variables.iter().find(|v| v["name"] == name);
    found.expect(name)["value"].as_str().expect("a text")
}

fn breakpoints(lines: &[Value]) -> Value {
    json!({"source": {"path": TEXTBOOK}, "breakpoints": lines})
}

#[test]
fn a_toy_tree_is_stepped_through_line_by_line() {
    let mut editor = Editor::launched(json!({"program": TEXTBOOK, "depth": 2}));
    // b1, a comment, and a line that is not there.
    let lines = breakpoints(&[json!({"line": 11}), json!({"line": 2}), json!({"line": 99})]);
    let set = editor.request("setBreakpoints", lines);
    let verified = |set: &Value| -> Vec<bool> {
        let all = set["breakpoints"].as_array().expect("a list").iter();
        all.map(|b| b["verified"].as_bool().expect("verified"))
            .collect()
    };
    assert_eq!(verified(&set), [true, false, false]);
    let id = set["breakpoints"][0]["id"].clone();
    let named = json!({"breakpoints": [{"name": "on cutoff"}, {"name": "when visits >"}]});
    let set = editor.request("setFunctionBreakpoints", named);
    assert_eq!(verified(&set), [true, false]);
    let why = set["breakpoints"][1]["message"].as_str().expect("a reason");
    assert!(why.contains("column 14"), "{why}");
    editor.request("setExceptionBreakpoints", json!({"filters": []}));
    editor.request("configurationDone", json!({}));
    assert_eq!(editor.event("stopped")["reason"], "entry");
    assert_eq!(editor.stack(), [("root".to_owned(), 5)]);

    let stop = editor.go("continue");
    assert_eq!(
        (&stop["reason"], &stop["hitBreakpointIds"]),
        (&json!("breakpoint"), &json!([id]))
    );
    let expected = [("b1", 11), ("B", 10), ("root", 5)].map(|(n, l)| (n.to_owned(), l));
    assert_eq!(editor.stack(), expected);
    let stack = editor.request("stackTrace", json!({"threadId": 1}));
    assert_eq!(stack["stackFrames"][0]["source"]["path"], TEXTBOOK);
    let stop = editor.go("continue");
    assert_eq!(
        (&stop["reason"], &stop["description"]),
        (&json!("function breakpoint"), &json!("on cutoff"))
    );
    assert_eq!(
        stop["text"],
        "B: cut off after 1 of 3 moves: b1 scored −2, at least beta −3 (Min's view)."
    );
    assert_eq!(value(&editor.scope("Node"), "fate"), "beta-cutoff");
    assert!(value(&editor.scope("Why"), "why").contains("b1"));
    let moves = editor.scope("Moves");
    let names: Vec<&str> = moves
        .iter()
        .map(|m| m["name"].as_str().expect("a name"))
        .collect();
    assert_eq!(names, ["b1", "b2", "b3"]);
    let b2 = editor.open(&moves[1]["variablesReference"]);
    assert_eq!(value(&b2, "fate"), "sibling-cutoff");
    assert_eq!(value(&editor.scope("Search"), "state"), "paused");

    // Bare figures are those of the frame: B, where Min moves.
    for (expression, result) in [
        ("value of \"B b1\"", "2"),
        ("value", "-2"),
        ("value of \"B\" = -2", "true"),
        ("children = 3", "false"),
        ("b1", "+2 · 1 node · leaf"),
        ("A a2", "+12 · 1 node · leaf"),
    ] {
        let asked = json!({"expression": expression, "frameId": 2, "context": "repl"});
        let answer = editor.request("evaluate", asked);
        assert_eq!(answer["result"], result, "{expression}");
    }
    let wrong = json!({"expression": "moonlight", "context": "repl"});
    assert!(
        editor
            .try_request("evaluate", wrong)
            .expect_err("nonsense")
            .contains("column 1")
    );

    // Back to b1, and before everything.
    let stop = editor.go("reverseContinue");
    assert_eq!(stop["hitBreakpointIds"], json!([id]));
    assert_eq!(editor.stack()[0].0, "b1");
    assert_eq!(editor.go("reverseContinue")["reason"], "entry");
    editor.request("setBreakpoints", breakpoints(&[]));
    editor.request("setFunctionBreakpoints", json!({"breakpoints": []}));
    let stop = editor.go("continue");
    assert!(
        stop["description"]
            .as_str()
            .expect("why")
            .contains("has ended"),
        "{stop}"
    );
    editor.request("continue", json!({"threadId": 1}));
    editor.event("terminated");
    assert_eq!(editor.event("exited")["exitCode"], 0);
    editor.disconnect();
}

/// Steps go through the events of `plyscope trace`, and the text shown in place of a source has a line for each frame.
#[test]
fn a_game_is_stepped_through_event_by_event() {
    let arguments = ["-a", "distress", "--moves", "e4 e5", "--nodes", "1500"];
    let traced = plyscope(&[&["trace", "--memory", "64M"], &arguments[..]].concat()).clean();
    let traced = traced.json_lines();
    let launch = json!({"moves": "e4 e5", "algorithm": "distress", "nodes": 1500});
    let mut editor = Editor::launched(launch);
    editor.request("configurationDone", json!({}));
    editor.event("stopped");
    for event in &traced[..120] {
        assert_eq!(editor.go("stepIn")["text"], event["text"]);
        let line = event["line"].as_array().expect("a line");
        let frames = editor.stack();
        assert!(
            frames.len() == line.len() + 1 || event["kind"] == "prune",
            "{frames:?} {event}"
        );
    }
    for event in traced[..119].iter().rev().take(10) {
        assert_eq!(editor.go("stepBack")["text"], event["text"]);
    }
    let frames = editor.stack();
    let text = editor.request("source", json!({"sourceReference": 1}));
    let text = text["content"].as_str().expect("a text").to_owned();
    for (name, line) in frames {
        let shown = text.lines().nth(line as usize - 1).expect("a line");
        let name = name.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        assert!(shown.trim_start().starts_with(name), "{name}: {shown}");
    }
    let stack = editor.request("stackTrace", json!({"threadId": 1}));
    let root = stack["stackFrames"]
        .as_array()
        .expect("frames")
        .last()
        .expect("the root")["id"]
        .clone();
    let scopes = editor.request("scopes", json!({"frameId": root}));
    let scopes = scopes["scopes"].as_array().expect("scopes").clone();
    let of = |name: &str| {
        scopes.iter().find(|s| s["name"] == name).expect(name)["variablesReference"].clone()
    };
    assert_eq!(editor.open(&of("Moves")).len(), 29);
    let belief = editor.open(&of("Belief"));
    assert!(
        value(&belief, "sd").parse::<f64>().is_ok_and(|sd| sd > 0.0),
        "{belief:?}"
    );
    editor.disconnect();
}

#[test]
fn a_search_without_a_limit_is_paused_and_broken_into() {
    let mut editor = Editor::launched(json!({"algorithm": "mcts", "stopOnEntry": false}));
    editor.request("configurationDone", json!({}));
    let running = editor.try_request("stackTrace", json!({"threadId": 1}));
    assert!(running.expect_err("no stack").contains("is running"));
    let stop = editor.go("pause");
    assert_eq!(stop["reason"], "pause");
    // The pause may come before the first event, and a step back from that one leads to the entry.
    for command in ["stepIn", "stepIn", "stepBack"] {
        let stop = editor.go(command);
        assert_eq!(stop["reason"], "step");
        assert!(stop["text"].is_string(), "{stop}");
    }
    editor.request("continue", json!({"threadId": 1}));
    // One that is set while the search runs freely stops it, too.
    let named = json!({"breakpoints": [{"name": "on back-up", "condition": "visits > 10"}]});
    editor.request("setFunctionBreakpoints", named);
    assert_eq!(editor.event("stopped")["reason"], "function breakpoint");
    editor.request("terminate", json!({}));
    editor.event("terminated");
    editor.disconnect();
}

#[test]
fn events_and_values_are_breakpoints_too() {
    let mut editor = Editor::launched(json!({"file": TEXTBOOK, "depth": 2}));
    let events = editor.request(
        "setExceptionBreakpoints",
        json!({"filters": ["best-change", "moonlight"]}),
    );
    assert_eq!(events["breakpoints"][1]["verified"], false);
    editor.request("configurationDone", json!({}));
    editor.event("stopped");
    assert_eq!(editor.go("continue")["reason"], "exception");
    editor.request("setExceptionBreakpoints", json!({"filters": []}));
    editor.scope("Moves");
    let moves = (1..20).find_map(|reference| {
        let asked = json!({"variablesReference": reference, "name": "B"});
        let info = editor.request("dataBreakpointInfo", asked);
        info["dataId"].as_str().map(str::to_owned)
    });
    let data = moves.expect("a node to watch");
    let watched = json!({"breakpoints": [{"dataId": data}]});
    let set = editor.request("setDataBreakpoints", watched);
    assert_eq!(set["breakpoints"][0]["verified"], true, "{set}");
    let stop = editor.go("continue");
    assert_eq!(stop["reason"], "data breakpoint");
    // A line with a condition that never holds.
    editor.request("setDataBreakpoints", json!({"breakpoints": []}));
    let lines = breakpoints(&[json!({"line": 11, "condition": "visits > 100"})]);
    let set = editor.request("setBreakpoints", lines);
    assert_eq!(set["breakpoints"][0]["verified"], true, "{set}");
    let stop = editor.go("continue");
    assert!(
        stop["description"]
            .as_str()
            .expect("why")
            .contains("has ended"),
        "{stop}"
    );
    editor.disconnect();
}

#[test]
fn what_is_wrong_is_said_and_the_adapter_goes_on() {
    let mut editor = Editor::new();
    for (command, arguments, words) in [
        ("configurationDone", json!({}), "nothing is launched"),
        ("stepIn", json!({}), "nothing is searched"),
        ("attach", json!({}), "expected launch"),
        ("luanch", json!({}), "did you mean launch?"),
        ("launch", json!({"fen": "x"}), "fen:"),
        (
            "launch",
            json!({"program": "/no/such/file.tree"}),
            "/no/such/file.tree",
        ),
        ("launch", json!({"algorithm": "alpha"}), "unknown algorithm"),
        (
            "launch",
            json!({"stopOnEntry": "yes"}),
            "stopOnEntry: found",
        ),
    ] {
        let why = editor.try_request(command, arguments).expect_err(command);
        assert!(why.contains(words), "{command}: {why}");
    }
    editor.client.send(b"Content-Length: 5\r\n\r\nhello");
    let said = editor.event("output")["output"]
        .as_str()
        .expect("a text")
        .to_owned();
    assert!(said.contains("no JSON"), "{said}");
    editor.request(
        "launch",
        json!({"program": TEXTBOOK, "algoritm": "mcts", "name": "x", "depth": 1, "breakpoints": ["on moonlight"]}),
    );
    let said = editor.event("output")["output"]
        .as_str()
        .expect("a text")
        .to_owned();
    assert!(said.contains("did you mean algorithm?"), "{said}");
    let said = editor.event("output")["output"].clone();
    assert!(
        said.as_str()
            .expect("a text")
            .contains("breakpoints: column 4"),
        "{said}"
    );
    // The lines of another file are none.
    let other = file("other.tree", "max\nA 1\nB 2\n");
    let lines = json!({"source": {"path": other}, "breakpoints": [{"line": 2}]});
    let set = editor.request("setBreakpoints", lines);
    assert_eq!(set["breakpoints"][0]["verified"], false);
    editor.request("configurationDone", json!({}));
    editor.event("stopped");
    for (command, arguments) in [
        ("variables", json!({"variablesReference": 77})),
        ("scopes", json!({"frameId": 9})),
        ("evaluate", json!({})),
    ] {
        editor.try_request(command, arguments).expect_err(command);
    }
    assert_eq!(
        editor.request("threads", json!({}))["threads"]
            .as_array()
            .expect("one")
            .len(),
        1
    );
    // The editor goes away without a word.
    assert_eq!(editor.client.end().0, Some(0));
}

/// Emacs' dap-mode, a client that many use: breakpoint on a line, stack, variables, a watch, steps forwards and back, to the end.
#[test]
fn a_real_editor_drives_a_search() {
    let script = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/fixtures/editors/dap_mode.el"
    );
    let run = std::process::Command::new("emacs")
        .args(["--batch", "-Q", "-l", script])
        .args([env!("CARGO_BIN_EXE_plyscope"), TEXTBOOK])
        .output();
    let Ok(run) = run else {
        return println!("left out: emacs is not installed");
    };
    let (out, err) = (
        String::from_utf8_lossy(&run.stdout),
        String::from_utf8_lossy(&run.stderr),
    );
    if err.contains("dap-mode") && err.contains("Cannot open load file") {
        return println!("left out: Emacs has no dap-mode (elpa-dap-mode)");
    }
    let told: Vec<&str> = out.lines().collect();
    for line in [
        "launched: root, line 5, 1 frames",
        "continued: b1, line 11, 3 frames",
        "Node: 14 variables",
        "  move = b1",
        "  ply = 2",
        "  side = Max",
        "value of A: -3",
        "ended",
    ] {
        assert!(told.contains(&line), "{line}\n{out}\n{err}");
    }
    // Stepping back leads to where it was before.
    let at = |what: &str| {
        let found = told.iter().find_map(|line| line.strip_prefix(what));
        found.unwrap_or_else(|| panic!("{what}\n{out}\n{err}"))
    };
    assert_eq!(at("stepped back: "), at("stepped in: "));
    assert_eq!(at("stepped: "), at("stepped out: "));
    assert_eq!(at("reversed: "), at("continued: "));
    assert_eq!(at("at the end: "), "root, line 5, 1 frames");
}
