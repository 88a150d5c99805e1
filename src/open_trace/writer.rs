//! Writes a stream.

use std::io::{self, Write};
use std::sync::Arc;

use super::chunk::{self, Head};
use super::decoder::{Form, later};
use super::encode::{Encoder, moves_of};
use super::header::Header;
use super::json;
use super::limits;
use super::names::Names;
use super::record::Record;

/// How long a chunk of records gets.
const CHUNK: usize = 1 << 16;
/// After how many events of a thread JSON lines get a mark.
const MARK: u64 = 1 << 16;

/// The hash of a thread's events: FNV-1a with 64 bits (Fowler, Noll and Vo, 1991).
#[derive(Clone, Copy, Debug)]
struct Hash(u64);

impl Default for Hash {
    fn default() -> Self {
        Hash(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// What is kept of a thread.
#[derive(Default)]
struct Thread {
    /// Records that wait for their chunk.
    records: Vec<u8>,
    /// The number of the last event, and of the last one that is in a chunk.
    event: u64,
    written: u64,
    hash: Hash,
    /// A hash that was told with a mark, in place of the computed one.
    told: Option<u64>,
    /// Which moves have a name in the stream, by their ids.
    is_named: Vec<bool>,
    marked: u64,
}

impl Thread {
    fn hash(&self) -> u64 {
        self.told.unwrap_or(self.hash.0)
    }

    fn head(&self, thread: u8, kind: u8, len: usize) -> Head {
        Head {
            len: len as u32,
            thread: u16::from(thread),
            kind,
            before: self.written,
            after: self.event,
            hash: self.hash(),
        }
    }
}

/// Writes records as a stream of either form. The moves of the records are those of `names`. The hash in chunks and marks
/// covers the bytes of the events in the binary form, also in JSON lines.
pub struct Writer<W: Write> {
    out: W,
    form: Form,
    header: Arc<Header>,
    names: Arc<Names>,
    threads: Vec<Thread>,
    /// The record that is being written.
    record: Vec<u8>,
}

impl<W: Write> Writer<W> {
    /// Begins a stream with its header.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(out: W, form: Form, header: Arc<Header>, names: Arc<Names>) -> io::Result<Self> {
        let mut writer = Writer {
            out,
            form,
            header,
            names,
            threads: Vec::new(),
            record: Vec::new(),
        };
        if form == Form::Binary {
            writer.out.write_all(&chunk::MAGIC)?;
        }
        let line = serde_json::to_vec(&json::write::header(&writer.header))?;
        writer.write_line(0, line)?;
        Ok(writer)
    }

    /// Writes a record of a thread. A mark without a hash gets the computed one; its number is always the counted one.
    ///
    /// # Errors
    /// If it cannot be written, or is too long for a line.
    pub fn write(&mut self, thread: u8, record: &Record) -> io::Result<()> {
        if matches!(record, Record::Search(_)) {
            self.flush()?;
            for of in &mut self.threads {
                *of = Thread {
                    is_named: std::mem::take(&mut of.is_named),
                    ..Thread::default()
                };
            }
        }
        if let Record::Mark { hash, waiting, .. } = *record {
            return self.mark(thread, hash, waiting);
        }
        self.record.clear();
        let mut encoder = Encoder {
            header: &self.header,
            bytes: &mut self.record,
        };
        let is_binary = encoder.record(record).is_ok();
        let line = match is_binary && self.form == Form::Binary {
            true => None,
            false => Some(self.line(record)?),
        };
        match line {
            None => self.make_room(thread, record)?,
            Some(_) if self.form == Form::Binary => self.end_chunk(thread)?,
            Some(_) => {}
        }
        let of = thread_of(&mut self.threads, thread);
        match *record {
            Record::Skip { events, .. } => of.event = later(of.event, events),
            _ if record.is_event() => {
                of.event = later(of.event, 1);
                of.told = None;
                of.hash.add(match &line {
                    Some(line) if !is_binary => line,
                    _ => &self.record,
                });
            }
            _ => {}
        }
        let is_due = of.event >= of.marked.saturating_add(MARK);
        match line {
            None => of.records.extend_from_slice(&self.record),
            Some(line) => self.write_line(thread, line)?,
        }
        match is_due && self.form == Form::Lines {
            true => self.mark(thread, None, false),
            false => Ok(()),
        }
    }

    /// Writes all records that wait for their chunk.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        for thread in 0..self.threads.len() {
            self.end_chunk(thread as u8)?;
        }
        self.out.flush()
    }

