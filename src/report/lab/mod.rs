//! The results of the Lab's experiments: tables and JSON.

pub mod calibration;
pub mod depths;
pub mod differential;
mod json;
mod pairs;
pub mod plies;
pub mod plies_picture;
pub mod refutation;
pub mod schema;
pub mod spread;
mod table;

pub use json::{LabJson, whole};
pub use pairs::{PairResults, PairsJson, pairs_json, pairs_text};
pub use table::text;

use lab::Findings;

/// The complete or partial results of an experiment.
#[derive(Clone, Copy, Debug)]
pub struct Results<'a> {
    /// The source of the positions.
    pub source: &'a str,
    pub findings: &'a Findings,
}
