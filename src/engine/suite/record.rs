//! A file in which a suite's results are kept as they come, so that an interrupted run can go on.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Seek, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::Answers;
use crate::game::load::{LoadError, files};
use crate::game::text::quote;

/// What a run is: one whose header differs can't go on with the other's results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Version of the record's format.
    pub plyscope_suite: u32,
    /// The program's version.
    pub version: String,
    /// Hash over all positions with their operations.
    pub suite: String,
    /// How many there are to be tried.
    pub positions: usize,
    /// As one writes them on the command line.
    pub columns: Vec<String>,
    pub budget: String,
    pub threads: usize,
    /// Bytes for each tree, where they were given.
    pub memory: Option<u64>,
    pub seed: u64,
}

impl Header {
    /// Version of the record's format.
    pub const FORMAT: u32 = 1;

    /// The first thing that is not the same, `found` being this one's.
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

/// An open record. Another run can't open it meanwhile.
#[derive(Debug)]
pub struct Record {
    file: File,
}

impl Record {
    /// Opens the record of this run, or begins it, and reads what is there. A last line that was not finished is
    /// dropped.
    ///
    /// # Errors
    /// A file that can't be read or written, that is another run's or none's, or that is broken in its middle.
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
            // Where a file system has no locks there is none.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let bytes = files::read_all(&file).map_err(unusable)?;
        let mut first = line(header).map_err(unusable)?;
        if first.starts_with(&bytes) {
            // New, or ended while the header was written.
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

    /// Adds a position's answers.
    ///
    /// # Errors
    /// If they can't be written.
    pub fn append(&mut self, answers: &Answers) -> io::Result<()> {
        let mut text = line(answers)?;
        self.write(&mut text)
    }

    /// In one go: whoever looks sees whole lines.
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

/// The answers, and how many bytes of the file are whole lines.
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
