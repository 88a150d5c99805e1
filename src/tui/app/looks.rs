//! The theme and the glyphs to draw with.

use std::path::PathBuf;

use super::{App, Effect, Level};
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

impl App {
    /// Reads and applies a theme; returns false, and keeps the old theme, if the new one cannot be read.
    pub fn set_theme(&mut self, name: &str) -> bool {
        // Without colours, only the monochrome theme is legible.
        let wanted = if self.cx.looks.depth == Depth::None {
            ThemeStore::MONOCHROME
        } else {
            name
        };
        match self.cx.looks.themes.load(wanted) {
            Ok(loaded) => {
                self.cx.looks.theme = loaded.theme.at_depth(self.cx.looks.depth);
                self.cx.looks.name = wanted.to_owned();
                self.cx.looks.files = loaded.files;
                for warning in loaded.warnings {
                    self.say(Level::Warning, warning);
                }
                self.cx.effects.push(Effect::Watch);
                self.cx.dirty = true;
                true
            }
            Err(error) => {
                self.say(Level::Error, format!("theme kept: {error}"));
                false
            }
        }
    }
}
