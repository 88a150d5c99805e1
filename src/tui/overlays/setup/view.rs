//! Draws the editor of positions.

use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use shakmaty::{Color, Piece, Role as Kind, Square};

use super::{Field, Part, SetUp};
use crate::panes::board::{Grid, Squares, view as board};
use crate::views::{popup, popup_area};
use screen::pen::Pen;
use screen::theme::Role;

/// The columns beside the board.
const BESIDE: u16 = 39;

/// Draws the editor: the board, and beside it what else belongs to a position.
pub fn draw(pen: &mut Pen, area: Rect, setup: &SetUp) {
    let sizes = Squares::SIZES.into_iter();
    let frame = |s: Squares| (s.frame().0 + BESIDE, s.frame().1.max(20) + 1);
    let fits = |s: &Squares| frame(*s).0 + 2 <= area.width && frame(*s).1 < area.height;
    let size = sizes.clone().find(fits).unwrap_or(Squares::SMALLEST);
    let (width, height) = frame(size);
    let rect = popup_area(area, width, height);
    let inner = popup(pen, rect, "set up a position");
    let (board_width, _) = size.frame();
    let left = Rect {
        width: board_width.min(inner.width),
        ..inner
    };
    draw_board(pen, left, size, setup);
    let right = Rect {
        x: left.right(),
        width: inner.right().saturating_sub(left.right() + 1),
        height: inner.height.saturating_sub(2),
        ..inner
    };
    draw_fields(pen, right, setup);
    draw_bottom(pen, inner, setup);
}

fn draw_board(pen: &mut Pen, area: Rect, size: Squares, setup: &SetUp) {
    let grid = Grid::new(area, size, setup.flipped);
    board::draw_labels(pen, area, &grid);
    board::draw_pieces(pen, &grid, &setup.board, setup.cursor);
    for square in Square::ALL {
        pen.region(grid.cell(square), Part::Square(square));
    }
    // The cursor is a pair of brackets around the middle of its square, which needs no colour.
    if setup.field.is_none() {
        let cell = grid.cell(setup.cursor);
        let y = cell.y + cell.height / 2;
        let style = Style {
            fg: pen.style(Role::ArrowSelected).fg,
            ..Style::default()
        };
        let style = style.add_modifier(Modifier::BOLD);
        if cell.width > 2 {
            pen.char(cell.x, y, '[', style);
        }
        pen.char(cell.right() - 1, y, ']', style);
    }
}

/// Returns what a field says.
fn value_of(setup: &SetUp, field: Field) -> String {
    match field {
        Field::Turn => setup.turn.fold_wb("White", "Black").to_owned(),
        Field::Castling(color, king_side) => {
            let right = setup.castling[super::right_of(color, king_side)];
            if right { "yes" } else { "no" }.to_owned()
        }
        Field::EnPassant => setup
            .en_passant
            .map_or("none".to_owned(), |file| format!("{}-file", file.char())),
        Field::Clock => setup.clock.to_string(),
        Field::Number => setup.number.to_string(),
    }
}

fn name_of(field: Field) -> &'static str {
    match field {
        Field::Turn => "side to move",
        Field::Castling(Color::White, true) => "White castles O-O",
        Field::Castling(Color::White, false) => "White castles O-O-O",
        Field::Castling(Color::Black, true) => "Black castles O-O",
        Field::Castling(Color::Black, false) => "Black castles O-O-O",
        Field::EnPassant => "en passant on",
        Field::Clock => "half-move clock",
        Field::Number => "move number",
    }
}

