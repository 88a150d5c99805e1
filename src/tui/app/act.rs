//! What the commands do in the tree, with the search and on the screen.

use std::time::{Duration, Instant};

use super::{App, Effect, Level, Pane, Tab};
use crate::engine::{Reader, State};
use crate::game::{Game, Scale, Subject};
use crate::tree::Tree;
use crate::tui::panes::drawing::commands::Way;
use crate::tui::panes::tree::Row;

impl App {
    pub fn walk(&mut self, by: isize) {
        if self.in_compare() {
            self.walk_outline(by);
            return;
        }
        if self.in_lessons() {
            self.walk_lessons(by);
            return;
        }
        if self.in_log() {
            self.debug.log.walk(by);
            return;
        }
        if self.walk_drawing(Way::Rows(by)) {
            return;
        }
        self.explorer.walk(by);
        self.inspector_top = 0;
    }

    pub fn go_to(&mut self, row: usize) {
        if self.in_compare() {
            self.compare.outline.select(row);
            return;
        }
        if self.in_lessons() {
            self.walk_lessons(isize::MIN);
            self.walk_lessons(isize::try_from(row).unwrap_or(isize::MAX));
            return;
        }
        if self.in_log() {
            self.debug.log.walk(isize::MIN);
            self.debug
                .log
                .walk(isize::try_from(row).unwrap_or(isize::MAX));
            return;
        }
        if self.walk_drawing(Way::Row(row)) {
            return;
        }
        self.explorer.select(row);
        self.inspector_top = 0;
    }

    pub fn page(&mut self, pages: isize) {
        if self.in_compare() {
            let rows = self.compare.view.height().max(2) as isize - 1;
            self.page_outline(pages.saturating_mul(rows));
            return;
        }
        if self.in_log() {
            let height = self.debug.log.height.max(2) as isize;
            self.debug.log.page(pages.saturating_mul(height - 1));
            return;
        }
        if self.walk_drawing(Way::Halves(pages.saturating_mul(2))) {
            return;
        }
        let height = self.explorer.height().max(2) as isize;
        self.explorer.page(pages.saturating_mul(height - 1));
    }

    pub fn half_page(&mut self, halves: isize) {
        if self.in_compare() {
            let half = (self.compare.view.height() / 2).max(1) as isize;
            self.page_outline(halves.saturating_mul(half));
            return;
        }
        if self.in_log() {
            let half = (self.debug.log.height / 2).max(1) as isize;
            self.debug.log.page(halves.saturating_mul(half));
            return;
        }
        if self.walk_drawing(Way::Halves(halves)) {
            return;
        }
        let half = (self.explorer.height() / 2).max(1) as isize;
        self.explorer.page(halves.saturating_mul(half));
    }

    pub fn sibling(&mut self, by: isize) {
        if self.in_compare() {
            self.outline_sibling(by);
            return;
        }
        if self.walk_drawing(Way::Sibling(by)) {
            return;
        }
        self.explorer.sibling(by);
    }

    pub fn open_or_enter(&mut self, plies: usize) {
        if self.in_compare() {
            self.with_outline(|o, m| (0..plies.min(99)).for_each(|_| o.open_or_enter(m)));
            return;
        }
        if !self.search_again() && !self.walk_drawing(Way::Open(plies)) {
            self.with_tree(|e, r| e.open_or_enter(r, plies));
        }
    }

    /// Searches the selected node again if it was searched but what lies below was not recorded; it is opened when
    /// there is something to see.
    fn search_again(&mut self) -> bool {
        let (Some(row), Some(source)) = (self.explorer.selected_row(), &self.session) else {
            return false;
        };
        if !source.can_search_again(row.node) {
            return false;
        }
        source.search_again(row.node);
        self.again = Some((row.node, Instant::now() + Duration::from_secs(1)));
        self.say(
            Level::Info,
            "not recorded: searching it again with its window and depth",
        );
        true
    }

    /// Opens the node that was searched again, once it has children.
    pub(in crate::tui) fn open_searched_again(&mut self) {
        let Some((node, until)) = self.again else {
            return;
        };
        let opened = self.with_tree(|e, r| e.open_node(r, node)) == Some(true);
        if opened || Instant::now() >= until {
            self.again = None;
        }
    }

