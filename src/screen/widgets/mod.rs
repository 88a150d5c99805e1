//! Small drawings: the strip of a distribution, charts, bars.

mod axis;
mod bars;
mod canvas;
pub mod chart;
mod strip;

pub use axis::{AxisRow, Rule};
pub use bars::bar;
pub use strip::Strip;
