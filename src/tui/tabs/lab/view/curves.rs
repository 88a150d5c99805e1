//! Charts of several curves over one axis, each told apart by its letter, its dashes and its colour.

use ratatui::layout::Rect;
use ratatui::style::Modifier;

use crate::tabs::lab::role_of;
use screen::pen::Pen;
use screen::theme::Role;
use screen::widgets::Dash;
use screen::widgets::canvas::{Canvas, Dot};

/// The width of the labels left of the chart.
pub const LABELS: u16 = 6;

/// A curve: places on the axis from 0 to 1, and heights.
#[derive(Clone, Debug)]
pub struct Curve {
    pub letter: char,
    /// Its place among the colours and dashes.
    pub place: usize,
    pub points: Vec<(f64, f64)>,
}

/// An area behind the curves, with straight sides between its points.
#[derive(Clone, Debug)]
pub struct Band {
    pub dot: Dot,
    /// One in this many dots is set.
    pub sparse: usize,
    /// Places on the axis from 0 to 1, with the lower and the upper side.
    pub points: Vec<(f64, f64, f64)>,
}

/// Curves with their axes.
#[derive(Clone, Debug)]
pub struct Chart {
    /// The labels below the axis, with their places from 0 to 1.
    pub marks: Vec<(f64, String)>,
    pub curves: Vec<Curve>,
    pub bands: Vec<Band>,
    /// The height of the lower edge; below 0 there is a line at 0.
    pub bottom: f64,
    /// The upper edge is at least here.
    pub least_top: f64,
    /// Writes the labels at the left.
    pub label: fn(f64) -> String,
    /// The curve that is drawn above the others, with its letter reversed.
    pub chosen: Option<usize>,
}

/// A chart's range of heights on an area of the screen.
#[derive(Clone, Copy)]
struct Frame {
    area: Rect,
    bottom: f64,
    top: f64,
}

impl Frame {
    /// Returns the share of the height that lies below a value.
    fn up(self, value: f64) -> f64 {
        (value - self.bottom) / (self.top - self.bottom)
    }

    fn row(self, value: f64) -> u16 {
        let last = f64::from(self.area.height - 1);
        self.area.y + ((1.0 - self.up(value).clamp(0.0, 1.0)) * last).round() as u16
    }
}

impl Chart {
    /// Draws the chart; nothing if there is too little room.
    pub fn draw(&self, pen: &mut Pen, inner: Rect) {
        if inner.width < 20 || inner.height < 4 {
            return;
        }
        let area = Rect {
            x: inner.x + LABELS,
            width: inner.width - LABELS - 1,
            height: inner.height - 1,
            ..inner
        };
        let heights = self.curves.iter().flat_map(|c| &c.points).map(|p| p.1);
        let most = heights.fold(self.least_top, f64::max);
        let frame = Frame {
            area,
            bottom: self.bottom,
            top: (self.bottom + 1.08 * (most - self.bottom)).max(self.bottom + 1e-6),
        };
        self.draw_axes(pen, inner, frame);
        let mut canvas = Canvas::new(area, pen.glyphs.ascii);
        self.bands
            .iter()
            .for_each(|band| band.draw(&mut canvas, frame));
        let mut order: Vec<usize> = (0..self.curves.len()).collect();
        order.sort_by_key(|&i| Some(i) == self.chosen);
        for &i in &order {
            self.curves[i].draw(&mut canvas, frame);
        }
        canvas.draw(pen);
        for &i in &order {
            let share = (i as f64 + 0.5) / self.curves.len() as f64;
            self.curves[i].draw_letter(pen, frame, share, Some(i) == self.chosen);
        }
    }

