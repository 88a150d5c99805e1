//! The comparison as text.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr;

use super::{Column, Position, letter, speed, value_apart};
use crate::difference::{at_stake, sentence};
use crate::text::{self, Style, align, wrap};
use crate::{number, why};
use game::Scale;
use studies::compare::{Apart, Listed, MergedCell, MergedRow};

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
/// columns if that is limited. Shows the moves that some column ranks high, or all of them.
pub fn text(position: &Position, all_moves: bool, style: Style, width: Option<usize>) -> String {
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
    out.push_str(&columns(position, style, width));
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
        out.push_str(&moves(position, &rows, style, width));
        let line = format!(
            "{} of {} moves flagged (*): they differ by more than the joint uncertainty",
            position.flagged(),
            position.rows.len()
        );
        let _ = writeln!(out, "{}", within(&style.apply(line)));
    }
    if !position.listed.is_empty() {
        out.push('\n');
        out.push_str(&differences(position, style, width));
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

fn columns(position: &Position, style: Style, width: Option<usize>) -> String {
    let limits: &[(usize, usize)] = match width {
        None => &[(usize::MAX, 10)],
        Some(_) => &FIGURES,
    };
    fitting(limits.iter().copied(), width, |(most, kept)| {
        let heads = [
            "", "column", "move", "score", "±", "nodes", "n/s", "depth", "CPU", "MB",
        ];
        let mut rows = vec![style.cells(heads.map(String::from))];
        for (i, column) in position.columns.iter().enumerate() {
            let name = style.cut(&position.names[i], most);
            rows.push(style.cells(figures(i, &name, column)));
        }
        let rows: Vec<&[String]> = rows.iter().map(|row| &row[..kept]).collect();
        align(&rows, &[4, 5, 6, 7, 8, 9])
    })
}

fn figures(i: usize, name: &str, column: &Column) -> [String; 10] {
    let (summary, status) = (&column.summary, &column.summary.status);
    let scale = column.face.reader().scale();
    let belief = summary.belief.as_ref().filter(|b| b.is_distribution());
    let totals = &status.totals;
    let depth = match (totals.depth, totals.selective_depth) {
        (0, 0) => String::new(),
        (0, selective) => format!("–/{selective}"),
        (depth, selective) => format!("{depth}/{selective}"),
    };
    [
        letter(i).to_string(),
        name.to_owned(),
        summary
            .best
            .as_ref()
            .map_or_else(|| "–".into(), |b| b.san.clone()),
        text::verdict(&summary.score, scale),
        belief.map_or_else(String::new, |b| format!("{:.2}", b.sd)),
        number::count(totals.nodes),
        speed(status).map_or_else(String::new, |s| number::count(s as u64)),
        depth,
        number::time(status.cpu.as_secs_f64() * 1e3),
        (status.tree_bytes >> 20).to_string(),
    ]
}

/// Returns the rows to show, and whether they are marked.
fn shown<'a>(position: &'a Position, all: bool) -> Vec<(&'a MergedRow, bool)> {
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
    rows: &[(&MergedRow, bool)],
    style: Style,
    width: Option<usize>,
) -> String {
    let count = position.columns.len();
    if width.is_none() {
        return block(position, rows, 0..count, style, usize::MAX);
    }
    let sizes = (1..=count).rev();
    let limits = sizes.flat_map(|size| REASONS.map(|reason| (size, reason)));
    fitting(limits, width, |(size, reason)| {
        let starts = (0..count).step_by(size);
        let tables =
            starts.map(|from| block(position, rows, from..count.min(from + size), style, reason));
        tables.collect::<Vec<_>>().join("\n")
    })
}

fn block(
    position: &Position,
    rows: &[(&MergedRow, bool)],
    columns: std::ops::Range<usize>,
    style: Style,
    reason: usize,
) -> String {
    let scale = position.scale();
    let mut head: Vec<String> = style
        .cells(["move", "differ", "σ", ""].map(String::from))
        .into();
    for column in columns.clone() {
        let letter = letter(column).to_string();
        head.extend([letter, "e".into(), style.apply("±".into()), "share".into()]);
        head.extend([String::new(), String::new()]);
    }
    let mut table = vec![head];
    for (row, marked) in rows {
        let differ = if row.disagreement >= 0.005 {
            format!("{:.2}", row.disagreement)
        } else {
            String::new()
        };
        let sigmas = value_apart(row).map(Apart::sigmas);
        let sigmas = sigmas.map_or_else(String::new, |s| format!("{s:.1}"));
        let mark = if *marked { "*" } else { "" };
        let mut line = vec![row.name.san.clone(), differ, sigmas, mark.to_owned()];
        for column in columns.clone() {
            let cell = row.cells.get(column).and_then(Option::as_ref);
            line.extend(cell.map_or_else(Default::default, |c| {
                style.cells(figures_of(c, scale, style, reason))
            }));
        }
        table.push(line);
    }
    let numbers: Vec<usize> = (0..columns.len())
        .flat_map(|i| [4, 5, 6, 7].map(|c| 6 * i + c))
        .chain([1, 2])
        .collect();
    align(&table, &numbers)
}

/// Returns rank, value, spread, share and fate.
fn figures_of(cell: &MergedCell, scale: Scale, style: Style, reason: usize) -> [String; 6] {
    let sign = cell.verdict.sign();
    let decided = cell.verdict.score.filter(|s| s.is_decided());
    let value = match (decided, cell.expected()) {
        (Some(score), _) => number::score(scale, score),
        (None, Some(e)) => number::expected(e),
        (None, None) => String::new(),
    };
    [
        cell.rank.map_or_else(String::new, |r| r.to_string()),
        format!("{sign}{value}"),
        cell.sd().map_or_else(String::new, |sd| format!("{sd:.2}")),
        cell.share.map_or_else(String::new, number::percent),
        cell.view.fate.letter().to_string(),
        if reason > 0 {
            style.cut(&why::brief(&cell.view, scale), reason)
        } else {
            String::new()
        },
    ]
}

fn differences(position: &Position, style: Style, width: Option<usize>) -> String {
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
            let text = style.apply(told(position, listed));
            let words: Vec<&str> = text.split_whitespace().collect();
            let wrapped = wrap(&words, "", 4, width);
            // The following lines are indented.
            out.push_str(&wrapped[2..]);
        }
    }
    out
}

/// Returns a difference and what it puts at stake.
fn told(position: &Position, listed: &Listed) -> String {
    let merged = position.comparison.merged(None);
    let Listed {
        path, found, stake, ..
    } = listed;
    let mut text = sentence(&merged, path, found, position.names);
    let at_stake = at_stake(&merged, path, &found.difference, stake, position.names);
    if let Some(at_stake) = at_stake.filter(|_| found.flagged) {
        text = format!("{text} {at_stake}");
    }
    text
}
