//! Writes what a tab shows to a file, in the formats that the tab offers.

use std::path::{Path, PathBuf};

use crossbeam_channel::{Receiver, TryRecvError, bounded};
use ratatui::buffer::Buffer;

use super::overlays::chooser::{Chooser, Item};
use super::overlays::prompt::Prompt;
use super::views;
use crate::app::App;
use crate::context::place::home_expanded;
use crate::context::{Context, Level};
use screen::picture;
use text::sanitise;
use text::save::save;

/// The text of a file.
pub enum Work {
    Done(String),
    /// It is made on another thread, because it takes long.
    Later(Box<dyn FnOnce() -> Result<String, String> + Send>),
}

/// One thing that can be written.
#[derive(Clone, Copy, Debug)]
pub struct Offer {
    pub label: &'static str,
    pub detail: &'static str,
    /// The ending of the file's name.
    pub extension: &'static str,
    /// Makes the text of the file, or says why there is none.
    pub make: fn(&App) -> Result<Work, String>,
}

/// A file that is being made.
#[derive(Debug)]
pub struct Exporting {
    name: String,
    done: Receiver<Result<usize, String>>,
}

/// The whole screen, whatever it shows.
const SCREEN: Offer = Offer {
    label: "screen",
    detail: "a picture of what is on the screen now, as SVG",
    extension: "svg",
    make: |app| Ok(Work::Done(app.picture())),
};

impl Context {
    /// Asks for the file.
    fn ask_offer_path(&mut self, offer: Offer) {
        let opened = self.document.path.clone();
        let from = opened
            .unwrap_or_else(|| PathBuf::from(self.document.file_name().replace(['/', ' '], "-")));
        let stem = from.file_stem().map(|s| s.to_string_lossy().into_owned());
        let name = format!(
            "{}-{}",
            stem.unwrap_or_default(),
            offer.label.replace(' ', "-")
        );
        let path = from.with_file_name(name).with_extension(offer.extension);
        let prompt = Prompt::new("write to", offer.detail).with_text(&path.to_string_lossy());
        self.ask(prompt, move |app, text| {
            app.typed_offer_path(offer, text.trim())
        });
    }

    /// Makes and writes a file on another thread.
    fn write_later(
        &mut self,
        name: String,
        path: PathBuf,
        make: Box<dyn FnOnce() -> Result<String, String> + Send>,
    ) {
        let (sender, done) = bounded(1);
        let work = move || {
            let _ = sender.send(make().and_then(|text| write(&path, &text)));
        };
        // Without a thread the sender is gone, which is reported.
        drop(
            std::thread::Builder::new()
                .name("exporter".into())
                .spawn(work),
        );
        self.say(Level::Info, format!("{name} is being written …"));
        self.exporting = Some(Exporting { name, done });
    }

    /// Looks whether a file has been made in the meantime.
    pub(super) fn tend_exporting(&mut self) {
        let Some(exporting) = self.exporting.take() else {
            return;
        };
        let written = match exporting.done.try_recv() {
            Err(TryRecvError::Empty) => {
                self.exporting = Some(exporting);
                return;
            }
            Err(TryRecvError::Disconnected) => Err("broke off by a mistake of the program".into()),
            Ok(written) => written,
        };
        self.told_of_export(&exporting.name, written);
    }

    fn told_of_export(&mut self, name: &str, written: Result<usize, String>) {
        match written {
            Ok(bytes) => {
                let size = text::bytes(bytes as u64);
                self.say(Level::Info, format!("{name}: written, {size}"));
            }
            Err(why) => self.say(Level::Error, format!("{name}: not written: {why}")),
        }
    }

    /// Whether a file is being made.
    pub(super) fn is_exporting(&self) -> bool {
        self.exporting.is_some()
    }
}

impl App {
    /// Offers what can be written of the tab.
    pub fn ask_offer(&mut self) {
        let mut offers = self.tab().exports(&self.cx);
        offers.push(SCREEN);
        let item = |offer: &Offer| Item::new(offer.label, offer.detail);
        let chooser = Chooser::new("export", offers.iter().map(item).collect(), 0);
        self.cx.choose(chooser, move |app, taken| {
            app.cx.ask_offer_path(offers[taken]);
        });
    }

    /// Takes the typed path, or returns what is wrong with it.
    fn typed_offer_path(&mut self, offer: Offer, text: &str) -> Result<(), String> {
        if text.is_empty() {
            return Err("expected the name of a file".to_owned());
        }
        let path = home_expanded(text);
        if path.is_dir() {
            return Err(format!("{text} is a folder, expected a file"));
        }
        if !path.exists() {
            self.write_offer(offer, &path);
            return Ok(());
        }
        let items = vec![
            Item::new(
                format!("replace {}", sanitise(text)),
                "what is in it is lost",
            ),
            Item::new("another name", ""),
        ];
        let chooser = Chooser::new("the file exists", items, 1);
        self.cx.choose(chooser, move |app, answer| match answer {
            0 => app.write_offer(offer, &path),
            _ => app.cx.ask_offer_path(offer),
        });
        Ok(())
    }

    fn write_offer(&mut self, offer: Offer, path: &Path) {
        let name = sanitise(&path.display().to_string());
        // What asked for the file is not part of the screen, and a file can have more colours than the terminal.
        let asking = self.cx.overlay.take();
        let full = self.cx.looks.themes.load(&self.cx.looks.name);
        let theme = full.map(|loaded| std::mem::replace(&mut self.cx.looks.theme, loaded.theme));
        let made = (offer.make)(self);
        if let Ok(theme) = theme {
            self.cx.looks.theme = theme;
        }
        self.cx.overlay = asking;
        let written = match made {
            Ok(Work::Done(text)) => write(path, &text),
            Ok(Work::Later(make)) => return self.cx.write_later(name, path.to_owned(), make),
            Err(why) => Err(why),
        };
        self.cx.told_of_export(&name, written);
    }

    /// Returns the screen as SVG, in the theme's own colours.
    fn picture(&self) -> String {
        let mut screen = Buffer::empty(self.cx.area);
        views::draw(self, &mut screen);
        picture::svg(&screen)
    }
}

/// Writes a text to a file, and returns its length.
fn write(path: &Path, text: &str) -> Result<usize, String> {
    let written = save(path, |out| out.write_all(text.as_bytes()));
    written.map(|()| text.len()).map_err(|e| e.to_string())
}
