//! Draws the Lab tab: the pages with their questions, what will happen and what came out last time, and the page.

mod chart;
mod curves;
pub mod depths;
pub mod differential;
mod header;
pub mod margins;
pub mod spread;
mod table;

use ratatui::layout::Rect;

use crate::app::App;
use crate::pen::Pen;
use crate::text::{self, Line};
use crate::theme::Role;

/// Draws the whole tab.
pub fn draw(app: &App, pen: &mut Pen, area: Rect) {
    let height = header::draw(app, pen, area);
    let page = Rect {
        y: area.y + height,
        height: area.height - height,
        ..area
    };
    app.lab.page.screen().draw(app, pen, page);
}

/// The help on a page: a heading, and what each sign or word means, wrapped beside it.
fn page_legend(pen: &Pen, heading: &str, words: &[(&str, &str)], width: usize) -> Vec<Line> {
    let mut lines = vec![vec![(heading.to_owned(), Role::Heading)]];
    for (name, what) in words {
        let what = pen.glyphs.text(what);
        for (n, part) in text::wrap(&what, width.saturating_sub(10))
            .into_iter()
            .enumerate()
        {
            let name = if n == 0 { name } else { "" };
            lines.push(vec![
                (format!("  {name:<7} "), Role::Text),
                (part, Role::Hint),
            ]);
        }
    }
    lines
}
