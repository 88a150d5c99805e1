//! Draws the algorithms and their options.

use ratatui::layout::Rect;

use super::{Editor, Half, OptionsTarget};
use crate::views::{popup, popup_area};
use algorithms::ALGORITHMS;
use screen::pen::{Pen, inside};
use screen::theme::Role;
use search::AlgorithmInfo;

/// Returns the area of the editor, including its frame: as wide as the algorithms' lines, if there is room.
fn place(area: Rect, editor: &Editor) -> Rect {
    let options = editor.options().iter().count() as u16;
    let lines = ALGORITHMS.iter().flat_map(|info| {
        let summary = SUMMARY + text::width(info.summary) as u16;
        [summary, text::width(&source_line(info)) as u16 + 1]
    });
    let width = lines.max().unwrap_or(0).max(96) + 4;
    popup_area(area, width, ALGORITHMS.len() as u16 * 2 + options + 8)
}

/// The column of an algorithm's summary.
const SUMMARY: u16 = 20;

fn source_line(info: &AlgorithmInfo) -> String {
    format!("source: {}", info.source)
}

/// The parts below the algorithms.
struct Parts {
    /// The line of the source, if there is room for it.
    source: Option<u16>,
    options: Rect,
    /// The row below the last one.
    bottom: u16,
}

impl Parts {
    fn of(inner: Rect) -> Parts {
        let listed = (ALGORITHMS.len() as u16).min(inner.height);
        let y = inner.y + listed + 1;
        let bottom = inner.bottom();
        let source = (y + 4 < bottom).then_some(y);
        let y = if source.is_some() { y + 2 } else { y };
        Parts {
            source,
            options: Rect {
                y,
                height: bottom.saturating_sub(y + 2),
                ..inner
            },
            bottom,
        }
    }
}

/// Scrolls the selected option into view.
pub fn update(area: Rect, editor: &mut Editor) {
    let list = Parts::of(inside(place(area, editor))).options;
    let count = editor.options().iter().count();
    if count > 0 {
        editor.list.keep_in_view(usize::from(list.height), count);
    }
}

pub fn draw(pen: &mut Pen, area: Rect, editor: &Editor) {
    let inner = popup(pen, place(area, editor), "algorithm");
    algorithms(pen, inner, editor);
    let Parts {
        source,
        options,
        bottom,
    } = Parts::of(inner);
    if let Some(y) = source {
        let source = pen.glyphs.text(&source_line(editor.algorithm().info()));
        let room = usize::from(inner.width.saturating_sub(2));
        let source = text::fit(&source, room, pen.glyphs.ellipsis);
        pen.put(inner.x + 1, y, inner.right() - 1, &source, Role::Dim);
    }
    draw_options(pen, options, editor);
    draw_detail(
        pen,
        Rect {
            y: bottom.saturating_sub(2),
            height: 2,
            ..inner
        },
        editor,
    );
}

fn algorithms(pen: &mut Pen, inner: Rect, editor: &Editor) {
    let rows = inner.y..inner.bottom();
    for ((i, info), y) in ALGORITHMS.iter().enumerate().zip(rows) {
        let line = Rect {
            y,
            height: 1,
            ..inner
        };
        let chosen = i == editor.algorithms.selected;
        let mark = if chosen { pen.glyphs.closed } else { ' ' };
        let role = if chosen { Role::MoveBest } else { Role::Move };
        if chosen {
            let style = pen.style(match editor.half {
                Half::Algorithms => Role::Selection,
                Half::Options => Role::SelectionUnfocused,
            });
            pen.tint(line, style);
        }
        pen.put(
            inner.x + 1,
            y,
            inner.right(),
            &format!("{mark} {}", info.name),
            role,
        );
        let room = usize::from(inner.width.saturating_sub(SUMMARY + 2));
        let summary = text::fit(&pen.glyphs.text(info.summary), room, pen.glyphs.ellipsis);
        pen.put(inner.x + SUMMARY, y, inner.right(), &summary, Role::Hint);
        pen.region(line, OptionsTarget::Algorithm(i));
    }
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
        pen.put(area.x + 1, area.y, area.right(), "no options", Role::Dim);
        return;
    }
    for row in 0..area.height {
        let i = editor.list.top + usize::from(row);
        let Some((key, value, changed)) = rows.get(i) else {
            break;
        };
        let line = Rect {
            y: area.y + row,
            height: 1,
            ..area
        };
        let selected = editor.half == Half::Options && i == editor.list.selected;
        if selected {
            let style = pen.style(Role::Selection);
            pen.tint(line, style);
        }
        pen.put(line.x + 3, line.y, line.x + 24, key, Role::Text);
        match editor.editing.as_ref().filter(|_| selected) {
            Some(prompt) => crate::views::message::draw_input(
                pen,
                line.x + 25,
                line.y,
                line.right() - 1,
                prompt,
            ),
            None => {
                let role = if *changed {
                    Role::Warning
                } else {
                    Role::Policy
                };
                let mark = if *changed { " (changed)" } else { "" };
                let text = pen.glyphs.text(&format!("{value}{mark}"));
                pen.put(line.x + 25, line.y, line.right() - 1, &text, role);
            }
        }
        pen.region(line, OptionsTarget::Option(i));
    }
}

/// Draws what the selected option does and which values it takes, or why the last change was refused.
fn draw_detail(pen: &mut Pen, area: Rect, editor: &Editor) {
    let (x, end) = (area.x + 1, area.right() - 1);
    let room = usize::from(end.saturating_sub(x));
    if !editor.error.is_empty() {
        let lines = text::wrap(&pen.glyphs.text(&editor.error), room);
        for (i, line) in lines.iter().take(2).enumerate() {
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
    let lines = [
        spec.summary.to_owned(),
        format!("{}; default {}", spec.range, spec.default),
    ];
    for (i, line) in lines.iter().enumerate() {
        let line = text::fit(&pen.glyphs.text(line), room, pen.glyphs.ellipsis);
        pen.put(x, area.y + i as u16, end, &line, Role::Hint);
    }
}
