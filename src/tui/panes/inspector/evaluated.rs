//! What the static evaluation sees in the node's position: its belief, the likeliest moves, and what each piece adds.

use super::content::Content;
use shakmaty::Color;

use crate::views::facts::Numbers;
use eval::pieces::PieceWorth;
use screen::pen::Line;
use screen::theme::Role;
use session::NodeEvaluation;

/// The width of the names in front of the lines.
const NAME: usize = 10;
/// The width of one move with its share, or of one piece with its worth.
const CELL: usize = 11;
/// The number of moves that are listed.
const LIKELIEST: usize = 8;

/// Returns the lines, with the belief from the view of the figures.
pub(super) fn lines(
    found: &NodeEvaluation,
    content: &Content,
    numbers: &Numbers,
    room: usize,
) -> Vec<Line> {
    let heading = format!("static evaluation ({})", found.which.name());
    let mut lines = vec![vec![(heading, Role::Heading)]];
    let quantile = |p: f32| {
        let own = |p: f32| found.belief.quantile(p, &found.grid);
        numbers.quantile(*content.seen(own(p)..=own(1.0 - p)).start())
    };
    let belief = format!(
        "{}  {}  {} (5/50/95 %)",
        quantile(0.05),
        quantile(0.5),
        quantile(0.95)
    );
    lines.push(vec![
        (format!("{:<NAME$}", "belief"), Role::Dim),
        (belief, Role::Spread),
    ]);
    let moves = found.priors.iter().take(LIKELIEST).map(|(label, share)| {
        let label = text::sanitise(label);
        (label, text::percent(*share as f32), Role::Policy)
    });
    lines.extend(table("likeliest", moves.collect(), room));
    let what = "what each piece adds for its side, in pawns";
    lines.extend(
        text::wrap(what, room)
            .into_iter()
            .map(|line| vec![(line, Role::Dim)]),
    );
    for (name, color) in [("White", Color::White), ("Black", Color::Black)] {
        let own = found.pieces.iter().filter(|p| p.piece.color == color);
        let worths = own.filter_map(|piece| worth(piece, numbers)).collect();
        lines.extend(table(name, worths, room));
    }
    lines
}

/// Returns a piece on its square and its worth in pawns; `None` without a worth, like a king's.
fn worth(of: &PieceWorth, numbers: &Numbers) -> Option<(String, String, Role)> {
    let name = format!("{}{}", of.piece.role.upper_char(), of.square);
    Some((name, numbers.worth(of.worth?), Role::Count))
}

/// Returns pairs in as many columns as fit, with a name in front of the first line.
fn table(name: &str, cells: Vec<(String, String, Role)>, room: usize) -> Vec<Line> {
    let columns = (room.saturating_sub(NAME) / CELL).max(1);
    cells
        .chunks(columns)
        .enumerate()
        .map(|(i, chunk)| {
            let name = if i == 0 { name } else { "" };
            let mut line = vec![(format!("{name:<NAME$}"), Role::Dim)];
            for (what, value, role) in chunk {
                line.push((format!("{what:<4} "), Role::Move));
                let left = CELL.saturating_sub(text::width(what).max(4) + 1);
                line.push((format!("{value:<left$}"), *role));
            }
            line
        })
        .collect()
}
