//! A mark on the value axis as SVG: the same cells as on the screen, only more of them, and a belief without cells.

use super::svg::{self, Element, Pair, Path};
use super::value::{From, How, Mark, Sign, Span, Style};
use belief::{Density, Grid};

/// The number of cells of an axis that is drawn.
const CELLS: usize = 96;

/// Where an axis is drawn: its upper left corner and its size.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    pub at: Pair,
    pub size: Pair,
}

impl Frame {
    /// Returns the place of a value from the left, or `None` if it is out of sight.
    pub fn x(&self, value: f32, span: Span) -> Option<f64> {
        span.holds(value)
            .then(|| self.at.0 + self.size.0 * f64::from(span.share(value)).clamp(0.0, 1.0))
    }

    /// Draws an upright line through the frame; nothing where the value is out of sight.
    pub fn rule(&self, value: f32, span: Span) -> Option<Element> {
        let x = self.x(value, span)?;
        Some(svg::line((x, self.at.1), (x, self.at.1 + self.size.1)))
    }

    /// Draws a mark in the current colour.
    pub fn mark(&self, mark: &Mark, span: Span, from: From, grid: &Grid) -> Element {
        if let Mark::Belief { density, .. } = mark
            && density.is_atom().is_none()
            && let Some(bar) = self.bar(density, span, from, grid)
        {
            return bar;
        }
        let mut cells = [None; CELLS];
        let how = How {
            style: Style::Chance,
            from,
            levels: 8,
        };
        mark.draw(span, CELLS, how, grid, |column, sign| {
            cells[column] = Some(sign);
        });
        let mut group = Element::new("g");
        // Equal neighbours are one piece.
        let mut begin = 0;
        while begin < CELLS {
            let sign = cells[begin];
            let end = (begin..CELLS).find(|i| kind(cells[*i]) != kind(sign));
            let end = end.unwrap_or(CELLS);
            if let Some(sign) = sign {
                self.piece(sign, &cells[begin..end], begin, &mut group);
            }
            begin = end;
        }
        group
    }

    /// Draws the chance of at least each value as a bar, finer than cells can; `None` if hardly anything of it is in sight.
    fn bar(&self, density: &Density, span: Span, from: From, grid: &Grid) -> Option<Element> {
        const STEPS: u8 = 50;
        let ((left, top), (width, height)) = (self.at, self.size);
        let (bottom, room) = (top + height, height - 2.0);
        // From the end at which the bar begins: the chance falls from 1 to 0.
        let quantile = |chance: f32| match from {
            From::Low => density.quantile(1.0 - chance, grid),
            From::High => density.quantile(chance, grid),
        };
        let place = |value: f32| left + width * f64::from(span.share(value).clamp(0.0, 1.0));
        let (begin, last) = match from {
            From::Low => (left, quantile(0.01)),
            From::High => (left + width, quantile(0.01)),
        };
        let in_sight = match from {
            From::Low => last > span.low,
            From::High => last < span.high,
        };
        if !in_sight {
            return None;
        }
        let mut path = Path::default();
        path.go('M', &[begin, bottom]);
        path.go('V', &[bottom - room]);
        for step in (1..STEPS).rev() {
            let chance = f32::from(step) / f32::from(STEPS);
            let up = bottom - room * f64::from(chance);
            path.go('L', &[place(quantile(chance)), up]);
        }
        path.go('V', &[bottom]).go('Z', &[]);
        let bar = path.element().with("fill", "currentColor");
        Some(bar.with("fill-opacity", 0.7))
    }

