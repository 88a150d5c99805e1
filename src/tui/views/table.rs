//! The printer of tables on the screen.

use ratatui::layout::Rect;

use report::sheet::{Cell, Column, Kind, Table};
use screen::glyphs::Glyphs;
use screen::pen::{Line, Pen};
use screen::target::{Region, Target};
use screen::theme::Role;

/// The room between two columns where there is enough of it.
const GAP: usize = 2;
/// The least width of a column of words.
const WORD: usize = 10;

/// How the rows of a table look.
#[derive(Default)]
pub struct Rows<'a> {
    /// The role of a row's words, by its number; plain text without it.
    pub words: Option<&'a dyn Fn(usize) -> Role>,
    /// The role of its numbers.
    pub numbers: Option<&'a dyn Fn(usize) -> Role>,
    /// The chosen row, which is always visible.
    pub chosen: Option<usize>,
    /// What a click on a row chooses.
    pub target: Option<fn(usize) -> Target>,
}

/// A column with what fits of it.
struct Fitted<'a> {
    column: &'a Column,
    width: usize,
    /// Whether intervals and errors are shown.
    whole: bool,
}

impl Fitted<'_> {
    fn text(&self, cell: &Cell, glyphs: &Glyphs) -> String {
        match self.whole {
            true => glyphs.text(&cell.whole()),
            false => glyphs.text(&cell.text),
        }
    }
}

/// Draws a table and returns how many of its rows are visible. If it is too wide, it loses minor columns from the left, or errors
/// and intervals, or both; then the ends of words; at last whatever is on the right. If it is too high, it begins where the
/// chosen row can be seen.
pub fn draw(pen: &mut Pen, area: Rect, table: &Table, rows: &Rows) -> usize {
    let (columns, gap) = fitting(pen.glyphs, table, usize::from(area.width));
    let height = usize::from(area.height.saturating_sub(1));
    let first = rows
        .chosen
        .map_or(0, |row| (row + 1).saturating_sub(height));
    let visible = table.height().saturating_sub(first).min(height);
    let put = |pen: &mut Pen, y: u16, read: &dyn Fn(&Fitted, &Pen) -> (String, Role)| {
        let mut x = area.x;
        for fitted in &columns {
            let end = (x + fitted.width as u16).min(area.right());
            let (text, role) = read(fitted, pen);
            if fitted.column.is_right() {
                pen.put_right(x, y, end, &text, role);
            } else {
                let text = text::fit(&text, fitted.width, pen.glyphs.ellipsis);
                pen.put(x, y, end, &text, role);
            }
            x = end + gap as u16;
        }
    };
    put(pen, area.y, &|fitted, pen| {
        (pen.glyphs.text(&fitted.column.head), Role::Heading)
    });
    for (row, y) in (first..first + visible).zip(area.y + 1..) {
        let of = |roles: Option<&dyn Fn(usize) -> Role>| roles.map_or(Role::Text, |of| of(row));
        put(pen, y, &|fitted, pen| {
            let cell = &fitted.column.cells[row];
            let role = match cell.kind {
                Kind::Word => of(rows.words),
                Kind::Number => of(rows.numbers),
                Kind::Off => Role::Warning,
            };
            (fitted.text(cell, pen.glyphs), role)
        });
        let line = Rect {
            y,
            height: 1,
            ..area
        };
        if rows.chosen == Some(row) {
            let style = pen.selection(true);
            pen.tint(line, style);
        }
        if let Some(target) = rows.target {
            let target = target(row);
            pen.drawn.regions.push(Region { area: line, target });
        }
    }
    visible
}

/// Returns a table as lines of at most this width: what [`draw`] would draw, and below it whole what words are cut off.
pub fn lines(table: &Table, glyphs: &Glyphs, width: usize) -> Vec<Line> {
    let (columns, gap) = fitting(glyphs, table, width);
    let line = |read: &dyn Fn(&Fitted) -> (String, Role)| -> Line {
        let spans = columns.iter().enumerate().map(|(i, fitted)| {
            let (words, role) = read(fitted);
            let words = text::fit(&words, fitted.width, glyphs.ellipsis);
            let pad = " ".repeat(fitted.width.saturating_sub(text::width(&words)));
            let before = " ".repeat(if i == 0 { 0 } else { gap });
            let padded = match fitted.column.is_right() {
                true => before + &pad + &words,
                false => before + &words + &pad,
            };
            (padded, role)
        });
        spans.collect()
    };
    if columns.is_empty() {
        return Vec::new();
    }
    let rows = (0..table.height()).map(|row| {
        line(&|fitted| {
            let cell = &fitted.column.cells[row];
            let role = match cell.kind {
                Kind::Off => Role::Warning,
                Kind::Word | Kind::Number => Role::Text,
            };
            (fitted.text(cell, glyphs), role)
        })
    });
    let head = line(&|fitted| (glyphs.text(&fitted.column.head), Role::Dim));
    // Words that are cut off are told whole below.
    let cut = (0..table.height()).flat_map(|row| {
        let cells = columns
            .iter()
            .map(move |f| (f.width, f.text(&f.column.cells[row], glyphs)));
        let long = cells.filter(|(room, words)| text::width(words) > *room);
        let first = columns[0].text(&columns[0].column.cells[row], glyphs);
        long.map(move |(_, words)| vec![(format!("{first}  {words}"), Role::Hint)])
    });
    std::iter::once(head).chain(rows).chain(cut).collect()
}