    /// Ends the stream, with a mark for each thread in JSON lines.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        if self.form == Form::Lines {
            for thread in 0..self.threads.len() {
                if self.threads[thread].event > self.threads[thread].marked {
                    self.mark(thread as u8, None, false)?;
                }
            }
        }
        self.flush()?;
        Ok(self.out)
    }

    /// The number of a thread's last event, and the hash of all its events in this search.
    pub fn hash(&self, thread: u8) -> (u64, u64) {
        let of = self.threads.get(usize::from(thread));
        of.map_or((0, Hash::default().0), |of| (of.event, of.hash()))
    }

    /// The line of a record, without its thread.
    fn line(&self, record: &Record) -> io::Result<Vec<u8>> {
        let lines = json::write::Lines {
            header: &self.header,
            names: &self.names,
        };
        let line = serde_json::to_vec(&lines.line(record))?;
        match line.len() < limits::CHUNK - limits::NAME {
            true => Ok(line),
            false => Err(io::Error::other("a record longer than a line may be")),
        }
    }

    fn mark(&mut self, thread: u8, hash: Option<u64>, waiting: bool) -> io::Result<()> {
        let of = thread_of(&mut self.threads, thread);
        of.told = hash.or(of.told);
        of.marked = of.event;
        let mark = Record::Mark {
            n: of.event,
            hash: Some(of.hash()),
            waiting,
        };
        if self.form == Form::Lines {
            let line = self.line(&mark)?;
            self.write_line(thread, line)?;
        } else {
            self.end_chunk(thread)?;
            if waiting {
                let head = thread_of(&mut self.threads, thread).head(thread, chunk::WAITING, 0);
                self.out.write_all(&head.bytes())?;
            }
        }
        if waiting { self.out.flush() } else { Ok(()) }
    }

    /// Writes the names that a record needs, and makes room for it in the thread's chunk.
    fn make_room(&mut self, thread: u8, record: &Record) -> io::Result<()> {
        let of = thread_of(&mut self.threads, thread);
        let mut unnamed = Vec::new();
        moves_of(&self.header, record, |m| {
            let place = m.0 as usize;
            if of.is_named.len() <= place {
                of.is_named.resize(place + 1, false);
            }
            if !m.is_none() && !std::mem::replace(&mut of.is_named[place], true) {
                unnamed.push(m);
            }
        });
        for m in unnamed {
            let of = thread_of(&mut self.threads, thread);
            let mut encoder = Encoder {
                header: &self.header,
                bytes: &mut of.records,
            };
            encoder.name(m, self.names.text(m));
            if of.records.len() >= CHUNK {
                self.end_chunk(thread)?;
            }
        }
        let of = thread_of(&mut self.threads, thread);
        match of.records.len() + self.record.len() > CHUNK {
            true => self.end_chunk(thread),
            false => Ok(()),
        }
    }

    /// Writes the records that wait, as a chunk.
    fn end_chunk(&mut self, thread: u8) -> io::Result<()> {
        let of = thread_of(&mut self.threads, thread);
        if of.records.is_empty() {
            return Ok(());
        }
        let head = of.head(thread, chunk::RECORDS, of.records.len());
        self.out.write_all(&head.bytes())?;
        self.out.write_all(&of.records)?;
        of.records.clear();
        of.written = of.event;
        Ok(())
    }

    /// Writes a line, in the binary form as a chunk of its own.
    fn write_line(&mut self, thread: u8, mut line: Vec<u8>) -> io::Result<()> {
        match self.form {
            Form::Binary => {
                line.push(b'\n');
                let of = thread_of(&mut self.threads, thread);
                let head = of.head(thread, chunk::LINES, line.len());
                of.written = of.event;
                self.out.write_all(&head.bytes())?;
            }
            Form::Lines if thread > 0 => {
                line.pop();
                writeln!(line, ",\"t\":{thread}}}")?;
            }
            Form::Lines => line.push(b'\n'),
        }
        self.out.write_all(&line)
    }
}

fn thread_of(threads: &mut Vec<Thread>, thread: u8) -> &mut Thread {
    let place = usize::from(thread);
    if threads.len() <= place {
        threads.resize_with(place + 1, Thread::default);
    }
    &mut threads[place]
}
