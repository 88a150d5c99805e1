//! A trace as a student hands it in: a file, a pipe or a device, which may be huge and may have no end.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use text::files;

/// How much is read of a trace.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How long reading and checking may take.
    pub time: Duration,
    /// How many bytes a trace may have.
    pub bytes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            time: Duration::from_secs(60),
            bytes: 4 << 30,
        }
    }
}

/// Why reading ended before the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    Time,
    Bytes,
}

/// Says why reading was cut short, if it was.
#[derive(Clone, Debug)]
pub(super) struct Gauge {
    cut: Arc<Mutex<Option<Cut>>>,
    late: Instant,
}

impl Gauge {
    pub fn cut(&self) -> Option<Cut> {
        *self.cut.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the time is over, which then cuts reading short.
    pub fn is_late(&self) -> bool {
        let is_late = Instant::now() >= self.late;
        if is_late {
            self.set(Cut::Time);
        }
        is_late
    }

    fn set(&self, cut: Cut) {
        *self.cut.lock().unwrap_or_else(PoisonError::into_inner) = Some(cut);
    }
}

/// Bytes with a limit.
pub(super) struct Bounded {
    source: From,
    left: u64,
    gauge: Gauge,
}

enum From {
    File(File),
    /// What another thread reads, since a pipe may block: a piece, and how much of it was taken.
    Thread(Receiver<io::Result<Vec<u8>>>, Vec<u8>, usize),
}

impl Bounded {
    /// Opens a file, a pipe, a device, or standard input for `-`.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open(path: &Path, limits: &Limits) -> io::Result<(Bounded, Gauge)> {
        let is_stdin = path == Path::new("-");
        if !is_stdin && std::fs::metadata(path)?.is_file() {
            return Ok(Bounded::of(From::File(files::open(path)?), limits));
        }
        if !is_stdin && path.is_dir() {
            return Err(io::Error::other("it is a folder, not a file"));
        }
        let (sender, receiver) = sync_channel(4);
        let path = path.to_owned();
        // Nobody waits for this thread: it ends with the program where a pipe never does.
        std::thread::Builder::new()
            .name("pipe".into())
            .spawn(move || {
                let opened: io::Result<Box<dyn Read>> = match is_stdin {
                    true => Ok(Box::new(io::stdin())),
                    false => File::open(&path).map(|file| Box::new(file) as Box<dyn Read>),
                };
                let mut source = match opened {
                    Ok(source) => source,
                    Err(error) => return drop(sender.send(Err(error))),
                };
                loop {
                    let mut piece = vec![0; 64 << 10];
                    let read = source.read(&mut piece).map(|n| {
                        piece.truncate(n);
                        piece
                    });
                    let is_last = read.as_ref().map_or(true, Vec::is_empty);
                    if sender.send(read).is_err() || is_last {
                        return;
                    }
                }
            })?;
        Ok(Bounded::of(From::Thread(receiver, Vec::new(), 0), limits))
    }

    fn of(source: From, limits: &Limits) -> (Bounded, Gauge) {
        let gauge = Gauge {
            cut: Arc::default(),
            late: Instant::now() + limits.time,
        };
        let bounded = Bounded {
            source,
            left: limits.bytes,
            gauge: gauge.clone(),
        };
        (bounded, gauge)
    }
}

impl Read for Bounded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let patience = self.gauge.late.saturating_duration_since(Instant::now());
        if patience.is_zero() {
            self.gauge.set(Cut::Time);
            return Ok(0);
        }
        let read = match &mut self.source {
            From::File(file) => file.read(buffer)?,
            From::Thread(receiver, piece, taken) => {
                if *taken == piece.len() {
                    *taken = 0;
                    *piece = match receiver.recv_timeout(patience) {
                        Ok(piece) => piece?,
                        Err(RecvTimeoutError::Disconnected) => Vec::new(),
                        Err(RecvTimeoutError::Timeout) => {
                            self.gauge.set(Cut::Time);
                            Vec::new()
                        }
                    };
                }
                let count = buffer.len().min(piece.len() - *taken);
                buffer[..count].copy_from_slice(&piece[*taken..*taken + count]);
                *taken += count;
                count
            }
        };
        if read as u64 > self.left {
            self.gauge.set(Cut::Bytes);
            return Ok(0);
        }
        self.left -= read as u64;
        Ok(read)
    }
}
