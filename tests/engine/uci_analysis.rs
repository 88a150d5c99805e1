//! What programs for analysis ask for: several lines, final counts, shares of won and lost, statistics of the moves,
//! pondering, and answers without a search.

use crate::uci_support;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use algorithms::ALGORITHMS;
use uci_support::Server;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Programs that show several lines wait until all are there and skip those that are bounds.
#[test]
fn every_report_has_all_lines_with_exact_scores() {
    for row in &ALGORITHMS {
        let mut server = Server::of(row.name);
        server.position(KIWIPETE, &[]);
        server.send("setoption name MultiPV value 4");
        let answer = server.go("go nodes 20000");
        let scores: Vec<&String> = answer.infos.iter().map(|i| &i.score).collect();
        assert!(
            scores.iter().all(|s| !s.contains("bound")),
            "{}: {scores:?}",
            row.name
        );
        let ranks: Vec<u32> = answer.infos.iter().map(|i| i.rank).collect();
        let reports: Vec<&[u32]> = ranks.split(|rank| *rank == 1).skip(1).collect();
        // The first reports of a best-first search may know fewer moves.
        let whole = reports.iter().filter(|r| **r == [2, 3, 4]).count();
        assert!(
            reports.last() == Some(&&[2, 3, 4][..]),
            "{}: {ranks:?}",
            row.name
        );
        if matches!(row.name, "alpha-beta" | "prob-alpha-beta" | "uniform") {
            assert_eq!(
                whole,
                ranks.iter().filter(|r| **r == 1).count(),
                "{}: {ranks:?}",
                row.name
            );
        }
        server.quit();
    }
}

#[test]
fn no_more_lines_than_moves() {
    let mut server = Server::of("alpha-beta");
    server.position("7k/8/8/8/8/8/6PP/7K w - - 0 1", &[]);
    server.send("setoption name MultiPV value 200");
    let answer = server.go("go depth 6");
    let most = answer.infos.iter().map(|i| i.rank).max();
    assert_eq!(most, Some(5), "{answer:?}");
    server.quit();
}

#[test]
fn the_last_report_has_the_final_counts() {
    for algorithm in [
        "alpha-beta",
        "prob-alpha-beta",
        "uniform",
        "mcts",
        "distress",
        "bpip",
    ] {
        let mut server = Server::of(algorithm);
        server.position(KIWIPETE, &[]);
        let answer = server.go("go nodes 20000");
        let told = answer.last().nodes;
        assert!((19_900..=20_000).contains(&told), "{algorithm}: {told}");
        server.quit();
    }
}

#[test]
fn shares_of_won_drawn_and_lost_where_the_search_knows_them() {
    for (algorithm, knows) in [
        ("alpha-beta", true),
        ("distress", true),
        ("prob-alpha-beta", true),
        ("mcts", false),
    ] {
        let mut server = Server::of(algorithm);
        server.position(KIWIPETE, &[]);
        server.send("setoption name UCI_ShowWDL value true");
        server.send("go nodes 5000");
        let lines = server.hear_until("bestmove");
        let shares = lines.iter().filter_map(|line| line.split_once(" wdl "));
        let shares: Vec<Vec<u32>> = shares
            .map(|(_, rest)| {
                rest.split(' ')
                    .take(3)
                    .map(|w| w.parse().expect("a number"))
                    .collect()
            })
            .collect();
        assert_eq!(!shares.is_empty(), knows, "{algorithm}: {lines:?}");
        assert!(
            shares.iter().all(|s| s.iter().sum::<u32>() == 1000),
            "{shares:?}"
        );
        server.quit();
    }
}

/// What a program such as Nibbler reads of such a line: after `string` the move, then each number after its token; what is
/// no number is missing.
fn read_as_programs_do(line: &str) -> (String, BTreeMap<&'static str, f64>) {
    const TOKENS: [&str; 8] = ["N:", "(D:", "(U:", "(S:", "(P:", "(Q:", "(V:", "(M:"];
    let words: Vec<&str> = line.split_whitespace().collect();
    let after = |token: &str| {
        let at = words.iter().position(|word| *word == token)?;
        words.get(at + 1).copied()
    };
    let name = after("string").expect("a name").to_owned();
    let numbers = TOKENS.into_iter().filter_map(|token| {
        let text = after(token)?.trim_end_matches([')', '%']);
        Some((token, text.parse().ok()?))
    });
    (name, numbers.collect())
}

