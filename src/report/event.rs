//! Events in forms for people and programs: a sentence for the log, a short line for a narrow pane, an object for
//! scripts.
//!
//! The view of the scores is the same as everywhere in plyscope. A [`sentence()`] uses the view of the side to move at
//! the node (for a move that was not searched, of the side that could have played it) and says so. A [`short()`] line,
//! like the rows of the tree beside it, uses the view of the side that plays the move named at its beginning (at the
//! root, of the side to move). The JSON object uses the view of the side to move at its `node`.

mod fate;
pub(super) mod figures;
pub mod json;
pub(super) mod sentence;
mod short;

pub use fate::{AnyFate, FateJson};
pub use sentence::sentence;
pub use short::short;
