//! Changing what is searched: moves taken out, one node searched more, the game followed, a leaf opened.

use serde_json::{Value, json};

use super::client::Client;

fn started(arguments: &[&str], start: Value) -> Client {
    let mut client = Client::start(arguments);
    client.call("open", json!({"moves": "e4 e5"}));
    client.call("start", start);
    client
}

#[test]
fn a_move_that_was_taken_out_is_not_played() {
    let start = json!({"algorithm": "mcts", "nodes": 4000, "paused": true});
    let mut client = started(&[], start);
    client.call("step", json!({"times": 500}));
    let best = client.call("node", json!({}))["best"]["san"].clone();
    let stop = client.call("exclude", json!({"moves": [best]}));
    assert_eq!(stop["state"], "paused");
    client.call("run", json!({"wait": 60}));
    let after = client.call("result", json!({}));
    assert_ne!(after["best"]["san"], best);
    let row = client.call("node", json!({"line": best}));
    assert!(row["visits"].as_u64() < Some(500), "{row}");
}

#[test]
fn one_node_is_searched_more() {
    let mut client = started(&["-a", "mcts"], json!({"nodes": 2000, "wait": 60}));
    let visits =
        |client: &mut Client| client.call("node", json!({"line": "a3"}))["visits"].as_u64();
    let before = visits(&mut client).expect("visits");
    let stop = client.call("search_more", json!({"line": "a3", "nodes": 500}));
    assert_ne!(stop["state"], "running");
    let after = visits(&mut client).expect("visits");
    assert!(after > before + 100, "{before} {after}");
}

#[test]
fn the_game_is_followed_with_what_the_tree_knows() {
    let mut client = started(&["-a", "mcts"], json!({"nodes": 3000, "wait": 60}));
    let best = client.call("node", json!({}))["best"]["san"].clone();
    let followed = client.call("follow", json!({"moves": [best], "paused": true}));
    assert!(followed["kept"].is_string(), "{followed}");
    let stop = client.call("wait", json!({}));
    assert_eq!(stop["state"], "paused");
    let root = client.call("node", json!({}));
    assert_eq!(root["fen"], followed["fen"]);
    assert!(root["visits"].as_u64() > Some(10), "{root}");
}

#[test]
fn the_search_of_a_leaf_is_a_session() {
    let mut client = started(&["-a", "distress"], json!({"nodes": 1500, "wait": 60}));
    let leaf = client.call("leaf", json!({"line": "a3"}));
    assert_eq!(leaf["session"], 2);
    let step = client.call("step", json!({}));
    assert_eq!(step["event"]["kind"], "ask");
    assert_eq!(step["event"]["line"][0], "a3");
    assert_eq!(client.refused("exclude", json!({"moves": []})).0, -32000);
    assert_eq!(client.refused("leaf", json!({"line": "a3"})).0, -32000);
}

/// A search goes on from a file as if nothing had happened.
#[test]
fn a_search_is_saved_and_restored() {
    for algorithm in ["alpha-beta", "mcts"] {
        let start = json!({"algorithm": algorithm, "nodes": 1500, "paused": true});
        let mut client = started(&[], start);
        let stop = client.call("step", json!({"times": 200}));
        let at = json!({"node": stop["event"]["node"]});
        let before = (
            client.call("node", at.clone()),
            client.call("rows", json!({})),
        );
        let file = crate::cli_support::file(&format!("served-{algorithm}.plyscope"), "");
        client.call("save", json!({"file": file}));
        let next = client.call("step", json!({}));

        let mut other = Client::start(&[]);
        let opened = other.call("restore", json!({"file": file}));
        assert_eq!(opened[0]["session"], 1, "{opened}");
        let after = (other.call("node", at), other.call("rows", json!({})));
        assert_eq!(after, before, "{algorithm}");
        assert_eq!(
            other.call("step", json!({}))["event"],
            next["event"],
            "{algorithm}"
        );
        assert_eq!(other.call("back", json!({}))["at"], 200, "{algorithm}");
    }
    let mut client = started(&["-a", "mcts"], json!({}));
    let (code, why) = client.refused("save", json!({"file": "x.plyscope"}));
    assert_eq!((code, why.contains("is running")), (-32000, true), "{why}");
    let none = crate::cli_support::file("none.plyscope", "something else");
    let (code, why) = client.refused("restore", json!({"file": none}));
    assert_eq!(code, -32602);
    assert!(why.contains("found no saved session"), "{why}");
}

/// Another program's search is read from its file, and from the file again that a saved search names.
#[test]
fn another_programs_search_is_stepped_through_saved_and_restored() {
    let trace = "tests/fixtures/open_trace/toy_alpha_beta.plytrace";
    let trace = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(trace);
    let mut client = Client::start(&[]);
    client.call("open", json!({"file": trace}));
    client.call("start", json!({"paused": true}));
    client.call("breakpoints", json!({"set": ["on futility"]}));
    let stop = client.call("run", json!({"wait": 60}));
    assert_eq!(stop["reason"], "breakpoint", "{stop}");
    let before = client.call("rows", json!({}));
    let file = crate::cli_support::file("served-trace.plyscope", "");
    client.call("save", json!({"file": file}));
    let (code, why) = client.refused("start", json!({"algorithm": "alpha-beta"}));
    assert_eq!(
        (code, why.contains("does not know this game")),
        (-32602, true),
        "{why}"
    );

    let mut other = Client::start(&[]);
    other.call("restore", json!({"file": file}));
    let there = other.call("wait", json!({}));
    assert_eq!(
        (&there["state"], &there["at"]),
        (&json!("paused"), &stop["at"])
    );
    assert_eq!(other.call("rows", json!({})), before);
    assert_eq!(
        other.call("step", json!({}))["event"],
        client.call("step", json!({}))["event"]
    );
}

#[test]
fn a_tree_is_written_to_a_file() {
    let mut client = started(&[], json!({"depth": 3, "wait": 60}));
    let file = crate::cli_support::file("served.svg", "before");
    let written = client.call("export", json!({"format": "svg", "file": file}));
    let text = std::fs::read_to_string(&file).expect("the file");
    assert_eq!(written["bytes"], text.len());
    assert!(text.starts_with("<svg"), "{text}");
    let (code, why) = client.refused(
        "export",
        json!({"format": "svg", "file": "/no/such/folder/x"}),
    );
    assert_eq!(code, -32000);
    assert!(why.contains("/no/such/folder/x"), "{why}");
    let (code, _) = client.refused("export", json!({"format": "proof"}));
    assert_eq!(code, -32000);
}
