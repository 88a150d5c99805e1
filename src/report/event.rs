//! Events as people and machines read them: a sentence for the log, a short line for a narrow pane, an object for
//! scripts.
//!
//! Whose view the scores are from, as everywhere in plyscope: a [`sentence`] has the view of the side to move at the
//! node (of a move that was not searched, of the side that could have played it) and says so; a [`short`] line, like
//! the rows of the tree beside it, the view of the side that plays the move named at its beginning (at the root, of
//! the side to move); the JSON object the view of the side to move at its `node`.

mod fate;
pub(super) mod figures;
pub mod json;
pub(super) mod sentence;
mod short;

pub use fate::FateJson;
pub use sentence::sentence;
pub use short::short;
