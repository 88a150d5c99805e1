//! The review of games as text.

use super::{GameReview, disagreement};
use crate::compare::{budget, letter};
use crate::number;
use crate::text::{Style, align, wrap};
use game::load::GameTree;
use game::text::sanitise;
use studies::review::{MarkKind, Part, Review};

/// The number of disagreements listed for each game.
const LISTED: usize = 3;

/// The columns of the table whose cells are aligned to the right.
const RIGHT: [usize; 10] = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

/// The length to which a column's name is cut if the width is limited.
const NAME: usize = 20;

/// Returns the summary of one game: what each side's moves lost by column and phase, and where the columns disagree
/// most; in lines of `width` columns if that is limited.
pub fn game(game: &GameReview, style: Style, width: Option<usize>) -> String {
    let review = game.review;
    let moves = review.len().saturating_sub(1);
    let mut title = format!("{}. {}", game.number, game.title);
    if let Some(opening) = game.tree.and_then(GameTree::opening) {
        title = format!("{title} · {opening}");
    }
    let head = match moves {
        _ if game.tree.is_none() => format!("{title}: not read"),
        0 => format!("{title}: no moves"),
        1 => format!("{title} · 1 ply · {} each", budget(review.budget())),
        n => format!("{title} · {n} plies · {} each", budget(review.budget())),
    };
    let mut out = sentence(&style.apply(head), 0, width);
    if moves == 0 {
        return out;
    }
    let mut rows = vec![heading()];
    for (column, name) in game.names.iter().enumerate() {
        let name = style.cut(name, width.map_or(usize::MAX, |_| NAME));
        rows.extend(rows_of(review, column, name).map(|row| style.cells(row)));
    }
    out.push_str(&align(&rows, &RIGHT));
    for column in 0..game.names.len() {
        if let Some(remark) = remark(review, column) {
            out.push_str(&sentence(&style.apply(remark), 0, width));
        }
    }
    let apart = review.disagreements(LISTED);
    if !apart.is_empty() {
        out.push_str("largest disagreements\n");
    }
    for at in &apart {
        out.push_str(&sentence(&style.apply(disagreement(review, at)), 2, width));
    }
    out
}

/// Returns text broken at its spaces.
fn sentence(text: &str, indent: usize, width: Option<usize>) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    wrap(&words, "", indent, width)
}

fn heading() -> [String; 12] {
    let mut cells: [String; 12] = Default::default();
    cells[1] = "a move loses".to_owned();
    for (side, at) in [("White", 2), ("Black", 7)] {
        cells[at] = side.to_owned();
        cells[at + 1] = "accuracy".to_owned();
        for (kind, cell) in MarkKind::ALL.iter().zip(&mut cells[at + 2..]) {
            *cell = kind.sign().to_owned();
        }
    }
    cells
}

/// Returns a column's row for the whole game, and one for each phase if there are several.
fn rows_of(review: &Review, column: usize, name: String) -> impl Iterator<Item = [String; 12]> {
    let summary = review.summary(column);
    let mut rows = vec![row(letter(column).to_string(), name, summary.whole)];
    let phases: Vec<_> = summary.played().collect();
    if phases.len() > 1 {
        for phase in phases {
            let parts = summary.phases.map(|side| side[phase as usize]);
            rows.push(row(String::new(), format!("  {}", phase.name()), parts));
        }
    }
    rows.into_iter()
}

fn row(letter: String, name: String, sides: [Part; 2]) -> [String; 12] {
    let [white, black] = sides.map(|part| cells(&part));
    let [wl, wa, w1, w2, w3] = white;
    let [bl, ba, b1, b2, b3] = black;
    [letter, name, wl, wa, w1, w2, w3, bl, ba, b1, b2, b3]
}

/// Returns what is missing in a column's figures.
fn remark(review: &Review, column: usize) -> Option<String> {
    let letter = letter(column);
    if let Some(trouble) = review.trouble(column) {
        return Some(format!("{letter} failed: {}", sanitise(&trouble.message)));
    }
    match review.tally(column).iter().map(|t| t.unjudged).sum() {
        0 => None,
        1 => Some(format!("{letter}: 1 move not judged")),
        n => Some(format!("{letter}: {n} moves not judged")),
    }
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
    pub fn text(&self, names: &[String], style: Style, width: Option<usize>) -> String {
        if self.games < 2 {
            return String::new();
        }
        let signs = MarkKind::ALL.map(|kind| kind.sign().to_owned());
        let [inaccuracy, mistake, blunder] = signs;
        let mut rows = vec![[
            String::new(),
            format!("{} games", number::count(self.games as u64)),
            "moves".to_owned(),
            "a move loses".to_owned(),
            inaccuracy,
            mistake,
            blunder,
            "not judged".to_owned(),
        ]];
        for (column, (moves, lost, marks, unjudged)) in self.columns.iter().enumerate() {
            let [first, second, third] = marks.map(|n| number::count(n.into()));
            rows.push(style.cells([
                letter(column).to_string(),
                style.cut(&names[column], width.map_or(usize::MAX, |_| NAME)),
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
