//! The place in a toy tree, in place of a board.

use ratatui::layout::Rect;

use game::{Game, MoveCode, ToyPosition};
use screen::pen::Pen;
use screen::theme::Role;

/// Draws the place in a toy tree: its name, its figures in the file, and its children.
pub(super) fn draw(pen: &mut Pen, inner: Rect, position: &ToyPosition, selected: Option<MoveCode>) {
    let node = position.node();
    let (x, end) = (inner.x + 1, inner.right());
    let name = text::sanitise(&node.name);
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
        let name = pen.glyphs.text(&text::sanitise(&child.name));
        let after = pen.put(x, y, end, &format!("{} {name}", pen.glyphs.closed), role);
        let note = match says(child.value, child.spread) {
            Some(value) => format!("  {value}"),
            None => format!("  {} children", child.children.len()),
        };
        pen.put(after, y, end, &pen.glyphs.text(&note), Role::Dim);
        y += 1;
    }
}
