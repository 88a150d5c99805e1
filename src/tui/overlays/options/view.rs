//! Draws the algorithms and their options.

use ratatui::layout::Rect;

use super::{Editor, Half, OptionsTarget};
use crate::overlays::chooser::draw_query;
use crate::views::message::draw_input;
use crate::views::{popup, popup_area};
use algorithms::ALGORITHMS;
use screen::pen::{Pen, inside};
use screen::theme::Role;
use search::{AlgorithmInfo, OptionSpec};

/// Returns the area of the editor, including its frame: as wide as the algorithms' lines, if there is room.
fn place(area: Rect, editor: &Editor) -> Rect {
    let options = editor.options().iter().count() as u16;
    let lines = ALGORITHMS.iter().flat_map(|info| {
        let summary = summary_column() + text::width(info.summary) as u16;
        [summary, text::width(&source_line(info)) as u16 + 1]
    });
    let width = lines.max().unwrap_or(0).max(96) + 4;
    popup_area(area, width, ALGORITHMS.len() as u16 * 2 + options + 9)
}

/// The blanks before a name, with the mark of the chosen one.
const INDENT: u16 = 3;

/// Returns the column of what follows the names: after the longest one, so that no name is cut or runs into it.
fn after_names<'n>(names: impl Iterator<Item = &'n str>) -> u16 {
    INDENT + names.map(text::width).max().unwrap_or(0) as u16 + 2
}

/// The column of an algorithm's summary.
fn summary_column() -> u16 {
    after_names(ALGORITHMS.iter().map(|info| info.name))
}

/// The column of an option's value.
fn value_column(editor: &Editor) -> u16 {
    after_names(editor.options().iter().map(|(spec, _)| spec.key))
}

fn source_line(info: &AlgorithmInfo) -> String {
    format!("source: {}", info.source)
}

/// The parts of the editor.
struct Parts {
    /// The line of what is typed.
    query: Rect,
    algorithms: Rect,
    /// The line of the source, if there is room for it.
    source: Option<u16>,
    options: Rect,
    /// What the selected option does, or why a value is refused.
    detail: Rect,
}

impl Parts {
    /// The options have the room of the algorithms while they are chosen from, where there is not enough for both.
    fn of(inner: Rect, editor: &Editor) -> Parts {
        let query = Rect {
            height: inner.height.min(1),
            ..inner
        };
        let detail = detail_height(inner, editor);
        let whole = ALGORITHMS.len() as u16;
        let options = editor.options().iter().count() as u16;
        let left = inner.height.saturating_sub(4 + detail + options);
        let least = match editor.half {
            Half::Algorithms => whole,
            Half::Options => 1,
        };
        let listed = whole
            .min(left.max(least))
            .min(inner.height.saturating_sub(1));
        let first = inner.y + query.height;
        let y = first + listed + 1;
        let bottom = inner.bottom();
        let source = (y + 2 + detail < bottom).then_some(y);
        let y = if source.is_some() { y + 2 } else { y };
        Parts {
            query,
            algorithms: Rect {
                y: first,
                height: listed,
                ..inner
            },
            source,
            options: Rect {
                y,
                height: bottom.saturating_sub(y + detail),
                ..inner
            },
            detail: Rect {
                y: bottom.saturating_sub(detail),
                height: detail,
                ..inner
            },
        }
    }
}

/// Scrolls the selected algorithm and the selected option into view.
pub fn update(area: Rect, editor: &mut Editor) {
    let parts = Parts::of(inside(place(area, editor)), editor);
    let height = usize::from(parts.algorithms.height);
    let shown = editor.algorithms.shown().len();
    editor.algorithms.list.fit(height, shown);
    let count = editor.options().iter().count();
    editor.list.fit(usize::from(parts.options.height), count);
}

pub fn draw(pen: &mut Pen, area: Rect, editor: &Editor) {
    let inner = popup(pen, place(area, editor), "algorithm");
    let Parts {
        query,
        algorithms,
        source,
        options,
        detail,
    } = Parts::of(inner, editor);
    draw_query(pen, query, &editor.algorithms);
    draw_algorithms(pen, algorithms, editor);
    if let Some(y) = source {
        let source = pen.glyphs.text(&source_line(editor.algorithm().info()));
        let room = usize::from(inner.width.saturating_sub(2));
        let source = text::fit(&source, room, pen.glyphs.ellipsis);
        pen.put(inner.x + 1, y, inner.right() - 1, &source, Role::Dim);
    }
    draw_options(pen, options, editor);
    draw_detail(pen, detail, editor);
}

