//! The record of a sweep: see [`session::record`].

use serde::{Deserialize, Serialize};

use super::Found;
use session::record::{self, Recorded, RunHeader};

/// Identifies a sweep: one with a different header cannot continue with these figures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The version of the record's format.
    pub plyscope_sweep: u32,
    /// The version of plyscope.
    pub version: String,
    pub judge: String,
    /// A hash over all positions with their tasks; "openings" for games.
    pub units: String,
    /// The number of positions or openings.
    pub count: usize,
    /// The variants, what is built in first.
    pub columns: Vec<String>,
    pub budget: String,
    pub threads: usize,
    /// The bytes for each tree, if given.
    pub memory: Option<u64>,
    pub seed: u64,
    /// The endgame tables, if given.
    pub syzygy: Option<String>,
}

impl Header {
    /// The version of the record's format.
    pub const FORMAT: u32 = 1;
}

impl RunHeader for Header {
    const RECORD: &str = "a record of plyscope lab sweep";

    fn fields(&self) -> Vec<String> {
        vec![
            format!("format {}", self.plyscope_sweep),
            format!("version {}", self.version),
            format!("judge {}", self.judge),
            format!("{} ({} of them)", self.units, self.count),
            format!("variants {}", self.columns.join(" ")),
            format!("budget {}", self.budget),
            format!("threads {}", self.threads),
            record::memory_field(self.memory),
            format!("seed {}", self.seed),
            record::tables_field(self.syzygy.as_deref()),
        ]
    }
}

/// What all variants did with one position, or with one opening.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unit {
    /// The number of the position or opening, from 1.
    pub number: usize,
    /// By variant; `None` if one of them has no figure.
    pub found: Option<Vec<Found>>,
}

impl Recorded for Unit {
    type Header = Header;
    type Key = usize;

    fn key(&self) -> usize {
        self.number
    }

    fn belongs_to(&self, header: &Header) -> bool {
        let width = self.found.as_ref().map(Vec::len);
        (1..=header.count).contains(&self.number)
            && width.is_none_or(|width| width == header.columns.len())
    }

    fn expected(header: &Header) -> String {
        format!(
            "a position or opening up to {} with the figures of {} variants",
            header.count,
            header.columns.len()
        )
    }
}

/// An open record of a sweep.
pub type Record = record::Record<Unit>;
