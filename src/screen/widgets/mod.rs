//! Small drawings: the strip of a distribution, its plot, bars.

mod bars;
pub mod canvas;
mod plot;
mod strip;

pub use bars::bar;
pub use plot::{Curve, Dash, Plot, Span};
pub use strip::Strip;
