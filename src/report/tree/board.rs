//! Boards on a page: the squares once, and for each position its pieces.

use chart::svg::{self, Element};
use game::{Board, Piece, Side};

/// The edge of a square, and the room for the names of rows and columns.
const SQUARE: f64 = 20.0;
const EDGE: f64 = 14.0;

/// Returns the squares with the names of rows and columns, as a definition that every board uses.
pub fn squares(board: &Board) -> Element {
    let mut group = Element::new("g").with("id", "squares");
    for (row, cells) in board.cells.iter().enumerate() {
        for column in 0..cells.len() {
            let class = match (row + column) % 2 {
                0 => "light",
                _ => "dark",
            };
            group.add(svg::rect(corner(column, row), (SQUARE, SQUARE)).with("class", class));
        }
    }
    let name = |x: f64, y: f64, name: &String| svg::text((x, y), name).with("class", "name");
    for (i, row) in board.rows.iter().enumerate() {
        group.add(name(0.45 * EDGE, (i as f64 + 0.7) * SQUARE, row));
    }
    let bottom = board.cells.len() as f64 * SQUARE + 0.85 * EDGE;
    for (i, column) in board.columns.iter().enumerate() {
        group.add(name(EDGE + (i as f64 + 0.5) * SQUARE, bottom, column));
    }
    let mut definitions = Element::new("defs");
    definitions.add(group);
    let mut drawing = svg::inline((0.0, 0.0)).with("class", "definitions");
    drawing.add(definitions);
    drawing
}

/// Draws a board over the squares. The cells that are not as they were `before` are marked: they are those of the last move.
pub fn drawn(board: &Board, before: Option<&Board>) -> Element {
    let rows = board.cells.len();
    let columns = board.cells.iter().map(Vec::len).max().unwrap_or(0);
    let size = (EDGE + columns as f64 * SQUARE, EDGE + rows as f64 * SQUARE);
    let mut drawing = svg::inline(size).with("class", "board");
    drawing.add(Element::new("use").with("href", "#squares"));
    for (row, cells) in board.cells.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            let former = before.and_then(|b| b.cells.get(row)?.get(column));
            if former.is_some_and(|former| former != cell) {
                let moved = svg::rect(corner(column, row), (SQUARE, SQUARE));
                drawing.add(moved.with("class", "moved"));
            }
            if let Some(piece) = cell {
                let (x, y) = corner(column, row);
                let place = (x + SQUARE / 2.0, y + 0.82 * SQUARE);
                drawing.add(drawn_piece(piece, place));
            }
        }
    }
    drawing
}

fn corner(column: usize, row: usize) -> svg::Pair {
    (EDGE + column as f64 * SQUARE, row as f64 * SQUARE)
}

/// Draws a piece. The pieces of both sides in chess have the full shape, which is drawn in the colour of its side.
fn drawn_piece(piece: &Piece, place: svg::Pair) -> Element {
    let full = match piece.sign {
        sign @ '♔'..='♙' => char::from_u32(sign as u32 + 6).unwrap_or(sign),
        sign => sign,
    };
    // Without the selector a pawn may become a picture of its own colours.
    let sign = match full {
        '♚'..='♟' => format!("{full}\u{FE0E}"),
        other => other.to_string(),
    };
    let class = match piece.side {
        Side::White => "white",
        Side::Black => "black",
    };
    svg::text(place, &sign).with("class", class)
}
