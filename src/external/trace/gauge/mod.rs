//! Reads along with a stream as it arrives: how many events came, which marks were set, who waits. It decodes no records; what
//! it does not understand is the reader's business.

use std::collections::BTreeMap;

use open_trace::RecordKind;
use open_trace::limits::CHUNK;
use serde::Deserialize;
use text::{decode, quote};

use super::marks::{Comparer, MarkPlace, Marks, Parted, Repeat};

/// The first bytes of a binary stream.
const MAGIC: [u8; 8] = *b"\x89PLYTR\r\n";

/// What is known of a stream from reading along.
#[derive(Debug, Default)]
pub(super) struct Gauge {
    form: Form,
    threads: BTreeMap<u8, Thread>,
    /// The events that were made, of all searches and threads together, sent or not.
    pub events: u64,
    /// The searches that began; a stream without a word about it is one.
    pub searches: u32,
    /// Whether the header says that the program obeys the control channel.
    pub control: Option<bool>,
    pub marks: Marks,
    comparer: Option<Comparer>,
}

#[derive(Debug, Default)]
struct Thread {
    /// The number of the search that it is in, from 0.
    search: u32,
    /// The number of the last event.
    event: u64,
    waits: bool,
}

#[derive(Debug, Default)]
enum Form {
    /// Nothing has come yet.
    #[default]
    Unknown,
    Lines(Line),
    /// The first bytes, of which so many agree.
    Magic(usize),
    /// The header of a chunk, of which so many bytes have come.
    Head([u8; HEAD], usize),
    /// The payload of a chunk, of which so many bytes are missing; lines of it if it has such.
    Payload(usize, Option<(u8, Line)>),
    /// It is no stream, or its chunks can't be told apart any more.
    Lost,
}

const HEAD: usize = 32;

/// A line that is not complete yet. One that is too long is empty.
#[derive(Debug, Default)]
struct Line {
    bytes: Vec<u8>,
    is_too_long: bool,
}

impl Line {
    /// Takes bytes up to the end of a line. Returns what is left, and the line if it is complete.
    fn take<'a>(&mut self, bytes: &'a [u8]) -> (&'a [u8], Option<Vec<u8>>) {
        let end = memchr::memchr(b'\n', bytes);
        let part = &bytes[..end.unwrap_or(bytes.len())];
        self.is_too_long |= self.bytes.len() + part.len() > CHUNK;
        if self.is_too_long {
            self.bytes.clear();
        } else {
            self.bytes.extend_from_slice(part);
        }
        let Some(end) = end else {
            return (&[], None);
        };
        let line = std::mem::take(&mut self.bytes);
        self.is_too_long = false;
        (&bytes[end + 1..], Some(line))
    }
}

/// The fields of a JSON line that matter here.
#[derive(Debug, Default, Deserialize)]
struct Fields<'a> {
    #[serde(borrow, default)]
    kind: Option<&'a str>,
    #[serde(default)]
    t: Option<u8>,
}

/// The fields of `mark` and `skip`.
#[derive(Debug, Default, Deserialize)]
struct MarkFields {
    #[serde(default)]
    n: Option<u64>,
    #[serde(default)]
    hash: Option<Hash>,
    #[serde(default)]
    waiting: Option<bool>,
    #[serde(default)]
    events: Option<u64>,
}

/// A hash in hex, or a number.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Hash {
    Number(u64),
    Hex(String),
}

impl Hash {
    fn value(&self) -> Option<u64> {
        match self {
            Hash::Number(number) => Some(*number),
            Hash::Hex(text) => u64::from_str_radix(text.trim_start_matches("0x"), 16).ok(),
        }
    }
}

/// The fields of the header.
#[derive(Debug, Default, Deserialize)]
struct HeaderFields {
    #[serde(default)]
    control: Option<bool>,
}

impl Gauge {
    /// Begins to compare with the marks of another run.
    pub fn compare_with(&mut self, before: Marks, parted: Parted) {
        self.comparer = Some(Comparer::new(before, parted));
    }

    /// Notes that the program has ended its stream by itself.
    pub fn end(&mut self) {
        let ends: Vec<MarkPlace> = self
            .threads
            .iter()
            .map(|(thread, of)| MarkPlace {
                search: of.search,
                thread: *thread,
                event: of.event,
            })
            .collect();
        if let Some(comparer) = &mut self.comparer {
            comparer.compare_ends(&ends);
        }
        self.marks.end(ends);
    }

    /// Returns whether it is the same search as the one it is compared with; `None` if it is compared with none.
    pub fn repeat(&self) -> Option<Repeat> {
        Some(self.comparer.as_ref()?.found.clone())
    }

    /// Returns the number of the last event of the thread that is furthest.
    pub fn furthest(&self) -> u64 {
        let events = self.threads.values().map(|thread| thread.event);
        events.max().unwrap_or(0)
    }

    /// Returns the event at which the program waits; the last one if several threads do.
    pub fn waiting(&self) -> Option<u64> {
        let waiting = self.threads.values().filter(|thread| thread.waits);
        waiting.map(|thread| thread.event).max()
    }

