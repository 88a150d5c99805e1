//! Draws the figures below the chart: one row per rule.

use ratatui::layout::Rect;

use crate::app::{App, Target};
use crate::pen::Pen;
use crate::tabs::lab::role_of;
use crate::tabs::lab::spread::{Cells, Show, SpreadPage};
use crate::theme::Role;
use belief::score::LEVELS;
use lab::calibration::Calibration;
use lab::spread::{Depth, Mean, Population, Searches, letter};
use report::lab::spread::relative;
use report::number;

/// The width of a rule's letter and name.
const NAME: u16 = 20;
/// The width of a figure.
const FIGURE: u16 = 7;

pub fn draw(app: &App, pen: &mut Pen, area: Rect) {
    let page = &app.lab.spread;
    let (title, head, rows) = table(page);
    let inner = pen.frame(area, title, true);
    let room = usize::from(inner.width.saturating_sub(NAME) / FIGURE);
    let x_of = |i: usize| inner.x + NAME + i as u16 * FIGURE;
    for (i, label) in head.iter().take(room).enumerate() {
        let label = pen.glyphs.text(label);
        pen.put_right(x_of(i), inner.y, x_of(i) + FIGURE, &label, Role::Heading);
    }
    let (chosen, names) = (page.rule, page.names());
    // A low table shows the rules up to the chosen one.
    let visible = usize::from(inner.height.saturating_sub(1));
    let first = (chosen + 1).saturating_sub(visible);
    if visible < names.len() {
        let words = format!("{visible} of {} rules", names.len());
        pen.frame_note(area, area.bottom() - 1, &words, Role::Text);
    }
    for (place, rule) in names.iter().enumerate().skip(first).take(visible) {
        let line = Rect {
            y: inner.y + 1 + (place - first) as u16,
            height: 1,
            ..inner
        };
        let name = format!("{} {rule}", letter(place));
        pen.put(inner.x + 1, line.y, x_of(0), &name, role_of(place));
        let row = rows.get(place).map_or(&[][..], Vec::as_slice);
        for (i, cell) in row.iter().take(room).enumerate() {
            let cell = pen.glyphs.text(cell);
            pen.put_right(x_of(i), line.y, x_of(i) + FIGURE, &cell, Role::Text);
        }
        if place == chosen {
            let selection = pen.style(Role::Selection);
            pen.tint(line, selection);
        }
        pen.region(line, Target::SpreadRule(place));
    }
}

type Table = (&'static str, Vec<String>, Vec<Vec<String>>);

/// Returns the table: title, head, and one row per rule.
fn table(page: &SpreadPage) -> Table {
    match page.show {
        Show::Positions => of_plies(page.searches.known.as_ref(), page.cells),
        Show::Toy => of_depths(page.population.known.as_ref(), page.cells),
        Show::Calibration => of_calibration(page.calibration.known.as_ref()),
    }
}

fn of_plies(known: Option<&Searches>, cells: Cells) -> Table {
    let title = match cells {
        Cells::Sd => "sd by ply: expanded nodes, by visits",
        Cells::Coverage => "sd by ply: leaves",
        Cells::Score => "how far the root's mean moved up to so many nodes",
    };
    let Some(known) = known else {
        return (title, Vec::new(), Vec::new());
    };
    let shown = |m: &Option<Mean>| m.map_or_else(|| "·".to_owned(), |m| format!("{:.3}", m.value));
    let rules = 0..known.rules.len();
    if cells == Cells::Score {
        let head = known.nodes.iter().skip(1).map(|n| number::count(*n));
        let row = |rule| known.moves(rule).iter().map(shown).collect();
        return (title, head.collect(), rules.map(row).collect());
    }
    let which = usize::from(cells == Cells::Coverage);
    let rows: Vec<Vec<String>> = rules
        .map(|rule| {
            known
                .by_ply(rule)
                .iter()
                .map(|p| shown(&p[which]))
                .collect()
        })
        .collect();
    let deepest = rows.iter().map(Vec::len).max().unwrap_or(0);
    let head = (0..deepest).map(|ply| format!("ply {ply}"));
    (title, head.collect(), rows)
}

fn of_depths(known: Option<&Population>, cells: Cells) -> Table {
    let title = match cells {
        Cells::Sd => "sd by depth",
        Cells::Coverage => "share of truths in the central 90 % by depth",
        Cells::Score => "ranked probability score over the oracle's by depth",
    };
    let Some(known) = known else {
        return (title, Vec::new(), Vec::new());
    };
    let rows = known.depths.iter().map(|depths| {
        let cell = |d: &Depth| match cells {
            Cells::Sd => format!("{:.2}", d.sd),
            Cells::Coverage => number::percent(d.coverage[2] as f32),
            Cells::Score => {
                relative(known, d).map_or_else(|| "·".to_owned(), |r| format!("{r:.2}"))
            }
        };
        depths.iter().map(cell).collect()
    });
    let head = (1..=known.settings.depth).map(|d| format!("d{d}"));
    (title, head.collect(), rows.collect())
}

fn of_calibration(known: Option<&Calibration>) -> Table {
    let title = "truths in central intervals, score (CRPS), bias and rmse of the mean, same move";
    let mut head: Vec<String> = LEVELS.map(|l| number::percent(l as f32)).into();
    head.extend(["CRPS", "bias", "rmse", "move", "n"].map(String::from));
    let rows = known.map_or_else(Vec::new, |known| {
        let row = |rule: usize| {
            let Some(f) = known.figures(rule) else {
                return Vec::new();
            };
            let mut row: Vec<String> = f.coverage.map(|c| number::percent(c.0 as f32)).into();
            row.push(format!("{:.3}", f.crps.value));
            row.push(number::minus(&format!("{:+.3}", f.bias.value)));
            row.push(format!("{:.3}", f.rmse));
            row.push(
                known
                    .agreement(rule)
                    .map_or_else(String::new, |(hits, n, _)| {
                        number::percent(hits as f32 / n as f32)
                    }),
            );
            row.push(f.n.to_string());
            row
        };
        (0..known.columns.len()).map(row).collect()
    });
    (title, head, rows)
}
