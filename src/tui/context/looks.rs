//! The theme and the glyphs to draw with.

use std::path::PathBuf;

use super::{Context, Effect, Level};
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
