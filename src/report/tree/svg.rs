//! A drawing of a tree: a row for each move, joined to its parent, with the belief as a strip and the work as a bar.

use super::item::{Item, colour};
use crate::number;
use belief::Grid;
use chart::svg::{self, Element, Pair, Path};

const ROW: f64 = 20.0;
/// How far each ply is moved to the right.
const INDENT: f64 = 22.0;
const LEFT: f64 = 14.0;
const TOP: f64 = 54.0;
/// The widths of the columns behind the moves: value, belief, work, fate and reason.
const NAME: f64 = 90.0;
const VALUE: f64 = 110.0;
const BELIEF: f64 = 130.0;
const WORK: f64 = 120.0;
const REASON: f64 = 420.0;
const INK: &str = "#222222";

/// Returns the drawing. The belief is drawn over the expected score from −1 to 1, from the view of the figures.
pub fn svg(items: &[Item], grid: &Grid, title: &str) -> String {
    let deepest = items.iter().map(|item| item.ply).max().unwrap_or(0) as f64;
    let figures = LEFT + INDENT * deepest + NAME;
    let belief = if items.iter().any(|item| item.density.is_some()) {
        BELIEF
    } else {
        0.0
    };
    let work = figures + VALUE + belief;
    let size = (work + WORK + REASON, TOP + ROW * items.len() as f64 + 14.0);
    let mut out = svg::file(size)
        .with("font-family", "sans-serif")
        .with("font-size", 12)
        .with("fill", INK)
        .titled(title);
    out.add(svg::rect((0.0, 0.0), size).with("fill", "#ffffff"));
    out.add(svg::text((LEFT, 22.0), title).with("font-size", 14));
    let of_beliefs = (figures + VALUE, "belief, −1 to 1");
    let heads = [(figures, "value"), (work, "nodes"), (work + WORK, "why")];
    for (x, head) in heads
        .into_iter()
        .chain((belief > 0.0).then_some(of_beliefs))
    {
        out.add(svg::text((x, TOP - 12.0), head).with("fill", "#767676"));
    }
    let most = items.first().map_or(1, |item| item.nodes).max(1) as f64;
    for (i, item) in items.iter().enumerate() {
        let y = TOP + ROW * i as f64;
        let x = LEFT + INDENT * item.ply as f64;
        if let Some(parent) = item.parent {
            out.add(join((x, y), TOP + ROW * parent as f64));
        }
        let ink = colour(item.role);
        let base = y + ROW / 2.0 + 4.0;
        let words =
            |x: f64, y: f64, ink: &str, words: &str| svg::text((x, y), words).with("fill", ink);
        let mut row = Element::new("g").titled(&item.why);
        row.add(svg::circle((x, y + ROW / 2.0), 4.0).with("fill", ink));
        let name = if item.name.is_empty() {
            "root"
        } else {
            &item.name
        };
        row.add(words(x + 9.0, base, ink, name));
        let value = format!("{}{}", item.value, item.spread);
        row.add(words(figures, base, INK, &value));
        if let Some(density) = &item.density {
            for part in strip((figures + VALUE, y), &density.0, grid) {
                row.add(part);
            }
        }
        let share = (item.nodes as f64 / most).clamp(0.0, 1.0);
        let bar = svg::rect((work, y + ROW - 5.0), ((WORK - 16.0) * share, 4.0));
        row.add(bar.with("fill", "#56b4e9"));
        row.add(words(work, base - 2.0, INK, &number::count(item.nodes)));
        let window = item.window.as_ref().map(|w| format!("{w}  "));
        let window = window.unwrap_or_default();
        let reason = format!("{}\u{2003}{window}{}", item.letter, item.brief);
        row.add(words(work + WORK, base, ink, &reason));
        out.add(row);
    }
    format!("{out}\n")
}

/// Joins a row to the one of its parent, which stands above and to the left.
fn join((x, y): Pair, parent: f64) -> Element {
    let mut path = Path::default();
    path.go('M', &[x - INDENT, parent + ROW / 2.0 + 4.0])
        .go('V', &[y + ROW / 2.0])
        .go('H', &[x - 4.0]);
    path.element()
        .with("fill", "none")
        .with("stroke", "#bbbbbb")
}

/// Draws a distribution as an area over the expected score, and its axis.
fn strip((x, y): Pair, masses: &[f32], grid: &Grid) -> [Element; 2] {
    let wide = BELIEF - 20.0;
    let at = |e: f32| x + wide * f64::from((e + 1.0) / 2.0);
    // The height is the mass for each unit of the expected score.
    let bins = masses.iter().zip(grid.edges().windows(2));
    let heights: Vec<(f32, f32, f32)> = bins
        .map(|(mass, edges)| (edges[0], edges[1], mass / (edges[1] - edges[0]).max(1e-4)))
        .collect();
    let top = heights.iter().map(|h| h.2).fold(1e-6, f32::max);
    let ground = y + ROW - 3.0;
    let mut area = Path::default();
    area.go('M', &[at(-1.0), ground]);
    for (low, high, height) in heights {
        let up = ground - 14.0 * f64::from(height / top);
        area.go('L', &[at(low), up]).go('H', &[at(high)]);
    }
    area.go('L', &[at(1.0), ground]).go('Z', &[]);
    let mut axis = Path::default();
    axis.go('M', &[at(-1.0), ground]).go('H', &[at(1.0)]);
    axis.go('M', &[at(0.0), ground]).go('v', &[3.0]);
    let area = area.element().with("fill", "#0072b2");
    let axis = axis.element().with("stroke", "#767676");
    [area.with("fill-opacity", 0.55), axis.with("fill", "none")]
}
