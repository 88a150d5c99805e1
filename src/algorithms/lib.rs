//! The algorithms: one table, and the only place where searches are compiled.
//!
//! A search is generic over its game and its evaluation. Chess has searches of its own; every other game is searched
//! through [`search::AnyPosition`], so that a further game costs no further compilation.

mod any_job;
mod table;

pub use any_job::{AnyJob, JobParts, Standing, with_erased_job, with_job};
pub use depth_first::alpha_beta::rules::RULES;
pub use table::{
    ALGORITHMS, Algorithm, Row, UnknownAlgorithm, apply_choices, move_on, open_leaf, run,
    search_again,
};
