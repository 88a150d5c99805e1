//! Tests of games and of their evaluation.

#[path = "../eval_support/mod.rs"]
mod eval_support;

mod eval_incremental;
mod eval_labels;
mod game_chess;
mod game_load;
mod game_pgn;
mod game_pgn_large;
mod game_pgn_write;
mod game_samples;
mod game_tags;
mod game_toy;
mod game_words;
mod perft;
mod sgf;
