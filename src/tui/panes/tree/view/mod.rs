//! Draws the tree: one line per row, with as many columns as fit.

pub(crate) mod changed;
mod columns;
mod row;

use ratatui::layout::Rect;

use super::TreeTarget;
use super::{Filter, RowKey, Sort};
use crate::context::{Context, line_of};
use crate::panes::Pane;
use crate::panes::debugger::breaks::Break;
use crate::source::Source;
use crate::views::axis::Scale;
use crate::views::facts::{Numbers, Withheld};
use crate::views::has_keyboard;
pub(crate) use columns::step;
use columns::{Columns, Wanted, headings};
pub(crate) use columns::{indent, share_word};
use report::axis::rules;
use row::{Painter, Parent};
use screen::pen::Pen;
use screen::theme::Role;
use search::Event;
use session::{Policy, Reader};
use studies::lesson::Fact;
use tree::Tree;

/// Returns how many rows of the tree fit into its pane, without the frame and the headings.
pub fn rows_in(cx: &Context, area: Rect) -> usize {
    usize::from(area.height.saturating_sub(3) / lines_of_row(cx))
}

/// Returns how many lines a row has: two in the presenter's view, so that its axis can be seen from far away.
fn lines_of_row(cx: &Context) -> u16 {
    match cx.presenting {
        true => 2,
        false => 1,
    }
}

pub fn draw(cx: &Context, pen: &mut Pen, area: Rect) {
    let focused = has_keyboard(cx, Pane::Tree);
    pen.region(area, TreeTarget::Frame);
    let title = title(cx);
    let inner = pen.frame(area, &title, focused);
    draw_line(cx, pen, area, &title);
    if inner.height < 2 {
        return;
    }
    let Some(source) = &cx.session else {
        pen.empty(below(inner), "beginning the search");
        return;
    };
    draw_rows(cx, pen, inner, source, focused);
    let rows = cx.explore.tree.rows().len();
    cx.explore.tree.list.draw_bar(pen, inner, rows);
    notes(cx, pen, area);
}

fn draw_rows(cx: &Context, pen: &mut Pen, inner: Rect, source: &Source, focused: bool) {
    let reader = source.reader();
    let spreads = reader.is_best_first() || reader.searcher.has_beliefs();
    let numbers = Numbers::new(cx, reader.scale(), pen.glyphs);
    let shares = if reader.policy() == Some(Policy::Best) {
        Fact::Policy
    } else {
        Fact::Work
    };
    // What the next visit chooses by may be the answer to a question.
    let introduced = cx.shows(Fact::Allocation) && !cx.hides_best();
    let wanted = Wanted {
        spreads: spreads && cx.shows(Fact::Beliefs),
        shares: cx.shows(shares),
        work: cx.shows(Fact::Work),
        fates: cx.shows(Fact::Fates),
        own: if introduced { reader.columns() } else { &[] },
        unit: cx.lens.unit,
        boundless: reader.scale().is_boundless(),
        large: cx.presenting,
    };
    let columns = Columns::of(inner.width.saturating_sub(1), wanted);
    let unit = cx.lens.heading(reader.scale());
    let axis = headings(pen, inner, columns, reader, unit);
    if columns.axis > 0 {
        let line = Rect {
            x: axis,
            width: columns.axis - 2,
            height: 1,
            ..inner
        };
        let shown = &cx.explore.tree.axis;
        let mut rules = rules(&reader, shown.parent(), cx.lens);
        rules.best = rules.best.filter(|_| !cx.hides_best());
        if !cx.shows(Fact::Windows) {
            (rules.alpha, rules.beta) = (None, None);
        }
        let scale = Scale {
            span: shown.span(),
            style: shown.style,
            grid: reader.tree.grid(),
            rules,
            numbers: &numbers,
        };
        scale.heading(pen, line);
    }
    let mut painter = Painter {
        source,
        reader,
        numbers,
        columns,
        withheld: Withheld::default(),
        parent: Parent::default(),
        watched: watched(cx, reader),
        hides_best: cx.hides_best(),
        shows_depths: cx.shows(Fact::Depths),
        step: step(cx.explore.tree.deepest(), columns.name),
        lens: cx.lens,
    };
    let tree = &cx.explore.tree;
    let rows = (tree.rows().len(), focused);
    let (area, lines) = (below(inner), lines_of_row(cx));
    let draw = |pen: &mut Pen, row: Rect, at: usize| {
        if let Some(mark) = painter.row(cx, pen, row, &tree.rows()[at]) {
            pen.region(mark, TreeTarget::Mark(at));
        }
    };
    tree.list
        .draw_tall(pen, area, lines, rows, TreeTarget::Row, draw);
}

