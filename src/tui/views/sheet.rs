//! The printer of whole sheets on the screen: lines that fit a width.

use super::table;
use report::sheet::{Block, Sheet};
use screen::glyphs::Glyphs;
use screen::pen::Line;
use screen::theme::Role;

/// Returns a sheet as lines of at most this width, with a blank line between its blocks.
pub fn lines(sheet: &Sheet, glyphs: &Glyphs, width: usize) -> Vec<Line> {
    let blocks: Vec<Vec<Line>> = { sheet.blocks.iter() }
        .map(|block| block_lines(block, glyphs, width))
        .collect();
    blocks.join(&[Vec::new()][..])
}

/// Returns a block as lines of at most this width. What is too long of its words is wrapped, what is too wide of its table is
/// left out as [`table::draw`] does it.
pub fn block_lines(block: &Block, glyphs: &Glyphs, width: usize) -> Vec<Line> {
    let words = |words: &String, role: Role| {
        let lines = text::wrap(&glyphs.text(words), width).into_iter();
        let lines = lines.map(move |line| vec![(line, role)]);
        lines.collect::<Vec<Line>>()
    };
    let title = Some(&block.title).filter(|title| !title.is_empty());
    let mut lines: Vec<Line> = { title.into_iter() }
        .flat_map(|title| words(title, Role::Heading))
        .collect();
    let indented = table::lines(&block.table, glyphs, width.saturating_sub(2)).into_iter();
    lines.extend(indented.map(|mut line| {
        line.insert(0, ("  ".to_owned(), Role::Text));
        line
    }));
    lines.extend(block.notes.iter().flat_map(|note| words(note, Role::Hint)));
    lines
}
