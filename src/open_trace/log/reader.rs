//! Reads a log from an offset on, and waits for what has not come yet.

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, PoisonError};

use super::Log;

/// Ends the waiting of a reader: it then reads nothing, as at the end.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Sets it. Readers that wait need [`Log::wake`] to notice.
    pub fn set(&self) {
        self.0.store(true, SeqCst);
    }

    pub fn clear(&self) {
        self.0.store(false, SeqCst);
    }

    pub fn is_set(&self) -> bool {
        self.0.load(SeqCst)
    }
}

/// Reads the bytes of a log; see [`Log::reader_from`].
#[derive(Clone, Debug)]
pub struct LogReader {
    log: Arc<Log>,
    at: u64,
    interrupt: Interrupt,
    /// Whether what it has read may be forgotten.
    counts: bool,
}

impl LogReader {
    pub(super) fn new(log: Arc<Log>, at: u64, interrupt: Interrupt) -> Self {
        LogReader {
            log,
            at,
            interrupt,
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

    /// Returns the offset of the next byte.
    pub fn offset(&self) -> u64 {
        self.at
    }

    /// Whether a read would wait: all that has come is read, and the stream has not ended.
    pub fn would_wait(&self) -> bool {
        let store = self.log.store();
        self.at >= store.end && store.ended.is_none()
    }
}

impl Read for LogReader {
    /// Reads what is there, or waits for it. Returns 0 at the end, and while the interrupt is set.
    ///
    /// # Errors
    /// If the bytes there are forgotten, or can't be read.
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut store = self.log.store();
        loop {
            if self.interrupt.is_set() || into.is_empty() {
                return Ok(0);
            }
            if self.at < store.start() {
                return Err(io::Error::other("this part of the stream is forgotten"));
            }
            if self.at < store.end {
                break;
            }
            if store.ended.is_some() {
                return Ok(0);
            }
            store = self
                .log
                .more
                .wait(store)
                .unwrap_or_else(PoisonError::into_inner);
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
