//! The depth-first family: alpha-beta and probabilistic alpha-beta.

pub mod alpha_beta;
pub mod prob_alpha_beta;
pub mod table;
