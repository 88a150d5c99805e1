//! The mouse: the frame on the screen says what lies where.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

use super::{App, Overlay, Pane, Tab};
use crate::tui::commands::COMMANDS;
use crate::tui::overlays::chooser::Choice;
use crate::tui::pen::{Drawn, Scrolled};
use crate::tui::tabs::compare::Spot;
use crate::tui::tabs::game::GamePane;

/// A part of the screen that can be clicked.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    pub area: Rect,
    pub target: Target,
}

/// What it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Pane(Pane),
    /// A row of the tree.
    Row(usize),
    /// The mark that opens and closes it.
    Mark(usize),
    /// A node of a drawn tree, by its place.
    Drawn(usize),
    Tab(Tab),
    Command(usize),
    /// A ply of the game.
    Ply(usize),
    /// A game or position of the document: the row of the list.
    Entry(usize),
    /// A move in the Game tab, by its node.
    GameMove(usize),
    /// The chart over the game.
    Chart,
    /// A row of the list of disagreements.
    Finding(usize),
    GamePane(GamePane),
    /// A row of the list that is open above the rest.
    Item(usize),
    Algorithm(usize),
    Option(usize),
    HelpPage(usize),
    /// In the Compare tab.
    Compare(Spot),
    /// A cell of the grid of point differentials, row by row.
    GridCell(usize),
    /// A back-up rule on the page on spread.
    SpreadRule(usize),
    /// A lesson of the list.
    Lesson(usize),
    /// An answer to choose.
    Choice(usize),
    /// The text of a lesson.
    Text,
    /// A row of the log.
    Event(usize),
    Scrubber,
    /// The rest of what is open above the rest.
    Overlay,
}

impl App {
    /// Takes what a frame found out: what can be clicked, and how far texts can be scrolled.
    pub(in crate::tui) fn take_drawn(&mut self, drawn: Drawn) {
        self.regions = drawn.regions;
        for (text, last) in drawn.last_tops {
            let top = match (text, &mut self.learn.playing, &mut self.overlay) {
                (Scrolled::Inspector, ..) => &mut self.inspector_top,
                (Scrolled::Lesson, Some(playing), _) => &mut playing.top,
                (Scrolled::Help, _, Some(Overlay::Help(help))) => &mut help.top,
                _ => continue,
            };
            *top = last.min(*top);
        }
    }

    fn target_at(&self, column: u16, row: u16) -> Option<Target> {
        let at = Position::new(column, row);
        let hit = |r: &&Region| r.area.contains(at);
        self.regions.iter().rev().find(hit).map(|r| r.target)
    }

    pub fn mouse(&mut self, event: MouseEvent) {
        let target = self.target_at(event.column, event.row);
        match event.kind {
            MouseEventKind::Down(MouseButton::Left) => self.click(target, event.column),
            MouseEventKind::Drag(MouseButton::Left) if target == Some(Target::Chart) => {
                self.click_chart(event.column);
            }
            MouseEventKind::Drag(MouseButton::Left) if self.debug.dragged.is_some() => {
                self.drag_scrubber(event.column);
            }
            MouseEventKind::Up(MouseButton::Left) if self.debug.dragged.is_some() => {
                if let Some(event) = self.debug.dragged.take() {
                    self.go_to_event(event);
                }
            }
            MouseEventKind::ScrollDown => self.wheel(target, 3),
            MouseEventKind::ScrollUp => self.wheel(target, -3),
            MouseEventKind::ScrollLeft => self.wheel_sideways(target, -3),
            MouseEventKind::ScrollRight => self.wheel_sideways(target, 3),
            // Motion alone changes nothing and draws nothing.
            _ => return,
        }
        self.dirty = true;
    }

    fn click(&mut self, target: Option<Target>, column: u16) {
        self.message_fresh = false;
        if self.overlay.is_some() {
            self.click_overlay(target);
            return;
        }
        match target {
            Some(Target::Pane(pane)) => self.focus = pane,
            Some(Target::Row(row)) => {
                self.focus = Pane::Tree;
                // A second click opens.
                if self.explorer.selected() == row {
                    self.toggle();
                } else {
                    self.explorer.select(row);
                }
            }
            Some(Target::Mark(row)) => {
                self.focus = Pane::Tree;
                self.explorer.select(row);
                self.toggle();
            }
            Some(Target::Drawn(place)) => self.click_place(place),
            Some(Target::Tab(tab)) => self.show_tab(tab),
            Some(Target::Command(i)) => (COMMANDS[i].run)(self, None),
            Some(Target::Event(row)) => {
                self.focus = Pane::Log;
                // A second click goes to its node.
                if self.debug.log.list.selected == row {
                    self.jump_to_node();
                } else {
                    self.debug
                        .log
                        .walk(row as isize - self.debug.log.list.selected as isize);
                }
            }
            Some(Target::Lesson(at)) => {
                // A second click opens.
                if self.learn.list.selected == at {
                    self.open_lesson(at);
                } else {
                    self.learn.list.selected = at;
                }
            }
            Some(Target::Choice(at)) => self.choose_answer(at),
            Some(Target::Scrubber) => self.drag_scrubber(column),
            Some(Target::Ply(ply)) => self.go_to_ply(ply),
            Some(Target::Entry(row)) => {
                self.game.pane = GamePane::Games;
                // A second click opens.
                if self.game.list.state.selected == row {
                    self.game_enter();
                } else {
                    self.game.list.state.selected = row;
                }
            }
            Some(Target::GameMove(node)) => {
                self.game.pane = GamePane::Moves;
                self.go_to_node(node);
            }
            Some(Target::Chart) => self.click_chart(column),
            Some(Target::Finding(at)) => {
                self.game.pane = GamePane::Findings;
                self.go_to_finding(at);
            }
            Some(Target::GamePane(pane)) => self.game.pane = pane,
            Some(Target::Compare(spot)) => self.click_compare(spot),
            Some(Target::GridCell(place)) => self.choose_differential(place),
            Some(Target::SpreadRule(place)) => self.lab.spread.rule = place,
            _ => {}
        }
    }

