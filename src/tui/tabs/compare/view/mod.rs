//! Draws the Compare tab: a header per column, the merged tree as a table, and below it sentences, beliefs and the
//! chart.

mod beliefs;
mod chart;
mod columns;
mod header;
mod panels;
mod row;
mod table;
mod words;

use ::chart::Series;
use ratatui::layout::Rect;

use super::{Panel, letter, role, short_name};
use crate::context::Context;
use crate::panes::board::{self, Squares};
use crate::tabs::compare::Compare;
use crate::views::axis::Scale;
use crate::views::facts::Numbers;
use ::chart::value::Span;
use belief::Grid;
use report::axis::{Rules, rules, span};
use screen::pen::Pen;
use screen::theme::Role;
use screen::widgets::chart::Look;
use session::{Policy, Reader};
use studies::compare::Merged;
use tree::{NodeId, Tree};

/// The areas of the tab's parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Parts {
    header: Rect,
    /// The lines per column in the header.
    lines: u16,
    table: Rect,
    board: Option<Rect>,
    panels: Rect,
}

impl Parts {
    fn of(body: Rect, columns: u16, panel: Panel) -> Parts {
        let lines = if columns <= 2 || body.height >= 30 {
            2
        } else {
            1
        };
        let header = Rect {
            height: columns * lines,
            ..body
        };
        let low = match body.height {
            ..=19 => 6,
            // A plot needs more height than sentences.
            20..=26 if panel != Panel::Words && columns <= 2 => 8,
            20..=26 => 6,
            27..=40 => 10,
            _ => 14,
        };
        let panels = Rect {
            y: body.bottom() - low,
            height: low,
            ..body
        };
        let mut table = Rect {
            y: header.bottom(),
            height: panels.y - header.bottom(),
            ..body
        };
        // The width that the table of these columns needs before a board is worth its room.
        let least = columns::wanted(columns);
        let squares = Squares::fitting(body.width.saturating_sub(least), table.height);
        let board = squares.map(|squares| {
            let (width, height) = squares.frame();
            table.width -= width;
            Rect {
                x: table.right(),
                width,
                height: height.min(table.height),
                ..table
            }
        });
        Parts {
            header,
            lines,
            table,
            board,
            panels,
        }
    }
}

/// The parts that a small screen shows one at a time.
pub const PARTS: [&str; 5] = ["rows", "columns", "sentences", "beliefs", "chart"];

/// Returns the panel that a part of a small screen is.
pub fn panel_of(part: usize) -> Option<Panel> {
    Panel::ALL.get(part.checked_sub(2)?).copied()
}

/// Draws the one part that a small screen shows.
fn draw_part(compare: &Compare, cx: &Context, pen: &mut Pen, body: Rect) {
    match cx.small.part {
        0 => table::draw(compare, cx, pen, body),
        1 => header::draw(compare, cx, pen, body, 2),
        _ => panels::draw(compare, cx, pen, body),
    }
}

pub fn draw(compare: &Compare, cx: &Context, pen: &mut Pen, body: Rect) {
    if cx.small.on {
        return draw_part(compare, cx, pen, body);
    }
    let columns = compare.specs.len() as u16;
    let parts = Parts::of(body, columns, compare.panel);
    header::draw(compare, cx, pen, parts.header, parts.lines);
    table::draw(compare, cx, pen, parts.table);
    if let Some(rect) = parts.board
        && let Some(subject) = compare.outline_subject(cx)
    {
        let last = compare.outline_last(cx);
        board::draw_position(cx, pen, rect, (subject, last));
    }
    panels::draw(compare, cx, pen, parts.panels);
}

/// Draws the status, right-aligned: the number of columns, their budget, and whether Explore's search waits for them.
pub fn draw_status(compare: &Compare, cx: &Context, pen: &mut Pen, area: Rect, left: u16) {
    let room = usize::from(area.right().saturating_sub(left + 1));
    let words = compare.comparison_words(cx);
    if let Some(words) = words.iter().find(|w| text::width(w) <= room) {
        let bar = pen.style(Role::Bar);
        pen.text_right(left, area.y, area.right() - 1, words, bar);
    }
}

/// Updates the rows before they are drawn.
pub fn update(compare: &mut Compare, cx: &mut Context, body: Rect) {
    let live = cx.is_live();
    if std::mem::take(&mut cx.columns.touched) {
        compare.outline.touch();
    }
    compare.with_outline(cx, |outline, merged| outline.refresh(merged, live));
    let columns = compare.specs.len() as u16;
    let table = match cx.small.on {
        true => body,
        false => Parts::of(body, columns, compare.panel).table,
    };
    let height = rows_in(table);
    compare.fit_axis(cx);
    compare.view.selected = compare.outline.selected();
    compare.view.fit(height, compare.outline.len());
}

