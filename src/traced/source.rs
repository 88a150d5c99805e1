//! Where the bytes of a stream come from: a file, memory, or a program that is still sending.

use std::fmt;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use open_trace::Names;
use open_trace::log::{Log, Want};
use text::save;

/// Where the bytes of a stream come from. They can be read from any place, and several times at once.
pub trait Source: fmt::Debug + Send + Sync {
    /// Reads from an offset on. Where the program may still tell more, a read waits for some milliseconds and then fails with
    /// [`io::ErrorKind::WouldBlock`].
    ///
    /// # Errors
    /// If it cannot be read.
    fn open(&self, offset: u64) -> io::Result<Box<dyn Read + Send>>;

    /// Whether its beginning is still kept.
    fn is_whole(&self) -> bool {
        true
    }

    /// Whether it is in a file.
    fn is_in_a_file(&self) -> bool;

    /// Writes to a file what has come so far, unless it is in one. Returns that file.
    ///
    /// # Errors
    /// If it can't be written, or its beginning is no longer kept.
    fn save(&self, wanted: &Path) -> io::Result<PathBuf>;

    /// The names of moves that are known before anything is read: their order is that of their numbers.
    fn names(&self) -> Arc<Names> {
        Arc::default()
    }

    /// Gives a live program leave to go on up to an event, or for as long as it likes.
    fn allow(&self, _until: Option<u64>) {}

    /// Lets a live program stand still, or go on as far as it is allowed to.
    fn pause(&self, _paused: bool) {}

    /// Whether the program has said elsewhere that its search is over. The stream goes on if it waits for the next one.
    fn is_over(&self) -> bool {
        false
    }
}

/// A recorded file.
#[derive(Debug)]
pub struct InFile {
    path: PathBuf,
    names: Arc<Names>,
}

impl InFile {
    pub fn new(path: &Path) -> InFile {
        InFile::with_names(path, Arc::default())
    }

    /// A file of which some names are known, in the order of their numbers.
    pub fn with_names(path: &Path, names: Arc<Names>) -> InFile {
        InFile {
            path: path.to_owned(),
            names,
        }
    }
}

impl Source for InFile {
    fn open(&self, offset: u64) -> io::Result<Box<dyn Read + Send>> {
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(offset))?;
        Ok(Box::new(file))
    }

    fn is_in_a_file(&self) -> bool {
        true
    }

    fn save(&self, _wanted: &Path) -> io::Result<PathBuf> {
        Ok(self.path.clone())
    }

    fn names(&self) -> Arc<Names> {
        Arc::clone(&self.names)
    }
}

/// A stream in memory.
#[derive(Debug)]
pub struct InMemory {
    bytes: Arc<[u8]>,
    saved: SavedAs,
}

impl InMemory {
    pub fn new(bytes: impl Into<Arc<[u8]>>) -> InMemory {
        InMemory {
            bytes: bytes.into(),
            saved: SavedAs::default(),
        }
    }
}

impl Source for InMemory {
    fn open(&self, offset: u64) -> io::Result<Box<dyn Read + Send>> {
        let mut bytes = Cursor::new(Arc::clone(&self.bytes));
        bytes.set_position(offset);
        Ok(Box::new(bytes))
    }

    fn is_in_a_file(&self) -> bool {
        self.saved.has(self.bytes.len() as u64)
    }

    fn save(&self, wanted: &Path) -> io::Result<PathBuf> {
        let length = self.bytes.len() as u64;
        let write = |path: &Path| save::save(path, |out| out.write_all(&self.bytes));
        self.saved.save(length, wanted, write)
    }
}

/// A stream that a program is sending.
pub struct Spooled {
    log: Arc<Log>,
    /// Whether the program has said elsewhere that its search is over.
    is_over: Box<dyn Fn() -> bool + Send + Sync>,
    saved: SavedAs,
}

impl Spooled {
    /// A stream that says itself when the search is over.
    pub fn new(log: Arc<Log>) -> Spooled {
        Spooled::until(log, || false)
    }

    /// The stream of a program that also says elsewhere when its search is over, as an engine does by its best move.
    pub fn until(log: Arc<Log>, is_over: impl Fn() -> bool + Send + Sync + 'static) -> Spooled {
        Spooled {
            log,
            is_over: Box::new(is_over),
            saved: SavedAs::default(),
        }
    }
}

impl fmt::Debug for Spooled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Spooled");
        shown.field("log", &self.log).finish_non_exhaustive()
    }
}

impl Source for Spooled {
    fn open(&self, offset: u64) -> io::Result<Box<dyn Read + Send>> {
        /// How long a reader waits before it looks whether it shall stop.
        const PATIENCE: Duration = Duration::from_millis(20);
        Ok(Box::new(
            Arc::clone(&self.log).shared_reader_from(offset, PATIENCE),
        ))
    }

    fn allow(&self, until: Option<u64>) {
        self.log.want(until.map_or(Want::All, Want::Until));
    }

    fn pause(&self, paused: bool) {
        self.log.pause(paused);
    }

    fn is_whole(&self) -> bool {
        self.log.starts_at() == 0
    }

    fn is_in_a_file(&self) -> bool {
        false
    }

    fn save(&self, wanted: &Path) -> io::Result<PathBuf> {
        let write = |path: &Path| self.log.save_as(path);
        self.saved.save(self.log.len(), wanted, write)
    }

    fn is_over(&self) -> bool {
        (self.is_over)()
    }
}

/// The file in which a stream was saved, and how much of it.
#[derive(Debug, Default)]
struct SavedAs(Mutex<Option<(PathBuf, u64)>>);

impl SavedAs {
    /// Whether this much of the stream is still in its file.
    fn has(&self, length: u64) -> bool {
        let saved = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let saved = saved.as_ref();
        saved.is_some_and(|(path, then)| *then == length && path.is_file())
    }

    /// Writes the stream, unless as much of it is there already: to the file in which it was saved before, or the one wanted.
    fn save(
        &self,
        length: u64,
        wanted: &Path,
        write: impl FnOnce(&Path) -> io::Result<()>,
    ) -> io::Result<PathBuf> {
        let is_there = self.has(length);
        let mut saved = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let path = saved.as_ref().map_or(wanted, |(path, _)| path).to_owned();
        if !is_there {
            write(&path)?;
        }
        *saved = Some((path.clone(), length));
        Ok(path)
    }
}
