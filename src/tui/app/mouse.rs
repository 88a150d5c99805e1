//! The mouse: the last frame records what each part of the screen means.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

use super::App;
use crate::commands::{COMMANDS, CommandTarget};
use crate::component::Event;
use crate::context::Context;
use crate::overlays::chooser::Choice;
use crate::overlays::help::HelpTarget;
use crate::overlays::options::OptionsTarget;
use crate::overlays::{Overlay, OverlayTarget};
use crate::panes::panes;
use screen::pen::Drawn;
use screen::target::Target;

impl Context {
    /// Returns where the last frame shows a target.
    pub(crate) fn area_of<T: Copy + PartialEq + 'static>(&self, target: T) -> Option<Rect> {
        let found = self.regions.iter().rev().find(|r| r.target.is(target));
        found.map(|r| r.area)
    }

    fn target_at(&self, column: u16, row: u16) -> Option<Target> {
        let at = Position::new(column, row);
        let mut hit = self.regions.iter().rev().filter(|r| r.area.contains(at));
        hit.next().map(|r| r.target.clone())
    }
}

impl App {
    /// Takes what drawing a frame found: what can be clicked, and how far texts can be scrolled.
    pub(crate) fn take_drawn(&mut self, drawn: Drawn) {
        self.cx.regions = drawn.regions;
        for (text, last) in drawn.last_tops {
            match &mut self.cx.overlay {
                Some(Overlay::Help(help)) if text.is(HelpTarget::Text) => {
                    help.top = last.min(help.top);
                }
                _ => {
                    self.offer_all(&Event::LastTop(Some(text), last));
                }
            }
        }
    }

    pub fn mouse(&mut self, event: MouseEvent) {
        let target = self.cx.target_at(event.column, event.row);
        let changed = match event.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                self.click(target, Position::new(event.column, event.row));
                true
            }
            MouseEventKind::Drag(MouseButton::Left) => {
                self.offer_all(&Event::Drag(target, event.column))
            }
            MouseEventKind::Up(MouseButton::Left) => self.offer_all(&Event::Release),
            MouseEventKind::ScrollDown => self.wheel(target, 3),
            MouseEventKind::ScrollUp => self.wheel(target, -3),
            MouseEventKind::ScrollLeft => self.wheel_sideways(target, -3),
            MouseEventKind::ScrollRight => self.wheel_sideways(target, 3),
            // Motion alone changes nothing and draws nothing.
            _ => false,
        };
        self.do_asked();
        self.cx.dirty |= changed;
    }

    /// Offers an event to the tab, then to all panes; returns whether one of them handled it.
    fn offer_all(&mut self, event: &Event) -> bool {
        self.offer(event, panes())
    }

    fn click(&mut self, target: Option<Target>, at: Position) {
        self.cx.messages.fresh = false;
        if self.cx.overlay.is_some() {
            self.click_overlay(target, at);
            return;
        }
        let Some(target) = target else { return };
        if let Some(tab) = target.of() {
            self.show_tab(tab);
        } else if let Some(CommandTarget(i)) = target.of() {
            let count = self.take_pending();
            (COMMANDS[i].run)(self, count);
        } else {
            self.offer_all(&Event::Click(Some(target), at.x));
        }
    }

    fn click_overlay(&mut self, target: Option<Target>, at: Position) {
        let outside = self
            .cx
            .area_of(OverlayTarget::Frame)
            .is_none_or(|frame| !frame.contains(at));
        let Some(mut overlay) = self.cx.overlay.take() else {
            return;
        };
        let target = target.as_ref();
        let item = match target.and_then(Target::of) {
            Some(OverlayTarget::Item(row)) => Some(row),
            _ => None,
        };
        let stays = match (&mut overlay, item) {
            (Overlay::Choose(answer, chooser), Some(row)) => {
                let choice = chooser.click(row);
                self.chosen(answer, chooser, choice)
            }
            // A click outside the list closes it.
            (Overlay::Choose(answer, chooser), None) if outside => {
                self.chosen(answer, chooser, Choice::Cancelled)
            }
            (Overlay::Options(editor), _) if !outside => match target.and_then(Target::of) {
                Some(OptionsTarget::Algorithm(i)) => {
                    let outcome = editor.click_algorithm(i);
                    self.edited(editor, outcome)
                }
                Some(OptionsTarget::Option(i)) => {
                    editor.click_option(i);
                    true
                }
                None => true,
            },
            (Overlay::Help(help), _) if !outside => {
                if let Some(HelpTarget::Page(page)) = target.and_then(Target::of) {
                    help.show(page);
                }
                true
            }
            // Nothing that was set up is lost by a click beside it.
            (Overlay::SetUp(setup), _) => match target.and_then(Target::of) {
                Some(part) => {
                    let wish = setup.click(part);
                    self.set_up(setup, wish)
                }
                None => true,
            },
            (Overlay::Breakpoints(list), Some(row)) => {
                // A second click toggles the breakpoint, or uses the example.
                match list.selected == row {
                    true if self.cx.explore.debug.breakpoints.is_empty() => self.cx.use_offer(row),
                    true => self.cx.toggle_breakpoint(row),
                    false => {}
                }
                list.selected = row;
                true
            }
            (Overlay::Expression(_, expression), Some(row)) => {
                expression.take(row);
                self.cx.offer_words_to(expression);
                true
            }
            _ => !outside,
        };
        if stays && self.cx.overlay.is_none() {
            self.cx.overlay = Some(overlay);
        }
    }

    fn wheel_sideways(&mut self, target: Option<Target>, by: isize) -> bool {
        if self.cx.overlay.is_none() {
            self.offer_all(&Event::WheelSideways(target, by));
        }
        true
    }

    fn wheel(&mut self, target: Option<Target>, by: isize) -> bool {
        match &mut self.cx.overlay {
            Some(Overlay::Choose(_, chooser)) => {
                let count = chooser.shown().len();
                chooser.list.walk(by.signum(), count);
            }
            Some(Overlay::Help(help)) => help.scroll(by),
            Some(Overlay::Breakpoints(list)) => {
                list.walk(by.signum(), self.cx.explore.debug.breakpoints.len());
            }
            Some(_) => {}
            None => {
                self.offer_all(&Event::Wheel(target, by));
            }
        }
        true
    }
}
