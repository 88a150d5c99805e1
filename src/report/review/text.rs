//! The review of games as text.

use std::fmt::Write as _;

use super::{GameReview, disagreement};
use crate::engine::review::{MarkKind, Part, Review};
use crate::game::load::GameTree;
use crate::report::compare::{budget, letter};
use crate::report::number;
use crate::report::text::{Style, align, wrap};

/// The number of disagreements listed for each game.
const LISTED: usize = 3;

/// The columns of the table whose cells are aligned to the right.
const RIGHT: [usize; 10] = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

/// Returns the summary of one game: what each side's moves lost by column and phase, and where the columns disagree
/// most; in lines of `width` columns if that is limited.
pub fn game(game: &GameReview, style: Style, width: Option<usize>) -> String {
    let review = game.review;
    let mut out = format!("{}. {}", game.number, game.title);
    if game.tree.is_none() {
        out.push_str(": not read\n");
        return style.apply(out);
    }
    let moves = review.len().saturating_sub(1);
    if moves == 0 {
        out.push_str(": no moves\n");
        return style.apply(out);
    }
    let plies = if moves == 1 { "ply" } else { "plies" };
    if let Some(opening) = game.tree.and_then(GameTree::opening) {
        let _ = write!(out, " · {opening}");
    }
    let _ = writeln!(out, " · {moves} {plies} · {} each", budget(review.budget()));
    let mut rows = vec![heading()];
    for (column, name) in game.names.iter().enumerate() {
        rows.extend(rows_of(review, column, name).map(|row| style.cells(row)));
    }
    out.push_str(&align(&rows, &RIGHT));
    let apart = review.disagreements(LISTED);
    if !apart.is_empty() {
        out.push_str("largest disagreements\n");
    }
    for at in &apart {
        let sentence = disagreement(review, at);
        let words: Vec<&str> = sentence.split(' ').collect();
        out.push_str(&wrap(&words, "", 2, width));
    }
    style.apply(out)
}

fn heading() -> [String; 13] {
    let mut cells: [String; 13] = Default::default();
    for (side, at) in [("White loses", 2), ("Black loses", 7)] {
        cells[at] = side.to_owned();
        cells[at + 1] = "accuracy".to_owned();
        for (kind, cell) in MarkKind::ALL.iter().zip(&mut cells[at + 2..]) {
            *cell = kind.sign().to_owned();
        }
    }
    cells
}

/// Returns a column's row for the whole game, and one for each phase if there are several.
fn rows_of(review: &Review, column: usize, name: &str) -> impl Iterator<Item = [String; 13]> {
    let summary = review.summary(column);
    let unjudged = review.tally(column).iter().map(|t| t.unjudged).sum();
    let remark = match (review.trouble(column), unjudged) {
        (Some(_), _) => "failed".to_owned(),
        (None, 0) => String::new(),
        (None, n) => format!("{n} not judged"),
    };
    let head = (letter(column).to_string(), name.to_owned(), remark);
    let mut rows = vec![row(head, summary.whole)];
    let phases: Vec<_> = summary.played().collect();
    if phases.len() > 1 {
        for phase in phases {
            let head = (String::new(), format!("  {}", phase.name()), String::new());
            rows.push(row(head, summary.phases.map(|side| side[phase as usize])));
        }
    }
    rows.into_iter()
}

fn row((letter, name, remark): (String, String, String), sides: [Part; 2]) -> [String; 13] {
    let [white, black] = sides.map(|part| cells(&part));
    let [wl, wa, w1, w2, w3] = white;
    let [bl, ba, b1, b2, b3] = black;
    [letter, name, wl, wa, w1, w2, w3, bl, ba, b1, b2, b3, remark]
}

/// Returns the mean loss, the accuracy, and the number of each mark.
pub(super) fn cells(part: &Part) -> [String; 5] {
    let dot = || "·".to_owned();
    let [inaccuracies, mistakes, blunders] = part.marks.map(|n| n.to_string());
    [
        part.mean_loss()
            .map_or_else(dot, |loss| format!("{loss:.3}")),
        part.accuracy()
            .map_or_else(dot, |a| number::percent(a / 100.0)),
        inaccuracies,
        mistakes,
        blunders,
    ]
}

/// The figures of many games by column.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    games: usize,
    /// By column: the moves judged, the sum of their losses, the marks, and the moves not judged.
    columns: Vec<(u32, f64, [u32; 3], u32)>,
}

impl Totals {
    /// Adds a game.
    pub fn add(&mut self, review: &Review) {
        self.games += 1;
        self.columns
            .resize(review.columns().len(), Default::default());
        for (column, (moves, lost, marks, unjudged)) in self.columns.iter_mut().enumerate() {
            for tally in review.tally(column) {
                *moves += tally.moves;
                *lost += f64::from(tally.mean_loss) * f64::from(tally.moves);
                for (sum, n) in marks.iter_mut().zip(tally.marks) {
                    *sum += n;
                }
                *unjudged += tally.unjudged;
            }
        }
    }

    /// Returns a table with a row for each column; empty for a single game, whose own figures say the same.
    pub fn text(&self, names: &[String], style: Style) -> String {
        if self.games < 2 {
            return String::new();
        }
        let signs = MarkKind::ALL.map(|kind| kind.sign().to_owned());
        let [inaccuracy, mistake, blunder] = signs;
        let mut rows = vec![[
            String::new(),
            format!("{} games", number::count(self.games as u64)),
            "moves".to_owned(),
            "loss of a move".to_owned(),
            inaccuracy,
            mistake,
            blunder,
            "not judged".to_owned(),
        ]];
        for (column, (moves, lost, marks, unjudged)) in self.columns.iter().enumerate() {
            let [first, second, third] = marks.map(|n| number::count(n.into()));
            rows.push(style.cells([
                letter(column).to_string(),
                names[column].clone(),
                number::count((*moves).into()),
                format!("{:.3}", lost / f64::from((*moves).max(1))),
                first,
                second,
                third,
                number::count((*unjudged).into()),
            ]));
        }
        style.apply(align(&rows, &[2, 3, 4, 5, 6, 7]))
    }
}
