//! What a search found, written down: the reason for every node in a sentence, results and trees as JSON and text.

pub mod number;
pub mod why;
