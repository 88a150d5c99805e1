//! Files are opened on a separate thread. The screen waits briefly for a small file, which is there at once, and not
//! for a large one.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, TryRecvError, bounded};

use super::App;
use crate::context::place::home_expanded;
use crate::context::{Level, Opened, Opening, Purpose};
use crate::overlays::prompt::Prompt;
use session::saved::Progress;

impl App {
    /// How often to check whether a file has been read.
    pub(super) const OPENING: Duration = Duration::from_millis(50);

    /// Opens a file; the open document stays until the new one is read, and also if it cannot be read.
    pub fn open_path(&mut self, path: &Path) {
        self.read_aside(path.to_owned(), Purpose::Open);
    }

    pub fn ask_file(&mut self) {
        let prompt = Prompt::new("open", "a .pgn, .fen, .epd or .tree file");
        self.cx.ask(prompt, |app, text| {
            if !text.trim().is_empty() {
                app.open_path(&home_expanded(text.trim()));
            }
            Ok(())
        });
    }

    /// Reads the opened file again after it changed. The place in the file and in the game is kept where it still
    /// exists, and the search continues if the position is the same.
    pub fn reload(&mut self) {
        let path = self.cx.document.path.as_ref();
        if path.is_some_and(|path| !self.tabs.game.is_own_writing(path)) {
            self.read_again();
        }
    }

    /// Reads the opened file again, whoever changed it.
    pub(super) fn read_again(&mut self) {
        if let Some(path) = self.cx.document.path.clone() {
            self.read_aside(path, Purpose::Reload);
        }
    }

    /// Reads a file on its own thread; it replaces one that is still being read.
    fn read_aside(&mut self, path: PathBuf, purpose: Purpose) {
        /// A file of up to this many bytes is read before a user would notice.
        const SMALL: u64 = 1 << 20;
        /// Long enough for a busy machine; a file system that does not answer must not block the screen for longer.
        const AT_ONCE: Duration = Duration::from_secs(1);
        let (sender, answer) = bounded(1);
        let progress = Arc::new(Progress::default());
        let read = {
            let (path, progress) = (path.clone(), Arc::clone(&progress));
            move || drop(sender.send(Opened::read(&path, &progress)))
        };
        if let Err(e) = std::thread::Builder::new()
            .name("reader".into())
            .spawn(read)
        {
            self.cx
                .say(Level::Error, format!("{}: no thread: {e}", path.display()));
            return;
        }
        let is_large = std::fs::metadata(&path).is_ok_and(|m| m.len() > SMALL);
        let patience = if is_large { Self::OPENING } else { AT_ONCE };
        self.cx.opening = None;
        match answer.recv_timeout(patience) {
            Ok(read) => self.take_read(&path, read, purpose),
            Err(RecvTimeoutError::Disconnected) => {
                self.take_read(&path, Err(broke_off(&path)), purpose);
            }
            Err(RecvTimeoutError::Timeout) => {
                self.cx
                    .say(Level::Info, format!("{} is being read …", path.display()));
                self.cx.opening = Some(Opening {
                    path,
                    purpose,
                    answer,
                    progress,
                });
            }
        }
    }

    /// Takes a file that has been read in the meantime.
    pub(super) fn look_for_opened(&mut self) {
        let Some(opening) = &self.cx.opening else {
            return;
        };
        let read = match opening.answer.try_recv() {
            Err(TryRecvError::Empty) => {
                self.cx.dirty |= opening.progress.share() > 0.0;
                return;
            }
            Err(TryRecvError::Disconnected) => Err(broke_off(&opening.path)),
            Ok(read) => read,
        };
        let (purpose, path) = (opening.purpose, opening.path.clone());
        self.cx.opening = None;
        self.cx.dirty = true;
        self.take_read(&path, read, purpose);
    }

    fn take_read(&mut self, path: &Path, read: Result<Opened, String>, purpose: Purpose) {
        match (read, purpose) {
            (Ok(Opened::Session(view, searches)), _) => {
                self.cx.opening = None;
                self.cx.leave_text();
                self.cx.leave_for_another();
                self.take_session(path, view, searches);
            }
            (Ok(Opened::Document(document)), Purpose::Open) => {
                self.tabs.game.open_document(&mut self.cx, document)
            }
            (Ok(Opened::Document(document)), Purpose::Reload) => {
                self.tabs.game.take_reloaded(&mut self.cx, document)
            }
            (Err(what), Purpose::Open) => self.cx.say(Level::Error, what),
            (Err(what), Purpose::Reload) => self
                .cx
                .say(Level::Error, format!("{what} (the old is kept)")),
        }
    }
}

fn broke_off(path: &Path) -> String {
    format!(
        "{}: reading it broke off by a mistake of the program",
        path.display()
    )
}