fn draw_fields(pen: &mut Pen, area: Rect, setup: &SetUp) {
    let end = area.right();
    let mut y = area.y;
    for field in Field::ALL {
        let line = Rect {
            y,
            height: 1,
            ..area
        };
        let selected = setup.field == Some(field);
        if selected {
            let style = pen.style(Role::Selection);
            pen.tint(line, style);
            pen.char(area.x, y, pen.glyphs.closed, style);
        }
        pen.put(area.x + 2, y, end, name_of(field), Role::Text);
        let value = value_of(setup, field);
        pen.put(area.x + 24, y, end, &value, Role::Heading);
        pen.region(line, Part::Field(field));
        y += 1;
    }
    y += 1;
    draw_palette(pen, Rect { y, ..area }, setup);
    y += 3;
    for words in [
        "KQRBNP place White's pieces, kqrbnp",
        "Black's; Delete takes one away.",
        "Arrows move, Tab goes to the fields.",
    ] {
        pen.put(area.x, y, end, words, Role::Hint);
        y += 1;
    }
    let mut x = area.x;
    for (key, name, part) in [
        ("c", "clear", Part::Clear),
        ("s", "start position", Part::Start),
        ("f", "flip", Part::Flip),
    ] {
        x = draw_button(pen, (x, y, end), key, name, part);
    }
}

/// Draws the pieces to click: a row of White's, a row of Black's.
fn draw_palette(pen: &mut Pen, area: Rect, setup: &SetUp) {
    for (row, color) in [Color::White, Color::Black].into_iter().enumerate() {
        let y = area.y + row as u16;
        let brushes = Kind::ALL.into_iter().rev();
        let mut brushes: Vec<_> = brushes.map(|role| Some(Piece { color, role })).collect();
        if row == 0 {
            brushes.push(None);
        }
        for (i, brush) in brushes.into_iter().enumerate() {
            let cell = Rect {
                x: area.x + 4 * i as u16,
                y,
                width: if brush.is_some() { 3 } else { 10 },
                height: 1,
            };
            if cell.right() > area.right() {
                break;
            }
            let chosen = setup.brush == Some(brush);
            let (ground, words) = match brush {
                Some(piece) => (Role::BoardDark, board::letter(pen, piece).to_string()),
                None => (Role::Popup, "take away".to_owned()),
            };
            let role = match brush.map(|p| p.color) {
                Some(Color::White) => Role::PieceWhite,
                Some(Color::Black) => Role::PieceBlack,
                None => Role::Hint,
            };
            let ground = match chosen {
                true if brush.is_some() => Role::BoardSelected,
                true => Role::Selection,
                false => ground,
            };
            let style = pen.style(Role::Text).patch(pen.style(ground));
            pen.clear(cell, style);
            let words = match chosen {
                true => format!("[{words}]"),
                false => format!(" {words}"),
            };
            pen.text(cell.x, y, area.right(), &words, pen.style(role));
            pen.region(cell, Part::Brush(brush));
        }
    }
}

/// Draws the FEN or what is wrong with the position, and the keys that end the editor.
fn draw_bottom(pen: &mut Pen, inner: Rect, setup: &SetUp) {
    let room = usize::from(inner.width.saturating_sub(2));
    let y = inner.bottom().saturating_sub(2);
    let (words, role) = match setup.fault.is_empty() {
        true => (setup.fen(), Role::Dim),
        false => (format!("not possible: {}", setup.fault), Role::Error),
    };
    let words = text::fit(&pen.glyphs.text(&words), room, pen.glyphs.ellipsis);
    pen.put(inner.x + 1, y, inner.right(), &words, role);
    let mut x = inner.x + 1;
    for (key, name, part) in [
        ("Enter", "open", Part::Open),
        ("Esc", "cancel", Part::Cancel),
    ] {
        x = draw_button(pen, (x, y + 1, inner.right()), key, name, part);
    }
}

fn draw_button(
    pen: &mut Pen,
    (x, y, end): (u16, u16, u16),
    key: &str,
    name: &str,
    part: Part,
) -> u16 {
    let after = pen.put(x, y, end, key, Role::Key);
    let after = pen.put(after, y, end, &format!(" {name}"), Role::Hint);
    let area = Rect {
        x,
        y,
        width: after - x,
        height: 1,
    };
    pen.region(area, part);
    after + 2
}
