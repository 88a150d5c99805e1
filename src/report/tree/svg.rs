//! A drawing of a tree: a row for each move, joined to its parent, with the value axis and the work as a bar.

use super::item::{Item, colour, common_span};
use crate::axis;
use crate::lens::Lens;
use crate::number;
use chart::drawn::Frame;
use chart::svg::{self, Element, Pair, Path};
use session::Reader;
use tree::Tree;

const ROW: f64 = 20.0;
/// How far each ply is moved to the right.
const INDENT: f64 = 22.0;
const LEFT: f64 = 14.0;
const TOP: f64 = 54.0;
/// The widths of the columns behind the moves: value, axis, work, fate and reason.
const NAME: f64 = 90.0;
const VALUE: f64 = 110.0;
const AXIS: f64 = 260.0;
/// The axis leaves some room before the next column.
const WIDE: f64 = AXIS - 20.0;
const WORK: f64 = 120.0;
const REASON: f64 = 420.0;
const INK: &str = "#222222";

/// Returns the drawing. All rows stand on one value axis, that of the first row's moves.
pub fn svg(reader: &Reader, items: &[Item], lens: Lens, title: &str) -> String {
    let deepest = items.iter().map(|item| item.ply).max().unwrap_or(0) as f64;
    let figures = LEFT + INDENT * deepest + NAME;
    let axis = figures + VALUE;
    let work = axis + AXIS;
    let from = items.first().and_then(|item| item.node);
    let span = common_span(reader, items, lens);
    let rules = from.map_or_else(axis::Rules::default, |id| axis::rules(reader, id, lens));
    let size = (work + WORK + REASON, TOP + ROW * items.len() as f64 + 14.0);
    let mut out = svg::file(size)
        .with("font-family", "sans-serif")
        .with("font-size", 12)
        .with("fill", INK)
        .titled(title);
    out.add(svg::rect((0.0, 0.0), size).with("fill", "#ffffff"));
    out.add(svg::text((LEFT, 22.0), title).with("font-size", 14));
    let shown = lens.at(reader, Tree::ROOT).as_shown();
    let ends = [span.low, span.high].map(|end| shown.mean(end));
    let heads = [
        (figures, "value"),
        (axis, &ends[0]),
        (work, "nodes"),
        (work + WORK, "why"),
    ];
    for (x, head) in heads {
        out.add(svg::text((x, TOP - 12.0), head).with("fill", "#767676"));
    }
    let right = (axis + WIDE, TOP - 12.0);
    let end = svg::text(right, &ends[1]).with("fill", "#767676");
    out.add(end.with("text-anchor", "end"));
    let whole = Frame {
        at: (axis, TOP),
        size: (WIDE, ROW * items.len() as f64),
    };
    for (value, ink) in [
        (rules.alpha, "#8a5a9e"),
        (rules.beta, "#8a5a9e"),
        (rules.best, "#b35900"),
    ] {
        let rule = value.and_then(|value| whole.rule(value, span));
        if let Some(rule) = rule {
            out.add(rule.with("stroke", ink).with("stroke-opacity", 0.6));
        }
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
        let frame = Frame {
            at: (axis, y + 2.0),
            size: (WIDE, ROW - 4.0),
        };
        let plotted = &item.plotted;
        let mark = frame.mark(&plotted.mark, span, plotted.from, reader.tree.grid());
        let ink_of_mark = if item.is_best { "#b35900" } else { "#0072b2" };
        row.add(mark.with("color", ink_of_mark));
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
