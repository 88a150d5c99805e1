//! Reads a stream, record by record.

mod chunks;
mod lines;
mod opening;

use std::io::Read;
use std::sync::Arc;

use super::decoder::{Decoder, Form};
use super::header::{Header, Refused};
use super::input::Input;
use super::json;
use super::names::Names;
use super::record::{At, Record};
use super::scratch::Scratch;
use super::trouble::{Cause, Troubles};

/// A place in a stream from which reading can go on. Small enough to keep thousands of them.
#[derive(Clone, Debug)]
pub struct Point {
    /// The offset of the next byte to read.
    pub offset: u64,
    pub decoder: Decoder,
}

impl Point {
    /// The beginning of a stream. Its moves get their ids among `names`, so that all readers of one stream can share them.
    pub fn start(names: Arc<Names>) -> Self {
        Point {
            offset: 0,
            decoder: Decoder::new(names),
        }
    }
}

/// What to read of a stream.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Only {
    pub search: u32,
    /// `None`: all threads.
    pub thread: Option<u8>,
}

impl Only {
    #[inline]
    fn wants(self, at: At) -> bool {
        self.search == at.search && self.thread.is_none_or(|thread| thread == at.thread)
    }
}

/// The record at which a reader is. To match on [`Lent::record`] is faster than to keep the record itself.
#[derive(Clone, Copy, Debug)]
pub struct Lent<'a>(&'a Scratch);

impl<'a> Lent<'a> {
    #[inline]
    pub fn record(self) -> Record<'a> {
        self.0.lend()
    }

    /// See [`Record::is_event`].
    #[inline]
    pub fn is_event(self) -> bool {
        self.0.record.is_event()
    }
}

/// Reads a stream of either form; its first byte tells which. It needs memory for a chunk or a line, and for the names of moves.
pub struct Reader<R> {
    input: Input<R>,
    decoder: Decoder,
    scratch: Scratch,
    line: json::Line,
    only: Option<Only>,
    is_over: bool,
}

/// What came of a step.
enum Step {
    /// A record, which is in the scratch.
    Record(At),
    Again,
    Stopped,
    Over,
}

impl<R: Read> Reader<R> {
    /// Reads from the beginning of a stream.
    pub fn new(source: R) -> Self {
        Reader::at(source, Point::start(Arc::default()))
    }

    /// Goes on reading. The source's next byte must be that at `point.offset`.
    pub fn at(source: R, point: Point) -> Self {
        Reader {
            input: Input::new(source, point.offset),
            decoder: point.decoder,
            scratch: Scratch::default(),
            line: json::Line::default(),
            only: None,
            is_over: false,
        }
    }

    /// Reads one search, or one of its threads, from here on; after its last record, the stream is over. Chunks of other threads
    /// are skipped without a look at their records, so a thread that was skipped cannot be read later.
    pub fn only(&mut self, only: Only) {
        self.only = Some(only);
    }

    /// The place after the last record.
    pub fn point(&self) -> Point {
        Point {
            offset: self.input.offset(),
            decoder: self.decoder.clone(),
        }
    }

    /// The offset in the stream after the last record, in bytes.
    pub fn offset(&self) -> u64 {
        self.input.offset()
    }

    /// The header, once it was read.
    pub fn header(&self) -> Option<&Arc<Header>> {
        self.decoder.header.as_ref()
    }

    /// Reads the header. `None`: the source was told to stop before it came.
    ///
    /// # Errors
    /// See [`Refused`].
    pub fn read_header(&mut self) -> Result<Option<Arc<Header>>, Refused> {
        while self.decoder.header.is_none() {
            match self.open()? {
                Step::Stopped => return Ok(None),
                Step::Over => return Err(Refused::Empty),
                Step::Again | Step::Record(_) => {}
            }
        }
        Ok(self.decoder.header.clone())
    }

