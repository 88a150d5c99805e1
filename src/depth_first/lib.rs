//! The depth-first family: alpha-beta, the same with a uniform root, and probabilistic alpha-beta.

pub mod alpha_beta;
mod choices;
mod deepening;
mod focus;
mod lines;
pub mod margin;
pub mod margin_table;
mod options;
pub mod prob_alpha_beta;
pub mod prob_leaf;
pub mod prob_node;
pub mod prob_options;
pub mod prob_pen;
pub mod prob_value;
pub mod prob_window;
mod rule_formula;
pub mod uniform;

/// The deepest iteration.
const MAX_DEPTH: u16 = 100;