    pub fn close_or_leave(&mut self, plies: usize) {
        if self.in_compare() {
            self.with_outline(|o, m| (0..plies.min(99)).for_each(|_| o.close_or_leave(m)));
            return;
        }
        if !self.walk_drawing(Way::Close(plies)) {
            self.with_tree(|e, r| e.close_or_leave(r, plies));
        }
    }

    pub fn toggle(&mut self) {
        if self.in_compare() {
            self.with_outline(|o, m| o.toggle(m));
            return;
        }
        if !self.search_again() && !self.walk_drawing(Way::Toggle) {
            self.with_tree(|e, r| e.toggle(r));
        }
    }

    pub fn centre(&mut self) {
        if self.in_compare() {
            self.compare.view.centre(&self.compare.outline);
            return;
        }
        if self.walk_drawing(Way::Centre) {
            return;
        }
        self.explorer.centre();
    }

    pub fn close_all(&mut self) {
        if self.in_compare() {
            self.with_outline(|o, m| o.close_all(m));
            return;
        }
        if !self.close_drawing() {
            self.with_tree(|e, r| e.close_all(r));
        }
    }

    pub fn open_best_line(&mut self) {
        if self.in_compare() {
            self.open_column_line();
            return;
        }
        self.with_tree(|e, r| e.open_line(r, &r.best_line(Tree::ROOT)));
    }

    /// To the best line's first move; from a node of the best line on, `moves` further along it.
    pub fn follow_best(&mut self, moves: usize) {
        if self.in_compare() {
            self.follow_column(moves);
            return;
        }
        let found = self.with_tree(|e, r| {
            let line = r.best_line(Tree::ROOT);
            let here = e.selected_row().map(|row| row.node);
            let at = line.iter().position(|n| Some(*n) == here);
            let next = at.map_or(0, |i| i + 1) + moves.max(1) - 1;
            let node = line.get(next).or(line.last()).copied();
            if let Some(node) = node {
                e.reveal(r, node);
            }
            node.is_some()
        });
        if found == Some(false) {
            self.say(Level::Info, "no best move yet");
        }
    }

    /// The selected row, if the search has begun.
    #[must_use]
    pub fn selected(&self) -> Option<(Row, Reader<'_>)> {
        Some((
            self.explorer.selected_row()?,
            self.session.as_ref()?.reader(),
        ))
    }

    /// The position at the selected row.
    #[must_use]
    pub fn selected_subject(&self) -> Option<Subject> {
        if self.in_compare() {
            return self.outline_subject();
        }
        let (row, reader) = self.selected()?;
        if row.parent.is_none() {
            return reader.situation(Tree::ROOT);
        }
        let mut subject = reader.situation(row.parent)?;
        subject.follow(row.code).then_some(subject)
    }

    /// Shows the selected node on the board, or the root again where it is shown already.
    pub fn board_here(&mut self) {
        if self.in_log() {
            self.jump_to_node();
            return;
        }
        let Some(row) = self.explorer.selected_row() else {
            return;
        };
        let node = if row.node.is_none() {
            row.parent
        } else {
            row.node
        };
        self.board_node = if self.board_node == node || node.is_none() {
            Tree::ROOT
        } else {
            node
        };
    }

    pub fn toggle_pause(&mut self) {
        let Some(session) = &mut self.session else {
            self.start_search();
            return;
        };
        let state = session.status().state;
        if self.debug.shown && state == State::Paused {
            self.mark_from_here();
        }
        let Some(session) = &mut self.session else {
            return;
        };
        match state {
            State::Running => session.pause(),
            State::Paused => session.resume(),
            State::Finished(_) => self.say(Level::Info, "the search has ended: x begins it anew"),
        }
        self.explorer.touch();
    }

    pub fn restart(&mut self) {
        self.start_search();
    }

    pub fn change_threads(&mut self, by: isize) {
        if self.in_compare() {
            self.change_column_threads(by);
            return;
        }
        let most = std::thread::available_parallelism().map_or(1, usize::from) * 2;
        let threads = self.config.threads.saturating_add_signed(by).clamp(1, most);
        if threads == self.config.threads {
            self.say(
                Level::Info,
                format!(
                    "{threads} threads: no {}",
                    if by < 0 { "fewer" } else { "more" }
                ),
            );
            return;
        }
        self.config.threads = threads;
        self.start_search();
    }

    /// Searches the selected node's position.
    pub fn search_here(&mut self) {
        let Some(subject) = self.selected_subject() else {
            return;
        };
        let line = self.selected_line();
        if line.is_empty() {
            return;
        }
        let before = self
            .detour
            .take()
            .map(|(_, name)| name + " ")
            .unwrap_or_default();
        self.subject = subject.clone();
        self.detour = Some((subject, before + &line));
        self.start_search();
    }

