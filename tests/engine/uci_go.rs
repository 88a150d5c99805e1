//! Every form of `go`, with both families: one legal `bestmove` each, playable lines, and limits that are kept.

use crate::uci_support;

use algorithms::ALGORITHMS;
use game::Game;
use uci_support::Server;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const MATE_IN_TWO: &str = "7k/8/8/8/8/1R6/R7/K7 w - - 0 1";

#[test]
fn limits_of_every_kind() {
    for row in &ALGORITHMS {
        let mut server = Server::of(row.name);
        server.position(KIWIPETE, &[]);
        for go in [
            "go nodes 2000",
            "go depth 1",
            "go movetime 40",
            "go wtime 1000 btime 1000 winc 10 binc 10",
            "go wtime 800 btime 1 movestogo 2",
            "go wtime 1 btime 1",
            "go wtime -50 btime -50 winc 0",
            "go wtime 0 btime 0 movestogo 1",
            "go nodes 1",
            "go movetime 0",
            "go movetime 30 nodes 1000000 depth 90",
        ] {
            let answer = server.go(go);
            // Under a clock a search may end early, and then it says why.
            let strange = answer.remarks.iter().find(|r| !r.starts_with("why "));
            assert_eq!(strange, None, "{} {go}: {answer:?}", row.name);
        }
        assert!(server.is_ready());
        server.quit();
    }
}

#[test]
fn nodes_and_depth_are_kept() {
    let mut server = Server::of("alpha-beta");
    server.position(KIWIPETE, &[]);
    let answer = server.go("go depth 4");
    let depths: Vec<u32> = answer.infos.iter().map(|i| i.depth).collect();
    assert_eq!(depths, [1, 2, 3, 4]);
    assert!(answer.infos.is_sorted_by_key(|i| i.nodes));
    for algorithm in ["alpha-beta", "mcts", "distress"] {
        let mut server = Server::of(algorithm);
        server.position(KIWIPETE, &[]);
        let answer = server.go("go nodes 3000");
        assert!(answer.last().nodes <= 3000, "{algorithm}: {answer:?}");
        server.quit();
    }
    server.quit();
}

#[test]
fn stop_ends_what_has_no_end_also_at_once() {
    for row in &ALGORITHMS {
        let mut server = Server::of(row.name);
        server.position(KIWIPETE, &[]);
        for go in [
            "go infinite",
            "go",
            "go ponder wtime 100 btime 100",
            "go movetime 3600000",
        ] {
            server.send(go);
            server.go("stop");
            assert!(server.is_ready());
        }
        server.send("go infinite");
        server.hear_until("info depth 2");
        server.send("isready");
        server.hear_until("readyok");
        server.send("stop");
        server.hear_until("bestmove");
        server.quit();
    }
}

#[test]
fn a_search_that_has_nothing_left_waits_for_stop() {
    for algorithm in ["alpha-beta", "mcts"] {
        let mut server = Server::of(algorithm);
        server.position(MATE_IN_TWO, &[]);
        let answer = server.go("go movetime 2000000");
        assert_eq!(answer.last().score, "mate 2");
        // The whole mate can be played.
        assert_eq!(answer.last().line.len(), 3, "{algorithm}: {answer:?}");
        server.send("go infinite");
        loop {
            if server.hear().contains("score mate 2") {
                break;
            }
        }
        server.send("isready");
        let told = server.hear_until("readyok");
        assert!(told.iter().all(|l| !l.starts_with("bestmove")), "{told:?}");
        server.send("stop");
        server.hear_until("bestmove");
        server.quit();
    }
}

#[test]
fn a_mate_that_was_asked_for_ends_the_search() {
    for algorithm in ["alpha-beta", "mcts"] {
        let mut server = Server::of(algorithm);
        server.position("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", &[]);
        let answer = server.go("go mate 1");
        assert_eq!(
            (answer.best.as_str(), answer.last().score.as_str()),
            ("d1d8", "mate 1")
        );
        server.quit();
    }
}

