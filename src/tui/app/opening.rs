//! Files are opened on a separate thread. The screen waits briefly for a small file, which is there at once, and not
//! for a large one.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, TryRecvError, bounded};

use super::{App, Level};
use crate::saving::is_saved_session;
use game::load::Document;
use session::saved::{self, Progress, SavedSearch};

/// A file that is being read.
#[derive(Debug)]
pub(super) struct Opening {
    path: PathBuf,
    purpose: Purpose,
    answer: Receiver<Result<Opened, String>>,
    /// How far a saved session has been read.
    progress: Arc<Progress>,
}

/// What was in a file.
#[derive(Debug)]
enum Opened {
    Document(Document),
    /// A saved session: what the workbench kept of itself, and its searches.
    Session(serde_json::Value, Vec<SavedSearch>),
}

impl Opened {
    /// Reads a file.
    fn read(path: &Path, progress: &Progress) -> Result<Opened, String> {
        if !is_saved_session(path) {
            return Ok(Opened::Document(Document::open_file(path)?));
        }
        let read = saved::read(path, progress);
        let (view, searches) = read.map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(Opened::Session(view, searches))
    }
}

/// What a file is read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// To replace the open document.
    Open,
    /// To update the open document, whose file has changed.
    Reload,
}

impl App {
    /// How often to check whether a file has been read.
    pub(super) const OPENING: Duration = Duration::from_millis(50);

    /// Opens a file; the open document stays until the new one is read, and also if it cannot be read.
    pub fn open_path(&mut self, path: &Path) {
        self.read_aside(path.to_owned(), Purpose::Open);
    }

    /// Reads the opened file again after it changed. The place in the file and in the game is kept where it still
    /// exists, and the search continues if the position is the same.
    pub fn reload(&mut self) {
        let Some(path) = self.document.path.clone() else {
            return;
        };
        if !self.is_own_writing(&path) {
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
            self.say(Level::Error, format!("{}: no thread: {e}", path.display()));
            return;
        }
        let is_large = std::fs::metadata(&path).is_ok_and(|m| m.len() > SMALL);
        let patience = if is_large { Self::OPENING } else { AT_ONCE };
        self.opening = None;
        match answer.recv_timeout(patience) {
            Ok(read) => self.take_read(&path, read, purpose),
            Err(RecvTimeoutError::Disconnected) => {
                self.take_read(&path, Err(broke_off(&path)), purpose);
            }
            Err(RecvTimeoutError::Timeout) => {
                self.say(Level::Info, format!("{} is being read …", path.display()));
                self.opening = Some(Opening {
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
        let Some(opening) = &self.opening else {
            return;
        };
        let read = match opening.answer.try_recv() {
            Err(TryRecvError::Empty) => {
                self.dirty |= opening.progress.share() > 0.0;
                return;
            }
            Err(TryRecvError::Disconnected) => Err(broke_off(&opening.path)),
            Ok(read) => read,
        };
        let (purpose, path) = (opening.purpose, opening.path.clone());
        self.opening = None;
        self.dirty = true;
        self.take_read(&path, read, purpose);
    }

    /// Returns how far a saved session has been read, from 0 to 1.
    pub(crate) fn opened_share(&self) -> Option<f64> {
        let opening = self.opening.as_ref()?;
        Some(opening.progress.share()).filter(|share| *share > 0.0)
    }

    fn take_read(&mut self, path: &Path, read: Result<Opened, String>, purpose: Purpose) {
        match (read, purpose) {
            (Ok(Opened::Session(view, searches)), _) => {
                self.opening = None;
                self.leave_text();
                self.leave_for_another();
                self.take_session(path, view, searches);
            }
            (Ok(Opened::Document(document)), Purpose::Open) => self.open_document(document),
            (Ok(Opened::Document(document)), Purpose::Reload) => self.take_reloaded(document),
            (Err(what), Purpose::Open) => self.say(Level::Error, what),
            (Err(what), Purpose::Reload) => {
                self.say(Level::Error, format!("{what} (the old is kept)"))
            }
        }
    }
}

fn broke_off(path: &Path) -> String {
    format!(
        "{}: reading it broke off by a mistake of the program",
        path.display()
    )
}
