//! The algebra of distributions over the expected score in [-1, +1]. It does not depend on chess.
//!
//! A belief is a distribution over [`BINS`] bins, always from one side's point of view: at a node, that of the side to
//! move ([`Cdf::negated`] changes sides). It is stored as a CDF in 16-bit steps ([`Cdf`], 128 bytes) and converted to
//! probability masses per bin ([`Density`]) for calculations. [`BackUp`] derives a node's belief and policy from its
//! children's beliefs. [`mod@reference`] has the same formulas in `f64` for any number of bins; it is the oracle of the
//! tests and serves the Lab.
//!
//! Main source: the DISTRESS essay (on distribution-estimating search, last updated 15 February 2026). Each rule cites
//! its own.

pub mod backup;
mod blend;
pub mod cdf;
pub mod density;
mod dependent;
pub mod forms;
pub mod gaussian;
pub mod grid;
mod kernel;
mod lanes;
pub mod leaf;
pub mod numbers;
pub mod precursors;
pub mod reference;
mod resolution;
pub mod rule;
pub mod running;
pub mod score;
pub mod special;
pub mod value;

pub use backup::{BackUp, BlendedBy, Detail};
pub use blend::BLEND;
pub use cdf::Cdf;
pub use density::Density;
pub use forms::Precursor;
pub use grid::Grid;
pub use lanes::Path;
pub use leaf::{Answer, LeafTable, SearchedLeaf, leaf};
pub use numbers::{Form, Numbers};
pub use resolution::Resolution;
pub use rule::{ParseRuleError, Rule, Ties};
pub use running::Running;
pub use value::{expected_max, vpi};

/// The number of bins of a belief. It is odd so that a draw has a bin of its own and keeps it under negation.
///
/// With the feature `fine` there are four times as many, for comparisons: a tree needs four times the memory for them.
pub const BINS: usize = if cfg!(feature = "fine") { 255 } else { 63 };
/// The number of lanes in memory: one per bin and one unused.
pub const LANES: usize = BINS + 1;
/// The bin around 0, which stands for a draw.
pub const MIDDLE: usize = BINS / 2;
/// The largest value of a stored CDF, which stands for probability 1.
pub const ONE: u16 = u16::MAX;