    fn draw_axes(&self, pen: &mut Pen, inner: Rect, frame: Frame) {
        let area = frame.area;
        let last = f64::from(area.width - 1);
        let mut free = area.x;
        for (place, label) in &self.marks {
            let at = area.x + (place * last).round() as u16;
            let x = (at + 1).saturating_sub(label.len() as u16).max(area.x);
            if x >= free {
                pen.put(x, area.bottom(), inner.right(), label, Role::Axis);
                free = x + label.len() as u16 + 1;
            }
        }
        let range = frame.top - frame.bottom;
        let step = round_step(range / (f64::from(area.height) / 2.0).clamp(4.0, 8.0));
        for k in (frame.bottom / step).ceil() as i32..=(frame.top / step).floor() as i32 {
            let value = f64::from(k) * step;
            let (row, label) = (frame.row(value), pen.glyphs.text(&(self.label)(value)));
            pen.put_right(inner.x, row, area.x - 1, &label, Role::Axis);
            if k == 0 && frame.bottom < 0.0 {
                let style = pen.style(Role::Axis);
                for x in (area.left()..area.right()).step_by(2) {
                    pen.char(x, row, pen.glyphs.dot, style);
                }
            }
        }
    }
}

/// Returns the smallest of 1, 2, 5, 10, ... times a power of ten that is at least this step.
fn round_step(rough: f64) -> f64 {
    let power = 10f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|m| m * power);
    steps.into_iter().find(|s| *s >= rough).unwrap_or(rough)
}

/// Returns the share of the axis that a column of dots stands for.
fn share_at(x: usize, columns: usize) -> f64 {
    x as f64 / (columns as f64 - 1.0).max(1.0)
}

impl Band {
    fn draw(&self, canvas: &mut Canvas, frame: Frame) {
        let (columns, rows) = canvas.size();
        for x in 0..columns {
            let place = share_at(x, columns);
            let mut pairs = self.points.windows(2);
            let Some([from, to]) = pairs.find(|p| (p[0].0..=p[1].0).contains(&place)) else {
                continue;
            };
            let share = (place - from.0) / (to.0 - from.0);
            let dot = |from: f64, to: f64| {
                (frame.up(from + share * (to - from)) * (rows as f64 - 1.0)).round()
            };
            let (low, high) = (dot(from.1, to.1), dot(from.2, to.2).min(rows as f64 - 1.0));
            for y in low.max(0.0) as isize..=high as isize {
                let y = y as usize;
                if (x + 2 * y).is_multiple_of(self.sparse) {
                    canvas.set(x, y, self.dot);
                }
            }
        }
    }
}

impl Curve {
    /// Returns the height at a place of the axis; `None` outside the curve.
    fn height(&self, place: f64) -> Option<f64> {
        if let [(x, y)] = self.points[..] {
            return ((place - x).abs() < 0.01).then_some(y);
        }
        let mut pairs = self.points.windows(2);
        let pair = pairs.find(|p| (p[0].0..=p[1].0).contains(&place))?;
        let share = (place - pair[0].0) / (pair[1].0 - pair[0].0);
        Some(pair[0].1 + share * (pair[1].1 - pair[0].1))
    }

    fn draw(&self, canvas: &mut Canvas, frame: Frame) {
        let (columns, rows) = canvas.size();
        let dot = Dot {
            role: role_of(self.place),
            faint: false,
            mark: self.letter.to_ascii_lowercase(),
        };
        let dash = Dash::nth(self.place);
        let mut before: Option<usize> = None;
        for x in 0..columns {
            let Some(value) = self.height(share_at(x, columns)) else {
                continue;
            };
            let y = (frame.up(value) * (rows as f64 - 1.0)).round().max(0.0) as usize;
            let from = before.unwrap_or(y);
            before = Some(y);
            for step in from.min(y)..=from.max(y) {
                if dash.sets(x) {
                    canvas.set(x, step, dot);
                }
            }
        }
    }

    /// Draws the letter on the curve twice, at places that no other curve has.
    fn draw_letter(&self, pen: &mut Pen, frame: Frame, share: f64, chosen: bool) {
        let mut style = pen.style(role_of(self.place));
        if chosen {
            style = style.add_modifier(Modifier::REVERSED);
        }
        let last = f64::from(frame.area.width - 1);
        let (Some(first), Some(end)) = (self.points.first(), self.points.last()) else {
            return;
        };
        let length = end.0 - first.0;
        for half in [0.0, 0.5] {
            let at = first.0 + length * (half + 0.5 * share);
            if let Some(value) = self.height(at) {
                let x = frame.area.x + (at * last).round() as u16;
                pen.char(x, frame.row(value), self.letter, style);
            }
        }
    }
}
