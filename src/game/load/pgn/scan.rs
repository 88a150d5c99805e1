//! Searches a file for its games block by block. The first block is read at once, the others by a background thread,
//! and only the summaries stay in memory.

use std::{
    collections::VecDeque,
    io::{self, Read},
    ops::Range,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak},
    thread,
};

use super::{
    index::Indexer,
    source::{LineEnds, Source},
    summary::{Chunk, ChunkBuilder, GameSummary, Tags},
};
use crate::load::LoadError;

/// The size of a block in bytes.
const BLOCK: usize = 1 << 20;
/// A longer line is processed in pieces, because it cannot be a line of a game.
const LONGEST_LINE: usize = 4 << 20;
/// If the tags of a game take up more, the rest of them is ignored.
const LONGEST_HEAD: usize = 1 << 18;

/// The games found so far, shared with the thread that searches for more.
#[derive(Debug, Default)]
pub(super) struct List {
    found: Mutex<Found>,
    more: Condvar,
}

#[derive(Debug, Default)]
struct Found {
    chunks: Vec<Arc<Chunk>>,
    games: usize,
    /// The number of bytes searched.
    read: u64,
    complete: bool,
    fault: Option<LoadError>,
}

impl List {
    fn found(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn len(&self) -> usize {
        self.found().games
    }

    pub(super) fn is_complete(&self) -> bool {
        self.found().complete
    }

    /// Returns the number of bytes searched.
    pub(super) fn read(&self) -> u64 {
        self.found().read
    }

    /// Returns the error that ended the search early.
    pub(super) fn fault(&self) -> Option<LoadError> {
        self.found().fault.clone()
    }

    pub(super) fn summary(&self, i: usize) -> Option<GameSummary> {
        let found = self.found();
        let at = found.chunks.partition_point(|c| c.first <= i);
        let chunk = found.chunks.get(at.checked_sub(1)?)?;
        GameSummary::new(chunk, i - chunk.first)
    }

    /// Returns the chunks with the games of a range.
    pub(super) fn chunks_of(&self, games: Range<usize>) -> Vec<Arc<Chunk>> {
        let found = self.found();
        let begin = found
            .chunks
            .partition_point(|c| c.first + c.len() <= games.start);
        let rest = found.chunks[begin..].iter();
        rest.take_while(|c| c.first < games.end).cloned().collect()
    }

    pub(super) fn chunks(&self) -> Vec<Arc<Chunk>> {
        self.found().chunks.clone()
    }

    /// Waits until game `i` is found. Returns `false` if there is no such game.
    pub(super) fn wait_for(&self, i: usize) -> bool {
        let waiting = |found: &mut Found| found.games <= i && !found.complete;
        let found = self.more.wait_while(self.found(), waiting);
        found.unwrap_or_else(PoisonError::into_inner).games > i
    }

    fn publish(&self, chunk: Option<Chunk>, read: u64) {
        let mut found = self.found();
        if let Some(chunk) = chunk {
            found.games += chunk.len();
            found.chunks.push(Arc::new(chunk));
        }
        found.read = read;
        self.more.notify_all();
    }

    fn end(&self, fault: Option<LoadError>) {
        let mut found = self.found();
        found.fault = fault;
        found.complete = true;
        self.more.notify_all();
    }
}

/// Marks the list as complete when dropped, so that nobody waits for a thread that is gone.
struct Ended<'a>(&'a Weak<List>);

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        if let Some(list) = self.0.upgrade()
            && !list.is_complete()
        {
            list.end(Some(LoadError::message("the search for games ended early")));
        }
    }
}

/// A pass through a source.
pub(super) struct Scan {
    source: Source,
    reader: Box<dyn Read + Send>,
    ends: LineEnds,
    /// Bytes that were read and are still needed.
    buffer: Vec<u8>,
    /// The offset of the buffer in the file.
    base: usize,
    /// The offset of the next line in the buffer.
    line: usize,
    number: u32,
    indexer: Indexer,
    /// The tags of games whose end is not known yet.
    tags: VecDeque<Tags>,
    games: ChunkBuilder,
    /// The number of games published.
    count: usize,
}

