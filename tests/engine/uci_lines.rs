//! Every search tells something, all lines that were asked for, and mates with all their moves. What it says is checked
//! with shakmaty alone.

use algorithms::ALGORITHMS;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position as _};

use crate::uci_support::Server;

const MATES: &str = include_str!("../fixtures/mates/mates.tsv");
const SHUFFLE: &str = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const MOST_MOVES: &str = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";

/// Games that are drawn although there are moves: by the material and by the clock.
const DRAWN: [&str; 4] = [
    "8/8/8/3bk3/8/8/2B5/4K3 w - - 0 1",
    "8/8/8/8/8/8/8/K1k5 w - - 0 1",
    "8/p4r2/4k3/8/K7/P7/8/8 w - - 148 100",
    "8/p4r2/4k3/8/K7/P7/8/8 w - - 100 100",
];

/// Mates with the next move, on the last ply before the fifty-move rule too.
const MATES_IN_ONE: [&str; 4] = [
    "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1",
    "k7/8/1K6/8/8/8/8/6Q1 w - - 99 80",
    MOST_MOVES,
    "6rk/6pp/8/6N1/8/8/8/K7 w - - 0 1",
];

/// A single legal move, stalemates near by, an ordinary position, many queens, and mates whose lines the tables lost.
const OTHERS: [&str; 9] = [
    START,
    "8/8/8/8/8/1k6/r7/K7 w - - 0 1",
    "7K/8/8/8/8/8/6q1/5k2 w - - 0 1",
    "8/8/8/8/8/5k2/5p2/5K2 b - - 0 1",
    "7k/8/5KQ1/8/8/8/8/8 w - - 0 1",
    "8/p4r2/4k3/8/K7/P7/8/8 w - - 99 100",
    "1q2B2q/2q1B1q1/3qkq2/qrr1rRRQ/3QKQ2/2Q3Q1/1Q2n2Q/Q3n3 w - - 0 10",
    "1kb2bQ1/p7/B1p5/4p3/N2Pp3/2P5/PP4PP/R4RK1 w - - 1 23",
    "8/1pp2p2/3k1P2/2b4p/P1P2n2/5P2/6r1/2K5 b - - 0 41",
];

/// One line of play as it was reported.
#[derive(Clone, Debug)]
struct Line {
    rank: usize,
    /// `cp 0`, `mate -2`.
    score: String,
    moves: Vec<String>,
}

fn board(fen: &str, moves: &str) -> Chess {
    let fen: Fen = fen.parse().expect(fen);
    let mut at: Chess = fen.into_position(CastlingMode::Standard).expect("legal");
    for text in moves.split_whitespace() {
        at = after(&at, text).expect("a legal move");
    }
    at
}

fn after(at: &Chess, text: &str) -> Option<Chess> {
    let m = text.parse::<UciMove>().ok()?.to_move(at).ok()?;
    at.clone().play(m).ok()
}

/// Searches a position and checks all that was said. Returns the last report and the move to play.
fn last(server: &mut Server, place: (&str, &str), go: &str, lines: usize) -> (Vec<Line>, String) {
    let (fen, moves) = place;
    let at = board(fen, moves);
    server.send("ucinewgame");
    server.send(&format!("position fen {fen} moves {moves}"));
    server.send(go);
    if go.contains("infinite") {
        server.send("stop");
    }
    let told = server.hear_until("bestmove");
    let where_from = || format!("{fen} {moves}: {go}, {lines} lines: {told:#?}");
    let wanted = match go.split_once("searchmoves ") {
        Some((_, only)) => only.split(' ').count(),
        None => at.legal_moves().len(),
    };
    let mut reports: Vec<Vec<Line>> = Vec::new();
    for text in told.iter().filter(|text| text.contains(" pv")) {
        let line = read(text);
        if line.rank == 1 {
            reports.push(Vec::new());
        }
        check(&at, &line, text);
        let report = reports.last_mut().expect("the best line comes first");
        report.push(line);
        assert_eq!(
            report.last().expect("it").rank,
            report.len(),
            "{}",
            where_from()
        );
    }
    for report in &reports {
        assert_eq!(report.len(), wanted.min(lines), "{}", where_from());
        let mut firsts: Vec<&String> = report.iter().map(|line| &line.moves[0]).collect();
        firsts.sort();
        firsts.dedup();
        assert_eq!(firsts.len(), report.len(), "{}", where_from());
    }
    let report = reports.pop().unwrap_or_else(|| panic!("{}", where_from()));
    let best = &report[0].moves;
    let expected = match best.get(1) {
        Some(reply) => format!("bestmove {} ponder {reply}", best[0]),
        None => format!("bestmove {}", best[0]),
    };
    assert_eq!(told.last(), Some(&expected), "{}", where_from());
    let played = best[0].clone();
    (report, played)
}

fn read(text: &str) -> Line {
    let words: Vec<&str> = text.split(' ').collect();
    let at = |key| words.iter().position(|word| *word == key).expect(text);
    let to = words[at("score")..]
        .iter()
        .position(|w| ["wdl", "time"].contains(w));
    Line {
        rank: words[at("multipv") + 1].parse().expect(text),
        score: words[at("score") + 1..at("score") + to.expect(text)].join(" "),
        moves: words[at("pv") + 1..]
            .iter()
            .map(|&word| word.to_owned())
            .collect(),
    }
}

