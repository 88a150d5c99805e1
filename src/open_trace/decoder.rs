//! The state of a reader between two records, from which reading can go on at the same place later.

use std::sync::Arc;

use super::binary::Context;
use super::chunk::{self, Head};
use super::header::{Header, NumberUnit, Refused};
use super::limits;
use super::names::{MoveId, Names};
use super::record::{At, Record};
use super::sense::{self, Expanded, Nest};
use super::trouble::{Cause, Place, Troubles};

/// The two forms of a stream.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Form {
    Lines,
    Binary,
}

/// The units of the declared reasons' numbers, by the reason's number.
#[derive(Debug, Default)]
pub(crate) struct Declared(Vec<Option<Box<[NumberUnit]>>>);

impl Declared {
    fn of(header: &Header) -> Self {
        let mut by_number = vec![None; 256];
        for reason in &header.reasons {
            let units = reason.numbers.iter().map(|number| number.unit);
            by_number[usize::from(reason.n)] = Some(units.collect());
        }
        Declared(by_number)
    }

    #[inline]
    pub(crate) fn units(&self, reason: u8) -> Option<&[NumberUnit]> {
        self.0.get(usize::from(reason))?.as_deref()
    }
}

/// What was wrong so far, and the place of the record that is being read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Noted {
    pub troubles: Troubles,
    pub place: Place,
}

impl Noted {
    #[cold]
    pub(crate) fn note(&mut self, cause: Cause) {
        self.troubles.add(cause, self.place);
    }

    #[cold]
    pub(crate) fn found(&mut self, cause: Cause, found: &str) {
        self.troubles
            .add_found(cause, self.place, || text::quote(found));
    }

    /// The id of a move's name.
    pub(crate) fn intern(&mut self, names: &Names, name: &str) -> MoveId {
        let id = names.intern(name);
        if name.len() > limits::NAME {
            self.found(Cause::LongText, name);
        }
        if id.0 as usize > limits::NAMES {
            self.note(Cause::ManyNames);
        }
        id
    }
}

/// A thread of the program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Thread {
    /// The search that it is in.
    pub search: u32,
    /// The number of its last event.
    pub event: u64,
    pub context: Context,
    pub nest: Nest,
}

/// The chunk that is being read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chunk {
    pub thread: u8,
    pub is_lines: bool,
    /// How many bytes of it are not yet read.
    pub left: usize,
    /// Whether it has records that this version does not know, or that could not be read.
    pub is_uncertain: bool,
    after: u64,
    hash: u64,
}

/// The state of a [`Reader`](super::Reader) between two records.
#[derive(Clone, Debug)]
pub struct Decoder {
    pub(crate) form: Option<Form>,
    pub(crate) header: Option<Arc<Header>>,
    pub(crate) declared: Arc<Declared>,
    pub(crate) names: Arc<Names>,
    /// The search that began last, and whether anything belongs to it yet.
    search: u32,
    is_begun: bool,
    pub(crate) threads: Vec<Thread>,
    pub(crate) expanded: Expanded,
    pub(crate) chunk: Option<Chunk>,
    /// The number of lines read. 0 in the binary form.
    pub(crate) line: u64,
    /// Whether the rest of a line that is too long comes next.
    pub(crate) in_long_line: bool,
    /// Whether damaged bytes come next.
    pub(crate) is_lost: bool,
    pub(crate) noted: Noted,
}

impl Decoder {
    pub(crate) fn new(names: Arc<Names>) -> Self {
        Decoder {
            form: None,
            header: None,
            declared: Arc::default(),
            names,
            search: 0,
            is_begun: false,
            threads: Vec::new(),
            expanded: Expanded::default(),
            chunk: None,
            line: 0,
            in_long_line: false,
            is_lost: false,
            noted: Noted::default(),
        }
    }

    /// Reads the first line.
    pub(crate) fn set_header(&mut self, line: &[u8]) -> Result<(), Refused> {
        let noted = &mut self.noted;
        let header = super::header::read(line, &mut |field| {
            noted.found(Cause::BadHeader, field);
        })?;
        self.declared = Arc::new(Declared::of(&header));
        self.header = Some(Arc::new(header));
        Ok(())
    }

    /// A thread, which is a new one if it was not heard of.
    pub(crate) fn thread(&mut self, thread: u8) -> &mut Thread {
        let place = usize::from(thread);
        if self.threads.len() <= place {
            self.threads.resize(place + 1, Thread::default());
        }
        &mut self.threads[place]
    }

    pub(crate) fn at(&self, thread: u8) -> At {
        let of = self.threads.get(usize::from(thread));
        let (search, event) = of.map_or((self.search, 0), |of| (of.search, of.event));
        At {
            search,
            thread,
            event,
        }
    }