fn draw_algorithms(pen: &mut Pen, area: Rect, editor: &Editor) {
    let (list, shown) = (&editor.algorithms.list, editor.algorithms.shown());
    if shown.is_empty() {
        pen.empty(area, "no matching algorithm");
    }
    let rows = (shown.len(), editor.half == Half::Algorithms);
    list.draw(pen, area, rows, OptionsTarget::Algorithm, |pen, line, i| {
        let (info, chosen) = (&ALGORITHMS[shown[i].item], i == list.selected);
        let mark = if chosen { pen.glyphs.closed } else { ' ' };
        let role = if chosen { Role::MoveBest } else { Role::Move };
        let name = format!("{mark} {}", info.name);
        let column = summary_column();
        pen.put(line.x + 1, line.y, line.x + column - 1, &name, role);
        let room = usize::from(line.width.saturating_sub(column + 2));
        let summary = text::fit(&pen.glyphs.text(info.summary), room, pen.glyphs.ellipsis);
        pen.put(line.x + column, line.y, line.right(), &summary, Role::Hint);
    });
    list.draw_bar(pen, area, shown.len());
}

fn draw_options(pen: &mut Pen, area: Rect, editor: &Editor) {
    let rows: Vec<(&str, String, bool)> = editor
        .options()
        .iter()
        .map(|(spec, value)| {
            let value = value.to_string();
            let changed = spec
                .parse(spec.default)
                .is_ok_and(|d| d.to_string() != value);
            (spec.key, value, changed)
        })
        .collect();
    if rows.is_empty() {
        pen.empty(area, "no options");
        return;
    }
    let column = value_column(editor);
    let (list, focused) = (&editor.list, editor.half == Half::Options);
    let count = (rows.len(), focused);
    list.draw(pen, area, count, OptionsTarget::Option, |pen, line, i| {
        let (key, value, changed) = &rows[i];
        pen.put(
            line.x + INDENT,
            line.y,
            line.x + column - 1,
            key,
            Role::Text,
        );
        let (mark, role) = match changed {
            true => (" (changed)", Role::Warning),
            false => ("", Role::Policy),
        };
        let text = pen.glyphs.text(&format!("{value}{mark}"));
        pen.put(line.x + column, line.y, line.right() - 1, &text, role);
    });
    list.draw_bar(pen, area, rows.len());
    if let Some(prompt) = &editor.editing {
        let input = Rect {
            x: area.x + column,
            y: area.y + (list.selected - list.top) as u16,
            width: area.width.saturating_sub(column + 1),
            height: 1,
        };
        let style = pen.style(Role::Popup);
        pen.clear(input, style);
        draw_input(pen, input.x, input.y, input.right(), prompt);
    }
}

/// Draws what the selected option does and which values it takes, or why the last change was refused.
fn draw_detail(pen: &mut Pen, area: Rect, editor: &Editor) {
    let (x, end) = (area.x + 1, area.right() - 1);
    let room = usize::from(end.saturating_sub(x));
    if !editor.error.is_empty() {
        let lines = text::wrap(&pen.glyphs.text(&editor.error), room);
        for (i, line) in lines.iter().take(area.height.into()).enumerate() {
            pen.put(x, area.y + i as u16, end, line, Role::Error);
        }
        return;
    }
    if editor.half != Half::Options {
        return;
    }
    let Some((spec, _)) = editor.current() else {
        return;
    };
    let lines = told(spec, room);
    for (i, line) in lines.iter().take(area.height.into()).enumerate() {
        pen.put(
            x,
            area.y + i as u16,
            end,
            &pen.glyphs.text(line),
            Role::Hint,
        );
    }
}

/// What an option does and which values it takes, in lines.
fn told(spec: &OptionSpec, room: usize) -> Vec<String> {
    let mut lines = text::wrap(spec.summary, room);
    let values = format!("{}; default {}", spec.range, spec.default);
    lines.extend(text::wrap(&values, room));
    lines
}

/// The lines for what the options do: as many as the longest text takes, so that the list does not jump, up to a third of all.
fn detail_height(inner: Rect, editor: &Editor) -> u16 {
    const LEAST: u16 = 2;
    if editor.half != Half::Options {
        return LEAST;
    }
    let room = usize::from(inner.width.saturating_sub(2));
    let lines = editor
        .options()
        .iter()
        .map(|(spec, _)| told(spec, room).len());
    let most = lines.max().unwrap_or(0) as u16;
    most.clamp(LEAST, LEAST.max(inner.height / 3))
}
