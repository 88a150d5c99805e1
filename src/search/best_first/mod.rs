//! The best-first family: MCTS and DISTRESS over what they share.
//!
//! Shared: the line of play from the root to the leaf at hand ([`line`]), what a position is when first looked at
//! and its expansion with a look-ahead of one ply ([`ground`]), and certainty propagation ([`proofs`]). An algorithm
//! adds how it chooses a child and what it backs up.

pub mod distress;
mod ground;
mod line;
pub mod mcts;
mod prior;
mod proofs;

pub use proofs::best_child;
