//! Sessions: a search in the background with its tree, its threads and its switches, and how its tree is read.

pub mod breakpoint;
mod children;
mod line;
mod reader;
mod session;
mod shown;
mod summary;
mod trace;

pub use children::{Row, RowId};
pub use reader::{MoveName, Reader, other_side, seen_by_mover, unrecorded_view};
pub use session::{Config, Session, State, Status, default_memory};
pub use shown::{Shown, Source};
pub use summary::{MoveSummary, Summary, Verdict};
pub use trace::{Sink, Traced, Wish, trace};
