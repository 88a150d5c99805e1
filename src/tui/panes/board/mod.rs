//! The board: the position of the search or of the node shown on it; for a toy tree, the place in the tree. Chess has a board
//! of its own; any other game is drawn from its [`Game::board`](game::Game::board).

mod arrow;
mod cells;
mod line;
mod moving;
mod raster;
mod scene;
mod sprite;
mod squares;
mod threat;
mod told;
mod toy;
pub(crate) mod view;

use crossterm::event::KeyCode;
use ratatui::layout::Rect;

pub use line::ShownLine;
pub(crate) use squares::Grid;
pub use squares::Squares;
pub use threat::Threats;

use self::arrow::Meaning;
use self::scene::Scene;
use crate::component::{Component, Event, Handled};
use crate::context::Context;
use crate::panes::Pane;
use crate::views::has_keyboard;
use game::{Cell, Game as _, MoveCode};
use screen::pen::Pen;
use session::Subject;

/// What can be clicked on the board and among the game's moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardTarget {
    Frame,
    Square(shakmaty::Square),
    /// A cell of the board of another game.
    Cell(Cell),
    /// A ply of the game.
    Ply(usize),
}

/// What the board shows beside the position of the selection.
#[derive(Debug, Default)]
pub struct BoardState {
    /// The line that is played out, if there is one.
    pub line: Option<ShownLine>,
    /// The square of the piece that is about to be moved.
    pub picked: Option<shakmaty::Square>,
    /// The square that it is being dragged over.
    dragged: Option<shakmaty::Square>,
    pub threats: Threats,
}

/// The board pane: the position of the search, and the game's moves from there.
#[derive(Debug)]
pub struct BoardPane;

impl Component for BoardPane {
    fn draw(&self, cx: &Context, pen: &mut Pen, area: Rect) {
        draw_scene(cx, pen, area, &scene::of_explore(cx));
    }

    fn handle(&mut self, cx: &mut Context, event: &Event) -> Handled {
        match event.of() {
            Event::Key(key, count) => {
                let n = count as isize;
                let left = key.is(KeyCode::Char('h')) || key.is(KeyCode::Left);
                let right = key.is(KeyCode::Char('l')) || key.is(KeyCode::Right);
                let by = if right { n } else { -n };
                // A line that is played out comes before the game.
                if (left || right) && !cx.step_line(by) {
                    cx.walk_game(by);
                }
                Handled::when(left || right)
            }
            Event::Click(Some(BoardTarget::Square(square)), _) => {
                cx.explore.board.dragged = None;
                cx.click_square(square)
            }
            Event::Drag(Some(BoardTarget::Square(square)), _)
                if cx.explore.board.picked.is_some() =>
            {
                cx.explore.board.dragged = Some(square);
                Handled::Yes
            }
            Event::Release => match (cx.explore.board.picked, cx.explore.board.dragged.take()) {
                (Some(from), Some(to)) if from != to => {
                    if !cx.move_piece(from, to) {
                        cx.explore.board.picked = None;
                    }
                    Handled::Yes
                }
                _ => Handled::No,
            },
            Event::Click(Some(BoardTarget::Cell(cell)), _) => Handled::when(cx.click_cell(cell)),
            Event::Click(Some(BoardTarget::Ply(ply)), _) => {
                cx.go_to_ply(ply);
                Handled::Yes
            }
            Event::Click(Some(BoardTarget::Frame), _) => {
                cx.explore.focus = Pane::Board;
                Handled::Yes
            }
            // There is nothing to scroll.
            Event::Wheel(Some(_), _) => Handled::Yes,
            _ => Handled::No,
        }
    }

    fn hints(&self, _: &Context) -> Vec<&'static str> {
        vec![
            "move",
            "next-move",
            "next-pane",
            "previous-move",
            "threat",
            "flip",
            "set-up",
            "go-back",
            "copy-fen",
            "search-here",
        ]
    }
}

/// Draws the place in the game, with `best` as its best move.
pub fn draw_place(cx: &Context, pen: &mut Pen, area: Rect, best: Option<MoveCode>) {
    let mut scene = scene::of_game(cx);
    scene.selected = best;
    scene.with_line(best.as_slice(), Meaning::Best);
    draw_scene(cx, pen, area, &scene);
}

fn draw_scene(cx: &Context, pen: &mut Pen, area: Rect, scene: &Scene) {
    pen.region(area, BoardTarget::Frame);
    draw_framed(cx, pen, area, scene, has_keyboard(cx, Pane::Board));
}

/// Draws a position on its own, with the move that led to it.
pub(crate) fn draw_position(
    cx: &Context,
    pen: &mut Pen,
    area: Rect,
    (subject, last): (Subject, Option<(Subject, MoveCode)>),
) {
    draw_framed(cx, pen, area, &Scene::of(subject).after(last), false);
}

/// Draws a position without a frame, in squares of the given size.
pub(crate) fn draw_bare(
    cx: &Context,
    pen: &mut Pen,
    (area, size): (Rect, Squares),
    (subject, last): (Subject, Option<(Subject, MoveCode)>),
) {
    let scene = Scene::of(subject).after(last);
    let position = &scene.subject.position;
    if let Some(chess) = position.as_chess() {
        view::draw_chess(cx, pen, (area, size), chess, &scene);
    } else if let Some(board) = position.board() {
        cells::draw(pen, area, &board, &scene, false);
    }
}

fn draw_framed(cx: &Context, pen: &mut Pen, area: Rect, scene: &Scene, focused: bool) {
    let title = scene::title(scene, usize::from(area.width.saturating_sub(6)));
    let inner = pen.frame(area, &title, focused);
    let position = &scene.subject.position;
    if let Some(chess) = position.as_chess() {
        view::draw_chess(cx, pen, (inner, Squares::of(area)), chess, scene);
        view::draw_notes(pen, area, scene);
    } else if let Some(toy) = position.as_toy() {
        toy::draw(pen, inner, toy, scene.selected);
    } else if let Some(board) = position.board() {
        cells::draw(pen, inner, &board, scene, true);
        view::draw_notes(pen, area, scene);
    } else if let Some(told) = &scene.told {
        told::draw(pen, inner, told, position.fen().as_deref());
    }
}
