//! A screen as text, to be stored as a snapshot, and the way back.
//!
//! First come the rows of the screen, without the spaces at their ends; then, after an empty line, its size and the
//! styles of its rows:
//!
//! ```text
//! 80x24
//! 1: 1 #7aa2f7 on #1b212a bold, 11 #c9d1d9, 12 #12161c on #7aa2f7 bold
//! 2-4: 1 #303946 on #12161c
//! ```
//!
//! Consecutive rows with the same styles share a line. A run of cells begins at its column, and ends where the next one
//! begins; its ink and its ground are given where they differ from those of the run before, its modifiers always. Rows
//! and columns are counted from 1. Colours have no names of their own, which a new one could shift: whatever did not
//! change on the screen does not change in its snapshot either.
#![allow(dead_code, reason = "each test binary uses a part of this")]

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Span;

/// The text of the screen.
pub fn text(screen: &Buffer) -> String {
    let mut lines = Vec::new();
    for y in 0..screen.area.height {
        let line: String = (0..screen.area.width)
            .map(|x| screen[(x, y)].symbol())
            .collect();
        lines.push(line.trim_end_matches(' ').to_owned());
    }
    lines.join("\n")
}

/// The text of the screen and the styles of all its cells: [`read`] returns the same screen.
pub fn styled(screen: &Buffer) -> String {
    let Rect { width, height, .. } = screen.area;
    let rows: Vec<String> = (0..height).map(|y| runs(screen, y)).collect();
    let mut form = format!("{}\n\n{width}x{height}", text(screen));
    let mut above = 0;
    for same in rows.chunk_by(|a, b| a == b) {
        let (first, last) = (above + 1, above + same.len());
        let rows = if first == last {
            first.to_string()
        } else {
            format!("{first}-{last}")
        };
        form += &format!("\n{rows}: {}", same[0]);
        above = last;
    }
    assert!(read(&form) == *screen, "cells are lost in\n{form}");
    form
}

/// The runs of cells of the same style in a row.
fn runs(screen: &Buffer, y: u16) -> String {
    let mut runs = Vec::new();
    let mut before = None;
    for x in 0..screen.area.width {
        let cell = &screen[(x, y)];
        let style = (cell.fg, cell.bg, cell.modifier);
        if before == Some(style) {
            continue;
        }
        let mut run = (x + 1).to_string();
        if before.is_none_or(|(ink, ..)| ink != cell.fg) {
            run += &format!(" {}", cell.fg);
        }
        if before.is_none_or(|(_, ground, _)| ground != cell.bg) {
            run += &format!(" on {}", cell.bg);
        }
        for (name, _) in cell.modifier.iter_names() {
            run += &format!(" {name}");
        }
        runs.push(run.to_lowercase());
        before = Some(style);
    }
    runs.join(", ")
}

/// Reads what [`styled`] wrote.
pub fn read(form: &str) -> Buffer {
    let (text, styles) = form.rsplit_once("\n\n").expect("text and styles");
    let mut styles = styles.lines();
    let size = styles.next().and_then(|size| size.split_once('x'));
    let (width, height) = size.expect("a size");
    let mut screen = Buffer::empty(Rect::new(0, 0, number(width), number(height)));
    for (row, y) in text.split('\n').zip(0..) {
        for (grapheme, x) in Span::raw(row).styled_graphemes(Style::new()).zip(0..) {
            screen[(x, y)].set_symbol(grapheme.symbol);
        }
    }
    for line in styles {
        let (rows, runs) = line.split_once(": ").expect("rows and their runs");
        let (first, last) = rows.split_once('-').unwrap_or((rows, rows));
        let (top, bottom) = (number(first) - 1, number(last));
        let mut style = Style::new();
        for run in runs.split(", ") {
            let (column, words) = run.split_once(' ').unwrap_or((run, ""));
            let left = number(column) - 1;
            style = changed(style, words);
            let rest = Rect::new(left, top, screen.area.width - left, bottom - top);
            screen.set_style(rest, style);
        }
    }
    screen
}

fn number(text: &str) -> u16 {
    text.parse().expect("a number of cells")
}

/// The style of a run that says `words` after one of this style.
fn changed(mut style: Style, words: &str) -> Style {
    style.add_modifier = Modifier::empty();
    let mut words = words.split_terminator(' ');
    let colour = |word: &str| Some(word.parse::<Color>().expect("a colour"));
    while let Some(word) = words.next() {
        if word == "on" {
            style.bg = colour(words.next().expect("a ground"));
        } else if let Some(modifier) = Modifier::from_name(&word.to_uppercase()) {
            style.add_modifier |= modifier;
        } else {
            style.fg = colour(word);
        }
    }
    style.sub_modifier = !style.add_modifier;
    style
}
