//! A file that is being read on a thread of its own.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossbeam_channel::Receiver;
use games::Document;

use super::Context;
use session::saved::{self, Kept, Progress};

/// A file that is being read.
#[derive(Debug)]
pub(crate) struct Opening {
    pub(crate) path: PathBuf,
    pub(crate) purpose: Purpose,
    pub(crate) answer: Receiver<Result<Opened, String>>,
    /// How far a saved session has been read.
    pub(crate) progress: Arc<Progress>,
}

/// What was in a file.
#[derive(Debug)]
pub(crate) enum Opened {
    Document(Document),
    /// The open document once more, with the entry in place of the one that was shown.
    Again(Document, usize),
    /// A saved session.
    Session(Kept),
}

impl Opened {
    /// Reads a file.
    pub(crate) fn read(path: &Path, progress: &Progress) -> Result<Opened, String> {
        if !saved::is_saved(path) {
            return Ok(Opened::Document(Document::open_file(path)?));
        }
        let read = saved::read(path, progress);
        let kept = read.map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(Opened::Session(kept))
    }
}

/// An entry of a document, to be found again in a new state of its file.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub(crate) entry: usize,
    pub(crate) title: String,
}

impl Shown {
    /// Waits until the entry of the same title is found, or the whole file is read. Where there is none, it is the entry of the same
    /// number, or the last.
    pub(crate) fn find_in(&self, document: &Document) -> usize {
        let is_same = |i: &usize| document.title(*i) == self.title;
        if document.wait_for(self.entry) && is_same(&self.entry) {
            return self.entry;
        }
        document.wait_for(usize::MAX);
        let found = (0..document.len()).find(is_same);
        found.unwrap_or_else(|| self.entry.min(document.len().saturating_sub(1)))
    }
}

/// What a file is read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To replace the open document.
    Open,
    /// To update the open document, whose file has changed.
    Reload,
}

impl Context {
    /// Returns how far a saved session has been read, from 0 to 1.
    pub(crate) fn opened_share(&self) -> Option<f64> {
        let opening = self.opening.as_ref()?;
        Some(opening.progress.share()).filter(|share| *share > 0.0)
    }
}
