//! The bytes of a stream, buffered so that a whole chunk or line lies in one piece.

use std::io::{self, ErrorKind, Read};

use super::limits;

/// How much the buffer holds at first, and how much once much has been read, unless more is asked for at once.
const LEAST: usize = 8 << 10;
const ROOM: usize = 256 << 10;
/// The most that is ever asked for at once: two chunks with their headers.
pub(crate) const MOST: usize = 2 * limits::CHUNK + 64;

/// What came of asking for more bytes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Fill {
    /// As many as were asked for.
    Enough,
    /// The stream ended before that.
    End,
    /// The source was told to stop waiting ([`ErrorKind::WouldBlock`]). It may be asked again.
    Stopped,
}

pub(crate) struct Input<R> {
    source: R,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// The offset in the stream of the first byte that is not taken.
    offset: u64,
    is_ended: bool,
    error: Option<io::Error>,
}

impl<R: Read> Input<R> {
    pub(crate) fn new(source: R, offset: u64) -> Self {
        Input {
            source,
            buffer: Vec::new(),
            start: 0,
            end: 0,
            offset,
            is_ended: false,
            error: None,
        }
    }

    /// The bytes that are there and not taken.
    #[inline]
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// The offset in the stream of the first of these.
    #[inline]
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    #[inline]
    pub(crate) fn take(&mut self, count: usize) {
        self.start += count;
        self.offset += count as u64;
        debug_assert!(self.start <= self.end);
    }

    /// The error that ended the stream, once.
    pub(crate) fn error(&mut self) -> Option<io::Error> {
        self.error.take()
    }

    /// Waits until `count` bytes are there, at most [`MOST`].
    #[inline]
    pub(crate) fn fill(&mut self, count: usize) -> Fill {
        if self.end - self.start >= count {
            return Fill::Enough;
        }
        self.read(count)
    }

    #[cold]
    fn read(&mut self, count: usize) -> Fill {
        debug_assert!(count <= MOST);
        while self.end - self.start < count {
            if self.is_ended {
                return Fill::End;
            }
            self.make_room();
            match self.source.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.is_ended = true,
                Ok(read) => self.end += read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Fill::Stopped,
                Err(error) => {
                    self.error = Some(error);
                    self.is_ended = true;
                }
            }
        }
        Fill::Enough
    }

    /// Makes room at the end of the buffer, which grows with what comes: whoever asks for much may get little.
    fn make_room(&mut self) {
        if self.start > 0 && (self.start == self.end || self.end == self.buffer.len()) {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        let len = self.buffer.len();
        if self.end == len || (self.end == 0 && self.offset > 0 && len < ROOM) {
            self.buffer.resize((2 * len).max(LEAST), 0);
        }
    }
}
