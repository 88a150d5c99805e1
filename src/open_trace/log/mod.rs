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
    told: Option<Box<dyn Fn(Want) + Send>>,
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
        let mut steering = self.steering();
        if std::mem::replace(&mut steering.want, want) != want
            && let Some(told) = &steering.told
        {
            told(want);
        }
    }

    /// Sets who is told what is wanted of the program: at once, and whenever it changes. It must not wait, nor use the log.
    pub fn steer(&self, told: impl Fn(Want) + Send + 'static) {
        let mut steering = self.steering();
        told(steering.want);
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
mod tests {
    use super::*;
    use std::time::Instant;

    /// Longer than any test takes.
    const PATIENCE: Duration = Duration::from_secs(60);

    /// A folder that only this test uses, removed at its end; it must be empty then.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let name = format!("plyscope-log-{name}-{}", std::process::id());
            Folder(std::env::temp_dir().join(name))
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    fn spool(folder: &Folder, budget: u64) -> Arc<Log> {
        Arc::new(Log::spool(&folder.0, budget).expect("a spool"))
    }

    /// The byte at an offset of the streams here.
    fn byte(at: u64) -> u8 {
        (at % 251) as u8
    }

    fn stretch(from: u64, count: u64) -> Vec<u8> {
        (from..from + count).map(byte).collect()
    }

    #[test]
    fn a_reader_waits_for_what_comes_and_ends_with_the_stream() {
        let folder = Folder::new("waits");
        let log = spool(&folder, 1 << 20);
        let mut reader = log.shared_reader_from(0, PATIENCE);
        let reads = std::thread::spawn(move || {
            let mut all = Vec::new();
            reader.read_to_end(&mut all).map(|_| all)
        });
        for part in 0..100 {
            assert!(log.append(&stretch(part * 777, 777)).expect("written"));
        }
        log.finish(End::default());
        let all = reads.join().expect("no panic").expect("read");
        assert_eq!(all, stretch(0, 77_700));
        assert!(!log.append(b"more").expect("not written"));
        assert_eq!((log.len(), log.starts_at()), (77_700, 0));
        // On Unix nothing is left behind even if the program is killed.
        #[cfg(unix)]
        assert_eq!(std::fs::read_dir(&folder.0).expect("a folder").count(), 0);
    }

    #[test]
    fn the_patience_of_a_reader_ends_and_it_may_ask_again() {
        let folder = Folder::new("patience");
        let log = spool(&folder, 1 << 20);
        let mut reader = log.reader_from(0, Duration::from_millis(20));
        let begun = Instant::now();
        let nothing = reader.read(&mut [0; 8]).expect_err("nothing has come");
        assert_eq!(nothing.kind(), io::ErrorKind::WouldBlock);
        assert!(begun.elapsed() >= Duration::from_millis(20));
        log.append(b"abc").expect("written");
        assert_eq!(reader.read(&mut [0; 8]).expect("read"), 3);
        log.finish(End::default());
        assert_eq!(reader.read(&mut [0; 8]).expect("the end"), 0);
    }

    #[test]
    fn only_what_was_read_is_forgotten_and_whoever_appends_waits_for_the_reader() {
        const BUDGET: u64 = 64 << 10;
        let folder = Folder::new("forgets");
        let log = spool(&folder, BUDGET);
        let sends = {
            let log = Arc::clone(&log);
            std::thread::spawn(move || {
                for part in 0..200 {
                    log.append(&stretch(part * 1_000, 1_000)).expect("written");
                }
                log.finish(End::default());
            })
        };
        while !log.is_full() {
            std::thread::sleep(Duration::from_millis(1));
        }
        let full = log.len();
        assert!(full <= BUDGET && log.starts_at() == 0, "{full}");
        let mut slow = log.reader_from(0, PATIENCE);
        let mut all = Vec::new();
        let mut reader = log.reader_from(0, PATIENCE);
        reader.read_exact(&mut vec![0; 60_000]).expect("read");
        // The slower one still needs all of it.
        std::thread::sleep(Duration::from_millis(20));
        assert!(log.is_full() && log.starts_at() == 0);
        drop(reader);
        slow.read_to_end(&mut all).expect("read");
        assert_eq!(all, stretch(0, 200_000));
        sends.join().expect("no panic");
        assert!(log.len() - log.starts_at() <= BUDGET);
        let mut late = log.reader_from(0, PATIENCE);
        let forgotten = late.read(&mut [0; 8]).expect_err("forgotten");
        assert_eq!(
            forgotten.to_string(),
            "this part of the stream is forgotten"
        );
        // Going back reaches as far as the budget.
        let mut last = log.reader_from(log.starts_at(), PATIENCE);
        let mut rest = Vec::new();
        last.read_to_end(&mut rest).expect("read");
        assert_eq!(rest, stretch(log.starts_at(), 200_000 - log.starts_at()));
        assert!(log.save_as(&folder.0.join("saved")).is_err());
    }

    #[test]
    fn a_full_spool_takes_the_end() {
        let folder = Folder::new("full");
        let log = spool(&folder, 1);
        let sends = {
            let log = Arc::clone(&log);
            std::thread::spawn(move || log.append(&[7; 100_000]))
        };
        while !log.is_full() {
            std::thread::sleep(Duration::from_millis(1));
        }
        log.finish(End {
            cut_short: Some("nobody reads it".to_owned()),
        });
        assert!(!sends.join().expect("no panic").expect("not written"));
        log.finish(End::default());
        assert!(log.ended().is_some_and(|end| end.cut_short.is_some()) && !log.is_full());
    }

    #[test]
    fn what_came_is_saved_and_opens_as_a_recorded_stream() {
        let folder = Folder::new("saves");
        let log = spool(&folder, 1 << 20);
        log.append(&stretch(0, 300_000)).expect("written");
        let file = folder.0.join("search.plytrace");
        log.save_as(&file).expect("saved");
        // A copy is no reader: what nobody else read is kept.
        assert_eq!(log.store().read, 0);
        let recorded = Arc::new(Log::open(&file).expect("a file"));
        let mut all = Vec::new();
        let mut reader = recorded.reader_from(100_000, PATIENCE);
        reader.read_to_end(&mut all).expect("read");
        assert_eq!(all, stretch(100_000, 200_000));
        assert!(recorded.append(b"x").is_ok_and(|taken| !taken));
        assert!(Log::open(&folder.0).is_err());
    }

    #[test]
    fn whoever_steers_is_told_what_is_wanted() {
        let folder = Folder::new("wants");
        let log = spool(&folder, 1 << 20);
        log.want(Want::Until(7));
        let (said, heard) = std::sync::mpsc::channel();
        log.steer(move |want| said.send(want).expect("a listener"));
        for want in [Want::Until(7), Want::All, Want::All, Want::Until(9)] {
            log.want(want);
        }
        let heard: Vec<Want> = heard.try_iter().collect();
        assert_eq!(heard, [Want::Until(7), Want::All, Want::Until(9)]);
    }
}
