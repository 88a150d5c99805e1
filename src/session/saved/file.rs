//! The file of saved searches.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use lz4_flex::frame::{BlockMode, BlockSize, FrameDecoder, FrameEncoder, FrameInfo};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::index::{Grown, SavedIndex};
use super::trace::{SavedRecording, SavedTrace, Traces};
use super::{SavedOrigin, SavedSearch};
use games::Document;
use search::common::table::Tables;
use text::save::save;
use tree::{FATES, Tree};

/// The first line of every file, which the number of its version ends.
pub const FIRST_LINE: &str = "plyscope session, version ";
/// The version of the format.
pub const VERSION: u32 = 1;
/// The end of a file, which says that nothing is missing.
const END: &[u8; 4] = b"end\n";
/// A longer index is not one of ours.
const LONGEST_INDEX: u32 = 256 << 20;

/// How far a file has been written or read; shared with whoever waits for it.
#[derive(Debug, Default)]
pub struct Progress {
    done: AtomicU64,
    all: AtomicU64,
    stop: AtomicBool,
}

impl Progress {
    /// Returns the part that is done, from 0 to 1.
    pub fn share(&self) -> f64 {
        let all = self.all.load(Relaxed).max(1);
        (self.done.load(Relaxed) as f64 / all as f64).min(1.0)
    }

    /// Makes the transfer end with an error as soon as possible.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    fn goes(&self, bytes: u64) -> bool {
        self.done.fetch_add(bytes, Relaxed);
        !self.stop.load(Relaxed)
    }
}

/// Why a file of saved searches cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("{0}")]
    Unreadable(io::Error),
    #[error("found no saved session, expected a file that begins with {FIRST_LINE:?}")]
    Foreign,
    #[error("found version {found} of the format (written by plyscope {by}), expected version {VERSION}: {}", advice(*.found))]
    Version { found: u32, by: String },
    #[error(
        "written by plyscope {by}, which lays out its trees in another way: that plyscope opens it"
    )]
    Layout { by: String },
    #[error("the file is damaged ({0}): nothing of it can be used")]
    Damaged(String),
    /// Another program's search can't be read from its trace again.
    #[error("{0}")]
    Trace(String),
    #[error("there is not enough memory for its trees")]
    Memory,
    #[error("stopped")]
    Stopped,
}

fn advice(found: u32) -> &'static str {
    if found > VERSION {
        "a newer plyscope opens it"
    } else {
        "the plyscope that wrote it opens it"
    }
}

/// What a file says of all its searches, in front of their trees.
#[derive(Debug, Serialize, Deserialize)]
struct Contents {
    /// The version of the program that wrote it.
    plyscope: String,
    /// What a node's bits mean: the version of its layout, and the fates in their order.
    layout: u32,
    fates: Vec<String>,
    /// What the writer keeps beside the searches.
    view: Value,
    searches: Vec<SavedIndex>,
    /// The traces from which searches of other programs are read again.
    #[serde(default)]
    traces: Vec<SavedTrace>,
    /// What of them is open.
    #[serde(default)]
    open: Option<SavedRecording>,
    /// The bytes of trees and tables, before compression.
    bytes: u64,
}

/// Whether a file begins like saved searches.
pub fn is_saved(path: &Path) -> bool {
    // A pipe would keep whoever opens it waiting.
    let file = path.is_file().then(|| File::open(path).ok()).flatten();
    let mut beginning = Vec::new();
    let length = FIRST_LINE.len() as u64;
    let read = file.and_then(|file| file.take(length).read_to_end(&mut beginning).ok());
    read.is_some() && beginning.starts_with(FIRST_LINE.as_bytes())
}

/// What is kept in a file.
#[derive(Debug, Default)]
pub struct Kept {
    /// Whatever else than searches is to be found there again.
    pub view: Value,
    pub searches: Vec<SavedSearch>,
    /// The trace that is open, and the entry of it.
    pub trace: Option<(Document, usize)>,
}

impl From<SavedSearch> for Kept {
    /// A search alone.
    fn from(search: SavedSearch) -> Kept {
        Kept {
            searches: vec![search],
            ..Kept::default()
        }
    }
}

/// Writes searches to a file. A file that is there already is replaced when all is written. The trace of another program's search
/// is written beside it, unless it is in a file already.
///
/// # Errors
/// If it cannot be written, or was [stopped](Progress::stop); the file is then as it was before.
pub fn write(path: &Path, kept: &Kept, progress: &Progress) -> io::Result<()> {
    let mut traces = Traces::beside(path);
    let searches = kept.searches.iter();
    let searches = searches.map(|search| SavedIndex::of(search, &mut traces));
    let searches = searches.collect::<io::Result<Vec<_>>>()?;
    let open = kept
        .trace
        .as_ref()
        .and_then(|(document, i)| document.entry(*i).ok());
    let open = open.and_then(|entry| entry.recorded);
    let open = open.map(|recorded| traces.add(&*recorded)).transpose()?;
    let contents = Contents {
        plyscope: env!("CARGO_PKG_VERSION").into(),
        layout: Tree::FORMAT,
        fates: FATES.iter().map(|fate| fate.name.into()).collect(),
        view: kept.view.clone(),
        searches,
        traces: traces.all(),
        open,
        bytes: kept.searches.iter().map(SavedSearch::bytes).sum(),
    };
    progress.all.store(contents.bytes, Relaxed);
    save(path, |out| {
        writeln!(
            out,
            "{FIRST_LINE}{VERSION} (plyscope {})",
            contents.plyscope
        )?;
        let info = FrameInfo::new()
            .block_mode(BlockMode::Linked)
            .block_size(BlockSize::Max1MB)
            .block_checksums(true)
            .content_checksum(true);
        let mut frame = FrameEncoder::with_frame_info(info, out);
        let index = serde_json::to_vec(&contents)?;
        frame.write_all(&(index.len() as u32).to_le_bytes())?;
        frame.write_all(&index)?;
        let goes = |bytes| progress.goes(bytes);
        for search in kept.searches.iter().filter(|search| !search.is_told()) {
            search.tree.write(&mut frame, &goes)?;
            if let Some(tables) = &search.tables {
                tables.write(&mut frame, &goes)?;
            }
            if let SavedOrigin::Kept(_, tree, tables) = &search.origin {
                tree.write(&mut frame, &goes)?;
                tables.write(&mut frame, &goes)?;
            }
        }
        frame.write_all(END)?;
        frame.finish().map_err(io::Error::other)?;
        Ok(())
    })
}

