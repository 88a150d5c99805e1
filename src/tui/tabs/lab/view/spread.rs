//! Draws the page on spread: the curves by nodes or by depth, the histogram of calibration, and the figures below.

use ::chart::{Axis, Chart, Series};
use ratatui::layout::Rect;

use super::{LABELS, apart, depths, divide, draw_lines, frame, heights, page_legend, state};
use crate::context::Context;
use crate::tabs::lab::pages::beliefs::RuleTarget;
use crate::tabs::lab::spread::{Show, SpreadPage};
use crate::tabs::lab::{LabTab, role_of};
use crate::views::bar::key_of_command;
use crate::views::table;
use lab::spread::{Depth, Population, Searches};
use report::lab::calibration::by_column;
use report::lab::spread::{GROWN, SEARCHED, of_population, of_searches};
use report::number;
use report::sheet::{Table, letter};
use screen::pen::Pen;
use screen::target::Target;
use screen::theme::Role;
use screen::widgets::bar;

/// Draws the page.
pub fn draw(lab: &LabTab, cx: &Context, pen: &mut Pen, area: Rect) {
    let page = &lab.spread;
    // The rules, their heading and the frame; the chart gets the rest.
    let (upper, lower) = divide(lab, cx, area, page.names().len() as u16 + 3);
    let title = match page.show {
        Show::Positions => "sd of the root's belief by nodes",
        Show::Toy => "sd of the belief by depth of the toy tree",
        Show::Calibration => "where longer searches lie in the belief: shares of its tenths",
    };
    let inner = frame(pen, upper, title, state(lab, cx, "running", ""));
    match page.show {
        Show::Calibration => draw_histogram(page, pen, inner),
        Show::Positions | Show::Toy => draw_chart(page, pen, inner),
    }
    if !page.is_known() {
        draw_invitation(lab, cx, pen, inner);
    }
    draw_table(page, pen, lower);
}

/// Draws the figures: one row per rule.
fn draw_table(page: &SpreadPage, pen: &mut Pen, area: Rect) {
    let which = page.cells as usize;
    let (title, known) = match page.show {
        Show::Positions => {
            let known = page.searches.known.as_ref();
            (
                SEARCHED[which],
                known.map(|k| of_searches(k, which, usize::MAX)),
            )
        }
        Show::Toy => {
            let known = page.population.known.as_ref();
            (GROWN[which], known.map(|k| of_population(k, which)))
        }
        Show::Calibration => {
            let title =
                "truths in central intervals, score (CRPS), bias and rmse of the mean, same move";
            let known = page.calibration.known.as_ref();
            (title, known.map(|k| by_column(k, page.names())))
        }
    };
    let names: Vec<(usize, &str)> = page.names().iter().copied().enumerate().collect();
    let table = known.unwrap_or_else(|| {
        let table = Table::of(&names).column("", |name| letter(name.0));
        table.column("back-up", |name| name.1).into()
    });
    let inner = pen.frame(area, title, true);
    let rows = table::Rows {
        words: Some(&role_of),
        chosen: Some(page.rule),
        target: Some(|rule| Target::new(RuleTarget(rule))),
        ..table::Rows::default()
    };
    let visible = table::draw(pen, inner, &table, &rows);
    if visible < table.height() {
        let words = format!("{visible} of {} rules", table.height());
        pen.frame_note(area, area.bottom() - 1, &words, Role::Text);
    }
}

/// The points of a rule's curve.
type Points = Vec<(f64, f64)>;

/// Returns the axis and every rule's curve.
fn curves(page: &SpreadPage) -> (Axis, Vec<Points>) {
    match page.show {
        Show::Toy => page.population.known.as_ref().map(curves_of_population),
        _ => page.searches.known.as_ref().and_then(curves_of_searches),
    }
    .unwrap_or_default()
}

fn curves_of_searches(known: &Searches) -> Option<(Axis, Vec<Points>)> {
    let ends = [known.nodes.first()?, known.nodes.last()?];
    let [low, high] = ends.map(|n| (*n).max(1) as f64);
    let ticks = known.nodes.iter().map(|&n| (n as f64, number::count(n)));
    let curve = |rule: usize| {
        let means = known.by_nodes(rule);
        let points = known.nodes.iter().zip(means);
        points
            .filter_map(|(&n, m)| Some((n as f64, m?.value)))
            .collect()
    };
    let axis = Axis {
        logarithmic: true,
        ..Axis::new(low, high)
    };
    let curves = (0..known.rules.len()).map(curve);
    Some((axis.with(ticks.collect()), curves.collect()))
}

fn curves_of_population(known: &Population) -> (Axis, Vec<Points>) {
    let last = known.settings.depth as u32;
    let axis = Axis::new(1.0, last.max(2).into()).with(depths(1..=last));
    let curve = |depths: &Vec<Depth>| depths.iter().map(|d| (d.depth as f64, d.sd)).collect();
    (axis, known.depths.iter().map(curve).collect())
}

