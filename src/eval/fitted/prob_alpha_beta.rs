//! The belief that probabilistic alpha-beta reports of its root.

use super::Report;

impl Report {
    /// The belief reported where the root's best move is worth the logit m, whatever width the search gave its leaves: that
    /// width says how much quiescence at a leaf is off, not the search above it.
    ///
    /// FIT_SOURCE
    pub const PROB_ALPHA_BETA: Report = Report {
        shift: 0.1,
        slope: 1.0,
        width: [-1.5, 0.7, -0.3, 0.2],
    };
}