#[test]
fn statistics_of_the_moves_are_read_as_those_of_lc0() {
    for (algorithm, tokens) in [
        ("mcts", vec!["N:", "(P:", "(Q:", "(U:"]),
        ("distress", vec!["N:", "(Q:", "(U:", "(S:", "(D:"]),
        ("alpha-beta", vec!["N:", "(Q:"]),
    ] {
        let mut server = Server::of(algorithm);
        server.send("setoption name VerboseMoveStats value true");
        server.send("go nodes 10000");
        let lines = server.hear_until("bestmove");
        let lines = lines.iter().filter(|l| l.starts_with("info string "));
        let read: Vec<_> = lines.map(|l| read_as_programs_do(l)).collect();
        assert_eq!(read.len(), 21, "{algorithm}");
        let (last, root) = read.last().expect("the root");
        assert_eq!(last, "node");
        assert!(root["N:"] >= 400.0, "{algorithm}: {root:?}");
        // The best move comes last.
        let (_, best) = &read[19];
        for token in tokens {
            assert!(best.contains_key(token), "{algorithm} {token}: {best:?}");
        }
        assert!(best["(Q:"].abs() <= 1.0 && best["N:"] > 0.0);
        if let Some(prior) = best.get("(P:") {
            let sum: f64 = read[..20].iter().map(|(_, n)| n["(P:"]).sum();
            assert!(
                (99.0..101.0).contains(&sum) && *prior > 0.0,
                "{algorithm}: {sum}"
            );
        }
        server.quit();
    }
}

#[test]
fn live_statistics_come_with_each_report() {
    let mut server = Server::of("mcts");
    server.send("setoption name LogLiveStats value true");
    server.send("go nodes 4000");
    let lines = server.hear_until("bestmove");
    let count = |begin: &str| lines.iter().filter(|l| l.starts_with(begin)).count();
    let reports = count("info depth ");
    assert!(
        reports > 3 && count("info string node ") >= reports,
        "{lines:?}"
    );
    server.quit();
}

#[test]
fn pondering_waits_for_the_move_and_then_keeps_its_clock() {
    for algorithm in ["alpha-beta", "mcts", "distress"] {
        let mut server = Server::of(algorithm);
        server.position(KIWIPETE, &[]);
        server.send("go ponder wtime 2000 btime 2000 winc 0 binc 0");
        std::thread::sleep(Duration::from_millis(300));
        server.send("isready");
        let before = server.hear_until("readyok");
        assert!(
            before.iter().all(|l| !l.starts_with("bestmove")),
            "{before:?}"
        );
        let since = Instant::now();
        server.send("ponderhit");
        let lines = server.hear_until("bestmove");
        // At most 0.35 of the clock, and some time to be woken on a busy machine.
        assert!(since.elapsed() < Duration::from_millis(2000), "{algorithm}");
        let best = lines.last().expect("an answer");
        assert!(best.contains(" ponder "), "{best}");
        // The expected move was not made.
        server.send("go ponder wtime 60000 btime 60000");
        assert!(server.hear().starts_with("info"));
        server.send("stop");
        server.hear_until("bestmove");
        server.quit();
    }
}

#[test]
fn a_go_that_is_not_understood_starts_no_search() {
    let mut server = Server::of("alpha-beta");
    for (go, said) in [
        ("go banana", "info string go: \"banana\", expected a limit"),
        (
            "go depth many",
            "info string go: \"depth many\", expected a whole number",
        ),
    ] {
        server.send(go);
        let remark = server.hear();
        assert!(remark.starts_with(said), "{remark}");
        assert!(server.is_ready());
    }
    // The rest counts.
    let answer = server.go("go banana depth 2");
    assert_eq!(answer.remarks.len(), 1);
    server.quit();
}

#[test]
fn a_position_that_cannot_be_read_keeps_the_one_before() {
    let mut server = Server::of("alpha-beta");
    server.position(KIWIPETE, &[]);
    server.send("position fen 8/8/8/8/8/8/8/9 w - - 0 1");
    let remark = server.hear();
    assert!(
        remark.starts_with("info string position fen: column 15: "),
        "{remark}"
    );
    assert!(remark.ends_with("the position stays"), "{remark}");
    server.send("d");
    let board = server.hear_until("Key:");
    assert!(board.contains(&format!("Fen: {KIWIPETE}")), "{board:?}");
    server.quit();
}

