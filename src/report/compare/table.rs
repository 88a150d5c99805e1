//! The comparison as text.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr;

use super::{Column, Position, speed, value_apart};
use crate::lens::{Lens, Scores};
use crate::sheet::{Cell, Table, count, fixed, letter, percent};
use crate::text::{self, Style, wrap};
use crate::{number, why};
use session::{NodeBelief, NodeValue};
use studies::compare::{Apart, Kind, Listed, MergedCell, MergedRow};
use tree::Tree;

/// A move is shown if some column ranks it at least this high.
const RANKS: usize = 3;

/// The variants that are tried in turn until a table is narrow enough: the length to which column names are cut and the
/// number of figures shown; and below, the length to which reasons are cut.
const FIGURES: [(usize, usize); 7] = [
    (28, 10),
    (20, 10),
    (16, 10),
    (16, 9),
    (16, 8),
    (10, 7),
    (10, 4),
];
const REASONS: [usize; 5] = [24, 20, 16, 12, 0];

/// Returns the comparison as text: header, columns, best lines, root moves and differences, in lines of at most `width`
/// columns if that is limited. Values are as seen through the lens. Shows the moves that some column ranks high, or all of
/// them.
pub fn text(
    position: &Position,
    all_moves: bool,
    lens: Lens,
    style: Style,
    width: Option<usize>,
) -> String {
    let mut out = String::new();
    let within = |line: &str| style.cut(line, width.unwrap_or(usize::MAX));
    for line in [Some(position.title.as_str()), position.fen()] {
        if let Some(line) = line.filter(|l| !l.is_empty()) {
            let _ = writeln!(out, "{}", within(line));
        }
    }
    if !out.is_empty() {
        out.push('\n');
    }
    if let Some(column) = position.columns.first() {
        let values = format!("values: {}", lens.words_at(&column.face.reader()));
        let _ = writeln!(out, "{}", within(&values));
    }
    out.push_str(&columns(position, lens, style, width));
    out.push('\n');
    for (i, column) in position.columns.iter().enumerate() {
        let line = match &column.trouble {
            Some(trouble) => format!("TROUBLE: {trouble}"),
            None => text::line(&column.summary.pv, 24),
        };
        let _ = writeln!(out, "{}", within(&format!("{}  {line}", letter(i))));
    }
    let rows = shown(position, all_moves);
    if !rows.is_empty() {
        out.push('\n');
        out.push_str(&moves(position, &rows, lens, style, width));
        let line = format!(
            "{} of {} moves flagged (*): they differ by more than the joint uncertainty",
            position.flagged(),
            position.rows.len()
        );
        let _ = writeln!(out, "{}", within(&style.apply(line)));
        for kind in Kind::ALL {
            if rows.iter().any(|(row, _)| flagged_kind(row) == Some(kind)) {
                let line = format!("*{}: {}", kind.letter(), kind.summary());
                let _ = writeln!(out, "{}", within(&style.apply(line)));
            }
        }
    }
    if !position.listed.is_empty() {
        out.push('\n');
        out.push_str(&differences(position, lens, style, width));
    }
    style.apply(out)
}

/// Returns the first table that fits.
fn fitting<'a, L: 'a>(
    limits: impl IntoIterator<Item = L>,
    width: Option<usize>,
    table: impl Fn(L) -> String,
) -> String {
    let most = width.unwrap_or(usize::MAX);
    let mut last = String::new();
    for limit in limits {
        last = table(limit);
        if last.lines().all(|line| line.width() <= most) {
            break;
        }
    }
    last
}

fn columns(position: &Position, lens: Lens, style: Style, width: Option<usize>) -> String {
    let limits: &[(usize, usize)] = match width {
        None => &[(usize::MAX, 10)],
        Some(_) => &FIGURES,
    };
    fitting(limits.iter().copied(), width, |(most, kept)| {
        let mut table = figures(position, lens, |i| style.cut(&position.names[i], most));
        table.columns.truncate(kept);
        table.text(style)
    })
}

