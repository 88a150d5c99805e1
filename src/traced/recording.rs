//! A stream as searches that a job can read.

use std::convert::Infallible;
use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::source::{InFile, Source};
use open_trace::{Header, Names, Only, Point, Reader, Record, Refused, SearchStart, Troubles};
use search::Recorded;

/// One search of a stream; of a depth-first one a single thread.
#[derive(Clone, Debug)]
pub struct Recording {
    source: Arc<dyn Source>,
    header: Arc<Header>,
    names: Arc<Names>,
    only: Only,
    /// Where its first record is.
    from: Point,
    /// What the program said at its beginning.
    pub start: SearchStart,
}

/// What a stream has in it.
#[derive(Debug)]
pub struct Contents {
    pub header: Arc<Header>,
    pub recordings: Vec<Recording>,
    pub troubles: Troubles,
    /// The events of all searches and threads.
    pub events: u64,
}

/// A search as it was found.
struct Found {
    number: u32,
    threads: Vec<u8>,
    from: Point,
    start: SearchStart,
}

impl Contents {
    /// Looks through a whole stream that has ended.
    ///
    /// # Errors
    /// If it has no header that can be read, or cannot be read at all.
    pub fn of(source: Arc<dyn Source>) -> Result<Contents, Refused> {
        let bytes = source.open(0).map_err(|_| Refused::Empty)?;
        let mut reader = Reader::at(bytes, Point::start(source.names()));
        let header = reader.read_header()?.ok_or(Refused::Empty)?;
        // What breakpoints and filters can name.
        super::reasons::Reasons::new(&header);
        let names = Arc::clone(reader.names());
        let mut found: Vec<Found> = Vec::new();
        let mut events = 0;
        let mut from = reader.point();
        while let Some((at, record)) = reader.next()? {
            let start = match record {
                Record::Search(start) => Some(start.clone()),
                _ => None,
            };
            let mut more = u64::from(record.is_event());
            if start.is_some() {
                from = reader.point();
            }
            // The rest of a chunk is of the same search and thread.
            let counted: Result<(), Infallible> = reader.run(|_, record| {
                more += u64::from(record.is_event());
                Ok(())
            });
            let Ok(()) = counted;
            events += more;
            if found.iter().all(|search| search.number != at.search) {
                found.push(Found {
                    number: at.search,
                    threads: Vec::new(),
                    from: from.clone(),
                    start: start.unwrap_or_default(),
                });
            }
            let search = found
                .iter_mut()
                .rev()
                .find(|search| search.number == at.search);
            if let Some(search) = search.filter(|_| more > 0)
                && !search.threads.contains(&at.thread)
            {
                search.threads.push(at.thread);
            }
        }
        let troubles = reader.troubles().clone();
        drop(reader);
        let mut recordings = Vec::new();
        for search in found {
            let threads: Vec<Option<u8>> = match header.order {
                open_trace::Order::BestFirst => vec![None],
                open_trace::Order::DepthFirst => search.threads.iter().copied().map(Some).collect(),
            };
            for thread in threads {
                recordings.push(Recording {
                    source: Arc::clone(&source),
                    header: Arc::clone(&header),
                    names: Arc::clone(&names),
                    only: Only {
                        search: search.number,
                        thread,
                    },
                    from: search.from.clone(),
                    start: search.start.clone(),
                });
            }
        }
        Ok(Contents {
            header,
            recordings,
            troubles,
            events,
        })
    }

    /// Looks through a recorded file.
    ///
    /// # Errors
    /// As [`Contents::of`].
    pub fn of_file(path: &Path) -> Result<Contents, Refused> {
        Contents::of(Arc::new(InFile::new(path)))
    }
}

/// The searches of a stream that is still coming, one after another.
pub struct Coming {
    source: Arc<dyn Source>,
    reader: Reader<Box<dyn Read + Send>>,
    /// The search that has begun, until its first event tells its thread.
    begun: Option<(Point, SearchStart)>,
    /// How many were returned.
    returned: u32,
}

impl fmt::Debug for Coming {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Coming")
            .field("source", &self.source)
            .finish_non_exhaustive()
    }
}

/// What has come of a stream.
#[derive(Debug)]
pub enum Came {
    Search(Box<Recording>),
    /// Nothing new within some milliseconds.
    Nothing,
    End,
}

impl Coming {
    /// # Errors
    /// If the stream cannot be read.
    pub fn of(source: Arc<dyn Source>) -> io::Result<Coming> {
        let reader = Reader::new(source.open(0)?);
        Ok(Coming {
            source,
            reader,
            begun: None,
            returned: 0,
        })
    }

    /// Returns the next search of which an event has come. Of a depth-first search with several threads this is the thread that
    /// told something first.
    ///
    /// # Errors
    /// If the stream has no header that can be read.
    pub fn look(&mut self) -> Result<Came, Refused> {
        if self.reader.header().is_none() && self.reader.read_header()?.is_none() {
            return Ok(Came::Nothing);
        }
        if self.begun.is_none() && self.returned == 0 {
            self.begun = Some((self.reader.point(), SearchStart::default()));
        }
        loop {
            let read = self.reader.next()?.map(|(at, record)| match record {
                Record::Search(start) => (at, Some(start.clone()), false),
                record => (at, None, record.is_event()),
            });
            let Some((at, start, is_event)) = read else {
                return Ok(match self.reader.is_over() {
                    true => Came::End,
                    false => Came::Nothing,
                });
            };
            if let Some(start) = start {
                self.begun = Some((self.reader.point(), start));
            } else if is_event && let Some((from, start)) = self.begun.take() {
                self.returned += 1;
                let header = self.reader.header().cloned().ok_or(Refused::Empty)?;
                super::reasons::Reasons::new(&header);
                let thread = (header.order == open_trace::Order::DepthFirst).then_some(at.thread);
                return Ok(Came::Search(Box::new(Recording {
                    source: Arc::clone(&self.source),
                    names: Arc::clone(self.reader.names()),
                    header,
                    only: Only {
                        search: at.search,
                        thread,
                    },
                    from,
                    start,
                })));
            }
        }
    }
}

impl Recording {
    /// The thread that it is of, in a depth-first search.
    pub fn thread(&self) -> Option<u8> {
        self.only.thread
    }

    /// The number of the search in its stream, from 0.
    pub fn search(&self) -> u32 {
        self.only.search
    }
}

impl Recorded for Recording {
    fn header(&self) -> &Header {
        &self.header
    }

    fn names(&self) -> &Arc<Names> {
        &self.names
    }

    fn start(&self) -> &SearchStart {
        &self.start
    }

    fn search(&self) -> u32 {
        self.only.search
    }

    fn thread(&self) -> Option<u8> {
        self.only.thread
    }

    fn reader(&self) -> Option<Reader<Box<dyn Read + Send>>> {
        let bytes = self.source.open(self.from.offset).ok()?;
        let mut reader = Reader::at(bytes, self.from.clone());
        reader.only(self.only);
        Some(reader)
    }

    fn is_whole(&self) -> bool {
        self.source.is_whole()
    }

    fn is_in_a_file(&self) -> bool {
        self.source.is_in_a_file()
    }

    fn save(&self, wanted: &Path) -> io::Result<PathBuf> {
        self.source.save(wanted)
    }

    fn is_over(&self) -> bool {
        self.source.is_over()
    }

    fn pause(&self, paused: bool) {
        self.source.pause(paused);
    }

    fn allow(&self, until: Option<u64>) {
        self.source.allow(until);
    }
}