fn draw_chart(page: &SpreadPage, pen: &mut Pen, inner: Rect) {
    let (x, curves) = curves(page);
    let series = curves.into_iter().enumerate();
    let series = series.map(|(place, points)| Series {
        letter: letter(place),
        place,
        points,
        ..Series::default()
    });
    let series = apart(series.collect());
    let chart = Chart {
        x,
        y: heights(&series, 0.0, 0.1, inner.height, |value| {
            format!("{value:.2}")
        }),
        series,
        ..Chart::default()
    };
    super::draw_chart(pen, inner, &chart, &role_of, Some(page.rule));
}

/// Draws the chosen rule's transforms in tenths, with the share that a calibrated rule would have.
fn draw_histogram(page: &SpreadPage, pen: &mut Pen, inner: Rect) {
    let known = page.calibration.known.as_ref();
    let Some(figures) = known.and_then(|k| k.figures(page.rule)) else {
        return;
    };
    let n = figures.pit.len();
    // Two tenths share a row if there is no room for all.
    let join = if usize::from(inner.height) > n { 1 } else { 2 };
    let width = inner.width.saturating_sub(20);
    let most = figures.pit.chunks(join).map(|c| c.iter().sum::<f64>());
    let most = most.fold(0.25, f64::max);
    for (i, cells) in figures.pit.chunks(join).enumerate() {
        let y = inner.y + i as u16;
        if y >= inner.bottom() {
            break;
        }
        let share: f64 = cells.iter().sum();
        let (from, to) = (i * join * 10, (i + 1) * join * 10);
        let label = format!("{from:>3}-{to:<3} %");
        pen.put(inner.x + 1, y, inner.right(), &label, Role::Axis);
        let x = inner.x + 11;
        bar(
            pen,
            x,
            y,
            width,
            (share / most) as f32,
            pen.style(role_of(page.rule)),
        );
        let even = join as f64 / n as f64;
        let mark = x + (f64::from(width) * even / most).round() as u16;
        pen.char(
            mark.min(inner.right() - 1),
            y,
            pen.glyphs.window,
            pen.style(Role::Axis),
        );
        pen.put_right(
            x,
            y,
            inner.right() - 1,
            &number::percent(share as f32),
            Role::Text,
        );
    }
    let y = inner.y + n.div_ceil(join) as u16;
    if y < inner.bottom() {
        let words = format!(
            "{} {}: {} positions; a mark is where calibrated beliefs have their shares",
            letter(page.rule),
            page.chosen(),
            figures.n
        );
        let room = usize::from(inner.width.saturating_sub(2));
        let words = text::fit(&pen.glyphs.text(&words), room, pen.glyphs.ellipsis);
        pen.put(inner.x + 1, y, inner.right(), &words, Role::Dim);
    }
}

/// Draws which keys start an experiment.
fn draw_invitation(lab: &LabTab, cx: &Context, pen: &mut Pen, inner: Rect) {
    let key = |id| key_of_command(cx, id);
    let what = match lab.spread.show {
        Show::Positions => "searches positions by every rule and shows how their spread goes",
        Show::Toy => "grows random trees and shows what becomes of the spread",
        Show::Calibration => "judges every rule's searches by ten times longer ones",
    };
    let lines = [
        format!("{} {what}", key("spread-run")),
        format!(
            "{} positions or toy trees, {} calibration, {} uses the chosen rule in Explore",
            key("spread-trees"),
            key("spread-calibration"),
            key("spread-use")
        ),
    ];
    let below = Rect {
        x: inner.x + LABELS + 1,
        y: inner.y + 1,
        width: inner.width.saturating_sub(LABELS + 2),
        height: inner.height.saturating_sub(1),
    };
    draw_lines(pen, below, lines.map(|line| (line, Role::Hint)));
}

/// Explains what the page shows, for the help.
pub fn legend(pen: &Pen, width: usize) -> Vec<Vec<(String, Role)>> {
    let words = [
        (
            "curves",
            Role::Text,
            "the mean standard deviation of the root's belief, over positions by nodes (each a doubling), or over random trees by depth; letter and dashes tell the back-up rules apart. Solved positions are left out",
        ),
        (
            "plies",
            Role::Text,
            "of the last trees: expanded nodes weighed by visits, or leaves; f changes what the table has",
        ),
        (
            "toy",
            Role::Text,
            "random trees: a move is worth N(0, .6²), known; a leaf's error is N(0, .9²), as wide as its belief, and errors of leaves k plies below their last common ancestor have the correlation .5^k. The truth is the minimax of the true values; a score of 1 is that of the best rule's means, rightly placed and wide",
        ),
        (
            "tenths",
            Role::Text,
            "where the mean of a ten times longer search lies in the belief: even shares are calibrated, a valley is too narrow, a hill too wide",
        ),
    ];
    page_legend(pen, "The Lab's page on spread", &words, width)
}
