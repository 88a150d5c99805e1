//! Charts as SVG, for pages and files.
//!
//! The colours are those of Okabe and Ito (2008), which colour-blind readers can tell apart.

use crate::svg::{self, Element, Pair};
use crate::{Chart, Dash, Series};

/// The colours of series by their places.
const COLOURS: [&str; 10] = [
    "#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a5195",
    "#8a8a00", "#555555",
];
const INK: &str = "#222222";

/// Returns the colour of a place.
pub fn colour(place: usize) -> &'static str {
    COLOURS[place % COLOURS.len()]
}

/// A histogram of shares, whose even level is 1 / cells.
#[derive(Clone, Debug)]
pub struct Histogram {
    pub title: String,
    pub shares: Vec<f64>,
}

/// The size of a chart on a page, of the legend and of a histogram.
const CHART: Pair = (420.0, 250.0);
const LEGEND: f64 = 170.0;
const BARS: Pair = (140.0, 100.0);

/// Where a chart is drawn, and how much of it.
#[derive(Clone, Copy, Debug)]
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

/// Draws charts two in a row, with one legend, and histograms below them, five in a row.
pub fn page(title: &str, charts: &[Chart], histograms: &[Histogram]) -> String {
    let width = 2.0 * CHART.0 + LEGEND;
    let rows = charts.len().div_ceil(2) as f64;
    let per_row = (width / BARS.0) as usize;
    let bars = histograms.len().div_ceil(per_row) as f64;
    let height = 30.0 + rows * CHART.1 + bars * BARS.1 + 10.0;
    let mut page = svg::file((width, height))
        .with("font-family", "sans-serif")
        .with("font-size", 11)
        .with("fill", INK);
    page.add(svg::rect((0.0, 0.0), (width, height)).with("fill", "#ffffff"));
    page.add(svg::text((10.0, 20.0), title).with("font-size", 13));
    for (i, chart) in charts.iter().enumerate() {
        let (x, y) = ((i % 2) as f64 * CHART.0, 30.0 + (i / 2) as f64 * CHART.1);
        let frame = Frame {
            left: x + 48.0,
            right: x + CHART.0 - 12.0,
            top: y + 28.0,
            bottom: y + CHART.1 - 36.0,
        };
        page.add(svg::text((frame.left, y + 16.0), &chart.title).with("font-size", 12));
        frame.axes(&mut page, chart);
        let places = chart
            .series
            .iter()
            .map(|s| frame.series(&mut page, chart, s));
        for (series, places) in chart.series.iter().zip(places.collect::<Vec<_>>()) {
            places
                .iter()
                .for_each(|at| page.add(mark(*at, series.place)));
        }
    }
    if let Some(first) = charts.first() {
        legend(&mut page, (2.0 * CHART.0 + 8.0, 58.0), &first.series);
    }
    for (i, bars) in histograms.iter().enumerate() {
        let corner = (
            (i % per_row) as f64 * BARS.0,
            30.0 + rows * CHART.1 + (i / per_row) as f64 * BARS.1,
        );
        draw_bars(&mut page, corner, bars);
    }
    format!("{page}\n")
}

/// Draws one chart without a legend as wide as the page it is in, for instance a game's; its marks are circles.
pub fn strip(chart: &Chart, (width, height): Pair) -> String {
    let mut out = Element::new("svg")
        .with("xmlns", svg::NAME_SPACE)
        .with("viewBox", svg::view_box((width, height)))
        .with("role", "img")
        .titled(&chart.title);
    let frame = Frame {
        left: 30.0,
        right: width - 10.0,
        top: 10.0,
        bottom: height - 10.0,
    };
    frame.axes(&mut out, chart);
    for series in &chart.series {
        frame.series(&mut out, chart, series);
    }
    for mark in &chart.marks {
        let radius = 2.5 + f64::from(mark.weight);
        let circle = svg::circle(frame.place(chart, mark.at), radius)
            .with("fill", "#fff")
            .with("stroke", colour(mark.place));
        out.add(circle.titled(&format!("{}{}", mark.words, mark.sign)));
    }
    format!("{out}\n")
}

impl Frame {
    fn place(self, chart: &Chart, (x, y): Pair) -> Pair {
        (
            self.left + chart.x.share(x) * (self.right - self.left),
            self.bottom - chart.y.share(y) * (self.bottom - self.top),
        )
    }

