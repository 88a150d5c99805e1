//! Draws the grid of point differentials.

use ratatui::layout::Rect;
use ratatui::style::Modifier;

use super::{page_legend, state};
use crate::context::Context;
use crate::tabs::lab::LabTab;
use crate::tabs::lab::differential::Figure;
use crate::tabs::lab::pages::playouts::CellTarget;
use lab::differential::{GridCell, SHARES, Tally, elo};
use report::lab::differential::{INTERVAL, elo_words};
use report::number;
use screen::pen::{Line, Pen};
use screen::theme::Role;

/// The width of the labels left of the cells: a weight.
const LABEL: u16 = 5;
/// The lines below the cells: the chosen cell's figures and the meaning of the marks.
const BELOW: u16 = 5;

/// The marks of scores, from much better to much worse: the lowest Elo difference, the mark, and its role.
const MARKS: [(f64, &str, Role); 5] = [
    (50.0, "++", Role::Win),
    (15.0, "+", Role::Win),
    (-15.0, "=", Role::Draw),
    (-50.0, "-", Role::Loss),
    (f64::NEG_INFINITY, "--", Role::Loss),
];

/// Draws the page.
pub fn draw(lab: &LabTab, cx: &Context, pen: &mut Pen, area: Rect) {
    let matches = lab.differential.matches.as_ref();
    let state = match matches.and_then(|m| m.read(|known| known.fault.clone())) {
        Some(fault) => Some((Role::Error, text::sanitise(&fault))),
        None => state(lab, cx, "playing", " games"),
    };
    let inner = pen.frame(area, "score against no point differential", true);
    if let Some((role, words)) = state {
        pen.frame_note(area, area.y, &words, role);
    }
    let cells = SHARES.len() as u16;
    let width = (inner.width.saturating_sub(LABEL + 1) / cells).min(24);
    let height = (inner.height.saturating_sub(2 + BELOW) / cells).clamp(1, 5);
    if width < 6 || inner.height < 2 + cells {
        let (wide, high) = (LABEL + 1 + 6 * cells + 2, 2 + cells + 5);
        let needed = format!("The grid needs {wide}x{high}: make the window larger.");
        for (line, y) in text::wrap(&needed, usize::from(inner.width.saturating_sub(2)))
            .iter()
            .zip(inner.y..inner.bottom())
        {
            pen.put(inner.x + 1, y, inner.right(), line, Role::Text);
        }
        return;
    }
    draw_heads(pen, inner, width, height);
    for row in 0..SHARES.len() {
        for column in 0..SHARES.len() {
            let spot = Rect {
                x: inner.x + LABEL + column as u16 * width,
                y: inner.y + 2 + row as u16 * height,
                width,
                height,
            };
            draw_cell(lab, pen, spot, row, column);
        }
    }
    let below = Rect {
        x: inner.x + 1,
        y: inner.y + 2 + cells * height,
        width: inner.width.saturating_sub(2),
        height: inner.height.saturating_sub(2 + cells * height),
    };
    draw_below(lab, cx, pen, below);
}

/// Draws the weights at both ends of the phase.
fn draw_heads(pen: &mut Pen, inner: Rect, width: u16, height: u16) {
    let end = inner.right();
    let heading = "rows: w at the start of a game · columns: w at its end";
    let heading = pen.glyphs.text(heading);
    pen.put(inner.x + LABEL, inner.y, end, &heading, Role::Dim);
    for (i, share) in SHARES.iter().enumerate() {
        let i = i as u16;
        let label = format!("{share} %");
        let x = inner.x + LABEL + i * width;
        pen.put(x + 1, inner.y + 1, end, &label, Role::Heading);
        let y = inner.y + 2 + i * height;
        pen.put_right(inner.x, y, inner.x + LABEL - 1, &label, Role::Heading);
    }
}

fn mark(score: f64) -> (&'static str, Role) {
    let rating = elo(score);
    let found = MARKS.iter().find(|(least, ..)| rating >= *least);
    found.map_or(("=", Role::Draw), |&(_, mark, role)| (mark, role))
}

fn draw_cell(lab: &LabTab, pen: &mut Pen, spot: Rect, row: usize, column: usize) {
    pen.region(spot, CellTarget { row, column });
    let page = &lab.differential;
    let tally = page.tally(GridCell::at(row, column));
    let chosen = (row, column) == (page.row, page.column);
    let (mark, role) = tally.score().map_or(("", Role::Dim), mark);
    let mut style = pen.style(role);
    let differs = tally.differs().is_some();
    if differs {
        style = style.add_modifier(Modifier::BOLD);
    }
    let mark = format!("{mark}{}", if differs { "!" } else { "" });
    let end = spot.right().saturating_sub(1);
    for (i, line) in lines(&tally, page.figure).iter().enumerate() {
        let y = spot.y + i as u16;
        if i as u16 >= spot.height {
            break;
        }
        let line = pen.glyphs.text(line);
        let x = pen.text(spot.x + 1, y, end, &line, style);
        if i == 0 && x > spot.x + 1 {
            pen.text(x + 1, y, end, &mark, style);
        }
    }
    if chosen {
        let height = spot.height.min(3);
        let selection = pen.style(Role::Selection);
        pen.tint(Rect { height, ..spot }, selection);
    }
}

