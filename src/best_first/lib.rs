//! The best-first family: MCTS, DISTRESS and best-first minimax, and what they share.
//!
//! They share the line of play from the root to the current leaf ([`position_stack`]), the first look at a position
//! ([`search_thread`]), certainty propagation ([`proofs`]), and for searches with priors ([`prior`]) the expansion with
//! a look-ahead of one ply ([`expand`]). An algorithm adds how it chooses a child and what it backs up. One that evaluates
//! every child of what it expands ([`evaluated`]) and needs no more than that is a [`driver::Strategy`].

pub mod b_star;
pub mod bayes_mcts;
pub mod best_first_minimax;
pub mod bpip;
pub mod by_formula;
mod choices;
pub mod conspiracy;
mod depth;
pub mod distress;
mod driver;
mod endgame;
mod evaluated;
mod expand;
mod leaf_belief;
mod leaf_value;
mod lifecycle;
pub mod mcts;
pub mod pn;
mod position_stack;
mod prior;
pub mod prob_b_star;
mod proofs;
mod reuse;
mod search_thread;
mod solver;
mod strategy;
#[cfg(test)]
mod visited;

pub use proofs::{best_child, best_move};
