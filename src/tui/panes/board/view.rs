//! Draws a chessboard: squares, pieces, arrows, and the bar of the evaluation.

use ratatui::layout::Rect;
use ratatui::style::{Color as Colour, Modifier, Style};
use shakmaty::{Board, Color, Position as _, Role as Piece, Square};

use super::arrow::{self, Arrow, Meaning};
use super::raster::Raster;
use super::scene::{Scene, Worth};
use super::squares::{Grid, Squares};
use super::{BoardTarget, sprite};
use crate::context::Context;
use game::ChessPosition;
use screen::pen::Pen;
use screen::theme::{Pieces, Role};

/// Draws the squares with what is on them, the labels and the bar.
pub(super) fn draw_chess(
    cx: &Context,
    pen: &mut Pen,
    (inner, size): (Rect, Squares),
    position: &ChessPosition,
    scene: &Scene,
) {
    let grid = Grid::new(inner, size, cx.explore.flipped);
    draw_labels(pen, inner, &grid);
    draw_squares(pen, &grid, position, scene);
    if scene.plays {
        for square in Square::ALL {
            pen.region(grid.cell(square), BoardTarget::Square(square));
        }
    }
    if let Some(worth) = &scene.worth {
        draw_bar(pen, inner, &grid, worth);
    }
}

pub(crate) fn draw_labels(pen: &mut Pen, inner: Rect, grid: &Grid) {
    for i in 0..8 {
        let square = grid.seen(i, i);
        let cell = grid.cell(square);
        let rank = square.rank().char().to_string();
        let y = cell.y + cell.height / 2;
        pen.put(grid.left - 2, y, inner.right(), &rank, Role::BoardLabel);
        let file = square.file().char().to_string();
        let x = cell.x + (cell.width - 1) / 2;
        pen.put(
            x,
            grid.area().bottom(),
            inner.right(),
            &file,
            Role::BoardLabel,
        );
    }
}

/// Draws the pieces of a board that need not be a legal position, with one square marked.
pub(crate) fn draw_pieces(pen: &mut Pen, grid: &Grid, board: &Board, marked: Square) {
    let mut raster = Raster::new(grid);
    let pictures = has_pictures(pen, grid.size);
    for square in Square::ALL {
        let over = match square == marked {
            true => Role::BoardSelected,
            false => base(square),
        };
        let style = pen.style(base(square)).patch(pen.style(over));
        draw_square(pen, (grid, pictures), &mut raster, (square, style), board);
    }
    raster.draw(pen, grid);
}

/// Draws a square and its piece, which becomes pixels of the raster where it is a picture.
fn draw_square(
    pen: &mut Pen,
    (grid, pictures): (&Grid, bool),
    raster: &mut Raster,
    (square, style): (Square, Style),
    board: &Board,
) {
    let cell = grid.cell(square);
    let style = pen.style(Role::Text).patch(style);
    pen.clear(cell, style);
    match board.piece_at(square) {
        Some(piece) if pictures => {
            let (left, top) = corner(grid, square);
            sprite::stamp(raster, left, top, grid.size, piece);
        }
        Some(piece) => draw_letter(pen, cell, style, piece),
        None => mark_dark(pen, cell, style, square),
    }
}

fn base(square: Square) -> Role {
    match square.is_light() {
        true => Role::BoardLight,
        false => Role::BoardDark,
    }
}

fn draw_squares(pen: &mut Pen, grid: &Grid, position: &ChessPosition, scene: &Scene) {
    let pictures = has_pictures(pen, grid.size);
    let mut raster = Raster::new(grid);
    for square in Square::ALL {
        let style = ground(pen, square, position, scene);
        let board = position.chess().board();
        draw_square(pen, (grid, pictures), &mut raster, (square, style), board);
    }
    if !pictures {
        draw_marks(pen, grid, scene);
        return;
    }
    for (arrow, _) in &scene.arrows {
        arrow::stamp(&mut raster, grid, *arrow);
    }
    for &square in targets(scene) {
        // A dot in the middle of each square that the piece can go to.
        let (left, top) = corner(grid, square);
        let (x, y) = (
            left + usize::from(grid.size.width) - 1,
            top + usize::from(grid.size.height) - 1,
        );
        for (x, y) in [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)] {
            raster.set(x, y, Role::ArrowSelected);
        }
    }
    raster.draw(pen, grid);
    for (arrow, _) in &scene.arrows {
        if let Some((x, y)) = arrow::sign_at(&raster, grid, *arrow) {
            let sign = arrow.meaning.sign(pen.glyphs.best);
            pen.char(x, y, sign, sign_style(pen, arrow.meaning));
        }
    }
}

