//! The board: the position of the search or of the node shown on it; for a toy tree, the place in the tree.

use crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use shakmaty::{Color, File, Move, Position as _, Rank, Role as Piece, Square};

use crate::engine::Subject;
use crate::game::{ChessPosition, Game, MoveCode, ToyPosition};
use crate::tree::Tree;
use crate::tui::app::{App, Pane, Target};
use crate::tui::component::{Component, Event, Handled};
use crate::tui::pen::Pen;
use crate::tui::text;
use crate::tui::theme::{Pieces, Role};
use crate::tui::views::has_keyboard;

/// The size of a square of the board in cells. A square is about twice as wide as high in cells, so that it looks
/// square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Squares {
    pub width: u16,
    pub height: u16,
}

impl Squares {
    pub(in crate::tui) const SIZES: [Squares; 3] = [
        Squares {
            width: 6,
            height: 3,
        },
        Squares {
            width: 4,
            height: 2,
        },
        Squares {
            width: 2,
            height: 1,
        },
    ];

    /// Returns the size of the board in cells: the frame, eight squares and the labels.
    pub fn frame(self) -> (u16, u16) {
        (8 * self.width + 2 + 2 + 1, 8 * self.height + 1 + 2)
    }

    /// Returns the squares of a board in an area: the largest that fit.
    fn of(area: Rect) -> Squares {
        Self::fitting(area.width, area.height).unwrap_or(Self::SIZES[2])
    }

    /// Returns the largest squares that fit, if any do.
    pub(in crate::tui) fn fitting(width: u16, height: u16) -> Option<Squares> {
        Self::SIZES.into_iter().find(|s| {
            let (w, h) = s.frame();
            w <= width && h <= height
        })
    }
}

/// What is on the board: the position, the move that led to it, and the selected row's move from it.
struct Scene {
    subject: Subject,
    last: Option<[Square; 2]>,
    selected: Option<MoveCode>,
    /// Whether it stays on the board whatever is selected.
    kept: bool,
}

/// The board pane: the position of the search, and the game's moves from there.
#[derive(Debug)]
pub struct BoardPane;

impl Component for BoardPane {
    fn title(&self) -> &'static str {
        "board"
    }

    fn draw(&self, app: &App, pen: &mut Pen, area: Rect) {
        draw_scene(app, pen, area, &scene(app));
    }

    fn handle(&self, app: &mut App, event: Event) -> Handled {
        match event {
            Event::Key(key, count) => {
                let n = count as isize;
                let left = key.is(KeyCode::Char('h')) || key.is(KeyCode::Left);
                let right = key.is(KeyCode::Char('l')) || key.is(KeyCode::Right);
                if left || right {
                    app.walk_game(if right { n } else { -n });
                }
                Handled::when(left || right)
            }
            Event::Click(Target::Ply(ply), _) => {
                app.go_to_ply(ply);
                Handled::Yes
            }
            // There is nothing to scroll.
            Event::Wheel(Some(Target::Pane(Pane::Board) | Target::Ply(_)), _) => Handled::Yes,
            _ => Handled::No,
        }
    }

    fn hints(&self, _: &App) -> Vec<&'static str> {
        vec![
            "next-move",
            "next-pane",
            "previous-move",
            "flip",
            "copy-fen",
            "search-here",
        ]
    }
}

/// Draws the place in the game, with `selected` as the selected move.
pub fn draw_place(app: &App, pen: &mut Pen, area: Rect, selected: Option<MoveCode>) {
    let scene = Scene {
        subject: app.subject.clone(),
        last: last_of_game(app),
        selected,
        kept: false,
    };
    draw_scene(app, pen, area, &scene);
}

fn draw_scene(app: &App, pen: &mut Pen, area: Rect, scene: &Scene) {
    let squares = Squares::of(area);
    let focused = has_keyboard(app, Pane::Board);
    pen.region(area, Target::Pane(Pane::Board));
    let title = title(scene, usize::from(area.width.saturating_sub(6)));
    let inner = pen.frame(area, &title, focused);
    draw_inner(app, pen, inner, squares, scene);
}