/// Returns the area below the headings.
fn below(inner: Rect) -> Rect {
    Rect {
        y: inner.y + 1,
        height: inner.height - 1,
        ..inner
    }
}

/// Returns the rows that breakpoints watch for changes; a move may have no node yet.
fn watched(cx: &Context, reader: Reader) -> Vec<RowKey> {
    let row = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((last, before)) = words.split_last() else {
            return Some(RowKey::ROOT);
        };
        let parent = reader.follow(Tree::ROOT, &before.join(" ")).ok()?;
        let bare = |name: &str| name.trim_end_matches(['+', '#', '!', '?']).to_owned();
        let rows = reader.rows(parent);
        let named = |r: &&session::Row| bare(&r.label) == bare(last) || r.uci == **last;
        let code = rows.iter().find(named)?.move_code;
        Some(RowKey { parent, code })
    };
    let lines = cx
        .explore
        .debug
        .breakpoints
        .iter()
        .filter_map(Break::watched);
    lines.filter_map(row).collect()
}

fn title(cx: &Context) -> String {
    let mut title = match cx.explore.tree.order() {
        Sort::Best => "tree, best first".to_owned(),
        order => format!("tree by {}", order.name()),
    };
    if cx.explore.tree.is_frozen() {
        title += " (frozen)";
    }
    if cx.explore.tree.filter != Filter::All {
        title += &format!(", only {}", cx.explore.tree.filter.name());
    }
    title += &format!(", {}", cx.view_words());
    title
}

/// Draws the line being searched in the upper edge, since its beginning may be above the visible rows.
pub(crate) fn draw_line(cx: &Context, pen: &mut Pen, area: Rect, title: &str) {
    let Some(source) = cx
        .session
        .as_ref()
        .filter(|_| !cx.explore.debug.line.is_empty() && !cx.hides_place())
    else {
        return;
    };
    let reader = source.reader();
    let Some(node) = cx.explore.debug.node().filter(|&n| reader.tree.contains(n)) else {
        return;
    };
    let mut codes = reader.tree.moves_to(node);
    let event = cx.explore.debug.stop.as_ref().map(|s| &s.event);
    if let Some(&Event::Prune { m, .. }) = event {
        codes.push(m);
    }
    let line = pen.glyphs.text(&line_of(reader, &codes));
    let room = usize::from(area.width).saturating_sub(text::width(title) + 10);
    if room >= 8 && !line.is_empty() {
        let line = text::fit_end(&line, room, pen.glyphs.ellipsis);
        pen.frame_note(area, area.y, &line, Role::Line);
    }
}

/// Notes in the lower edge how many rows there are, and how many the filter hides.
fn notes(cx: &Context, pen: &mut Pen, area: Rect) {
    let rows = cx.explore.tree.rows().len();
    let at = cx.explore.tree.selected() + 1;
    let mut note = format!("{at} of {rows} rows");
    if cx.explore.tree.hidden() > 0 {
        note += &format!(", {} hidden", cx.explore.tree.hidden());
    }
    if let Some(hunt) = &cx.explore.hunt {
        note = format!(
            "looking for {}: {} % · Esc cancels",
            hunt.what.name(),
            hunt.percent()
        );
    }
    let unfinished = cx.session.as_ref().and_then(|s| s.reader().unfinished());
    if let Some(unfinished) = unfinished.filter(|_| cx.shows(Fact::Depths)) {
        let with = format!("{unfinished} · {note}");
        if text::width(&with) + 8 <= usize::from(area.width) {
            note = with;
        }
    }
    pen.frame_note(area, area.bottom() - 1, &note, Role::Dim);
}