#[test]
fn moves_are_counted_by_root_move() {
    let mut server = Server::of("alpha-beta");
    server.position(KIWIPETE, &[]);
    server.send("go perft 3");
    let lines = server.hear_until("Nodes searched:");
    assert_eq!(lines.last().expect("a sum"), "Nodes searched: 97862");
    let counts = lines.iter().filter_map(|l| l.split_once(": "));
    let counts: u64 = counts
        .filter(|(name, _)| name.len() < 6)
        .map(|(_, n)| n.parse::<u64>().expect("a count"))
        .sum();
    assert_eq!(counts, 97_862);
    server.send("go perft 9");
    server.send("stop");
    assert_eq!(server.hear(), "info string go perft: stopped");
    assert!(server.is_ready());
    server.quit();
}

#[test]
fn the_evaluation_and_the_speed_are_told() {
    let mut server = Server::of("mcts");
    server.send("eval");
    let told = server.hear();
    assert!(
        told.starts_with("evaluation both: ") && told.contains("centipawns"),
        "{told}"
    );
    server.send("bench 500");
    let lines: Vec<String> = (0..5).map(|_| server.hear()).collect();
    assert!(
        lines[4].starts_with("2000 nodes ") && lines[4].ends_with(" nps"),
        "{lines:?}"
    );
    server.quit();
}

#[test]
fn options_of_every_algorithm_can_be_set_by_their_long_names() {
    let mut server = Server::of("alpha-beta");
    server.send("setoption name mcts.exploration value 3");
    server.send("setoption name Algorithm value mcts");
    server.send("uci");
    let lines = server.hear_until("uciok");
    assert!(lines.contains(&"option name exploration type string default 3".to_owned()));
    server.quit();
}

/// PolyGlot takes fewer than 256 options, and XBoard about 200.
#[test]
fn other_programs_have_room_for_the_options_of_each_algorithm() {
    for row in &ALGORITHMS {
        let mut server = Server::of(row.name);
        server.send("uci");
        let lines = server.hear_until("uciok");
        let options = lines.iter().filter(|line| line.starts_with("option "));
        assert!(options.count() < 150, "{}", row.name);
        server.quit();
    }
}

/// A search goes on while its reports are written, so that its tree may know mates that their values do not.
#[test]
fn no_line_is_newer_than_its_value() {
    for algorithm in [
        "alpha-beta",
        "prob-alpha-beta",
        "mcts",
        "distress",
        "b-star",
        "bayes-mcts",
    ] {
        let mut server = Server::of(algorithm);
        for fen in [
            "2k3r1/p1p2p2/bN5p/3p4/1n1P1P1q/1P5r/P1PQ1RB1/R5K1 b - - 0 26",
            "2k3r1/2p2p2/bp5p/3p4/1n1P1P1q/1P5r/P1PQ1RB1/R5K1 w - - 0 27",
            "6r1/5k2/3q1n1Q/8/1p1pP3/5n2/1P6/2R4K w - - 1 42",
            "1kr3r1/p3p2p/1p1pP3/6P1/3KQ2P/PB6/RP6/8 b - - 2 31",
            "8/7p/2nNkN2/8/6P1/8/1r3r2/1n1K4 w - - 13 47",
            "7r/2pk4/2pbpp1p/3n4/2p5/Q3B2q/PP2PP1P/3R3K b - - 1 20",
        ] {
            server.position(fen, &[]);
            server.go("go nodes 2500");
        }
        server.quit();
    }
}

/// The table of earlier moves knows mates to which the line of a shallow search must not lead.
#[test]
fn no_line_of_a_game_ends_in_a_mate_that_its_value_does_not_claim() {
    for algorithm in ["alpha-beta", "mcts", "distress"] {
        let mut server = Server::of(algorithm);
        server.position("r1bk3r/pp1b1Bpp/3b4/4N3/8/4BN2/PP3PPP/R5K1 w - - 0 24", &[]);
        let start = server.situation.position.fen();
        let mut moves: Vec<String> = Vec::new();
        for _ in 0..40 {
            let answer = server.go("go nodes 1500");
            if answer.best == "(none)" {
                break;
            }
            moves.push(answer.best.clone());
            let all: Vec<&str> = moves.iter().map(String::as_str).collect();
            server.position(&start, &all);
        }
        server.quit();
    }
}

#[test]
fn a_stop_is_answered_even_if_quit_follows() {
    for algorithm in ["alpha-beta", "mcts", "distress"] {
        let mut server = Server::of(algorithm);
        server.send("go infinite");
        server.send("stop");
        server.send("quit");
        server.hear_until("bestmove");
    }
}

#[test]
fn a_full_tree_is_named_while_the_program_waits() {
    let mut server = Server::of("mcts");
    server.send("setoption name Tree Memory value 1");
    server.send("go infinite");
    server.hear_until("info string why no longer: the tree is full (");
    server.send("stop");
    server.hear_until("bestmove");
    server.quit();
}