/// Draws a position on its own, with the move that led to it.
pub(in crate::tui) fn draw_position(
    app: &App,
    pen: &mut Pen,
    area: Rect,
    (subject, last): (Subject, Option<(Subject, MoveCode)>),
) {
    let scene = Scene {
        last: last.and_then(|(before, code)| move_squares(Some(&before), code)),
        subject,
        selected: None,
        kept: false,
    };
    let squares = Squares::of(area);
    let title = title(&scene, usize::from(area.width.saturating_sub(6)));
    let inner = pen.frame(area, &title, false);
    draw_inner(app, pen, inner, squares, &scene);
}

fn draw_inner(app: &App, pen: &mut Pen, inner: Rect, squares: Squares, scene: &Scene) {
    let position = &scene.subject.position;
    if let Some(chess) = position.as_chess() {
        draw_chess(app, pen, inner, squares, chess, scene);
    } else if let Some(toy) = position.as_toy() {
        draw_toy(pen, inner, toy, scene.selected);
    }
}

fn scene(app: &App) -> Scene {
    let fallback = || Scene {
        subject: app.subject.clone(),
        last: last_of_game(app),
        selected: None,
        kept: false,
    };
    let Some((row, reader)) = app.selected() else {
        return fallback();
    };
    let followed = if row.parent.is_none() {
        Tree::ROOT
    } else {
        row.parent
    };
    let shown = app.explore.board_node.unwrap_or(followed);
    let Some(subject) = reader.situation(shown) else {
        return fallback();
    };
    // The move from the shown position towards the selected row, if there is one.
    let mut selected = (row.parent == shown).then_some(row.code);
    let mut at = row.parent;
    while selected.is_none() && !at.is_none() {
        let node = reader.tree.node(at);
        if node.parent() == shown && at != Tree::ROOT {
            selected = Some(node.move_code());
        }
        at = node.parent();
    }
    let last = if shown == Tree::ROOT {
        last_of_game(app)
    } else {
        let node = reader.tree.node(shown);
        move_squares(reader.situation(node.parent()).as_ref(), node.move_code())
    };
    Scene {
        subject,
        last,
        selected,
        kept: app.explore.board_node.is_some(),
    }
}

/// Returns the squares of the game's move that led to the searched position.
fn last_of_game(app: &App) -> Option<[Square; 2]> {
    if app.detour.is_some() {
        return None;
    }
    let (before, code) = app.current.move_to(app.node)?;
    move_squares(Some(&before), code)
}

fn move_squares(before: Option<&Subject>, code: MoveCode) -> Option<[Square; 2]> {
    let position = before?.position.as_chess()?;
    position.decode(code).map(squares_of)
}

/// Returns the squares from which and to which a move goes; for castling, those of the king.
fn squares_of(m: Move) -> [Square; 2] {
    match m {
        Move::Castle { king, rook } => {
            let side = shakmaty::CastlingSide::from_queen_side(rook < king);
            [king, Square::from_coords(side.king_to_file(), king.rank())]
        }
        _ => [m.from().unwrap_or(m.to()), m.to()],
    }
}

/// Returns who is to move, with the number of the move if there is room.
fn title(scene: &Scene, room: usize) -> String {
    let here = if scene.kept { " (kept)" } else { "" };
    let position = &scene.subject.position;
    let side = position.side_name(position.turn());
    let Some(chess) = position.as_chess().map(ChessPosition::chess) else {
        return format!("{side} to move{here}");
    };
    let check = if chess.is_checkmate() {
        ", checkmate"
    } else if chess.is_stalemate() {
        ", stalemate"
    } else if chess.is_check() {
        ", in check"
    } else {
        " to move"
    };
    let number = format!("{}. ", chess.fullmoves());
    let title = format!("{side}{check}{here}");
    if text::width(&number) + text::width(&title) <= room {
        number + &title
    } else {
        title
    }
}