/// Reads what [`write()`] has written.
///
/// # Errors
/// If the file cannot be read, is no such file, is of another version, or is damaged in any way; then nothing of it is
/// returned.
pub fn read(path: &Path, progress: &Progress) -> Result<Kept, ReadError> {
    let file = File::open(path).map_err(ReadError::Unreadable)?;
    let mut file = BufReader::with_capacity(1 << 20, file);
    read_version(&mut file)?;
    let mut frame = FrameDecoder::new(file);
    let damaged = |what: &str| ReadError::Damaged(what.into());
    let mut length = [0; 4];
    frame.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length);
    if length > LONGEST_INDEX {
        return Err(damaged("its index"));
    }
    let mut index = Vec::new();
    (&mut frame)
        .take(u64::from(length))
        .read_to_end(&mut index)?;
    let contents: Contents = serde_json::from_slice(&index).map_err(|e| damaged(&e.to_string()))?;
    let fates = FATES.iter().map(|fate| fate.name);
    if contents.layout != Tree::FORMAT || !fates.eq(contents.fates.iter().map(String::as_str)) {
        return Err(ReadError::Layout {
            by: contents.plyscope,
        });
    }
    progress.all.store(contents.bytes, Relaxed);
    let goes = |bytes| progress.goes(bytes);
    let mut searches = Vec::new();
    let traces = contents.traces.iter().map(|trace| trace.open(path));
    let traces = traces.collect::<Result<Vec<_>, _>>()?;
    // A search without a screen has kept nothing of one.
    let open = contents
        .open
        .or_else(|| contents.searches.first()?.recorded);
    let open = open.map(|open| open.entry(&traces)).transpose()?;
    let trace = open.map(|(document, i, _)| (document.clone(), i));
    for index in contents.searches {
        if let Some(told) = index.recorded {
            let (_, _, entry) = told.entry(&traces)?;
            searches.push(index.told(&entry));
            continue;
        }
        let tree = Tree::read(&mut frame, &goes)?;
        let tables = index
            .tables
            .then(|| Tables::read(&mut frame, &goes))
            .transpose()?;
        let origin = match index.has_origin() {
            true => Some((
                Tree::read(&mut frame, &goes)?,
                Tables::read(&mut frame, &goes)?,
            )),
            false => None,
        };
        let grown = Grown {
            tree,
            tables,
            origin,
        };
        searches.push(index.search(grown).map_err(ReadError::Damaged)?);
    }
    let mut rest = Vec::new();
    // Reading to the end checks the whole content's checksum.
    frame.take(1 << 10).read_to_end(&mut rest)?;
    if rest != END {
        return Err(damaged("its end is missing"));
    }
    Ok(Kept {
        view: contents.view,
        searches,
        trace,
    })
}

/// Reads only as much of a file as says whether [`read`] can read it.
///
/// # Errors
/// As [`read`]; that it is damaged further on is not noticed.
pub fn check_version(path: &Path) -> Result<(), ReadError> {
    let file = File::open(path).map_err(ReadError::Unreadable)?;
    read_version(&mut BufReader::new(file))
}

/// Reads the first line.
fn read_version(file: &mut impl BufRead) -> Result<(), ReadError> {
    /// No first line is longer.
    const LONGEST: u64 = 200;
    let mut line = Vec::new();
    file.take(LONGEST)
        .read_until(b'\n', &mut line)
        .map_err(ReadError::Unreadable)?;
    let line = String::from_utf8_lossy(&line);
    let rest = line.strip_prefix(FIRST_LINE).ok_or(ReadError::Foreign)?;
    let (version, by) = rest
        .trim_end()
        .split_once(' ')
        .unwrap_or((rest.trim_end(), ""));
    let found = version
        .parse()
        .map_err(|_| ReadError::Damaged("its first line".into()))?;
    if found != VERSION {
        let by = by.trim_start_matches("(plyscope ").trim_end_matches(')');
        let by = if by.is_empty() { "?" } else { by }.to_owned();
        return Err(ReadError::Version { found, by });
    }
    Ok(())
}

/// An error while reading the compressed part.
impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> ReadError {
        match error.kind() {
            io::ErrorKind::Interrupted => ReadError::Stopped,
            io::ErrorKind::OutOfMemory => ReadError::Memory,
            io::ErrorKind::UnexpectedEof => ReadError::Damaged("it ends too early".into()),
            _ => ReadError::Damaged(error.to_string()),
        }
    }
}
