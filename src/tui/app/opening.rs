//! Files are opened on a separate thread. The screen waits briefly for a small file, which is there at once, and not
//! for a large one.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, TryRecvError, bounded};

use super::{App, Level};
use crate::tui::document::Document;

/// A file that is being read.
#[derive(Debug)]
pub(super) struct Opening {
    path: PathBuf,
    purpose: Purpose,
    answer: Receiver<Result<Document, String>>,
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
        let read = {
            let path = path.clone();
            move || drop(sender.send(Document::open_file(&path)))
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
            Ok(read) => self.take_read(read, purpose),
            Err(RecvTimeoutError::Disconnected) => self.take_read(Err(broke_off(&path)), purpose),
            Err(RecvTimeoutError::Timeout) => {
                self.say(Level::Info, format!("{} is being read …", path.display()));
                self.opening = Some(Opening {
                    path,
                    purpose,
                    answer,
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
            Err(TryRecvError::Empty) => return,
            Err(TryRecvError::Disconnected) => Err(broke_off(&opening.path)),
            Ok(read) => read,
        };
        let purpose = opening.purpose;
        self.opening = None;
        self.dirty = true;
        self.take_read(read, purpose);
    }

    fn take_read(&mut self, read: Result<Document, String>, purpose: Purpose) {
        match (read, purpose) {
            (Ok(document), Purpose::Open) => self.open_document(document),
            (Ok(document), Purpose::Reload) => self.take_reloaded(document),
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
