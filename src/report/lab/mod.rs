//! What the Lab found out: tables for people, and JSON.

pub mod calibration;
pub mod differential;
mod json;
mod pairs;
pub mod spread;
mod table;

pub use json::{LabJson, whole};
pub use pairs::{PairResults, PairsJson, pairs_json, pairs_text};
pub use table::text;

use crate::engine::lab::Findings;

/// An experiment's findings, whole or in part.
#[derive(Clone, Copy, Debug)]
pub struct Results<'a> {
    /// Where the positions are from.
    pub source: &'a str,
    pub findings: &'a Findings,
}
