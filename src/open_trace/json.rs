//! The records of JSON lines.

mod fields;
mod record;
mod scan;
pub(crate) mod wire;
pub(crate) mod write;

pub(crate) use fields::Fields;
pub(crate) use record::{Decode, Read};
pub(crate) use scan::Line;
