//! The best-first family: MCTS and DISTRESS, and what they share.
//!
//! They share the line of play from the root to the current leaf ([`position_stack`]), the first look at a position
//! ([`search_thread`]), certainty propagation ([`proofs`]), and for searches with priors ([`prior`]) the expansion with
//! a look-ahead of one ply ([`expand`]). An algorithm adds how it chooses a child and what it backs up.

pub(super) mod choices;
mod depth;
pub mod distress;
mod endgame;
mod expand;
mod lifecycle;
pub mod mcts;
mod position_stack;
mod prior;
mod proofs;
pub(super) mod reuse;
mod search_thread;
mod solver;

pub use proofs::{best_child, best_move};
