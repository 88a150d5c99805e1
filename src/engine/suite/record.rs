//! A file in which a suite's results are saved as they come, so that an interrupted run can be continued.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Seek, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::Answers;
use crate::game::load::{LoadError, files};
use crate::game::text::quote;

/// Identifies a run: a run with a different header cannot continue with these results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The version of the record's format.
    pub plyscope_suite: u32,
    /// The version of plyscope.
    pub version: String,
    /// A hash over all positions with their operations.
    pub suite: String,
    /// The number of positions to be tried.
    pub positions: usize,
    /// The columns as written on the command line.
    pub columns: Vec<String>,
    pub budget: String,
    pub threads: usize,
    /// The bytes for each tree, if given.
    pub memory: Option<u64>,
    pub seed: u64,
}

impl Header {
    /// The version of the record's format.
    pub const FORMAT: u32 = 1;

    /// Returns the first field that differs, as (found, expected); `found` is this header's.
    fn difference(&self, expected: &Header) -> Option<(String, String)> {
        let fields = |h: &Header| {
            let memory = h
                .memory
                .map_or_else(|| "none given".into(), |m| m.to_string());
            [
                format!("format {}", h.plyscope_suite),
                format!("version {}", h.version),
                format!("suite {} ({} positions)", h.suite, h.positions),
                format!("columns {}", h.columns.join(" ")),
                format!("budget {}", h.budget),
                format!("threads {}", h.threads),
                format!("memory {memory}"),
                format!("seed {}", h.seed),
            ]
        };
        let pairs = fields(self).into_iter().zip(fields(expected));
        pairs.into_iter().find(|(mine, other)| mine != other)
    }
}

/// An open record. Another run cannot open it meanwhile.
#[derive(Debug)]
pub struct Record {
    file: File,
}

impl Record {
    /// Opens the record of this run, or creates it, and reads its contents. An incomplete last line is dropped.
    ///
    /// # Errors
    /// If the file cannot be read or written, belongs to another run or is no record at all, or is damaged in the
    /// middle.
    pub fn open(path: &Path, header: &Header) -> Result<(Record, Vec<Answers>), LoadError> {
        let name = path.to_string_lossy();
        Self::read(path, header).map_err(|e| e.in_file(&name))
    }

    fn read(path: &Path, header: &Header) -> Result<(Record, Vec<Answers>), LoadError> {
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
        if first.starts_with(&bytes) {
            // The file is new, or the run ended while the header was being written.
            file.set_len(0).map_err(unusable)?;
            let mut record = Record { file };
            record.write(&mut first).map_err(unusable)?;
            return Ok((record, Vec::new()));
        }
        let (answers, whole) = parse(&bytes, header)?;
        file.set_len(whole as u64).map_err(unusable)?;
        file.seek(io::SeekFrom::End(0)).map_err(unusable)?;
        Ok((Record { file }, answers))
    }

    /// Adds the answers to a position.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn append(&mut self, answers: &Answers) -> io::Result<()> {
        let mut text = line(answers)?;
        self.write(&mut text)
    }

    /// Writes the line in one go, so that readers see only whole lines.
    fn write(&mut self, line: &mut [u8]) -> io::Result<()> {
        self.file.write_all(line)?;
        self.file.flush()
    }
}

fn line(value: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(value)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Returns the answers, and the number of bytes of the file that are whole lines.
fn parse(bytes: &[u8], header: &Header) -> Result<(Vec<Answers>, usize), LoadError> {
    let lines: Vec<&[u8]> = bytes.split_inclusive(|b| *b == b'\n').collect();
    let shown = |line: &[u8]| quote(&String::from_utf8_lossy(line));
    let head = lines.first().copied().unwrap_or_default();
    let found: Header = serde_json::from_slice(head)
        .map_err(|_| LoadError::new(shown(head), "a record of plyscope suite").at_line(1))?;
    if let Some((found, expected)) = found.difference(header) {
        return Err(LoadError::new(found, format!("{expected} as in this run")).at_line(1));
    }
    let mut answers: Vec<Answers> = Vec::new();
    let mut whole = head.len();
    for (i, line) in lines.iter().enumerate().skip(1) {
        let read = serde_json::from_slice::<Answers>(line).ok();
        let read = read.filter(|a| {
            line.ends_with(b"\n")
                && a.columns.len() == header.columns.len()
                && !answers.iter().any(|other| other.number == a.number)
        });
        match read {
            Some(read) => answers.push(read),
            None if i + 1 == lines.len() => break,
            None => {
                let expected =
                    format!("one position's answers of {} columns", header.columns.len());
                return Err(LoadError::new(shown(line), expected).at_line(i as u32 + 1));
            }
        }
        whole += line.len();
    }
    Ok((answers, whole))
}
