//! The traces of other programs' searches: a file of saved searches names them, and they are read from there again.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::ReadError;
use games::{Document, Entry};
use open_trace::Names;
use search::Recorded;

/// A trace, as a file of saved searches names it.
#[derive(Debug, Serialize, Deserialize)]
pub struct SavedTrace {
    /// A name in the folder of that file, or else a whole path.
    path: PathBuf,
    bytes: u64,
    /// Its last bytes, by which it is known again.
    end: Vec<u8>,
    /// The names of moves in the order of their numbers, which in another reading may come in another order.
    names: Vec<String>,
}

/// One search of a trace.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct SavedRecording {
    /// The trace's place in the file.
    trace: usize,
    search: u32,
    thread: Option<u8>,
}

/// The last bytes that are compared.
const END_BYTES: u64 = 64;

/// The traces of the searches that are saved together.
#[derive(Debug)]
pub struct Traces<'a> {
    /// The file to be written.
    file: &'a Path,
    found: Vec<(Arc<Names>, SavedTrace)>,
}

impl Traces<'_> {
    pub fn beside(file: &Path) -> Traces<'_> {
        Traces {
            file,
            found: Vec::new(),
        }
    }

    /// Adds the trace of a search. One that is in no file yet is written beside the searches.
    ///
    /// # Errors
    /// If it can't be written or read.
    pub fn add(&mut self, recorded: &dyn Recorded) -> io::Result<SavedRecording> {
        let names = recorded.names();
        let known = self.found.iter();
        let known = known
            .map(|(of, _)| of)
            .position(|of| Arc::ptr_eq(of, names));
        let trace = match known {
            Some(trace) => trace,
            None => {
                let path = recorded.save(&self.free_name())?;
                let trace = SavedTrace::of(&path, self.file, names)?;
                self.found.push((Arc::clone(names), trace));
                self.found.len() - 1
            }
        };
        Ok(SavedRecording {
            trace,
            search: recorded.search(),
            thread: recorded.thread(),
        })
    }

    pub fn all(self) -> Vec<SavedTrace> {
        self.found.into_iter().map(|(_, trace)| trace).collect()
    }

    /// A name beside the file that nothing has yet.
    fn free_name(&self) -> PathBuf {
        let stem = self.file.file_stem().unwrap_or_default();
        let name = |n: u32| {
            let mut name = stem.to_owned();
            if n > 1 {
                name.push(format!("-{n}"));
            }
            name.push(".plytrace");
            self.file.with_file_name(name)
        };
        let free = (1..).map(name).find(|path| !path.exists());
        free.unwrap_or_else(|| name(1))
    }
}

impl SavedTrace {
    fn of(path: &Path, beside: &Path, names: &Names) -> io::Result<SavedTrace> {
        let whole = std::path::absolute(path)?;
        let folder = std::path::absolute(beside)?;
        let here = folder
            .parent()
            .and_then(|folder| whole.strip_prefix(folder).ok());
        let here = here.filter(|name| name.components().count() == 1);
        let (bytes, end) = size_and_end(path)?;
        Ok(SavedTrace {
            path: here.unwrap_or(&whole).to_owned(),
            bytes,
            end,
            names: names.all().map(str::to_owned).collect(),
        })
    }

    /// Opens it for a file of saved searches. Where it is not in its place, it may be beside that file.
    ///
    /// # Errors
    /// If it is not there, is not the same, or can't be read.
    pub fn open(&self, file: &Path) -> Result<Document, ReadError> {
        let folder = file.parent().unwrap_or(Path::new(""));
        let beside = self.path.file_name().map(|name| folder.join(name));
        let places = [Some(folder.join(&self.path)), beside];
        let found = places.iter().flatten().find(|place| place.is_file());
        let Some(path) = found else {
            let name = self.path.display();
            return Err(ReadError::Trace(format!(
                "{name}: found no such file, expected the trace of its search there or beside it"
            )));
        };
        let (bytes, end) = size_and_end(path).map_err(ReadError::Unreadable)?;
        if (bytes, &end) != (self.bytes, &self.end) {
            let name = path.display();
            return Err(ReadError::Trace(format!(
                "{name}: found another trace of {}, expected the one of {} that was saved: keep a copy of a trace that its program writes anew",
                text::bytes(bytes),
                text::bytes(self.bytes),
            )));
        }
        let names = Arc::new(Names::default());
        for name in &self.names {
            names.intern(name);
        }
        Document::of_trace(path, names).map_err(|error| ReadError::Trace(error.to_string()))
    }
}

impl SavedRecording {
    fn is_of(self, entry: &Entry) -> bool {
        let recorded = entry.recorded.as_deref();
        recorded.is_some_and(|recorded| {
            (recorded.search(), recorded.thread()) == (self.search, self.thread)
        })
    }

    /// Finds the search in the opened traces: the trace, and its entry there.
    ///
    /// # Errors
    /// If there is no such search.
    pub fn entry(self, traces: &[Document]) -> Result<(&Document, usize, Entry), ReadError> {
        let document = traces.get(self.trace);
        let found = document.and_then(|document| {
            let mut entries =
                (0..document.len()).filter_map(|i| Some((i, document.entry(i).ok()?)));
            let (i, entry) = entries.find(|(_, entry)| self.is_of(entry))?;
            Some((document, i, entry))
        });
        found.ok_or_else(|| ReadError::Trace("its trace has no such search".into()))
    }
}

/// The size of a file, and its last bytes.
fn size_and_end(path: &Path) -> io::Result<(u64, Vec<u8>)> {
    let mut file = File::open(path)?;
    let bytes = file.metadata()?.len();
    file.seek(SeekFrom::Start(bytes.saturating_sub(END_BYTES)))?;
    let mut end = Vec::new();
    file.take(END_BYTES).read_to_end(&mut end)?;
    Ok((bytes, end))
}
