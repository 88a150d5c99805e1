//! The beginning of a stream: its form and its header.

use std::io::Read;

use super::{Reader, Step};
use crate::chunk::{self, Head};
use crate::decoder::{Chunk, Form};
use crate::header::Refused;
use crate::input::Fill;

impl<R: Read> Reader<R> {
    /// Finds out the form, and reads the header.
    pub(super) fn open(&mut self) -> Result<Step, Refused> {
        let opened = self.open_what_is_there();
        opened.map_err(|refused| match self.input.error() {
            Some(error) => Refused::ReadFailed(error.to_string()),
            None => refused,
        })
    }

    fn open_what_is_there(&mut self) -> Result<Step, Refused> {
        match (self.decoder.form, self.decoder.chunk) {
            (None, _) => self.find_form(),
            (Some(Form::Lines), _) => self.header_line(None),
            (Some(Form::Binary), Some(chunk)) => self.header_line(Some(chunk)),
            (Some(Form::Binary), None) => {
                match self.input.fill(Head::SIZE) {
                    Fill::Stopped => return Ok(Step::Stopped),
                    Fill::End => return Err(Refused::CutOff),
                    Fill::Enough => {}
                }
                match Head::read(self.input.bytes()) {
                    Some(head) if head.kind == chunk::LINES && head.thread < 256 => {
                        self.input.take(Head::SIZE);
                        self.decoder.begin(head, head.thread as u8);
                        Ok(Step::Again)
                    }
                    _ => Err(no_header(self.input.bytes())),
                }
            }
        }
    }

    pub(super) fn find_form(&mut self) -> Result<Step, Refused> {
        match self.input.fill(1) {
            Fill::Stopped => return Ok(Step::Stopped),
            Fill::End => return Err(Refused::Empty),
            Fill::Enough => {}
        }
        let first = self.input.bytes()[0];
        if first.is_ascii_whitespace() {
            self.decoder.line += u64::from(first == b'\n');
            self.input.take(1);
            return Ok(Step::Again);
        }
        let (form, mark): (Form, &[u8]) = match first {
            b'{' => (Form::Lines, b""),
            0xef => (Form::Lines, "\u{feff}".as_bytes()),
            _ => (Form::Binary, &chunk::MAGIC),
        };
        if self.input.fill(mark.len()) == Fill::Stopped {
            return Ok(Step::Stopped);
        }
        let there = self.input.bytes();
        if !there.starts_with(mark) {
            return Err(match form == Form::Binary && mark.starts_with(there) {
                true => Refused::CutOff,
                false => no_header(there),
            });
        }
        self.input.take(mark.len());
        self.decoder.form = Some(form);
        if form == Form::Binary {
            self.decoder.line = 0;
        }
        Ok(Step::Again)
    }

    pub(super) fn header_line(&mut self, chunk: Option<Chunk>) -> Result<Step, Refused> {
        let len = match self.find_line(chunk) {
            Ok(len) => len,
            Err(Fill::Stopped) => return Ok(Step::Stopped),
            Err(Fill::End) if chunk.is_some() => return Err(Refused::CutOff),
            Err(_) => return Err(no_header(self.input.bytes())),
        };
        if chunk.is_none() {
            self.decoder.line += 1;
        }
        self.set_place(0);
        self.decoder.set_header(&self.input.bytes()[..len])?;
        self.take_line(len, chunk);
        Ok(Step::Again)
    }
}

fn no_header(bytes: &[u8]) -> Refused {
    Refused::header(&bytes[..bytes.len().min(80)])
}
