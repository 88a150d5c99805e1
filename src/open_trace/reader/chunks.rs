//! The chunks of the binary form and their records.

use std::io::Read;

use super::{Lent, Reader, Step};
use crate::binary;
use crate::chunk::{self, Head};
use crate::decoder::later;
use crate::header::Order;
use crate::input::{Fill, MOST};
use crate::record::{At, Record};
use crate::trouble::{Cause, Place};

/// What is no event, with its thread.
type NoEvent = (u8, Result<binary::Read, binary::Broken>);

impl<R: Read> Reader<R> {
    /// The next chunk's header.
    pub(super) fn chunk(&mut self) -> Step {
        if self.decoder.is_lost {
            return self.find_chunk();
        }
        match self.input.fill(Head::SIZE) {
            Fill::Stopped => return Step::Stopped,
            Fill::End => return self.ended(!self.input.bytes().is_empty()),
            Fill::Enough => {}
        }
        let Some(head) = Head::read(self.input.bytes()) else {
            self.note(Cause::Damaged, 0);
            self.decoder.is_lost = true;
            return Step::Again;
        };
        let Ok(thread) = u8::try_from(head.thread) else {
            self.note(Cause::ManyThreads, 0);
            return self.skip(head);
        };
        self.set_place(thread);
        match head.kind {
            chunk::RECORDS => {
                let is_other = self
                    .only
                    .is_some_and(|only| only.thread.is_some_and(|wanted| wanted != thread));
                if is_other {
                    let step = self.skip(head);
                    if matches!(step, Step::Again) {
                        self.decoder.pass_over(head, thread);
                    }
                    return step;
                }
                self.decoder.begin(head, thread);
            }
            chunk::LINES => self.decoder.begin(head, thread),
            chunk::WAITING => {
                self.decoder.arrive(head, thread);
                self.decoder.marked(thread, head.after);
                self.input.take(Head::SIZE);
                let mark = Record::Mark {
                    n: head.after,
                    hash: Some(head.hash),
                    waiting: true,
                };
                self.scratch.record = mark;
                return Step::Record(self.decoder.at(thread));
            }
            kind => {
                let found = format!("type {kind}");
                self.decoder.noted.found(Cause::ChunkType, &found);
                return self.skip(head);
            }
        }
        self.input.take(Head::SIZE);
        Step::Again
    }

    /// Skips a whole chunk.
    pub(super) fn skip(&mut self, head: Head) -> Step {
        let whole = Head::SIZE + head.len as usize;
        match self.input.fill(whole) {
            Fill::Enough => {
                self.input.take(whole);
                Step::Again
            }
            Fill::Stopped => Step::Stopped,
            Fill::End => self.ended(true),
        }
    }

    /// Looks for the next chunk in damaged bytes.
    pub(super) fn find_chunk(&mut self) -> Step {
        let filled = self.input.fill(MOST);
        if filled == Fill::Stopped {
            return Step::Stopped;
        }
        match chunk::find(self.input.bytes(), filled == Fill::End) {
            Ok(at) => {
                self.input.take(at);
                self.decoder.is_lost = false;
            }
            Err(none) => {
                self.input.take(none);
                if filled == Fill::End {
                    return self.ended(false);
                }
            }
        }
        Step::Again
    }