#[test]
fn a_go_that_comes_in_a_search_answers_both() {
    let mut server = Server::of("prob-alpha-beta");
    server.send("go infinite");
    server.send("go nodes 100");
    server.answer();
    server.answer();
    assert!(server.is_ready());
    server.quit();
}

#[test]
fn only_the_moves_that_were_asked_for() {
    for row in &ALGORITHMS {
        let mut server = Server::of(row.name);
        for go in [
            "go nodes 800 searchmoves a2a3 h2h4",
            "go searchmoves a2a3 h2h4 depth 2",
        ] {
            let answer = server.go(go);
            for info in &answer.infos {
                assert!(
                    ["a2a3", "h2h4"].contains(&info.line[0].as_str()),
                    "{info:?}"
                );
            }
            assert!(["a2a3", "h2h4"].contains(&answer.best.as_str()));
        }
        assert_eq!(server.go("go nodes 200 searchmoves a2a4").best, "a2a4");
        let answer = server.go("go nodes 200 searchmoves e2e5 b1c3");
        assert_eq!(answer.best, "b1c3");
        assert_eq!(answer.remarks.len(), 1, "{answer:?}");
        server.quit();
    }
}

#[test]
fn as_many_lines_as_wanted() {
    for row in &ALGORITHMS {
        let mut server = Server::of(row.name);
        server.position(KIWIPETE, &[]);
        server.send("setoption name MultiPV value 4");
        let answer = server.go("go nodes 6000");
        let last: Vec<_> = answer.infos.iter().rev().take(4).rev().collect();
        let ranks: Vec<u32> = last.iter().map(|i| i.rank).collect();
        assert_eq!(ranks, [1, 2, 3, 4], "{}: {answer:?}", row.name);
        let mut moves: Vec<&String> = last.iter().map(|i| &i.line[0]).collect();
        moves.sort();
        moves.dedup();
        assert_eq!(moves.len(), 4);
        server.quit();
    }
}

#[test]
fn the_table_lives_through_a_game_and_no_longer() {
    let mut server = Server::of("alpha-beta");
    let mut nodes = |before: &str| {
        server.send(before);
        server.position(KIWIPETE, &[]);
        server.go("go depth 4").last().nodes
    };
    let fresh = nodes("ucinewgame");
    assert!(nodes("debug off") < fresh);
    assert_eq!(nodes("setoption name Clear Hash"), fresh);
    assert_eq!(nodes("ucinewgame"), fresh);
}

#[test]
fn a_recorded_tree_changes_nothing_that_is_found() {
    for algorithm in ["alpha-beta", "prob-alpha-beta"] {
        let mut server = Server::of(algorithm);
        server.position(KIWIPETE, &[]);
        let without = server.go("go depth 4");
        server.send("ucinewgame");
        server.send("setoption name Tree value true");
        let with = server.go("go depth 4");
        let told =
            |a: &uci_support::Answer| (a.last().nodes, a.last().score.clone(), a.best.clone());
        assert_eq!(told(&with), told(&without));
        assert!(with.last().line.len() >= 3, "{with:?}");
        assert!(without.last().line.len() >= 3, "{without:?}");
        server.quit();
    }
}

/// Two servers playing by the clock, each keeping its own tables and memory: no illegal move, no missing answer.
#[test]
fn a_game_between_the_families() {
    let mut servers = [Server::of("alpha-beta"), Server::of("mcts")];
    let mut moves: Vec<String> = Vec::new();
    for server in &mut servers {
        server.send("ucinewgame");
    }
    for ply in 0..40 {
        let server = &mut servers[ply % 2];
        let played: Vec<&str> = moves.iter().map(String::as_str).collect();
        server.position("startpos", &played);
        let position = &server.situation.position;
        if position
            .ending(!position.legal_moves().is_empty())
            .is_some()
        {
            break;
        }
        moves.push(server.go("go wtime 1000 btime 1000 winc 10 binc 10").best);
    }
    assert!(moves.len() > 8, "{moves:?}");
    for server in servers {
        server.quit();
    }
}