impl Scan {
    /// # Errors
    /// If the source cannot be read.
    pub(super) fn new(source: Source) -> io::Result<Scan> {
        Ok(Scan {
            reader: source.reader(0)?,
            source,
            ends: LineEnds::default(),
            buffer: Vec::new(),
            base: 0,
            line: 0,
            number: 0,
            indexer: Indexer::default(),
            tags: VecDeque::new(),
            games: ChunkBuilder::default(),
            count: 0,
        })
    }

    /// How lines end; known after the first block.
    pub(super) fn ends(&self) -> LineEnds {
        self.ends
    }

    /// Searches until there is at least one game. A thread finds the rest; it stops when the list is dropped.
    pub(super) fn start(mut self, list: &Arc<List>) -> LineEnds {
        let mut more = true;
        while more && list.len() == 0 {
            more = self.step(list);
        }
        let ends = self.ends();
        if more {
            let held = Arc::downgrade(list);
            let thread = thread::Builder::new().name("games".to_owned());
            if let Err(error) = thread.spawn(move || self.run(&held)) {
                let text = format!("cannot start a thread to find the other games ({error})");
                list.end(Some(LoadError::message(text)));
            }
        }
        ends
    }

    fn run(mut self, held: &Weak<List>) {
        let _ended = Ended(held);
        while let Some(list) = held.upgrade() {
            if !self.step(&list) {
                return;
            }
        }
    }

    /// Processes one block and publishes its games. Returns `false` for the last block.
    fn step(&mut self, list: &List) -> bool {
        let more = self.block();
        let chunk = self.games.take(self.count);
        self.count += chunk.as_ref().map_or(0, Chunk::len);
        list.publish(chunk, (self.base + self.line) as u64);
        let end = match more {
            Ok(true) => return true,
            Ok(false) => self.source.unchanged(),
            Err(error) => Err(error),
        };
        list.end(end.err().map(|e| self.source.error(&e)));
        false
    }

    fn block(&mut self) -> io::Result<bool> {
        self.forget();
        let before = self.buffer.len();
        let read = self.reader.by_ref().take(BLOCK as u64);
        let count = { read }.read_to_end(&mut self.buffer)?;
        if self.base == 0 && before == 0 {
            self.ends = LineEnds::of(&self.buffer);
        }
        let from = before.saturating_sub(LineEnds::SPLIT);
        self.ends.plain(&mut self.buffer[from..]);
        while let Some(length) = memchr::memchr(b'\n', &self.buffer[self.line..]) {
            self.take_line(self.line + length, 1);
        }
        let last = count < BLOCK;
        if last || self.buffer.len() - self.line > LONGEST_LINE {
            self.take_line(self.buffer.len(), 0);
        }
        if last {
            self.indexer.finish(self.base + self.buffer.len());
            self.take_found();
        }
        Ok(!last)
    }

    /// Removes from the buffer what is no longer needed.
    fn forget(&mut self) {
        let position = self.base + self.line;
        if let Some(head) = self.indexer.head()
            && position - head > LONGEST_HEAD
        {
            self.indexer.end_head(position);
            self.take_found();
        }
        let keep = self.indexer.head().unwrap_or(position) - self.base;
        self.buffer.drain(..keep);
        self.base += keep;
        self.line -= keep;
    }

    /// Passes a line to the indexer and continues after its line end of `ending` bytes.
    fn take_line(&mut self, end: usize, ending: usize) {
        self.number = self.number.saturating_add(1);
        let line = &self.buffer[self.line..end];
        self.indexer.line(line, self.base + self.line, self.number);
        self.line = end + ending;
        self.take_found();
    }

    fn take_found(&mut self) {
        for head in self.indexer.heads.drain(..) {
            let bytes = &self.buffer[head.start - self.base..head.end - self.base];
            self.tags.push_back(Tags::read(bytes));
        }
        for span in self.indexer.closed.drain(..) {
            let tags = self.tags.pop_front().unwrap_or_default();
            self.games.push(span, tags);
        }
    }
}