/// Returns the style of the sign on an arrow, which is also beside its name: dark on the arrow's colour.
fn sign_style(pen: &Pen, meaning: Meaning) -> Style {
    let style = pen.style(meaning.role());
    match pen.style(Role::PieceWhiteEdge).fg {
        Some(dark) if style.fg.is_some() => Style {
            fg: Some(dark),
            bg: style.fg,
            ..Style::default()
        }
        .add_modifier(Modifier::BOLD),
        _ => style,
    }
}

fn targets(scene: &Scene) -> &[Square] {
    scene.picked.as_ref().map_or(&[], |(_, to)| to)
}

/// Returns the upper left pixel of a square.
fn corner(grid: &Grid, square: Square) -> (usize, usize) {
    let (column, row) = grid.place(square);
    (
        2 * usize::from(column * grid.size.width),
        2 * usize::from(row * grid.size.height),
    )
}

/// Whether pieces and arrows are drawn as pictures: the squares are large enough, and the terminal has colours in which
/// pieces differ from squares and from each other.
fn has_pictures(pen: &Pen, size: Squares) -> bool {
    let ground = |role| pen.style(role).bg.filter(|c| *c != Colour::Reset);
    let ink = |role| pen.style(role).fg.filter(|c| *c != Colour::Reset);
    let squares = [ground(Role::BoardLight), ground(Role::BoardDark)];
    let pieces = [ink(Role::PieceWhite), ink(Role::PieceBlack)];
    let differ = |a: &[Option<Colour>], b: &[Option<Colour>]| a.iter().all(|a| !b.contains(a));
    !pen.glyphs.ascii
        && sprite::has_size(size)
        && squares.iter().chain(&pieces).all(Option::is_some)
        && differ(&pieces, &squares)
        && differ(&squares[..1], &squares[1..])
        && differ(&pieces[..1], &pieces[1..])
}

/// Returns the style of a square.
fn ground(pen: &Pen, square: Square, position: &ChessPosition, scene: &Scene) -> Style {
    let base = base(square);
    let of = |meaning: Meaning| {
        let mut arrows = scene.arrows.iter().map(|(arrow, _)| arrow);
        arrows.any(|a| a.meaning == meaning && [a.from, a.to].contains(&square))
    };
    let chess = position.chess();
    let checked = chess.is_check() && chess.board().king_of(chess.turn()) == Some(square);
    let last = scene
        .last
        .as_ref()
        .is_some_and(|(s, _)| s.contains(&square));
    let picked = scene
        .picked
        .as_ref()
        .is_some_and(|(from, _)| *from == square);
    let over = if picked || of(Meaning::Selected) {
        Role::BoardSelected
    } else if of(Meaning::Threat) {
        Role::BoardThreat
    } else if of(Meaning::Best) {
        Role::BoardBest
    } else if checked {
        Role::BoardCheck
    } else if last {
        Role::BoardLast
    } else {
        base
    };
    pen.style(base).patch(pen.style(over))
}

/// Marks a dark square where squares have no colour of their own.
fn mark_dark(pen: &mut Pen, cell: Rect, style: Style, square: Square) {
    let colourless = style.bg.is_none_or(|c| c == Colour::Reset);
    if colourless && square.is_dark() && !style.add_modifier.contains(Modifier::REVERSED) {
        let (x, y) = middle(cell);
        pen.char(x, y, pen.glyphs.dot, style);
    }
}

fn middle(cell: Rect) -> (u16, u16) {
    (cell.x + (cell.width - 1) / 2, cell.y + cell.height / 2)
}

fn draw_letter(pen: &mut Pen, cell: Rect, style: Style, piece: shakmaty::Piece) {
    let role = match piece.color {
        Color::White => Role::PieceWhite,
        Color::Black => Role::PieceBlack,
    };
    let sign = letter(pen, piece);
    let (x, y) = middle(cell);
    pen.char(x, y, sign, style.patch(pen.style(role)));
}

/// Marks the squares of moves beside their pieces, where there are no arrows: the sign of the move on both of its squares.
fn draw_marks(pen: &mut Pen, grid: &Grid, scene: &Scene) {
    let best = pen.glyphs.best;
    let mut put = |square: Square, sign: char, role: Role| {
        let (x, y) = middle(grid.cell(square));
        // No background: that of the square stays.
        let style = Style {
            fg: pen.style(role).fg,
            ..Style::default()
        };
        pen.char(x + 1, y, sign, style.add_modifier(Modifier::BOLD));
    };
    if let Some((squares, _)) = &scene.last {
        for &square in squares {
            put(square, '\'', Role::Text);
        }
    }
    for (Arrow { from, to, meaning }, _) in &scene.arrows {
        let sign = meaning.sign(best);
        put(*to, sign, meaning.role());
        if !matches!(meaning, Meaning::Later(_)) {
            put(*from, sign, meaning.role());
        }
    }
    for &square in targets(scene) {
        put(square, 'o', Role::ArrowSelected);
    }
}

