//! Places: files on this machine, positions in a game.

use std::path::PathBuf;

use game::Game;
use session::Subject;

/// Returns the path that the user typed, with `~/` replaced by the home folder.
pub fn home_expanded(text: &str) -> PathBuf {
    match text.strip_prefix("~/") {
        Some(rest) => etcetera::home_dir().map_or_else(|_| PathBuf::from(text), |h| h.join(rest)),
        None => PathBuf::from(text),
    }
}

/// Whether both are the same position of the same kind of game. A toy tree may have been edited in between.
pub(crate) fn same_place(old: &Subject, new: &Subject) -> bool {
    let (old, new) = (&old.position, &new.position);
    old.is_same_kind(new) && old.key() == new.key()
}
