//! Commands that a chess program may send to plyscope as a UCI engine.

use std::io::Cursor;

use algorithms::Algorithm;
use session::Config;
use uci::serve;

use super::{Reader, lines_of};

#[test]
fn uci_scripts() {
    let scripts = "uci|isready|position startpos moves e2e4 e7e5|go nodes 200|stop\n\
                   setoption name Hash value 1|setoption name MultiPV value 3|ucinewgame|go depth 2\n\
                   position fen 8/8/8/8/8/4k3/4p3/4K3 w - - 0 1|go movetime 1|isready|stop\n\
                   setoption name Algorithm value mcts|go wtime 10 btime 10 winc 0 movestogo 1\n\
                   go ponder infinite|ponderhit|stop|go searchmoves e2e4 d2d4 nodes 50|debug on|quit\n\
                   setoption name UCI_Chess960 value true|position startpos moves e2e4|go mate 1|stop";
    let reader = Reader {
        name: "uci",
        good: lines_of(scripts)
            .into_iter()
            .map(|line| {
                line.iter()
                    .map(|&b| if b == b'|' { b'\n' } else { b })
                    .collect()
            })
            .collect(),
        words: &[
            "\ngo ",
            "\nstop\n",
            "\nposition ",
            "\nsetoption name ",
            " value ",
            "startpos",
            " moves ",
            "e2e4",
            "infinite",
            "ponder",
            "nodes 100",
            "depth 3",
            "movetime 2",
            "mate 2",
            "searchmoves",
            "Hash",
            "Threads",
            "MultiPV",
            "UCI_ShowWDL",
            "true",
            "\nisready\n",
            "\nquit\n",
            "\nponderhit\n",
            "\nucinewgame\n",
            "Ponder",
            "Clear Hash",
            "Algorithm",
            "distress",
            "prob-alpha-beta",
        ],
        longest: 400,
    };
    let config = Config {
        memory: 8 << 20,
        table: 1 << 20,
        ..Config::new(Algorithm::AlphaBeta)
    };
    reader.fuzz(|input| {
        // Any running search ends here.
        let mut script = without_large_tables(input);
        script.extend_from_slice(b"\nstop\nquit\n");
        let mut output = Vec::new();
        serve(config.clone(), true, Cursor::new(script), &mut output).expect("an answer");
        let output = String::from_utf8(output).expect("UTF-8");
        let first_words = output.lines().map(|line| {
            assert!(!line.chars().any(char::is_control), "{line:?}");
            let word = line.split(' ').next().unwrap_or("");
            assert!(
                ["id", "option", "uciok", "readyok", "info", "bestmove"].contains(&word)
                    || is_aside(line),
                "not UCI: {line:?}"
            );
            // Free text counts as a message; numbers are all treated alike.
            if line.starts_with("info string") {
                line
            } else {
                word
            }
        });
        let mut kinds: Vec<&str> = first_words.collect();
        kinds.dedup();
        kinds.truncate(12);
        kinds.concat()
    });
}

/// Whether a line answers a command that is for people: the board, the evaluation, counted moves, the speed.
fn is_aside(line: &str) -> bool {
    const BEGINNINGS: [&str; 6] = [
        "Fen: ",
        "Key: ",
        "evaluation ",
        "Nodes ",
        "   a b c",
        "the game is over",
    ];
    let rank = line.len() == 18 && line.starts_with(|c: char| ('1'..='8').contains(&c));
    let counted = line
        .split_once(": ")
        .is_some_and(|(m, n)| m.len() <= 5 && n.parse::<u64>().is_ok());
    let speed = line.ends_with(" nps");
    line.is_empty() || rank || counted || speed || BEGINNINGS.iter().any(|b| line.starts_with(b))
}

/// Sizes and thread counts that suit a small machine.
fn without_large_tables(input: &[u8]) -> Vec<u8> {
    let mut digits = 0;
    let few = input.iter().filter(|b| {
        digits = if b.is_ascii_digit() { digits + 1 } else { 0 };
        digits <= 2
    });
    few.copied().collect()
}
