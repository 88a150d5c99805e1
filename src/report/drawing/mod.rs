//! Trees drawn as in a textbook: the root on top, level by level. A toy tree is drawn whole, with all nodes of the file,
//! including those that no search visited; of a chess tree its best lines, with the other moves in counted stubs. This
//! module decides what is drawn and where; the views decide what to write there.

mod known;
mod layout;
mod lines;
mod sketch;
mod whole;

pub use known::{Done, Known};
pub use layout::{Layout, Place, Shape};
pub use lines::{Candidate, Extent, Lines};
pub use sketch::{Branch, Part, Sketch, Stub};
pub use whole::WholeTree;