/// Returns a cell's lines, the most important one first.
fn lines(tally: &Tally, figure: Figure) -> [String; 3] {
    let (Some(score), Some((low, high))) = (tally.score(), tally.interval()) else {
        return ["·".to_owned(), String::new(), String::new()];
    };
    let games = tally.games().to_string();
    let share = format!("{:.1}", 100.0 * score);
    let half = format!("±{:.1}", 50.0 * (high - low));
    match figure {
        Figure::Score => [share, half, format!("of {games}")],
        Figure::Elo => [
            elo_words(score),
            format!("{} {}", elo_words(low), elo_words(high)),
            format!("of {games}"),
        ],
        Figure::Games => [
            games,
            format!("{}/{}/{}", tally.won, tally.drawn, tally.lost),
            share,
        ],
    }
}

/// Draws the chosen cell in words, and the meaning of the signs.
fn draw_below(lab: &LabTab, cx: &Context, pen: &mut Pen, area: Rect) {
    let page = &lab.differential;
    let cell = page.cell();
    let room = usize::from(area.width);
    let tally = page.tally(cell);
    let mut all: Vec<(String, Role)> = Vec::new();
    for line in text::wrap(&pen.glyphs.text(&told(cell, &tally)), room) {
        all.push((line, Role::Text));
    }
    for line in text::wrap(&pen.glyphs.text(&legend_line()), room) {
        all.push((line, Role::Dim));
    }
    if let Some(fault) = &page.fault {
        let fault = pen.glyphs.text(&text::sanitise(fault));
        let lines = text::wrap(&fault, room);
        all.splice(0..0, lines.into_iter().map(|l| (l, Role::Error)));
    } else if let Some(file) = page.file().filter(|_| !cx.timeless) {
        let file = text::sanitise(&file.display().to_string());
        let file = text::fit_end(&file, room.saturating_sub(8), pen.glyphs.ellipsis);
        all.push((format!("kept in {file}"), Role::Dim));
    }
    // A blank line above, if there is room for it.
    if all.len() < usize::from(area.height) {
        all.insert(0, (String::new(), Role::Text));
    }
    for (y, (line, role)) in (area.y..area.bottom()).zip(all) {
        pen.put(area.x, y, area.right(), &line, role);
    }
}

fn told(cell: GridCell, tally: &Tally) -> String {
    let (from, to) = (cell.from(), cell.to());
    let weights = if from == to {
        format!("w {from} % throughout")
    } else {
        format!("w from {from} % to {to} %")
    };
    let (Some(score), Some((low, high))) = (tally.score(), tally.interval()) else {
        return format!("{weights}: no game yet.");
    };
    let pairs: Vec<String> = tally.pairs.iter().map(ToString::to_string).collect();
    let verdict = match tally.differs() {
        Some(true) => "better than without",
        Some(false) => "worse than without",
        None => "no difference shown",
    };
    format!(
        "{weights}: {} games +{} ={} {}{}, score {:.1} % ({:.1} to {:.1}, {INTERVAL}), Elo {} ({} to {}), pairs by points {}: {verdict}.",
        tally.games(),
        tally.won,
        tally.drawn,
        number::minus("-"),
        tally.lost,
        100.0 * score,
        100.0 * low,
        100.0 * high,
        elo_words(score),
        elo_words(low),
        elo_words(high),
        pairs.join(" "),
    )
}

fn legend_line() -> String {
    String::from(
        "++ +50 Elo or more  + +15  = within 15  - −15  -- −50 or less  ! the interval leaves out an even score",
    )
}

/// Explains what the page shows, for the help.
pub fn legend(pen: &Pen, width: usize) -> Vec<Line> {
    let words = [
        (
            "grid",
            Role::Text,
            "playouts with point differential against playouts without, r = (1 - w) outcome + w P(win | difference): the row says w with all pieces on the board, the column w with kings and pawns alone; w goes by the leaf where a playout begins",
        ),
        (
            "++ +",
            Role::Win,
            "scored better than without, by 50 or 15 Elo and more",
        ),
        ("=", Role::Draw, "within 15 Elo of even"),
        ("- --", Role::Loss, "scored worse, by 15 or 50 Elo and more"),
        (
            "!",
            Role::Text,
            "the 95 % interval leaves out an even score; of 36 cells some two do so by chance alone",
        ),
    ];
    page_legend(pen, "The Lab's page on point differential", &words, width)
}
