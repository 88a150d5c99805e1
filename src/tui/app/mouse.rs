//! The mouse: the last frame records what each part of the screen means.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

use super::{App, LabPage, Overlay, Pane, Tab};
use crate::commands::COMMANDS;
use crate::component::{Component, Event, Handled};
use crate::overlays::chooser::Choice;
use crate::panes::PANES;
use crate::pen::{Drawn, Scrolled};
use crate::tabs::compare::ClickTarget;
use crate::tabs::game::GamePane;

/// A part of the screen that can be clicked.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    pub area: Rect,
    pub target: Target,
}

/// What a region shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Pane(Pane),
    /// A row of the tree.
    Row(usize),
    /// The mark that opens and closes a row of the tree.
    Mark(usize),
    /// A node of the drawn tree, by its index.
    Drawn(usize),
    Tab(Tab),
    Command(usize),
    /// A square of the board.
    Square(shakmaty::Square),
    /// A ply of the game.
    Ply(usize),
    /// A game or position of the document, by its row in the list.
    Entry(usize),
    /// A move in the Game tab, by its node.
    GameMove(usize),
    /// The chart above the game.
    Chart,
    /// A row of the list of disagreements.
    Finding(usize),
    GamePane(GamePane),
    /// A row of the list in the overlay.
    Item(usize),
    Algorithm(usize),
    Option(usize),
    HelpPage(usize),
    /// A target in the Compare tab.
    Compare(ClickTarget),
    /// A cell of the grid of point differentials, numbered row by row.
    GridCell(usize),
    /// A back-up rule on the Lab's Spread page.
    SpreadRule(usize),
    /// A page of the Lab.
    LabPage(LabPage),
    /// A lesson in the list.
    Lesson(usize),
    /// An answer of a quiz.
    Choice(usize),
    /// The text of a lesson.
    Text,
    /// A row of the log.
    Event(usize),
    Scrubber,
    /// A part of the editor of positions.
    SetUp(crate::overlays::setup::Part),
    /// The rest of the overlay.
    Overlay,
}

impl App {
    /// Takes what drawing a frame found: what can be clicked, and how far texts can be scrolled.
    pub(crate) fn take_drawn(&mut self, drawn: Drawn) {
        self.regions = drawn.regions;
        for (text, last) in drawn.last_tops {
            let top = match (text, &mut self.learn.playing, &mut self.overlay) {
                (Scrolled::Inspector, ..) => &mut self.explore.inspector_top,
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
        let changed = match event.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                self.click(target, event.column);
                true
            }
            MouseEventKind::Drag(MouseButton::Left) => {
                self.offer_all(Event::Drag(target, event.column))
            }
            MouseEventKind::Up(MouseButton::Left) => self.offer_all(Event::Release),
            MouseEventKind::ScrollDown => self.wheel(target, 3),
            MouseEventKind::ScrollUp => self.wheel(target, -3),
            MouseEventKind::ScrollLeft => self.wheel_sideways(target, -3),
            MouseEventKind::ScrollRight => self.wheel_sideways(target, 3),
            // Motion alone changes nothing and draws nothing.
            _ => false,
        };
        self.dirty |= changed;
    }

    /// Offers an event to the tab, then to all panes; returns whether one of them handled it.
    fn offer_all(&mut self, event: Event) -> bool {
        let tab: &dyn Component = self.tab.screen();
        let mut all = std::iter::once(tab).chain(PANES);
        all.any(|component| component.handle(self, event) == Handled::Yes)
    }

    fn click(&mut self, target: Option<Target>, column: u16) {
        self.messages.fresh = false;
        if self.overlay.is_some() {
            self.click_overlay(target);
            return;
        }
        match target {
            Some(Target::Pane(pane)) => self.explore.focus = pane,
            Some(Target::Tab(tab)) => self.show_tab(tab),
            Some(Target::Command(i)) => {
                let count = self.take_pending();
                (COMMANDS[i].run)(self, count);
            }
            Some(target) => {
                self.offer_all(Event::Click(target, column));
            }
            None => {}
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
            // A click outside the list closes it.
            (
                Overlay::Choose(answer, chooser),
                None
                | Some(
                    Target::Pane(_)
                    | Target::Square(_)
                    | Target::Row(_)
                    | Target::Drawn(_)
                    | Target::Compare(_),
                ),
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
            (Overlay::SetUp(setup), Some(Target::SetUp(part))) => {
                let wish = setup.click(part);
                self.set_up(setup, wish)
            }
            // Nothing that was set up is lost by a click beside it.
            (Overlay::SetUp(_), _) => true,
            (Overlay::Breakpoints(list), Some(Target::Item(row))) => {
                // A second click toggles the breakpoint, or uses the example.
                match list.selected == row {
                    true if self.explore.debug.breakpoints.is_empty() => self.use_offer(row),
                    true => self.toggle_breakpoint(row),
                    false => {}
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
                    | Target::Square(_)
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

    fn wheel_sideways(&mut self, target: Option<Target>, by: isize) -> bool {
        if self.overlay.is_none() {
            self.offer_all(Event::WheelSideways(target, by));
        }
        true
    }

    fn wheel(&mut self, target: Option<Target>, by: isize) -> bool {
        match &mut self.overlay {
            Some(Overlay::Choose(_, chooser)) => {
                let count = chooser.shown().len();
                chooser.list.walk(by.signum(), count);
            }
            Some(Overlay::Help(help)) => help.scroll(by),
            Some(Overlay::Breakpoints(list)) => {
                list.walk(by.signum(), self.explore.debug.breakpoints.len());
            }
            Some(_) => {}
            None => {
                self.offer_all(Event::Wheel(target, by));
            }
        }
        true
    }
}
