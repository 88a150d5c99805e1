//! The bytes of the games: in a file, which is read again when needed, or in memory.

use std::{
    fs::File,
    io::{self, Read, Seek as _, SeekFrom, Write},
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

use crate::load::{LoadError, unreadable};
use text::files;

/// The bytes of a file of games.
#[derive(Clone, Debug)]
pub(super) enum Source {
    Bytes(Arc<Vec<u8>>),
    File {
        path: PathBuf,
        /// What identifies the file as it was when opened.
        stamp: Stamp,
    },
}

/// What identifies an unchanged file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    fn of(file: &File) -> io::Result<Stamp> {
        let metadata = file.metadata()?;
        Ok(Stamp {
            length: metadata.len(),
            modified: metadata.modified().ok(),
        })
    }
}

impl Source {
    /// Opens a file that supports random access. Pipes and terminals do not, and have to be read into memory.
    pub(super) fn file(path: &Path) -> io::Result<Source> {
        Ok(Source::File {
            path: path.to_owned(),
            stamp: Stamp::of(&files::open(path)?)?,
        })
    }

    /// Returns the total number of bytes.
    pub(super) fn length(&self) -> u64 {
        match self {
            Source::Bytes(bytes) => bytes.len() as u64,
            Source::File { stamp, .. } => stamp.length,
        }
    }

    /// Returns a reader of the bytes from `start` on.
    pub(super) fn reader(&self, start: u64) -> io::Result<Box<dyn Read + Send>> {
        Ok(match self {
            Source::Bytes(bytes) => Box::new(Memory {
                bytes: Arc::clone(bytes),
                at: usize::try_from(start).unwrap_or(usize::MAX),
            }),
            Source::File { path, .. } => {
                let mut file = files::open(path)?;
                self.check(&file)?;
                file.seek(SeekFrom::Start(start))?;
                Box::new(file)
            }
        })
    }

    /// Copies a range to `out`.
    ///
    /// # Errors
    /// If it cannot be read or written, or the file is no longer the one that was opened.
    pub(super) fn copy(&self, range: Range<u64>, out: &mut dyn Write) -> io::Result<()> {
        let length = range.end.saturating_sub(range.start);
        let mut part = self.reader(range.start)?.take(length);
        if io::copy(&mut part, out)? < length {
            return Err(changed());
        }
        self.unchanged()
    }

    /// Reads a range.
    ///
    /// # Errors
    /// See [`Source::copy`].
    pub(super) fn read(&self, range: Range<u64>) -> Result<Vec<u8>, LoadError> {
        let mut bytes = Vec::new();
        match self.copy(range, &mut bytes) {
            Ok(()) => Ok(bytes),
            Err(error) => Err(self.error(&error)),
        }
    }

    /// Converts an I/O error to one with a message.
    pub(super) fn error(&self, error: &io::Error) -> LoadError {
        if error.kind() == io::ErrorKind::StaleNetworkFileHandle {
            return LoadError::message("the file has changed on disk and is being read again");
        }
        unreadable(error)
    }

    /// # Errors
    /// If the file is no longer the one that was opened.
    pub(super) fn unchanged(&self) -> io::Result<()> {
        match self {
            Source::Bytes(_) => Ok(()),
            Source::File { path, .. } => self.check(&files::open(path)?),
        }
    }

    fn check(&self, file: &File) -> io::Result<()> {
        match self {
            Source::File { stamp, .. } if *stamp != Stamp::of(file)? => Err(changed()),
            _ => Ok(()),
        }
    }
}

fn changed() -> io::Error {
    io::Error::new(io::ErrorKind::StaleNetworkFileHandle, "changed on disk")
}

struct Memory {
    bytes: Arc<Vec<u8>>,
    at: usize,
}

impl Read for Memory {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.at += count;
        Ok(count)
    }
}

/// How the lines of a file end, if not with a line feed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LineEnds {
    /// HTML line breaks.
    html: bool,
    /// Carriage returns alone, as on old Macintoshes.
    returns: bool,
}

impl LineEnds {
    const BREAK: &[u8] = b"<br />";
    /// The number of bytes of a line break that may come before the end of a block.
    pub(super) const SPLIT: usize = Self::BREAK.len() - 1;

    /// Determined from the beginning of the file, so that a large one need not be searched.
    pub(super) fn of(beginning: &[u8]) -> LineEnds {
        const ENOUGH: usize = 64 * 1024;
        let first = &beginning[..beginning.len().min(ENOUGH)];
        let html = memchr::memmem::find(first, Self::BREAK).is_some();
        let has = |byte| memchr::memchr(byte, beginning).is_some();
        LineEnds {
            html,
            returns: !html && has(b'\r') && !has(b'\n'),
        }
    }

    /// Converts them to line feeds. No byte changes its place.
    pub(super) fn plain(self, bytes: &mut [u8]) {
        if self.html {
            let mut from = 0;
            while let Some(found) = memchr::memmem::find(&bytes[from..], Self::BREAK) {
                let at = from + found;
                from = at + Self::BREAK.len();
                bytes[at..from].fill(b' ');
                bytes[from - 1] = b'\n';
            }
        }
        if self.returns {
            for byte in bytes.iter_mut().filter(|b| **b == b'\r') {
                *byte = b'\n';
            }
        }
    }

    /// Returns the line end to use for lines that are added to the file.
    pub(super) fn written(self) -> &'static str {
        if self.returns { "\r" } else { "\n" }
    }
}
