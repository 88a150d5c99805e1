//! Draws the box of what may follow the keys pressed so far.

use ratatui::layout::Rect;

use crate::app::App;
use crate::commands::CommandTarget;
use crate::views::{bar, popup};
use screen::pen::Pen;
use screen::theme::Role;

/// Draws the box at the right end above the key bar, once the keyboard has waited long enough.
pub fn draw(app: &App, pen: &mut Pen, area: Rect) {
    if !app.keyboard.offers || app.cx.overlay.is_some() {
        return;
    }
    let rows: Vec<(String, &str, usize)> = app
        .continuations()
        .into_iter()
        .map(|(keys, command)| (keys, bar::name_of(app, command), command))
        .collect();
    let widest = |width: &dyn Fn(&(String, &str, usize)) -> usize| {
        rows.iter().map(width).max().unwrap_or(0) as u16
    };
    let keys = widest(&|(keys, ..)| text::width(keys));
    let column = keys + widest(&|(_, name, _)| text::width(name)) + 4;
    let room = (area.width.saturating_sub(2), area.height.saturating_sub(4));
    if rows.is_empty() || room.0 < column || room.1 == 0 {
        return;
    }
    // A second column only if one is too short for them all.
    let columns = (rows.len() as u16).div_ceil(room.1).min(room.0 / column);
    let high = (rows.len() as u16).div_ceil(columns).min(room.1);
    let title = format!("{}…", app.pending());
    let width = (columns * column).max(text::width(&title) as u16 + 4) + 2;
    let rect = Rect {
        x: area.right().saturating_sub(width),
        y: area.bottom().saturating_sub(high + 3),
        width: width.min(area.width),
        height: high + 2,
    };
    let inner = popup(pen, rect, &title);
    for (i, (key, name, command)) in rows.iter().enumerate() {
        let (column_at, row) = (i as u16 / high, i as u16 % high);
        if column_at >= columns {
            break;
        }
        let line = Rect {
            x: inner.x + column_at * column,
            y: inner.y + row,
            width: column.min(inner.width),
            height: 1,
        };
        pen.put(line.x + 1, line.y, line.right(), key, Role::Key);
        pen.put(line.x + keys + 3, line.y, line.right(), name, Role::Hint);
        pen.region(line, CommandTarget(*command));
    }
}
