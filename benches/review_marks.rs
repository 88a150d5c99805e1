//! A review's marks as JSON, one game per line, for `benches/review_marks.py`, which compares them with another
//! engine's.
//!
//! `cargo run --release --features examples --example review_marks -- GAMES.pgn 30 [COLUMN] [NODES]`: the first 30 games with at least 40
//! plies.

use std::path::Path;

use algorithms::Algorithm;
use games::Document;
use serde_json::{Value, json};
use session::Budget;
use session::{Config, Subject};
use studies::compare::ColumnSpec;
use studies::review::{Found, Review};

/// Shorter games say little about marks.
const LEAST_PLIES: u32 = 40;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |i: usize, default: &str| {
        let given = arguments.get(i).map(String::as_str);
        given.unwrap_or(default).to_owned()
    };
    let number = |text: String| text.parse::<u64>().expect("a number");
    let document = Document::open(Path::new(&argument(0, ""))).expect("a file of games");
    let base = Config::new(Algorithm::AlphaBeta);
    let column = ColumnSpec::parse(&argument(2, "alpha-beta"), &base).expect("a column");
    let budget = Budget::Nodes(number(argument(3, "20000")));
    let games = document.entries().filter_map(Result::ok);
    let games = games.filter(|game| game.plies() >= LEAST_PLIES && game.problems.is_empty());
    for (i, game) in games.take(number(argument(1, "30")) as usize).enumerate() {
        let positions: Vec<Subject> = game.subjects().collect();
        let review = Review::start(positions.clone(), vec![column.clone()], budget, 1);
        while !review.is_complete() {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let (marks, losses) = (review.marks(0), review.losses(0));
        let plies = positions.iter().enumerate().map(|(ply, position)| {
            let found = review.result(0, ply);
            json!({
                "fen": fen(position),
                "played": review.played(ply).map(|m| m.uci.clone()),
                "found": found.as_deref().map(value),
                "mark": marks.get(ply).and_then(Option::as_ref).map(|m| m.kind.sign()),
                "drop": losses.get(ply).copied().flatten().map(|l| l.drop),
            })
        });
        let plies: Vec<Value> = plies.collect();
        let tally = review.tally(0);
        let unjudged: u32 = tally.iter().map(|t| t.unjudged).sum();
        println!(
            "{}",
            json!({"game": i, "title": game.title, "unjudged": unjudged, "plies": plies})
        );
    }
}

fn fen(subject: &Subject) -> Option<String> {
    subject.position.fen()
}

fn value(found: &Found) -> Value {
    json!({
        "best": found.best.as_ref().map(|m| m.uci.clone()),
        "cp": found.score.score.map(|s| s.centipawns()),
        "mate": found.score.mate(),
        "bound": format!("{:?}", found.score.bound),
        "depth": found.depth,
        "nodes": found.nodes,
    })
}
