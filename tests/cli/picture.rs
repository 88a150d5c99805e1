//! The screens that `tests/tui` stores as snapshots with their styles, read back.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

/// Converts `Rgb(122, 162, 247)`; the terminal's own colours are `None`.
fn colour(text: &str) -> Option<Color> {
    let numbers = text.strip_prefix("Rgb(")?.strip_suffix(')')?;
    let parts: Vec<u8> = numbers
        .split(", ")
        .map(|number| number.parse().expect("a part of a colour"))
        .collect();
    Some(Color::Rgb(parts[0], parts[1], parts[2]))
}

/// Returns the text between two others.
fn between<'a>(line: &'a str, from: &str, to: &str) -> &'a str {
    let (_, rest) = line.split_once(from).expect(from);
    rest.split_once(to).expect(to).0
}

/// Reads a snapshot of a screen.
pub fn read(snapshot: &str) -> Buffer {
    let (_, content) = snapshot.split_once("content: [\n").expect("a buffer");
    let (content, styles) = content.split_once("\n    ],").expect("styles");
    let row = |line: &str| -> Vec<char> {
        let quoted = line.trim().trim_end_matches(',').strip_prefix('"');
        let text = quoted.and_then(|l| l.strip_suffix('"')).expect("a row");
        text.replace("\\\"", "\"")
            .replace("\\\\", "\\")
            .chars()
            .collect()
    };
    let style = |line: &str| {
        let (x, y) = (between(line, "x: ", ","), between(line, "y: ", ","));
        let modifier = between(line, "modifier: ", ",");
        let named = |name: &str| Modifier::from_name(name).unwrap_or(Modifier::empty());
        let modifier = modifier.split(" | ").map(named).collect();
        let style = Style {
            fg: colour(between(line, "fg: ", ", bg")),
            bg: colour(between(line, "bg: ", ", underline")),
            add_modifier: modifier,
            ..Style::default()
        };
        let number = |text: &str| -> usize { text.parse().expect("a place") };
        ((number(y), number(x)), style)
    };
    let styles = styles.lines().filter(|line| line.contains("modifier: "));
    let mut styles = styles.map(style).peekable();
    let rows: Vec<Vec<char>> = content.lines().map(row).collect();
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut screen = Buffer::empty(Rect::new(0, 0, width as u16, rows.len() as u16));
    let mut now = Style::default();
    for (y, row) in rows.iter().enumerate() {
        for (x, &c) in row.iter().enumerate() {
            while let Some((_, next)) = styles.next_if(|(at, _)| *at <= (y, x)) {
                now = next;
            }
            let cell = &mut screen[(x as u16, y as u16)];
            cell.set_char(c);
            cell.set_style(now);
        }
    }
    screen
}