/// Every move is legal, and a mate has exactly as many moves as it says.
fn check(at: &Chess, line: &Line, text: &str) {
    assert!(!line.moves.is_empty(), "{text}");
    let mut end = at.clone();
    for m in &line.moves {
        end = after(&end, m).unwrap_or_else(|| panic!("{m} in {text}"));
    }
    if let Some(moves) = line.score.strip_prefix("mate ") {
        let moves: i64 = moves.split(' ').next().expect(text).parse().expect(text);
        let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
        assert_eq!(line.moves.len() as i64, plies, "{text}");
        assert!(end.is_checkmate(), "{text}");
    }
}

/// A server for each algorithm, on two threads.
fn for_all(check: impl Fn(&mut Server, &str) + Sync) {
    let (one, other) = ALGORITHMS.split_at(ALGORITHMS.len() / 2);
    let work = |rows: &[algorithms::Row]| {
        for row in rows {
            let mut server = Server::of(row.name);
            check(&mut server, row.name);
            server.quit();
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| work(one));
        work(other);
    });
}

const SHORT: [&str; 5] = [
    "go nodes 1",
    "go depth 1",
    "go movetime 1",
    "go nodes 300",
    "go infinite",
];

#[test]
fn the_shortest_search_has_all_lines_and_none_is_cut_off() {
    for_all(|server, _| {
        for lines in [1, 3] {
            server.send(&format!("setoption name MultiPV value {lines}"));
            for go in SHORT {
                for fen in MATES_IN_ONE.iter().chain(&OTHERS) {
                    last(server, (fen, ""), go, lines);
                }
                last(server, (START, SHUFFLE), go, lines);
            }
        }
        server.send("setoption name MultiPV value 218");
        for go in SHORT {
            last(server, (MOST_MOVES, ""), go, 218);
        }
        last(
            server,
            (START, ""),
            "go nodes 1 searchmoves a2a3 h2h4 b1c3",
            218,
        );
        last(
            server,
            (MATES_IN_ONE[0], ""),
            "go nodes 50 searchmoves a1b1 d1d8",
            218,
        );
    });
}

#[test]
fn a_drawn_game_is_worth_nothing_whatever_is_played() {
    for_all(|server, name| {
        server.send("setoption name MultiPV value 3");
        for go in SHORT {
            for fen in DRAWN {
                let (report, _) = last(server, (fen, ""), go, 3);
                assert!(
                    report.iter().all(|line| line.score == "cp 0"),
                    "{name}: {report:?}"
                );
            }
        }
    });
}

#[test]
fn a_mate_with_the_next_move_is_seen_by_every_search() {
    for_all(|server, name| {
        for lines in [1, 3, 218] {
            server.send(&format!("setoption name MultiPV value {lines}"));
            for (fen, go) in MATES_IN_ONE
                .iter()
                .flat_map(|fen| SHORT.map(|go| (fen, go)))
            {
                let (report, _) = last(server, (fen, ""), go, lines);
                // Where a search was stopped at once, it may have come to other moves only.
                let seen = report.iter().any(|line| line.score == "mate 1");
                let by_time = ["go movetime 1", "go infinite"].contains(&go);
                let may_miss = match lines {
                    1 => go != "go nodes 300",
                    3 => by_time,
                    _ => false,
                };
                assert!(seen || may_miss, "{name}: {fen} {go} {report:?}");
            }
        }
    });
}

#[test]
fn a_mate_is_shown_to_its_end() {
    let mates = MATES
        .lines()
        .skip(1)
        .filter_map(|line| line.split_once('\t'));
    let mates: Vec<(u16, &str)> = mates
        .map(|(plies, fen)| (plies.parse().expect("plies"), fen))
        .collect();
    for_all(|server, name| {
        let (mut shown, mut asked) = (0, 0);
        for (lines, every) in [(1, 3), (3, 5)] {
            server.send(&format!("setoption name MultiPV value {lines}"));
            for &(_, fen) in mates.iter().step_by(every) {
                asked += 1;
                let (report, _) = last(server, (fen, ""), "go nodes 3000", lines);
                shown += usize::from(report[0].score.starts_with("mate "));
                let unclaimed = report.iter().any(|line| line.score.contains("20000"));
                assert!(!unclaimed, "{name}: {fen} {report:?}");
            }
        }
        // Not every search finds a mate in four with so few nodes.
        assert!(4 * shown >= asked, "{name}: {shown} of {asked}");
    });
}

#[test]
fn who_is_mated_is_told_the_longest_defence() {
    // After the first move of mates in two and three, a line of 2 and 4 plies.
    for_all(|server, name| {
        for (fen, go, score) in [
            ("7k/R7/8/8/8/1R6/8/K7 b - - 0 1", "go nodes 2000", "mate -1"),
            (
                "r5rk/5p1p/R7/4B3/8/8/7P/7K b - - 0 1",
                "go nodes 20000",
                "mate -2",
            ),
        ] {
            let (report, _) = last(server, (fen, ""), go, 1);
            assert_eq!(report[0].score, score, "{name}");
        }
    });
}
