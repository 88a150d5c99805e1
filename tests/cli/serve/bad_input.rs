//! What a server does with messages that are not in order, and how it ends.

use serde_json::{Value, json};

use super::client::Client;

#[test]
fn a_broken_message_is_answered_and_the_server_goes_on() {
    let mut client = Client::start(&[]);
    let deep = "[".repeat(100_000);
    for (message, code) in [
        ("hello", -32700),
        ("{\"jsonrpc\":", -32700),
        ("\u{1}\u{2}", -32700),
        (deep.as_str(), -32700),
        ("5", -32600),
        ("[]", -32600),
        ("{}", -32600),
        ("{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"open\"}", -32600),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"open\"}",
            -32600,
        ),
        ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":5}", -32600),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"open\",\"params\":[1]}",
            -32602,
        ),
        ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"opne\"}", -32601),
    ] {
        client.send(format!("{message}\n").as_bytes());
        let answer = client.hear();
        assert_eq!(answer["error"]["code"], code, "{message:.60}: {answer}");
    }
    client.send(b"\xff\xfe\n");
    assert_eq!(client.hear()["error"]["code"], -32700);
    assert_eq!(client.call("sessions", json!({})), json!([]));
}

#[test]
fn a_wrong_parameter_says_what_was_expected() {
    let mut client = Client::start(&[]);
    client.call("open", json!({}));
    for (method, parameters, words) in [
        ("open", json!({"fne": "x"}), "did you mean fen?"),
        ("open", json!({"fen": 5}), "fen: found 5, expected a text"),
        ("open", json!({"fen": "x"}), "fen:"),
        (
            "open",
            json!({"fen": "x", "text": "y"}),
            "fen and text, expected one",
        ),
        (
            "open",
            json!({"file": "/no/such/file.pgn"}),
            "/no/such/file.pgn",
        ),
        (
            "open",
            json!({"text": "1. e4 e5 *", "game": 2}),
            "expected a game number 2",
        ),
        (
            "open",
            json!({"text": "1. e4 e5 *", "ply": 3}),
            "2 half-moves",
        ),
        ("open", json!({"ply": 3}), "ply alone"),
        ("open", json!({"moves": "e5"}), "moves"),
        ("start", json!({"algorithm": "alpha"}), "unknown algorithm"),
        (
            "start",
            json!({"options": {"futilty": false}}),
            "did you mean futility?",
        ),
        (
            "start",
            json!({"options": {"futility": []}}),
            "options: found an object",
        ),
        ("start", json!({"nodes": 0}), "from 1 on"),
        ("start", json!({"nodes": "many"}), "nodes: found"),
        (
            "start",
            json!({"time": 500}),
            "time: found 500, expected a duration",
        ),
        ("start", json!({"memory": "little"}), "memory: found"),
        ("start", json!({"threads": 0}), "from 1 to 256"),
        ("start", json!({"wait": -1}), "wait: found -1"),
        (
            "status",
            json!({"session": 7}),
            "session: found 7, expected one of 1",
        ),
        ("subscribe", json!({"progress": 1e9}), "progress:"),
    ] {
        let (code, why) = client.refused(method, parameters.clone());
        assert_eq!(code, -32602, "{method} {parameters}: {why}");
        assert!(why.contains(words), "{method} {parameters}: {why}");
    }
    for method in ["status", "run", "step", "node", "rows", "result", "events"] {
        let (code, why) = client.refused(method, json!({}));
        assert_eq!(code, -32000, "{method}: {why}");
    }
    client.call("start", json!({"depth": 1, "wait": 60}));
    for (method, parameters, words) in [
        (
            "node",
            json!({"node": 4_000_000_000_u32}),
            "node: found 4000000000",
        ),
        ("node", json!({"line": "e5"}), "line:"),
        ("node", json!({"line": "e4", "node": 1}), "one of them"),
        (
            "rows",
            json!({"sort": "size"}),
            "expected one of: preference",
        ),
        ("rows", json!({"filter": "visits >"}), "filter: column"),
        (
            "events",
            json!({"filter": "on moonlight"}),
            "filter: column",
        ),
        ("measure", json!({"text": "moonlight"}), "text: column"),
        ("measure", json!({}), "text: found nothing"),
        ("why_not", json!({}), "the root, expected a move"),
        ("export", json!({"format": "png"}), "format: found"),
        ("exclude", json!({"moves": ["e5"]}), "expected"),
        ("follow", json!({"moves": "e5"}), "expected"),
        ("step", json!({"kind": "sideways"}), "kind: found"),
        (
            "back",
            json!({"events": 1, "to_breakpoint": true}),
            "one of them",
        ),
        ("go_to", json!({}), "event: found nothing"),
    ] {
        let (code, why) = client.refused(method, parameters.clone());
        assert_eq!(code, -32602, "{method} {parameters}: {why}");
        assert!(why.contains(words), "{method} {parameters}: {why}");
    }
    // What a file says wrong is told with its place.
    let id = client.ask("open", json!({"text": "max\nA\n  a1 three\n"}));
    let error = client.answer(id).expect_err("no number");
    assert_eq!(
        (&error["data"]["line"], &error["data"]["column"]),
        (&json!(3), &json!(6))
    );
}

