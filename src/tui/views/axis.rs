//! The value axis as all parts of the screen show it: a heading with its numbers, and one line for each node.

use ratatui::layout::Rect;

use super::facts::{Numbers, fate_sign};
use belief::Grid;
use chart::value::{Mark, Span, Style};
use game::Scale as Unit;
use report::axis::{Plotted, Rules};
use screen::glyphs::Glyphs;
use screen::pen::Pen;
use screen::theme::Role;
use screen::widgets::{AxisRow, Rule};
use tree::{Bound, NodeView, Proof};

/// The axis on which some nodes stand, with the rules of their parent.
#[derive(Debug)]
pub struct Scale<'a> {
    pub span: Span,
    pub style: Style,
    pub grid: &'a Grid,
    /// What the upright rules mark; the best move's is not among them where it may be the answer to a question.
    pub rules: Rules,
    pub numbers: &'a Numbers,
}

impl Scale<'_> {
    /// Draws the heading into one line: the ends of the axis, zero, the best move's value and the window, each at its place.
    pub fn heading(&self, pen: &mut Pen, line: Rect) {
        for x in line.left()..line.right() {
            pen.char(x, line.y, pen.glyphs.horizontal, pen.style(Role::Border));
        }
        let (span, numbers) = (self.span, self.numbers);
        let columns = usize::from(line.width);
        let mut taken = Taken::default();
        if let Some(best) = self.rules.best
            && let Some(at) = span.column(best, columns)
        {
            let star = pen.glyphs.best;
            let value = numbers.expected(best);
            let (after, before) = (format!("{star} {value}"), format!("{value} {star}"));
            let width = text::width(&after);
            // The sign stands above its rule, the number on the side where there is room.
            let left = (at + 1).saturating_sub(width);
            let _ = left >= 8 && taken.put(pen, line, left, &before, Role::MoveBest)
                || taken.put(pen, line, at, &after, Role::MoveBest)
                || taken.put(pen, line, left, &before, Role::MoveBest);
        }
        let (low, high) = self.ends();
        taken.put(pen, line, 0, &low, Role::Axis);
        let width = text::width(&high);
        taken.put(pen, line, columns.saturating_sub(width), &high, Role::Axis);
        let names = match pen.glyphs.ascii {
            true => ["a", "b"],
            false => ["α", "β"],
        };
        for (value, name) in [self.rules.alpha, self.rules.beta].into_iter().zip(names) {
            if let Some(at) = value.and_then(|v| span.column(v, columns)) {
                taken.put_apart(pen, line, at, name, Role::Window);
            }
        }
        if let Some(at) = span.column(0.0, columns) {
            taken.put_apart(pen, line, at, "0", Role::Axis);
        }
    }

    /// Returns the values at both ends.
    fn ends(&self) -> (String, String) {
        let end = |value: f32| match (self.numbers.scale(), value) {
            (Unit::Logistic, 0.9999..) => "win".to_owned(),
            (Unit::Logistic, ..=-0.9999) => "loss".to_owned(),
            _ => self.numbers.expected(value),
        };
        (end(self.span.low), end(self.span.high))
    }

    /// Draws a node's mark into an area, which may be several lines high; `proof` is what is proven of it, as shown.
    pub fn row(&self, pen: &mut Pen, area: Rect, plotted: &Plotted, role: Role, proof: Proof) {
        let Rules { best, alpha, beta } = self.rules;
        let rule = |value: Option<f32>, role, best| Rule {
            value: value.unwrap_or(f32::INFINITY),
            role,
            best,
        };
        let rules = [
            rule(alpha, Role::Window, false),
            rule(beta, Role::Window, false),
            rule(best, Role::MoveBest, true),
        ];
        let label = match plotted.mark {
            Mark::Proof { .. } => self.numbers.proof(proof),
            _ => String::new(),
        };
        let row = AxisRow {
            mark: plotted.mark,
            from: plotted.from,
            style: self.style,
            span: self.span,
            grid: self.grid,
            role,
        };
        row.draw(pen, area, &rules, &label);
    }
}

/// How a move stands among its siblings.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub best: bool,
    /// Whether it hardly can be the best.
    pub trails: bool,
}

impl Place {
    /// Returns the colour of its mark: the best move's, the leaders', and what is behind.
    pub fn role(self, view: &NodeView, mark: &Mark, glyphs: &Glyphs) -> Role {
        if view.fate.is_skip() || view.fate.is_cut_before_moves() {
            return fate_sign(view.fate, glyphs).1;
        }
        if self.best {
            return Role::MoveBest;
        }
        if mark.is_proof() {
            return Role::Proven;
        }
        let bound = view.window.map_or(Bound::Exact, |w| w.bound);
        match self.trails || bound != Bound::Exact {
            true => Role::Children,
            false => Role::Density,
        }
    }
}

/// Returns the mark without a distribution: the value alone.
pub fn without_belief(mark: Mark) -> Mark {
    match mark {
        Mark::Belief { mean, .. } | Mark::Mean { mean, .. } => Mark::Exact(mean),
        mark => mark,
    }
}

/// The columns in which something stands already.
#[derive(Default)]
struct Taken(Vec<std::ops::Range<usize>>);

impl Taken {
    /// Writes a single sign, unless something stands beside it.
    fn put_apart(&mut self, pen: &mut Pen, line: Rect, at: usize, sign: &str, role: Role) {
        if self
            .0
            .iter()
            .all(|range| at + 1 < range.start || at > range.end)
        {
            self.put(pen, line, at, sign, role);
        }
    }

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