    /// Hands on the records of the binary chunk at which the reader is, one after another. Does nothing where the reader is not
    /// in such a chunk, or not all of it is at hand, and never waits: [`Reader::advance`] goes on from there.
    ///
    /// # Errors
    /// The first of `take`; the reader then is after that record.
    #[inline]
    pub fn run<E>(&mut self, mut take: impl FnMut(At, Lent<'_>) -> Result<(), E>) -> Result<(), E> {
        while let Some((thread, read)) = self.run_events(&mut take)? {
            let step = match read {
                Ok(read) => self.no_event(thread, read),
                Err(broken) => {
                    let left = self.decoder.chunk.map_or(0, |chunk| chunk.left);
                    self.broken(broken, left, Fill::Enough)
                }
            };
            if let Step::Record(at) = step {
                take(at, self.lent())?;
            }
        }
        Ok(())
    }

    /// Hands on the events of a chunk up to the first other record, which is returned with its thread.
    #[inline]
    fn run_events<E>(
        &mut self,
        take: &mut impl FnMut(At, Lent<'_>) -> Result<(), E>,
    ) -> Result<Option<NoEvent>, E> {
        let decoder = &mut self.decoder;
        let has_threads = decoder.threads.len() > 1;
        let (Some(chunk), Some(header)) = (&mut decoder.chunk, &decoder.header) else {
            return Ok(None);
        };
        let (thread, left) = (chunk.thread, chunk.left);
        let is_at_hand = !chunk.is_lines && self.input.bytes().len() >= left;
        let of = decoder.threads.get_mut(usize::from(thread));
        let Some(of) = of.filter(|_| is_at_hand && !self.is_over) else {
            return Ok(None);
        };
        let mut at = At {
            search: of.search,
            thread,
            event: of.event,
        };
        if left == 0 || self.only.is_some_and(|only| !only.wants(at)) {
            return Ok(None);
        }
        let offset = self.input.offset();
        decoder.noted.place = Place {
            offset,
            line: 0,
            at,
        };
        let mut decode = binary::Decode {
            cursor: binary::Cursor::new(&self.input.bytes()[..left]),
            spec: &header.value,
            declared: &decoder.declared,
            names: &decoder.names,
            context: &mut of.context,
            scratch: &mut self.scratch,
            noted: &mut decoder.noted,
        };
        let (mut done, mut end) = (0, Ok(None));
        while done < left {
            decode.noted.place.offset = offset + done as u64;
            decode.noted.place.at.event = at.event;
            let read = decode.record();
            if read.is_ok() {
                done = decode.cursor.at();
            }
            match read {
                Ok(binary::Read::Record) if decode.scratch.record.is_event() => {
                    at.event = later(at.event, 1);
                    match header.order {
                        Order::DepthFirst => {
                            let record = &decode.scratch.record;
                            of.nest.depth_first(record, decode.noted);
                        }
                        Order::BestFirst => {
                            let record = decode.scratch.lend();
                            let expanded = &mut decoder.expanded;
                            expanded.best_first(&record, has_threads, decode.noted);
                        }
                    }
                    if let Err(error) = take(at, Lent(decode.scratch)) {
                        end = Err(error);
                        break;
                    }
                }
                Ok(binary::Read::Nothing) => {}
                read => {
                    end = Ok(Some((thread, read)));
                    break;
                }
            }
        }
        chunk.left = left - done;
        of.event = at.event;
        self.input.take(done);
        end
    }

    /// The next record of a chunk.
    #[inline]
    pub(super) fn read_record(&mut self) -> Step {
        let decoder = &mut self.decoder;
        let (Some(chunk), Some(header)) = (&mut decoder.chunk, &decoder.header) else {
            return Step::Again;
        };
        let left = chunk.left;
        if left == 0 {
            return self.end_of_chunk();
        }
        let filled = self.input.fill(left);
        if filled == Fill::Stopped {
            return Step::Stopped;
        }
        let thread = chunk.thread;
        let Some(of) = decoder.threads.get_mut(usize::from(thread)) else {
            return Step::Again;
        };
        let mut at = At {
            search: of.search,
            thread,
            event: of.event,
        };
        decoder.noted.place = Place {
            offset: self.input.offset(),
            line: 0,
            at,
        };
        let bytes = self.input.bytes();
        let mut decode = binary::Decode {
            cursor: binary::Cursor::new(&bytes[..bytes.len().min(left)]),
            spec: &header.value,
            declared: &decoder.declared,
            names: &decoder.names,
            context: &mut of.context,
            scratch: &mut self.scratch,
            noted: &mut decoder.noted,
        };
        let read = decode.record();
        let len = decode.cursor.at();
        match read {
            Ok(binary::Read::Record) if self.scratch.record.is_event() => {
                at.event = later(at.event, 1);
                of.event = at.event;
                chunk.left = left - len;
                self.input.take(len);
                match header.order {
                    Order::DepthFirst => {
                        let record = &self.scratch.record;
                        of.nest.depth_first(record, &mut decoder.noted);
                    }
                    Order::BestFirst => decoder.look(thread, &self.scratch.lend()),
                }
                Step::Record(at)
            }
            Ok(read) => {
                chunk.left = left - len;
                self.input.take(len);
                self.no_event(thread, read)
            }
            Err(broken) => self.broken(broken, left, filled),
        }
    }

    /// What was read that is no event, or no good one.
    fn no_event(&mut self, thread: u8, read: binary::Read) -> Step {
        let decoder = &mut self.decoder;
        match read {
            binary::Read::Record => {
                let at = decoder.count(thread, &self.scratch.record);
                decoder.look(thread, &self.scratch.record);
                return Step::Record(at);
            }
            binary::Read::BadEvent => {
                decoder.count_event(thread);
            }
            binary::Read::Nothing => {}
            binary::Read::Unknown => {
                decoder.noted.note(Cause::UnknownKind);
                if let Some(chunk) = &mut decoder.chunk {
                    chunk.is_uncertain = true;
                }
            }
        }
        Step::Again
    }

    fn end_of_chunk(&mut self) -> Step {
        let Some(chunk) = self.decoder.chunk else {
            return Step::Again;
        };
        self.set_place(chunk.thread);
        match self.decoder.end(chunk) {
            Some((at, mark)) => {
                self.scratch.record = mark;
                Step::Record(at)
            }
            None => Step::Again,
        }
    }

    /// Drops the rest of a chunk, or ends with the stream inside of it.
    #[cold]
    fn broken(&mut self, broken: binary::Broken, left: usize, filled: Fill) -> Step {
        if filled == Fill::End {
            return self.ended(true);
        }
        match broken {
            binary::Broken::UnknownRecord(code) => {
                let found = format!("record {code}");
                self.decoder.noted.found(broken.cause(), &found);
            }
            _ => self.decoder.noted.note(broken.cause()),
        }
        self.input.take(left);
        if let Some(chunk) = &mut self.decoder.chunk {
            chunk.left = 0;
            chunk.is_uncertain = true;
        }
        Step::Again
    }
}
