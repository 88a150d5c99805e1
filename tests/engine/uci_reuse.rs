//! A game through UCI: MCTS keeps its tree between moves, and stops when its move is settled.

use crate::uci_support;

use uci_support::{Answer, Server};

fn kept(answer: &Answer) -> Option<&String> {
    answer.remarks.iter().find(|r| r.starts_with("tree kept: "))
}

/// Makes it search the position after these moves from the start.
fn go(server: &mut Server, moves: &[&str], go: &str) -> Answer {
    server.position("startpos", moves);
    server.go(go)
}

#[test]
fn the_tree_is_kept_while_the_game_goes_on() {
    let mut server = Server::of("mcts");
    let first = go(&mut server, &[], "go nodes 20000");
    assert_eq!(kept(&first), None);
    // The reply that it expects.
    let line = first.last().line.clone();
    let moves = [line[0].as_str(), line[1].as_str()];
    let second = go(&mut server, &moves, "go nodes 3000");
    let words = kept(&second).expect("a tree that was kept");
    assert!(words.contains(" visits"), "{words}");
    // Only new nodes are counted, as the limit requires.
    assert!(second.last().nodes <= 3000);
    // The same position again: the answer does not depend on what was asked before.
    let again = go(&mut server, &moves, "go nodes 3000");
    assert_eq!(kept(&again), None);
    // The game takes a path that it has not looked at.
    let odd = go(
        &mut server,
        &["a2a3", "h7h5", "a3a4", "h5h4"],
        "go nodes 2000",
    );
    assert_eq!(kept(&odd), None);
    server.quit();
}

#[test]
fn what_drops_the_tree() {
    for command in [
        "ucinewgame",
        "setoption name Clear Hash",
        "setoption name fpu value 0.3",
        "setoption name tree-reuse value false",
        "setoption name Algorithm value alpha-beta",
        "setoption name Tree Memory value 17",
    ] {
        let mut server = Server::of("mcts");
        let first = go(&mut server, &[], "go nodes 5000");
        server.send(command);
        let moves = [first.best.as_str()];
        let second = go(&mut server, &moves, "go nodes 500");
        assert_eq!(kept(&second), None, "{command}");
        server.quit();
    }
    let mut server = Server::of("mcts");
    let first = go(&mut server, &[], "go nodes 5000");
    server.send("setoption name Move Overhead value 20");
    let second = go(&mut server, &[first.best.as_str()], "go nodes 500");
    assert!(kept(&second).is_some());
    server.quit();
}

#[test]
fn searchmoves_hold_on_a_tree_that_was_kept() {
    let mut server = Server::of("mcts");
    let first = go(&mut server, &[], "go nodes 20000");
    let moves = [first.best.as_str()];
    let second = go(&mut server, &moves, "go nodes 2000 searchmoves a7a6");
    assert!(kept(&second).is_some());
    assert_eq!(second.best, "a7a6");
    server.quit();
}

#[test]
fn by_a_clock_an_only_move_is_played_at_once_and_says_so() {
    const ONLY_MOVE: &str = "k7/8/1K6/8/8/8/8/7R b - - 0 1";
    let why = |go: &str, word: &str| {
        let mut server = Server::of("mcts");
        server.send(&format!("setoption name smart-stopping value {word}"));
        server.position(ONLY_MOVE, &[]);
        let answer = server.go(go);
        assert_eq!(answer.best, "a8b8");
        server.quit();
        let why = answer.remarks.into_iter().find(|r| r.starts_with("why "));
        why.unwrap_or_default()
    };
    assert_eq!(
        why("go movetime 3600000", "timed"),
        "why no longer: only Kb8 may be played"
    );
    assert_eq!(why("go nodes 30", "timed"), "");
    assert_eq!(
        why("go nodes 30000", "on"),
        "why no longer: only Kb8 may be played"
    );
    assert_eq!(why("go wtime 200 btime 200 nodes 30", "off"), "");
}
