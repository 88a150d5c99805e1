//! Draws the board of any game that has one: cells with a piece each, and the moves that are shown there.

use ratatui::layout::Rect;

use super::BoardTarget;
use super::scene::Scene;
use super::squares::Squares;
use game::{Board, Piece, Side};
use screen::pen::Pen;
use screen::theme::Role;

/// Draws the largest cells that fit, with their labels and marks. The columns' names stand below the cells or, if that takes a row
/// too many, on the lower line of the frame.
pub(super) fn draw(pen: &mut Pen, inner: Rect, board: &Board, scene: &Scene, is_framed: bool) {
    let width = board.cells.first().map_or(0, Vec::len) as u16;
    let height = board.cells.len() as u16;
    let label = board.rows.iter().map(|name| text::width(name)).max();
    let left = label.map_or(0, |width| width as u16 + 1);
    let below = u16::from(!board.columns.is_empty());
    let fits = |s: &Squares| {
        left + width * s.width <= inner.width && height * s.height + below <= inner.height
    };
    let size = Squares::SIZES.into_iter().find(fits);
    let size = size.unwrap_or(Squares::SMALLEST);
    let x0 = inner.x + left + inner.width.saturating_sub(left + width * size.width) / 2;
    let best = pen.glyphs.best;
    for (row, cells) in board.cells.iter().enumerate() {
        let y = inner.y + row as u16 * size.height;
        if let Some(name) = board.rows.get(row) {
            let x = x0.saturating_sub(left);
            pen.put(x, y + size.height / 2, x0, name, Role::BoardLabel);
        }
        for (column, piece) in cells.iter().enumerate() {
            let cell = Rect {
                x: x0 + column as u16 * size.width,
                y,
                width: size.width,
                height: size.height,
            }
            .intersection(inner);
            let here = (column, row);
            let mark = scene.marks.iter().find(|(at, _)| *at == here);
            let over = match mark.map(|(_, meaning)| meaning.square()) {
                Some(Some(role)) => role,
                _ if scene.last_cell == Some(here) => Role::BoardLast,
                _ if (column + row) % 2 == 0 => Role::BoardLight,
                _ => Role::BoardDark,
            };
            let style = pen.style(Role::Text).patch(pen.style(over));
            pen.clear(cell, style);
            let noted = scene.noted.iter().find(|(at, _)| *at == here);
            let (sign, role) = match (piece, mark, noted) {
                (Some(piece), ..) => (drawn(piece, pen), role_of(piece)),
                (None, Some((_, meaning)), _) => (meaning.sign(best), meaning.role()),
                (None, None, Some((_, sign))) => (plain(*sign, pen), Role::BoardLabel),
                (None, None, None) => (pen.glyphs.dot, over),
            };
            let (x, y) = (
                cell.x + cell.width.saturating_sub(1) / 2,
                cell.y + cell.height / 2,
            );
            if cell.area() > 0 {
                pen.char(x, y, sign, style.patch(pen.style(role)));
            }
            // Beside a stone, since both are to be seen.
            if let (Some(piece), Some((_, sign))) = (piece, noted)
                && x + 1 < cell.right()
            {
                let style = style.patch(pen.style(role_of(piece)));
                pen.char(x + 1, y, plain(*sign, pen), style);
            }
            if scene.plays {
                pen.region(cell, BoardTarget::Cell(here));
            }
        }
    }
    let y = inner.y + height * size.height;
    for (column, name) in board
        .columns
        .iter()
        .enumerate()
        .filter(|_| y < inner.bottom() + u16::from(is_framed))
    {
        let x = x0 + column as u16 * size.width + (size.width - 1) / 2;
        pen.put(x, y, inner.right(), name, Role::BoardLabel);
    }
}

fn role_of(piece: &Piece) -> Role {
    match piece.side {
        Side::White => Role::PieceWhite,
        Side::Black => Role::PieceBlack,
    }
}

fn drawn(piece: &Piece, pen: &Pen) -> char {
    match piece.side {
        _ if !pen.glyphs.ascii || piece.sign.is_ascii() => piece.sign,
        Side::White => 'O',
        Side::Black => 'X',
    }
}

/// A sign of a file, in what the terminal can show.
fn plain(sign: char, pen: &Pen) -> char {
    if !pen.glyphs.ascii || sign.is_ascii() {
        return sign;
    }
    match sign {
        '△' => '^',
        '□' => '#',
        '○' => 'o',
        '×' => 'x',
        _ => '*',
    }
}
