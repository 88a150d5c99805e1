//! Keys: counts, key sequences, and what they mean in each place.

use std::time::{Duration, Instant};

use crossterm::event::KeyCode;

use super::App;
use crate::commands::COMMANDS;
use crate::component::{Event, Handled};
use crate::context::Level;
use crate::tabs::Tab;
use screen::keys::{Key, Meaning};

/// The keys that wait for the rest of a sequence.
#[derive(Debug, Default)]
pub(crate) struct Keyboard {
    pub pressed: Vec<Key>,
    pub count: Option<usize>,
    /// When a lone digit that may mean a tab was typed.
    digit_at: Option<Instant>,
    /// Since when a sequence or a count has waited for its next key, until what may follow is offered.
    waits_since: Option<Instant>,
    /// Whether the box of what may follow is shown.
    pub offers: bool,
}

impl App {
    /// Handles a key press.
    pub fn key(&mut self, key: Key) {
        self.cx.dirty = true;
        self.cx.messages.fresh = false;
        self.cx.explore.board.picked = None;
        self.take_key(key);
        self.do_asked();
        let waits = !self.pending().is_empty();
        self.keyboard.waits_since = (waits && !self.keyboard.offers).then(Instant::now);
        self.keyboard.offers &= waits;
    }

    fn take_key(&mut self, key: Key) {
        if self.with_overlay(|overlay, reach| overlay.handle(reach, &Event::Key(key, 1))) {
            return;
        }
        if key.is(KeyCode::Esc) && !self.pending().is_empty() {
            self.take_pending();
            return;
        }
        if self.pending().is_empty() && self.part_key(key) {
            return;
        }
        let event = Event::Key(key, self.keyboard.count.unwrap_or(1));
        if self.keyboard.count.is_none()
            && self.keyboard.pressed.is_empty()
            && self.offer(&event, None)
        {
            return;
        }
        if self.keyboard.pressed.is_empty() && self.count_digit(key) {
            return;
        }
        self.keyboard.digit_at = None;
        // Keys that have their own meaning in the focused pane.
        if self.keyboard.pressed.is_empty()
            && self.cx.in_explore()
            && !key.shift
            && self
                .cx
                .explore
                .focus
                .component()
                .handle(&mut self.cx, &event)
                == Handled::Yes
        {
            self.keyboard.count = None;
            return;
        }
        self.keyboard.pressed.push(key);
        match self
            .cx
            .keymap
            .meaning(&self.keyboard.pressed, &self.scope().places())
        {
            Meaning::Command(i) => {
                self.keyboard.pressed.clear();
                let count = self.keyboard.count.take();
                match self.tab().refuses(&COMMANDS[i]) {
                    Some(why) => self.cx.say(Level::Info, why),
                    None => (COMMANDS[i].run)(self, count),
                }
            }
            Meaning::Prefix => {}
            Meaning::Nothing => {
                self.keyboard.pressed.clear();
                self.keyboard.count = None;
            }
        }
    }

    /// Forgets the keys that wait for the rest of a sequence; returns the count.
    pub(crate) fn take_pending(&mut self) -> Option<usize> {
        self.keyboard.pressed.clear();
        self.keyboard.digit_at = None;
        self.keyboard.waits_since = None;
        self.keyboard.offers = false;
        self.keyboard.count.take()
    }

    /// Returns what may follow the keys pressed so far: the rest of each sequence, or after a count alone the commands
    /// that use one, the likely ones first.
    pub(crate) fn continuations(&self) -> Vec<(String, usize)> {
        let keyboard = &self.keyboard;
        let all = self
            .cx
            .keymap
            .continuations(&keyboard.pressed, &self.scope().places());
        if !keyboard.pressed.is_empty() {
            return all;
        }
        let hints = self.tab().hints(&self.cx);
        let mut counting: Vec<(String, usize)> = Vec::new();
        for (keys, command) in all {
            let listed = counting.iter().any(|(_, other)| *other == command);
            if COMMANDS[command].counts && !listed {
                counting.push((keys, command));
            }
        }
        let place = |id| hints.iter().position(|hint| *hint == id);
        counting.sort_by_key(|(_, command)| place(COMMANDS[*command].id).unwrap_or(usize::MAX));
        counting
    }

    /// Takes a digit that begins or continues a count. The digit of a tab means the tab if no other key follows soon.
    fn count_digit(&mut self, key: Key) -> bool {
        let Some(digit) = key.typed().and_then(|c| c.to_digit(10)) else {
            return false;
        };
        if digit == 0 && self.keyboard.count.is_none() {
            return false;
        }
        let alone = self.keyboard.count.is_none() && Tab::of_digit(digit as usize).is_some();
        self.keyboard.digit_at = alone.then(Instant::now);
        let count = self.keyboard.count.unwrap_or(0);
        self.keyboard.count = Some((count * 10 + digit as usize).min(999_999_999));
        true
    }

    /// Returns when [`App::tick`] has something to do although no input arrives.
    pub fn deadline(&self) -> Option<Instant> {
        let read = self
            .cx
            .opening
            .is_some()
            .then(|| Instant::now() + Self::OPENING);
        let saved = (self.cx.saving.is_some() || self.cx.is_exporting())
            .then(|| Instant::now() + Self::SAVING);
        let due = [
            self.digit_due(),
            self.offer_due(),
            read,
            saved,
            self.cx.autosave_due(),
        ];
        due.into_iter().flatten().min()
    }

    fn offer_due(&self) -> Option<Instant> {
        self.keyboard.waits_since.map(|since| since + Self::PAUSE)
    }

    /// How long a sequence waits for its next key before what may follow is offered: those who know the keys never see
    /// the box.
    const PAUSE: Duration = Duration::from_millis(500);

    fn digit_due(&self) -> Option<Instant> {
        self.keyboard.digit_at.map(|at| at + Self::DIGIT_ALONE)
    }

    /// How long a tab's digit waits for more digits of a count before it means the tab.
    const DIGIT_ALONE: Duration = Duration::from_millis(350);

    /// Acts on the passing of time: takes a file that has been read, and shows a tab if no key followed its digit.
    pub fn tick(&mut self, now: Instant) {
        self.look_for_opened();
        self.tend_autosave(now);
        self.do_asked();
        if self.offer_due().is_some_and(|at| at <= now) {
            self.keyboard.waits_since = None;
            self.keyboard.offers = true;
            self.cx.dirty = true;
        }
        if self.digit_due().is_none_or(|at| now < at) {
            return;
        }
        self.keyboard.digit_at = None;
        let digit = self.keyboard.count.take();
        if let Some(tab) = digit.and_then(Tab::of_digit) {
            self.take_pending();
            self.show_tab(tab);
            self.do_asked();
            self.cx.dirty = true;
        }
    }

    /// Returns the count and the keys that wait for the rest of a sequence, for the bottom line.
    pub fn pending(&self) -> String {
        let count = self
            .keyboard
            .count
            .map(|c| c.to_string())
            .unwrap_or_default();
        let keys: String = self
            .keyboard
            .pressed
            .iter()
            .map(ToString::to_string)
            .collect();
        count + &keys
    }
}
