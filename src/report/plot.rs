//! Plots as SVG, for pages that show an experiment: lines over a common axis, and histograms.
//!
//! Every line has a colour, a dash and a mark of its own, so no meaning is carried by colour alone. The colours are those
//! of Okabe and Ito (2008), which colour-blind readers can tell apart.

use std::fmt::Write as _;

use super::html::escaped;

/// A line of a plot.
#[derive(Clone, Debug)]
pub struct Series {
    pub name: String,
    /// The points, ascending; a line is interrupted where a point is missing.
    pub points: Vec<(f64, f64)>,
    /// The 95 % interval of each point, where there is one.
    pub bands: Vec<(f64, f64, f64)>,
}

/// One plot of several lines.
#[derive(Clone, Debug)]
pub struct Lines {
    pub title: String,
    pub x: String,
    pub series: Vec<Series>,
    /// A level that the lines are compared with.
    pub level: Option<f64>,
    /// Whether the axis begins at 0.
    pub from_zero: bool,
}

/// A histogram of shares, whose even level is 1 / cells.
#[derive(Clone, Debug)]
pub struct Histogram {
    pub title: String,
    pub shares: Vec<f64>,
}

pub(super) const COLOURS: [&str; 10] = [
    "#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a5195",
    "#8a8a00", "#555555",
];
pub(super) const DASHES: [&str; 4] = ["", "6 3", "2 2", "8 2 2 2"];

/// The size of a plot of lines, of its legend and of a histogram.
const PLOT: (f64, f64) = (420.0, 250.0);
const LEGEND: f64 = 170.0;
const BARS: (f64, f64) = (140.0, 100.0);
const LEFT: f64 = 48.0;
const TOP: f64 = 28.0;
const BOTTOM: f64 = 36.0;
const RIGHT: f64 = 12.0;

/// Draws plots of lines two in a row, with one legend, and histograms below them, five in a row.
pub fn page(title: &str, lines: &[Lines], histograms: &[Histogram]) -> String {
    let width = 2.0 * PLOT.0 + LEGEND;
    let rows = lines.len().div_ceil(2) as f64;
    let per_row = (width / BARS.0) as usize;
    let bars = histograms.len().div_ceil(per_row) as f64;
    let height = 30.0 + rows * PLOT.1 + bars * BARS.1 + 10.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"11\" fill=\"#222222\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
    );
    text(&mut out, (10.0, 20.0), "start", 13, title);
    for (i, plot) in lines.iter().enumerate() {
        let corner = ((i % 2) as f64 * PLOT.0, 30.0 + (i / 2) as f64 * PLOT.1);
        draw_lines(&mut out, corner, plot);
    }
    if let Some(first) = lines.first() {
        legend(&mut out, (2.0 * PLOT.0 + 8.0, 30.0 + TOP), &first.series);
    }
    for (i, bars) in histograms.iter().enumerate() {
        let corner = (
            (i % per_row) as f64 * BARS.0,
            30.0 + rows * PLOT.1 + (i / per_row) as f64 * BARS.1,
        );
        draw_bars(&mut out, corner, bars);
    }
    out.push_str("</svg>\n");
    out
}

/// Writes text at a place, anchored at its start, middle or end.
fn text(out: &mut String, (x, y): (f64, f64), anchor: &str, size: u8, words: &str) {
    let escaped = escaped(words);
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-size=\"{size}\">{escaped}</text>"
    );
}

fn rule(out: &mut String, from: (f64, f64), to: (f64, f64), style: &str) {
    let _ = writeln!(
        out,
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" {style}/>",
        from.0, from.1, to.0, to.1
    );
}

/// The range of an axis with its ticks.
struct Axis {
    low: f64,
    high: f64,
    step: f64,
}

