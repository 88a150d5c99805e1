//! The record of a suite's results: see [`session::record`].

use serde::{Deserialize, Serialize};

use super::Answers;
use session::record::{self, Recorded, RunHeader};

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
    /// The endgame tables, if given.
    #[serde(default)]
    pub syzygy: Option<String>,
}

impl Header {
    /// The version of the record's format.
    pub const FORMAT: u32 = 1;
}

impl RunHeader for Header {
    const RECORD: &str = "a record of plyscope suite";

    fn fields(&self) -> Vec<String> {
        vec![
            format!("format {}", self.plyscope_suite),
            format!("version {}", self.version),
            format!("suite {} ({} positions)", self.suite, self.positions),
            format!("columns {}", self.columns.join(" ")),
            format!("budget {}", self.budget),
            format!("threads {}", self.threads),
            record::memory_field(self.memory),
            format!("seed {}", self.seed),
            record::tables_field(self.syzygy.as_deref()),
        ]
    }
}

impl Recorded for Answers {
    type Header = Header;
    type Key = usize;

    fn key(&self) -> usize {
        self.number
    }

    fn belongs_to(&self, header: &Header) -> bool {
        self.columns.len() == header.columns.len()
    }

    fn expected(header: &Header) -> String {
        format!("one position's answers of {} columns", header.columns.len())
    }
}

/// An open record of a suite.
pub type Record = record::Record<Answers>;
