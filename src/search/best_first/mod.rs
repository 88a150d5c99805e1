//! The best-first family: MCTS and DISTRESS over one driver.

pub mod distress;
pub mod mcts;
