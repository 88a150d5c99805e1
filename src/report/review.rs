//! The review of a game: in sentences what a move lost and where columns disagree, and whole reviews as text, as JSON
//! and as a page.

mod chart;
pub mod html;
pub mod json;
pub mod text;

pub use self::chart::chart;

use super::lens::{Given, Lens, Scores, Unit, Viewpoint};
use ::text::sanitise;
use game::Game;
use games::GameTree;
use session::{MoveName, Subject};
use studies::review::{Disagreement, Found, Guessed, Mark, MarkKind, Measure, Review};

/// A game of a file with its review.
#[derive(Clone, Copy, Debug)]
pub struct GameReview<'a> {
    /// Its number among all games of the run, from 1.
    pub number: usize,
    pub file: &'a str,
    /// Its number in the file, from 1, and the line on which it begins.
    pub game: usize,
    pub line: Option<u32>,
    /// The players, the result and the year.
    pub title: &'a str,
    /// `None` if the game cannot be read.
    pub tree: Option<&'a GameTree>,
    /// What could not be read, one line each.
    pub problems: &'a [String],
    /// What was corrected or ignored, one line each.
    pub warnings: &'a [String],
    pub review: &'a Review,
    /// The names of the columns, safe to print.
    pub names: &'a [String],
    /// The column whose marks and better lines are shown.
    pub judge: usize,
    pub seed: u64,
}

/// Returns a sentence about what a marked move lost: `12...Nf6 loses 0.24 of expected score (mistake): +0.31 after
/// 12...Be7, +0.07 after 12...Nf6 (Black's view).` Figures are expected scores in the game's
/// [`Measure`], from the view of the side that moved. `before` is the position in which the move was played.
pub fn mark(before: &Subject, mark: &Mark) -> String {
    let lens = Lens {
        unit: Unit::Expected,
        viewpoint: Viewpoint::Mover,
    };
    lens.mark(before, mark)
}

impl Lens {
    /// Describes what a marked move lost like [`mark`], with the values as seen through the lens; what it lost is always
    /// in the formula's expected score, which the marks are defined by.
    pub fn mark(self, before: &Subject, mark: &Mark) -> String {
        let given = Given::by(mark.mover, before.position.turn());
        tell_mark(before, mark, self.scores(before.position.scale(), given))
    }
}

fn tell_mark(before: &Subject, mark: &Mark, scores: Scores) -> String {
    let name = |m: &MoveName| {
        let numbered = before.numbered_move(m.code);
        numbered.unwrap_or_else(|| m.san.clone())
    };
    let (played, best) = (name(&mark.played), name(&mark.best));
    let loss = &mark.loss;
    let least = if loss.at_least { "at least " } else { "" };
    format!(
        "{played} loses {least}{:.2} of expected score ({}): {} after {best}, {} after {played} ({}'s view).",
        loss.drop,
        mark.kind.name(),
        value_of(loss.before, before, &scores),
        value_of(loss.after, before, &scores),
        before.position.side_name(scores.side()),
    )
}

/// Writes a value of the measure in this position; in pawns, and in a game with a unit of its own, by its inverse.
fn value_of(chances: f32, here: &Subject, scores: &Scores) -> String {
    match scores.unit() {
        Some(Unit::Expected) => scores.mean(chances),
        _ => scores.mean(Measure::of(here.position.scale()).expected(chances)),
    }
}

/// Returns a sentence about a guess at a better move than the marked one: how good it is against the best move and
/// against the move of the game. The best move is named only if the guess is good enough. Values are seen through
/// the lens; differences are in the formula's expected score, by which marks are defined.
pub fn guess(lens: Lens, before: &Subject, mark: &Mark, guessed: &Guessed) -> String {
    let given = Given::by(mark.mover, before.position.turn());
    let scores = lens.scores(before.position.scale(), given);
    let name = |m: &MoveName| {
        let numbered = before.numbered_move(m.code);
        numbered.unwrap_or_else(|| m.san.clone())
    };
    let own = name(&guessed.guess);
    if guessed.guess.code == mark.played.code {
        return format!("{own} is the move of the game, which is marked: try another one.");
    }
    let Some(loss) = &guessed.loss else {
        return format!("{own} can't be judged: the search gives only a bound. Try another one.");
    };
    let view = before.position.side_name(scores.side());
    let value = value_of(loss.after, before, &scores);
    // The best move's value and the guess's come from searches of different positions, so a guess can seem better.
    let behind = loss.drop;
    let ahead = loss.after - mark.loss.after;
    let against = match ahead {
        a if a >= 0.005 => format!("{a:.2} better than the move of the game"),
        a if a <= -0.005 => format!("{:.2} worse than the move of the game", -a),
        _ => "no better than the move of the game".to_owned(),
    };
    if guessed.guess.code == mark.best.code {
        return format!("{own} is the best move found: {value}, {against} ({view}'s view).");
    }
    let best = name(&mark.best);
    match MarkKind::of(behind) {
        None if behind < 0.005 => {
            format!(
                "{own} is as good as {best}, the best move found: {value}, {against} ({view}'s view)."
            )
        }
        None => format!(
            "{own} is good: {value}, {behind:.2} of expected score less than {best}, the best move found, and {against} ({view}'s view)."
        ),
        Some(kind) => {
            let article = if kind == MarkKind::Inaccuracy {
                "an"
            } else {
                "a"
            };
            let least = if loss.at_least { "at least " } else { "" };
            format!(
                "{own} would be {article} {}: {value}, {least}{behind:.2} of expected score less than the best move and {against} ({view}'s view).",
                kind.name()
            )
        }
    }
}

/// Returns a sentence about where columns disagree: `After 12.Nf3: alpha-beta +0.31 (12...Be7), distress −0.12
/// (12...Nf6), 0.43 apart (White's view).` Expected scores are e = tanh(cp / 360) as everywhere else; the highest comes
/// first.
pub fn disagreement(review: &Review, at: &Disagreement) -> String {
    let mut columns: Vec<(usize, f32, String)> = review
        .columns()
        .iter()
        .enumerate()
        .filter_map(|(i, column)| {
            let found = review.result(i, at.ply)?;
            let white = found.white()?;
            let value = super::number::expected(white);
            let best = best(review.position(at.ply)?, &found);
            let name = sanitise(&column.to_string());
            Some((i, white, format!("{name} {value}{best}")))
        })
        .collect();
    columns.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let columns: Vec<String> = columns.into_iter().map(|(_, _, text)| text).collect();
    format!(
        "{}: {}, {:.2} apart ({}'s view).",
        place(review, at.ply),
        columns.join(", "),
        at.amount,
        review.side_names()[0],
    )
}

fn best(position: &Subject, found: &Found) -> String {
    let best = found.best.as_ref();
    match best.and_then(|best| position.numbered_move(best.code)) {
        Some(name) => format!(" ({name})"),
        None => String::new(),
    }
}

/// Returns `After 12.Nf3`, in games whose moves are not numbered `After move 6 (4)`, or `At the start` for the first position.
fn place(review: &Review, ply: usize) -> String {
    let last = ply.checked_sub(1);
    let name = last.and_then(|last| {
        let played = review.played(last)?;
        review.position(last)?.numbered_move(played.code)
    });
    match name {
        Some(name) if name.contains('.') => format!("After {name}"),
        Some(name) => format!("After move {ply} ({name})"),
        None if ply == 0 => "At the start".into(),
        None => format!("At ply {ply}"),
    }
}
