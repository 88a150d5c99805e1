//! The theme and the signs to draw with.

use std::path::PathBuf;

use super::{App, Effect, Level};
use crate::tui::glyphs::Glyphs;
use crate::tui::theme::{Depth, Theme, ThemeStore};

/// How the screen looks.
#[derive(Debug)]
pub struct Looks {
    pub themes: ThemeStore,
    /// The colours that the terminal has.
    pub depth: Depth,
    /// The theme's name.
    pub name: String,
    pub theme: Theme,
    /// Files the theme was made of.
    pub files: Vec<PathBuf>,
    pub glyphs: &'static Glyphs,
}

impl App {
    /// Reads and takes a theme; the old one stays where the new one can't be read. False then.
    pub fn set_theme(&mut self, name: &str) -> bool {
        // Without colours only the theme that needs none can be read.
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
