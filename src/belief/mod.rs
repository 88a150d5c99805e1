//! The algebra of distributions over the expected score in [-1, +1]; no chess in it.
//!
//! A belief is a distribution over [`BINS`] bins, always from the view of one side (the side to move at its node;
//! [`Cdf::negated`] changes the side). It is kept as a CDF in 16-bit steps ([`Cdf`], 128 bytes) and calculated with
//! as masses per bin ([`Density`]). [`BackUp`] takes a node's belief and policy from its children's beliefs.
//! [`reference`] has the same formulas in `f64` for any number of bins, as the oracle of the tests and the Lab.

pub mod backup;
pub mod cdf;
pub mod density;
mod dependent;
pub mod forms;
pub mod grid;
mod kernel;
mod lanes;
pub mod leaf;
pub mod numbers;
pub mod precursors;
pub mod reference;
pub mod rule;
pub mod running;
pub mod score;
pub mod special;
pub mod value;

pub use backup::{BackUp, Detail};
pub use cdf::Cdf;
pub use density::Density;
pub use forms::Precursor;
pub use grid::Grid;
pub use lanes::Path;
pub use leaf::{LeafTable, leaf};
pub use numbers::{Form, Numbers};
pub use rule::{ParseRuleError, Rule, Ties};
pub use running::Running;
pub use value::{expected_max, vpi};

/// Bins of a belief: odd, so that a draw is a bin of its own and stays one under negation.
pub const BINS: usize = 63;
/// Lanes in memory: the bins and one unused.
pub const LANES: usize = 64;
/// The bin around 0: a draw.
pub const MIDDLE: usize = BINS / 2;
/// The largest value of a stored CDF.
pub const ONE: u16 = u16::MAX;
