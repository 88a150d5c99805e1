//! A drawing of a tree: a row for each move, joined to its parent, with the belief as a strip and the work as a bar.

use std::fmt::Write as _;

use super::item::{Item, colour};
use crate::html::escaped;
use crate::number;
use belief::Grid;

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

/// Returns the drawing. The belief is drawn over the expected score from −1 to 1.
pub fn svg(items: &[Item], grid: &Grid, title: &str) -> String {
    let deepest = items.iter().map(|item| item.ply).max().unwrap_or(0) as f64;
    let figures = LEFT + INDENT * deepest + NAME;
    let belief = if items.iter().any(|item| item.density.is_some()) {
        BELIEF
    } else {
        0.0
    };
    let work = figures + VALUE + belief;
    let width = work + WORK + REASON;
    let height = TOP + ROW * items.len() as f64 + 14.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} \
         {height:.0}\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#222222\">\n<title>{0}</title>\n\
         <rect width=\"{width:.0}\" height=\"{height:.0}\" fill=\"#ffffff\"/>\n\
         <text x=\"{LEFT}\" y=\"22\" font-size=\"14\">{0}</text>\n",
        escaped(title)
    );
    let of_beliefs = (figures + VALUE, "belief, −1 to 1");
    let heads = [(figures, "value"), (work, "nodes"), (work + WORK, "why")];
    for (x, head) in heads
        .into_iter()
        .chain((belief > 0.0).then_some(of_beliefs))
    {
        words(&mut out, x, TOP - 12.0, "#767676", head);
    }
    let most = items.first().map_or(1, |item| item.nodes).max(1) as f64;
    for (i, item) in items.iter().enumerate() {
        let y = TOP + ROW * i as f64;
        let x = LEFT + INDENT * item.ply as f64;
        if let Some(parent) = item.parent {
            join(&mut out, (x, y), TOP + ROW * parent as f64);
        }
        let ink = colour(item.role);
        let _ = writeln!(out, "<g><title>{}</title>", escaped(&item.why));
        let _ = writeln!(
            out,
            "<circle cx=\"{x:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"{ink}\"/>",
            y + ROW / 2.0
        );
        let base = y + ROW / 2.0 + 4.0;
        let name = if item.name.is_empty() {
            "root"
        } else {
            &item.name
        };
        words(&mut out, x + 9.0, base, ink, name);
        let spread = item
            .spread
            .map_or_else(String::new, |sd| format!(" ±{sd:.2}"));
        words(
            &mut out,
            figures,
            base,
            "#222222",
            &format!("{}{spread}", item.value),
        );
        if let Some(density) = &item.density {
            strip(&mut out, (figures + VALUE, y), &density.0, grid);
        }
        let share = item.nodes as f64 / most;
        let _ = writeln!(
            out,
            "<rect x=\"{work:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"4\" fill=\"#56b4e9\"/>",
            y + ROW - 5.0,
            (WORK - 16.0) * share.clamp(0.0, 1.0)
        );
        words(
            &mut out,
            work,
            base - 2.0,
            "#222222",
            &number::count(item.nodes),
        );
        let window = item
            .window
            .as_ref()
            .map_or_else(String::new, |w| format!("{w}  "));
        let reason = format!("{}\u{2003}{window}{}", item.letter, item.brief);
        words(&mut out, work + WORK, base, ink, &reason);
        out.push_str("</g>\n");
    }
    out.push_str("</svg>\n");
    out
}

fn words(out: &mut String, x: f64, y: f64, ink: &str, text: &str) {
    let text = escaped(text);
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"{ink}\">{text}</text>"
    );
}

/// Joins a row to the one of its parent, which stands above and to the left.
fn join(out: &mut String, (x, y): (f64, f64), parent: f64) {
    let (left, middle, from) = (x - INDENT, y + ROW / 2.0, parent + ROW / 2.0 + 4.0);
    let _ = writeln!(
        out,
        "<path d=\"M{left:.1} {from:.1}V{middle:.1}H{:.1}\" fill=\"none\" stroke=\"#bbbbbb\"/>",
        x - 4.0
    );
}

/// Draws a distribution as an area over the expected score.
fn strip(out: &mut String, (x, y): (f64, f64), masses: &[f32], grid: &Grid) {
    let wide = BELIEF - 20.0;
    let at = |e: f32| x + wide * f64::from((e + 1.0) / 2.0);
    // The height is the mass for each unit of the expected score.
    let bins = masses.iter().zip(grid.edges().windows(2));
    let heights: Vec<(f32, f32, f32)> = bins
        .map(|(mass, edges)| (edges[0], edges[1], mass / (edges[1] - edges[0]).max(1e-4)))
        .collect();
    let top = heights.iter().map(|h| h.2).fold(1e-6, f32::max);
    let ground = y + ROW - 3.0;
    let mut path = format!("M{:.1} {ground:.1}", at(-1.0));
    for (low, high, height) in heights {
        let up = ground - 14.0 * f64::from(height / top);
        let _ = write!(path, "L{:.1} {up:.1}L{:.1} {up:.1}", at(low), at(high));
    }
    let _ = writeln!(
        out,
        "<path d=\"{path}L{:.1} {ground:.1}Z\" fill=\"#0072b2\" fill-opacity=\"0.55\"/>\
         <path d=\"M{0:.1} {ground:.1}H{1:.1}M{2:.1} {ground:.1}v3\" stroke=\"#767676\" fill=\"none\"/>",
        at(1.0),
        at(-1.0),
        at(0.0),
    );
}
