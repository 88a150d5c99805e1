//! A file in which a run's results are saved as they come, one JSON object a line, so that an interrupted run can be
//! continued. Its first line identifies the run.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Seek, Write};
use std::marker::PhantomData;
use std::path::Path;

use serde::{Serialize, de::DeserializeOwned};

use game::load::LoadError;
use text::{files, quote};

/// Identifies a run: a run with a different header cannot continue with these results.
pub trait RunHeader: Serialize + DeserializeOwned {
    /// What the file is, for messages: "a record of plyscope suite".
    const RECORD: &str;

    /// Returns what must be the same, one entry each, as it is shown in a message.
    fn fields(&self) -> Vec<String>;
}

/// One result of a run.
pub trait Recorded: Serialize + DeserializeOwned {
    type Header: RunHeader;
    /// What there is only one result of.
    type Key: Ord;

    fn key(&self) -> Self::Key;

    /// Whether the run with this header can have such a result.
    fn belongs_to(&self, header: &Self::Header) -> bool;

    /// Returns what a line should hold, for messages.
    fn expected(header: &Self::Header) -> String;
}

/// An open record of results of type `R`. Another run cannot open it meanwhile.
#[derive(Debug)]
pub struct Record<R> {
    file: File,
    results: PhantomData<fn() -> R>,
}

impl<R: Recorded> Record<R> {
    /// Opens the record of this run, or creates it, and reads its contents. An incomplete last line is dropped.
    ///
    /// # Errors
    /// If the file cannot be read or written, belongs to another run or is no record at all, or is damaged in the
    /// middle.
    pub fn open(path: &Path, header: &R::Header) -> Result<(Record<R>, Vec<R>), LoadError> {
        let name = path.to_string_lossy();
        Self::read(path, header).map_err(|e| e.in_file(&name))
    }

    fn read(path: &Path, header: &R::Header) -> Result<(Record<R>, Vec<R>), LoadError> {
        let unusable =
            |e: io::Error| LoadError::new(format!("no way to use it ({e})"), "a writable file");
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .map_err(unusable)?;
        files::check(&file.metadata().map_err(unusable)?).map_err(unusable)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(LoadError::new("another run at work on it", "no other run"));
            }
            // Some file systems have no locks; the record is then not locked.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let bytes = files::read_all(&file).map_err(unusable)?;
        let mut first = line(header).map_err(unusable)?;
        let whole = if first.starts_with(&bytes) {
            // The file is new, or the run ended while the header was being written.
            file.set_len(0).map_err(unusable)?;
            None
        } else {
            let (results, whole) = parse(&bytes, header)?;
            file.set_len(whole as u64).map_err(unusable)?;
            file.seek(io::SeekFrom::End(0)).map_err(unusable)?;
            Some(results)
        };
        let mut record = Record {
            file,
            results: PhantomData,
        };
        if whole.is_none() {
            record.write(&mut first).map_err(unusable)?;
        }
        Ok((record, whole.unwrap_or_default()))
    }

    /// Adds a result.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, result: &R) -> io::Result<()> {
        let mut text = line(result)?;
        self.write(&mut text)
    }

    /// Writes the line in one go, so that readers see only whole lines.
    fn write(&mut self, line: &mut [u8]) -> io::Result<()> {
        self.file.write_all(line)?;
        self.file.flush()
    }
}

/// Returns the field of a header for the memory of each tree, which may not have been given.
pub fn memory_field(bytes: Option<u64>) -> String {
    let memory = bytes.map_or_else(|| "none given".into(), |m| m.to_string());
    format!("memory {memory}")
}

/// Returns the field of a header for the endgame tables, which may not have been given.
pub fn tables_field(folders: Option<&str>) -> String {
    format!("endgame tables {}", folders.unwrap_or("none given"))
}

fn line(value: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(value)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Whether a line is the header of this same run again.
fn is_same_header<H: RunHeader>(line: &[u8], header: &H) -> bool {
    let found = serde_json::from_slice::<H>(line).ok();
    line.ends_with(b"\n") && found.is_some_and(|found| found.fields() == header.fields())
}

/// Returns the results, and the number of bytes of the file that are whole lines.
fn parse<R: Recorded>(bytes: &[u8], header: &R::Header) -> Result<(Vec<R>, usize), LoadError> {
    let lines: Vec<&[u8]> = bytes.split_inclusive(|b| *b == b'\n').collect();
    let shown = |line: &[u8]| quote(&String::from_utf8_lossy(line));
    let head = lines.first().copied().unwrap_or_default();
    let found: R::Header = serde_json::from_slice(head)
        .map_err(|_| LoadError::new(shown(head), R::Header::RECORD).at_line(1))?;
    let mut pairs = found.fields().into_iter().zip(header.fields());
    if let Some((found, expected)) = pairs.find(|(found, expected)| found != expected) {
        return Err(LoadError::new(found, format!("{expected} as in this run")).at_line(1));
    }
    let mut results: Vec<R> = Vec::new();
    let mut keys = BTreeSet::new();
    let mut whole = head.len();
    for (i, line) in lines.iter().enumerate().skip(1) {
        if is_same_header(line, header) {
            // Records of parts of a run, one after another.
            whole += line.len();
            continue;
        }
        let read = serde_json::from_slice::<R>(line).ok();
        let is_whole = line.ends_with(b"\n");
        let read = read.filter(|r| is_whole && r.belongs_to(header));
        match read {
            // What two parts have both done counts once.
            Some(read) if !keys.insert(read.key()) => {}
            Some(read) => results.push(read),
            // The run ended while this line was being written.
            None if i + 1 == lines.len() && !is_whole => break,
            None => {
                let expected = R::expected(header);
                return Err(LoadError::new(shown(line), expected).at_line(i as u32 + 1));
            }
        }
        whole += line.len();
    }
    Ok((results, whole))
}