    /// Draws neighbouring cells of one kind, the first of which is the `begin`-th.
    fn piece(&self, sign: Sign, cells: &[Option<Sign>], begin: usize, group: &mut Element) {
        let ((left, top), (width, height)) = (self.at, self.size);
        let cell = width / CELLS as f64;
        let (from, to) = (
            left + cell * begin as f64,
            left + cell * (begin + cells.len()) as f64,
        );
        let (middle, bottom) = (top + height / 2.0, top + height);
        let centre = (from + to) / 2.0;
        let stroke = |element: Element, wide: f64| {
            element
                .with("stroke", "currentColor")
                .with("stroke-width", wide)
        };
        let level = |y: f64| svg::line((from, y), (to, y));
        let upright = || svg::line((centre, top + 1.0), (centre, bottom - 1.0));
        let filled = |element: Element| element.with("fill", "currentColor");
        let point = || svg::circle((centre, middle), 0.24 * height);
        let arrow = |tip: f64, base: f64| {
            let half = 0.3 * height;
            filled(svg::polygon(&[
                (tip, middle),
                (base, middle - half),
                (base, middle + half),
            ]))
        };
        let element = match sign {
            Sign::Level(_) => {
                let mut path = Path::default();
                path.go('M', &[from, bottom]);
                for (i, sign) in cells.iter().enumerate() {
                    if let Some(Sign::Level(eighths)) = sign {
                        let up = bottom - (height - 2.0) * f64::from(*eighths) / 8.0;
                        path.go('V', &[up]);
                        path.go('H', &[from + cell * (i + 1) as f64]);
                    }
                }
                path.go('V', &[bottom]).go('Z', &[]);
                filled(path.element()).with("fill-opacity", 0.7)
            }
            Sign::Hatch => {
                let area = svg::rect((from, top + 2.0), (to - from, height - 2.0));
                filled(area).with("fill-opacity", 0.3)
            }
            Sign::Point => filled(point()),
            Sign::FaintPoint => stroke(point().with("fill", "none"), 1.2),
            Sign::Static => filled(point()),
            Sign::Line => stroke(level(middle), 1.2),
            Sign::Heavy => stroke(level(middle), 4.0),
            Sign::Dashes => stroke(level(middle), 1.2).with("stroke-dasharray", "4 3"),
            Sign::Gap => stroke(level(middle), 1.5).with("stroke-dasharray", "1.5 3"),
            Sign::Closes | Sign::Opens | Sign::Carried => stroke(upright(), 2.0),
            Sign::Bound => stroke(upright(), 1.5).with("stroke-dasharray", "3 2"),
            Sign::Below => arrow(left, left + 0.5 * height),
            Sign::Above => arrow(left + width, left + width - 0.5 * height),
        };
        group.add(element);
    }
}

/// What a sign has in common with those that are drawn as one piece with it.
fn kind(sign: Option<Sign>) -> Option<std::mem::Discriminant<Sign>> {
    sign.as_ref().map(std::mem::discriminant)
}

#[cfg(test)]
mod tests {
    use super::*;
    use belief::Density;

    fn drawn(mark: Mark) -> String {
        let frame = Frame {
            at: (0.0, 0.0),
            size: (96.0, 16.0),
        };
        frame
            .mark(&mark, Span::WHOLE, From::Low, &Grid::sinh())
            .to_string()
    }

    #[test]
    fn each_mark_has_its_shape() {
        assert_eq!(drawn(Mark::Nothing), "<g/>");
        let exact = drawn(Mark::Exact(0.0));
        assert!(exact.contains("<circle cx=\"48.5\" cy=\"8\""), "{exact}");
        let belief = drawn(Mark::Belief {
            density: Density::uniform(),
            mean: 0.0,
        });
        assert_eq!(belief.matches("<path").count(), 1, "{belief}");
        // A half-line begins at its end, which is drawn.
        let least = drawn(Mark::AtLeast(0.5));
        assert!(least.contains("stroke-dasharray=\"4 3\"") && least.matches("<line").count() == 2);
        let margin = drawn(Mark::Margin {
            from: -0.5,
            to: 0.0,
            bound: 0.5,
        });
        // The margin, the gap, and the three values.
        assert_eq!(margin.matches("<line").count(), 4, "{margin}");
        assert_eq!(margin.matches("<circle").count(), 1, "{margin}");
    }

    #[test]
    fn what_is_out_of_sight_has_an_arrow_and_no_rule() {
        let frame = Frame {
            at: (10.0, 0.0),
            size: (96.0, 16.0),
        };
        let span = Span {
            low: 0.0,
            high: 0.5,
        };
        let mark = frame.mark(&Mark::Exact(0.9), span, From::Low, &Grid::sinh());
        assert!(mark.to_string().contains("<polygon"));
        assert_eq!(frame.x(0.25, span), Some(58.0));
        assert!(frame.rule(0.9, span).is_none() && frame.rule(0.5, span).is_some());
    }
}
