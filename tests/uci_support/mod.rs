//! Talks to `plyscope uci` and checks every line that it sends.
#![allow(dead_code)]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use game::load::fen;
use game::{ChessKnowledge as _, ChessPosition, Game, Situation, notation};

/// A server that does not answer within this time is considered dead.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running server, with the position that it was given.
pub struct Server {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    pub situation: Situation<ChessPosition>,
}

/// Everything it sent in response to one `go`.
#[derive(Debug)]
pub struct Answer {
    pub infos: Vec<Info>,
    /// `info string`s.
    pub remarks: Vec<String>,
    pub best: String,
    /// The move to ponder on.
    pub reply: Option<String>,
}

/// An `info` line with a line of play.
#[derive(Clone, Debug)]
pub struct Info {
    pub depth: u32,
    pub rank: u32,
    pub nodes: u64,
    /// `cp 12`, `mate 3 lowerbound`.
    pub score: String,
    pub line: Vec<String>,
}

impl Server {
    /// Starts a server with one thread.
    pub fn start(arguments: &[&str]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_plyscope"))
            .args(["uci", "--threads", "1"])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the program starts");
        let out = BufReader::new(child.stdout.take().expect("an output"));
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    break;
                }
            }
        });
        Server {
            stdin: child.stdin.take(),
            child,
            lines,
            situation: Situation::new(ChessPosition::default()),
        }
    }

    pub fn of(algorithm: &str) -> Server {
        Server::start(&["-a", algorithm])
    }

    pub fn send(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("an open input");
        writeln!(stdin, "{line}").expect("it listens");
    }

    /// Returns its next line.
    pub fn hear(&mut self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("an answer")
    }

    /// Returns its lines up to and including one that begins with `last`.
    pub fn hear_until(&mut self, last: &str) -> Vec<String> {
        let mut lines = Vec::new();
        while !lines.last().is_some_and(|l: &String| l.starts_with(last)) {
            lines.push(self.hear());
        }
        lines
    }

    /// Whether it is still running and has nothing else to say.
    pub fn is_ready(&mut self) -> bool {
        self.send("isready");
        self.hear() == "readyok"
    }

    /// Sends a position (`startpos` or a FEN) and moves.
    pub fn position(&mut self, place: &str, moves: &[&str]) {
        let read = fen::parse(place).expect(place);
        self.situation = Situation::new(read.position);
        let place = if place == "startpos" {
            place.to_owned()
        } else {
            format!("fen {place}")
        };
        let mut line = format!("position {place}");
        if !moves.is_empty() {
            line += &format!(" moves {}", moves.join(" "));
        }
        for text in moves {
            self.play(text);
        }
        self.send(&line);
    }

    /// Continues from the position stored here.
    pub fn play(&mut self, text: &str) {
        let m = notation::parse_uci(&self.situation.position, text).expect(text);
        self.situation.play(m);
    }

    /// Starts a search and checks its output.
    pub fn go(&mut self, line: &str) -> Answer {
        self.send(line);
        self.answer()
    }

    /// Returns its checked output up to `bestmove`.
    pub fn answer(&mut self) -> Answer {
        let lines = self.hear_until("bestmove");
        let answer = Answer::read(&lines);
        self.check(&answer);
        answer
    }

    /// Checks that every line is legal, that the best move is one of the legal moves, and that depths are as clients
    /// expect them.
    fn check(&self, answer: &Answer) {
        let position = &self.situation.position;
        let mut depth = 0;
        for info in &answer.infos {
            let mut at = position.clone();
            assert!(!info.line.is_empty(), "{info:?}");
            for text in &info.line {
                let m =
                    notation::parse_uci(&at, text).unwrap_or_else(|| panic!("{text}: {info:?}"));
                assert_eq!(&at.uci(m), text, "{info:?}");
                at.play(m);
            }
            // A value that is no mate does not come from a line that ends in one.
            let is_mate = at.is_check() && at.legal_moves().is_empty();
            let is_claimed = info.score.starts_with("mate") || info.score.contains("20000");
            assert!(!is_mate || is_claimed, "{info:?}");
            if info.rank == 1 {
                // The last one may tell the final counts only.
                assert!(
                    info.depth == depth + 1 || info.depth == depth && depth > 0,
                    "{:?}",
                    answer.infos
                );
                depth = info.depth;
            }
        }
        if position.legal_moves().is_empty() {
            assert_eq!(answer.best, "(none)");
        } else {
            let m = notation::parse_uci(position, &answer.best).expect("a legal move");
            assert_eq!(position.uci(m), answer.best);
            if let Some(reply) = &answer.reply {
                let mut next = position.clone();
                next.play(m);
                assert!(notation::parse_uci(&next, reply).is_some(), "{reply}");
            }
        }
        let last = answer.infos.iter().rfind(|info| info.rank == 1);
        assert!(
            last.is_none_or(|info| info.line[0] == answer.best),
            "{answer:?}"
        );
    }

    /// Closes its input and waits for its end; returns the exit status and its last output.
    pub fn end(mut self) -> (Option<i32>, Vec<String>) {
        drop(self.stdin.take());
        let mut rest = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => rest.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("it does not end"),
            }
        }
        (self.child.wait().expect("a status").code(), rest)
    }

    /// Sends `quit`, after which nothing more may come.
    pub fn quit(mut self) {
        self.send("quit");
        assert_eq!(self.end(), (Some(0), Vec::new()));
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A failed test must not leave a process behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Answer {
    fn read(lines: &[String]) -> Answer {
        let mut answer = Answer {
            infos: Vec::new(),
            remarks: Vec::new(),
            best: String::new(),
            reply: None,
        };
        for line in lines {
            if let Some(remark) = line.strip_prefix("info string ") {
                answer.remarks.push(remark.to_owned());
            } else if line.starts_with("info") {
                answer.infos.extend(Info::read(line));
            } else if let Some(best) = line.strip_prefix("bestmove ") {
                let (best, reply) = match best.split_once(" ponder ") {
                    Some((best, reply)) => (best, Some(reply.to_owned())),
                    None => (best, None),
                };
                answer.best = best.to_owned();
                answer.reply = reply;
            } else {
                panic!("no UCI: {line}");
            }
        }
        answer
    }

    /// Returns the last line of the best move.
    pub fn last(&self) -> &Info {
        self.infos
            .iter()
            .rfind(|info| info.rank == 1)
            .expect("a line")
    }

    pub fn centipawns(&self) -> i32 {
        let score = self.last().score.strip_prefix("cp ").expect("centipawns");
        let number = score.split(' ').next().expect("a number");
        number.parse().expect("a number")
    }
}

impl Info {
    /// `None` for the output about a game that is over.
    fn read(line: &str) -> Option<Info> {
        const ORDER: [&str; 9] = [
            "depth", "seldepth", "multipv", "score", "time", "nodes", "nps", "hashfull", "pv",
        ];
        if line.starts_with("info depth 0 ") {
            return None;
        }
        let words: Vec<&str> = line.split(' ').collect();
        let at = ORDER.map(|key| {
            let at = words.iter().position(|word| *word == key);
            at.unwrap_or_else(|| panic!("no {key}: {line}"))
        });
        assert!(at.is_sorted(), "{line}");
        let number = |i: usize| -> u64 { words[at[i] + 1].parse().expect(line) };
        for i in [1, 4, 6, 7] {
            number(i);
        }
        Some(Info {
            depth: number(0) as u32,
            rank: number(2) as u32,
            nodes: number(5),
            score: words[at[3] + 1..at[4]].join(" "),
            line: words[at[8] + 1..].iter().map(|&w| w.to_owned()).collect(),
        })
    }
}