    /// Counts a record and returns its place.
    #[inline]
    pub(crate) fn count(&mut self, thread: u8, record: &Record) -> At {
        if record.is_event() {
            return self.count_event(thread);
        }
        match *record {
            Record::Search(_) => {
                if self.is_begun {
                    self.search = self.search.saturating_add(1);
                }
                self.is_begun = true;
                let search = self.search;
                let thread = self.thread(thread);
                (thread.search, thread.event) = (search, 0);
            }
            Record::Skip { events, .. } => {
                self.is_begun = true;
                let at = self.at(thread);
                let thread = self.thread(thread);
                thread.event = later(thread.event, events);
                return at;
            }
            _ => {}
        }
        self.at(thread)
    }

    #[inline]
    pub(crate) fn count_event(&mut self, thread: u8) -> At {
        self.is_begun = true;
        let of = self.thread(thread);
        of.event = later(of.event, 1);
        At {
            search: of.search,
            thread,
            event: of.event,
        }
    }

    /// In JSON lines a thread belongs to the search that began last.
    #[inline]
    pub(crate) fn join(&mut self, thread: u8) {
        let search = self.search;
        let of = self.thread(thread);
        if of.search != search {
            (of.search, of.event) = (search, 0);
            of.nest = Nest::default();
        }
    }

    /// Finds out to which search a thread's chunk belongs: its last one of a search may come after the first one of the next.
    pub(crate) fn arrive(&mut self, head: Head, thread: u8) -> &mut Thread {
        let search = self.search;
        let of = self.thread(thread);
        if of.search != search && (head.before == 0 || head.before != of.event) {
            (of.search, of.event) = (search, 0);
            of.nest = Nest::default();
        }
        of
    }

    /// Begins a chunk of records or lines.
    pub(crate) fn begin(&mut self, head: Head, thread: u8) {
        let is_lines = head.kind == chunk::LINES;
        let of = self.arrive(head, thread);
        if !is_lines && head.before != of.event {
            let counted = of.event;
            of.event = head.before;
            self.miscounted(head.before, counted);
        }
        self.is_begun |= head.after > head.before;
        self.chunk = Some(Chunk {
            thread,
            is_lines,
            left: head.len as usize,
            is_uncertain: false,
            after: head.after,
            hash: head.hash,
        });
    }

    /// Counts what makes no sense after the records before it. Lists and texts of the record are not looked at, but for the
    /// children of a node.
    pub(crate) fn look(&mut self, thread: u8, record: &Record) {
        let Some(header) = &self.header else {
            return;
        };
        let has_threads = self.threads.len() > 1;
        if let Some(of) = self.threads.get_mut(usize::from(thread)) {
            let (nest, expanded) = (&mut of.nest, &mut self.expanded);
            let noted = &mut self.noted;
            sense::look(header.order, record, nest, expanded, has_threads, noted);
        }
    }

    /// Ends a chunk, and returns the mark that its header is, with its place.
    pub(crate) fn end(&mut self, ended: Chunk) -> Option<(At, Record<'static>)> {
        self.chunk = None;
        let of = self.thread(ended.thread);
        let counted = std::mem::replace(&mut of.event, ended.after);
        if counted != ended.after && !ended.is_uncertain {
            self.miscounted(ended.after, counted);
        }
        (!ended.is_lines).then(|| {
            let mark = Record::Mark {
                n: ended.after,
                hash: Some(ended.hash),
                waiting: false,
            };
            (self.at(ended.thread), mark)
        })
    }

    /// Counts a chunk that nobody wants without reading it.
    pub(crate) fn pass_over(&mut self, head: Head, thread: u8) {
        self.begin(head, thread);
        if let Some(chunk) = &mut self.chunk {
            chunk.is_uncertain = true;
            let passed = *chunk;
            self.end(passed);
        }
    }

    /// Takes over a count that a mark tells.
    pub(crate) fn marked(&mut self, thread: u8, n: u64) {
        let of = self.thread(thread);
        if of.event != n {
            let counted = std::mem::replace(&mut of.event, n);
            let found = format!("{n}, counted {counted}");
            self.noted.found(Cause::MarkDiffers, &found);
        }
    }

    #[cold]
    fn miscounted(&mut self, told: u64, counted: u64) {
        let found = format!("{told}, counted {counted}");
        self.noted.found(Cause::EventCount, &found);
    }
}

/// The number of the event that comes so many later. There are less than 2⁶³.
#[inline]
pub(crate) fn later(event: u64, by: u64) -> u64 {
    event.saturating_add(by).min(i64::MAX as u64)
}