#[test]
fn batches_and_notifications() {
    let mut client = Client::start(&[]);
    client.say(&json!([
        {"jsonrpc": "2.0", "method": "open"},
        {"jsonrpc": "2.0", "id": "a", "method": "start", "params": {"nodes": 100, "wait": 60}},
        {"jsonrpc": "2.0", "id": null, "method": "nothing"},
        {"jsonrpc": "2.0", "id": "b", "method": "node"},
        7
    ]));
    let answers = client.hear();
    let of = |id: Value| {
        let list = answers.as_array().expect("a list");
        list.iter()
            .find(|a| a["id"] == id)
            .expect("an answer")
            .clone()
    };
    assert_eq!(answers.as_array().expect("a list").len(), 4);
    assert_eq!(of(json!("a"))["result"]["state"], "finished");
    // The node is read after the search has ended.
    assert!(of(json!("b"))["result"]["nodes"].as_u64() > Some(10));
    // Nothing is said about notifications, even wrong ones.
    client.say(&json!([{"jsonrpc": "2.0", "method": "open"}]));
    client.say(&json!({"jsonrpc": "2.0", "method": "nothing"}));
    assert_eq!(
        client
            .call("sessions", json!({}))
            .as_array()
            .expect("two")
            .len(),
        2
    );
}

#[test]
fn headers_are_answered_with_headers() {
    let mut client = Client::with_framing(&[], true);
    assert_eq!(client.call("open", json!({"moves": "e4"}))["session"], 1);
    client.send(b"Content-Type: text\r\n\r\n");
    assert_eq!(client.hear()["error"]["code"], -32700);
    assert_eq!(
        client
            .call("sessions", json!({}))
            .as_array()
            .expect("one")
            .len(),
        1
    );
}

/// Whatever comes, an answer follows, and the server can still be used.
#[test]
fn random_messages_do_no_harm() {
    let mut client = Client::start(&[]);
    client.call("open", json!({}));
    client.call(
        "start",
        json!({"algorithm": "mcts", "nodes": 500, "wait": 60}),
    );
    let methods = client.call("methods", json!({}));
    let methods = methods.as_array().expect("methods").clone();
    let values = [
        json!(null),
        json!(true),
        json!(-1),
        json!(0),
        json!(1),
        json!(1e300),
        json!(18_446_744_073_709_551_615_u64),
        json!(""),
        json!("e4"),
        json!("\u{0}\u{202e}"),
        json!([]),
        json!(["e4", 5]),
        json!({}),
        json!({"a": [1]}),
    ];
    let mut random = 1_u64;
    let mut next = |below: usize| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % below
    };
    for _ in 0..600 {
        let method = &methods[next(methods.len())];
        let name = method["name"].as_str().expect("a name");
        if ["shutdown", "close"].contains(&name) {
            continue;
        }
        let mut parameters = serde_json::Map::new();
        for known in method["parameters"].as_array().expect("parameters") {
            // Searches stay small, and nothing is written.
            let known = known[0].as_str().expect("a name");
            let skipped = ["threads", "wait", "file", "nodes", "memory", "times"].contains(&known);
            if !skipped && next(3) == 0 {
                parameters.insert(known.into(), values[next(values.len())].clone());
            }
        }
        // A search that was told to look at one node more has no limit any more.
        let mut known = method["parameters"].as_array().expect("parameters").iter();
        if known.any(|known| known[0] == "wait") {
            parameters.insert("wait".into(), json!(0.1));
        }
        if let Some(limit) = ["start", "search_more"].contains(&name).then_some(300) {
            parameters.insert("nodes".into(), json!(limit));
        }
        let id = client.ask(name, Value::Object(parameters));
        // A refusal is an answer too.
        let _ = client.answer(id);
    }
    client.call("open", json!({}));
    assert_eq!(
        client.call("start", json!({"depth": 1, "wait": 60}))["state"],
        "finished"
    );
    client.call("shutdown", json!({}));
    assert_eq!(client.end().0, Some(0));
}

#[test]
fn the_end_of_the_input_ends_everything() {
    let mut client = Client::start(&["-a", "mcts"]);
    client.call("open", json!({}));
    client.call("start", json!({}));
    let (status, rest) = client.end();
    assert_eq!((status, rest), (Some(0), Vec::new()));
    // What was asked before is still answered.
    let mut client = Client::start(&["-a", "mcts"]);
    client.ask("open", json!({}));
    client.ask("start", json!({"nodes": 500, "wait": 60}));
    client.ask("result", json!({}));
    let (status, rest) = client.end();
    assert_eq!(status, Some(0));
    assert_eq!(rest.last().expect("answers")["result"]["nodes"], 500);
}

#[test]
fn a_client_that_goes_away_ends_the_server_quietly() {
    let mut client = Client::start(&["-a", "mcts"]);
    client.call("open", json!({}));
    client.call("subscribe", json!({"progress": 100}));
    client.call("start", json!({}));
    assert_eq!(client.turn_away(), Some(0));
}

#[test]
fn shutdown_is_answered() {
    let mut client = Client::start(&[]);
    client.call("open", json!({}));
    client.call("start", json!({}));
    let waits = client.ask("wait", json!({}));
    assert_eq!(client.call("shutdown", json!({})), Value::Null);
    let _ = waits;
    let (status, _) = client.end();
    assert_eq!(status, Some(0));
}
