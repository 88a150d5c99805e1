//! Going back to what was explored before, and forward again; showing a finished tree.

use super::App;
use crate::context::{Effect, Explored, Level};
use crate::source::{Source, Still};

impl App {
    /// Goes back to the position that was explored before, or forward to the one that the user came back from.
    pub fn go_back(&mut self, by: isize) {
        if self.cx.reading.is_open() {
            return self
                .cx
                .say(Level::Info, "a lesson is open: finish or leave it first");
        }
        for _ in 0..by.unsigned_abs().max(1) {
            let from = match by < 0 {
                true => &mut self.cx.roots.forward,
                false => &mut self.cx.roots.back,
            };
            let Some(next) = from.pop() else {
                let what = match by < 0 {
                    true => "no position to go forward to",
                    false => "no position was explored before this one",
                };
                return self.cx.say(Level::Info, what);
            };
            let here = self.cx.put_aside(true);
            match by < 0 {
                true => self.cx.roots.back.push(here),
                false => self.cx.roots.forward.push(here),
            }
            self.restore(next);
        }
        self.cx.roots.fit(self.cx.config.memory);
    }

    pub(super) fn restore(&mut self, explored: Explored) {
        let other_document = explored.opened != self.cx.roots.opened;
        self.cx.document = explored.document;
        (self.cx.entry, self.cx.current) = explored.entry;
        (self.cx.node, self.cx.ply) = (explored.node, explored.ply);
        self.cx.subject = explored.subject;
        self.cx.detour = explored.detour;
        self.cx.config = explored.config;
        if other_document {
            self.cx.roots.opened = explored.opened;
            self.tabs.game.begin(&self.cx.document);
            self.cx.effects.push(Effect::Watch);
        }
        self.tabs.game.list.select(self.cx.entry);
        self.cx.show_explore();
        let how = match explored.source {
            Some(source) => {
                self.cx.look_at(source);
                self.cx.set_breakpoints();
                if explored.runs
                    && let Some(session) = &mut self.cx.session
                {
                    session.resume();
                }
                "with its tree"
            }
            None if explored.searched => {
                self.cx.start_search();
                "searched again: its tree gave way"
            }
            None => {
                self.cx.wait_to_search();
                "not searched yet"
            }
        };
        if let Some(selection) = explored.selection {
            self.cx
                .with_tree(|explorer, reader| explorer.refresh(reader, false));
            self.cx.explore.tree.resume(selection.renewed());
        }
        let name = match &self.cx.detour {
            Some((_, line)) if !line.is_empty() => line.clone(),
            _ => self.cx.current.title.clone(),
        };
        self.cx.say(Level::Info, format!("{name}: {how}"));
    }

    /// Shows a finished tree.
    pub fn show_still(&mut self, still: Still) {
        self.cx.stop_search();
        self.cx.subject = still.subject.clone();
        if !still.config.algorithm.is_told() {
            self.cx.config = still.config.clone();
        }
        self.cx.look_at(Source::Still(Box::new(still)));
        self.tend();
    }
}