impl Axis {
    /// Returns an axis over these figures with about five ticks at round numbers.
    fn over(figures: impl Iterator<Item = f64>, from_zero: bool) -> Axis {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for x in figures.filter(|x| x.is_finite()) {
            (low, high) = (low.min(x), high.max(x));
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        if from_zero {
            low = low.min(0.0);
        }
        let rough = ((high - low) / 5.0).max(1e-6);
        let power = 10f64.powf(rough.log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|s| s * power);
        let step = steps.into_iter().find(|s| *s >= rough).unwrap_or(rough);
        Axis {
            low: (low / step).floor() * step,
            high: (high / step).ceil() * step,
            step,
        }
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        let n = ((self.high - self.low) / self.step).round() as usize;
        let (low, step) = (self.low, self.step);
        (0..=n).map(move |i| low + i as f64 * step)
    }

    fn place(&self, x: f64, from: f64, to: f64) -> f64 {
        let width = (self.high - self.low).max(1e-12);
        from + (x - self.low) / width * (to - from)
    }
}

fn draw_lines(out: &mut String, corner: (f64, f64), plot: &Lines) {
    let (left, right) = (corner.0 + LEFT, corner.0 + PLOT.0 - RIGHT);
    let (top, bottom) = (corner.1 + TOP, corner.1 + PLOT.1 - BOTTOM);
    let points = || plot.series.iter().flat_map(|s| &s.points);
    let ends = plot
        .series
        .iter()
        .flat_map(|s| &s.bands)
        .flat_map(|b| [b.1, b.2]);
    let x = Axis::over(points().map(|p| p.0), false);
    let y = Axis::over(
        points().map(|p| p.1).chain(ends).chain(plot.level),
        plot.from_zero,
    );
    text(out, (left, corner.1 + 16.0), "start", 12, &plot.title);
    for tick in y.ticks() {
        let at = y.place(tick, bottom, top);
        rule(out, (left, at), (right, at), "stroke=\"#dddddd\"");
        text(out, (left - 5.0, at + 4.0), "end", 10, &label(tick, y.step));
    }
    for tick in x.ticks() {
        let at = x.place(tick, left, right);
        text(out, (at, bottom + 14.0), "middle", 10, &label(tick, x.step));
    }
    text(
        out,
        ((left + right) / 2.0, bottom + 28.0),
        "middle",
        10,
        &plot.x,
    );
    if let Some(level) = plot.level {
        let at = y.place(level, bottom, top);
        let style = "stroke=\"#222222\" stroke-width=\"1.5\" stroke-dasharray=\"1 3\"";
        rule(out, (left, at), (right, at), style);
    }
    for (number, series) in plot.series.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        for &(at, low, high) in &series.bands {
            let at = x.place(at, left, right);
            let style = format!("stroke=\"{colour}\" stroke-opacity=\"0.35\" stroke-width=\"3\"");
            let ends = (y.place(low, bottom, top), y.place(high, bottom, top));
            rule(out, (at, ends.0), (at, ends.1), &style);
        }
        let places: Vec<(f64, f64)> = series
            .points
            .iter()
            .map(|p| (x.place(p.0, left, right), y.place(p.1, bottom, top)))
            .collect();
        let path: Vec<String> = places
            .iter()
            .map(|p| format!("{:.1},{:.1}", p.0, p.1))
            .collect();
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\" stroke-dasharray=\"{}\"/>",
            path.join(" "),
            DASHES[number % DASHES.len()]
        );
        for place in places {
            mark(out, place, number);
        }
    }
}

/// Draws the mark of a line: a circle, a square, a triangle or a diamond.
fn mark(out: &mut String, (x, y): (f64, f64), number: usize) {
    let colour = COLOURS[number % COLOURS.len()];
    let points = |list: &[(f64, f64)]| {
        let one = |(dx, dy): &(f64, f64)| format!("{:.1},{:.1}", x + dx, y + dy);
        list.iter().map(one).collect::<Vec<String>>().join(" ")
    };
    let shape = match number % 4 {
        0 => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\""),
        1 => format!(
            "<polygon points=\"{}\"",
            points(&[(-3.0, -3.0), (3.0, -3.0), (3.0, 3.0), (-3.0, 3.0)])
        ),
        2 => format!(
            "<polygon points=\"{}\"",
            points(&[(0.0, -4.0), (4.0, 3.0), (-4.0, 3.0)])
        ),
        _ => format!(
            "<polygon points=\"{}\"",
            points(&[(0.0, -4.0), (4.0, 0.0), (0.0, 4.0), (-4.0, 0.0)])
        ),
    };
    let _ = writeln!(out, "{shape} fill=\"{colour}\"/>");
}

