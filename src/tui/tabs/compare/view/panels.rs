//! Draws the panels below the table: sentences, beliefs and the chart, as many as there is room for.

use ratatui::layout::Rect;

use super::{beliefs, chart, words};
use crate::context::Context;
use crate::tabs::compare::{Compare, CompareTarget, Panel};
use screen::pen::Pen;
use studies::compare::MergedRow;

pub(super) fn draw(compare: &Compare, cx: &Context, pen: &mut Pen, area: Rect) {
    let count: u16 = match area.width {
        ..110 => 1,
        110..160 => 2,
        _ => 3,
    };
    let row = selected_row(compare, cx);
    let mut x = area.x;
    for place in 0..count {
        let panel = compare.panel.after(usize::from(place));
        let width = (area.right() - x) / (count - place);
        let rect = Rect { x, width, ..area };
        x += width;
        let title = title(compare, cx, panel);
        let inner = pen.frame(rect, &title, false);
        match panel {
            Panel::Words => words::draw(compare, cx, pen, inner, row.as_ref()),
            Panel::Beliefs => beliefs::draw(compare, cx, pen, inner, row.as_ref()),
            Panel::Chart => chart::draw(compare, cx, pen, inner),
        }
        pen.region(
            rect,
            CompareTarget::Panel(panel.after(usize::from(count == 1))),
        );
    }
}

fn selected_row(compare: &Compare, cx: &Context) -> Option<MergedRow> {
    let running = cx.columns.comparison()?;
    running.merged(None).row(compare.outline.selected_path())
}

fn title(compare: &Compare, cx: &Context, panel: Panel) -> String {
    let line = compare.outline_line(cx);
    match panel {
        Panel::Words if line.is_empty() => "differences".to_owned(),
        Panel::Words => line,
        Panel::Beliefs => format!("on one axis, {} {line}", cx.lens_words()),
        Panel::Chart => {
            let log = if compare.linear { "" } else { " (log)" };
            format!("{} by nodes{log}", cx.lens_words())
        }
    }
}
