//! One node on the value axis, in the cells of a line.

use chart::value::{From, Mark, Sign, Span, Style};
use ratatui::style::Color;

use crate::pen::Pen;
use crate::theme::Role;
use belief::Grid;

/// The cells of one node.
#[derive(Debug)]
pub struct AxisRow<'a> {
    pub mark: Mark,
    pub from: From,
    pub style: Style,
    pub span: Span,
    pub grid: &'a Grid,
    /// The colour of the mark.
    pub role: Role,
}

/// An upright rule through the rows of one parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    pub value: f32,
    pub role: Role,
    /// Whether it is the value of the best move, and not an end of a window.
    pub best: bool,
}

impl Rule {
    /// A rule that is nowhere in sight.
    pub const NONE: Rule = Rule {
        value: f32::INFINITY,
        role: Role::Axis,
        best: false,
    };
}

impl AxisRow<'_> {
    /// Draws into `columns` cells; `label` says what is proven, beside the end of its bar.
    pub fn draw(
        &self,
        pen: &mut Pen,
        (x, y): (u16, u16),
        columns: u16,
        rules: &[Rule],
        label: &str,
    ) {
        let glyphs = pen.glyphs;
        for rule in rules {
            if let Some(at) = self.span.column(rule.value, usize::from(columns)) {
                let style = pen.style(rule.role);
                let sign = if rule.best {
                    glyphs.rule
                } else {
                    glyphs.window
                };
                pen.char(x + at as u16, y, sign, style);
            }
        }
        let style = pen.style(self.role);
        let how = (self.style, self.from);
        let mut bar: Option<(u16, u16)> = None;
        let span = self.span;
        self.mark
            .draw(span, usize::from(columns), how, self.grid, |at, sign| {
                let at = at as u16;
                if matches!(
                    sign,
                    Sign::Level(_) | Sign::Hatch | Sign::Below | Sign::Above
                ) {
                    bar = Some(bar.map_or((at, at), |(low, high)| (low.min(at), high.max(at))));
                }
                pen.char(x + at, y, glyphs.axis(sign), style);
            });
        for rule in rules {
            let Some(at) = self.span.column(rule.value, usize::from(columns)) else {
                continue;
            };
            self.cross(pen, (x + at as u16, y), rule);
        }
        let width = text::width(label) as u16;
        if width == 0 || width > columns {
            return;
        }
        let (low, high) = bar.unwrap_or((0, 0));
        let at = match self.from {
            From::Low => (high + 2).min(columns - width),
            From::High => low.saturating_sub(width + 1).min(columns - width),
        };
        pen.put(x + at, y, x + columns, label, self.role);
    }

    /// Draws a rule through a cell of a bar: on the bar's colour where the cell is full, else in its own.
    fn cross(&self, pen: &mut Pen, at: (u16, u16), rule: &Rule) {
        let glyphs = pen.glyphs;
        let bar = pen.style(self.role).fg;
        let line = pen.style(rule.role).fg;
        let Some(cell) = pen.buf.cell_mut(at) else {
            return;
        };
        let Some((bar, line)) = bar.zip(line).filter(|(a, b)| a != b && *a != Color::Reset) else {
            return;
        };
        let symbol = cell.symbol();
        if symbol == "█" {
            cell.set_char(glyphs.rule).set_fg(line).set_bg(bar);
        } else if glyphs.levels.iter().any(|level| symbol.starts_with(*level)) {
            cell.set_fg(line);
        }
    }
}
