//! Reading what people bring: positions (FEN, EPD), games (PGN) and toy trees, one [`Document`] for all.
//!
//! What can't be used is refused with one clear line, a [`LoadError`]; in a file of many positions or games the
//! others open all the same.

mod document;
mod encoding;
pub mod epd;
mod error;
pub mod fen;
pub mod files;
pub mod labels;
mod lines;
pub mod pgn;
pub mod save;
pub mod toy_tree;

pub use document::{Content, Document, Entry, Kind};
pub use epd::Epd;
pub use error::LoadError;
pub use labels::Label;
pub use pgn::{GameNode, GameTree};
