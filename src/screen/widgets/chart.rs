//! Draws a [`Chart`] in cells: in braille (2 by 4 dots per cell) or, in ASCII mode, one mark per cell.

use ratatui::layout::Rect;
use ratatui::style::Modifier;

use super::canvas::{Canvas, Dot};
use crate::pen::Pen;

use crate::theme::Role;
use chart::{Band, Chart, Dash, Series, Shape, column};

/// How a chart is drawn.
#[derive(Clone, Copy)]
pub struct Look<'a> {
    /// The role of a place among the series.
    pub role: &'a dyn Fn(usize) -> Role,
    /// The width of the labels at the left; 0 if heights have none.
    pub labels: u16,
    /// Whether the series are in a row above the chart, if there is room.
    pub legend: bool,
    /// Whether the lines have dashes.
    pub dashed: bool,
    /// The place of the series that is drawn above the others, with its letters reversed.
    pub chosen: Option<usize>,
    /// Whether all letters are reversed.
    pub reversed: bool,
}

impl Look<'_> {
    /// Returns how lines are drawn that only their role tells apart.
    pub const fn plain(role: &dyn Fn(usize) -> Role) -> Look<'_> {
        Look {
            role,
            labels: 0,
            legend: true,
            dashed: false,
            chosen: None,
            reversed: false,
        }
    }
}

/// A chart on its area of the screen.
#[derive(Clone, Copy)]
pub struct Frame<'a> {
    chart: &'a Chart,
    look: Look<'a>,
    /// The area with the legend, the labels and the axis.
    whole: Rect,
    /// Where the series are.
    pub area: Rect,
}

/// Draws a chart; returns where it is, or `None` if there is no room for it.
pub fn draw<'a>(chart: &'a Chart, look: Look<'a>, pen: &mut Pen, whole: Rect) -> Option<Frame<'a>> {
    let frame = Frame::new(chart, look, whole)?;
    frame.draw_axes(pen);
    frame.draw_series(pen);
    Some(frame)
}

