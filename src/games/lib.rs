//! The table of games: the formats of their files, which a [`Document`] opens, and built-in samples of them.
//!
//! A game other than chess and toy trees is a folder here, with its rules, its evaluation and its [`Format`], and a row of
//! [`FORMATS`].

mod annotated;
mod chess;
mod document;
mod entry;
mod format;
pub mod go;
pub mod in_a_row;
mod only;
mod result;
pub mod samples;
mod toy;
pub mod trace;

pub use document::Document;
pub use entry::Entry;
pub use format::{Entries, Format, Opening, Reading};
pub use only::{ReadLine, position_of_fen, position_of_text};
pub use result::ResultBelief;

use game::load;
use search::AnyPosition;

/// A game of any kind that was read from a file.
pub type GameTree = load::GameTree<AnyPosition>;

/// The formats of files, in the order in which messages name them. Of two that a text may have, the later one is taken.
pub const FORMATS: &[&Format] = &[
    &chess::FEN,
    &chess::EPD,
    &chess::PGN,
    &toy::TREE,
    &in_a_row::CONNECT_FOUR,
    &in_a_row::TIC_TAC_TOE,
    &go::SGF,
    &trace::TRACE,
];
