//! Explains what the Game tab shows, for the help.

use screen::pen::{Line, Pen};
use screen::theme::Role;
use studies::review::{MarkKind, Measure};

pub fn legend(pen: &Pen, width: usize) -> Vec<Line> {
    let marks: Vec<String> = MarkKind::ALL
        .iter()
        .map(|k| format!("{} {} from {}", k.sign(), k.name(), text::spread(k.least())))
        .collect();
    let marks = format!(
        "by the drop in expected score that the judging column sees, from the mover's view: {}; in chess as lichess counts, {}",
        marks.join(", "),
        Measure::Lichess.words()
    );
    let star = pen.glyphs.best;
    let words: [(&str, Role, String); 6] = [
        (
            "A B C D",
            Role::ColumnA,
            format!("the columns of the review: their curves, letters and colours; {star} and underlined: the judge"),
        ),
        (
            "curve",
            Role::ColumnB,
            "the score after each move, from the view of White, or of whoever has White's place: at the top White wins, at the bottom Black".to_owned(),
        ),
        (
            "dots",
            Role::ColumnC,
            "10 to 90 % of the column's belief, where it has one".to_owned(),
        ),
        (
            "gray",
            Role::Dim,
            "the evaluations that stand in the file".to_owned(),
        ),
        ("?! ? ??", Role::Warning, marks),
        (
            "apart",
            Role::Disagree,
            "in the list below: highest less lowest expected score, and each column's best move".to_owned(),
        ),
    ];
    let mut lines: Vec<Line> = vec![vec![("The Game tab".to_owned(), Role::Heading)]];
    for (name, role, what) in words {
        let parts = text::wrap(&what, width.saturating_sub(10));
        for (n, part) in parts.into_iter().enumerate() {
            let name = if n == 0 { name } else { "" };
            lines.push(vec![(format!("  {name:<7} "), role), (part, Role::Hint)]);
        }
    }
    lines
}
