//! Draws a node: its name, its value, and what else there is room for.

use ratatui::layout::Rect;
use ratatui::style::Modifier;

use super::Picture;
use super::known::Known;
use crate::panes::drawing::{NAME, REASON, Windows, detail_leaf, stub_words};
use crate::panes::tree::view::changed::Changed;
use crate::views::facts::{Numbers, fate_sign};
use game::Side;
use report::drawing::{Done, Stub};
use screen::pen::Pen;
use screen::theme::Role;

impl Picture<'_> {
    /// Draws a node; returns where it can be clicked.
    pub fn node(
        &self,
        pen: &mut Pen,
        numbers: &Numbers,
        place: usize,
        known: &Known,
    ) -> Option<Rect> {
        let here = &self.layout.places[place];
        let top = self.detail.top(here.depth);
        let leaf = self.is_leaf(place);
        let rows = match leaf && !self.detail.names {
            true => 1,
            false => self.detail.level,
        };
        let area = self
            .sheet
            .area_of(here.left(), here.right(), top, top + i32::from(rows))?;
        let selected = self.selected == Some(place);
        if selected {
            let style = pen.selection(self.focused);
            pen.tint(area, style);
        }
        let words = Words {
            picture: self,
            place,
            known,
            selected,
            top,
        };
        let stub = self.content.stub(here.node);
        let begin = if let Some(stub) = stub {
            words.stub(pen, stub)
        } else if leaf {
            words.leaf(pen)
        } else {
            words.inner(pen, numbers)
        };
        words.mark(pen, begin - 1);
        Some(area)
    }
}

/// The text of one node.
struct Words<'a> {
    picture: &'a Picture<'a>,
    place: usize,
    known: &'a Known,
    selected: bool,
    top: i32,
}

/// Words with their roles, and whether they changed; changed words are underlined.
type Marked = Vec<(String, Role, bool)>;

