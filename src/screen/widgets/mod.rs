//! Small drawings: the value axis, charts, bars.

mod axis;
mod bars;
mod canvas;
pub mod chart;

pub use axis::{AxisRow, Rule};
pub use bars::bar;
