//! Draws the panels below the table: sentences, beliefs and the chart, as many as there is room for.

use ratatui::layout::Rect;

use super::{beliefs, chart, words};
use crate::app::App;
use crate::tabs::compare::{CompareTarget, Panel};
use screen::pen::Pen;
use studies::compare::MergedRow;

pub(super) fn draw(app: &App, pen: &mut Pen, area: Rect) {
    let count: u16 = match area.width {
        ..110 => 1,
        110..160 => 2,
        _ => 3,
    };
    let row = selected_row(app);
    let mut x = area.x;
    for place in 0..count {
        let panel = app.compare.panel.after(usize::from(place));
        let width = (area.right() - x) / (count - place);
        let rect = Rect { x, width, ..area };
        x += width;
        let title = title(app, panel);
        let inner = pen.frame(rect, &title, false);
        match panel {
            Panel::Words => words::draw(app, pen, inner, row.as_ref()),
            Panel::Beliefs => beliefs::draw(app, pen, inner, row.as_ref()),
            Panel::Chart => chart::draw(app, pen, inner),
        }
        pen.region(
            rect,
            CompareTarget::Panel(panel.after(usize::from(count == 1))),
        );
    }
}

fn selected_row(app: &App) -> Option<MergedRow> {
    let running = app.cx.columns.comparison()?;
    running
        .merged(None)
        .row(app.compare.outline.selected_path())
}

fn title(app: &App, panel: Panel) -> String {
    let line = app.outline_line();
    match panel {
        Panel::Words if line.is_empty() => "differences".to_owned(),
        Panel::Words => line,
        Panel::Beliefs if app.compare.densities => {
            format!("beliefs (density), {} {line}", app.cx.lens_words())
        }
        Panel::Beliefs => format!("beliefs (cumulative), {} {line}", app.cx.lens_words()),
        Panel::Chart => {
            let log = if app.compare.linear { "" } else { " (log)" };
            format!("{} by nodes{log}", app.cx.lens_words())
        }
    }
}
