//! The mouse: the last frame records what each part of the screen means.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

use super::App;
use crate::commands::{COMMANDS, CommandTarget};
use crate::component::Event;
use crate::context::Context;
use crate::overlays::OverlayTarget;
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
            let event = Event::LastTop(Some(text), last);
            self.with_overlay(|overlay, reach| overlay.handle(reach, &event));
            self.offer_all(&event);
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
        let frame = self.cx.area_of(OverlayTarget::Frame);
        let beside = frame.is_none_or(|frame| !frame.contains(at));
        let click = Event::Click(target.clone(), at.x);
        if self.with_overlay(|overlay, reach| match beside {
            true => overlay.click_beside(reach),
            false => overlay.handle(reach, &click),
        }) {
            return;
        }
        let Some(target) = target else { return };
        if let Some(tab) = target.of() {
            self.show_tab(tab);
        } else if let Some(CommandTarget(i)) = target.of() {
            let count = self.take_pending();
            (COMMANDS[i].run)(self, count);
        } else {
            self.offer_all(&click);
        }
    }

    fn wheel_sideways(&mut self, target: Option<Target>, by: isize) -> bool {
        if self.cx.overlay.is_none() {
            self.offer_all(&Event::WheelSideways(target, by));
        }
        true
    }

    fn wheel(&mut self, target: Option<Target>, by: isize) -> bool {
        let event = Event::Wheel(target, by);
        if !self.with_overlay(|overlay, reach| overlay.handle(reach, &event)) {
            self.offer_all(&event);
        }
        true
    }
}
