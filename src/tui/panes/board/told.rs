//! A position of a game that plyscope does not know: as the program draws it, or by the moves that led there.

use std::sync::Arc;

use ratatui::layout::Rect;

use game::Game as _;
use screen::pen::Pen;
use screen::theme::Role;
use session::Reader;
use tree::{NodeId, Tree};

/// The last position that the program drew on the way to a node, and the moves made since.
#[derive(Clone, Debug)]
pub(super) struct Told {
    drawing: Option<Arc<str>>,
    since: Vec<String>,
}

impl Told {
    /// `None` in a game that has a board of its own, and in plyscope's own searches.
    pub fn at(reader: &Reader, id: NodeId) -> Option<Told> {
        let position = &reader.subject.position;
        if !reader.is_told() || position.has_rules() {
            return None;
        }
        let path = reader.tree.path(id);
        let drawn = path
            .iter()
            .rposition(|&node| reader.tree.drawing_of(node).is_some());
        let from = drawn.map_or(Tree::ROOT, |at| path[at]);
        let moves = reader.tree.moves_to(id);
        let since = &moves[drawn.unwrap_or(0)..];
        let names = reader.names(from, since);
        Some(Told {
            drawing: drawn.and_then(|at| reader.tree.drawing_of(path[at])),
            since: names.into_iter().map(|name| name.san).collect(),
        })
    }
}

/// Draws the position, and below it the moves made since.
pub(super) fn draw(pen: &mut Pen, inner: Rect, told: &Told, root: Option<&str>) {
    let (x, end) = (inner.x + 1, inner.right());
    let mut y = inner.y;
    let mut line = |pen: &mut Pen, text: &str, role: Role| {
        if y < inner.bottom() {
            let text = pen.glyphs.text(text);
            pen.put(x, y, end, &text, role);
            y += 1;
        }
    };
    let drawing = told.drawing.as_deref().or(root);
    for text in drawing
        .unwrap_or("The program does not draw its positions.")
        .lines()
    {
        let role = if drawing.is_some() {
            Role::Text
        } else {
            Role::Dim
        };
        line(pen, text, role);
    }
    if !told.since.is_empty() {
        line(pen, "", Role::Text);
        let moves = told.since.join(" › ");
        for text in text::wrap(&moves, usize::from(inner.width.saturating_sub(2))) {
            line(pen, &text, Role::Move);
        }
    }
}