/// Returns the figures of each column, which is called by this name.
fn figures(position: &Position, lens: Lens, name: impl Fn(usize) -> String) -> Table {
    let rows: Vec<(usize, &Column)> = position.columns.iter().enumerate().collect();
    let root = |column: &Column| lens.at(&column.face.reader(), Tree::ROOT);
    let table = Table::of(&rows)
        .column("", |row| letter(row.0))
        .column("column", |row| name(row.0))
        .column("move", |(_, column)| {
            let best = column.summary.best.as_ref();
            best.map_or_else(|| "–".to_owned(), |best| best.san.clone())
        })
        .column(lens.heading(position.scale()), |(_, column)| {
            text::best_value(&column.summary, &root(column))
        })
        .column("±", |(_, column)| {
            spread(&root(column), column.summary.belief.as_ref())
        })
        .column("nodes", |(_, column)| {
            count(column.summary.status.totals.nodes)
        })
        .column("n/s", |(_, column)| {
            speed(&column.summary.status).map(|s| count(s as u64))
        })
        .column("depth", |(_, column)| {
            let totals = &column.summary.status.totals;
            let depth = match (totals.depth, totals.selective_depth) {
                (0, 0) => return None,
                (0, selective) => format!("–/{selective}"),
                (depth, selective) => format!("{depth}/{selective}"),
            };
            Some(Cell::number(depth))
        })
        .column("CPU", |(_, column)| {
            Cell::number(number::time(column.summary.status.cpu.as_secs_f64() * 1e3))
        })
        .column("MB", |(_, column)| column.summary.status.tree_bytes >> 20);
    table.into()
}

/// Returns what the worst flagged difference of a row is.
fn flagged_kind(row: &MergedRow) -> Option<Kind> {
    let flagged = row.differences.iter().find(|found| found.flagged);
    flagged.map(|found| found.difference.kind())
}

/// Returns the rows to show, and whether they are marked.
fn shown<'a>(position: &'a Position, all: bool) -> Vec<Row<'a>> {
    let ranked = |row: &MergedRow| {
        let mut ranks = row.cells.iter().flatten().filter_map(|cell| cell.rank);
        ranks.any(|rank| rank <= RANKS)
    };
    let rows = position.rows.iter();
    rows.map(|row| (row, row.is_flagged()))
        .filter(|(row, marked)| all || *marked || ranked(row))
        .collect()
}

/// Returns one table of all columns, with reasons as long as there is room, or else several tables with fewer columns
/// each.
fn moves(
    position: &Position,
    rows: &[Row],
    lens: Lens,
    style: Style,
    width: Option<usize>,
) -> String {
    let count = position.columns.len();
    if width.is_none() {
        return block(position, rows, 0..count, lens, style, usize::MAX);
    }
    let sizes = (1..=count).rev();
    let limits = sizes.flat_map(|size| REASONS.map(|reason| (size, reason)));
    fitting(limits, width, |(size, reason)| {
        let starts = (0..count).step_by(size);
        let tables = starts.map(|from| {
            block(
                position,
                rows,
                from..count.min(from + size),
                lens,
                style,
                reason,
            )
        });
        tables.collect::<Vec<_>>().join("\n")
    })
}

/// A move, and whether it is marked.
type Row<'a> = (&'a MergedRow, bool);

