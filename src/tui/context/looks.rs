//! The theme and the glyphs to draw with.

use std::path::PathBuf;

use super::{Context, Effect, Level};
use crate::overlays::chooser::{Choice, Chooser, Item};
use crate::tabs::Tab;
use crate::views::bar::key_of_command;
use screen::glyphs::Glyphs;
use screen::theme::{Depth, Theme, ThemeStore};

/// How the screen looks.
#[derive(Debug)]
pub struct Looks {
    pub themes: ThemeStore,
    /// The colour depth of the terminal.
    pub depth: Depth,
    /// The theme's name.
    pub name: String,
    pub theme: Theme,
    /// The files that the theme was read from.
    pub files: Vec<PathBuf>,
    pub glyphs: &'static Glyphs,
}

impl Context {
    /// Shows the screen for a class, or as before.
    pub fn toggle_presenting(&mut self) {
        self.presenting = !self.presenting;
        self.messages.fresh = false;
        self.dirty = true;
        let is_shown = self.tab == Tab::Explore || self.tab == Tab::Learn && self.reading.is_open();
        if self.presenting && !is_shown {
            let key = key_of_command(self, "present");
            let what =
                format!("presenter's view: Explore and lessons are shown large – {key} ends it");
            self.say(Level::Info, what);
        }
    }

    /// Lets the user choose a theme, which is previewed at once.
    pub fn ask_theme(&mut self) {
        let names = self.looks.themes.names();
        let before = self.looks.name.clone();
        let at = names.iter().position(|name| *name == before).unwrap_or(0);
        let items = names.into_iter().map(|label| Item::new(label, ""));
        let mut chooser = Chooser::new("theme", items.collect(), at);
        chooser.least = 34;
        self.choose_while(chooser, move |app, chooser, choice| {
            let selected = chooser.selected().filter(|_| choice != Choice::Cancelled);
            let name = selected.map_or(&before, |item| &chooser.item(item).label);
            app.cx.set_theme(name);
            choice == Choice::Moved
        });
    }

    /// Reads and applies a theme; returns false, and keeps the old theme, if the new one cannot be read.
    pub fn set_theme(&mut self, name: &str) -> bool {
        // Without colours, only the monochrome theme is legible.
        let wanted = if self.looks.depth == Depth::None {
            ThemeStore::MONOCHROME
        } else {
            name
        };
        match self.looks.themes.load(wanted) {
            Ok(loaded) => {
                self.looks.theme = loaded.theme.at_depth(self.looks.depth);
                self.looks.name = wanted.to_owned();
                self.looks.files = loaded.files;
                for warning in loaded.warnings {
                    self.say(Level::Warning, warning);
                }
                self.effects.push(Effect::Watch);
                self.dirty = true;
                true
            }
            Err(error) => {
                self.say(Level::Error, format!("theme kept: {error}"));
                false
            }
        }
    }
}
