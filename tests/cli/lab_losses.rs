//! `plyscope lab losses`, as run by a user or a script.

use crate::cli_support;

use cli_support::{file, plyscope};
use serde_json::Value;

/// Runs the experiment on few nodes, with further arguments.
fn losses(further: &[&str]) -> cli_support::Run {
    let usual = [
        "lab",
        "losses",
        "--games",
        "1",
        "--nodes",
        "40,80",
        "--judge-nodes",
        "300",
        "--resamples",
        "50",
    ];
    plyscope(&[usual.as_slice(), further].concat())
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("{value}"))
}

#[test]
fn games_are_played_and_judged() {
    let run = losses(&["--threads", "1"]).clean();
    for part in [
        "Where does a search lose its games",
        "losses · 4 games · judge alpha-beta, 300 nodes · fall 0.1 · seed 1",
        "40 nodes a move",
        "80 nodes a move",
        "Mean fall of a move",
        "alpha-beta has no beliefs",
    ] {
        assert!(run.out.contains(part), "{part}\n{}", run.out);
    }
    run.harmless();
    let wide = run.out.lines().find(|line| line.chars().count() > 80);
    assert_eq!(wide, None);
    let again = losses(&["--threads", "2", "--ascii"]).clean();
    assert!(again.out.is_ascii(), "{}", again.out);
}

/// The object and the games say the same, at another number of threads too.
#[test]
fn the_object_adds_up_and_the_games_are_written() {
    let (one, other) = (file("losses.pgn", ""), file("losses-2.pgn", ""));
    let run = losses(&["--threads", "1", "--json", "--pgn", &one]).clean();
    let again = losses(&["--threads", "2", "--json", "--pgn", &other]).clean();
    assert_eq!(run.out, again.out);
    let read = |path: &str| std::fs::read_to_string(path).expect("a file");
    let games = read(&one);
    assert_eq!(games, read(&other));
    assert_eq!(games.matches("[Event ").count(), 4);
    let object = &run.json_lines()[0];
    assert_eq!(
        (
            &object["experiment"],
            &object["played"],
            &object["complete"]
        ),
        (&"losses".into(), &4.into(), &true.into())
    );
    let mut falls = 0;
    for budget in list(&object["budgets"]) {
        let [first, second] = &list(&budget["columns"])[..] else {
            panic!("{budget}");
        };
        assert_eq!(first["won"], second["lost"]);
        assert_eq!(first["all_games"]["own"], second["all_games"]["control"]);
        assert!(!first["beliefs"].is_null() && second["beliefs"].is_null());
        for column in [first, second] {
            let kinds = list(&column["all_games"]["own"]["kinds"]);
            let (all, kinds) = kinds.split_last().expect("kinds");
            let sum: f64 = kinds.iter().map(|kind| number(&kind["sum"])).sum();
            assert!((sum - number(&all["sum"])).abs() < 1e-9);
            let count = |kind: &Value| number(&kind["falls"]) as usize;
            falls += kinds.iter().map(count).sum::<usize>();
        }
    }
    assert_eq!(games.matches("fall").count(), falls, "{falls} falls");
}

#[test]
fn what_cannot_be_played_is_refused_in_one_line() {
    for (wrong, says) in [
        (&["-a", "distress"][..], "found 1 columns, expected two"),
        (&["-a", "mcts", "-a", "pn", "-a", "bpip"], "found 3 columns"),
        (&["-a", "stockfish", "-a", "mcts"], "-a stockfish: "),
        (&["-a", "mcts:fly=1", "-a", "mcts"], "-a mcts:fly=1: "),
        (&["--judge", "mcts"], "expected a depth-first algorithm"),
        (&["--judge", "minimax"], "--judge minimax: "),
        (&["--fall", "0"], "--fall"),
        (&["--fall", "2"], "--fall"),
        (&["--fall", "much"], "--fall"),
        (&["--nodes", "1k,many"], "--nodes"),
        (&["--nodes", "0"], "--nodes"),
        (&["--games", "0"], "--games"),
    ] {
        let run = plyscope(&[["lab", "losses"].as_slice(), wrong].concat());
        assert_eq!(run.status, 2, "{wrong:?}: {}", run.err);
        assert!(run.err.contains(says), "{wrong:?}: {}", run.err);
        run.harmless();
    }
}
