//! The Lab's experiment on spread: how wide the root's belief is under several back-up rules, as a search goes on, by
//! depth, and where the truth is known. If the errors of siblings are not independent, a product of distribution
//! functions collapses and a mixture by policy diffuses.
//!
//! [`start_searches`]: DISTRESS on chess positions, one search for each position and rule ([`Searches`]).
//! [`start_population`]: random trees by population dynamics, with the minimax of their hidden values as the truth
//! ([`Population`]). No search is involved.

mod population;
mod searches;

pub use population::{
    Depth, Population, PopulationError, Settings, calibrated, start as start_population,
};
pub use searches::{
    Mean, Plan, PlanError, Ply, Searches, SpreadCurve, start as start_searches, stops,
};

use crate::search::Algorithm;

/// The algorithm whose back-up rules are measured here.
pub const ALGORITHM: Algorithm = Algorithm::Distress;

/// Back-up rules that together show most: both extremes, blends that diffuse and one that hardly does, dependent
/// maxima.
pub const TELLING: [&str; 8] = [
    "r-pick",
    "constant:.5",
    "r-opt",
    "entropy",
    "exp:1.5",
    "cuadras-auge:.5",
    "frechet:.8",
    "gumbel:2",
];

/// Returns the letter that stands for the rule at this index where there is no room for its name.
pub fn letter(place: usize) -> char {
    char::from(b'A' + (place % 26) as u8)
}
