//! Reads a log from an offset on, and waits for what has not come yet.

use std::io::{self, ErrorKind, Read};
use std::ops::Deref;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use super::Log;

/// Reads the bytes of a log; see [`Log::reader_from`]. What it has yet to read is not forgotten while it is there.
#[derive(Debug)]
pub struct LogReader<L: Deref<Target = Log>> {
    log: L,
    number: u64,
    at: u64,
    patience: Duration,
    /// Whether what it has read may be forgotten when it is gone.
    counts: bool,
}

impl<L: Deref<Target = Log>> LogReader<L> {
    pub(super) fn new(log: L, at: u64, patience: Duration) -> Self {
        let mut store = log.store();
        let number = store.next_reader;
        store.next_reader += 1;
        store.readers.insert(number, at);
        drop(store);
        LogReader {
            log,
            number,
            at,
            patience,
            counts: true,
        }
    }

    /// Returns it as one that reads for a copy only.
    pub(super) fn for_a_copy(mut self) -> Self {
        self.counts = false;
        self
    }
}

impl<L: Deref<Target = Log>> Drop for LogReader<L> {
    fn drop(&mut self) {
        self.log.store().readers.remove(&self.number);
        self.log.room.notify_all();
    }
}

impl<L: Deref<Target = Log>> Read for LogReader<L> {
    /// Reads what is there, or waits for it. Returns 0 at the end.
    ///
    /// # Errors
    /// [`ErrorKind::WouldBlock`] if nothing comes while it has patience; it may be asked again. Another one if the bytes are
    /// forgotten, or can't be read.
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut store = self.log.store();
        let mut late = None;
        loop {
            if self.at < store.start() {
                return Err(io::Error::other("this part of the stream is forgotten"));
            }
            if self.at < store.end {
                break;
            }
            if store.ended.is_some() || into.is_empty() {
                return Ok(0);
            }
            let now = Instant::now();
            let late = *late.get_or_insert(now + self.patience);
            if now >= late {
                return Err(ErrorKind::WouldBlock.into());
            }
            let waited = self.log.more.wait_timeout(store, late - now);
            (store, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
        let after = store.pieces.partition_point(|piece| piece.start <= self.at);
        let next = store
            .pieces
            .get(after)
            .map_or(store.end, |piece| piece.start);
        let piece = Arc::clone(&store.pieces[after - 1]);
        drop(store);
        let most = into.len().min((next - self.at) as usize);
        let count = piece.read(self.at, &mut into[..most])?;
        self.at += count as u64;
        let mut store = self.log.store();
        store.readers.insert(self.number, self.at);
        if self.counts {
            store.read = store.read.max(self.at);
        }
        self.log.room.notify_all();
        Ok(count)
    }
}
