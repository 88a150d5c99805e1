//! Compares plyscope with python-chess (Niklas Fiekas) on positions and games that are nearly right.
//!
//! Needs `python3` with the package `chess`; without it the test says that it was skipped.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use game::load::fen;
use game::load::pgn::{Games, index};
use game::{ChessKnowledge as _, ChessPosition, Game as _};
use serde_json::Value;

use super::files::{PGN_WORDS, games};
use super::lines::{POSITION_WORDS, positions};
use super::{Reader, fixture};

/// A running python-chess.
struct Judge {
    child: Child,
    asks: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Judge {
    /// Returns `None` if it is not available.
    fn start(kind: &str) -> Option<Judge> {
        let mut child = Command::new("python3")
            .arg(fixture("python-chess/judge.py"))
            .arg(kind)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let (asks, answers) = (child.stdin.take()?, BufReader::new(child.stdout.take()?));
        let mut judge = Judge {
            child,
            asks,
            answers,
        };
        let answer = judge.ask("8/8/8/8/8/4k3/4p3/4K3 b - - 0 1");
        if answer.is_none() {
            println!("left out: python3 with the package chess is not here");
        }
        answer.map(|_| judge)
    }

    fn ask(&mut self, text: &str) -> Option<Value> {
        let digits: String = text.bytes().map(|byte| format!("{byte:02x}")).collect();
        writeln!(self.asks, "{digits}").ok()?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer).ok()?;
        serde_json::from_str(&answer).ok()
    }
}

impl Drop for Judge {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn names_in(list: &Value) -> Vec<&str> {
    let names = list.as_array().into_iter().flatten();
    names.filter_map(Value::as_str).collect()
}

fn names(position: &ChessPosition) -> Vec<String> {
    let moves = position.legal_moves();
    let mut names: Vec<String> = moves.iter().map(|m| position.label(*m)).collect();
    names.sort();
    names
}

/// Whatever python-chess finds no fault with is accepted and has the same moves; what it considers fatal is refused.
#[test]
fn positions_as_python_chess_reads_them() {
    /// A missing king, more than one king of a colour, pawns on the back ranks, or the side that has moved in check.
    const FATAL: i64 = 1 | 2 | 4 | 32 | 1024;
    let Some(mut judge) = Judge::start("fen") else {
        return;
    };
    let (mut same, mut lenient) = (0_u64, 0_u64);
    let reader = Reader {
        name: "python-chess-positions",
        good: positions(),
        words: &POSITION_WORDS,
        longest: 120,
    };
    reader.fuzz(|input| {
        let text = String::from_utf8_lossy(input);
        let text = text.trim();
        let verdict = judge.ask(text).expect("a verdict");
        let ours = fen::parse(text);
        // For python-chess a king marked as a promoted piece is not a king.
        if text.contains("K~") || text.contains("k~") {
            return String::new();
        }
        let Some(status) = verdict["status"].as_i64() else {
            // It does not accept missing fields or numbers around the board; plyscope may.
            lenient += u64::from(ours.is_ok());
            return format!("no position {}", ours.is_ok());
        };
        match &ours {
            Ok(read) if status & FATAL != 0 => panic!(
                "{text:?} is {status} and accepted as {}",
                read.position.fen()
            ),
            Err(error)
                if status == 0 && has_plain_words(text) && !error.found.contains("more pieces") =>
            {
                panic!("{text:?} is good and refused: {error}")
            }
            Ok(read) if status == 0 => {
                let theirs = names_in(&verdict["moves"]);
                assert_eq!(names(&read.position), theirs, "{text:?}");
                assert_eq!(
                    Some(read.position.is_check()),
                    verdict["check"].as_bool(),
                    "{text:?}"
                );
                same += 1;
                return "m".repeat(theirs.len());
            }
            _ => {}
        }
        format!("{status} {}", ours.is_ok())
    });
    println!(
        "{same} positions with the same moves; {lenient} accepted that python-chess does not read"
    );
}

/// Python accepts signs and underscores in numbers, and more characters as white space.
fn has_plain_words(fen: &str) -> bool {
    let mut numbers = fen.split_whitespace().skip(4);
    fen.bytes().all(|b| b.is_ascii_graphic() || b == b' ')
        && numbers.all(|number| number.bytes().all(|b| b.is_ascii_digit()))
}

fn is_plain_tag(line: &str) -> bool {
    let inner = line
        .strip_prefix('[')
        .and_then(|line| line.strip_suffix("\"]"));
    let parts = inner.and_then(|inner| inner.split_once(" \""));
    parts.is_some_and(|(name, value)| {
        name.bytes().all(|b| b.is_ascii_alphanumeric()) && !value.contains('"')
    })
}

/// A game in which neither finds a fault has the same moves and the same number of variations.
#[test]
fn games_as_python_chess_reads_them() {
    let Some(mut judge) = Judge::start("pgn") else {
        return;
    };
    let (mut same, mut other) = (0_u64, 0_u64);
    // One game at a time: how to treat broken tags, and where one game ends and the next begins, is a matter of taste.
    let files = games();
    let good = files.iter().flat_map(|file| {
        index(file)
            .into_iter()
            .map(|span| file[span.start..span.end].to_vec())
    });
    let reader = Reader {
        name: "python-chess-games",
        good: good.collect(),
        words: &PGN_WORDS,
        longest: 3_000,
    };
    reader.fuzz(|input| {
        let Ok(text) = std::str::from_utf8(input) else {
            return String::from("not UTF-8");
        };
        // python-chess expects a tag to be on a line of its own, and looks for moves on all other lines.
        let mut tags = text.lines().filter(|line| line.trim().starts_with('['));
        if text.contains("<br") || !tags.all(is_plain_tag) {
            return String::from("a tag and more");
        }
        let verdict = judge.ask(text).expect("a verdict");
        let games = Games::new(input.to_vec());
        let (Some([theirs]), Ok(ours), 1) = (
            verdict.as_array().map(Vec::as_slice),
            games.game(0),
            games.len(),
        ) else {
            other += 1;
            return String::from("none, or several");
        };
        if theirs["errors"].as_i64() != Some(0) || !ours.problems.is_empty() {
            other += 1;
            return format!("problems {}", ours.problems.is_empty());
        }
        let line: Vec<&str> = ours.main_line()[1..]
            .iter()
            .map(|&node| ours.nodes[node].san.as_str())
            .collect();
        let their_line = names_in(&theirs["line"]);
        // Only python-chess accepts a null move that is attached to another word, or comes after the end of the game.
        if line != their_line && text.contains("--") {
            other += 1;
            return String::from("null moves");
        }
        assert_eq!(line, their_line, "{text}");
        assert_eq!(
            Some(ours.nodes.len() as u64),
            theirs["nodes"].as_u64(),
            "{text}"
        );
        same += 1;
        "m".repeat(line.len()) + &"v".repeat(ours.nodes.len() - line.len())
    });
    println!(
        "{same} games alike; {other} that one of the two does not read to the end or divides otherwise"
    );
}
