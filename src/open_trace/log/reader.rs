//! Reads a log from an offset on, and waits for what has not come yet.

use std::io::{self, ErrorKind, Read};
use std::ops::Deref;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use super::Log;

/// Reads the bytes of a log; see [`Log::reader_from`].
#[derive(Clone, Debug)]
pub struct LogReader<L> {
    log: L,
    at: u64,
    patience: Duration,
    /// Whether what it has read may be forgotten.
    counts: bool,
}

impl<L: Deref<Target = Log>> LogReader<L> {
    pub(super) fn new(log: L, at: u64, patience: Duration) -> Self {
        LogReader {
            log,
            at,
            patience,
            counts: true,
        }
    }

    /// Returns it as one for whose sake nothing is forgotten.
    pub(super) fn for_a_copy(self) -> Self {
        LogReader {
            counts: false,
            ..self
        }
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
        if self.counts && self.at > store.read {
            store.read = self.at;
            self.log.room.notify_all();
        }
        Ok(count)
    }
}
