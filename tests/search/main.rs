//! Tests of the searches and of the trees that they grow.

#[path = "../common/mod.rs"]
mod common;

mod alpha_beta;
mod alpha_beta_rules;
mod b_star;
mod bayes_mcts;
mod best_first_allocation;
mod best_first_distress;
mod best_first_mcts;
mod best_first_minimax;
mod bpip;
mod choices;
mod claims;
mod conspiracy;
mod distress_leaves;
mod distress_precursors;
mod distress_reuse;
mod distress_root_score;
mod drivers;
mod endgame_tables;
mod focus;
mod learned;
mod legs;
mod lines;
mod mcts_conversion;
mod mcts_options;
mod mcts_reuse;
mod mcts_solver;
mod playouts;
mod pn;
mod prob_alpha_beta;
mod prob_alpha_beta_chess;
mod prob_alpha_beta_confidence;
mod prob_b_star;
mod proven_lines;
mod shared_tree;
mod team;
mod tree_copy;
mod uniform;
