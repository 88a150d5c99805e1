//! Prints what plyscope reads in files of Go, a line a game, so that it can be held against what another reader says
//! (`benches/sgf_read.py` asks sgfmill, by Matthew Woodcraft).
//!
//! `cargo run --release --features examples --example sgf_read -- FILES`
//!
//! A line has the file, the number of the game, the size of the board, the stones that are set up, all moves with those that come
//! before (`parent colour point`, in the order of the file), and `problem` where something was refused. With `--again` each game
//! is written and read again first.

use std::path::Path;

use game::{Game, Side};
use games::go::{Go, Play, SGF};
use games::{Document, GameTree};

fn main() {
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    let again = files.first().is_some_and(|first| first == "--again");
    files.drain(..usize::from(again));
    for file in files {
        let document = match Document::open_unread(Path::new(&file)) {
            Ok(document) => document,
            Err(error) => {
                println!("{file}\t-\tproblem {error}");
                continue;
            }
        };
        for number in 0..document.len() {
            let entry = document.entry(number).expect("an entry");
            let Some(game) = entry.game() else { continue };
            let problem = match entry.problems.first() {
                Some(problem) => format!("problem {problem}"),
                None => String::new(),
            };
            let told = match again {
                true => {
                    let text = SGF.write.and_then(|write| write(game)).expect("a text");
                    let read =
                        Document::from_bytes("again.sgf", text.into_bytes()).expect("a game");
                    let entry = read.entry(0).expect("an entry");
                    told(entry.game().expect("a game"))
                }
                false => told(game),
            };
            println!("{file}\t{number}\t{told}\t{problem}");
        }
    }
}

fn told(game: &GameTree) -> String {
    let start: &Go = game.start.downcast_ref().expect("a game of Go");
    let size = start.stones().size();
    let moves = game.nodes.iter().enumerate().skip(1).map(|(i, node)| {
        let colour = match game.mover(i) {
            Some(Side::White) => 'w',
            _ => 'b',
        };
        let m = node.m.and_then(|code| start.decode_known(code));
        let point = match m.and_then(Play::place) {
            Some((column, row)) => format!("{row},{column}"),
            None => "pass".to_owned(),
        };
        format!("{} {colour} {point}", node.parent.unwrap_or_default())
    });
    let moves: Vec<String> = moves.collect();
    format!("{size}\t{}\t{}", start.stones().count(), moves.join(";"))
}
