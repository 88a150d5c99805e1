//! `--resume` and `--shard`: where the findings of a run are kept, and which part of the work it does.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Failure;
use super::columns::{ColumnOptions, identity};
use super::fnv::Fnv;
use super::shard::Shard;
use lab::Position;
use lab::calibration::Case;
use lab::kept::{Header, Kept, Saved};
use session::Budget;
use session::record;
use studies::compare::ColumnSpec;

/// Where results are kept, and which part of the work a run does.
#[derive(Args, Clone, Debug)]
pub struct Part {
    /// Save the results in FILE as they arrive, and continue after those already there (the positions, columns, budget and
    /// seed must be the same; positions for which a column failed are tried again)
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,

    /// Run only every N-th position (tree, opening), beginning with the K-th, so that N runs share the work. Their records merge:
    /// write them one after another into a file, and --resume with that prints the whole
    #[arg(long, value_name = "K/N", value_parser = Shard::parse)]
    pub shard: Option<Shard>,
}

/// What became of the findings of a run.
pub struct Rest {
    saved: Saved,
    units: usize,
    /// The units that this part of the work has.
    pub own: usize,
}

impl Rest {
    /// Whether the findings of all units are known, and not only of this part of the work.
    pub fn is_whole(&self) -> bool {
        self.saved.done() >= self.units
    }

    /// # Errors
    /// If the findings could not be saved.
    pub fn check(&self) -> Result<(), Failure> {
        let fault = self.saved.fault();
        fault.map_or(Ok(()), |what| {
            Err(Failure::Input(format!("--resume: {what}")))
        })
    }
}

impl Part {
    /// Opens the record of an experiment of the Lab, which is identified by what was asked, and returns what is known and what
    /// is to be done. Of its units `group` in a row belong to one position, tree or opening.
    ///
    /// # Errors
    /// If the record belongs to another run, is damaged, or cannot be used.
    pub fn kept<U: Serialize + DeserializeOwned + Send + Sync>(
        &self,
        experiment: &str,
        asked: Vec<String>,
        (units, group): (usize, usize),
    ) -> Result<(Kept<U>, Rest), Failure> {
        let kept = match &self.resume {
            Some(path) => Kept::open(path, &Header::new(experiment, asked, units))?,
            None => Kept::default(),
        };
        let shard = self.shard;
        let is_own = move |place: usize| shard.is_none_or(|shard| shard.has(place));
        let rest = Rest {
            saved: kept.saved(),
            units,
            own: (0..units)
                .filter(|unit| is_own(unit / group.max(1)))
                .count(),
        };
        Ok((kept.part(Box::new(is_own)), rest))
    }
}

/// Identifies positions with what is known of them.
pub fn hashed<T>(all: &[T], each: impl Fn(&T) -> String) -> String {
    let mut hash = Fnv::new();
    for (i, one) in all.iter().enumerate() {
        hash.add(format!("{i} {}\n", each(one)).as_bytes());
    }
    format!("positions {hash}")
}

/// Identifies positions.
pub fn of_positions(positions: &[Position]) -> String {
    hashed(positions, |p| format!("{} {}", p.title, p.fen))
}

/// Identifies labelled positions.
pub fn of_cases(cases: &[Case]) -> String {
    hashed(cases, |case| {
        let fen = case.subject.position.fen().unwrap_or_default();
        format!("{fen} {:?} {:?}", case.verdict, case.best)
    })
}

/// Identifies columns with their budget.
pub fn of_columns(options: &ColumnOptions, columns: &[ColumnSpec], budget: Budget) -> [String; 6] {
    let columns: Vec<String> = columns.iter().map(identity).collect();
    let tables = options.syzygy().map(|p| p.display().to_string());
    [
        format!("columns {}", columns.join(" ")),
        format!("budget {budget:?}"),
        format!("threads {}", options.threads()),
        record::memory_field(options.memory()),
        format!("seed {}", options.seed()),
        record::tables_field(tables.as_deref()),
    ]
}
