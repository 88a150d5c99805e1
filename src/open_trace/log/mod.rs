//! The log: the bytes of one stream, as they came. They are read from any place, while more of them arrive.
//!
//! A recorded stream is read where it lies. A stream that is still coming is spooled: to files that have no name and therefore
//! vanish with the program, whatever ends it. A spool has a budget; beyond it the oldest part is forgotten, but nothing that a
//! reader has yet to read: whoever appends waits for the reader instead, and the program that sends the stream waits with it.

mod piece;
mod reader;

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use text::{bytes, files, save};

use piece::Piece;
pub use reader::LogReader;

/// What a reader wants of the program that sends the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// All events, as fast as they come.
    All,
    /// The events up to this one, of each thread. The program may be ahead of it.
    Until(u64),
    /// Nothing more for now: the program shall stand still where it is.
    Nothing,
}

/// How a stream ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct End {
    /// Why it ended before the program ended it; one line, safe to print.
    pub cut_short: Option<String>,
}

/// The bytes of one stream.
pub struct Log {
    store: Mutex<Store>,
    /// Signalled when bytes were appended, and when the stream has ended.
    more: Condvar,
    /// Signalled when bytes were read, or when nothing more is taken.
    room: Condvar,
    steering: Mutex<Steering>,
}

/// What the readers want, and who is told so.
struct Steering {
    want: Want,
    /// Whether all who read it pause.
    is_paused: bool,
    told: Option<Box<dyn Fn(Want) + Send>>,
}

impl Steering {
    fn wanted(&self) -> Want {
        match self.is_paused {
            true => Want::Nothing,
            false => self.want,
        }
    }
}

#[derive(Debug)]
struct Store {
    /// In order and without gaps.
    pieces: VecDeque<Arc<Piece>>,
    /// How many bytes came; the offset of the next one.
    end: u64,
    /// Where each reader is, by its number.
    readers: BTreeMap<u64, u64>,
    next_reader: u64,
    /// The offset up to which some reader has read.
    read: u64,
    ended: Option<End>,
    /// Whether bytes wait until more was read.
    is_full: bool,
    /// `None`: a recorded stream.
    spool: Option<Spool>,
}

/// Where a spool lies, and how large it may become.
#[derive(Debug)]
struct Spool {
    folder: PathBuf,
    budget: u64,
}

impl Spool {
    /// The bytes of a piece: the part that is forgotten at once.
    fn piece(&self) -> u64 {
        const PARTS: u64 = 16;
        (self.budget / PARTS).clamp(4 << 10, 64 << 20)
    }
}

impl Store {
    /// The offset of the first byte that is still there.
    fn start(&self) -> u64 {
        self.pieces.front().map_or(self.end, |piece| piece.start)
    }

    /// The offset of the first byte that is still needed: by a reader, or for one that has yet to come.
    fn needed(&self) -> u64 {
        let start = self.start();
        let here = self.readers.values().filter(|at| **at >= start);
        here.min().copied().unwrap_or(u64::MAX).min(self.read)
    }

    /// Makes room for some bytes in the last piece or a new one. Returns the piece and how many of them it takes, or `None` if
    /// the reader has to read first.
    fn make_room(&mut self, count: u64) -> io::Result<Option<(Arc<Piece>, u64)>> {
        let Some(spool) = &self.spool else {
            return Err(io::Error::other("a recorded stream takes no more bytes"));
        };
        let size = spool.piece();
        let open = self
            .pieces
            .back()
            .map(|piece| (piece, self.end - piece.start));
        if let Some((piece, length)) = open.filter(|(_, length)| *length < size) {
            return Ok(Some((Arc::clone(piece), count.min(size - length))));
        }
        let budget = spool.budget.max(2 * size);
        let needed = self.needed();
        while self.end - self.start() + size > budget {
            let second = self.pieces.get(1).map_or(self.end, |piece| piece.start);
            if second > needed {
                return Ok(None);
            }
            self.pieces.pop_front();
        }
        let piece = Arc::new(Piece::create(&spool.folder, self.end)?);
        self.pieces.push_back(Arc::clone(&piece));
        Ok(Some((piece, count.min(size))))
    }
}

impl Log {
    /// The budget of a spool unless another one is given, in bytes.
    pub const BUDGET: u64 = 4 << 30;

    /// Opens a recorded stream, without reading it.
    ///
    /// # Errors
    /// If it is not a regular file, or can't be opened.
    pub fn open(path: &Path) -> io::Result<Log> {
        let file = files::open(path)?;
        let end = file.metadata()?.len();
        let whole = Arc::new(Piece { start: 0, file });
        Ok(Log::of(Store {
            pieces: VecDeque::from([whole]),
            end,
            readers: BTreeMap::new(),
            next_reader: 0,
            read: 0,
            ended: Some(End::default()),
            is_full: false,
            spool: None,
        }))
    }

