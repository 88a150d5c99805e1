//! The help's first page: what one needs in the present tab and pane, on one screen.

use super::{Help, PAGES};
use crate::app::App;
use crate::commands::{COMMANDS, index_of};
use crate::views::bar::name_of;
use screen::pen::{Line, Pen};
use screen::theme::Role;

/// The columns for the keys, and for the name of what they do.
const KEYS: usize = 14;
const NAME: usize = 20;

/// Returns the page in at most `height` lines: the most useful commands first, as in the key bar.
pub(super) fn lines(app: &App, pen: &Pen, width: usize, height: usize) -> Vec<Line> {
    let (tab, title) = (app.tab(), app.cx.tab.kind().title);
    let place = match tab.pane_name(&app.cx) {
        Some(pane) => format!("{title} · {pane}"),
        None => title.to_owned(),
    };
    // The command that shows the tab says what the tab is.
    let shows = format!("tab-{}", title.to_lowercase());
    let about = index_of(&shows).map_or("", |i| COMMANDS[i].doc);
    let mut lines = vec![vec![(pen.glyphs.text(&place), Role::Heading)]];
    for part in text::wrap(about, width.saturating_sub(2)) {
        lines.push(vec![(format!("  {part}"), Role::Dim)]);
    }
    lines.push(Vec::new());
    let hints: Vec<usize> = tab
        .hints(&app.cx)
        .iter()
        .filter_map(|id| index_of(id))
        .collect();
    let hints: Vec<usize> = hints
        .into_iter()
        .filter(|row| !app.cx.keymap.keys_of(*row).is_empty())
        .collect();
    // The last line says where the rest is.
    let room = height.saturating_sub(lines.len() + 2);
    lines.extend(
        hints
            .iter()
            .take(room)
            .map(|row| command_line(app, *row, width)),
    );
    lines.push(Vec::new());
    lines.push(vec![
        ("  ?  ".to_owned(), Role::Key),
        (format!("{}, ", PAGES[Help::KEYS]), Role::Hint),
        ("Tab  ".to_owned(), Role::Key),
        (
            "how to read the screen, the terms, the messages so far".to_owned(),
            Role::Hint,
        ),
    ]);
    lines
}

/// Returns a command's keys, its name here, and its description as far as one line holds it.
fn command_line(app: &App, row: usize, width: usize) -> Line {
    let mut keys = app.cx.keymap.keys_of(row);
    while keys.len() > 1 && text::width(&keys.join(" ")) > KEYS {
        keys.pop();
    }
    let keys = keys.join(" ");
    let name = name_of(app, row);
    let room = width.saturating_sub(KEYS + NAME + 5);
    let mut line = vec![
        (format!("  {keys:<KEYS$} "), Role::Key),
        (format!("{name:<NAME$}  "), Role::Text),
    ];
    if let Some(clause) = clause(COMMANDS[row].doc, room).filter(|clause| *clause != name) {
        line.push((clause.to_owned(), Role::Hint));
    }
    line
}

/// Returns the description, or its longest beginning that ends where a clause does and fits: not within parentheses,
/// and not at a colon of a later clause.
fn clause(doc: &str, room: usize) -> Option<&str> {
    if text::width(doc) <= room {
        return Some(doc);
    }
    let is_end = |at: usize, sign: &str| {
        let before = &doc[..at];
        let inside = before.matches('(').count() > before.matches(')').count();
        let is_later_colon = sign == ":" && before.contains(';');
        !inside && !is_later_colon
    };
    doc.match_indices([';', ':', '(', ','])
        .filter(|(at, sign)| is_end(*at, sign))
        .map(|(at, _)| doc[..at].trim_end())
        .rfind(|part| text::width(part) <= room)
}

#[cfg(test)]
mod tests {
    use super::clause;

    #[test]
    fn a_description_is_cut_only_where_a_clause_ends() {
        let doc = "open the row, or go to its first child (a count: that many plies)";
        assert_eq!(clause(doc, 80), Some(doc));
        assert_eq!(
            clause(doc, 40),
            Some("open the row, or go to its first child")
        );
        assert_eq!(clause(doc, 20), Some("open the row"));
        assert_eq!(clause(doc, 5), None);
        let doc = "go to the best line; on it: one move further";
        assert_eq!(clause(doc, 30), Some("go to the best line"));
    }
}