/// Returns the columns that fit, and the room between them.
fn fitting<'a>(glyphs: &Glyphs, table: &'a Table, room: usize) -> (Vec<Fitted<'a>>, usize) {
    let fitted = |whole: bool| {
        let columns = table.columns.iter().map(|column| {
            let mut fitted = Fitted {
                column,
                width: 0,
                whole,
            };
            let cells = column
                .cells
                .iter()
                .map(|cell| text::width(&fitted.text(cell, glyphs)));
            let head = text::width(&glyphs.text(&column.head));
            fitted.width = cells
                .max()
                .filter(|widest| *widest > 0)
                .map_or(0, |w| w.max(head));
            fitted
        });
        columns
            .filter(|fitted| fitted.width > 0)
            .collect::<Vec<_>>()
    };
    let over = |columns: &[Fitted], gap: usize| {
        let width: usize = columns.iter().map(|fitted| fitted.width + gap).sum();
        width.saturating_sub(room + gap)
    };
    let mut columns = Vec::new();
    for whole in [true, false] {
        columns = fitted(whole);
        while over(&columns, 1) > 0
            && let Some(minor) = columns.iter().position(|fitted| fitted.column.is_minor)
        {
            columns.remove(minor);
        }
        if over(&columns, 1) == 0 {
            break;
        }
    }
    let much = over(&columns, 1);
    let words = columns
        .iter_mut()
        .filter(|fitted| !fitted.column.is_right());
    if let Some(words) = words.max_by_key(|fitted| fitted.width) {
        words.width = words.width.saturating_sub(much).max(WORD.min(words.width));
    }
    while over(&columns, 1) > 0 && columns.len() > 1 {
        columns.pop();
    }
    let gap = if over(&columns, GAP) > 0 { 1 } else { GAP };
    (columns, gap)
}

#[cfg(test)]
mod tests {
    use super::*;
    use report::sheet::fixed;

    #[test]
    fn what_is_minor_goes_first() {
        let table = Table::of(&["one word", "several words"])
            .column("name", |name| *name)
            .column("n", |name| name.len())
            .column("less", |_| 123)
            .minor(1)
            .column("score", |_| fixed(0.5, 2).or_error(Some(0.1), 2));
        let table = Table::from(table);
        let shown = |room| {
            let (columns, gap) = fitting(Glyphs::of(false), &table, room);
            let widths: Vec<usize> = columns.iter().map(|fitted| fitted.width).collect();
            let heads = columns.iter().map(|fitted| fitted.column.head.as_str());
            (heads.collect::<Vec<_>>().join(" "), widths, gap)
        };
        let all = "name n less score".to_owned();
        assert_eq!(shown(40), (all.clone(), vec![13, 2, 4, 9], 2));
        assert_eq!(shown(31), (all, vec![13, 2, 4, 9], 1));
        // Without the minor column, then without the error as well.
        let three = "name n score".to_owned();
        assert_eq!(shown(29), (three.clone(), vec![13, 2, 9], 2));
        assert_eq!(shown(25).0, three);
        assert_eq!(shown(22), (three.clone(), vec![13, 2, 5], 1));
        // The words end early, and at last a column is missing.
        assert_eq!(shown(20), (three, vec![11, 2, 5], 1));
        assert_eq!(shown(15), ("name n".to_owned(), vec![10, 2], 2));
    }

    #[test]
    fn what_is_cut_off_is_told_below() {
        let names = ["distress:backup=r-opt", "distress:backup=r-pick"];
        let table = Table::of(&[0, 1])
            .column("", |i| report::sheet::letter(*i).to_string())
            .column("column", |i| names[*i])
            .column("score", |_| fixed(0.5, 2));
        let table = Table::from(table);
        let told = |width| {
            let lines = lines(&table, Glyphs::of(false), width).into_iter();
            let text = lines.map(|line| line.into_iter().map(|(words, _)| words).collect());
            text.collect::<Vec<String>>()
        };
        assert_eq!(told(40).len(), 3);
        let narrow = told(22);
        assert_eq!(narrow.len(), 5, "{narrow:?}");
        assert_eq!(
            narrow[3..],
            ["A  distress:backup=r-opt", "B  distress:backup=r-pick"]
        );
    }
}