    /// Begins a spool in a folder, of at most `budget` bytes.
    ///
    /// # Errors
    /// If no file can be created there.
    pub fn spool(folder: &Path, budget: u64) -> io::Result<Log> {
        let first = Arc::new(Piece::create(folder, 0)?);
        Ok(Log::of(Store {
            pieces: VecDeque::from([first]),
            end: 0,
            readers: BTreeMap::new(),
            next_reader: 0,
            read: 0,
            ended: None,
            is_full: false,
            spool: Some(Spool {
                folder: folder.to_owned(),
                budget,
            }),
        }))
    }

    fn of(store: Store) -> Log {
        Log {
            store: Mutex::new(store),
            more: Condvar::new(),
            room: Condvar::new(),
            steering: Mutex::new(Steering {
                want: Want::All,
                is_paused: false,
                told: None,
            }),
        }
    }

    fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes more bytes of the stream. Waits while the spool is full of bytes that were not read yet. Returns false if the stream
    /// has ended: nothing more is taken.
    ///
    /// # Errors
    /// If they can't be written. What was taken before is still there.
    pub fn append(&self, mut bytes: &[u8]) -> io::Result<bool> {
        let mut store = self.store();
        while !bytes.is_empty() {
            if store.ended.is_some() {
                return Ok(false);
            }
            let room = store.make_room(bytes.len() as u64)?;
            store.is_full = room.is_none();
            let Some((piece, count)) = room else {
                store = self
                    .room
                    .wait(store)
                    .unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let (now, rest) = bytes.split_at(count as usize);
            piece.write(store.end, now)?;
            store.end += count;
            bytes = rest;
            self.more.notify_all();
        }
        Ok(store.ended.is_none())
    }

    /// Ends the stream: readers come to its end, and nothing more is taken. The first end holds.
    pub fn finish(&self, end: End) {
        self.store().ended.get_or_insert(end);
        self.more.notify_all();
        self.room.notify_all();
    }

    /// Returns how the stream ended, once it has.
    pub fn ended(&self) -> Option<End> {
        self.store().ended.clone()
    }

    /// Returns how many bytes have come.
    pub fn len(&self) -> u64 {
        self.store().end
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the offset of the first byte that was not forgotten.
    pub fn starts_at(&self) -> u64 {
        self.store().start()
    }

    /// Whether whoever appends has to wait until more was read.
    pub fn is_full(&self) -> bool {
        let store = self.store();
        store.is_full && store.ended.is_none()
    }

    /// Reads from an offset on. Where nothing has come yet, a read waits for as long as it has patience.
    pub fn reader_from(&self, offset: u64, patience: Duration) -> LogReader<&Log> {
        LogReader::new(self, offset, patience)
    }

    /// The same, for a reader that keeps the log.
    pub fn shared_reader_from(
        self: &Arc<Self>,
        offset: u64,
        patience: Duration,
    ) -> LogReader<Arc<Log>> {
        LogReader::new(Arc::clone(self), offset, patience)
    }

    /// Says what is wanted of the program that sends the stream. It is told without waiting.
    pub fn want(&self, want: Want) {
        self.steer_to(|steering| steering.want = want);
    }

    /// Lets the program stand still whatever is wanted of it, or lets it have what is wanted again.
    pub fn pause(&self, paused: bool) {
        self.steer_to(|steering| steering.is_paused = paused);
    }

    /// Tells the program of a change, if it is one for it.
    fn steer_to(&self, change: impl FnOnce(&mut Steering)) {
        let mut steering = self.steering();
        let before = steering.wanted();
        change(&mut steering);
        let wanted = steering.wanted();
        if wanted != before
            && let Some(told) = &steering.told
        {
            told(wanted);
        }
    }

    /// Sets who is told what is wanted of the program: at once, and whenever it changes. It must not wait, nor use the log.
    pub fn steer(&self, told: impl Fn(Want) + Send + 'static) {
        let mut steering = self.steering();
        told(steering.wanted());
        steering.told = Some(Box::new(told));
    }

    fn steering(&self) -> MutexGuard<'_, Steering> {
        self.steering.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes what has come so far to a file, whole or not at all.
    ///
    /// # Errors
    /// If its beginning is forgotten, or something can't be read or written.
    pub fn save_as(&self, path: &Path) -> io::Result<()> {
        let (start, end) = {
            let store = self.store();
            (store.start(), store.end)
        };
        if start > 0 {
            return Err(io::Error::other(format!(
                "the first {} of the stream are forgotten, expected all of it: a larger --trace-log keeps more",
                bytes(start)
            )));
        }
        let all = self.reader_from(0, Duration::ZERO);
        let mut all = all.for_a_copy().take(end);
        save::save(path, |out| io::copy(&mut all, out).map(drop))
    }
}

impl std::fmt::Debug for Log {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Log")
            .field("store", &self.store)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
