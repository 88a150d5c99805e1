//! Small drawings: the strip of a distribution, charts, bars.

mod bars;
mod canvas;
pub mod chart;
mod strip;

pub use bars::bar;
pub use strip::Strip;