impl Words<'_> {
    fn name(&self, pen: &Pen) -> String {
        let p = self.picture;
        let here = &p.layout.places[self.place];
        if here.parent.is_none() || !p.detail.names {
            return String::new();
        }
        let name = pen.glyphs.text(&text::sanitise(p.content.name(here.node)));
        text::fit(&name, NAME, pen.glyphs.ellipsis)
    }

    fn role(&self) -> Role {
        match self.known.seen.done {
            Done::Waiting => Role::Dim,
            Done::Cut(_) | Done::BelowCut => Role::MoveSkipped,
            _ => Role::Move,
        }
    }

    /// Draws the name above the value; the value is the file's, whether or not the search evaluated the leaf.
    fn leaf(&self, pen: &mut Pen) -> i32 {
        let p = self.picture;
        let scale = p.reader.scale();
        let (value, spread) = p
            .content
            .leaf(p.layout.places[self.place].node)
            .unwrap_or_default();
        let value = detail_leaf(scale, value, spread);
        let role = match self.known.seen.done.is_searched() {
            true => Role::Text,
            false => self.role(),
        };
        let changed = self.changed(None);
        if p.detail.names && p.detail.level > 1 {
            let name = self.name(pen);
            self.line(pen, 1, vec![(value, role, changed)]);
            self.line(pen, 0, vec![(name, self.role(), false)])
        } else {
            self.line(pen, 0, vec![(value, role, changed)])
        }
    }

    /// Draws the player, name and value above the window.
    fn inner(&self, pen: &mut Pen, numbers: &Numbers) -> i32 {
        let p = self.picture;
        let here = &p.layout.places[self.place];
        let detail = p.detail;
        let player = match (p.content.is_toy(), p.side_at(here.depth)) {
            (true, Side::White) => pen.glyphs.max.to_string(),
            (true, Side::Black) => pen.glyphs.min.to_string(),
            // A move's name tells who played it.
            (false, _) => String::new(),
        };
        let mut line: Marked = vec![(player, self.role(), false)];
        let name = self.name(pen);
        let gap = if name.is_empty() { "" } else { " " };
        line.push((name, self.role(), false));
        let (columns, spread) = (usize::from(detail.value), usize::from(detail.spread));
        if let Some(value) = self.known.seen.value(columns, spread) {
            let role = match self.known.seen.figure().map_or(0.0, |f| f.0) {
                0.02.. => Role::Win,
                ..=-0.02 => Role::Loss,
                _ => Role::Draw,
            };
            line.push((gap.to_owned(), Role::Text, false));
            line.push((value, role, self.changed(Some(numbers))));
        }
        if self.known.seen.done == Done::Inside {
            line.push((pen.glyphs.in_search.to_string(), Role::Line, false));
        } else if let Some(fate) = self.known.seen.cutoff() {
            line.push((
                fate.letter().to_string(),
                fate_sign(fate, pen.glyphs).1,
                false,
            ));
        }
        let begin = self.line(pen, 0, line);
        if !p.content.is_toy() {
            self.work(pen);
            return begin;
        }
        if here.hidden > 0 {
            let words = p.content.hidden_words(here.hidden, detail.names);
            if detail.level > 1 {
                self.line(pen, 1, vec![(words, Role::TreeMark, false)]);
            } else {
                self.closed(pen);
            }
            return begin;
        }
        let shown = match detail.windows {
            Windows::All => true,
            Windows::Path => self.is_on_path(),
            Windows::No => false,
        };
        let room = match detail.windows {
            Windows::All => usize::from(here.width.max(detail.window)),
            _ => usize::from(detail.window),
        };
        if let Some(window) = self.known.window(room).filter(|_| shown) {
            let role = match self.known.seen.windows {
                true => Role::Window,
                false => Role::Count,
            };
            self.line(pen, 1, vec![(window, role, false)]);
        }
        begin
    }

    /// Draws below a move of a game its share of the work, and what is closed below it; or why it was skipped.
    fn work(&self, pen: &mut Pen) {
        let p = self.picture;
        let here = &p.layout.places[self.place];
        let mut line: Marked = Vec::new();
        if let Some(reason) = self.known.reason() {
            let reason = text::fit(&reason, REASON, pen.glyphs.ellipsis);
            line.push((reason, Role::MoveSkipped, false));
        } else if let Some(share) = self
            .known
            .share
            .filter(|_| self.known.seen.done.is_searched())
        {
            line.push((text::percent(share), Role::Policy, false));
        }
        if here.hidden > 0 {
            let gap = if line.is_empty() { "" } else { " " };
            let words = p.content.hidden_words(here.hidden, false);
            line.push((format!("{gap}{words}"), Role::TreeMark, false));
        }
        self.line(pen, 1, line);
    }

    /// Draws how many moves a stub stands for, and how many of each fate.
    fn stub(&self, pen: &mut Pen, stub: &Stub) -> i32 {
        let p = self.picture;
        let here = &p.layout.places[self.place];
        let long = stub_words(stub, true);
        let room = usize::from(here.width);
        let fits = long.iter().all(|line| text::width(line) <= room);
        let [count, fates] = if fits { long } else { stub_words(stub, false) };
        let role = match stub.fates.first() {
            Some((fate, _)) => fate_sign(*fate, pen.glyphs).1,
            None => Role::Dim,
        };
        self.line(pen, 1, vec![(fates, role, false)]);
        self.line(pen, 0, vec![(count, Role::TreeMark, false)])
    }

    /// Whether the selected node is this one or is below it.
    fn is_on_path(&self) -> bool {
        let places = &self.picture.layout.places;
        let mut at = self.picture.selected;
        while let Some(place) = at {
            if place == self.place {
                return true;
            }
            at = places[place].parent;
        }
        false
    }

    /// Whether its value changed since the search last stopped; without numbers to compare, whether the node is new.
    fn changed(&self, numbers: Option<&Numbers>) -> bool {
        let (Some(row), Some(facts)) = (&self.known.row, &self.known.facts) else {
            return false;
        };
        let p = self.picture;
        let new = || p.cx.explore.debug.stop.is_some() && p.cx.explore.debug.marks.is_new(row.node);
        let scores = p.cx.lens.of_moves(&p.reader, row.parent);
        numbers.map_or_else(new, |numbers| {
            let changed = Changed::of(p.cx, numbers, row, facts, &scores);
            changed.new || changed.value.is_some()
        })
    }

    /// Draws a line around the node's middle; returns its first column.
    fn line(&self, pen: &mut Pen, row: i32, line: Marked) -> i32 {
        let line: Marked = line
            .into_iter()
            .map(|(word, role, changed)| (pen.glyphs.text(&word_signs(pen, &word)), role, changed))
            .collect();
        let width: usize = line.iter().map(|(word, ..)| text::width(word)).sum();
        let p = self.picture;
        let here = &p.layout.places[self.place];
        let mut x = here.middle - (width / 2) as i32;
        if width <= usize::from(here.width) {
            x = x.clamp(here.left(), here.right() - width as i32);
        } else {
            // Only the windows on the selected path are wider than their node, and no other window shares their row.
            let all = p
                .layout
                .width
                .max(p.sheet.left + i32::from(p.sheet.area.width));
            x = x.clamp(0, (all - width as i32).max(0));
        }
        let begin = x;
        for (word, role, changed) in line {
            let mut style = pen.style(role);
            if self.selected {
                style = style.patch(pen.selection(p.focused));
            }
            if self.is_best() && role == Role::Move {
                let best = pen.style(Role::MoveBest);
                style.fg = best.fg.or(style.fg);
                style = style.add_modifier(best.add_modifier);
            }
            if changed {
                style = style.add_modifier(Modifier::UNDERLINED);
            }
            x = p.sheet.text(pen, x, self.top + row, &word, style);
        }
        begin
    }

    fn is_best(&self) -> bool {
        let p = self.picture;
        if p.cx.hides_best() {
            return false;
        }
        self.known.row.is_some_and(|row| {
            row.parent.is_none() || p.reader.best_move(row.parent) == Some(row.code)
        }) && self.known.seen.done.is_searched()
    }

    /// In a drawing with one row per level, only a mark shows that a node is closed.
    fn closed(&self, pen: &mut Pen) {
        let here = &self.picture.layout.places[self.place];
        let style = pen.style(Role::TreeMark);
        let (x, mark) = (here.right(), pen.glyphs.closed);
        self.picture.sheet.char(pen, x, self.top, mark, style);
    }

    /// Draws the mark before the text, at `x`: the current event, or the line being searched.
    fn mark(&self, pen: &mut Pen, x: i32) {
        let Some(row) = &self.known.row else { return };
        let p = self.picture;
        let style = pen.style(Role::Line);
        if p.cx.is_marked(row.key()) {
            let style = pen.style(Role::Match);
            p.sheet.char(pen, x, self.top, pen.glyphs.marked, style);
        } else if p.cx.hides_place() {
        } else if p.cx.explore.debug.is_at(row) {
            p.sheet.char(pen, x, self.top, pen.glyphs.running, style);
        } else if p.cx.explore.debug.on_line(row.node) {
            p.sheet.char(pen, x, self.top, pen.glyphs.line, style);
        }
    }
}

/// Replaces each sign by one of a single column, also in ASCII.
fn word_signs(pen: &Pen, word: &str) -> String {
    let g = pen.glyphs;
    if !g.ascii {
        return word.to_owned();
    }
    word.chars()
        .map(|c| match c {
            '≤' => g.at_most,
            '≥' => g.at_least,
            '±' => '~',
            '…' => g.ellipsis,
            c => c,
        })
        .collect()
}