fn legend(out: &mut String, (x, y): (f64, f64), series: &[Series]) {
    for (number, series) in series.iter().enumerate() {
        let at = y + 18.0 * number as f64;
        let colour = COLOURS[number % COLOURS.len()];
        let style = format!(
            "stroke=\"{colour}\" stroke-width=\"1.6\" stroke-dasharray=\"{}\"",
            DASHES[number % DASHES.len()]
        );
        rule(out, (x, at), (x + 28.0, at), &style);
        mark(out, (x + 14.0, at), number);
        text(out, (x + 34.0, at + 4.0), "start", 11, &series.name);
    }
}

fn draw_bars(out: &mut String, corner: (f64, f64), bars: &Histogram) {
    let (left, right) = (corner.0 + 12.0, corner.0 + BARS.0 - 10.0);
    let (top, bottom) = (corner.1 + 20.0, corner.1 + BARS.1 - 8.0);
    text(out, (left, corner.1 + 14.0), "start", 11, &bars.title);
    let even = 1.0 / bars.shares.len().max(1) as f64;
    let most = bars.shares.iter().copied().fold(2.0 * even, f64::max);
    let width = (right - left) / bars.shares.len().max(1) as f64;
    for (i, share) in bars.shares.iter().enumerate() {
        let height = share / most * (bottom - top);
        let _ = writeln!(
            out,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\" fill=\"#0072b2\"/>",
            left + i as f64 * width,
            bottom - height,
            width - 1.0
        );
    }
    let at = bottom - even / most * (bottom - top);
    let style = "stroke=\"#222222\" stroke-width=\"1\" stroke-dasharray=\"1 3\"";
    rule(out, (left, at), (right, at), style);
    rule(out, (left, bottom), (right, bottom), "stroke=\"#222222\"");
}

/// Writes a tick with as many digits as its step needs.
fn label(tick: f64, step: f64) -> String {
    let digits = (-step.log10().floor()).clamp(0.0, 6.0) as usize;
    super::number::minus(&format!("{:.*}", digits, tick + 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_at_round_numbers() {
        let axis = Axis::over([0.03, 0.21].into_iter(), true);
        let ticks: Vec<String> = axis.ticks().map(|t| label(t, axis.step)).collect();
        assert_eq!(ticks, ["0.00", "0.05", "0.10", "0.15", "0.20", "0.25"]);
        let plies = Axis::over((0..9).map(f64::from), false);
        assert_eq!(
            plies.ticks().map(|t| label(t, plies.step)).last(),
            Some("8".into())
        );
        let none = Axis::over(std::iter::empty(), false);
        assert!((none.low, none.high) == (0.0, 1.0));
    }

    #[test]
    fn a_page_has_all_its_parts() {
        let series = Series {
            name: "a < b".into(),
            points: vec![(0.0, 0.1), (1.0, 0.2)],
            bands: vec![(1.0, 0.15, 0.25)],
        };
        let plot = Lines {
            title: "Spread".into(),
            x: "ply".into(),
            series: vec![series],
            level: Some(0.2),
            from_zero: true,
        };
        let bars = Histogram {
            title: "PIT".into(),
            shares: vec![0.1; 10],
        };
        let svg = page("Plies", &[plot], &[bars]);
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
        for part in ["a &lt; b", "Spread", "<polyline", "<circle", "PIT"] {
            assert!(svg.contains(part), "{part}");
        }
        assert_eq!(svg.matches("<rect").count(), 11);
        assert!(!svg.contains("NaN"));
    }
}