/// Returns the character of a piece.
pub(crate) fn letter(pen: &Pen, piece: shakmaty::Piece) -> char {
    if pen.glyphs.ascii {
        return piece.char();
    }
    let outlined = piece.color == Color::White && pen.theme.pieces == Pieces::Outlined;
    match (piece.role, outlined) {
        (Piece::Pawn, false) => '♟',
        (Piece::Knight, false) => '♞',
        (Piece::Bishop, false) => '♝',
        (Piece::Rook, false) => '♜',
        (Piece::Queen, false) => '♛',
        (Piece::King, false) => '♚',
        (Piece::Pawn, true) => '♙',
        (Piece::Knight, true) => '♘',
        (Piece::Bishop, true) => '♗',
        (Piece::Rook, true) => '♖',
        (Piece::Queen, true) => '♕',
        (Piece::King, true) => '♔',
    }
}

/// Draws White's share of the bar from White's side of the board.
fn draw_bar(pen: &mut Pen, inner: Rect, grid: &Grid, worth: &Worth) {
    const EIGHTHS: [char; 8] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇'];
    let area = grid.area();
    let room = inner.right().saturating_sub(area.right());
    if room == 0 {
        return;
    }
    let (x, width) = match room {
        1 => (area.right(), 1),
        2 => (area.right() + 1, 1),
        _ => (area.right() + 1, 2),
    };
    let style = pen.style(Role::BoardBar);
    let coloured = style.bg.is_some_and(|c| c != Colour::Reset) && !pen.glyphs.ascii;
    let eighths = (worth.share * f32::from(area.height) * 8.0).round() as u16;
    for row in 0..area.height {
        // From the bottom of the screen, where White is unless the board is flipped.
        let (from_bottom, flipped) = (area.height - 1 - row, grid.flipped);
        let from_white = if flipped { row } else { from_bottom };
        let filled = eighths.saturating_sub(8 * from_white).min(8);
        let (sign, style) = if !coloured {
            let white = filled >= 4;
            let signs = if pen.glyphs.ascii {
                ['.', '#']
            } else {
                ['░', '█']
            };
            (signs[usize::from(white)], style)
        } else if filled == 8 {
            ('█', style)
        } else if !flipped {
            (EIGHTHS[usize::from(filled)], style)
        } else {
            // Filled from above: the rest is drawn instead.
            let turned = Style {
                fg: style.bg,
                bg: style.fg,
                ..style
            };
            match filled {
                0 => (' ', style),
                part => (EIGHTHS[usize::from(8 - part)], turned),
            }
        };
        for x in x..x + width {
            pen.char(x, area.y + row, sign, style);
        }
    }
}

/// Writes on the lower edge of the frame what the arrows stand for, and what the position is worth.
pub(super) fn draw_notes(pen: &mut Pen, frame: Rect, scene: &Scene) {
    if frame.width < 8 || frame.height < 2 {
        return;
    }
    let y = frame.bottom() - 1;
    let mut end = frame.right() - 2;
    if let Some(worth) = &scene.worth {
        pen.frame_note(frame, y, &worth.text, Role::Title);
        end -= text::width(&worth.text) as u16 + 2;
    }
    let mut x = frame.x + 2;
    // The order of play: the first moves first, then what follows each of them.
    let mut arrows: Vec<_> = scene.arrows.iter().collect();
    arrows.sort_by_key(|(arrow, _)| match arrow.meaning {
        Meaning::Best => 0,
        Meaning::Selected => 1,
        Meaning::Later(ply) => u16::from(ply),
        Meaning::Threat => 100,
    });
    for (arrow, name) in arrows {
        let sign = arrow.meaning.sign(pen.glyphs.best);
        let name = pen.glyphs.text(&text::sanitise(name));
        let width = text::width(&name) as u16 + 4;
        if x + width > end {
            continue;
        }
        x = pen.put(x, y, end, " ", Role::Border);
        let style = sign_style(pen, arrow.meaning);
        x = pen.text(x, y, end, sign.encode_utf8(&mut [0; 4]), style);
        x = pen.put(x, y, end, " ", Role::Border);
        x = pen.put(x, y, end, &format!("{name} "), Role::Title) - 1;
    }
}