    /// The moves to the selected row as people write them.
    #[must_use]
    pub fn selected_line(&self) -> String {
        if self.in_compare() {
            return self.outline_line();
        }
        let Some((row, reader)) = self.selected() else {
            return String::new();
        };
        let codes = self.explorer.moves_to(reader, &row);
        line_of(reader, &codes)
    }

    /// The moves to the selected row without their numbers: `e4 e5 Nf3`.
    #[must_use]
    pub fn selected_moves(&self) -> String {
        let Some((row, reader)) = self.selected() else {
            return String::new();
        };
        let codes = self.explorer.moves_to(reader, &row);
        let names = reader.names(Tree::ROOT, &codes);
        let names: Vec<String> = names.into_iter().map(|n| n.san).collect();
        names.join(" ")
    }

    pub fn copy_fen(&mut self) {
        let text = match self.selected_subject() {
            Some(Subject::Chess(s)) => s.position.fen(),
            Some(Subject::Toy(_)) => self.selected_line(),
            None => return,
        };
        self.copy(text);
    }

    pub fn copy_line(&mut self) {
        let line = self.selected_line();
        self.copy(line);
    }

    pub(in crate::tui) fn copy(&mut self, text: String) {
        if text.is_empty() {
            self.say(Level::Info, "nothing to copy at the root");
            return;
        }
        self.say(Level::Info, format!("copied: {text}"));
        self.effects.push(Effect::Copy(text));
    }

    pub fn find_again(&mut self, by: isize) {
        if self.in_log() {
            let query = self.debug.log.query.clone();
            if let Err(what) = self.find_event(&query, by) {
                self.say(Level::Info, what);
            }
            return;
        }
        if let Some(Err(what)) = self.find_next(by) {
            self.say(Level::Info, what);
        }
    }

    pub fn flip(&mut self) {
        self.flipped = !self.flipped;
    }

    pub fn toggle_units(&mut self) {
        if self.scale() == Scale::Logistic {
            self.pawns = !self.pawns;
        } else {
            self.say(Level::Info, "a toy tree's scores are in its own unit");
        }
    }

    /// How scores of the current game are written.
    #[must_use]
    pub fn scale(&self) -> Scale {
        match &self.subject {
            Subject::Chess(_) => Scale::Logistic,
            Subject::Toy(s) => s.position.scale(),
        }
    }

    pub fn show_tab(&mut self, tab: Tab) {
        let before = std::mem::replace(&mut self.tab, tab);
        self.hold_review(tab == Tab::Compare);
        if tab == Tab::Compare && before != tab {
            self.open_comparison();
        } else if before == Tab::Compare && before != tab {
            self.leave_comparison();
        }
        if tab == Tab::Lab {
            self.open_lab(before);
        } else if tab == Tab::Game {
            self.game.list.select(self.entry);
        } else if tab == Tab::Explore && self.session.is_some() {
            self.search_place();
        }
    }

    pub fn next_pane(&mut self, by: isize) {
        const ORDER: [Pane; 4] = [Pane::Tree, Pane::Log, Pane::Inspector, Pane::Board];
        let shown = |p: &&Pane| **p != Pane::Log || self.debug.shown;
        let order: Vec<&Pane> = ORDER.iter().filter(shown).collect();
        let at = order.iter().position(|p| **p == self.focus).unwrap_or(0) as isize;
        self.focus = *order[(at + by).rem_euclid(order.len() as isize) as usize];
        self.show_explore();
    }

    pub fn redraw(&mut self) {
        self.effects.push(Effect::Redraw);
    }

    pub fn suspend(&mut self) {
        self.effects.push(Effect::Suspend);
    }

    pub fn quit(&mut self) {
        self.leaving = true;
    }
}

/// Moves from the root as a line of play: `9.cxd5 Nxd5`, or names joined by `›`.
#[must_use]
pub fn line_of(reader: Reader, codes: &[crate::game::MoveCode]) -> String {
    line_from(reader.subject, codes)
}

/// Moves from a position as a line of play, as by [`line_of`].
#[must_use]
pub fn line_from(start: &Subject, codes: &[crate::game::MoveCode]) -> String {
    let line = start.line_of(codes);
    crate::tui::text::harmless(&line)
}
