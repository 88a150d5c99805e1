//! The lines of the JSON form, and those in chunks of the binary one.

use std::borrow::Cow;
use std::io::Read;
use std::sync::Arc;

use super::{Reader, Step};
use crate::decoder::Chunk;
use crate::input::Fill;
use crate::json;
use crate::limits;
use crate::record::Record;
use crate::trouble::{Cause, Place};

impl<R: Read> Reader<R> {
    /// Finds the end of the next line. `Err(Enough)`: it is too long.
    pub(super) fn find_line(&mut self, chunk: Option<Chunk>) -> Result<usize, Fill> {
        if let Some(chunk) = chunk {
            let filled = self.input.fill(chunk.left);
            let bytes = self.input.bytes();
            let bytes = &bytes[..bytes.len().min(chunk.left)];
            return match (filled, memchr::memchr(b'\n', bytes)) {
                (Fill::Stopped, _) => Err(Fill::Stopped),
                (_, Some(end)) => Ok(end),
                (Fill::Enough, None) => Ok(bytes.len()),
                (Fill::End, None) => Err(Fill::End),
            };
        }
        let mut seen = 0;
        loop {
            let bytes = self.input.bytes();
            let end = memchr::memchr(b'\n', &bytes[seen..]).map(|end| seen + end);
            seen = end.unwrap_or(bytes.len());
            if seen > limits::CHUNK {
                return Err(Fill::Enough);
            }
            if let Some(end) = end {
                return Ok(end);
            }
            match self.input.fill(seen + 1) {
                Fill::Enough => {}
                // The last line may lack its end.
                Fill::End if seen > 0 => return Ok(seen),
                other => return Err(other),
            }
        }
    }

    /// Takes a line with its end.
    pub(super) fn take_line(&mut self, len: usize, chunk: Option<Chunk>) {
        let end = usize::from(self.input.bytes().get(len) == Some(&b'\n'));
        match chunk {
            Some(chunk) => {
                let len = (len + end).min(chunk.left);
                self.input.take(len);
                if let Some(chunk) = &mut self.decoder.chunk {
                    chunk.left -= len;
                }
            }
            None => self.input.take(len + end),
        }
    }

    /// The next line of JSON lines.
    pub(super) fn line(&mut self) -> Step {
        if self.decoder.in_long_line {
            return self.rest_of_long_line();
        }
        match self.find_line(None) {
            Ok(len) => {
                let has_end = self.input.bytes().len() > len;
                self.decoder.line += 1;
                let step = self.read_line(len, None, has_end);
                self.take_line(len, None);
                step
            }
            Err(Fill::Stopped) => Step::Stopped,
            Err(Fill::End) => self.ended(false),
            Err(Fill::Enough) => {
                self.decoder.line += 1;
                self.note(Cause::LongLine, 0);
                self.decoder.in_long_line = true;
                Step::Again
            }
        }
    }

    pub(super) fn rest_of_long_line(&mut self) -> Step {
        match self.input.fill(1) {
            Fill::Stopped => return Step::Stopped,
            Fill::End => return self.ended(true),
            Fill::Enough => {}
        }
        let bytes = self.input.bytes();
        match memchr::memchr(b'\n', bytes) {
            Some(end) => {
                self.decoder.in_long_line = false;
                self.take_line(end, None);
            }
            None => {
                let all = bytes.len();
                self.input.take(all);
            }
        }
        Step::Again
    }

    pub(super) fn line_in_chunk(&mut self, chunk: Chunk) -> Step {
        if chunk.left == 0 {
            self.set_place(chunk.thread);
            self.decoder.end(chunk);
            return Step::Again;
        }
        match self.find_line(Some(chunk)) {
            Ok(len) => {
                let step = self.read_line(len, Some(chunk.thread), true);
                self.take_line(len, Some(chunk));
                step
            }
            Err(Fill::Stopped) => Step::Stopped,
            Err(_) => self.ended(true),
        }
    }

    /// Reads the record of a line. `of`: the thread of its chunk.
    pub(super) fn read_line(&mut self, len: usize, of: Option<u8>, has_end: bool) -> Step {
        let bytes = &self.input.bytes()[..len];
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Step::Again;
        }
        let decoder = &mut self.decoder;
        let thread = of.unwrap_or(0);
        decoder.noted.place = Place {
            offset: self.input.offset(),
            line: decoder.line,
            at: decoder.at(thread),
        };
        let Some(header) = decoder.header.clone() else {
            return Step::Again;
        };
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => {
                decoder.noted.note(Cause::BadText);
                String::from_utf8_lossy(bytes)
            }
        };
        let Ok(fields) = json::Fields::read(&text, &mut self.line, &mut decoder.noted) else {
            let cause = match has_end {
                true => Cause::NotJson,
                false => Cause::Truncated,
            };
            decoder.noted.found(cause, &text);
            return Step::Again;
        };
        let thread = match (of, fields.thread()) {
            (Some(thread), _) | (None, Ok(thread)) => thread,
            (None, Err(())) => return Step::Again,
        };
        let names = Arc::clone(&decoder.names);
        let mut decode = json::Decode {
            header: &header,
            names: &names,
            fields: &fields,
            scratch: &mut self.scratch,
        };
        let read = decode.record();
        if of.is_none() {
            decoder.join(thread);
        }
        match read {
            json::Read::Record(record) => {
                let at = decoder.count(thread, &record);
                self.scratch.record = record;
                decoder.look(thread, &self.scratch.lend());
                if let Record::Mark { n, .. } = record {
                    decoder.marked(thread, n);
                    return Step::Record(decoder.at(thread));
                }
                Step::Record(at)
            }
            json::Read::BadEvent => {
                decoder.count_event(thread);
                Step::Again
            }
            json::Read::Nothing => {
                if let Some(chunk) = &mut decoder.chunk {
                    chunk.is_uncertain = true;
                }
                Step::Again
            }
        }
    }
}
