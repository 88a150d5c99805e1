//! Reads the formats of chess (FEN, EPD, PGN) and of toy trees. What opens files of any game is the document of the crate
//! `games`.
//!
//! What cannot be used is refused with one clear line, a [`LoadError`]. The other positions or games of the same file
//! are still opened.

pub mod encoding;
pub mod epd;
mod error;
pub mod fen;
pub mod labels;
pub mod pgn;
pub mod toy_tree;

pub use epd::Epd;
pub use error::LoadError;
pub use error::unreadable;
pub use labels::Label;
pub use pgn::{GameNode, GameTree};
