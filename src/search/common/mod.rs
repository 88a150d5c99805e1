//! What the algorithms of both families share: the context of a search thread, quiescence, what a leaf is worth,
//! the transposition tables, and the order in which moves are searched.

pub(super) mod auditing;
pub mod belief_table;
mod choices;
pub mod context;
pub mod corrections;
mod endgame;
pub(super) mod leaf;
pub mod ordering;
pub(super) mod picker;
pub mod played_line;
pub mod quiescence;
pub mod table;
