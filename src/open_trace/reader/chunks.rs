//! The chunks of the binary form and their records.

use std::io::Read;

use super::{Reader, Step};
use crate::binary;
use crate::chunk::{self, Head};
use crate::decoder::Chunk;
use crate::input::{Fill, MOST};
use crate::record::Record;
use crate::trouble::Cause;

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
                return Step::Record(self.decoder.at(thread), mark);
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

    /// The next record of a chunk.
    #[inline]
    pub(super) fn record(&mut self, chunk: Chunk) -> Step {
        if chunk.left == 0 {
            self.set_place(chunk.thread);
            return match self.decoder.end(chunk) {
                Some((at, mark)) => Step::Record(at, mark),
                None => Step::Again,
            };
        }
        let filled = self.input.fill(chunk.left);
        if filled == Fill::Stopped {
            return Step::Stopped;
        }
        self.set_place(chunk.thread);
        let bytes = self.input.bytes();
        let bytes = &bytes[..bytes.len().min(chunk.left)];
        let decoder = &mut self.decoder;
        let place = usize::from(chunk.thread);
        let (Some(header), Some(of)) = (&decoder.header, decoder.threads.get_mut(place)) else {
            return Step::Again;
        };
        let mut decode = binary::Decode {
            cursor: binary::Cursor::new(bytes),
            spec: &header.value,
            declared: &decoder.declared,
            names: &decoder.names,
            context: &mut of.context,
            scratch: &mut self.scratch,
            noted: &mut decoder.noted,
        };
        let read = decode.record();
        let len = decode.cursor.at();
        let Ok(read) = read.map_err(|broken| self.broken(broken, chunk, filled)) else {
            return match filled {
                Fill::Enough => Step::Again,
                _ => Step::Over,
            };
        };
        self.input.take(len);
        let decoder = &mut self.decoder;
        if let Some(chunk) = &mut decoder.chunk {
            chunk.left -= len;
            chunk.is_uncertain |= read == binary::Read::Unknown;
        }
        match read {
            binary::Read::Record(record) => {
                let at = decoder.count(chunk.thread, &record);
                Step::Record(at, record)
            }
            binary::Read::BadEvent => {
                decoder.count_event(chunk.thread);
                Step::Again
            }
            binary::Read::Nothing => Step::Again,
            binary::Read::Unknown => {
                decoder.noted.note(Cause::UnknownKind);
                Step::Again
            }
        }
    }

    /// Drops the rest of a chunk, or ends with the stream inside of it.
    #[cold]
    pub(super) fn broken(&mut self, broken: binary::Broken, chunk: Chunk, filled: Fill) {
        if filled == Fill::End {
            self.ended(true);
            return;
        }
        match broken {
            binary::Broken::UnknownRecord(code) => {
                let found = format!("record {code}");
                self.decoder.noted.found(broken.cause(), &found);
            }
            _ => self.decoder.noted.note(broken.cause()),
        }
        self.input.take(chunk.left);
        if let Some(chunk) = &mut self.decoder.chunk {
            chunk.left = 0;
            chunk.is_uncertain = true;
        }
    }
}