fn draw_chess(
    app: &App,
    pen: &mut Pen,
    inner: Rect,
    size: Squares,
    position: &ChessPosition,
    scene: &Scene,
) {
    let chess = position.chess();
    let selected = scene
        .selected
        .and_then(|code| position.decode(code))
        .map(squares_of);
    let width = 8 * size.width + 2;
    let left = inner.x + inner.width.saturating_sub(width + 1) / 2 + 2;
    for row in 0..8u16 {
        let rank = if app.explore.flipped { row } else { 7 - row };
        let top = inner.y + row * size.height;
        let middle = top + size.height / 2;
        let label = char::from(b'1' + rank as u8);
        pen.put(
            left - 2,
            middle,
            inner.right(),
            &label.to_string(),
            Role::BoardLabel,
        );
        for column in 0..8u16 {
            let file = if app.explore.flipped {
                7 - column
            } else {
                column
            };
            let square =
                Square::from_coords(File::new(u32::from(file)), Rank::new(u32::from(rank)));
            let lit = |s: &Option<[Square; 2]>| s.is_some_and(|s| s.contains(&square));
            let ground = if lit(&selected) {
                Role::BoardSelected
            } else if lit(&scene.last) {
                Role::BoardLast
            } else if square.is_light() {
                Role::BoardLight
            } else {
                Role::BoardDark
            };
            let cell = Rect {
                x: left + column * size.width,
                y: top,
                width: size.width,
                height: size.height,
            };
            let base = if square.is_light() {
                Role::BoardLight
            } else {
                Role::BoardDark
            };
            let style = pen.style(base).patch(pen.style(ground));
            draw_square(
                pen,
                cell,
                middle,
                style,
                chess.board().piece_at(square),
                square,
            );
        }
    }
    let y = inner.y + 8 * size.height;
    for column in 0..8u16 {
        let file = if app.explore.flipped {
            7 - column
        } else {
            column
        };
        let letter = char::from(b'a' + file as u8).to_string();
        let x = left + column * size.width + (size.width - 1) / 2;
        pen.put(x, y, inner.right(), &letter, Role::BoardLabel);
    }
}

fn draw_square(
    pen: &mut Pen,
    cell: Rect,
    middle: u16,
    style: Style,
    piece: Option<shakmaty::Piece>,
    square: Square,
) {
    let text = pen.style(Role::Text);
    pen.clear(cell, text.patch(style));
    let x = cell.x + (cell.width - 1) / 2;
    let Some(piece) = piece else {
        // Where squares have no colour of their own, a dot marks the dark ones.
        let colourless = style.bg.is_none_or(|c| c == ratatui::style::Color::Reset);
        if colourless && square.is_dark() && !style.add_modifier.contains(Modifier::REVERSED) {
            pen.char(x, middle, pen.glyphs.dot, text.patch(style));
        }
        return;
    };
    let role = match piece.color {
        Color::White => Role::PieceWhite,
        Color::Black => Role::PieceBlack,
    };
    let sign = sign(pen, piece);
    let style = text.patch(style).patch(pen.style(role));
    pen.char(x, middle, sign, style);
}

fn sign(pen: &Pen, piece: shakmaty::Piece) -> char {
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

/// Draws the place in a toy tree: its name, its figures in the file, and its children.
fn draw_toy(pen: &mut Pen, inner: Rect, position: &ToyPosition, selected: Option<MoveCode>) {
    let node = position.node();
    let (x, end) = (inner.x + 1, inner.right());
    let name = text::harmless(&node.name);
    let name = if name.is_empty() {
        "root".to_owned()
    } else {
        name
    };
    pen.put(x, inner.y, end, &pen.glyphs.text(&name), Role::Heading);
    let mut y = inner.y + 1;
    let says = |value: Option<f32>, spread: f32| {
        value.map(|v| match spread {
            0.0 => format!("{v}"),
            s => format!("{v} ± {s}"),
        })
    };
    if let Some(value) = says(node.value, node.spread) {
        let line = pen
            .glyphs
            .text(&format!("the file says {value} (Max's view)"));
        pen.put(x, y, end, &line, Role::Text);
        y += 1;
    }
    y += 1;
    for m in position.legal_moves() {
        if y >= inner.bottom() {
            break;
        }
        let child = &position.tree().nodes[node.children[usize::from(m)] as usize];
        let chosen = selected == Some(position.encode(m));
        let role = if chosen {
            Role::BoardSelected
        } else {
            Role::Move
        };
        let name = pen.glyphs.text(&text::harmless(&child.name));
        let after = pen.put(x, y, end, &format!("{} {name}", pen.glyphs.closed), role);
        let note = match says(child.value, child.spread) {
            Some(value) => format!("  {value}"),
            None => format!("  {} children", child.children.len()),
        };
        pen.put(after, y, end, &pen.glyphs.text(&note), Role::Dim);
        y += 1;
    }
}