/// Returns how many rows of the merged tree fit into a table.
fn rows_in(table: Rect) -> usize {
    usize::from(table.height.saturating_sub(3))
}

/// Whether the values of a column have a place on the common axis: not in a unit without a range that the others do not have.
fn is_on_axis(reader: &Reader, merged: &Merged) -> bool {
    let scale = reader.scale();
    !scale.is_boundless() || scale == merged.scale()
}

fn numbers(cx: &Context, pen: &Pen) -> Numbers {
    Numbers::new(cx, cx.scale(), pen.glyphs)
}

/// Returns the grid of the first column's beliefs, for what has none of its own.
fn grid_of(cx: &Context) -> Grid {
    let comparison = cx.columns.comparison();
    let reader = comparison.and_then(|c| c.merged(None).reader(0).map(|r| r.tree.grid().clone()));
    reader.unwrap_or_else(Grid::sinh)
}

/// Returns the axis on which the columns stand.
fn scale<'a>(
    compare: &Compare,
    cx: &Context,
    numbers: &'a Numbers,
    grid: &'a Grid,
    rules: Rules,
) -> Scale<'a> {
    Scale {
        span: compare.span,
        style: cx.explore.tree.axis.style,
        grid,
        rules,
        numbers,
    }
}

/// Returns what the shares of a column's moves are called: they are of its work, whatever else it knows about a move.
fn share_word(cx: &Context, column: usize) -> &'static str {
    let comparison = cx.columns.comparison();
    let by_visits = comparison.and_then(|c| Some(c.merged(None).reader(column)?.is_best_first()));
    match by_visits {
        Some(true) => Policy::Visits.word(),
        _ => "work",
    }
}

impl Compare {
    /// Returns the moves' parent in a column: the node at which the selected row's move is played.
    fn parent_in(&self, cx: &Context, column: usize) -> Option<NodeId> {
        let comparison = cx.columns.comparison()?;
        let merged = comparison.merged(None);
        let reader = merged.reader(column)?;
        let path = self.outline.selected_path();
        let before = &path[..path.len().saturating_sub(1)];
        before
            .iter()
            .try_fold(Tree::ROOT, |at, &code| reader.tree.child_by_move(at, code))
    }

    /// Returns the best move's value in a column, among the siblings of the selected row.
    fn rules(&self, cx: &Context, column: usize) -> Rules {
        let found = self.parent_in(cx, column).zip(cx.columns.comparison());
        let best = found.and_then(|(parent, comparison)| {
            let merged = comparison.merged(None);
            let reader = merged.reader(column)?;
            rules(reader, parent, cx.lens).best
        });
        Rules {
            best,
            ..Rules::default()
        }
    }

    /// Fits the axis to what all columns make of the selected row and its siblings. While that changes little it stays.
    fn fit_axis(&mut self, cx: &Context) {
        let Some(comparison) = cx.columns.comparison() else {
            return;
        };
        let merged = comparison.merged(None);
        let reach = cx.explore.tree.axis.reach;
        let spans = (0..self.specs.len()).filter_map(|column| {
            let parent = self.parent_in(cx, column)?;
            let reader = merged.reader(column)?;
            (is_on_axis(reader, &merged) && reader.tree.node(parent).child_count() > 0)
                .then(|| span(reader, parent, reach, cx.lens))
        });
        let all = spans.reduce(|a, b| Span {
            low: a.low.min(b.low),
            high: a.high.max(b.high),
        });
        if let Some(all) = all.filter(|all| !self.span.is_near(*all)) {
            self.span = all;
        }
    }
}

/// How the columns' curves look.
const LOOK: Look<'static> = Look {
    dashed: true,
    ..Look::plain(&role)
};

/// Returns a series without points for each column, for the legend.
fn columns(compare: &Compare) -> Vec<Series> {
    let named = compare.specs.iter().enumerate();
    named
        .map(|(column, spec)| Series {
            name: text::sanitise(&short_name(spec)),
            letter: letter(column),
            place: column,
            ..Series::default()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn parts_fit_and_leave_rows(w in 80u16..400, h in 18u16..150, columns in 1u16..=4, panel in 0usize..3) {
            let body = Rect::new(0, 1, w, h);
            let parts = Parts::of(body, columns, Panel::ALL[panel]);
            let all: Vec<Rect> = [parts.header, parts.table, parts.panels].into_iter().chain(parts.board).collect();
            for (i, a) in all.iter().enumerate() {
                prop_assert_eq!(a.intersection(body), *a);
                for b in &all[i + 1..] {
                    prop_assert!(a.intersection(*b).is_empty(), "{:?} {:?}", a, b);
                }
            }
            prop_assert!(rows_in(parts.table) >= 5);
        }
    }
}
