//! What a comparison has printed, position by position, in a record that an interrupted run continues.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::Failure;
use session::record::{self, Recorded, RunHeader};

/// What is printed of one position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Printed {
    /// The number of the position, from 1.
    pub number: usize,
    pub text: String,
    /// What prevented columns from answering, as (name, message).
    pub troubles: Vec<(String, String)>,
}

/// Identifies a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The version of the record's format.
    plyscope_compare: u32,
    /// The version of plyscope.
    version: String,
    /// What was asked, each as a message shows it.
    asked: Vec<String>,
    positions: usize,
}

impl RunHeader for Asked {
    const RECORD: &str = "a record of plyscope compare";

    fn fields(&self) -> Vec<String> {
        let own = [
            format!("format {}", self.plyscope_compare),
            format!("version {}", self.version),
            format!("{} positions", self.positions),
        ];
        own.into_iter().chain(self.asked.iter().cloned()).collect()
    }
}

impl Recorded for Printed {
    type Header = Asked;
    type Key = usize;

    fn key(&self) -> usize {
        self.number
    }

    fn belongs_to(&self, header: &Asked) -> bool {
        (1..=header.positions).contains(&self.number)
    }

    fn expected(header: &Asked) -> String {
        format!("what was printed of one of {} positions", header.positions)
    }
}

/// The record, if one is kept.
#[derive(Debug, Default)]
pub struct Record(Option<record::Record<Printed>>);

impl Record {
    /// Opens the record of this run, or creates it, and returns what was printed, by the number of the position.
    ///
    /// # Errors
    /// If the file cannot be read or written, belongs to another run, or is damaged.
    pub fn open(
        path: &Path,
        (asked, positions): (Vec<String>, usize),
    ) -> Result<(Record, BTreeMap<usize, Printed>), Failure> {
        let header = Asked {
            plyscope_compare: 1,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            asked,
            positions,
        };
        let (record, known) = record::Record::<Printed>::open(path, &header)?;
        let known = known.into_iter().map(|printed| (printed.number, printed));
        Ok((Record(Some(record)), known.collect()))
    }

    /// Adds what was printed, unless a column failed: then the position is tried again.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep(&mut self, printed: &Printed) -> Result<(), Failure> {
        let Some(record) = self.0.as_mut().filter(|_| printed.troubles.is_empty()) else {
            return Ok(());
        };
        let kept = record.append(printed);
        kept.map_err(|e| Failure::Input(format!("--resume: cannot write to it ({e})")))
    }
}
