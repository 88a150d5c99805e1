//! Describes the differences between the columns in words.

use ratatui::layout::Rect;

use crate::context::Context;
use crate::tabs::compare::Compare;
use crate::tabs::compare::{letter, role as column_role, short_name};
use report::difference;
use report::lens::Lens;
use screen::pen::Pen;
use screen::theme::Role;
use session::{Reader, RowId};
use studies::compare::{Found, Merged, MergedCell, MergedRow, OutlineRow};

/// Returns how much a difference stands out: only if the columns' uncertainty does not explain it.
pub(super) fn role(found: &Found) -> Role {
    match found.flagged {
        true => Role::Disagree,
        false => Role::Dim,
    }
}

/// Returns a row's worst difference in a few characters, with numbers as in the row.
pub(super) fn short(
    lens: Lens,
    merged: &Merged,
    row: &OutlineRow,
    found: &Found,
    room: usize,
) -> String {
    let name = |column| letter(column).to_string();
    let told = difference::short_of(lens, merged, &row.path, &row.row, &found.difference, name);
    let sigmas = found.apart.filter(|apart| apart.by > 0.0);
    if let Some(apart) = sigmas {
        let longer = format!("{told}, {}", difference::sigmas(apart));
        if text::width(&longer) <= room {
            return longer;
        }
    }
    if text::width(&told) <= room {
        return told;
    }
    let shorter = [
        ("+0.", "+."),
        ("−0.", "−."),
        ("≤ ", "≤"),
        ("≥ ", "≥"),
        (", ", " "),
    ];
    shorter
        .iter()
        .fold(told, |text, (long, short)| text.replace(long, short))
}

/// The text of one paragraph; it begins with the column's letter in the column's colour.
struct Paragraph {
    column: Option<usize>,
    text: String,
    role: Role,
}

/// Draws the focused column's trouble, the event it has stopped at, the selected row's differences, and then each
/// column's reason for its result.
pub(super) fn draw(
    compare: &Compare,
    cx: &Context,
    pen: &mut Pen,
    inner: Rect,
    row: Option<&MergedRow>,
) {
    let mut paragraphs = trouble(compare, cx);
    paragraphs.extend(standing(compare, cx));
    if let Some(row) = row {
        paragraphs.extend(differences(compare, cx, row));
        paragraphs.extend(reasons(cx, row));
    }
    let mut y = inner.y;
    for paragraph in paragraphs {
        let mut x = inner.x;
        let room = usize::from(inner.width.saturating_sub(4)).max(1);
        let lines = text::wrap(&pen.glyphs.text(&paragraph.text), room);
        if let Some(column) = paragraph.column.filter(|_| y < inner.bottom()) {
            let style = pen.style(column_role(column));
            pen.char(x + 1, y, letter(column), style);
        }
        x += 3;
        for line in lines {
            if y >= inner.bottom() {
                return;
            }
            pen.put(x, y, inner.right(), &line, paragraph.role);
            y += 1;
        }
    }
}

fn trouble(compare: &Compare, cx: &Context) -> Vec<Paragraph> {
    let column = compare.focus;
    let faces = cx.faces();
    let Some(trouble) = faces
        .get(column)
        .copied()
        .flatten()
        .and_then(|f| f.trouble())
    else {
        return Vec::new();
    };
    let said = trouble.last_lines.iter().map(|line| Paragraph {
        column: None,
        text: text::sanitise(line),
        role: Role::Dim,
    });
    let message = Paragraph {
        column: Some(column),
        text: text::sanitise(&trouble.message),
        role: Role::Error,
    };
    [message].into_iter().chain(said).collect()
}

fn standing(compare: &Compare, cx: &Context) -> Option<Paragraph> {
    let column = compare.focus;
    let stop = cx.columns.stepping(column).stop?;
    let face = cx.faces().get(column).copied().flatten()?;
    let reader = face.reader();
    let known = reader.tree.contains(stop.event.node());
    Some(Paragraph {
        column: Some(column),
        text: known.then(|| text::sanitise(&cx.lens.event(&reader, &stop.event)))?,
        role: Role::Stop,
    })
}

fn differences(compare: &Compare, cx: &Context, row: &MergedRow) -> Vec<Paragraph> {
    let Some(running) = cx.columns.comparison() else {
        return Vec::new();
    };
    let merged = running.merged(None);
    let names = compare.specs.iter().enumerate();
    let names: Vec<String> = names
        .map(|(column, spec)| format!("{} ({})", letter(column), short_name(spec)))
        .collect();
    let path = compare.outline.selected_path();
    let line = format!("{}: ", merged.line(path));
    let told = row.differences.iter().map(|found| {
        let sentence = cx.lens.difference(&merged, path, found, &names);
        // The panel's title already has the line.
        let sentence = sentence.strip_prefix(&line).unwrap_or(&sentence);
        Paragraph {
            column: None,
            text: format!("{} {}", found.kind().letter(), text::sanitise(sentence)),
            role: match role(found) {
                Role::Dim => Role::Text,
                other => other,
            },
        }
    });
    let mut told: Vec<Paragraph> = told.collect();
    if let Some(worst) = row.differences.first().filter(|found| found.flagged) {
        let stake = merged.stake(path, &worst.difference);
        let lens = cx.lens;
        let words = lens.at_stake(&merged, path, &worst.difference, &stake, &names);
        let words = words.unwrap_or_else(|| "Nothing at the root depends on it.".to_owned());
        told.insert(
            1,
            Paragraph {
                column: None,
                text: format!("  {}", text::sanitise(&words)),
                role: Role::Text,
            },
        );
    }
    if told.is_empty() && row.cells.iter().flatten().count() > 1 {
        told.push(Paragraph {
            column: None,
            text: "the columns agree about this move".to_owned(),
            role: Role::Dim,
        });
    }
    told
}

/// Returns each column's reason for its result on the move.
fn reasons(cx: &Context, row: &MergedRow) -> Vec<Paragraph> {
    let faces = cx.faces();
    let known = row.cells.iter().enumerate();
    let told = known.filter_map(|(column, cell)| {
        let reader = faces.get(column).copied().flatten()?.reader();
        Some(Paragraph {
            column: Some(column),
            text: text::sanitise(&reason(cx.lens, &reader, cell.as_ref()?, row)),
            role: Role::Dim,
        })
    });
    told.collect()
}

fn reason(lens: Lens, reader: &Reader, cell: &MergedCell, row: &MergedRow) -> String {
    match cell.id {
        RowId::Node(id) => lens.why_node(reader, id),
        RowId::Withheld { .. } => {
            let row = session::Row {
                id: cell.id,
                move_code: row.name.code,
                label: row.name.san.clone(),
                uci: row.name.uci.clone(),
                view: cell.view,
                belief: None,
            };
            lens.why(reader, &row)
        }
    }
}
