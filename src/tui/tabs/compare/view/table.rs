//! Draws the merged tree: one row per move, one group of figures per column.

use ratatui::layout::Rect;

use super::columns::Widths;
use super::row::Painter;
use super::{grid_of, numbers, scale, share_word};
use crate::context::Context;
use crate::tabs::compare::{Compare, CompareTarget, filter_name, letter, order_name, role};
use game::Game;
use screen::pen::Pen;
use screen::theme::Role;
use studies::compare::{Order, OutlineRow};

pub(super) fn draw(compare: &Compare, cx: &Context, pen: &mut Pen, area: Rect) {
    let inner = pen.frame(area, &title(compare, cx), cx.overlay.is_none());
    if inner.height < 2 {
        return;
    }
    let widths = Widths::of(inner.width, compare.specs.len() as u16, cx.lens.unit);
    headings(compare, cx, pen, inner, &widths);
    let height = usize::from(inner.height - 1);
    let top = compare.view.top;
    let rows = cx.merged().map_or_else(Vec::new, |merged| {
        compare.outline.rows(&merged, top..top + height)
    });
    let deepest = rows.iter().map(|row| row.depth).max().unwrap_or(0);
    let painter = Painter {
        widths,
        numbers: numbers(cx, pen),
        lens: cx.lens,
        root: cx.subject.position.turn(),
        deepest,
        span: compare.span,
        style: cx.explore.tree.axis.style,
    };
    let body = Rect {
        y: inner.y + 1,
        height: inner.height - 1,
        ..inner
    };
    let count = compare.outline.len();
    compare.view.draw(
        pen,
        body,
        (count, true),
        CompareTarget::Row,
        |pen, line, at| {
            let mark = rows
                .get(at - top)
                .and_then(|row| draw_row(cx, pen, &painter, row, line));
            if let Some(mark) = mark {
                pen.region(mark, CompareTarget::Mark(at));
            }
        },
    );
    notes(compare, pen, area);
    compare.view.draw_bar(pen, inner, count);
}

fn draw_row(
    cx: &Context,
    pen: &mut Pen,
    painter: &Painter,
    row: &OutlineRow,
    line: Rect,
) -> Option<Rect> {
    let running = cx.columns.comparison()?;
    let merged = running.merged(None);
    painter.row(pen, &merged, row, line)
}

fn title(compare: &Compare, cx: &Context) -> String {
    let order = order_name(compare.outline.order());
    let view = cx.view_words();
    match filter_name(compare.outline.filter()) {
        None => format!("moves by {order}, {view}"),
        Some(filter) => format!("moves by {order}, only {filter}, {view}"),
    }
}

fn headings(compare: &Compare, cx: &Context, pen: &mut Pen, inner: Rect, w: &Widths) {
    let y = inner.y;
    let now = compare.outline.order();
    let unit = cx.lens.heading(cx.scale());
    let numbers = numbers(cx, pen);
    let heading = |pen: &mut Pen, x: u16, width: u16, name: &str, order: Order| {
        let role = if order == now { Role::Key } else { Role::Dim };
        pen.put_right(x, y, x + width, name, role);
        let spot = Rect {
            x,
            y,
            width,
            height: 1,
        };
        pen.region(spot, CompareTarget::Heading(order));
    };
    heading(pen, inner.x + w.mark, 4, "move", Order::Move);
    for column in 0..usize::from(w.groups) {
        let mut x = inner.x + w.start(column as u16);
        let name = letter(column).to_string();
        pen.put(x, y, inner.right(), &name, role(column));
        x += 1;
        for (width, name, order) in [
            (w.rank, "#", Order::Rank(column)),
            (w.score, unit, Order::Expected(column)),
            (w.spread, "sd", Order::Spread(column)),
            (w.share, share_word(cx, column), Order::Share(column)),
        ] {
            if width > 0 {
                heading(pen, x, width, name, order);
                x += width;
            }
        }
        if w.axis > 0 {
            let line = Rect {
                x: x + 1,
                y,
                width: w.axis - 1,
                height: 1,
            };
            let rules = compare.rules(cx, column);
            let grid = grid_of(cx);
            scale(compare, cx, &numbers, &grid, rules).heading(pen, line);
        }
    }
    if w.words > 0 {
        let x = inner.x + w.start(w.groups) + 1;
        heading(
            pen,
            x,
            w.words.min(12) - 1,
            "differences",
            Order::Disagreement,
        );
    }
}

/// Notes the selected row and the number of hidden rows in the lower edge.
fn notes(compare: &Compare, pen: &mut Pen, area: Rect) {
    let outline = &compare.outline;
    let rows = outline.len();
    if rows == 0 {
        return;
    }
    let mut note = format!("{} of {rows} rows", outline.selected() + 1);
    if outline.hidden() > 0 {
        note += &format!(", {} hidden", outline.hidden());
    }
    match outline.flagged() {
        0 => note += ", none flagged",
        flagged => note += &format!(", {flagged} flagged"),
    }
    pen.frame_note(area, area.bottom() - 1, &note, Role::Dim);
}