impl<'a> Frame<'a> {
    /// Returns the frame of a chart; `None` if there is no room for it.
    pub fn new(chart: &'a Chart, look: Look<'a>, whole: Rect) -> Option<Frame<'a>> {
        let width = whole.width.saturating_sub(look.labels);
        if width < 8 || whole.height < 3 {
            return None;
        }
        let legend = u16::from(look.legend && whole.height >= 5);
        let area = Rect {
            x: whole.x + look.labels,
            y: whole.y + legend,
            width,
            height: whole.height - 1 - legend,
        };
        Some(Frame {
            chart,
            look,
            whole,
            area,
        })
    }

    /// Returns the column of a place.
    pub fn column(&self, x: f64) -> u16 {
        self.area.x + column(self.chart.x.share(x), usize::from(self.area.width)) as u16
    }

    /// Returns the row of a height; what is above or below the chart is at its edge.
    pub fn row(&self, y: f64) -> u16 {
        let last = f64::from(self.area.height - 1);
        let up = self.chart.y.share(y).clamp(0.0, 1.0) * last;
        self.area.bottom() - 1 - up.round() as u16
    }

    /// Draws what is behind the series: the legend, the labels of both axes, the level and the upright lines.
    pub fn draw_axes(&self, pen: &mut Pen) {
        let (chart, area) = (self.chart, self.area);
        if area.y > self.whole.y {
            self.draw_legend(pen);
        }
        let mut free = area.bottom();
        for (value, label) in &chart.y.ticks {
            let row = self.row(*value);
            if row < free {
                let label = pen.glyphs.text(label);
                pen.put_right(self.whole.x, row, area.x - 1, &label, Role::Axis);
                free = row;
            }
        }
        if let Some(level) = chart.level {
            let (row, style) = (self.row(level), pen.style(Role::Axis));
            for x in (area.left()..area.right()).step_by(2) {
                pen.char(x, row, pen.glyphs.dot, style);
            }
        }
        let mut free = area.x;
        for (value, label) in &chart.x.ticks {
            let label = pen.glyphs.text(label);
            let width = text::width(&label) as u16;
            // Centred below its place, within the axis, and apart from the previous one.
            let x = self.column(*value).saturating_sub(width / 2).max(area.x);
            let x = x.min(area.right().saturating_sub(width));
            if x >= free {
                free = pen.put(x, area.bottom(), area.right(), &label, Role::Axis) + 1;
            }
        }
        let style = pen.style(Role::Window);
        for (x, name) in self.lines() {
            for y in area.top() + u16::from(!name.is_empty())..area.bottom() {
                pen.char(x, y, pen.glyphs.window, style);
            }
        }
    }

    /// Draws what the series and the axis are; the last are dropped where there is no room.
    fn draw_legend(&self, pen: &mut Pen) {
        let mut named: Vec<&Series> = self.chart.series.iter().collect();
        named.retain(|series| !series.name.is_empty());
        named.sort_by_key(|series| series.place);
        let series = named.into_iter().map(|series| {
            let words = match series.letter.is_ascii_uppercase() {
                true => format!("{} {}", series.letter, series.name),
                false => series.name.clone(),
            };
            (words, (self.look.role)(series.place))
        });
        let axis = (self.chart.x.name.clone(), Role::Axis);
        let mut x = self.area.x;
        for (words, role) in series.chain([axis]) {
            let words = pen.glyphs.text(&words);
            if x + text::width(&words) as u16 > self.whole.right() {
                return;
            }
            x = pen.put(x, self.whole.y, self.whole.right(), &words, role) + 2;
        }
    }

    /// Returns the upright lines that are on the axis, with their columns.
    fn lines(&self) -> impl Iterator<Item = (u16, &'a str)> {
        let lines = self.chart.lines.iter();
        let shown = lines.filter(|(x, _)| self.chart.x.holds(*x));
        shown.map(|(x, name)| (self.column(*x), name.as_str()))
    }

    /// Draws the bands, the series with their letters, the names of the upright lines and the marks.
    pub fn draw_series(&self, pen: &mut Pen) {
        let mut canvas = Canvas::new(self.area, pen.glyphs.ascii);
        for band in &self.chart.bands {
            self.dot_band(&mut canvas, band);
        }
        let mut series: Vec<&Series> = self.chart.series.iter().collect();
        series.sort_by_key(|series| Some(series.place) == self.look.chosen);
        for series in &series {
            self.dot_series(&mut canvas, series);
        }
        canvas.draw(pen);
        for series in &series {
            self.draw_letters(pen, series);
        }
        self.name_lines(pen);
        self.draw_marks(pen);
    }

    /// Returns the height of a value in rows of dots, from the lower edge.
    fn up(&self, value: f64, rows: usize) -> f64 {
        (self.chart.y.share(value) * (rows as f64 - 1.0)).round()
    }

    /// Draws sparse dots from the lower to the upper ends, at different places for each band. One without width is a line.
    fn dot_band(&self, canvas: &mut Canvas, band: &Band) {
        let (columns, rows) = canvas.size();
        let last = rows as f64 - 1.0;
        let is_line = band.ranges.iter().all(|range| range.1 == range.2);
        let dot = Dot {
            role: (self.look.role)(band.place),
            faint: !is_line,
            mark: if is_line { ':' } else { '.' },
        };
        let side = |end: fn(&(f64, f64, f64)) -> f64| {
            let series = Series {
                points: band.ranges.iter().map(|r| (r.0, end(r))).collect(),
                ..Series::default()
            };
            series.heights(&self.chart.x, columns)
        };
        let sides = side(|r| r.1).into_iter().zip(side(|r| r.2));
        for (x, (low, high)) in sides.enumerate() {
            let Some((low, high)) = low.zip(high) else {
                continue;
            };
            let (low, high) = (self.up(low, rows), self.up(high, rows).min(last));
            for y in low.max(0.0) as isize..=high as isize {
                let y = y as usize;
                if (x + 2 * y + band.place).is_multiple_of(band.sparse.max(1)) {
                    canvas.set(x, y, dot);
                }
            }
        }
    }

    fn dot_series(&self, canvas: &mut Canvas, series: &Series) {
        let (columns, rows) = canvas.size();
        let dash = match self.look.dashed {
            true => Dash::nth(series.place),
            false => Dash::Solid,
        };
        let dot = Dot {
            role: (self.look.role)(series.place),
            faint: false,
            mark: series.letter.to_ascii_lowercase(),
        };
        let filled = series.shape == Shape::Area;
        let heights = series.heights(&self.chart.x, columns).into_iter();
        // Nothing is filled where there is no mass.
        let seen = |y: &f64| !filled || self.chart.y.share(*y) >= 0.004;
        let up = |y: f64| self.up(y, rows).clamp(0.0, rows as f64 - 1.0) as usize;
        let heights: Vec<Option<usize>> = heights.map(|y| y.filter(seen).map(up)).collect();
        canvas.curve(&heights, filled, dash, dot);
    }

    /// Writes the letters on a series, beside other letters if their places are taken.
    fn draw_letters(&self, pen: &mut Pen, series: &Series) {
        let heights = series.heights(&self.chart.x, usize::from(self.area.width));
        let mut style = pen.style((self.look.role)(series.place));
        if self.look.reversed || self.look.chosen == Some(series.place) {
            style = style.add_modifier(Modifier::REVERSED);
        }
        for at in &series.letters {
            let mut x = self.column(*at);
            let Some(height) = heights[usize::from(x - self.area.x)] else {
                continue;
            };
            let y = self.row(height);
            let taken = |pen: &Pen, x: u16| {
                let symbol = pen.buf.cell((x, y)).map_or(" ", |cell| cell.symbol());
                symbol.chars().all(|c| c.is_ascii_uppercase())
            };
            while x + 1 < self.area.right() && taken(pen, x) {
                x += 1;
            }
            pen.char(x, y, series.letter, style);
        }
    }

    /// Writes the lines' names above the series, since the lines must stay identifiable.
    fn name_lines(&self, pen: &mut Pen) {
        let (area, style) = (self.area, pen.style(Role::Window));
        let mut lines: Vec<(u16, &str)> = self.lines().collect();
        lines.sort_by_key(|(x, _)| *x);
        // Beside each other where the lines are near each other.
        let mut free = area.x;
        for (x, name) in lines.into_iter().filter(|(_, name)| !name.is_empty()) {
            let label = pen.glyphs.text(name);
            let width = text::width(&label) as u16;
            let start = x.max(free).min(area.right().saturating_sub(width));
            free = pen.text(start, area.top(), area.right(), &label, style) + 1;
        }
    }

    /// Draws the marks above their points if there is room, otherwise below them.
    fn draw_marks(&self, pen: &mut Pen) {
        for mark in &self.chart.marks {
            let role = match mark.weight {
                2.. => Role::Error,
                _ => Role::Warning,
            };
            let width = text::width(mark.sign) as u16;
            let x = self.column(mark.at.0);
            let x = x.min(self.area.right().saturating_sub(width));
            let row = self.row(mark.at.1);
            let y = match row > self.area.y {
                true => row - 1,
                false => row + 1,
            };
            pen.put(x, y, self.area.right(), mark.sign, role);
        }
    }
}
