//! Sweeps: numbers in an algorithm's options are varied, and every variant is judged on the same positions or openings.
//!
//! The variant that looks best does so by chance as well, the more so the more are tried. So it is chosen on one half of the
//! positions and judged on the other, always against what is built in; and intervals over all variants are widened for their
//! number (Bonferroni).

mod figures;
mod judge;
mod look;
mod run;
mod spec;
mod variable;

pub use figures::{Chosen, Found, Gain, Row, Sweep};
pub use judge::{Judge, Material};
pub use run::{AUDITED, JUDGE_NODES, Plan, Units, start};
pub use spec::{BUILT_IN, Spec, Tried};
pub use variable::{MOST, Variable, Variant};
