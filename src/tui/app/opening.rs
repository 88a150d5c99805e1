//! Opening files on a thread of their own: the screen waits for a small one, which is there at once, and for no other.

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
    /// To take the place of what is open.
    Open,
    /// It is open, and has changed.
    Reload,
}

impl App {
    /// How often a file that is being read is asked for.
    pub(super) const OPENING: Duration = Duration::from_millis(50);

    /// Opens a file; what is open stays open until it is read, and where it can't be read.
    pub fn open_path(&mut self, path: &Path) {
        self.read_aside(path.to_owned(), Purpose::Open);
    }

    /// The opened file changed: its place in the file and in the game is kept where it still exists, and the search
    /// goes on where the position is the same.
    pub fn reload(&mut self) {
        let Some(path) = self.document.path.clone() else {
            return;
        };
        if !self.is_own_writing(&path) {
            self.read_aside(path, Purpose::Reload);
        }
    }

    /// A file asked for later takes the place of one that is being read.
    fn read_aside(&mut self, path: PathBuf, purpose: Purpose) {
        /// Up to so many bytes a file is read before anybody notices.
        const SMALL: u64 = 1 << 20;
        /// On a busy machine, too; a file system that does not answer may not take longer.
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

    /// Takes a file that has been read meanwhile.
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
