//! The depth-first family: alpha-beta and probabilistic alpha-beta.

pub mod alpha_beta;
mod auditing;
pub(super) mod choices;
pub mod context;
pub mod corrections;
mod deepening;
mod endgame;
mod focus;
pub mod line;
pub mod margin;
mod options;
pub mod ordering;
mod picker;
pub mod prob_alpha_beta;
pub mod prob_found;
pub mod prob_leaf;
pub mod prob_node;
pub mod prob_options;
pub mod prob_pen;
pub mod prob_table;
pub mod prob_window;
pub mod quiescence;
mod static_cache;
pub mod table;