    fn click_overlay(&mut self, target: Option<Target>) {
        let Some(mut overlay) = self.overlay.take() else {
            return;
        };
        let stays = match (&mut overlay, target) {
            (Overlay::Choose(answer, chooser), Some(Target::Item(row))) => {
                let choice = chooser.click(row);
                let answer = answer.clone();
                self.chosen(&answer, chooser, choice)
            }
            // A click beside it closes it.
            (
                Overlay::Choose(answer, chooser),
                None
                | Some(Target::Pane(_) | Target::Row(_) | Target::Drawn(_) | Target::Compare(_)),
            ) => {
                let answer = answer.clone();
                self.chosen(&answer, chooser, Choice::Cancelled)
            }
            (Overlay::Options(editor), Some(Target::Algorithm(i))) => {
                let outcome = editor.click_algorithm(i);
                self.edited(editor, outcome)
            }
            (Overlay::Options(editor), Some(Target::Option(i))) => {
                editor.click_option(i);
                true
            }
            (Overlay::Help(help), Some(Target::HelpPage(page))) => {
                help.show(page);
                true
            }
            (Overlay::Breakpoints(list), Some(Target::Item(row))) => {
                // A second click turns it on or off.
                if list.selected == row {
                    self.toggle_breakpoint(row);
                }
                list.selected = row;
                true
            }
            (Overlay::Expression(_, expression), Some(Target::Item(row))) => {
                expression.take(row);
                self.offer_words_to(expression);
                true
            }
            (
                _,
                None
                | Some(
                    Target::Pane(_)
                    | Target::Row(_)
                    | Target::Mark(_)
                    | Target::Drawn(_)
                    | Target::Compare(_),
                ),
            ) => false,
            _ => true,
        };
        if stays && self.overlay.is_none() {
            self.overlay = Some(overlay);
        }
    }

    /// To the ply that lies under a column of the chart.
    fn click_chart(&mut self, column: u16) {
        let chart = self
            .regions
            .iter()
            .rev()
            .find(|r| r.target == Target::Chart);
        let Some(area) = chart.map(|r| r.area) else {
            return;
        };
        let line = self.current.line_through(0);
        let ply = crate::tui::tabs::game::chart::ply_at(column - area.x, area.width, line.len());
        self.go_to_node(line[ply]);
    }

    /// The event that lies under a column of the scrubber; the search goes there when the mouse lets go.
    fn drag_scrubber(&mut self, column: u16) {
        let scrubber = self.regions.iter().find(|r| r.target == Target::Scrubber);
        let Some(area) = scrubber.map(|r| r.area) else {
            return;
        };
        let place = self.debug.place;
        let columns = u64::from(area.width.saturating_sub(1)).max(1);
        let at = u64::from(column.clamp(area.x, area.right() - 1) - area.x);
        let span = u128::from(place.last.saturating_sub(place.first));
        let event = place.first + (span * u128::from(at) / u128::from(columns)) as u64;
        self.debug.dragged = Some(event);
    }

    /// Only a drawing goes sideways.
    fn wheel_sideways(&mut self, target: Option<Target>, by: isize) {
        let over = matches!(target, Some(Target::Pane(Pane::Tree) | Target::Drawn(_)));
        if self.overlay.is_none() && over && self.drawn_at().is_some() {
            self.scroll_drawing(by, true);
        }
    }

    fn wheel(&mut self, target: Option<Target>, by: isize) {
        match &mut self.overlay {
            Some(Overlay::Choose(_, chooser)) => {
                let count = chooser.shown().len();
                chooser.list.walk(by.signum(), count);
                return;
            }
            Some(Overlay::Help(help)) => {
                help.scroll(by);
                return;
            }
            Some(Overlay::Breakpoints(list)) => {
                list.walk(by.signum(), self.debug.breakpoints.len());
                return;
            }
            Some(_) => return,
            None => {}
        }
        match target {
            Some(Target::Pane(Pane::Inspector)) => {
                self.inspector_top = self.inspector_top.saturating_add_signed(by);
            }
            Some(Target::Entry(_) | Target::GamePane(GamePane::Games)) => {
                self.game.list.walk(by, &self.document);
            }
            Some(Target::GameMove(_) | Target::GamePane(GamePane::Moves)) => {
                self.game.moves.scroll(by);
            }
            Some(Target::Finding(_) | Target::GamePane(GamePane::Findings)) => {
                let count = self.game.review.as_ref().map_or(0, |r| r.ranked.len());
                self.game.ranked.walk(by, count);
            }
            Some(Target::Chart) => self.walk_game(by.signum()),
            Some(Target::Text) => self.scroll_text(by.signum()),
            _ if self.in_lessons() => self.walk_lessons(by.signum()),
            _ if self.tab == Tab::Game => {}
            _ if self.in_differential() => self.walk_differential(by.signum(), 0),
            _ if self.in_spread() => self.walk_spread(by.signum()),
            _ if self.tab == Tab::Lab => self.walk_lab(by.signum()),
            Some(Target::Pane(Pane::Board) | Target::Ply(_) | Target::Scrubber) => {}
            Some(Target::Pane(Pane::Log) | Target::Event(_)) => self.debug.log.page(by),
            _ if self.tab == Tab::Compare => self.scroll_outline(by),
            _ if self.drawn_at().is_some() => self.scroll_drawing(by, false),
            _ => self.explorer.scroll(by),
        }
    }
}