    /// The names of the moves, which grow while the stream is read.
    pub fn names(&self) -> &Arc<Names> {
        &self.decoder.names
    }

    /// What was wrong so far.
    pub fn troubles(&self) -> &Troubles {
        &self.decoder.noted.troubles
    }

    /// Whether nothing more will come. If not, `next` returned `None` because the source was told to stop, and may be called
    /// again.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Returns the next record, or `None` when the stream has ended or the source was told to stop waiting.
    ///
    /// # Errors
    /// If the stream has no header that can be read. Nothing else in a stream is an error.
    #[expect(
        clippy::should_implement_trait,
        reason = "a record borrows from the reader"
    )]
    pub fn next(&mut self) -> Result<Option<(At, Record<'_>)>, Refused> {
        Ok(self.advance()?.map(|at| (at, self.record())))
    }

    /// Goes on to the next record as [`Reader::next`] does, and returns its place. [`Reader::record`] then is the record.
    ///
    /// # Errors
    /// See [`Reader::next`].
    pub fn advance(&mut self) -> Result<Option<At>, Refused> {
        loop {
            if self.is_over {
                return Ok(None);
            }
            let step = match &self.decoder.chunk {
                Some(chunk) if !chunk.is_lines => self.read_record(),
                _ => self.step()?,
            };
            match step {
                Step::Record(at) if self.is_wanted(at) => return Ok(Some(at)),
                Step::Record(at) if self.is_past(at) => {
                    self.is_over = true;
                    return Ok(None);
                }
                Step::Record(_) | Step::Again => {}
                Step::Stopped => return Ok(None),
                Step::Over => {
                    self.is_over = true;
                    return Ok(None);
                }
            }
        }
    }

    /// The record at which the reader is.
    #[inline]
    pub fn record(&self) -> Record<'_> {
        self.scratch.lend()
    }

    /// The same, for whoever matches on it.
    #[inline]
    pub fn lent(&self) -> Lent<'_> {
        Lent(&self.scratch)
    }

    /// Whether nothing that is wanted can come any more. A thread's last chunk of a search may come after the first one of the
    /// next search, but no later.
    fn is_past(&self, at: At) -> bool {
        self.only.is_some_and(|only| {
            let is_own = only.thread == Some(at.thread) || self.decoder.threads.len() <= 1;
            at.search > only.search.saturating_add(u32::from(!is_own))
        })
    }

    /// Anything but the next record of a chunk.
    fn step(&mut self) -> Result<Step, Refused> {
        Ok(match (self.decoder.chunk, &self.decoder.header) {
            (_, None) => self.open()?,
            (Some(chunk), _) => self.line_in_chunk(chunk),
            (None, _) if self.decoder.form == Some(Form::Binary) => self.chunk(),
            (None, _) => self.line(),
        })
    }

    #[inline]
    fn is_wanted(&self, at: At) -> bool {
        self.only.is_none_or(|only| only.wants(at))
    }

    /// Notes something about the next byte.
    fn note(&mut self, cause: Cause, thread: u8) {
        self.set_place(thread);
        self.decoder.noted.note(cause);
    }

    #[inline]
    fn set_place(&mut self, thread: u8) {
        self.decoder.noted.place = super::Place {
            offset: self.input.offset(),
            line: self.decoder.line,
            at: self.decoder.at(thread),
        };
    }

    /// The end of the source: `cut` says whether it is inside of something.
    fn ended(&mut self, is_cut: bool) -> Step {
        if let Some(error) = self.input.error() {
            self.set_place(0);
            let error = error.to_string();
            self.decoder.noted.found(Cause::ReadFailed, &error);
        } else if is_cut {
            let thread = self.decoder.chunk.map_or(0, |chunk| chunk.thread);
            self.note(Cause::Truncated, thread);
        }
        self.decoder.chunk = None;
        let rest = self.input.bytes().len();
        self.input.take(rest);
        Step::Over
    }
}
