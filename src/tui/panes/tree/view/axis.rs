//! The heading of the value axis: its ends, zero, the best move's value and the window, each at its place.

use ratatui::layout::Rect;

use crate::context::Context;
use crate::views::facts::Numbers;
use chart::value::Span;
use game::Scale;
use report::axis::rules;
use screen::pen::Pen;
use screen::theme::Role;
use session::Reader;

/// Draws the heading into one line.
pub(super) fn heading(cx: &Context, pen: &mut Pen, line: Rect, reader: Reader, numbers: &Numbers) {
    let axis = &cx.explore.tree.axis;
    let span = axis.span();
    for x in line.left()..line.right() {
        pen.char(x, line.y, pen.glyphs.horizontal, pen.style(Role::Border));
    }
    let mut taken = Taken::default();
    let marks = rules(&reader, axis.parent(), cx.lens);
    let columns = usize::from(line.width);
    if let Some(best) = marks.best.filter(|_| !cx.hides_best())
        && let Some(at) = span.column(best, columns)
    {
        let star = pen.glyphs.best;
        let value = numbers.expected(best);
        let (after, before) = (format!("{star} {value}"), format!("{value} {star}"));
        let width = text::width(&after);
        // The sign stands above its rule, the number on the side where there is room.
        let _ = at + 1 >= width + 8
            && taken.put(pen, line, at + 1 - width, &before, Role::MoveBest)
            || taken.put(pen, line, at, &after, Role::MoveBest)
            || taken.put(
                pen,
                line,
                (at + 1).saturating_sub(width),
                &before,
                Role::MoveBest,
            );
    }
    let (low, high) = ends(span, numbers);
    taken.put(pen, line, 0, &low, Role::Axis);
    let width = text::width(&high);
    taken.put(pen, line, columns.saturating_sub(width), &high, Role::Axis);
    for (value, name) in [(marks.alpha, "α"), (marks.beta, "β")] {
        if let Some(at) = value.and_then(|v| span.column(v, columns)) {
            let name = if pen.glyphs.ascii {
                &name_in_ascii(name)
            } else {
                name
            };
            taken.put(pen, line, at, name, Role::Window);
        }
    }
    if let Some(at) = span.column(0.0, columns) {
        taken.put(pen, line, at, "0", Role::Axis);
    }
}

fn name_in_ascii(name: &str) -> String {
    if name == "α" { "a" } else { "b" }.to_owned()
}

/// Returns the values at both ends.
fn ends(span: Span, numbers: &Numbers) -> (String, String) {
    let end = |value: f32| match (numbers.scale(), value) {
        (Scale::Logistic, 0.9999..) => "win".to_owned(),
        (Scale::Logistic, ..=-0.9999) => "loss".to_owned(),
        _ => numbers.expected(value),
    };
    (end(span.low), end(span.high))
}

/// The columns in which something stands already.
#[derive(Default)]
struct Taken(Vec<std::ops::Range<usize>>);

impl Taken {
    /// Writes words from a column on, unless something is in the way; returns whether it did.
    fn put(&mut self, pen: &mut Pen, line: Rect, at: usize, words: &str, role: Role) -> bool {
        let width = text::width(words);
        let to = at + width;
        let free = to <= usize::from(line.width)
            && self
                .0
                .iter()
                .all(|range| to <= range.start || at >= range.end);
        if free && width > 0 {
            let x = line.x + at as u16;
            pen.put(x, line.y, x + width as u16, words, role);
            self.0.push(at..to);
        }
        free
    }
}