fn block<'a>(
    position: &Position,
    rows: &[Row<'a>],
    columns: std::ops::Range<usize>,
    lens: Lens,
    style: Style,
    reason: usize,
) -> String {
    let of_column = |column: &Column| lens.of_moves(&column.face.reader(), Tree::ROOT);
    // In its own unit each, if they have several.
    let own: Vec<Scores> = position.columns.iter().map(of_column).collect();
    let scores = own.first().cloned();
    let scores = scores.unwrap_or_else(|| Scores::plain(position.scale()));
    let mut table = Table::of(rows)
        .column("move", |(row, _)| &row.name.san)
        .column("differ", |(row, _)| {
            (row.disagreement >= 0.005).then(|| Cell::number(apart(row, &scores)))
        })
        .column("σ", |(row, _)| {
            let sigmas = value_apart(row).map(Apart::sigmas);
            sigmas.map(|sigmas| fixed(sigmas.into(), 1))
        })
        .column("", |(row, _)| {
            flagged_kind(row).map(|kind| format!("*{}", kind.letter()))
        });
    for i in columns {
        let cell = |row: &Row<'a>| -> Option<&'a MergedCell> { row.0.cells.get(i)?.as_ref() };
        // Only the moves of a best-first search have an urgency, and its parts are of the visits.
        let by_visits = rows
            .iter()
            .filter_map(cell)
            .any(|cell| cell.view.urgency.is_some());
        let own = &own[i];
        let part = if by_visits { "visits" } else { "work" };
        table = table
            .column(letter(i).to_string(), |row| {
                cell(row).and_then(|cell| cell.rank)
            })
            .column(lens.heading(position.scale()), |row| {
                cell(row).map(|cell| Cell::number(value(cell, own)))
            })
            .column("±", |row| {
                spread(own, cell(row).and_then(|cell| cell.belief.as_ref()))
            })
            .column(part, |row| {
                let share = cell(row).and_then(|cell| cell.share);
                share.map(|share| percent(share.into()))
            })
            .column("", |row| cell(row).map(|cell| cell.view.fate.letter()))
            .column("", |row| {
                let cell = cell(row).filter(|_| reason > 0);
                cell.map(|cell| style.cut(&why::brief_with(&cell.view, own, None), reason))
            });
    }
    Table::from(table).text(style)
}

/// Returns the value of a move with its bound.
fn value(cell: &MergedCell, scores: &Scores) -> String {
    let value = NodeValue {
        expected: cell.expected(),
        ..cell.verdict
    };
    let belief = cell.belief.as_ref().filter(|b| b.is_distribution());
    scores.value(&value, belief)
}

/// Returns how far the columns' values of a move are apart, without a sign. In pawns it depends on where they are.
fn apart(row: &MergedRow, scores: &Scores) -> String {
    let expected = row.cells.iter().flatten().filter_map(MergedCell::expected);
    let high = expected.fold(-1.0, f32::max);
    scores.apart(high, high - row.disagreement)
}

/// Returns the standard deviation of a belief, without a sign.
fn spread(scores: &Scores, belief: Option<&NodeBelief>) -> Option<Cell> {
    let belief = belief.filter(|b| b.is_distribution())?;
    scores.spread(belief.mean, belief.sd).map(Cell::number)
}

fn differences(position: &Position, lens: Lens, style: Style, width: Option<usize>) -> String {
    let mut out = String::new();
    let (flagged, rest): (Vec<&Listed>, Vec<&Listed>) = position
        .listed
        .iter()
        .partition(|listed| listed.found.flagged);
    for (title, listed) in [
        (
            "flagged differences, by what is at stake at the root",
            flagged,
        ),
        ("differences within the joint uncertainty", rest),
    ] {
        if listed.is_empty() {
            continue;
        }
        let _ = writeln!(out, "{title}");
        for listed in listed {
            let text = style.apply(told(position, lens, listed));
            let words: Vec<&str> = text.split_whitespace().collect();
            let wrapped = wrap(&words, "", 4, width);
            // The following lines are indented.
            out.push_str(&wrapped[2..]);
        }
    }
    out
}

/// Returns a difference and what it puts at stake.
fn told(position: &Position, lens: Lens, listed: &Listed) -> String {
    let merged = position.comparison.merged(None);
    let Listed {
        path, found, stake, ..
    } = listed;
    let mut text = lens.difference(&merged, path, found, position.names);
    let at_stake = lens.at_stake(&merged, path, &found.difference, stake, position.names);
    if let Some(at_stake) = at_stake.filter(|_| found.flagged) {
        text = format!("{text} {at_stake}");
    }
    text
}
