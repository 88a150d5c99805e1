//! Reads the user's files: positions (FEN, EPD), games (PGN) and toy trees, all as a [`Document`].
//!
//! What cannot be used is refused with one clear line, a [`LoadError`]. The other positions or games of the same file
//! are still opened.

mod document;
mod encoding;
pub mod epd;
mod error;
pub mod fen;
pub mod labels;
mod lines;
pub mod pgn;
pub mod toy_tree;

pub use document::{Content, Document, Entry, Kind};
pub use epd::Epd;
pub use error::LoadError;
pub use error::unreadable;
pub use labels::Label;
pub use pgn::{GameNode, GameTree};
