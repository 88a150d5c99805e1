//! The review of games as text.

use super::{GameReview, disagreement};
use crate::compare::budget;
use crate::number;
use crate::sheet::{Cell, Table, count, fixed, letter};
use crate::text::{Style, wrap};
use games::GameTree;
use studies::review::{MarkKind, Part, Review};
use text::sanitise;

/// The number of disagreements listed for each game.
const LISTED: usize = 3;

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
    let names = game.names.iter().enumerate();
    let rows = names.flat_map(|(column, name)| {
        let name = style.cut(name, width.map_or(usize::MAX, |_| NAME));
        rows_of(review, column, name)
    });
    let sides = review.side_names();
    out.push_str(&losses(&rows.collect::<Vec<_>>(), sides).text(style));
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

/// A row of the table of losses: a column's letter and name, or a phase, with the figures of both sides.
type Row = (Option<char>, String, [Part; 2]);

/// Returns what both sides' moves lost.
fn losses(rows: &[Row], sides: [&str; 2]) -> Table {
    let mut table = Table::of(rows)
        .column("", |row| row.0)
        .column("a move loses", |row| &row.1);
    for (i, side) in sides.into_iter().enumerate() {
        let heads = [side, "accuracy"].into_iter();
        let heads = heads.chain(MarkKind::ALL.map(MarkKind::sign)).enumerate();
        table = table.columns(
            heads,
            |(_, head)| head,
            |row, (at, _)| Cell::number(cells(&row.2[i])[at].clone()),
        );
    }
    table.into()
}

/// Returns a column's row for the whole game, and one for each phase if there are several.
fn rows_of(review: &Review, column: usize, name: String) -> Vec<Row> {
    let summary = review.summary(column);
    let mut rows = vec![(Some(letter(column)), name, summary.whole)];
    let phases: Vec<_> = summary.played().collect();
    if phases.len() > 1 {
        rows.extend(phases.into_iter().map(|phase| {
            let parts = summary.phases.map(|side| side[phase as usize]);
            (None, format!("  {}", phase.name()), parts)
        }));
    }
    rows
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
        let name = |i: usize| style.cut(&names[i], width.map_or(usize::MAX, |_| NAME));
        let rows: Vec<_> = self.columns.iter().enumerate().collect();
        let table = Table::of(&rows)
            .column("", |(i, _)| letter(*i))
            .column(
                format!("{} games", number::count(self.games as u64)),
                |(i, _)| name(*i),
            )
            .column("moves", |(_, total)| count(total.0.into()))
            .column("a move loses", |(_, total)| {
                fixed(total.1 / f64::from(total.0.max(1)), 3)
            })
            .columns(MarkKind::ALL, MarkKind::sign, |(_, total), kind| {
                count(total.2[kind as usize].into())
            })
            .column("not judged", |(_, total)| count(total.3.into()));
        Table::from(table).text(style)
    }
}
