//! Explains the signs of a drawn tree, for the help.

use screen::pen::Pen;
use screen::theme::Role;
use tree::{FATES, kind};

/// Returns the page's lines: words with their roles.
pub fn legend(pen: &Pen) -> Vec<Vec<(String, Role)>> {
    let g = pen.glyphs;
    let [flat, upright] = g.dashed;
    let best = if g.ascii { '#' } else { '┃' };
    let cut = &FATES[usize::from(kind::SiblingProbabilisticCutoff)];
    let rows = [
        (
            format!("{}{}", g.max, g.min),
            Role::Move,
            "whose move it is in a toy tree: Max's, Min's; all values are Max's",
        ),
        (best.to_string(), Role::MoveBest, "the best line"),
        (
            format!("{}{}", g.cut, cut.letter),
            Role::FateSkipped,
            "cut off here, with the letter of the fate",
        ),
        (
            format!("{flat}{upright}"),
            Role::MoveSkipped,
            "not searched because of a cut",
        ),
        (
            "[]".to_owned(),
            Role::Window,
            "the window that the node was entered with, latest",
        ),
        (
            "n=".to_owned(),
            Role::Count,
            "visits, where the search has no windows",
        ),
        (
            g.text("…"),
            Role::TreeMark,
            "moves that are not drawn one by one, with the letters of their fates: l opens",
        ),
    ];
    let heading = vec![("A drawn tree".to_owned(), Role::Heading)];
    let rows = rows.into_iter().map(|(sign, role, what)| {
        vec![
            (format!("  {sign:<4}"), role),
            (what.to_owned(), Role::Hint),
        ]
    });
    std::iter::once(heading).chain(rows).collect()
}
