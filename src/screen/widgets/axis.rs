//! One node on the value axis, in the cells of a line.

use chart::value::{From, How, Mark, Sign, Span, Style};
use ratatui::layout::Rect;
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

impl AxisRow<'_> {
    /// Draws into an area, in which bars may be several lines high and other marks stand at the bottom; `label` says what is
    /// proven, beside the end of its bar.
    pub fn draw(&self, pen: &mut Pen, area: Rect, rules: &[Rule], label: &str) {
        let (glyphs, columns) = (pen.glyphs, usize::from(area.width));
        let bottom = area.bottom().saturating_sub(1);
        for rule in rules {
            if let Some(at) = self.span.column(rule.value, columns) {
                let style = pen.style(rule.role);
                let sign = if rule.best {
                    glyphs.rule
                } else {
                    glyphs.window
                };
                for y in area.top()..area.bottom() {
                    pen.char(area.x + at as u16, y, sign, style);
                }
            }
        }
        let style = pen.style(self.role);
        let how = How {
            style: self.style,
            from: self.from,
            levels: 8 * area.height.clamp(1, 16) as u8,
        };
        let mut bar: Option<(u16, u16)> = None;
        self.mark
            .draw(self.span, columns, how, self.grid, |at, sign| {
                let x = area.x + at as u16;
                if matches!(
                    sign,
                    Sign::Level(_) | Sign::Hatch | Sign::Below | Sign::Above
                ) {
                    let at = at as u16;
                    bar = Some(bar.map_or((at, at), |(low, high)| (low.min(at), high.max(at))));
                }
                match sign {
                    Sign::Level(level) => {
                        for row in 0..area.height {
                            let rest = u16::from(level).saturating_sub(8 * row).min(8);
                            if rest > 0 {
                                let sign = glyphs.axis(Sign::Level(rest as u8));
                                pen.char(x, bottom - row, sign, style);
                            }
                        }
                    }
                    _ => pen.char(x, bottom, glyphs.axis(sign), style),
                }
            });
        for rule in rules {
            if let Some(at) = self.span.column(rule.value, columns) {
                for y in area.top()..area.bottom() {
                    self.cross(pen, (area.x + at as u16, y), rule);
                }
            }
        }
        let width = text::width(label) as u16;
        if width == 0 || width > area.width {
            return;
        }
        let (low, high) = bar.unwrap_or((0, 0));
        let at = match self.from {
            From::Low => (high + 2).min(area.width - width),
            From::High => low.saturating_sub(width + 1).min(area.width - width),
        };
        // Where the bar leaves no room, the label stands on it.
        let ground = pen.style(Role::Text).bg.unwrap_or(Color::Reset);
        let style = pen.style(self.role).bg(ground);
        pen.text(area.x + at, bottom, area.right(), label, style);
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