    /// Draws the ticks, the names of the axes, the level and the bands.
    fn axes(self, out: &mut Element, chart: &Chart) {
        let across = |y: f64| {
            let at = self.place(chart, (chart.x.low, y)).1;
            svg::line((self.left, at), (self.right, at))
        };
        let small = |place, anchor, words: &str| {
            svg::text(place, words)
                .with("text-anchor", anchor)
                .with("font-size", 10)
        };
        for (y, label) in &chart.y.ticks {
            let at = self.place(chart, (chart.x.low, *y)).1;
            out.add(across(*y).with("stroke", "#dddddd"));
            out.add(small((self.left - 5.0, at + 4.0), "end", label));
        }
        for (x, label) in &chart.x.ticks {
            let at = self.place(chart, (*x, chart.y.low)).0;
            out.add(small((at, self.bottom + 14.0), "middle", label));
        }
        if !chart.x.name.is_empty() {
            let middle = ((self.left + self.right) / 2.0, self.bottom + 28.0);
            out.add(small(middle, "middle", &chart.x.name));
        }
        if let Some(level) = chart.level {
            out.add(dotted(across(level)).with("stroke-width", 1.5));
        }
        for band in &chart.bands {
            for &(x, low, high) in &band.ranges {
                let ends = [low, high].map(|y| self.place(chart, (x, y)));
                let line = svg::line(ends[0], ends[1]).with("stroke", colour(band.place));
                out.add(line.with("stroke-opacity", 0.35).with("stroke-width", 3));
            }
        }
    }

    /// Draws a series, and returns the places of its points.
    fn series(self, out: &mut Element, chart: &Chart, series: &Series) -> Vec<Pair> {
        let known = series.points.split(|p| !p.1.is_finite());
        let mut all = Vec::new();
        for run in known.filter(|run| !run.is_empty()) {
            let places: Vec<Pair> = run.iter().map(|p| self.place(chart, *p)).collect();
            out.add(styled(
                svg::polyline(&places).with("fill", "none"),
                series.place,
            ));
            all.extend(places);
        }
        all
    }
}

fn styled(line: Element, place: usize) -> Element {
    line.with("stroke", colour(place))
        .with("stroke-width", 1.6)
        .with("stroke-dasharray", Dash::nth(place).in_svg())
}

fn dotted(line: Element) -> Element {
    line.with("stroke", INK).with("stroke-dasharray", "1 3")
}

/// Returns the mark of a place: a circle, a square, a triangle or a diamond.
fn mark((x, y): Pair, place: usize) -> Element {
    let corners: &[Pair] = match place % 4 {
        0 => return svg::circle((x, y), 3.0).with("fill", colour(place)),
        1 => &[(-3.0, -3.0), (3.0, -3.0), (3.0, 3.0), (-3.0, 3.0)],
        2 => &[(0.0, -4.0), (4.0, 3.0), (-4.0, 3.0)],
        _ => &[(0.0, -4.0), (4.0, 0.0), (0.0, 4.0), (-4.0, 0.0)],
    };
    let corners: Vec<Pair> = corners.iter().map(|(dx, dy)| (x + dx, y + dy)).collect();
    svg::polygon(&corners).with("fill", colour(place))
}

fn legend(out: &mut Element, (x, y): Pair, series: &[Series]) {
    for (number, series) in series.iter().enumerate() {
        let at = y + 18.0 * number as f64;
        out.add(styled(svg::line((x, at), (x + 28.0, at)), series.place));
        out.add(mark((x + 14.0, at), series.place));
        out.add(svg::text((x + 34.0, at + 4.0), &series.name).with("font-size", 11));
    }
}

fn draw_bars(out: &mut Element, corner: Pair, bars: &Histogram) {
    let (left, right) = (corner.0 + 12.0, corner.0 + BARS.0 - 10.0);
    let (top, bottom) = (corner.1 + 20.0, corner.1 + BARS.1 - 8.0);
    out.add(svg::text((left, corner.1 + 14.0), &bars.title).with("font-size", 11));
    let even = 1.0 / bars.shares.len().max(1) as f64;
    let most = bars.shares.iter().copied().fold(2.0 * even, f64::max);
    let width = (right - left) / bars.shares.len().max(1) as f64;
    let up = |share: f64| share / most * (bottom - top);
    for (i, share) in bars.shares.iter().enumerate() {
        let place = (left + i as f64 * width, bottom - up(*share));
        out.add(svg::rect(place, (width - 1.0, up(*share))).with("fill", colour(1)));
    }
    let at = bottom - up(even);
    out.add(dotted(svg::line((left, at), (right, at))));
    out.add(svg::line((left, bottom), (right, bottom)).with("stroke", INK));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, Band};

    #[test]
    fn a_page_has_all_its_parts() {
        let series = Series {
            name: "a < b".into(),
            points: vec![(0.0, 0.1), (0.5, f64::NAN), (1.0, 0.2)],
            ..Series::default()
        };
        let band = Band {
            place: 0,
            sparse: 1,
            ranges: vec![(1.0, 0.15, 0.25)],
        };
        let chart = Chart {
            title: "Spread".into(),
            x: Axis::new(0.0, 1.0).named("ply"),
            y: Axis::new(0.0, 0.3),
            series: vec![series],
            bands: vec![band],
            level: Some(0.2),
            ..Chart::default()
        };
        let bars = Histogram {
            title: "PIT".into(),
            shares: vec![0.1; 10],
        };
        let svg = page("Plies", &[chart], &[bars]);
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
        for part in ["a &lt; b", "Spread", "<polyline", "<circle", "PIT", "ply"] {
            assert!(svg.contains(part), "{part}");
        }
        assert_eq!(svg.matches("<rect").count(), 11);
        assert!(!svg.contains("NaN"));
    }
}
