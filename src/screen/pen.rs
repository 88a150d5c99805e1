//! Drawing into a buffer: text by place and width, frames, fills. Everything is clipped at the area's edge.

use std::any::Any;
use std::fmt::Debug;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;
use ratatui::widgets::{Block, Paragraph, Widget};

use super::glyphs::Glyphs;
use super::target::{Region, Target};
use super::theme::{Role, Theme};

/// A line of text, with the roles of its parts.
pub type Line = Vec<(String, Role)>;

/// A buffer with the theme and the glyphs to draw with, and what the frame records for later input.
#[derive(Debug)]
pub struct Pen<'a> {
    pub buf: &'a mut Buffer,
    pub theme: &'a Theme,
    pub glyphs: &'static Glyphs,
    pub drawn: Drawn,
}

/// What only drawing finds out and input needs. Drawing changes nothing else; the application takes this afterwards.
#[derive(Debug, Default)]
pub struct Drawn {
    /// What can be clicked. Later regions are above earlier ones.
    pub regions: Vec<Region>,
    /// How far the texts on the screen can be scrolled, which is known only once they have been laid out: the last line
    /// that may be at the top.
    pub last_tops: Vec<(Target, usize)>,
}

/// Returns the area inside a frame.
pub fn inside(frame: Rect) -> Rect {
    if frame.width < 2 || frame.height < 2 {
        return Rect {
            width: 0,
            height: 0,
            ..frame
        };
    }
    Rect {
        x: frame.x + 1,
        y: frame.y + 1,
        width: frame.width - 2,
        height: frame.height - 2,
    }
}

/// Returns the area without its first column.
pub fn indented(area: Rect) -> Rect {
    Rect {
        x: area.x + 1,
        width: area.width.saturating_sub(1),
        ..area
    }
}

impl Pen<'_> {
    /// Records an area that can be clicked. Later regions are above earlier ones.
    pub fn region(&mut self, area: Rect, target: impl Any + Debug) {
        let target = Target::new(target);
        self.drawn.regions.push(Region { area, target });
    }

    /// Records how far a text can be scrolled, and returns the line at the top: `top`, or the last possible one.
    pub fn scrolled(
        &mut self,
        text: impl Any + Debug,
        top: usize,
        lines: usize,
        height: usize,
    ) -> usize {
        let last = lines.saturating_sub(height);
        self.drawn.last_tops.push((Target::new(text), last));
        top.min(last)
    }

    pub fn style(&self, role: Role) -> Style {
        self.theme.style(role)
    }

    /// Returns the style that is laid over what is selected, where the keyboard is or elsewhere. What is there keeps its
    /// colours.
    pub fn selection(&self, focused: bool) -> Style {
        let role = match focused {
            true => Role::Selection,
            false => Role::SelectionUnfocused,
        };
        Style {
            fg: None,
            ..self.style(role)
        }
    }

    /// Writes in an area why there is nothing in it.
    pub fn empty(&mut self, area: Rect, words: &str) {
        let room = usize::from(area.width.saturating_sub(2));
        let lines = text::wrap(&self.glyphs.text(words), room);
        for (line, y) in lines.iter().zip(area.top()..area.bottom()) {
            self.put(area.x + 1, y, area.right(), line, Role::Dim);
        }
    }

    /// Writes a text with a style that is laid over what is there; returns the column after the last one written.
    /// Nothing is written from column `end` on.
    pub fn text(&mut self, x: u16, y: u16, end: u16, text: &str, style: Style) -> u16 {
        let area = self.buf.area;
        let end = end.min(area.right());
        if y < area.top() || y >= area.bottom() {
            return x;
        }
        let room = usize::from(end.saturating_sub(x));
        self.buf.set_stringn(x, y, text, room, style).0
    }

    /// Writes a text in the style of a role.
    pub fn put(&mut self, x: u16, y: u16, end: u16, text: &str, role: Role) -> u16 {
        let style = self.style(role);
        self.text(x, y, end, text, style)
    }

    /// Returns a line of words in the theme's styles of their roles.
    fn styled(&self, line: &Line) -> ratatui::text::Line<'static> {
        let spans = line.iter().map(|(word, role)| {
            let word = self.glyphs.text(word);
            Span::styled(word, self.style(*role))
        });
        spans.collect::<Vec<_>>().into()
    }

    /// Writes lines below each other, as many as fit into an area.
    pub fn lines<'a>(&mut self, area: Rect, lines: impl IntoIterator<Item = &'a Line>) {
        let shown = lines.into_iter().take(usize::from(area.height));
        let lines: Vec<_> = shown.map(|line| self.styled(line)).collect();
        Paragraph::new(lines).render(area.intersection(self.buf.area), self.buf);
    }

    /// Writes a text that ends before column `end`, if it fits after `start`.
    pub fn put_right(&mut self, start: u16, y: u16, end: u16, text: &str, role: Role) {
        let style = self.style(role);
        self.text_right(start, y, end, text, style);
    }

    pub fn text_right(&mut self, start: u16, y: u16, end: u16, text: &str, style: Style) {
        let width = text::width(text) as u16;
        let x = end.saturating_sub(width).max(start);
        self.text(x, y, end, text, style);
    }

    pub fn char(&mut self, x: u16, y: u16, c: char, style: Style) {
        if let Some(cell) = self.buf.cell_mut((x, y)) {
            cell.set_char(c).set_style(style);
        }
    }

    /// Lays a style over an area.
    pub fn tint(&mut self, area: Rect, style: Style) {
        self.buf.set_style(area, style);
    }

    /// Clears an area and gives it a style.
    pub fn clear(&mut self, area: Rect, style: Style) {
        let area = area.intersection(self.buf.area);
        for y in area.top()..area.bottom() {
            for x in area.left()..area.right() {
                if let Some(cell) = self.buf.cell_mut((x, y)) {
                    cell.reset();
                    cell.set_style(style);
                }
            }
        }
    }

    /// Draws a frame with a title; returns the area inside.
    pub fn frame(&mut self, area: Rect, title: &str, focused: bool) -> Rect {
        let area = area.intersection(self.buf.area);
        if area.width < 2 || area.height < 2 {
            return inside(area);
        }
        let style = self.style(if focused {
            Role::BorderFocused
        } else {
            Role::Border
        });
        let set = self.glyphs.frame;
        let mut block = Block::bordered().border_set(set).border_style(style);
        if !title.is_empty() && area.width > 6 {
            let room = usize::from(area.width - 6);
            let title = text::fit(&self.glyphs.text(title), room, self.glyphs.ellipsis);
            block = block.title(ratatui::text::Line::from(vec![
                Span::styled(set.horizontal_top, style),
                Span::styled(" ", style),
                Span::styled(title, self.style(Role::Title)),
                Span::styled(" ", style),
            ]));
        }
        block.render(area, self.buf);
        inside(area)
    }

    /// Writes a note at the right end of a frame's lower or upper edge.
    pub fn frame_note(&mut self, area: Rect, y: u16, note: &str, role: Role) {
        let note = format!(" {} ", self.glyphs.text(note));
        let width = text::width(&note) as u16;
        if width + 4 <= area.width {
            let x = area.right() - 2 - width;
            self.put(x, y, area.right() - 1, &note, role);
        }
    }
}
