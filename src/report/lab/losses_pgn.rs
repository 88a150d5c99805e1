//! The games of the experiment on losses as PGN.

use super::losses::Results;
use crate::proof::{number_move, tag_pairs, wrapped};
use game::{ChessPosition, Game as _, MoveCode};
use lab::differential::Outcome;
use lab::losses::{JudgedGame, JudgedMove};

/// Returns all games. After each judged move stands a comment: the judge's value after it, in points for the side that
/// played it, then how far the value fell and the kind of the fall, if it did.
pub fn pgn(results: &Results) -> String {
    let found = results.found;
    let budgets = found.games.iter().zip(&found.nodes);
    let games = budgets.flat_map(|(games, nodes)| {
        let numbered = games.iter().enumerate();
        let played = numbered.filter_map(|(i, game)| Some((i + 1, game.as_ref()?)));
        played.map(|(number, game)| written(results, *nodes, number, game))
    });
    games.collect()
}

/// Returns one game with an empty line behind it.
fn written(results: &Results, nodes: u64, number: usize, game: &JudgedGame) -> String {
    let names = &results.found.columns;
    let result = result(game);
    let judge = format!(
        "{}, {} nodes",
        results.found.judge, results.plan.judge_nodes
    );
    let head = tag_pairs(&[
        ("Event", "plyscope lab losses"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", &number.to_string()),
        ("White", &names[game.white]),
        ("Black", &names[1 - game.white]),
        ("Result", result),
        ("Annotator", &judge),
        ("Nodes", &nodes.to_string()),
        ("End", game.end.name()),
    ]);
    let mut words = Words::default();
    for code in &game.opening {
        words.play(*code);
    }
    for m in &game.moves {
        words.play(m.played);
        words.comment(m);
    }
    words.all.push(result.to_owned());
    format!("{head}{}\n", wrapped(&words.all))
}

fn result(game: &JudgedGame) -> &'static str {
    match (game.outcome, game.white) {
        (Outcome::Drawn, _) => "1/2-1/2",
        (Outcome::Won, 0) | (Outcome::Lost, 1) => "1-0",
        _ => "0-1",
    }
}

/// The movetext so far.
#[derive(Default)]
struct Words {
    all: Vec<String>,
    position: ChessPosition,
    /// Whether a comment stands before the next move.
    interrupted: bool,
}

impl Words {
    fn play(&mut self, code: MoveCode) {
        let Some(m) = self.position.decode(code) else {
            return;
        };
        number_move(&mut self.all, &self.position, self.interrupted);
        self.all.push(self.position.label(m));
        self.position.play(m);
        self.interrupted = false;
    }

    fn comment(&mut self, m: &JudgedMove) {
        let Some(judged) = m.judged else {
            return;
        };
        let mut text = format!("{{{:.4}", judged.after);
        if judged.fall() > 0.0 {
            text += &format!(" fall {:.4}", judged.fall());
        }
        if let Some(kind) = judged.kind {
            text = text + " " + kind.name();
        }
        self.all.push(text + "}");
        self.interrupted = true;
    }
}
