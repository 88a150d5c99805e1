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

use crate::tui::app::App;
use crate::tui::pen::Pen;

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