    /// Takes the next bytes.
    ///
    /// # Errors
    /// If they show that it is no stream; what was found, and what was expected.
    pub fn feed(&mut self, mut bytes: &[u8]) -> Result<(), String> {
        let no_stream = |found: &[u8]| {
            let found = quote(&decode(&found[..found.len().min(64)]));
            format!(
                "sends no trace: found {found}, expected a line {{\"plyscope-trace\":1,…}} or the binary form"
            )
        };
        while !bytes.is_empty() {
            match &mut self.form {
                Form::Unknown => {
                    self.form = match bytes[0] {
                        b'{' => Form::Lines(Line::default()),
                        first if first == MAGIC[0] => Form::Magic(0),
                        _ => {
                            self.form = Form::Lost;
                            return Err(no_stream(bytes));
                        }
                    };
                }
                Form::Lines(line) => {
                    let (rest, complete) = line.take(bytes);
                    bytes = rest;
                    if let Some(line) = complete {
                        self.line(&line, None);
                    }
                }
                Form::Magic(known) => {
                    let count = bytes.len().min(MAGIC.len() - *known);
                    if bytes[..count] != MAGIC[*known..*known + count] {
                        self.form = Form::Lost;
                        return Err(no_stream(bytes));
                    }
                    *known += count;
                    bytes = &bytes[count..];
                    if *known == MAGIC.len() {
                        self.form = Form::Head([0; HEAD], 0);
                    }
                }
                Form::Head(head, known) => {
                    let count = bytes.len().min(HEAD - *known);
                    head[*known..*known + count].copy_from_slice(&bytes[..count]);
                    *known += count;
                    bytes = &bytes[count..];
                    if *known == HEAD {
                        let head = *head;
                        self.form = self.chunk(&head);
                    }
                }
                Form::Payload(missing, line) => {
                    let (now, rest) = bytes.split_at(bytes.len().min(*missing));
                    let missing = *missing - now.len();
                    bytes = rest;
                    let mut line = line.take();
                    if let Some((thread, line)) = &mut line {
                        let mut now = now;
                        while !now.is_empty() {
                            let (rest, complete) = line.take(now);
                            now = rest;
                            if let Some(complete) = complete {
                                self.line(&complete, Some(*thread));
                            }
                        }
                    }
                    self.form = if missing > 0 {
                        Form::Payload(missing, line)
                    } else {
                        // The last line of a chunk may have no end.
                        if let Some((thread, line)) = line {
                            self.line(&line.bytes, Some(thread));
                        }
                        Form::Head([0; HEAD], 0)
                    };
                }
                Form::Lost => return Ok(()),
            }
        }
        Ok(())
    }

    /// Reads the header of a chunk. Returns what follows it.
    fn chunk(&mut self, head: &[u8; HEAD]) -> Form {
        const RECORDS: u8 = 0;
        const LINES: u8 = 1;
        const WAITS: u8 = 2;
        let number = |at: usize| {
            let mut eight = [0; 8];
            eight.copy_from_slice(&head[at..at + 8]);
            u64::from_le_bytes(eight)
        };
        let length = (number(0) & 0xffff_ffff) as usize;
        let (thread, kind) = (u16::from_le_bytes([head[4], head[5]]), head[6]);
        let (before, after, hash) = (number(8), number(16), number(24));
        let Ok(thread) = u8::try_from(thread) else {
            return Form::Lost;
        };
        if length > CHUNK || after < before {
            return Form::Lost;
        }
        if matches!(kind, RECORDS | WAITS) {
            self.events = self.events.saturating_add(after - before);
            let search = self.search();
            let of = self.threads.entry(thread).or_default();
            // A thread's last chunk of one search may come after the first one of the next.
            if before == 0 || before != of.event {
                of.search = search;
            }
            self.mark(thread, after, Some(hash), kind == WAITS);
        }
        let lines = (kind == LINES).then(|| (thread, Line::default()));
        if length == 0 {
            Form::Head([0; HEAD], 0)
        } else {
            Form::Payload(length, lines)
        }
    }

    /// Reads a JSON line: of a stream of lines, or of a chunk of a thread, whose header counts the events.
    fn line(&mut self, line: &[u8], chunk: Option<u8>) {
        let Ok(fields) = serde_json::from_slice::<Fields>(line) else {
            return;
        };
        let thread = chunk.or(fields.t).unwrap_or(0);
        if chunk.is_none() {
            let search = self.search();
            self.threads.entry(thread).or_default().search = search;
        }
        match fields.kind {
            None => {
                if let Ok(header) = serde_json::from_slice::<HeaderFields>(line) {
                    self.control = self.control.or(header.control);
                }
            }
            Some("search") => {
                self.searches += 1;
                if chunk.is_none() {
                    self.threads.clear();
                }
            }
            Some("mark" | "skip") if chunk.is_none() => {
                let Ok(mark) = serde_json::from_slice::<MarkFields>(line) else {
                    return;
                };
                if let Some(skipped) = mark.events {
                    self.count(thread, skipped);
                }
                if let Some(event) = mark.n {
                    let hash = mark.hash.as_ref().and_then(Hash::value);
                    self.mark(thread, event, hash, mark.waiting == Some(true));
                }
            }
            Some(kind)
                if chunk.is_none() && RecordKind::named(kind).is_some_and(RecordKind::is_event) =>
            {
                self.count(thread, 1);
            }
            Some(_) => {}
        }
    }

    /// Counts events of a stream of lines.
    fn count(&mut self, thread: u8, events: u64) {
        self.events = self.events.saturating_add(events);
        let thread = self.threads.entry(thread).or_default();
        thread.event = thread.event.saturating_add(events);
        thread.waits = false;
    }

    fn mark(&mut self, thread: u8, event: u64, hash: Option<u64>, waits: bool) {
        let of = self.threads.entry(thread).or_default();
        (of.event, of.waits) = (event, waits);
        let search = of.search;
        let Some(hash) = hash else { return };
        let place = MarkPlace {
            search,
            thread,
            event,
        };
        if let Some(comparer) = &mut self.comparer {
            comparer.compare(place, hash);
        }
        self.marks.set(place, hash);
    }

    /// Returns the number of the search that began last, from 0.
    fn search(&self) -> u32 {
        self.searches.saturating_sub(1)
    }
}

#[cfg(test)]
mod tests;
