//! What the algorithms of both families share: the context of a search thread, quiescence, the leaves
//! to be valued, the transposition tables, and the move order.

pub mod auditing;
pub mod auditor;
pub mod belief_table;
mod choices;
pub mod context;
pub mod corrections;
mod endgame;
pub mod histories;
pub mod leaf;
pub mod ordering;
mod pages;
pub mod picker;
pub mod played_line;
pub mod quiescence;
pub mod static_cache;
pub mod table;
pub mod team;
