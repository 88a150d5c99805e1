//! Where things are: files on this machine, positions in a game.

use std::path::PathBuf;

use crate::game::{Game, Subject};

/// A path as a person types it: `~/` is the home folder.
#[must_use]
pub fn home_expanded(text: &str) -> PathBuf {
    match text.strip_prefix("~/") {
        Some(rest) => etcetera::home_dir().map_or_else(|_| PathBuf::from(text), |h| h.join(rest)),
        None => PathBuf::from(text),
    }
}

/// The same chess position, or a toy tree after a toy tree (its file may have been edited in between).
pub(in crate::tui) fn same_place(old: &Subject, new: &Subject) -> bool {
    match (old, new) {
        (Subject::Chess(a), Subject::Chess(b)) => a.position.key() == b.position.key(),
        (Subject::Toy(a), Subject::Toy(b)) => a.position.index() == b.position.index(),
        _ => false,
    }
}
